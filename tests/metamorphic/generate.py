"""Claims made up at random: expectations of traces of products, with the two witnesses asked about them.

The symbolic engine is asked for the closed form of an expectation. The numeric one, which shares nothing
with it but the tree, is then asked about that closed form, and about others that are false if it is true."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal

from tests.metamorphic.changes import claim_of
from verifier.evidence import Budget, Finding, Truth
from verifier.numeric.engine import examine as sample
from verifier.symbolic.engine import examine as derive

SYMBOLS = {
    "n": "dimension",
    "m": "dimension",
    "s": "positive",
    "W": "normal(n, m, std=s)",
    "R": "rademacher(n, m)",
    "A": "matrix(n, m)",
}
LETTERS = ("W", "W", "R", "A")
Outcome = Literal["agree", "open", "CONTRADICT"]


def trace(random: Random) -> str:
    """tr of a product that leads from one size back to it."""
    factors, wide = [], random.random() < 0.5
    for _ in range(random.choice((2, 2, 4))):
        letter = random.choice(LETTERS)
        factors.append(letter if wide else f"{letter}.T")
        wide = not wide
    return f"tr({' @ '.join(factors)})"


def expectation(random: Random) -> str:
    terms = [f"{random.choice((1, 2, 3))}*{trace(random)}" for _ in range(random.choice((1, 1, 2)))]
    body = f" {random.choice('+-')} ".join(terms)
    return random.choice((f"E({body})", f"E({body})", f"Var({body})"))


def claims(seed: int) -> Iterator[str]:
    """Left sides, without end."""
    random = Random(seed)
    while True:
        yield expectation(random)


@dataclass(frozen=True)
class Asked:
    """What the witness said of the closed form and of one that is false then.

    Sampling alone rarely calls an equality true: they agree if it refutes the false one and not the other."""

    left: str
    closed: str | None
    of_closed: Truth = "unknown"
    of_false: Truth = "unknown"

    @property
    def outcome(self) -> Outcome:
        if self.of_closed == "false" or self.of_false == "true":
            return "CONTRADICT"
        return "agree" if self.of_false == "false" else "open"


def judged(engine: object, says: str, seconds: float) -> Finding:
    claim = claim_of(SYMBOLS, says)
    found = engine(claim, claim.steps[0], Budget(seconds=seconds))  # type: ignore[operator]
    assert isinstance(found, Finding)
    return found


def both_asked(left: str, seconds: float) -> Asked:
    derived = judged(derive, f"{left} == 0", 10 * seconds)
    closed = "0" if derived.truth == "true" else derived.corrected
    if closed is None:
        return Asked(left, None)
    right = judged(sample, f"{left} == {closed}", seconds).truth
    wrong = judged(sample, f"{left} == 5*({closed}) + 20*n*m*(1 + s**2)", seconds).truth
    return Asked(left, closed, right, wrong)
