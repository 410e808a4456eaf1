"""Why a scalar question could not be read or answered; turned into `unknown` at the package's edge."""

import time
from dataclasses import dataclass, field


class Refused(Exception):
    """The reading ended without an answer; `reason` says why in plain words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Clock:
    """How much time is left. Checked between steps; a step that overruns is killed from outside."""

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
