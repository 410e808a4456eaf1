"""The true range in the place of a refuted one."""

import pytest

from verifier.evidence import Finding
from verifier.plan.asking import Case
from verifier.plan.settings import Settings
from verifier.read.specs.load import load_text
from verifier.suggest.true_range import rerange

SPEC = """
theorem: toy/rerange
symbols: {x: real, y: real, u: "interval(0, 1)", v: "interval(-1, 1)", a: positive}
claims:
  c: {says: "%s"}
"""


def corrected(text: str) -> str | None:
    (claim,) = load_text(SPEC % text, "rerange.yaml").claims
    case = Case(claim, claim.steps[0], Settings(trust="engines"))
    case.findings.append(Finding("symbolic", "false", "proved", "shown elsewhere"))
    rerange(case, 20.0)
    return case.findings[-1].corrected


@pytest.mark.parametrize(
    ("claim", "right"),
    [
        ("u*(1 - u)*v in [0, 1/4]", "[-1/4, 1/4]"),
        ("x*y/(x**2 + y**2) in [-1/4, 1/4]", "[-1/2, 1/2]"),
        ("sin(x) + cos(x) in [-1.4, 1.4]", "[-sqrt(2), sqrt(2)]"),
    ],
)
def test_the_true_range(claim: str, right: str) -> None:
    assert corrected(claim) == right


@pytest.mark.parametrize("claim", ["x*y in [0, 1]", "a*u in [0, oo]", "x <= 1"])
def test_none_where_there_is_no_such_range(claim: str) -> None:
    assert corrected(claim) is None
