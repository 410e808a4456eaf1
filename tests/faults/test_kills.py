"""Processes that somebody else kills: workers, the fork server, and all but the workers."""

import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from multiprocessing import forkserver
from pathlib import Path
from random import Random, SystemRandom

import pytest

from tests.faults.test_stages import SETTINGS, claims, judged
from verifier.plan.settings import Settings
from verifier.read.specs.load import load_text
from verifier.run import process
from verifier.run.process import Worker, start
from verifier.run.tasks import Task
from verifier.run.verify import verify
from verifier.run.worker import main

ROOT = Path(__file__).parents[2]


def fork_server() -> int:
    server = forkserver._forkserver  # type: ignore[attr-defined]
    server.ensure_running()
    pid = server._forkserver_pid
    assert isinstance(pid, int)
    return pid


def test_random_kills_cost_the_claims_that_they_hit() -> None:
    seed = SystemRandom().randrange(2**32)
    print(f"seed {seed}")
    random, over = Random(seed), threading.Event()

    def shoot() -> None:
        while not over.wait(random.uniform(0.0, 0.15)):
            random.choice(multiprocessing.active_children()).kill()

    names = [f"claim-{number}" for number in range(60)]
    shooter = threading.Thread(target=lambda: _until(over, shoot), daemon=True)
    shooter.start()
    try:
        found = judged(claims(names))
    finally:
        over.set()
        shooter.join()
    assert list(found) == names
    for verdict in found.values():
        words = [verdict.reason, *(finding.reason for finding in verdict.steps[0].findings)]
        hit = any("its process died (exit status -9)" in reason for reason in words)
        assert verdict.verdict == "holds" or hit, verdict.reason


def _until(over: threading.Event, act: object) -> None:
    """Again and again: there may be nobody to shoot at yet."""
    while not over.is_set():
        try:
            act()  # type: ignore[operator]
        except IndexError:
            time.sleep(0.01)


def test_a_killed_fork_server_costs_nothing() -> None:
    names = [f"claim-{number}" for number in range(40)]
    killer = threading.Timer(0.3, lambda: os.kill(fork_server(), signal.SIGKILL))
    killer.start()
    found = judged(claims(names))
    killer.join()
    assert {verdict.verdict for verdict in found.values()} == {"holds"}


def test_a_system_without_room_for_processes_is_told_in_words() -> None:
    spec = load_text("theorem: faults/files\nsymbols: {x: real}\nclaims: {one: {says: x == x}}\n")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
    try:
        (verdict,) = verify(spec, SETTINGS).verdicts
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert verdict.verdict == "inconclusive"
    assert "no process could be started: [Errno 24] Too many open files" in verdict.reason  # type: ignore[union-attr]


def test_a_worker_without_a_parent_ends_after_its_time(tmp_path: Path) -> None:
    """Also one that hangs where no signal and no closed pipe reaches it."""
    script = tmp_path / "script.py"
    script.write_text(
        "from tests.faults.test_stages import SETTINGS, claims, judged\n"
        "from dataclasses import replace\n"
        "judged(claims(['ignores-signals-in-first']), replace(SETTINGS, seconds=1.5))\n"
    )
    parent = subprocess.Popen(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while len(members(parent.pid)) < 4 and time.monotonic() < deadline:
        time.sleep(0.02)  # itself, the fork server, its tracker, the worker
    time.sleep(0.3)
    parent.kill()
    parent.wait()
    while members(parent.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert members(parent.pid) == []


def members(session: int) -> list[int]:
    """The living processes of a session."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            state, _, _, of = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(of) == session and state != "Z":
            found.append(int(name))
    return found


def test_nobody_waits_for_a_worker_that_takes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stopped process neither reads a long task nor blocks the one who sends it."""
    monkeypatch.setattr(process, "_HALF_A_MESSAGE", 1)
    context = multiprocessing.get_context("forkserver")
    worker: Worker = start(context, Settings(seconds=1.0), main)
    assert worker.process.pid is not None
    os.kill(worker.process.pid, signal.SIGSTOP)
    started = time.monotonic()
    worker.assign(Task(0, b"x" * 10_000_000))  # type: ignore[arg-type]
    assert time.monotonic() - started < 10
    worker.kill()
    assert not worker.process.is_alive()
