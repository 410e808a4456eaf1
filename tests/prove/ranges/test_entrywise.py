"""Branch and bound over the entries of small matrices: shown where true, never where false."""

import pytest

from tests.exact.helpers import claim as claim_of
from verifier.prove.ranges.slack_signs import certify
from verifier.timer import worked

SYMBOLS = (
    "n: dimension; x: vector(n); y: vector(n); z: matrix(1, n); A: matrix(n, n); p: simplex(n); "
    "S: stochastic(n, n); u: interval(0, 1)"
)

TRUE = [
    ("norm(x, 1) <= sqrt(n)*norm(x)", 2),  # touched along a ray: compact by scaling
    ("norm(x, 1) <= 1.02*sqrt(n)*norm(x)", 3),
    ("abs(inner(x, y)) <= 1.05*norm(x)*norm(y)", 2),
    ("norm(p)**2 >= 1/n", 3),  # touched at one flat point
    ("p[1]*p[2]*p[3] <= 1/27", 3),
    ("norm(S)**2 <= 2", 2),
    ("norm(softmax(z)) >= 0.98/sqrt(n)", 3),  # over the simplex, not over all z
    ("norm(D(softmax(z), z)) <= 0.52", 2),
    ("norm(D(softmax(z), z)) <= 0.01", 1),
    ("u*norm(x, oo) <= 1.01*norm(x)", 2),
]
FALSE = [
    ("norm(x, 1) <= 1.4*norm(x)", 2),
    ("abs(inner(x, y)) <= 0.99*norm(x)*norm(y)", 2),
    ("norm(p)**2 >= 0.34", 3),
    ("p[1]*p[2]*p[3] <= 1/28", 3),
    ("norm(softmax(z)) >= 0.6", 3),
    ("norm(D(softmax(z), z)) <= 0.49", 2),
    ("norm(x) < norm(x, 1) + u", 2),  # equal at 0
    ("norm(x) <= 2", 1),  # no scaling
]


@pytest.mark.parametrize(("says", "size"), TRUE)
def test_shown(says: str, size: int) -> None:
    claim = claim_of(says, SYMBOLS)
    assert certify(claim, claim.steps[0].fact, {"n": size}, worked() + 8) is None


@pytest.mark.parametrize(("says", "size"), FALSE)
def test_not_shown(says: str, size: int) -> None:
    claim = claim_of(says, SYMBOLS)
    assert certify(claim, claim.steps[0].fact, {"n": size}, worked() + 0.3) is not None


def test_an_assumption_is_respected() -> None:
    inside = claim_of("norm(x)**2 <= 2", SYMBOLS, "box: all(abs(x[i]) <= 1, i, 1, n)")
    assert certify(inside, inside.steps[0].fact, {"n": 2}, worked() + 4) is None
    outside = claim_of("norm(x)**2 <= 1.9", SYMBOLS, "box: all(abs(x[i]) <= 1, i, 1, n)")
    assert certify(outside, outside.steps[0].fact, {"n": 2}, worked() + 0.3) is not None
