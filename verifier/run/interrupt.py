"""Ctrl-C, and the same from a machine: the first asks a run to end and to tell what is known."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

# Why a claim has no more evidence than it has, and how the command then ends.
INTERRUPTED = "interrupted"
EXIT_STATUS = 130


def never() -> bool:
    return False


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Whether the run was asked to end. The second signal does what it always did."""
    asked = False
    if threading.current_thread() is not threading.main_thread():
        yield never  # signals are heard on the main thread alone
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def hear(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        asked = True
        restore()
        # Not print: the signal may have come in the middle of one.
        os.write(2, b"verify: stopping; once more to leave at once\n")

    for number in before:
        signal.signal(number, hear)
    try:
        yield lambda: asked
    finally:
        restore()
