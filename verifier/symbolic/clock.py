"""A deadline that loops look at."""

import time
from dataclasses import dataclass, field

from verifier.symbolic.refusal import OutOfTime


@dataclass(frozen=True)
class Clock:
    seconds: float
    started: float = field(default_factory=time.monotonic)

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self.started

    @property
    def left(self) -> float:
        return self.seconds - self.elapsed

    def check(self) -> None:
        if self.left < 0:
            raise OutOfTime
