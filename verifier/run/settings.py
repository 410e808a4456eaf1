"""Every limit and default of a run, in one frozen object."""

import os
from dataclasses import dataclass, field


def default_jobs() -> int:
    return max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


@dataclass(frozen=True)
class Settings:
    """How a run is carried out."""

    seed: int = 0
    device: str = "auto"
    jobs: int = field(default_factory=default_jobs)
    # A claim is stopped by force after `seconds`; its engines plan for `soft_share` of that, so
    # that a hundred claims end within five minutes on two cores.
    seconds: float = 10.0
    soft_share: float = 0.5
    memory_bytes: int = 3 * 2**30

    @property
    def soft_seconds(self) -> float:
        return self.seconds * self.soft_share
