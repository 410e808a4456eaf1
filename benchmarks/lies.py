"""Every known truth, called false by all engines, and every known falsehood called true: where only checked
proofs are trusted, no such claim is believed.

    python benchmarks/lies.py [NAME ...]     names of files in tests/verdicts; all without one
"""

import sys
import time
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main() -> int:
    sys.path.insert(0, str(ROOT))
    sys.setrecursionlimit(20_000)
    lies = import_module("tests.proofs.lies")
    begun, counts, believed = time.process_time(), {True: 0, False: 0}, []
    for claim, is_true in lies.known(*sys.argv[1:]):
        verdict = lies.told(claim, lies.FALSE if is_true else lies.TRUE).verdict
        counts[is_true] += 1
        if verdict != "unrefuted":
            believed.append(claim.id)
            print(f"{claim.id} is {'true' if is_true else 'false'}, and {verdict} where everybody says so")
    print(
        f"{counts[False]} false claims called true, {counts[True]} true ones called false by every engine: "
        f"{len(believed)} are believed; {time.process_time() - begun:.0f} s"
    )
    return 1 if believed else 0


if __name__ == "__main__":
    sys.exit(main())
