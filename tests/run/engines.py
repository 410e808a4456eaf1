"""Engines that misbehave: what each does is the name of the claim that it is asked about."""

import os
import resource
import signal
import time
from collections.abc import Callable
from pathlib import Path

from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Finding


def examine(claim: Claim, step: Step, budget: Budget) -> Finding:
    """True of every relation, if the claim's name asks for nothing worse."""
    misbehave(claim.id.partition("#")[2].partition("[")[0])
    return Finding("stand-in", "true", "proved", reason="it says so")


def misbehave(act: str) -> None:
    if act in _ACTS:
        _ACTS[act]()


def _hang() -> None:
    time.sleep(600)


def _lose_the_worker() -> None:
    """The first time, wait for somebody who kills the process on whose behalf this one works: the file says
    which that is."""
    file = Path(os.environ["VERIFY_TEST_ATTEMPTS"])
    with file.open("a") as lines:
        lines.write(f"{os.getppid()}\n")
    if len(file.read_text().split()) == 1:
        time.sleep(60)


def _doze() -> None:
    time.sleep(1.5)


def _spin() -> None:
    while True:
        pass


def _ignore_signals_and_hang() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGPROF):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(600)


def _vanish() -> None:
    os._exit(3)


def _be_killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _segfault() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def _hoard() -> None:
    """Memory without end, in pages that are really touched."""
    kept = []
    while True:
        kept.append(bytearray(os.urandom(1)) * 20_000_000)
        time.sleep(0.02)


def _leave_behind() -> None:
    """Memory that outlives the claim, below the limit of one but not of two."""
    _LEFT.append(bytearray(b"x") * 170_000_000)


def _allocate_at_once() -> None:
    """More than the address space allows."""
    bytearray(2**50)


def _raise() -> None:
    raise ZeroDivisionError("in an engine")


def _recurse() -> None:
    _recurse()


def _chatter() -> None:
    print("a library that prints to standard output")
    os.write(1, b"and one that writes to it from C\n")


def _open_many_files() -> None:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    _LEFT.extend(os.open(os.devnull, os.O_RDONLY) for _ in range(soft + 1))


def _exit_politely() -> None:
    raise SystemExit(0)


_LEFT: list[object] = []
_ACTS: dict[str, Callable[[], None]] = {
    "hangs": _hang,
    "loses-its-worker": _lose_the_worker,
    "dozes": _doze,
    "spins": _spin,
    "ignores-signals": _ignore_signals_and_hang,
    "vanishes": _vanish,
    "is-killed": _be_killed,
    "segfaults": _segfault,
    "hoards": _hoard,
    "leaves-behind": _leave_behind,
    "allocates-at-once": _allocate_at_once,
    "raises": _raise,
    "recurses": _recurse,
    "chatters": _chatter,
    "opens-many-files": _open_many_files,
    "exits-politely": _exit_politely,
}
