"""What may be tuned, in one frozen object."""

from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Settings:
    """Confidence, precision and where to stop.

    alpha: the chance that what is said of one relation is wrong.
    """

    alpha: float = 1e-9
    points: int = 8
    usual_points: int = 4  # among how many the time is shared while nothing looks wrong
    representatives: int = 4
    free_draws: int = 2
    wanted_width: float = 0.01
    first_draws: int = 1024
    max_draws: int = 2**22
    exact_jacobian: int = 24
    dtype: torch.dtype | None = None

    @property
    def alpha_point(self) -> float:
        """Per point, representative law and draw of the free symbols; half for the replication."""
        return self.alpha / (2 * self.points * self.representatives * self.free_draws)

    def dtype_on(self, device: str) -> torch.dtype:
        """float64 wherever the device has it."""
        return self.dtype or (torch.float32 if device == "mps" else torch.float64)
