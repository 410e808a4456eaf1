"""Where D(E(f), t) is E(D(f, t)): not through jumps, and not where the slope has no mean."""

import pytest

from verifier.claim.integrability import bodies, exchanges
from verifier.expr import nodes as N
from verifier.read.specs.load import load_text

SPEC = """
theorem: toy/exchange
symbols:
  n: dimension
  t: real
  s: positive
  c: positive
  x: vector(n)
  g: normal()
  k: normal(std=t**2)
  w: normal(n)
  r: rademacher()
let:
  step: indicator(g <= t)
claims:
  c: {says: "D(%s, t) == 0"}
"""


def exchanged(of: str) -> bool:
    (claim,) = load_text(SPEC % of).claims
    fact = claim.steps[0].fact
    assert isinstance(fact, N.Relation)
    assert isinstance(fact.left, N.Derivative)
    return all(exchanges(claim, body, fact.left.by) for body in bodies(fact.left.of))


@pytest.mark.parametrize(
    "of",
    [
        "E(tanh(t*g)**2)",
        "E(relu(g + t))",
        "E(abs(g - t)*exp(t*g))",
        "Var(sin(t*g))",
        "Cov(g, gelu(t*g))",
        "E(norm(t*w + x))",
        "E(exp(k))",
        "E(log(1 + t**2*g**2))",
        "D(E(tanh(t*g)), t)",
        "t*P(g <= c)",
        "t**2*E(indicator(r > 0))",
    ],
)
def test_smooth(of: str) -> None:
    assert exchanged(of)


@pytest.mark.parametrize(
    "of",
    [
        "P(g <= t)",
        "P(exp(g) <= t)",
        "P(k <= c)",
        "E(step*g)",
        "Var(step)",
        "Cov(step, g)",
        "E((g - t)/abs(g - t))",
        "E(atan(1/(g - t)))",
        "E((g - t)/sqrt((g - t)**2))",
        "E(log(abs(g - t)))",
        "D(E(relu(g + t)), t)",
        "D(E(norm(w - t*x)), t)",
        "E(D(abs(g - t), t))",
        "E(exp(t*g**2))",
        "E(limit(tanh(n*(g - t)), n, oo))",
        "sin(t) + E(max(D(max(g, t), t), 0))",
    ],
)
def test_not_through_jumps(of: str) -> None:
    assert not exchanged(of)
