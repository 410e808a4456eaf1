"""What is done by the command in a process of its own: checking proofs and drafting claims.

Both read a stranger's file at length without a worker, so the whole command is bounded, and ends with whoever
asked for it."""

import contextlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from verifier.serve.judging import Refused, Stop

SECONDS = 120.0
MEMORY = 4 * 2**30
LOOK = 0.1
MOST_CHARACTERS, MOST_WORDS = 200_000, 4_000


def checked(folder: Path, path: Path, stop: Stop) -> dict[str, Any]:
    """`verify check FOLDER PATH`."""
    if not folder.is_dir():
        raise Refused(f"{folder} is no folder")
    status, out, err = _run(["check", str(folder), str(path), "--format", "json"], stop)
    try:
        report = json.loads(out)
    except ValueError:
        raise Refused(err.strip() or f"checking ended with status {status}") from None
    return {key: report[key] for key in ("summary", "claims", "errors") if report.get(key)}


def drafted(path: Path, stop: Stop) -> dict[str, Any]:
    """`verify draft PATH`, with what it says of how much it read."""
    status, out, err = _run(["draft", str(path)], stop)
    if not out:
        raise Refused(err.strip() or f"drafting ended with status {status}")
    cut = {"cut": True} if len(out) > MOST_CHARACTERS else {}
    return {"draft": out[:MOST_CHARACTERS], "said": err.strip()[:MOST_WORDS]} | cut


def _run(words: list[str], stop: Stop) -> tuple[int, str, str]:
    """The command with these words, its status and what it says."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            # -P: a module that lies in the folder we were started in is not ours.
            [sys.executable, "-P", "-m", "verifier", *words],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
        )
        try:
            _limit(process.pid)
            _wait(process, stop)
        finally:
            process.kill()
            process.wait()
        return process.returncode, _read(out), _read(err)


def _wait(process: "subprocess.Popen[bytes]", stop: Stop) -> None:
    deadline = time.monotonic() + SECONDS
    while process.poll() is None:
        if stop():
            raise Refused("cancelled")
        if time.monotonic() > deadline:
            raise Refused(f"stopped after {SECONDS:g} s")
        time.sleep(LOOK)


def _limit(pid: int) -> None:
    """A ceiling on memory, where the system sets one for another process."""
    if hasattr(resource, "prlimit"):
        with contextlib.suppress(OSError):
            resource.prlimit(pid, resource.RLIMIT_AS, (MEMORY, MEMORY))


def _read(file: Any) -> str:
    file.seek(0)
    return str(file.read(16_000_000), "utf-8", "replace")
