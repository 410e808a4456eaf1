"""Why a scalar question could not be read or answered; turned into `unknown` at the package's edge."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from verifier.timer import Overran, at_most, worked


class Refused(Exception):
    """The reading ended without an answer; `reason` says why in plain words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Undefined(Refused):
    """A side has no value at any point."""


class NoLimit(Refused):
    """A limit that exists at no point: along two ways the values tend to different numbers."""


@dataclass(frozen=True)
class Clock:
    """How much time is left: checked between steps, and by a timer where `guard` is in force."""

    seconds: float
    start: float = field(default_factory=worked)

    @property
    def left(self) -> float:
        return self.seconds - self.spent

    @property
    def spent(self) -> float:
        return worked() - self.start

    def check(self) -> None:
        if self.left <= 0:
            raise Refused("the time ended first")

    @contextmanager
    def guard(self, share: float = 1.0) -> Iterator[None]:
        """At most a share of the time left for what is inside; Refused when it is over."""
        self.check()
        own = None
        try:
            with at_most(share * self.left) as own:
                yield
        except Overran as expired:
            if expired is not own:
                raise
            raise Refused("the time ended first") from None
