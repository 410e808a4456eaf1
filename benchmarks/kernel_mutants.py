"""Statements and proofs changed at random, held against exact arithmetic: what the kernel accepts must not be
refuted.

    python benchmarks/kernel_mutants.py [--count 10000] [--seed 0]

The oracle shares no code with the kernel. The tests do the same with 200 of each and a fresh seed."""

import argparse
import sys
import time
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    sys.setrecursionlimit(20_000)
    begun = time.process_time()
    found = import_module("tests.kernel.test_mutants").tally(options.count, options.seed)
    print(
        f"{found.tried} statements, seed {options.seed}: exact arithmetic refutes {found.refuted}, "
        f"the kernel accepts {found.accepted}, of which {found.wrongly} are refuted; "
        f"{time.process_time() - begun:.0f} s"
    )
    begun = time.process_time()
    other = import_module("tests.kernel.test_mutated_proofs").tally(options.count, options.seed)
    print(
        f"{other.tried} proofs, seed {options.seed}: the kernel accepts {other.accepted}, {other.others} of "
        f"other statements than were proved; exact arithmetic has a word on {other.judged} and refutes "
        f"{other.wrongly}; {time.process_time() - begun:.0f} s"
    )
    return 1 if found.wrongly or other.wrongly else 0


if __name__ == "__main__":
    sys.exit(main())
