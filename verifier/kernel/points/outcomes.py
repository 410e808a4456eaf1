"""What evaluation at a point may come to, beside a value."""

from verifier.kernel.rejected import Rejected


class Undecided(Exception):
    """Enclosures that overlap at this precision: nothing is said."""


class NotPolynomial(Rejected):
    """The mean of something that is no polynomial in what is drawn."""

    def __init__(self, words: str) -> None:
        super().__init__("outside", words)
