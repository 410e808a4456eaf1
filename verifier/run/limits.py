"""A time limit inside a process: engines plan with their budgets, and some overrun them."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Overran(BaseException):
    """Raised by the timer in the middle of a computation; no `except Exception` swallows it."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise Overran when what is inside takes longer.

    Only Python code is interrupted, and only on the main thread; beyond that the parent process
    ends the worker."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    armed = True

    def stop(number: int, frame: FrameType | None) -> None:
        if armed:
            raise Overran

    handler = signal.signal(signal.SIGALRM, stop)
    outer, _ = signal.setitimer(signal.ITIMER_REAL, seconds)
    started = time.monotonic()
    try:
        yield
    finally:
        armed = False
        signal.signal(signal.SIGALRM, handler)
        left = max(outer - (time.monotonic() - started), 1e-3) if outer else 0.0
        signal.setitimer(signal.ITIMER_REAL, left)
