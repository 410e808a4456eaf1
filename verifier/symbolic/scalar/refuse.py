"""Why a scalar question could not be read or answered; turned into `unknown` at the package's edge."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType


class Refused(Exception):
    """The reading ended without an answer; `reason` says why in plain words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Undefined(Refused):
    """A side has no value at any point."""


class TimeUp(BaseException):
    """Raised by the timer in the middle of a computation; no `except Exception` swallows it."""


@dataclass(frozen=True)
class Clock:
    """How much time is left: checked between steps, and by a timer where `guard` is in force."""

    seconds: float
    start: float = field(default_factory=time.monotonic)

    @property
    def left(self) -> float:
        return self.seconds - self.spent

    @property
    def spent(self) -> float:
        return time.monotonic() - self.start

    def check(self) -> None:
        if self.left <= 0:
            raise Refused("the time ended first")

    @contextmanager
    def guard(self, share: float = 1.0) -> Iterator[None]:
        """At most a share of the time left for what is inside; Refused when it is over.

        SymPy does not look at clocks. The timer needs the main thread; elsewhere the process that
        judges a claim is ended from outside."""
        self.check()
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        armed = True

        def stop(number: int, frame: FrameType | None) -> None:
            if armed:
                raise TimeUp

        handler = signal.signal(signal.SIGALRM, stop)
        outer = signal.setitimer(signal.ITIMER_REAL, share * self.left)
        started = time.monotonic()
        # The timer may fire while it is being put away: the outer `except` hears that too.
        try:
            try:
                yield
            finally:
                armed = False
                signal.signal(signal.SIGALRM, handler)
                remaining = outer[0] - (time.monotonic() - started) if outer[0] else 0.0
                signal.setitimer(signal.ITIMER_REAL, max(remaining, 1e-3) if outer[0] else 0.0)
        except TimeUp:
            raise Refused("the time ended first") from None
