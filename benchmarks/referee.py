"""No wrong verdict: fresh claims of known truth, as a hostile referee writes them, judged by all engines.

    python benchmarks/referee.py [--wanted 3200] [--seed 1] [--seconds 10] --pieces FILE > FILE.log

WRONG must be 0: a false claim called true, a true one called false, a meaningless one called either, a
tight bound called loose or a loose one tight. What stays open is counted, and costs nobody's trust.

The work is done in pieces of 40 claims; FILE remembers those that are done, so a run that was stopped goes
on where it was.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.hostile_claims import Statement, statements  # noqa: E402
from benchmarks.pieces import Piece, added, in_pieces, provenance  # noqa: E402
from verifier import Settings, load_text, verify  # noqa: E402
from verifier.judge.verdict import Verdict  # noqa: E402
from verifier.read.specs.loaded import Broken, Loaded  # noqa: E402

PIECE = 40
OUTCOMES = ("right", "open", "WRONG")
OPEN = ("unrefuted", "inconclusive")
RIGHT = {"true": ("holds", "loose"), "false": ("fails",), "meaningless": ("error",)}


def outcome(item: Statement, found: Verdict | Broken) -> str:
    """right, open or WRONG."""
    if isinstance(found, Verdict) and found.disagreement:
        return "WRONG"  # one of the engines is
    if found.verdict in OPEN:
        return "open"
    if found.verdict not in RIGHT[item.truth]:
        return "WRONG"
    said = found.steps[0].tightness if isinstance(found, Verdict) else None
    if item.loose is not None and said in ("tight", "loose") and (said == "loose") != item.loose:
        return "WRONG"
    return "right"


def judged_piece(seed: int, wanted: int, seconds: float, start: int) -> Piece:
    chosen = list(enumerate(statements(seed, wanted)))[start : start + PIECE]
    entries = [entry for at, item in chosen for entry in load_text(item.spec(at)).entries]
    run = verify(Loaded(tuple(entries)), Settings(seconds=seconds))
    table: Counter[tuple[str, str]] = Counter()
    wrong, left = [], []
    for (at, item), found in zip(chosen, run.verdicts, strict=True):
        result = outcome(item, found)
        table[f"{item.family}, {item.truth}", result] += 1
        told = f"{item.family}-{at} ({item.truth}): {item.says} | {found.verdict}"
        if result == "WRONG":
            reason = found.disagreement or found.reason if isinstance(found, Verdict) else "could not be read"
            wrong.append(f"{told}: {reason}")
            print(f"WRONG {wrong[-1]}", file=sys.stderr, flush=True)
        elif result == "open":
            left.append(told)
    return {"counts": [[*key, count] for key, count in sorted(table.items())], "wrong": wrong, "open": left}


def told(pieces: list[Piece], options: argparse.Namespace) -> int:
    total = added(pieces)
    names = sorted({name for name, _ in total})
    count = sum(total.values())
    print(f"{count} claims, seed {options.seed}, at most {options.seconds:g} s each, {provenance(pieces)}\n")
    print(f"{'family, truth':<36}" + "".join(f"{name:>8}" for name in OUTCOMES))
    for name in names:
        print(f"{name:<36}" + "".join(f"{total[name, result]:>8}" for result in OUTCOMES))
    sums = {result: sum(total[name, result] for name in names) for result in OUTCOMES}
    print(f"{'all':<36}" + "".join(f"{sums[result]:>8}" for result in OUTCOMES))
    print(f"\nright: {100 * sums['right'] / max(count, 1):.1f}%, wrong: {sums['WRONG']}")
    for item in (item for piece in pieces for item in piece["wrong"]):
        print(f"WRONG {item}")
    return int(bool(sums["WRONG"]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--wanted", type=int, default=3200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=10.0, help="of computing for each claim, at most")
    parser.add_argument("--pieces", type=Path, required=True, help="where finished pieces are remembered")
    options = parser.parse_args()
    size = len(statements(options.seed, options.wanted))
    keys = [(options.seed, options.wanted, options.seconds, start) for start in range(0, size, PIECE)]
    return told(in_pieces(options.pieces, keys, judged_piece), options)


if __name__ == "__main__":
    raise SystemExit(main())
