"""Signs that declarations show, and none where they do not."""

import pytest

from tests.rigorous.helpers import claim as claim_of
from verifier.claim.signs import is_never_negative, sign_of

SYMBOLS = "n: dimension; x: real; a: positive; b: positive; v: vector(n); P: psd(n); S: symmetric(n)"


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("a*n/b", 1),
        ("-a - 2*b", -1),
        ("sqrt(a) + exp(x)", 1),
        ("a - b", 0),
        ("-1 - a**(1/2)", -1),
        ("(-a)*(-b)", 1),
        ("x**2", 0),
        ("norm(v)", 0),
        ("(a - b)**2", 0),
    ],
)
def test_sign(text: str, sign: int) -> None:
    claim = claim_of(f"{text} >= 0", SYMBOLS)
    assert sign_of(claim, claim.steps[0].fact.left) == sign  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("x**2 + norm(v)", True),
        ("tr(P)*a", True),
        ("sum(v[i]**4, i, 1, n)", True),
        ("tr(S)", False),
        ("x**3", False),
        ("x**2 - a", False),
        ("sum(v[i], i, 1, n)", False),
    ],
)
def test_never_negative(text: str, never: bool) -> None:
    claim = claim_of(f"{text} >= 0", SYMBOLS)
    assert is_never_negative(claim, claim.steps[0].fact.left) is never  # type: ignore[union-attr]
