"""The least multiple that makes a false bound true, where the exact engines know it."""

import pytest

from verifier.evidence import Counterexample, Finding
from verifier.plan.asking import Case
from verifier.plan.settings import ENGINES, Settings
from verifier.read.specs.load import load_text
from verifier.suggest.weaker_bound import widen

SPEC = """
theorem: toy/widen
symbols:
  {n: dimension, m: dimension, s: positive, t: real, x: vector(n), y: vector(n), W: "normal(m, n, std=s)"}
claims:
  c: {says: "%s"}
"""


def heard(text: str, example: Counterexample | None = None, seconds: float = 60.0) -> Finding:
    (claim,) = load_text(SPEC % text, "widen.yaml").claims
    case = Case(claim, claim.steps[0], Settings(engines=ENGINES[:3], trust="engines"))
    case.findings.append(Finding("symbolic", "false", "proved", "shown elsewhere", counterexample=example))
    widen(case, seconds)
    return case.findings[-1]


def widened(text: str, example: Counterexample | None = None, seconds: float = 60.0) -> str | None:
    return heard(text, example, seconds).corrected


@pytest.mark.parametrize(
    ("claim", "right"),
    [
        ("inner(x, y) <= norm(x)*norm(y)/3", "norm(x)*norm(y)"),
        ("E(norm(W @ x)**2) >= 5*m*s**2*norm(x)**2", "m*s**2*norm(x)**2"),
        ("E(norm(W)**2) <= m*s**2", "n*m*s**2"),
    ],
)
def test_the_right_factor(claim: str, right: str) -> None:
    assert widened(claim) == right


@pytest.mark.parametrize("claim", ["E(norm(W)**2) <= m*n*s**3", "t <= 3", "E(norm(W)**2) <= 0"])
def test_none_where_no_factor_helps(claim: str) -> None:
    # Factors are tried until the time is over: these seconds see every engine at work.
    assert widened(claim, seconds=4.0) is None


def test_no_factor_mends_a_strict_relation_between_equals() -> None:
    equal = Counterexample({"n": 1, "m": 1}, 1.0, 1.0, "1", "1")
    assert widened("min(n, m) < m", equal) is None


def test_the_power_of_a_size_that_is_lacking_at_the_point() -> None:
    point = Counterexample({"n": 2, "x": [[1], [1]]}, 2.0, 2 ** (5 / 6), "2", "2**(5/6)")
    assert widened("norm(x, 1) <= n**(1/3)*norm(x)", point) == "sqrt(n)*norm(x)"


def test_a_multiple_that_is_reached_is_told_with_equality() -> None:
    found = heard("E(norm(W @ x)**2) < m*s**2*norm(x)**2/8")
    assert (found.corrected, found.instead) == (None, "E(norm(W @ x)**2) <= m*s**2*norm(x)**2")
