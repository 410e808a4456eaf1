"""The same always: what is said of claims under other seeds, names, orders and words, and on a busy machine.

    python benchmarks/same.py [--claims 200] [--jobs 2] > benchmarks/same.log

Claims of known truth from the tests, spread over all files, are judged as they are and in five variants; in
the last, four processes beside it keep the machine busy. DIFFERENT must be 0: a decided verdict that turned
into another one, or something that is proved in one run alone, unless the machine is busy: there time may end
first. OPEN counts what was decided in one run and left open in another.
"""

import argparse
import contextlib
import multiprocessing
import sys
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.metamorphic.same import (  # noqa: E402
    DECIDED,
    VARIANTS,
    Said,
    Theorem,
    differences,
    judged,
    read,
    seeded,
    single,
)
from verifier import Settings  # noqa: E402

BUSY = 4


def spread(count: int) -> list[Theorem]:
    """So many claims, evenly from all files."""
    paths = sorted((ROOT / "tests" / "verdicts").glob("*.yaml"))
    claims = single(item for path in paths for item in read(path))
    step = max(len(claims) / count, 1.0)
    return [claims[int(at * step)] for at in range(min(count, len(claims)))]


def _compute() -> None:
    number = 1
    while True:
        number = number * 3 % 1_000_003


@contextlib.contextmanager
def busy(count: int = BUSY) -> Iterator[None]:
    """Processes that compute until it is over."""
    others = [multiprocessing.Process(target=_compute, daemon=True) for _ in range(count)]
    for process in others:
        process.start()
    try:
        yield
    finally:
        for process in others:
            process.terminate()
            process.join()


def table(
    name: str,
    theorems: list[Theorem],
    first: list[Said],
    other: list[Said],
    seconds: float,
    busy: bool = False,
) -> int:
    """Print what differs; how many are DIFFERENT. `busy`: what was left open there is not."""
    found = [
        (says, before, after)
        for says, before, after in differences(theorems, first, other)
        if not busy or {before.verdict, after.verdict} <= set(DECIDED)
    ]
    pairs = list(zip(first, other, strict=True))
    opened = sum((a.verdict in DECIDED) != (b.verdict in DECIDED) for a, b in pairs)
    print(f"{name}: {len(found)} DIFFERENT, {opened} OPEN in one run alone, {seconds:.0f} s")
    for says, before, after in found:
        words = " ".join(says.split())[:90]
        print(f"    {words}: {before.verdict} ({before.evidence}), then {after.verdict} ({after.evidence})")
    return len(found)


def main() -> int:
    parser = argparse.ArgumentParser(description="The same verdicts always.")
    parser.add_argument("--claims", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    settings = Settings(jobs=chosen.jobs)
    theorems = spread(chosen.claims)
    start = time.monotonic()
    first = judged(theorems, settings)
    decided = sum(said.verdict in DECIDED for said in first)
    print(f"{len(first)} claims, {decided} of them decided, {time.monotonic() - start:.0f} s")
    different = 0
    for name, variant in VARIANTS.items():
        start = time.monotonic()
        again = judged(variant(theorems), seeded(name, settings))
        different += table(name, theorems, first, again, time.monotonic() - start)
    start = time.monotonic()
    with busy():
        again = judged(theorems, settings)
    different += table(
        f"beside {BUSY} busy processes", theorems, first, again, time.monotonic() - start, True
    )
    print(f"in all: {different} DIFFERENT")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
