"""Extremes with parameters: reached at a point of closed form, or as the variable grows."""

import pytest

from verifier.plan.asking import Case
from verifier.plan.attained_extremes import attain
from verifier.plan.settings import Settings
from verifier.read.specs.load import load_text

SPEC = """
theorem: toy/attained
symbols: {x: real, y: real, t: positive, a: positive}
claims:
  c: {says: "%s"}
"""


def reached(text: str) -> str | None:
    (claim,) = load_text(SPEC % text, "attained.yaml").claims
    case = Case(claim, claim.steps[0], Settings(trust="engines"))
    attain(case, 10.0)
    return case.findings[-1].reason if case.findings else None


@pytest.mark.parametrize(
    ("claim", "where"),
    [
        ("sup(x*y - x**2/2, x) == y**2/2", "x = y"),
        ("sup(x*y - a*x**2/2, x) == y**2/(2*a)", "x = y/a"),
        ("inf(t + a/t, t) == 2*sqrt(a)", "t = sqrt(a)"),
        ("sup(D(tanh(a*x), x), x) >= a", "x = 0"),
        ("sup(tanh(a*x), x) == 1", "x -> oo"),
        ("sup(a*x/(a**2 + x**2), x) == 1/2", "x = a"),
        ("sup(a*x - exp(x), x) == a*log(a) - a", "x = log(a)"),
        ("inf(exp(x) - a*x, x) == a - a*log(a)", "x = log(a)"),
    ],
)
def test_where_it_is_reached(claim: str, where: str) -> None:
    found = reached(claim)
    assert found is not None
    assert found.endswith(f"reached for {where}")


@pytest.mark.parametrize(
    "claim",
    [
        "sup(x*y - x**2/2, x) == y**2",  # beyond all values
        "sup(x*y - x**2/2, x) == y**2/4",  # below some
        "inf(t + a/t, t) == 2*a",
        "sup(x**2, x) <= a",
        "sup(y*x/(y**2 + x**2), x) == 1/2",  # at y = 0 it has no value for x = y, and is 0 elsewhere
        "sup(2*abs(y*x)/(y**2 + x**2), x) >= 1",
        "sup(a*x - exp(x), x) == a*log(a)",
        "inf(a*x - exp(x), x) == a*log(a) - a",  # a peak, and no valley
        "sup(sin(x), x) == 1",  # no parameter: others know
    ],
)
def test_nothing_is_said_of_what_is_not_so(claim: str) -> None:
    assert reached(claim) is None
