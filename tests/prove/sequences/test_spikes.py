"""The explicit sequences are what they are said to be: chances and moments of members far out."""

from fractions import Fraction
from itertools import islice

import pytest

from verifier.expr import nodes as N
from verifier.kernel.sequences.modes import Chance, Moment
from verifier.kernel.sequences.spikes import Spike
from verifier.prove.sequences.spikes import described, library

GAP = N.Symbol("Z")
SPIKES = list(library())
FAR, FARTHER = 4**8, 4**10


def chance(spike: Spike, i: int, above: Fraction, strict: bool) -> float:
    """P(|Z_i| > above) by its two values."""
    p = float(i) ** -float(spike.rarity)
    size = float(spike.height) * float(i) ** float(spike.power)
    exceeds = [value > above if strict else value >= above for value in (size, 0.0)]
    return p * exceeds[0] + (1 - p) * exceeds[1]


def moment(spike: Spike, i: int, power: int, signed: bool) -> float:
    p = float(i) ** -float(spike.rarity)
    size = float(spike.height) * float(i) ** float(spike.power)
    return 0.0 if signed and spike.fair else p * size**power


def assert_order(order: Fraction | None, far: float, farther: float) -> None:
    """far and farther, 16 times as far out, go like i**order."""
    if order is None:
        assert far == farther == 0
    else:
        assert farther / far == pytest.approx(16.0 ** float(order))


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("above", [Fraction(-1), Fraction(0), Fraction(1, 2), Fraction(1), Fraction(3)])
def test_chances(above: Fraction, strict: bool) -> None:
    for spike in SPIKES:
        order = spike.order(Chance(GAP, N.Number(above), strict=strict), above)
        at = [chance(spike, i, above, strict) for i in (FAR, FARTHER)]
        if above <= 0 and order == 0:
            assert at[0] == pytest.approx(at[1])
        else:
            assert_order(order, *at)


def test_chances_for_every_threshold() -> None:
    for spike in SPIKES:
        order = spike.order(Chance(GAP, None), None)
        small = Fraction(1, 3)  # below all heights, and above all powers that vanish, far out
        assert_order(order, *(chance(spike, i, small, True) for i in (FAR, FARTHER)))


@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize("power", [1, 3])
def test_moments(power: int, signed: bool) -> None:
    for spike in SPIKES:
        order = spike.order(Moment(GAP, Fraction(power), signed), None)
        assert_order(order, *(moment(spike, i, power, signed) for i in (FAR, FARTHER)))


def test_which_converge() -> None:
    one = Fraction(1)
    assert Spike(Fraction(0)).converges
    assert not Spike(one).converges
    assert not Spike(one, fair=True).converges
    assert Spike(one, -one).converges
    assert not Spike(one, one).converges
    # Independent events happen infinitely often iff their chances have no finite sum.
    assert not Spike(one, rarity=one).converges
    assert not Spike(one, -Fraction(0), Fraction(1, 2)).converges
    assert Spike(one, one, 2 * one).converges
    # U < 1/i happens finitely often for every U > 0, however large Z_i is there.
    assert Spike(one, 2 * one, Fraction(1, 2), nested=True).converges
    assert Spike(one, -one, rarity=one).converges


def test_words() -> None:
    half, one = Fraction(1, 2), Fraction(1)
    assert described(Spike(Fraction(0)), one) == "1 for every i"
    assert described(Spike(half), Fraction(0)) == "1/2 for every i"
    assert described(Spike(one, -one), Fraction(0)) == "1/i for every i >= 1"
    assert described(Spike(one, fair=True), Fraction(0)) == "s_i for every i, with independent fair signs s_i"
    independent = described(Spike(one, 2 * one, one), one)
    assert independent == "1 + i**2 with chance 1/i and 1 otherwise, independently for every i >= 1"
    nested = described(Spike(one, half, 2 * one, nested=True), Fraction(0))
    assert nested == "i**(1/2) where U < 1/i**2 and 0 elsewhere, with one U uniform on [0, 1]"


def test_the_simple_ones_come_first() -> None:
    assert [spike.is_sure for spike in islice(library(), 7)] == [True] * 7
    assert len(set(SPIKES)) == len(SPIKES)
