"""Integers beyond those that were tried: a bound that comes closer with them is not called loose."""

import pytest

from verifier.evidence import Budget
from verifier.read.specs.load import load_text
from verifier.refute.engine import examine

SPEC = "theorem: search/integers\nsymbols: {{k: integer}}\nclaims:\n  c: {{says: '{}'}}\n"


@pytest.mark.parametrize(
    ("says", "truth", "tight"),
    [
        ("2**k >= 0", "true", None),  # by the sign of a power, not by the integers that were tried
        ("3**k > 0", "unknown", None),
        ("2**(-k) >= 0", "true", None),
        ("2**(k**2) >= 0", "true", False),
        ("2**(k**2) >= 1", "unknown", True),
    ],
)
def test_a_bound_is_loose_only_where_all_integers_were_seen(
    says: str, truth: str, tight: bool | None
) -> None:
    (claim,) = load_text(SPEC.format(says)).claims
    found = examine(claim, claim.steps[0], Budget(seconds=1.0))
    assert found.truth == truth  # a few integers are not all of them
    assert found.tightness is not None
    assert found.tightness.tight is tight


@pytest.mark.parametrize("says", ["factorial(abs(k)) <= 10**abs(k)", "sin(k) < 0.99999"])
def test_what_breaks_beyond_the_integers_that_were_tried_is_not_called_true(says: str) -> None:
    (claim,) = load_text(SPEC.format(says)).claims
    assert examine(claim, claim.steps[0], Budget(seconds=1.0)).truth != "true"


def test_a_bound_that_breaks_at_a_moderate_size_fails() -> None:
    spec = "theorem: search/sizes\nsymbols: {n: dimension, m: dimension}\nclaims:\n"
    spec += "  one: {says: 'factorial(n) <= 10**n'}\n  two: {says: 'n*m <= 150 + n + m'}\n"
    spec += "  true: {says: 'factorial(n) >= 2**(n - 1)'}\n"
    one, two, true = (examine(c, c.steps[0], Budget(seconds=2.0)) for c in load_text(spec).claims)
    assert one.truth == "false"
    assert one.counterexample is not None
    assert one.counterexample.values == {"n": 25}
    assert two.truth == "false"
    assert true.truth != "false"
