"""Time inside a process: engines plan with what they have worked, and what they call looks at no clock."""

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

# What a limit outside gets at least when one inside ends: a refusal on its way out passes it in that time.
GRACE = 0.05
# What is raised while a destructor runs is lost. So the timer goes off again and again, until it is heard.
AGAIN = 0.5
# Seconds on the wall that count as one of work, however little was computed in them.
PATIENCE = 4.0
# Loops look at the clock all the time, and what a process has computed is dear to ask for: not more often.
TICK = 0.001
# Of what was worked: who waited longer than that had not the machine to itself.
BUSY = 0.25


class Overran(BaseException):
    """Raised by the timer in the middle of a computation; no `except Exception` swallows it."""


class _Worked:
    """Work is computing; waiting (for a device, for others) is a part of it, for it may have no end."""

    def __init__(self) -> None:
        self.computed, self.passed, self.total = time.process_time(), time.monotonic(), 0.0

    def __call__(self) -> float:
        """Seconds that this process has worked, from whenever: a verdict shall not depend on who else keeps
        the machine busy."""
        passed = time.monotonic()
        if passed - self.passed < TICK:
            return self.total
        computed = time.process_time()
        self.total += max(computed - self.computed, (passed - self.passed) / PATIENCE)
        self.computed, self.passed = computed, passed
        return self.total


worked = _Worked()


def kept_waiting() -> float:
    """Seconds in which this thread could have computed and others kept the machine busy, from whenever. Where
    the system does not say, what it has waited in all."""
    try:
        _, waited, _ = Path("/proc/thread-self/schedstat").read_text().split()
        return int(waited) / 1e9
    except (OSError, ValueError):
        return time.monotonic() - time.process_time()


class _Cuts:
    """How often the clock ended something in this process."""

    count = 0


def past(deadline: float) -> bool:
    """Whether it is later than that. Whoever asks ends there, with less than it planned: that is counted."""
    over = worked() > deadline
    _Cuts.count += over
    return over


def cuts() -> int:
    """How often the clock ended something until now: what was not found since then might have been."""
    return _Cuts.count


@dataclass(frozen=True)
class Watch:
    """What the clock said when something was begun."""

    worked: float = field(default_factory=worked)
    waited: float = field(default_factory=kept_waiting)
    cuts: int = field(default_factory=cuts)

    @property
    def was_busy(self) -> bool:
        """Whether others took so much of the machine that what the clock cut short since then may be due to
        them."""
        waited = kept_waiting() - self.waited
        return cuts() > self.cuts and waited > BUSY * (worked() - self.worked)


class _Hold:
    """Whether the timer may raise now, and what it would have raised."""

    on = False
    due: Overran | None = None


_hold = _Hold()


@contextmanager
def held() -> Iterator[Callable[[], bool]]:
    """Around a library that calls back and loses what is raised there: inside, the timer does not raise.
    What is called can ask whether it went off, to come to an end; that it did is raised at the end. No
    limit is set inside."""
    outermost = not _hold.on
    if outermost:
        _hold.on, _hold.due = True, None
    try:
        yield lambda: _hold.due is not None
    finally:
        _hold.on = not outermost
    if outermost and _hold.due is not None:
        raise _hold.due


@contextmanager
def at_most(seconds: float) -> Iterator[Overran]:
    """Raise the Overran that is handed out when what is inside computes for longer.

    Only Python code is interrupted, and only on the main thread; beyond that the parent process
    ends the worker. Limits nest: each raises its own exception, an inner one gives the timer back, and one
    that would end after the outer one is none."""
    expired = Overran()
    around, _ = signal.getitimer(signal.ITIMER_PROF)
    if threading.current_thread() is not threading.main_thread() or 0 < around <= seconds:
        yield expired
        return
    armed, fired = True, False

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal fired
        if armed and _hold.on:
            _hold.due = expired
        elif armed:
            fired = True
            _Cuts.count += 1
            raise expired

    handler = signal.signal(signal.SIGPROF, stop)
    outer, _ = signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN)
    started = time.process_time()
    try:
        yield expired
    except SystemError:
        # What is raised where a library in C calls back may come out as a failure of that library.
        if fired:
            raise expired from None
        raise
    finally:
        armed = False
        # The timer is stopped before its handler goes: fired in between, it would be the outer one's.
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, handler)
        if outer:
            left = max(outer - (time.process_time() - started), GRACE)
            signal.setitimer(signal.ITIMER_PROF, left, AGAIN)


def unheard() -> None:
    """Print nothing where nobody hears the timer, as in a generator that is thrown away: it raises again."""
    told = sys.unraisablehook

    def tell(lost: "sys.UnraisableHookArgs") -> None:
        if not isinstance(lost.exc_value, Overran):
            told(lost)

    sys.unraisablehook = tell
