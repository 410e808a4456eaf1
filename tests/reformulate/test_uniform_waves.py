"""Means of waves of uniform variables, against quadrature; what the rules do not give is left alone."""

from fractions import Fraction

import mpmath
import pytest

from verifier import Settings, Verdict, load_text, verify
from verifier.exact.numbers.constants import enclose
from verifier.exact.values.evaluate import evaluate
from verifier.exact.values.point_context import Context
from verifier.expr import nodes as N
from verifier.read.specs.load import load_text as read
from verifier.reformulate.uniform_waves import mean_of_waves

SPEC = """
theorem: claim/waves
symbols:
  m: dimension
  d: dimension
  a: real
  b: real
  low: real
  u: uniform(0, 2*pi)
  v: uniform(-1, 1/2)
  w: uniform(low, 3)
  x: vector(d)
  y: vector(d)
  G: normal(m, d)
  U: uniform(m, 0, 2*pi)
claims:
  c: {says: "E(%s) == %s"}
"""
A, B = Fraction(3, 5), Fraction(-7, 4)


def mean(text: str) -> float | None:
    (claim,) = read(SPEC % (text, "0")).claims
    fact = claim.steps[0].fact
    assert isinstance(fact, N.Relation)
    assert isinstance(fact.left, N.Expectation)
    found = mean_of_waves(claim, fact.left.body)
    if found is None:
        return None
    ((value,),) = evaluate(found, {"a": A, "b": B}, Context.of(claim))
    return float(enclose(value).mid())


@pytest.mark.parametrize(
    ("text", "name", "integrand"),
    [
        ("cos(a + u)", "u", lambda t: mpmath.cos(A + t)),
        ("cos(a + u)*cos(b + u)", "u", lambda t: mpmath.cos(A + t) * mpmath.cos(B + t)),
        ("sin(a + u)*cos(b - 2*u)", "u", lambda t: mpmath.sin(A + t) * mpmath.cos(-2 * t + B)),
        ("sin(u/3)**2 - b*sin(a + u/2)", "u", lambda t: mpmath.sin(t / 3) ** 2 - B * mpmath.sin(A + t / 2)),
        ("cos(v)**3*sin(v + a)", "v", lambda t: mpmath.cos(t) ** 3 * mpmath.sin(t + A)),
    ],
)
def test_means_are_integrals(text: str, name: str, integrand) -> None:
    low, high = (0, 2 * mpmath.pi) if name == "u" else (-1, mpmath.mpf(1) / 2)
    wanted = mpmath.quad(integrand, mpmath.linspace(low, high, 9)) / (high - low)
    assert mean(text) == pytest.approx(float(wanted), abs=1e-9)


@pytest.mark.parametrize(
    "text",
    [
        "exp(u)",
        "u**2 + a",  # others know these
        "u*cos(u)",
        "cos(a*u)",  # the speed may be 0
        "exp(u)*cos(u)",
        "cos(u**2)",
        "cos(w)",  # may be a single point
        "tanh(cos(u))",
    ],
)
def test_what_no_rule_gives(text: str) -> None:
    assert mean(text) is None


@pytest.mark.parametrize(
    ("left", "right", "wrong"),
    [
        (
            "sum(2*cos(G[i] @ x + U[i])*cos(G[i] @ y + U[i]), i, 1, m)/m",
            "exp(-norm(x - y)**2/2)",
            "exp(-norm(x + y)**2/2)",
        ),
        ("2*sin(a + U[1])*sin(b + U[1])", "cos(a - b)", "cos(a + b)"),
    ],
)
def test_verdicts(left: str, right: str, wrong: str) -> None:
    for side, wanted in ((right, "holds"), (wrong, "fails")):
        (verdict,) = verify(load_text(SPEC % (left, side)), Settings(trust="engines")).verdicts
        assert isinstance(verdict, Verdict)
        assert verdict.verdict == wanted, (side, verdict.reason)
