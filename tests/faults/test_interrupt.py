"""Ctrl-C tells what is known; a killed run is taken up where it was."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.faults.test_kills import ROOT, members

QUICK = 5
SPEC = "theorem: faults/interrupt\nsymbols: {x: real}\nclaims:\n" + "\n".join(
    f"  {name}: {{says: 'x + 1 == 1 + x'}}"
    for name in [*(f"quick-{number}" for number in range(QUICK)), "hangs-in-first", "never-reached"]
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "claims.yaml").write_text(SPEC)
    return tmp_path


def started(folder: Path, *more: str) -> subprocess.Popen[str]:
    """The command, in a session of its own, with one hanging claim after the quick ones."""
    arguments = ["claims.yaml", "--cache", "cache", "--jobs", "1", "--seconds", "200", *more]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "150"}
    return subprocess.Popen(
        [sys.executable, "-m", "tests.faults.command", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, cwd=folder,
        env=environment,
    )  # fmt: skip


def wait_for_the_quick_ones(folder: Path, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 60
    while len(list(folder.glob("cache/v1/*/[!.]*"))) < QUICK:
        if time.monotonic() > deadline or process.poll() is not None:
            process.kill()
            raise AssertionError(process.communicate())
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_is_known_is_written_everywhere(folder: Path, number: signal.Signals) -> None:
    process = started(folder, "--output", "json=out.json", "--output", "junit=out.xml", "--report", "pages")
    wait_for_the_quick_ones(folder, process)
    # A terminal sends Ctrl-C to every process of the job.
    os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert "5 holds" in out
    report = json.loads((folder / "out.json").read_text())
    assert report["run"]["interrupted"] is True
    found = {claim["id"].partition("#")[2]: claim for claim in report["claims"]}
    assert [found[f"quick-{at}"]["verdict"] for at in range(QUICK)] == ["holds"] * QUICK
    for name in ("hangs-in-first", "never-reached"):
        assert found[name]["verdict"] == "inconclusive"
        assert "interrupted" in found[name]["reason"]
    assert "never-reached" in (folder / "out.xml").read_text()
    assert (folder / "pages" / "index.html").read_text().rstrip().endswith("</html>")
    all_gone(process.pid)


def all_gone(session: int) -> None:
    """The fork server leaves a moment after its parent."""
    deadline = time.monotonic() + 20
    while members(session):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_the_second_signal_leaves_at_once(folder: Path) -> None:
    process = started(folder)
    wait_for_the_quick_ones(folder, process)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in err


def test_a_killed_run_is_taken_up_where_it_was(folder: Path) -> None:
    process = started(folder)
    wait_for_the_quick_ones(folder, process)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    again = started(folder, "--only", "quick", "--format", "json")
    out, err = again.communicate(timeout=60)
    assert again.returncode == 0, err
    report = json.loads(out)
    assert report["run"]["remembered"] == QUICK
    assert report["run"]["interrupted"] is False
