"""Scales of growth exp(r t**2 + q t) * t**p * log(t)**k, and sums of them for t >= start.

Coefficients are exact where possible and intervals (valid for every t >= start) where a remainder was
closed off. Scales are ordered by growth, so the leading term gives the sign and the limit.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, final

from flint import arb, fmpq

from verifier.exact.numbers.constants import ZERO, Exact, sign
from verifier.exact.numbers.interval import INF, NIL, UNIT, Interval
from verifier.exact.numbers.refusals import Imprecise

Number = int | fmpq  # plain integers where possible: they hash faster
Scale = tuple[Number, Number, Number, Number]  # r, q, p, k: compared in this order, which is growth
Coefficient = Exact | Interval
FLAT: Scale = (0, 0, 0, 0)
LINEAR: Scale = (0, 0, 1, 0)
SQUARE: Scale = (0, 0, 2, 0)
LOG: Scale = (0, 0, 0, 1)


@final
@dataclass(frozen=True)
class Tail:
    """sum of coefficient * scale, for t >= start."""

    start: fmpq
    terms: Mapping[Scale, Coefficient]

    @property
    def scales(self) -> list[Scale]:
        """Largest first."""
        return sorted(self.terms, reverse=True)

    def lead(self) -> tuple[Scale, Coefficient, int]:
        """The leading term and the sign of its coefficient."""
        if not self.terms:
            return FLAT, ZERO, 0
        top = max(self.terms)
        return top, self.terms[top], _sign(self.terms[top])

    def limit(self) -> "Coefficient | None":
        """The limit as t grows, exact where it is; None where it is infinite."""
        growing = [scale for scale in self.terms if scale > FLAT]
        return None if growing else self.terms.get(FLAT, ZERO)

    def range(self) -> Interval:
        """An enclosure over all t >= start."""
        if not self.terms:
            return Interval(NIL, NIL)
        top = max(self.terms)
        if top == FLAT:  # the limit, and the rest with the sign of its own leading term
            rest = {scale: c for scale, c in self.terms.items() if scale != FLAT}
            return _interval(self.terms[FLAT]) + Tail(self.start, rest).range()
        return bracket(self, top) * _scale_range(top, self.start)

    def sign(self) -> int:
        """-1, 0 or 1: the sign for every t >= start; raises Imprecise where it may change."""
        if not self.terms:
            return 0
        found = bracket(self, max(self.terms))
        if found.lo > 0 or found.hi < 0:
            return 1 if found.lo > 0 else -1
        raise Imprecise("the sign near the end of the domain")


def _sign(value: Coefficient) -> int:
    if not isinstance(value, Interval):
        return sign(value)
    if value.lo > 0 or value.hi < 0:
        return 1 if value.lo > 0 else -1
    raise Imprecise("the leading term near the end of the domain")


def _interval(value: Coefficient) -> Interval:
    return value if isinstance(value, Interval) else Interval.of(value)


def plus(left: Coefficient, right: Coefficient) -> Coefficient:
    if isinstance(left, Interval) or isinstance(right, Interval):
        return _interval(left) + _interval(right)
    total: Any = left + right
    return Interval.of(total) if isinstance(total, arb) else total


def by(left: Coefficient, right: Coefficient) -> Coefficient:
    if isinstance(left, Interval) or isinstance(right, Interval):
        return _interval(left) * _interval(right)
    product: Any = left * right
    return Interval.of(product) if isinstance(product, arb) else product


def times_scale(left: Scale, right: Scale) -> Scale:
    a, b, c, d = left
    e, f, g, h = right
    return plain(a + e), plain(b + f), plain(c + g), plain(d + h)


def power_scale(scale: Scale, exponent: Number) -> Scale:
    r, q, p, k = (plain(number * exponent) for number in scale)
    return r, q, p, k


def plain(number: Number) -> Number:
    return int(number.p) if isinstance(number, fmpq) and number.q == 1 else number


def ratio(scale: Scale, top: Scale) -> Scale:
    return times_scale(scale, power_scale(top, -1))


def bracket(tail: Tail, top: Scale) -> Interval:
    """The tail divided by `top`, which is at least its leading scale: a bounded function."""
    total = Interval(NIL, NIL)
    for scale, coefficient in tail.terms.items():
        total = total + _interval(coefficient) * _scale_range(ratio(scale, top), tail.start)
    return total


@lru_cache(maxsize=2048)
def _scale_range(scale: Scale, start: fmpq) -> Interval:
    """The range of a scale over t >= start, where it is monotone: [0, s(start)], 1 or [s(start), oo)."""
    if scale == FLAT:
        return Interval(UNIT, UNIT)
    falling = scale < FLAT
    _check_monotone(scale if falling else power_scale(scale, -1), start)
    r, q, p, k = scale
    b = arb(start)
    value = (arb(r) * b * b + arb(q) * b).exp() * b**p * (b.log() ** k if k else UNIT)
    return Interval(NIL, value.upper()) if falling else Interval(max(value.lower(), NIL), INF)


def _check_monotone(scale: Scale, start: fmpq) -> None:
    """t * (log s)' = 2 r t**2 + q t + p + k/log(t) stays <= 0 from `start` on."""
    r, q, p, k = scale
    turned = 4 * r * start + q <= 0 if r or q else True
    at_start = arb(2 * r * start * start + q * start + p)
    if k > 0:
        at_start += arb(k) / arb(start).log()
    if not (turned and at_start <= 0):
        raise Imprecise("the tail begins too early")
