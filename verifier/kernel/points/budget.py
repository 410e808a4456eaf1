"""Work, counted in steps: what is checked is not trusted to be small."""

from dataclasses import dataclass

from verifier.kernel.rejected import Rejected

MOST_STEPS = 800_000


class Undecided(Exception):
    """Enclosures that overlap at this precision: nothing is said."""


class NotPolynomial(Rejected):
    """The mean of something that is no polynomial in what is drawn."""

    def __init__(self, words: str) -> None:
        super().__init__("outside", words)


@dataclass
class Budget:
    """Steps that are left."""

    left: int = MOST_STEPS

    def spend(self, steps: int = 1) -> None:
        self.left -= steps
        if self.left < 0:
            raise Rejected("too-large", f"more than {MOST_STEPS} steps at this point")
