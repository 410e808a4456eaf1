"""The mutation score: false siblings of true claims, judged by the whole program as a user would run it.

    python benchmarks/mutation.py [--wanted 2000] [--seed 1] [--quick] --pieces FILE > benchmarks/mutation.log

Each false sibling is first proved false at a small point by an oracle that shares nothing with the engines
but the tree. MISSED must be 0: a false claim called true; LOST too: a true one called false.

The work is done in pieces of 50, each with a seed of its own, and FILE remembers those that are done: a run
that was stopped goes on where it was.
"""

import argparse
import itertools
import sys
from collections import Counter
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.pieces import Piece, added, in_pieces, provenance  # noqa: E402
from tests.mutants.harness import Parent, Table, all_parents, examined, judged, judged_here, siblings  # noqa: E402

PIECE = 50


def judged_piece(parents: list[Parent], seed: int, piece: int, wanted: int, quick: bool) -> Piece:
    found = list(siblings(parents, Random(f"{seed}/{piece}"), wanted))
    table = examined(found, judged_here if quick else judged)
    for item in (*table.missed, *table.lost):
        print(f"piece {piece}: WRONG {item}", file=sys.stderr, flush=True)
    return {
        "counts": [[*key, count] for key, count in sorted(table.counts.items())],
        "missed": [str(item) for item in table.missed],
        "lost": [str(item) for item in table.lost],
        "open": [f"{item.parent.id}: {item.operator}" for item in table.open],
        "false": sorted({f"{s.parent.id}: {s.text}" for s in found if not s.is_true}),
    }


def told(pieces: list[Piece], options: argparse.Namespace) -> int:
    """The table of all pieces, every sibling that was missed, and the parents of those left open."""
    total = Table(added(pieces))
    distinct = {item for piece in pieces for item in piece["false"]}
    how = "without sampling" if options.quick else "all engines"
    print(f"{options.wanted} false siblings, {len(distinct)} of them different, and some true ones")
    print(f"seed {options.seed}, {how}, {provenance(pieces)}\n{total}")
    missed, lost = (sorted(item for piece in pieces for item in piece[name]) for name in ("missed", "lost"))
    refuted = total.share("refuted", ("refuted", "open", "MISSED"), of_false=True)
    kept = total.share("kept", ("kept", "open", "LOST"), of_false=False)
    print(f"false siblings refuted: {100 * refuted:.1f}%, missed: {len(missed)}")
    print(f"true siblings with their parent's verdict: {100 * kept:.1f}%, lost: {len(lost)}")
    for name, items in (("MISSED", missed), ("LOST", lost)):
        for item in items:
            print(f"{name} {item}")
    left = sorted(item.split(": ") for piece in pieces for item in piece["open"])
    for parent, group in itertools.groupby(left, key=lambda item: item[0]):
        operators = Counter(operator for _, operator in group)
        print(f"open {parent}: {', '.join(f'{count} {name}' for name, count in operators.items())}")
    return int(bool(missed or lost))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--wanted", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="without sampling, in this process")
    parser.add_argument("--pieces", type=Path, required=True, help="where finished pieces are remembered")
    options = parser.parse_args()
    parents = all_parents()
    starts = range(0, options.wanted, PIECE)
    keys = [
        (options.seed, start // PIECE, min(PIECE, options.wanted - start), options.quick) for start in starts
    ]
    pieces = in_pieces(options.pieces, keys, lambda *key: judged_piece(parents, *key))
    return told(pieces, options)


if __name__ == "__main__":
    raise SystemExit(main())
