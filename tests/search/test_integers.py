"""Integers beyond those that were tried: a bound that comes closer with them is not called loose."""

import pytest

from verifier.claim.load import load_text
from verifier.evidence import Budget
from verifier.search.engine import examine

SPEC = "theorem: search/integers\nsymbols: {{k: integer}}\nclaims:\n  c: {{says: '{}'}}\n"


@pytest.mark.parametrize(
    ("says", "tight"),
    [
        ("2**k >= 0", None),
        ("3**k > 0", None),
        ("2**(-k) >= 0", None),
        ("2**(k**2) >= 0", False),
        ("2**(k**2) >= 1", True),
    ],
)
def test_a_bound_is_loose_only_where_all_integers_were_seen(says: str, tight: bool | None) -> None:
    (claim,) = load_text(SPEC.format(says)).claims
    found = examine(claim, claim.steps[0], Budget(seconds=1.0))
    assert found.truth == "true"
    assert found.tightness is not None
    assert found.tightness.tight is tight
