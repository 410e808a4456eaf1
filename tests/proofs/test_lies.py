"""Whatever all engines say: with only checked proofs trusted, nothing false is believed, and nothing true is
refuted. `benchmarks/lies.py` asks about all known verdicts; here are those that were once wrong."""

import pytest

from tests.kernel.test_causes import FALSE as CAUSES
from tests.kernel.test_causes import SPEC
from tests.proofs.lies import FALSE, TRUE, known, told
from verifier.claim.model import Claim
from verifier.read.specs.load import load_text

AUDITED = known("audit", "audit_two", "audit_three")


@pytest.mark.parametrize(("says", "under"), CAUSES, ids=lambda text: text[:50])
def test_causes_of_wrong_proofs(says: str, under: str) -> None:
    (claim,) = load_text(SPEC % (says, under)).claims
    found = told(claim, TRUE)
    assert (found.verdict, found.proof) == ("unrefuted", None)
    assert "is not enough" in found.reason


@pytest.mark.parametrize(("claim", "is_true"), AUDITED, ids=[claim.id for claim, _ in AUDITED])
def test_audited_claims(claim: Claim, is_true: bool) -> None:
    assert told(claim, FALSE if is_true else TRUE).verdict == "unrefuted"


def test_the_truth_is_believed() -> None:
    """The same road, and no lie: much of what is true is proved on the way."""
    verdicts = [told(claim, TRUE).verdict for claim, is_true in AUDITED if is_true]
    assert verdicts.count("holds") > len(verdicts) / 3
