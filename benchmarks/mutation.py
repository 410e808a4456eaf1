"""The mutation score: false siblings of true claims, judged by the whole program as a user would run it.

    python benchmarks/mutation.py [--wanted 2000] [--seed 1] [--quick] > benchmarks/mutation.log

Each false sibling is first proved false at a small point by an oracle that shares nothing with the engines
but the tree. MISSED must be 0: a false claim called true; LOST too: a true one called false.
"""

import argparse
import sys
import time
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.mutants.harness import Table, examined, judged, judged_here, parents_of, siblings  # noqa: E402
from verifier import load  # noqa: E402

BATCH = 100


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--wanted", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="without sampling, in this process")
    options = parser.parse_args()
    start = time.monotonic()
    parents = parents_of(load(ROOT / "claims")) + parents_of(load(ROOT / "tests" / "verdicts"))
    total = Table()
    random = Random(options.seed)
    for batch in range(-(-options.wanted // BATCH)):
        wanted = min(BATCH, options.wanted - BATCH * batch)
        table = examined(list(siblings(parents, random, wanted)), judged_here if options.quick else judged)
        total.counts += table.counts
        for kind, items in (("MISSED", table.missed), ("LOST", table.lost)):
            for item in items:
                print(f"{kind} {item.operator}: {item.text}  (of {item.parent.id}; {item.point})", flush=True)
        total.missed += table.missed
        total.lost += table.lost
    took = time.monotonic() - start
    print(f"{options.wanted} false siblings and some true ones, seed {options.seed}, {took:.0f} s\n{total}")
    refuted = total.share("refuted", ("refuted", "open", "MISSED"))
    kept = total.share("kept", ("kept", "open", "LOST"))
    print(f"false siblings refuted: {100 * refuted:.1f}%, missed: {len(total.missed)}")
    print(f"true siblings with their parent's verdict, of those decided or not: {100 * kept:.1f}%")
    return int(bool(total.missed or total.lost))


if __name__ == "__main__":
    raise SystemExit(main())
