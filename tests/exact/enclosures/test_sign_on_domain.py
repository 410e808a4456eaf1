"""Inequalities of one variable: right ones proved, wrong ones refuted, touching ones not guessed."""

from typing import Any

import mpmath
import pytest
from flint import ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from tests.exact.helpers import X, functions, number, q, rationals, witness
from verifier.exact.enclosures.domains import Domain
from verifier.exact.enclosures.sign_on_domain import Sign, prove_sign
from verifier.exact.enclosures.term_calculus import differentiate
from verifier.exact.enclosures.term_signs import decide_sign
from verifier.exact.numbers import operations as ar
from verifier.timer import worked

LINE = Domain()
ONE = fmpq(1)


@pytest.fixture(autouse=True)
def _precision() -> None:
    ctx.prec = 96


def decide(term: Any, domain: Domain = LINE, strict: bool = False) -> Sign:
    return decide_sign(term, "x", domain, strict, worked() + 5)


def apply(name: str, u: Any = X) -> Any:
    return ar.apply(name, u)


SQRT_2 = ar.apply("sqrt", fmpq(2))
GELU_SLOPE = differentiate(ar.apply("gelu", X), "x")
GELU_TOP = ar.apply("Phi", SQRT_2) + SQRT_2 * ar.apply("phi", SQRT_2)
TANH_BEND = differentiate(differentiate(ar.apply("tanh", X), "x"), "x")
TOUCHING = {
    "gelu' at sqrt 2": (GELU_TOP - GELU_SLOPE, LINE),
    "x - log(1 + x) at 0": (X - apply("log", ONE + X), Domain(fmpq(-1), None, low_open=True)),
    "exp(x) - e x at 1": (apply("exp") - apply("exp", ONE) * X, LINE),
    "x log x + 1/e at 1/e": (X * apply("log") + apply("exp", -ONE), Domain(fmpq(0), None, low_open=True)),
    "cos x against its parabola": (apply("cos") - ONE + fmpq(1, 2) * X * X, LINE),
    "tanh'' at exp(2x) = 2 + sqrt 3": (fmpq(4, 9) * apply("sqrt", fmpq(3)) - TANH_BEND, LINE),
    "fourth order": (ar.power(X, fmpq(4)), LINE),
    "a kink": (apply("abs", X - ONE), LINE),
    "zero on a half line": (apply("relu"), LINE),
}


@pytest.mark.parametrize("name", TOUCHING)
def test_a_touching_inequality_is_proved_but_not_strictly(name: str) -> None:
    term, domain = TOUCHING[name]
    found = decide(term, domain)
    assert found.outcome == "proved"
    assert found.zeros or found.approached
    assert decide(term, domain, strict=True).outcome != "proved"


@pytest.mark.parametrize("name", TOUCHING)
def test_a_hair_less_room_is_refuted(name: str) -> None:
    term, domain = TOUCHING[name]
    found = decide(term - fmpq(1, 10**5), domain)
    assert found.outcome == "refuted"


@pytest.mark.parametrize("name", TOUCHING)
def test_a_hair_more_room_is_proved_strictly(name: str) -> None:
    term, domain = TOUCHING[name]
    assert decide(term + fmpq(1, 10**5), domain, strict=True).outcome == "proved"


def test_strict_limits_at_infinity() -> None:
    assert decide(ONE - apply("tanh"), strict=True).outcome == "proved"
    assert decide(apply("Phi"), strict=True).outcome == "proved"
    assert decide(apply("sigmoid") - fmpq(1, 10**6), strict=True).outcome == "refuted"


def test_a_point_of_touch_without_a_closed_form_stays_unknown() -> None:
    # (x - cos x)**2 touches zero at the fixed point of cos, expanded so that no form shows it.
    term = ar.power(X, fmpq(2)) - fmpq(2) * X * apply("cos") + ar.power(apply("cos"), fmpq(2))
    assert decide(term).outcome == "unknown"


def test_poles_and_holes() -> None:
    assert decide(fmpq(100) - ar.inverse(X)).outcome == "refuted"
    assert decide(ar.power(X, fmpq(-2)), strict=True).outcome == "proved"
    found = decide(fmpq(5) - apply("log", fmpq(100) - X))
    assert found.outcome == "refuted"
    assert decide(ONE - apply("sin") * ar.inverse(X)).holes == ("x = 0",)


def test_an_excluded_point_does_not_refute() -> None:
    assert decide(ar.power(X, fmpq(2)), Domain(excluded=(fmpq(0),)), strict=True).outcome == "proved"
    assert decide(ar.power(X, fmpq(2)), strict=True).outcome == "refuted"


def test_integers_alone_count() -> None:
    # (n - 1/2)**2 >= 1/4 at every integer, though not between 0 and 1.
    term = ar.power(X - fmpq(1, 2), fmpq(2)) - fmpq(1, 4)
    assert decide(term, Domain(integer=True)).outcome == "proved"
    assert decide(term).outcome == "refuted"
    assert decide(term - fmpq(1, 100), Domain(integer=True)).outcome == "refuted"
    square = ar.power(X - fmpq(7, 2), fmpq(2))
    assert decide(square).zeros
    between = decide(square, Domain(integer=True))
    assert between.outcome == "proved"
    assert not between.zeros
    assert not between.approached


@given(functions(), rationals, st.booleans())
def test_verdicts_agree_with_samples(term: Any, level: Any, strict: bool) -> None:
    mpmath.mp.dps = 40
    found = prove_sign(term - q(level), "x", LINE, strict, worked() + 0.5)
    if found.outcome == "proved":
        for k in range(-60, 61):
            x = mpmath.sinh(mpmath.mpf(k) / 12)
            assert witness(term, x) - mpmath.mpf(level.numerator) / level.denominator >= -(
                mpmath.mpf(10) ** -25
            )
    if found.outcome == "refuted":
        assert found.point is not None
        value = witness(term, number(found.point)) - mpmath.mpf(level.numerator) / level.denominator
        assert value <= mpmath.mpf(10) ** -25
