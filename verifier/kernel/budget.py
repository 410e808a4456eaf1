"""Work, counted in steps: what is checked is not trusted to be small."""

from dataclasses import dataclass

from verifier.kernel.rejected import Rejected

MOST_STEPS = 400_000


@dataclass
class Budget:
    """Steps that are left."""

    left: int = MOST_STEPS

    def spend(self, steps: int = 1) -> None:
        self.left -= steps
        if self.left < 0:
            raise Rejected("too-large", f"more than {MOST_STEPS} steps")
