"""The same run on a real cluster of two workers: the same digits, also when one of them is killed."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from distributed import LocalCluster

from tests.faults.test_stages import SETTINGS as STAND_INS
from tests.faults.test_stages import claims
from verifier.judge.verdict import Run, Verdict
from verifier.plan.settings import NoCluster, Settings
from verifier.read.specs.load import load_text
from verifier.report.json import to_json
from verifier.run.verify import verify

SPEC = """
theorem: run/cluster
symbols: {n: dimension, m: dimension, s: positive, W: "normal(n, m, std=s)", x: real}
claims:
  norm: {says: "E(norm(W)**2) == n*m*s**2"}
  norm-bad: {says: "E(norm(W)**2) == n*s**2"}
  square: {says: "x**2 + 1 >= 2*x"}
  square-bad: {says: "x**2 + 1 >= 3*x"}
"""


@pytest.fixture(scope="module")
def attempts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A file that the processes of the cluster know, for what they try twice."""
    with pytest.MonkeyPatch.context() as patch:
        file = tmp_path_factory.mktemp("cluster") / "attempts"
        patch.setenv("VERIFY_TEST_ATTEMPTS", str(file))
        yield file


@pytest.fixture(scope="module")
def cluster(attempts: Path) -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as made:
        yield made


SAID = (
    "id",
    "verdict",
    "evidence",
    "reason",
    "lhs",
    "rhs",
    "corrected",
    "tight",
    "counterexample",
    "derivation",
)


def said(run: Run) -> list[dict[str, Any]]:
    """All that does not depend on how much time there was for a second opinion."""
    return [{name: claim[name] for name in SAID} for claim in to_json(run)["claims"]]


def estimates(run: Run) -> dict[str, float]:
    """Of a sample at a point: by claim, point and number of draws."""
    found = to_json(run)["claims"]
    return {f"{c['id']} {s['at']} {s['draws']}": s["estimate"] for c in found for s in c["samples"]}


def test_the_digits_are_those_of_a_local_run(cluster: LocalCluster) -> None:
    settings = Settings(jobs=2, seed=7, seconds=90.0, draws=500, trust="engines")
    loaded = load_text(SPEC)
    there = verify(loaded, replace(settings, cluster=cluster.scheduler_address))
    assert [item.verdict for item in there.verdicts] == ["holds", "fails", "holds", "fails"]
    here = verify(loaded, settings)
    assert said(there) == said(here)
    first, second = estimates(there), estimates(here)
    assert {key: first[key] for key in first.keys() & second.keys()} == {
        key: second[key] for key in first.keys() & second.keys()
    }


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def shoot(cluster: LocalCluster, attempts: Path, over: threading.Event) -> None:
    """Kill the worker that has the claim, as soon as that waits for it: its process is an ancestor of the one
    that examines the claim."""
    while not (attempts.exists() and attempts.read_text().endswith("\n")):
        if over.wait(0.01):
            return
    workers = {worker.pid for worker in cluster.workers.values()}
    pid = int(attempts.read_text().split()[0])
    while pid not in workers:
        pid = parent_of(pid)
    os.kill(pid, signal.SIGKILL)


def test_a_killed_worker_costs_nothing_and_a_killed_claim_itself(
    cluster: LocalCluster, attempts: Path
) -> None:
    names = ["one", "loses-its-worker-in-first", "two", "is-killed-in-first", "three", "last"]
    over = threading.Event()
    killer = threading.Thread(target=shoot, args=(cluster, attempts, over))
    killer.start()
    try:
        run = verify(claims(names), replace(STAND_INS, seconds=100.0, cluster=cluster.scheduler_address))
    finally:
        over.set()
        killer.join()
    # It was begun on the worker that is gone, and again on another.
    first, *others = attempts.read_text().split()
    assert others
    assert first not in others
    for name, item in zip(names, run.verdicts, strict=True):
        assert isinstance(item, Verdict)
        assert item.verdict == ("inconclusive" if name == "is-killed-in-first" else "holds"), item.reason
    assert "its process died (exit status -9)" in run.verdicts[3].reason  # type: ignore[union-attr]


def test_an_interrupted_run_leaves_the_cluster_at_once(cluster: LocalCluster) -> None:
    settings = replace(STAND_INS, seconds=60.0, cluster=cluster.scheduler_address)
    started = time.monotonic()
    stop = [False]
    run = verify(
        claims(["quick", "hangs-in-first"]), settings,
        lambda claim, event: stop.__setitem__(0, isinstance(event, Verdict)), stop=lambda: stop[0],
    )  # fmt: skip
    assert time.monotonic() - started < 50
    assert run.interrupted
    assert [item.verdict for item in run.verdicts] == ["holds", "inconclusive"]


def test_a_scheduler_that_is_not_there_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.run.cluster._PATIENCE", 1.0)
    with pytest.raises(NoCluster, match="there is no scheduler at 127"):
        verify(claims(["one"]), replace(STAND_INS, cluster="127.0.0.1:1"))


def test_without_dask_the_option_says_what_to_install() -> None:
    code = (
        "import sys\nsys.modules['distributed'] = None\n"
        "from dataclasses import replace\nfrom tests.faults.test_stages import SETTINGS, claims\n"
        "from verifier.run.verify import verify\n"
        "verify(claims(['one']), replace(SETTINGS, cluster='127.0.0.1:1'))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert "NoCluster: --cluster needs dask: pip install 'verify-claims[cluster]'" in done.stderr
