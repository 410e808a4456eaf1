"""How loose a proved bound is at least, by proving a better one."""

from fractions import Fraction

import pytest

from tests.refute.claims import bound_of, claim_of
from verifier.refute.closeness.stronger_constants import stronger
from verifier.timer import worked

DIVERGENCE = "sum(p[i]*log(p[i]/q[i]), i, 1, n)"
SYMBOLS = {"n": "dimension", "p": "simplex(n)", "q": "simplex(n)", "A": "matrix(n, n)", "B": "matrix(n, n)"}


@pytest.mark.parametrize(
    ("says", "gap", "better"),
    [
        ("norm(p - q, 1) <= 3*sqrt(n)*norm(p - q)/2", Fraction(1, 3), "sqrt(n)*norm(p - q)"),
        ("norm(p)**2 >= 3/(4*n)", Fraction(1, 3), None),
        ("norm(A @ B) <= 4*norm(A)*norm(B)", Fraction(3, 4), "norm(A)*norm(B)"),
    ],
)
def test_the_better_bound_is_proved(says: str, gap: Fraction, better: str | None) -> None:
    claim = claim_of(says, symbols=SYMBOLS)
    found = stronger(claim, bound_of(claim), worked() + 5)
    assert found is not None
    assert found.tightness.gap_low == gap
    assert better is None or found.tightness.better == better


@pytest.mark.parametrize(
    "says",
    ["norm(p, 1) <= sqrt(n)*norm(p)", "norm(A @ B) <= norm(A)*norm(B)", f"{DIVERGENCE} >= -1"],
)
def test_what_cannot_be_better_is_not(says: str) -> None:
    claim = claim_of(says, symbols=SYMBOLS)
    assert stronger(claim, bound_of(claim), worked() + 5) is None
