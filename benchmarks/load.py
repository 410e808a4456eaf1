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
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PER_FILE = 50
COMMAND = "verifier"
TICKS = os.sysconf("SC_CLK_TCK")
FALSE = 4  # one claim in so many
# Relations in which {0} is a number that makes each one different; of each pair the second is false.
FORMS = (
    ("(x + {0})**2 == x**2 + 2*{0}*x + {0}**2", "(x + {0})**2 == x**2 + {0}*x + {0}**2"),
    ("E(norm(W)**2)/{0} == n*m*s**2/{0}", "E(norm(W)**2)/{0} == n*m*s/{0}"),
    ("{0}*x**2 >= 0", "{0}*x**2 >= 1"),
    ("E(tr(W.T @ A)**2) == {0}*s**2*norm(A)**2/{0}", "E(tr(W.T @ A)**2) == {0}*s**2*norm(A)**2"),
    ("norm({0}*A)**2 == {0}**2*norm(A)**2", "norm({0}*A)**2 == {0}*norm(A)**2"),
    ("exp(x) >= {0}*(1 + x - log({0}))", "exp(x) >= {0}*(1 + x)"),
    ("tr((A + {0}*B).T @ B) == tr(A.T @ B) + {0}*norm(B)**2", "tr((A + {0}*B).T @ B) == {0}*norm(B)**2"),
    ("E(norm(W + {0}*A)**2) == n*m*s**2 + {0}**2*norm(A)**2", "E(norm(W + {0}*A)**2) == {0}**2*norm(A)**2"),
    ("Var(tr(W.T @ A)/{0}) == s**2*norm(A)**2/{0}**2", "Var(tr(W.T @ A)/{0}) == s**2*norm(A)**2/{0}"),
)
SYMBOLS = (
    "symbols: {n: dimension, m: dimension, s: positive, x: real, "
    'A: "matrix(n, m)", B: "matrix(n, m)", W: "normal(n, m, std=s)"}'
)


@dataclass(frozen=True)
class Measured:
    """One run of the command."""

    claims: int
    seconds: float
    parent_megabytes: float
    parent_seconds: float
    worker_megabytes: float
    worker_seconds: float
    verdicts: Mapping[str, int]

    @property
    def rate(self) -> float:
        return self.claims / self.seconds

    def __str__(self) -> str:
        each = 1000 * self.seconds / self.claims
        return (
            f"{self.claims} claims in {self.seconds:.1f} s: {self.rate:.1f} per second, {each:.1f} ms each; "
            f"the parent computed {self.parent_seconds:.1f} s and took {self.parent_megabytes:.0f} MB, "
            f"the workers {self.worker_seconds:.1f} s, the largest {self.worker_megabytes:.0f} MB; "
            + ", ".join(f"{count} {name}" for name, count in self.verdicts.items() if count)
        )


def write_claims(folder: Path, count: int) -> None:
    folder.mkdir()
    for first in range(0, count, PER_FILE):
        lines = [f"theorem: load/t{first}", SYMBOLS, "claims:"]
        for number in range(first, min(first + PER_FILE, count)):
            is_false = number % FALSE == FALSE - 1
            says = FORMS[number // FALSE % len(FORMS)][is_false].format(number + 2)
            lines.append(f'  {"false" if is_false else "true"}-{number}: {{says: "{says}"}}')
        (folder / f"t{first:06}.yaml").write_text("\n".join(lines) + "\n")


def run(folder: Path, claims: int, jobs: int, module: str, *more: str) -> Measured:
    """The command in a process of its own; every verdict is compared with what is known."""
    output = folder.with_suffix(".json")
    command = [sys.executable, "-m", module, str(folder), "--jobs", str(jobs), "--output", f"json={output}"]
    started = time.monotonic()
    process = subprocess.Popen(
        [*command, "--seconds", "60", *more], stdout=subprocess.DEVNULL, cwd=ROOT, start_new_session=True
    )
    over, watched = threading.Event(), Watched()
    watcher = threading.Thread(target=watched.watch, args=(process.pid, over))
    watcher.start()
    _, _, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - started
    over.set()
    watcher.join()
    report = json.loads(output.read_text())
    assert len(report["claims"]) == claims
    for claim in report["claims"]:
        is_true = "#true-" in claim["id"] or module != COMMAND
        assert claim["verdict"] not in (("fails",) if is_true else ("holds", "loose")), claim["id"]
    computed = usage.ru_utime + usage.ru_stime
    megabytes = usage.ru_maxrss / 1024
    others = (watched.megabytes, sum(watched.seconds.values()))
    return Measured(claims, seconds, megabytes, computed, *others, report["summary"])


class Watched:
    """The other processes of a session: the most memory that one had, libraries counted, and what each
    computed."""

    def __init__(self) -> None:
        self.megabytes = 0.0
        self.seconds: dict[int, float] = {}

    def watch(self, session: int, over: threading.Event) -> None:
        while not over.wait(0.25):
            for folder in Path("/proc").glob("[0-9]*"):
                with contextlib.suppress(OSError, IndexError):
                    facts = (folder / "stat").read_text().rpartition(")")[2].split()
                    if int(facts[3]) == session != int(folder.name):
                        self.seconds[int(folder.name)] = (int(facts[11]) + int(facts[12])) / TICKS
                        peak = (folder / "status").read_text().partition("VmHWM:")[2].split()[0]
                        self.megabytes = max(self.megabytes, int(peak) / 1024)


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
        show("start-up", start)
        alone = run(place / "few", few, 1, module, *caches[1])
        show("1 worker", alone)
        small = run(place / "few", few, options.jobs, module, *caches[2])
        show(f"{options.jobs} workers", small)
        print(f"speed-up: {small.rate / alone.rate:.2f} times the rate of one worker", flush=True)
        cold = run(place / "all", options.claims, options.jobs, module, *caches[3])
        show("cold", cold)
        each = [(item.parent_seconds - start.parent_seconds) / item.claims for item in (small, cold)]
        print(
            f"time: beyond the start the parent computes {1000 * each[1]:.2f} ms per claim, "
            f"{each[1] / each[0]:.2f} times as much as with a tenth of them",
            flush=True,
        )
        again = run(place / "few", few, options.jobs, module, *caches[2])
        show("warm, a tenth", again)
        warm = run(place / "all", options.claims, options.jobs, module, *caches[3])
        show("warm", warm)
        print(f"cache: {warm.rate / cold.rate:.1f} times the rate of cold, start-up included", flush=True)
        for name, most, few_of_them in (("cold", cold, small), ("warm", warm, again)):
            growth = 1024 * (most.parent_megabytes - few_of_them.parent_megabytes) / (options.claims - few)
            ratio = most.parent_megabytes / start.parent_megabytes
            print(
                f"memory, {name}: the parent takes {growth:.2f} kB for each claim beyond a tenth, "
                f"in all {ratio:.2f} times what one claim takes",
                flush=True,
            )


def show(name: str, measured: Measured) -> None:
    print(f"{name}: {measured}", flush=True)


if __name__ == "__main__":
    main()
