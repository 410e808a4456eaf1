"""How a search shares its time."""

from dataclasses import dataclass, field

from verifier.timer import worked


@dataclass
class Clock:
    """Shares of a budget, counted from the start."""

    seconds: float
    started: float = field(default_factory=worked)

    def until(self, share: float) -> float:
        return self.started + share * self.seconds

    def at_least(self, share: float, seconds: float) -> float:
        """The end of that share, but not before so many seconds from now."""
        return max(self.until(share), worked() + seconds)
