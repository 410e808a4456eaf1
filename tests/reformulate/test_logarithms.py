"""Logarithms written out: equal where both are numbers, and only where the form shows a value."""

import math

import pytest

from verifier.expr import nodes as N
from verifier.expr.text import to_text
from verifier.read.specs.load import load_text
from verifier.reformulate.logarithms import with_logarithms_written_out

SPEC = """
theorem: test/logarithms
symbols: {s: positive, a: real, g: normal()}
let: {p: exp(g)/s}
claims: {c: {says: "%s == 0"}}
"""


def written(text: str, assumed: frozenset[str] = frozenset()) -> str:
    claim = load_text(SPEC % text).claims[0]
    fact = claim.steps[0].fact
    assert isinstance(fact, N.Relation)
    return to_text(with_logarithms_written_out(claim, fact.left, assumed))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("log(exp(g))", "g"),
        ("log(s*exp(g))", "log(s) + g"),
        ("log(exp(g)/s)", "g - log(s)"),
        ("log(exp(g)**3)", "3*g"),
        ("log(sqrt(exp(g)))", "g/2"),
        ("log(sigmoid(g))", "-softplus(-g)"),
        ("log(p)", "g - log(s)"),
        ("a*log(exp(log(exp(g))))", "a*g"),
    ],
)
def test_what_is_positive_is_written_out(text: str, expected: str) -> None:
    assert written(text) == expected


@pytest.mark.parametrize(
    "text", ["log(a*exp(g))", "log(g**2)", "log(exp(g) + 1)", "log(exp(g) - s)", "exp(log(g))"]
)
def test_what_may_be_negative_or_zero_stays(text: str) -> None:
    assert written(text) == text


def test_a_name_with_an_assumed_value_stays() -> None:
    assert written("log(p)", frozenset({"p"})) == "log(p)"


@pytest.mark.parametrize("u", [-3.0, 0.0, 0.7])
def test_the_normal_density(u: float) -> None:
    assert written("log(phi(g))") == "-(g**2/2) - log(2*pi)/2"
    density = math.exp(-(u**2) / 2) / math.sqrt(2 * math.pi)
    assert math.log(density) == pytest.approx(-(u**2) / 2 - math.log(2 * math.pi) / 2)
