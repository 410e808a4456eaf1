"""Limits of continuous functions of matrices: the value at the limit, held against numbers close to it."""

from fractions import Fraction

import pytest

from verifier.claim.model import Claim
from verifier.exact.numbers.constants import enclose
from verifier.exact.values.evaluate import evaluate
from verifier.exact.values.point_context import Context
from verifier.expr import nodes as N
from verifier.read.specs.load import load_text
from verifier.reformulate.limits_of_continuous import at_limit

SPEC = """
theorem: claim/continuous
symbols:
  d: dimension
  m: dimension
  t: positive
  s: positive
  c: real
  z: vector(d)
  X: matrix(d, m)
  y: vector(m)
  W: normal(d, m, std=t)
let: {{p: softmax(z.T/t)}}
claims:
  c: {{says: "limit({body}, t, {target}) == 0"}}
"""
POINT = {
    "d": 3,
    "m": 2,
    "s": Fraction(3, 2),
    "c": -1,
    "z": (1, -2, 3),
    "X": ((1, 2), (0, -1), (3, 1)),
    "y": (2, -1),
}


def limit_of(body: str, target: str) -> tuple[Claim, N.Limit]:
    (claim,) = load_text(SPEC.format(body=body, target=target)).claims
    fact = claim.steps[0].fact
    assert isinstance(fact, N.Relation)
    assert isinstance(fact.left, N.Limit)
    return claim, fact.left


def number(claim: Claim, node: N.Node, t: Fraction) -> float:
    ((value,),) = evaluate(node, {**POINT, "t": t}, Context.of(claim))
    return float(enclose(value).mid())


@pytest.mark.parametrize(
    ("body", "target"),
    [
        ("p[1, 2]", "oo"),
        ("softmax(t*z.T)[1, 2]", "0"),
        ("norm(exp(z/t))**2", "oo"),
        ("norm(relu(z + ones(d)/t**2))", "oo"),
        ("inner(X @ y/(s + t), z) + tr(X.T @ X/(1 + t))", "0"),
        ("sum(tanh(z[i]*c/sqrt(t)), i, 1, d)", "oo"),
        ("norm(softmax(X*t), 2)", "2"),
        ("norm(gelu(X)/(s*t + 1) - X)**2", "oo"),
    ],
)
def test_the_value_is_what_numbers_close_by_come_to(body: str, target: str) -> None:
    claim, limit = limit_of(body, target)
    value = at_limit(claim, limit)
    assert value is not None
    close = Fraction(10) ** 12 if target == "oo" else int(target) + Fraction(1, 10**12)
    assert number(claim, value, Fraction(7)) == pytest.approx(number(claim, limit.body, close), abs=1e-5)


@pytest.mark.parametrize(
    ("body", "target"),
    [
        ("norm(t*z)", "oo"),  # grows
        ("norm(z)/t", "0"),
        ("norm(z/t)", "0"),
        ("norm(z*t)/t", "oo"),  # what grows may cancel, but not by these rules
        ("norm(z/(t*2**(-t)))", "oo"),  # the denominator tends to 0
        ("norm(rmsnorm(z.T/t))", "oo"),  # a jump at 0
        ("E(norm(z/t))", "oo"),
        ("1/t + c", "oo"),  # a limit of numbers alone
        ("norm(X) + E(norm(W))", "0"),  # the law moves too
    ],
)
def test_what_the_rules_do_not_give_is_left(body: str, target: str) -> None:
    assert at_limit(*limit_of(body, target)) is None


def test_sizes_and_bounded_variables_are_left() -> None:
    growing = (
        "theorem: a/b\nsymbols: {n: dimension, x: vector(n)}\n"
        "claims: {c: {says: 'limit(norm(x)/n, n, oo) == 0'}}"
    )
    bounded = (
        "theorem: a/b\nsymbols: {n: dimension, x: vector(n), t: positive}\nassumptions: {small: t <= 5}\n"
        "claims: {c: {says: 'limit(norm(x/t), t, oo) == 0'}}"
    )
    for text in (growing, bounded):
        (claim,) = load_text(text).claims
        limit = claim.steps[0].fact.left  # type: ignore[union-attr]
        assert isinstance(limit, N.Limit)
        assert at_limit(claim, limit) is None
