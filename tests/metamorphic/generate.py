"""Claims made up at random, with the two witnesses asked about them.

The symbolic engine is asked for the closed form of an expectation. The numeric one, which shares nothing
with it but the tree, is then asked about that closed form, and about one that is false if it is true."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Literal

from tests.metamorphic.changes import claim_of
from verifier.evidence import Budget, Finding, Truth
from verifier.expr.sizes import room_for_trees
from verifier.prove.engine import examine as derive
from verifier.sample.engine import examine as examine_by_sampling
from verifier.sample.tuning import Settings

SYMBOLS = {
    "n": "dimension",
    "m": "dimension",
    "s": "positive",
    "r": "interval(0, 1)",
    "W": "normal(n, m, std=s)",
    "C": "normal(n, m, row_corr=r)",
    "R": "rademacher(n, m)",
    "U": "uniform(n, m, 0, 1)",
    "A": "matrix(n, m)",
    "g": "normal(1, std=s)",
    "h": "normal(1)",
}
LETTERS = ("W", "W", "R", "A", "C", "U")
UNARY = ("relu", "abs", "exp", "cos", "sin", "erf", "Phi", "gelu")
SECONDS = 3.0
LONGEST = 2_000  # characters of a closed form that can still be read as a claim
# Few points and many claims rather than the other way round.
sample = partial(examine_by_sampling, settings=Settings(points=2, usual_points=2))
Outcome = Literal["agree", "open", "CONTRADICT"]


def product(random: Random, lengths: tuple[int, ...]) -> str:
    """A product that leads from one size to it again if its length is even."""
    factors, wide = [], random.random() < 0.5
    for _ in range(random.choice(lengths)):
        letter = random.choice(LETTERS)
        factors.append(letter if wide else f"{letter}.T")
        wide = not wide
    return " @ ".join(factors)


def trace(random: Random) -> str:
    return f"tr({product(random, (2, 2, 4))})"


def norm(random: Random) -> str:
    return f"norm({product(random, (1, 2, 2, 3))})**2"


def summed(random: Random) -> str:
    """Along a row, a column or both, with powers of entries."""
    one, two = (f"{random.choice(LETTERS)}[i, j]**{random.choice((1, 1, 2))}" for _ in range(2))
    body = random.choice((one, f"{one}*{two}"))
    ranges = random.choice(("i, 1, n, j, 1, m", "i, 1, n, j, 1, m, i != j", "i, 1, n, j, 1, m, i <= j"))
    return f"sum({body}, {ranges})"


def slope(random: Random) -> str:
    """The squared norm of a Jacobian."""
    by = random.choice(("W", "A"))
    other = random.choice(("R", "A", "W"))
    body = random.choice(
        (f"{by}.T @ {other}", f"{by} @ {other}.T @ {by}", f"{by} * {other}", f"{by}.T @ {by}")
    )
    return f"norm(D({body}, {by}))**2"


def nonlinear(random: Random) -> str:
    """A function of one normal variable, or of two that are independent or not."""
    x, y = random.choice((("g", "g"), ("g", "h"), ("h", "g + h"), ("2*h", "h")))
    first = f"{random.choice(UNARY)}({x})"
    return random.choice((first, f"{first}*{random.choice(UNARY)}({y})", f"{first}*{y}", f"{first}**2"))


KINDS: tuple[Callable[[Random], str], ...] = (trace, trace, norm, summed, slope, nonlinear)


def expectation(random: Random) -> str:
    kinds = [random.choice(KINDS) for _ in range(random.choice((1, 1, 2)))]
    terms = [f"{random.choice((1, 2, 3))}*{kind(random)}" for kind in kinds]
    body = f" {random.choice('+-')} ".join(terms)
    return random.choice((f"E({body})", f"E({body})", f"Var({body})"))


def claims(seed: int | str) -> Iterator[str]:
    """Left sides, without end."""
    random = Random(seed)
    while True:
        yield expectation(random)


def kind_of(left: str) -> str:
    """What a left side is made of, for a table."""
    words = {"sum(": "sums", "norm(D(": "Jacobians", "norm(": "norms", "tr(": "traces"}
    return next((name for word, name in words.items() if word in left), "functions")


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


def judged(engine: object, says: str, draws: int) -> Finding:
    """What an engine says, with time enough: draws are counted, not seconds."""
    claim = claim_of(SYMBOLS, says)
    budget = Budget(seconds=SECONDS, draws=draws)
    found = engine(claim, claim.steps[0], budget)  # type: ignore[operator]
    assert isinstance(found, Finding)
    return found


@room_for_trees()
def both_asked(left: str, draws: int) -> Asked:
    derived = judged(derive, f"{left} == 0", draws)
    closed = "0" if derived.truth == "true" else derived.corrected
    if closed is None or len(closed) > LONGEST:
        return Asked(left, None)
    right = judged(sample, f"{left} == {closed}", draws).truth
    wrong = judged(sample, f"{left} == 5*({closed}) + 20*n*m*(1 + s**2)", draws).truth
    return Asked(left, closed, right, wrong)
