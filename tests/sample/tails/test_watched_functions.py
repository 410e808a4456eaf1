"""What never shows in the draws is not what never happens: kinks, limits, rare values, ends of a law."""

import pytest

from tests.sample.specs import claim_of, look

SYMBOLS = {
    "n": "dimension",
    "x": "real",
    "w": "normal(1, 1)",
    "v": "normal(n)",
    "u": "uniform(1, 1, 0, 1)",
    "s": "rademacher(n)",
    "B": "bernoulli(n, n, 1/1000000)",
    "C": "normal(n, n, row_corr=1/2)",
    "y": "vector(n)",
}
# Each is false, if only by a little or far out.
HIDDEN = [
    "P(w > 6) == 0",
    "E(relu(w - 5)) == 0",
    "E(relu(w - 2000)) == 0",
    "E(relu(C[1, 1] - 6)) == 0",
    "E(relu(u - 0.999999)) == 0",
    "E(norm(B)**2) == 0",
    "E(max(0, sum(s[i], i, 1, 30) - 29)) == 0",
    "E(exp(-1000 - w**2)) == 0",
    "exp(-1000 - x**2) == 0",
    "tanh(50 + x**2) == 1",
    "abs(x + exp(9)) == x + exp(9)",
]


@pytest.mark.parametrize("text", HIDDEN)
def test_agreement_where_nothing_shows_proves_nothing(text: str) -> None:
    extra = "where: {n: 30}" if "30" in text else ""
    assert look(claim_of(text, SYMBOLS, extra=extra), seconds=2).truth != "true"


BROKEN = [
    "max(x, -40) == x",
    "relu(x - 2000) == 0",
    "max(w, -2000) == w",
    "norm(B) == 0",
    "relu(u - 0.999999) == 0",
    "prod(1 + s[i], i, 1, n) == 0",
]


@pytest.mark.parametrize("text", BROKEN)
def test_far_and_rare_values_are_met(text: str) -> None:
    extra = "where: {n: 30}" if "prod" in text else ""
    assert look(claim_of(text, SYMBOLS, extra=extra)).truth == "false"


TRUE = [
    ("relu(x) - relu(-x) == x", "relu(x) + relu(-x) == x"),
    ("max(x, 1) + min(x, 1) == x + 1", "max(x, 1) - min(x, 1) == x - 1"),
    ("abs(norm(y)) == norm(y)", "abs(norm(y)) == norm(y, 1)"),
    ("tanh(x) == 2 * sigmoid(2 * x) - 1", "tanh(x) == sigmoid(2 * x) - 1"),
    ("norm(s)**2 == n", "norm(s) == n"),
    ("B**2 == B", "B**2 == 2 * B"),
    ("D(abs(w), w)**2 == 1", "D(abs(w), w) == 1"),
    ("D(relu(x), x)**2 == D(relu(x), x)", "D(relu(x), x) == relu(x)"),
]


@pytest.mark.parametrize(("true", "false"), TRUE)
def test_identities_with_kinks_and_limits(true: str, false: str) -> None:
    """A derivative is meant almost everywhere: at a kink it says nothing."""
    assert look(claim_of(true, SYMBOLS)).truth == "true"
    assert look(claim_of(false, SYMBOLS)).truth == "false"
