"""A cluster of dask.distributed on this machine: what more workers are worth, and that the digits stay.

    python benchmarks/cluster.py [--workers 1 2 4] [--claims 24] [--draws 65536]

First claims that wait 1.5 s each, with stand-ins for the engines: the speed-up is that of the scheduling, and
does not depend on how many cores are free. Then one claim that needs many draws, whose chunks go to idle
workers: every estimate is compared with that of a local run, digit by digit. Ratios are within one run.
"""

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from distributed import LocalCluster

from tests.faults.test_stages import SETTINGS as STAND_INS
from tests.faults.test_stages import claims
from verifier.judge.verdict import Run
from verifier.plan.settings import ENGINES, Settings
from verifier.read.specs.load import load_text
from verifier.read.specs.loaded import Loaded
from verifier.report.json import to_json
from verifier.run.verify import verify

WAIT = 1.5
SPEC = """
theorem: cluster/draws
symbols: {n: dimension, d: dimension, W: "normal(d, d)", X: "normal(n, d)"}
claims:
  attention: {says: "E(norm(softmax(X @ W @ X.T / d) @ X)**2) == 93", where: {n: 24, d: 32}}
"""


def timed(loaded: Loaded, settings: Settings) -> tuple[float, Run]:
    started = time.monotonic()
    run = verify(loaded, settings)
    return time.monotonic() - started, run


def samples(run: Run) -> list[Any]:
    return [claim["samples"] for claim in to_json(run)["claims"]]


def on_a_cluster(workers: int, work: Callable[[str], None]) -> None:
    options = {"n_workers": workers, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with LocalCluster(**options) as cluster:  # type: ignore[no-untyped-call]
        work(cluster.scheduler_address)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--claims", type=int, default=24)
    parser.add_argument("--draws", type=int, default=2**16)
    options = parser.parse_args()
    names = [f"dozes-{number}-in-first" for number in range(options.claims)]
    waiting = replace(STAND_INS, seconds=60.0)
    witness = tuple(engine for engine in ENGINES if engine.is_witness)
    sampling = Settings(jobs=1, seed=3, seconds=600.0, draws=options.draws, engines=witness)
    seconds, local = timed(load_text(SPEC), sampling)
    print(f"{options.draws} draws here: {seconds:.1f} s", flush=True)
    first: dict[str, float] = {}

    def measured(address: str) -> None:
        # Every worker starts its processes and loads what they need.
        verify(claims(names[: 3 * workers]), replace(waiting, cluster=address))
        took = {}
        took["claims"], run = timed(claims(names), replace(waiting, cluster=address))
        assert {item.verdict for item in run.verdicts} == {"holds"}
        took["draws"], run = timed(load_text(SPEC), replace(sampling, cluster=address))
        assert samples(run) == samples(local)
        for name, value in took.items():
            first.setdefault(name, value)
        bare = len(names) * WAIT / workers
        print(
            f"{workers} workers: {len(names)} claims that wait in {took['claims']:.1f} s, "
            f"{first['claims'] / took['claims']:.2f} times as fast as the first ({bare:.1f} s is the waiting "
            f"alone); {options.draws} draws in {took['draws']:.1f} s, "
            f"{first['draws'] / took['draws']:.2f} times as fast, and the same digits as here",
            flush=True,
        )

    for workers in options.workers:
        on_a_cluster(workers, measured)


if __name__ == "__main__":
    main()
