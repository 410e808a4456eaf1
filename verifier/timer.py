"""A time limit inside a process: engines plan with their budgets, and what they call looks at no clock."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

# What a limit outside gets at least when one inside ends: a refusal on its way out passes it in that time.
GRACE = 0.05


class Overran(BaseException):
    """Raised by the timer in the middle of a computation; no `except Exception` swallows it."""


@contextmanager
def at_most(seconds: float) -> Iterator[Overran]:
    """Raise the Overran that is handed out when what is inside takes longer.

    Only Python code is interrupted, and only on the main thread; beyond that the parent process
    ends the worker. Limits nest: each raises its own exception, and an inner one gives the timer back."""
    expired = Overran()
    if threading.current_thread() is not threading.main_thread():
        yield expired
        return
    armed = True

    def stop(number: int, frame: FrameType | None) -> None:
        if armed:
            raise expired

    handler = signal.signal(signal.SIGALRM, stop)
    outer, _ = signal.setitimer(signal.ITIMER_REAL, seconds)
    started = time.monotonic()
    try:
        yield expired
    finally:
        armed = False
        # The timer is stopped before its handler goes: fired in between, it would be the outer one's.
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, handler)
        if outer:
            signal.setitimer(signal.ITIMER_REAL, max(outer - (time.monotonic() - started), GRACE))
