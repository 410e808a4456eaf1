"""Many claims: time and memory per claim, and what workers, a warm cache and a warm start are worth.

    python benchmarks/load.py [--claims 10000] [--jobs 2] [--stand-ins] > benchmarks/load.log

Small claims of known truth, every one different, through the command as a user runs it. Every verdict is
checked. Ratios are within one run: of a tenth of the claims to all of them, of cold to warm, of one worker
to several. With linear time the first are 1. Seconds that the parent computes do not depend on who else
keeps the machine busy.

With stand-ins in place of the engines, which answer at once, what is measured is everything around them:
reading, scheduling, processes, memory, verdicts, output.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PER_FILE = 50
COMMAND = "verifier"
# Relations in which {0} is a number that makes each one different; of each pair the second is false.
FORMS = (
    ("(x + {0})**2 == x**2 + 2*{0}*x + {0}**2", "(x + {0})**2 == x**2 + {0}*x + {0}**2"),
    ("E(norm(W)**2)/{0} == n*m*s**2/{0}", "E(norm(W)**2)/{0} == n*m*s/{0}"),
    ("{0}*x**2 >= 0", "{0}*x**2 >= 1"),
    ("E(tr(W.T @ A)**2) == {0}*s**2*norm(A)**2/{0}", "E(tr(W.T @ A)**2) == {0}*s**2*norm(A)**2"),
)
SYMBOLS = (
    'symbols: {n: dimension, m: dimension, s: positive, x: real, A: "matrix(n, m)", W: "normal(n, m, std=s)"}'
)


@dataclass(frozen=True)
class Measured:
    """One run of the command."""

    claims: int
    seconds: float
    parent_megabytes: float
    parent_seconds: float
    undecided: int

    @property
    def rate(self) -> float:
        return self.claims / self.seconds

    def __str__(self) -> str:
        each = 1000 * self.seconds / self.claims
        return (
            f"{self.claims} claims in {self.seconds:.1f} s: {self.rate:.1f} per second, {each:.1f} ms each; "
            f"the parent computed {self.parent_seconds:.1f} s and took {self.parent_megabytes:.0f} MB; "
            f"{self.undecided} inconclusive"
        )


def write_claims(folder: Path, count: int) -> None:
    folder.mkdir()
    for first in range(0, count, PER_FILE):
        lines = [f"theorem: load/t{first}", SYMBOLS, "claims:"]
        for number in range(first, min(first + PER_FILE, count)):
            true, false = FORMS[number // 2 % len(FORMS)]
            says = (false if number % 2 else true).format(number + 2)
            lines.append(f'  {"false" if number % 2 else "true"}-{number}: {{says: "{says}"}}')
        (folder / f"t{first:06}.yaml").write_text("\n".join(lines) + "\n")


def run(folder: Path, claims: int, jobs: int, module: str, *more: str) -> Measured:
    """The command in a process of its own; every verdict is compared with what is known."""
    output = folder.with_suffix(".json")
    command = [sys.executable, "-m", module, str(folder), "--jobs", str(jobs), "--output", f"json={output}"]
    started = time.monotonic()
    process = subprocess.Popen([*command, "--seconds", "60", *more], stdout=subprocess.DEVNULL, cwd=ROOT)
    _, _, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - started
    found = json.loads(output.read_text())["claims"]
    assert len(found) == claims
    undecided = 0
    for claim in found:
        is_true = "#true-" in claim["id"] or module != COMMAND
        assert claim["verdict"] not in (("fails",) if is_true else ("holds", "loose")), claim["id"]
        undecided += claim["verdict"] == "inconclusive"
    computed = usage.ru_utime + usage.ru_stime
    return Measured(claims, seconds, usage.ru_maxrss / 1024, computed, undecided)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--claims", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--stand-ins", action="store_true", help="in place of the engines")
    options = parser.parse_args()
    module = "tests.faults.command" if options.stand_ins else COMMAND
    with tempfile.TemporaryDirectory() as name:
        place, few = Path(name), options.claims // 10
        write_claims(place / "one", 1)
        write_claims(place / "few", few)
        write_claims(place / "all", options.claims)
        caches = [("--cache", str(place / f"cache-{name}")) for name in ("one", "alone", "few", "all")]
        start = run(place / "one", 1, 1, module, *caches[0])
        print(f"start-up: {start}", flush=True)
        alone = run(place / "few", few, 1, module, *caches[1])
        print(f"1 worker: {alone}", flush=True)
        small = run(place / "few", few, options.jobs, module, *caches[2])
        print(
            f"{options.jobs} workers: {small}; {small.rate / alone.rate:.2f} times the rate of one",
            flush=True,
        )
        cold = run(place / "all", options.claims, options.jobs, module, *caches[3])
        print(f"cold: {cold}", flush=True)
        slope = (cold.parent_megabytes - small.parent_megabytes) * 1024 / (options.claims - few)
        each = [(item.parent_seconds - start.parent_seconds) / item.claims for item in (small, cold)]
        print(
            f"beyond the start the parent computes {1000 * each[1]:.2f} ms per claim, "
            f"{each[1] / each[0]:.2f} times as much as with a tenth of them, and takes {slope:.1f} kB",
            flush=True,
        )
        warm = run(place / "all", options.claims, options.jobs, module, *caches[3])
        print(f"warm: {warm}; {warm.rate / cold.rate:.1f} times the rate of cold", flush=True)


if __name__ == "__main__":
    main()
