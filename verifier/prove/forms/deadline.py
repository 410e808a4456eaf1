"""A deadline that loops look at."""

from dataclasses import dataclass, field

from verifier.prove.forms.refusal import OutOfTime
from verifier.timer import worked


@dataclass(frozen=True)
class Clock:
    seconds: float
    started: float = field(default_factory=worked)

    @property
    def elapsed(self) -> float:
        return worked() - self.started

    @property
    def left(self) -> float:
        return self.seconds - self.elapsed

    def check(self) -> None:
        if self.left <= 0:
            raise OutOfTime
