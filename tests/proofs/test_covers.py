"""Covers and orders of magnitude that are found, and their false siblings, for which nothing is."""

from fractions import Fraction

import pytest

from tests.proofs.examples import claims
from verifier.evidence import Finding
from verifier.kernel.check import check
from verifier.proofs.boxes import simplest
from verifier.proofs.propose import propose
from verifier.proofs.statement import context_of, goal
from verifier.proofs.text import from_data, to_data

FOUND = Finding("rigorous", "true", "certified", "it is so")
SYMBOLS = """\
theorem: toy/covers
symbols: {x: real, y: real, a: positive, n: dimension, k: integer, t: "interval(0, 1)", r: "interval(-1, 1)"}
assumptions: {near: x <= 3, far: x >= -3, low: y >= 1/2, high: y <= 3}
let: {kappa: (sqrt(1 - r**2) + r*(pi - acos(r)))/pi}
claims:
  statement: {says: "{says}", under: [{under}]}
"""


def rules_of(says: str, under: str = "") -> set[str]:
    """The rules of the proof that is found, once it has been written, read again and checked."""
    (claim,) = claims(SYMBOLS.replace("{says}", says).replace("{under}", under)).values()
    proof = from_data(to_data(propose(claim, claim.steps[0], FOUND)), claim)
    checked = check(context_of(claim), proof, goal(claim.steps[0], True))
    assert checked.is_proof != ("trust" in proof.rules)
    assert checked.exact == ("cover" not in proof.rules)
    return set(proof.rules)


@pytest.mark.parametrize(
    ("true", "false", "under"),
    [
        ("D(gelu(x), x) in [-0.13, 1.13]", "D(gelu(x), x) in [-0.12, 1.13]", ""),
        ("silu(x) >= -0.2785", "silu(x) >= -0.2784", ""),
        ("a*log(a) >= -0.37", "a*log(a) >= -0.36", ""),
        ("D(D(gelu(x), x), x) >= -2*exp(-2)/sqrt(2*pi)", "D(D(gelu(x), x), x) >= -exp(-2)/sqrt(2*pi)", ""),
        ("x**2*exp(-x**2) <= exp(-1)", "x**2*exp(-x**2) < exp(-1)", ""),
        ("kappa >= r", "kappa > r", ""),
        ("softplus(x) - relu(x) <= 0.7", "softplus(x) - relu(x) <= 0.69", ""),
        ("k**2 >= k", "(k - 1/4)**2 >= 1/4", ""),
        ("x*sin(x) <= 1.9", "x*sin(x) <= 1.8", "near, far"),
        ("exp(-t)*cos(t) >= 0.19", "exp(-t)*cos(t) >= 0.2", ""),
        ("sin(t)*cos(r) + t*r <= 1.5", "sin(t)*cos(r) + t*r <= 1.4", ""),
        ("atan(x) <= 1.6", "atan(x) <= 1.5", ""),
    ],
)
def test_what_is_true_over_a_region_is_proved_there(true: str, false: str, under: str) -> None:
    assert "cover" in rules_of(true, under)
    assert rules_of(false, under) == {"trust"}


@pytest.mark.parametrize(
    ("true", "false", "under"),
    [
        ("y == order(1)", "y == order(10)", "low, high"),
        ("y >= order(1e-1)", "y >= order(1)*order(1e1)", "low, high"),
        ("1/sqrt(768) == order(1e-1)", "1/sqrt(768) == order(1e-2)", ""),
        ("exp(-a) <= order(1)", "exp(a) <= order(1)", ""),
        ("order(1e-2)/order(1e-1) == order(1e-1)", "order(1e-2, 1e-1)/order(1e-1) == order(1e-1)", ""),
    ],
)
def test_orders_of_magnitude(true: str, false: str, under: str) -> None:
    assert "magnitude" in rules_of(true, under)
    assert rules_of(false, under) == {"trust"}


def test_the_simplest_fraction_between_two() -> None:
    assert simplest(Fraction(-1, 8), Fraction(1, 8)) == 0
    assert simplest(Fraction(7, 5), Fraction(8, 5)) == Fraction(3, 2)
    assert simplest(Fraction(-7, 2), Fraction(-13, 4)) == Fraction(-7, 2)
