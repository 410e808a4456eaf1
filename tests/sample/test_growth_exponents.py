"""Exponents over a sweep: powers are seen, everything that only looks like one is left open."""

import math
from fractions import Fraction

import pytest

from verifier.sample.growth_exponents import Ratio, Slope, fits, hull, is_true, simple_exponent, steps

SIZES = (8, 16, 32, 64, 128, 256)


def sweep(function, width=0.01):
    return steps([Ratio(n, function(n) * (1 - width), function(n) * (1 + width), True) for n in SIZES])


@pytest.mark.parametrize(
    ("function", "exponent"),
    [
        (lambda n: 3.0, Fraction(0)),
        (lambda n: 5 * n**1.5, Fraction(3, 2)),
        (lambda n: n ** (-1 / 3), Fraction(-1, 3)),
        (lambda n: n * (1 + 1 / n), Fraction(1)),
        (lambda n: 1 - 0.5 / n, Fraction(0)),
    ],
)
def test_a_power_has_its_exponent_at_every_step(function, exponent):
    whole = hull(sweep(function))
    assert whole is not None
    assert whole.low - 0.05 < exponent < whole.high + 0.05
    assert simple_exponent(sweep(function)) == exponent


@pytest.mark.parametrize(
    "function",
    [
        math.log,
        lambda n: math.sqrt(math.log(n)),
        lambda n: n / math.log(n),
        lambda n: n + 1000,
        lambda n: n + 30,
        lambda n: n**0.1,
        lambda n: n**0.4,
        lambda n: 1.01**n,
        lambda n: math.exp(-n / 50),
        lambda n: n / (1 + n / 100),
    ],
)
def test_logarithms_crossovers_and_strange_exponents_are_left_open(function):
    assert simple_exponent(sweep(function, 0.002)) is None


def test_wide_intervals_and_short_sweeps_say_nothing():
    assert simple_exponent(sweep(lambda n: 1.0, 0.2)) is None
    assert simple_exponent(sweep(lambda n: 1.0)[:2]) is None
    assert hull([]) is None


def test_what_an_exponent_of_the_ratio_means_for_each_kind():
    assert [is_true("O", Fraction(k)) for k in (-1, 0, 1)] == [True, True, False]
    assert [is_true("Omega", Fraction(k)) for k in (-1, 0, 1)] == [False, True, True]
    assert [is_true("Theta", Fraction(k)) for k in (-1, 0, 1)] == [False, True, False]
    assert fits("Theta", Slope(0.1, 0.3))
    assert not fits("Theta", Slope(0.25, 0.3))
