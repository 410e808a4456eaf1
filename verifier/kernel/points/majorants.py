"""Bounds of what is drawn: that a mean exists, and how little of it is far out.

Every entry is a linear function of variables z: standard normal ones, and uniform ones between 0 and 1. A
function of entries is at most size * exp(sum of rates * |z|) over all normal z; under that majorant the mean
exists, and what lies beyond |z| = T is as small as erfc says.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import factorial
from typing import Any

from flint import arb, fmpq

from verifier.kernel.boxes import functions as boxed
from verifier.kernel.boxes import interval as iv
from verifier.kernel.boxes.interval import Interval
from verifier.kernel.points import polynomials as poly
from verifier.kernel.points import values as v
from verifier.kernel.points.polynomials import Composite, Entry, Factor, Monomial, Scalar
from verifier.kernel.points.values import Ball
from verifier.kernel.rejected import Rejected

BOUNDED = {"tanh": 1, "sigmoid": 1, "sin": 1, "cos": 1, "Phi": 1, "erf": 1, "step": 1, "above": 1, "less": 1}
BOUNDED |= {"sign": 1, "atan": 2, "asin": 2, "acos": 4}
UNIT = Interval(iv.NONE, iv.UNIT)
MOST_POWER = 200
MOST_QUOTIENTS = 8


@dataclass(frozen=True)
class Drawn:
    """An entry: start + sum of slopes * z over normal variables, or low + slope * z over a uniform one."""

    start: Ball
    slopes: Mapping[int, Ball]
    is_normal: bool

    @cached_property
    def range(self) -> Interval:
        if not self.slopes:
            return iv.of_ball(self.start)
        if self.is_normal:
            return iv.REALS
        (width,) = self.slopes.values()
        return iv.joined(iv.of_ball(self.start), iv.of_ball(self.start + width))


@dataclass(frozen=True)
class Majorant:
    """size * exp(sum of rates * |z|)."""

    size: Ball
    rates: Mapping[int, Ball]

    def plus(self, other: "Majorant") -> "Majorant":
        names = self.rates.keys() | other.rates.keys()
        rates = {name: self.rates.get(name, iv.NONE).max(other.rates.get(name, iv.NONE)) for name in names}
        return Majorant(self.size + other.size, rates)

    def times(self, other: "Majorant") -> "Majorant":
        names = self.rates.keys() | other.rates.keys()
        rates = {name: self.rates.get(name, iv.NONE) + other.rates.get(name, iv.NONE) for name in names}
        return Majorant(self.size * other.size, rates)

    @property
    def total(self) -> Ball:
        """At least the mean of the majorant."""
        found = self.size
        for rate in self.rates.values():
            found *= 2 * (rate * rate / 2).exp()
        return found

    def beyond(self, end: int, variables: int) -> Ball:
        """At least the mean of the majorant where some |z| is beyond the end: E(exp(a|z|)) is at most
        2*exp(a**2/2), and exp(a**2/2)*erfc((T - a)/sqrt(2)) beyond T."""
        total = arb(0)
        for name in range(variables):
            part = self.size
            for other in range(variables):
                rate = self.rates.get(other, iv.NONE)
                bell = (rate * rate / 2).exp()
                part *= bell * (((end - rate) / arb(2).sqrt()).erfc() if other == name else arb(2))
            total += part
        return total


@dataclass(frozen=True)
class Linear:
    """start + sum of slopes * |z|, a bound from above of an absolute value."""

    start: Ball
    slopes: Mapping[int, Ball]

    def plus(self, other: "Linear", times: Ball) -> "Linear":
        names = self.slopes.keys() | other.slopes.keys()
        slopes = {
            name: self.slopes.get(name, iv.NONE) + times * other.slopes.get(name, iv.NONE) for name in names
        }
        return Linear(self.start + times * other.start, slopes)


NOTHING = Linear(iv.NONE, {})


def normalised(monomial: Monomial) -> tuple[Ball, Monomial]:
    """exp(a)*exp(b)/(c*exp(a) + d*exp(b) + ...)**2 is at most 1/(c*d), of positive c, d: a bound of such
    factors, and those that are left."""
    sums: list[list[tuple[Monomial, Any]]] = []
    below: set[Factor] = set()
    for factor, power in monomial:
        if isinstance(factor, Composite) and factor.name == "power":
            base, exponent = factor.args
            count = -exponent * power
            if count.q == 1 and 0 < count <= MOST_QUOTIENTS and _is_sum_of_exponentials(base):
                below.add(factor)
                sums += [list(base.terms.items())] * int(count)
    inside = {factor for terms in sums for each, _ in terms for factor, _ in each}
    above = {factor: power for factor, power in monomial if factor in inside}
    if not sums or len(sums) > MOST_QUOTIENTS or (found := _divided(above, sums)) is None:
        return iv.UNIT, monomial
    return iv.UNIT / found, tuple(item for item in monomial if item[0] not in below | above.keys())


def _is_sum_of_exponentials(base: Scalar) -> bool:
    """exp(a) + exp(b) + 1, with positive factors: each term is at most the sum."""
    terms = poly.terms_of(base)
    factors = (factor for monomial in terms for factor, _ in monomial)
    return all(map(poly.is_exponential, factors)) and all(v.enclose(value) > 0 for value in terms.values())


def _divided(above: Mapping[Factor, Any], sums: list[list[tuple[Monomial, Any]]]) -> Ball | None:
    """The product of the numbers in front of terms, one of each sum, whose product is this one of
    exponentials; None if there are no such terms."""
    if not sums:
        return None if any(above.values()) else iv.UNIT
    for monomial, value in sums[0]:
        left = dict(above)
        for factor, power in monomial:
            left[factor] = left.get(factor, 0) - power
        if (found := _divided(left, sums[1:])) is not None:
            return found * v.enclose(value)
    return None


@dataclass(frozen=True)
class Bounds:
    """Bounds of scalars in these entries."""

    entries: Mapping[Entry, Drawn]

    # Ranges

    def range(self, scalar: Scalar) -> Interval:
        """All values of a scalar."""
        total = iv.of_number(0)
        for monomial, value in poly.terms_of(scalar).items():
            part = iv.of_ball(v.enclose(value))
            for factor, power in monomial:
                part = iv.times(part, self._range_of(factor, power))
            total = iv.plus(total, part)
        return total

    def _range_of(self, factor: Factor, power: int | fmpq) -> Interval:
        if not isinstance(factor, Composite):
            return iv.power(self.entries[factor].range, int(power))
        if poly.is_exponential(factor):
            inside = iv.times(iv.of_ball(arb(fmpq(power))), self.range(factor.args[0]))
            return boxed.applied("exp", (inside,))
        return iv.power(self._range_of_composite(factor), int(power))

    def _range_of_composite(self, factor: Composite) -> Interval:
        if factor.name in ("above", "less"):
            return UNIT
        if factor.name == "power":
            base, exponent = factor.args
            inside = self.range(base)
            if exponent.q == 1:
                return iv.power(inside, int(exponent.p))
            return iv.root(inside, Fraction(int(exponent.p), int(exponent.q)))
        return boxed.applied(factor.name, tuple(map(self.range, factor.args)))

    # Majorants

    def majorant(self, scalar: Scalar) -> Majorant:
        """What the size of a scalar is at most."""
        total = Majorant(iv.NONE, {})
        for monomial, value in poly.terms_of(scalar).items():
            size, rest = normalised(monomial)
            part = Majorant(abs(v.enclose(value)) * size, {})
            for factor, power in rest:
                part = part.times(self._majorant_of(factor, power))
            total = total.plus(part)
        return total

    def is_positive(self, scalar: Scalar) -> bool:
        """A sum of terms of which none is negative and one is positive, by the signs of their factors."""
        found = False
        for monomial, value in poly.terms_of(scalar).items():
            spans = [self._range_of(factor, power) for factor, power in monomial]
            if not v.enclose(value) > 0 or not all(span.low >= 0 for span in spans):
                return False
            pairs = zip(monomial, spans, strict=True)
            found |= all(poly.is_exponential(factor) or span.low > 0 for (factor, _), span in pairs)
        return found

    def _majorant_of(self, factor: Factor, power: int | fmpq) -> Majorant:
        if isinstance(factor, Composite):
            if poly.is_exponential(factor):
                return self._exponential(factor.args[0], power)
            return self._raised(self._of_composite(factor), int(power))
        if int(power) > MOST_POWER:
            raise Rejected("too-large", f"a power beyond {MOST_POWER}")
        entry = self.entries[factor]
        size = abs(entry.start)
        for slope in entry.slopes.values():
            size += abs(slope)
        names = entry.slopes if entry.is_normal else ()
        # max(1, t)**k <= k! * exp(t)
        many = factorial(int(power)) ** len(names)
        return Majorant(size ** int(power) * many, dict.fromkeys(names, iv.UNIT))

    def _raised(self, base: Majorant, power: int) -> Majorant:
        if power > MOST_POWER:
            raise Rejected("too-large", f"a power beyond {MOST_POWER}")
        return Majorant(base.size**power, {name: rate * power for name, rate in base.rates.items()})

    def _of_composite(self, factor: Composite) -> Majorant:
        name, args = factor.name, factor.args
        if name in BOUNDED:
            return Majorant(arb(BOUNDED[name]), {})
        one = Majorant(iv.UNIT, {})
        match name:
            case "abs" | "relu":
                return self.majorant(args[0])
            case "softplus":
                return self.majorant(args[0]).plus(one)
            case "max" | "min":
                return self.majorant(args[0]).plus(self.majorant(args[1]))
            case "exp":
                return self._exponential(args[0], fmpq(1))
            case "log":
                low = self.range(args[0]).low
                if low > 0:
                    return self.majorant(args[0]).plus(Majorant(abs(low.log()), {}))
            case "power":
                return self._power(args[0], args[1])
        raise Rejected("no-mean", f"no bound of {name} of something drawn")

    def _power(self, base: Scalar, exponent: fmpq) -> Majorant:
        """(1 + |b|)**k for an exponent that is not negative, at most k; else what b is away from 0."""
        if exponent >= 0:
            return self._raised(self.majorant(base).plus(Majorant(iv.UNIT, {})), int(exponent.ceil()))
        span = iv.size(self.range(base))
        if not span.low > 0:
            raise Rejected("no-mean", "a quotient by something drawn that may be close to 0")
        return Majorant(span.low ** arb(exponent), {})

    def _exponential(self, monomial: Scalar, power: fmpq | int) -> Majorant:
        """exp(c*m): 1 where c*m is not positive; else m is at most linear."""
        rate = arb(fmpq(power))
        if iv.times(iv.of_ball(rate), self.range(monomial)).high <= 0:
            return Majorant(iv.UNIT, {})
        bound = self.linear(monomial)
        return Majorant(
            (abs(rate) * bound.start).exp(), {name: abs(rate) * slope for name, slope in bound.slopes.items()}
        )

    def linear(self, scalar: Scalar) -> Linear:
        """A bound of the size that is linear in the |z|."""
        total = NOTHING
        for monomial, value in poly.terms_of(scalar).items():
            size, own = abs(v.enclose(value)), Linear(iv.UNIT, {})
            for factor, power in monomial:
                bound = self._linear_of(factor, power)
                if own.slopes and bound.slopes:
                    raise Rejected(
                        "no-mean", "an exponential of something that is not linear in what is drawn"
                    )
                first, second = (own, bound) if own.slopes else (bound, own)
                own = NOTHING.plus(first, second.start)
            total = total.plus(own, size)
        return total

    def _linear_of(self, factor: Factor, power: int | fmpq) -> Linear:
        span = iv.size(self._range_of(factor, power))
        if span.high.is_finite():
            return Linear(span.high, {})
        if power == 1 and isinstance(factor, Composite):
            match factor.name:
                case "abs" | "relu":
                    return self.linear(factor.args[0])
                case "softplus":
                    return self.linear(factor.args[0]).plus(Linear(iv.UNIT, {}), iv.UNIT)
                case "max" | "min":
                    return self.linear(factor.args[0]).plus(self.linear(factor.args[1]), iv.UNIT)
        if power == 1 and not isinstance(factor, Composite):
            entry = self.entries[factor]
            return Linear(abs(entry.start), {name: abs(slope) for name, slope in entry.slopes.items()})
        raise Rejected("no-mean", "an exponential of something that is not linear in what is drawn")
