"""The symbolic engine against the numeric one, over claims made up at random.

    python benchmarks/witnesses.py [--claims 10000] [--seed 1] --pieces FILE > benchmarks/witnesses.log

CONTRADICT must be 0: one of the two would have a bug. The work is done in pieces of 100, each with a seed of
its own, and FILE remembers those that are done: a run that was stopped goes on where it was.
"""

import argparse
import sys
from collections import Counter
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import torch

from benchmarks.pieces import Piece, added, in_pieces, provenance
from tests.metamorphic.generate import both_asked, claims, kind_of

PIECE = 100
COLUMNS = ("agree", "open", "no closed form", "CONTRADICT")


def asked_piece(seed: int, piece: int, wanted: int, draws: int) -> Piece:
    counts: Counter[tuple[str, str]] = Counter()
    wrong = []
    for left in islice(claims(f"{seed}/{piece}"), wanted):
        asked = both_asked(left, draws)
        counts[kind_of(left), "no closed form" if asked.closed is None else asked.outcome] += 1
        if asked.outcome == "CONTRADICT":
            wrong.append(str(asked))
            print(f"piece {piece}: CONTRADICT {asked}", file=sys.stderr, flush=True)
    return {"counts": [[*key, count] for key, count in sorted(counts.items())], "wrong": wrong}


def told(pieces: list[Piece], options: argparse.Namespace) -> int:
    counts = added(pieces)
    about = f"seed {options.seed}, at most {options.draws} draws per estimate"
    print(f"{sum(counts.values())} claims, {about}\n{provenance(pieces)}")
    print(f"{'':12}" + "".join(f"{column:>16}" for column in COLUMNS))
    for kind in (*sorted({kind for kind, _ in counts}), "all"):
        row = [sum(c for (k, o), c in counts.items() if o == col and kind in (k, "all")) for col in COLUMNS]
        print(f"{kind:12}" + "".join(f"{cell:16}" for cell in row))
    wrong = [item for piece in pieces for item in piece["wrong"]]
    for item in wrong:
        print(f"CONTRADICT {item}")
    return int(bool(wrong))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--claims", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--draws", type=int, default=1024, help="of one estimate, at most")
    parser.add_argument("--pieces", type=Path, required=True, help="where finished pieces are remembered")
    options = parser.parse_args()
    torch.set_num_threads(1)
    starts = range(0, options.claims, PIECE)
    keys = [
        (options.seed, start // PIECE, min(PIECE, options.claims - start), options.draws) for start in starts
    ]
    return told(in_pieces(options.pieces, keys, asked_piece), options)


if __name__ == "__main__":
    raise SystemExit(main())
