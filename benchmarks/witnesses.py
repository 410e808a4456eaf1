"""The symbolic engine against the numeric one, over claims made up at random.

    python benchmarks/witnesses.py [--claims 10000] [--seed 1] [--seconds 0.3] > benchmarks/witnesses.log

CONTRADICT must be 0: one of the two would have a bug.
"""

import argparse
import sys
import time
from collections import Counter
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import torch

from tests.metamorphic.generate import both_asked, claims


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--claims", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0.3, help="of sampling, per question")
    options = parser.parse_args()
    torch.set_num_threads(1)
    counts: Counter[str] = Counter()
    start = time.monotonic()
    for number, left in enumerate(islice(claims(options.seed), options.claims), 1):
        asked = both_asked(left, options.seconds)
        counts[asked.outcome] += 1
        counts["no closed form"] += asked.closed is None
        if asked.outcome == "CONTRADICT":
            print(f"CONTRADICT {asked}", flush=True)
        if number % 500 == 0 or number == options.claims:
            print(f"{number} claims, {time.monotonic() - start:.0f} s: {dict(counts)}", flush=True)
    return int(counts["CONTRADICT"] > 0)


if __name__ == "__main__":
    raise SystemExit(main())
