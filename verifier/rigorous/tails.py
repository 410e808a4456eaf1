"""Enclosures of a function near infinity, a pole or any exact point.

For t >= b a function is a sum of coefficient * exp(r t**2 + q t) * t**p * log(t)**k, the coefficients
exact where possible and intervals (valid for every t >= b) where a remainder was closed off. The
scales are ordered by growth, so the leading term gives the sign and the limit, and what is exact
cancels exactly: tanh(t) - 1 is -2 exp(-2t) + ..., negative for certain. A finite point p is reached
through x = p + 1/t or p - 1/t.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, final

from flint import arb, fmpq

from verifier.rigorous import calculus, elementary
from verifier.rigorous.closed import HALF, ONE, PI, TWO, ZERO, Closed, Exact, constant, is_zero, power, sign
from verifier.rigorous.interval import INF, NIL, UNIT, Interval
from verifier.rigorous.program import enclosed
from verifier.rigorous.refusals import Imprecise, Undefined, Unsupported
from verifier.rigorous.terms import Term, Variable, call, raise_to

Number = int | fmpq  # plain integers where possible: they hash faster
Scale = tuple[Number, Number, Number, Number]  # r, q, p, k: compared in this order, which is growth
Coefficient = Exact | Interval
FLAT: Scale = (0, 0, 0, 0)
LINEAR: Scale = (0, 0, 1, 0)
SQUARE: Scale = (0, 0, 2, 0)
LOG: Scale = (0, 0, 0, 1)
ORDERS = (4, 9)  # terms of an expansion: a few are usually enough, more are tried where they are not


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
        return _bracket(self, top) * _scale_range(top, self.start)

    def sign(self) -> int:
        """-1, 0 or 1: the sign for every t >= start; raises Imprecise where it may change."""
        if not self.terms:
            return 0
        bracket = _bracket(self, max(self.terms))
        if bracket.lo > 0 or bracket.hi < 0:
            return 1 if bracket.lo > 0 else -1
        raise Imprecise("the sign near the end of the domain")


def _sign(value: Coefficient) -> int:
    if not isinstance(value, Interval):
        return sign(value)
    if value.lo > 0 or value.hi < 0:
        return 1 if value.lo > 0 else -1
    raise Imprecise("the leading term near the end of the domain")


def _interval(value: Coefficient) -> Interval:
    return value if isinstance(value, Interval) else Interval.of(value)


def _plus(left: Coefficient, right: Coefficient) -> Coefficient:
    if isinstance(left, Interval) or isinstance(right, Interval):
        return _interval(left) + _interval(right)
    total: Any = left + right
    return Interval.of(total) if isinstance(total, arb) else total


def _by(left: Coefficient, right: Coefficient) -> Coefficient:
    if isinstance(left, Interval) or isinstance(right, Interval):
        return _interval(left) * _interval(right)
    product: Any = left * right
    return Interval.of(product) if isinstance(product, arb) else product


def _times_scale(left: Scale, right: Scale) -> Scale:
    a, b, c, d = left
    e, f, g, h = right
    return _plain(a + e), _plain(b + f), _plain(c + g), _plain(d + h)


def _power_scale(scale: Scale, exponent: Number) -> Scale:
    r, q, p, k = (_plain(number * exponent) for number in scale)
    return r, q, p, k


def _plain(number: Number) -> Number:
    return int(number.p) if isinstance(number, fmpq) and number.q == 1 else number


def _ratio(scale: Scale, top: Scale) -> Scale:
    return _times_scale(scale, _power_scale(top, -1))


def _bracket(tail: Tail, top: Scale) -> Interval:
    """The tail divided by `top`, which is at least its leading scale: a bounded function."""
    total = Interval(NIL, NIL)
    for scale, coefficient in tail.terms.items():
        total = total + _interval(coefficient) * _scale_range(_ratio(scale, top), tail.start)
    return total


@lru_cache(maxsize=2048)
def _scale_range(scale: Scale, start: fmpq) -> Interval:
    """The range of a scale over t >= start, where it is monotone: [0, s(start)], 1 or [s(start), oo)."""
    if scale == FLAT:
        return Interval(UNIT, UNIT)
    falling = scale < FLAT
    _check_monotone(scale if falling else _power_scale(scale, -1), start)
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


class Tails:
    """The algebra of tails for t >= start."""

    def __init__(self, start: fmpq, order: int = ORDERS[0]) -> None:
        assert start >= 3, "log(t) > 1 is used throughout"
        self.start = start
        self.order = order
        self.most = 2 * order + 6

    def _tail(self, *terms: tuple[Scale, Coefficient]) -> Tail:
        return self._tidy(dict(terms))

    def _tidy(self, terms: dict[Scale, Coefficient]) -> Tail:
        """Zeros dropped; beyond `most` terms, the smallest are closed off in one interval."""
        kept = {s: c for s, c in terms.items() if not is_zero(c)}
        if len(kept) > self.most:
            ordered = sorted(kept, reverse=True)
            top = ordered[self.most - 1]
            small = {s: kept[s] for s in ordered[self.most - 1 :]}
            kept = {s: kept[s] for s in ordered[: self.most - 1]}
            kept[top] = _bracket(Tail(self.start, small), top)
        return Tail(self.start, kept)

    def constant(self, value: Coefficient) -> Tail:
        return self._tail((FLAT, value))

    def variable(self, point: "Exact | None", side: int) -> Tail:
        """x = side * t (point None: infinity), or x = point + side/t."""
        if point is None:
            return self._tail((LINEAR, fmpq(side)))
        return self._tail((FLAT, point), (_power_scale(LINEAR, -1), fmpq(side)))

    def add(self, left: Tail, right: Tail) -> Tail:
        terms = dict(left.terms)
        for scale, coefficient in right.terms.items():
            terms[scale] = _plus(terms[scale], coefficient) if scale in terms else coefficient
        return self._tidy(terms)

    def multiply(self, left: Tail, right: Tail) -> Tail:
        terms: dict[Scale, Coefficient] = {}
        for a, x in left.terms.items():
            for b, y in right.terms.items():
                scale, product = _times_scale(a, b), _by(x, y)
                terms[scale] = _plus(terms[scale], product) if scale in terms else product
        return self._tidy(terms)

    def power(self, base: Tail, exponent: fmpq) -> Tail:
        """(c s (1 + v))**k = c**k s**k (1 + v)**k; small natural powers by products."""
        if exponent.q == 1 and 0 <= exponent <= 6:
            result = self.constant(ONE)
            for _ in range(int(exponent.p)):
                result = self.multiply(result, base)
            return result
        direction = base.sign()  # for every t: what is undefined at infinity alone is no hole
        if direction == 0:
            if exponent > 0:
                return self.constant(ZERO)
            raise Undefined("a division by zero")
        if direction < 0 and exponent.q != 1:
            raise Undefined("a fractional power of a negative number")
        scale, factor, _ = base.lead()
        front = self._tail((_power_scale(scale, exponent), _coefficient_power(factor, exponent)))
        return self.multiply(front, self._series(_power_series(exponent), self._relative(base)))

    def _relative(self, tail: Tail) -> Tail:
        """v with tail = c s (1 + v), c s the leading term; exact leading coefficients only."""
        scale, factor, _ = tail.lead()
        if isinstance(factor, Interval):
            rest = {s: _by(c, factor.inverse()) for s, c in tail.terms.items() if s != scale}
        else:
            scaled = _coefficient_power(factor, fmpq(-1))
            rest = {s: _by(c, scaled) for s, c in tail.terms.items() if s != scale}
        return self._tidy({_ratio(s, scale): c for s, c in rest.items()})

    def _series(self, term: Term, v: Tail) -> Tail:
        """f(v) for v -> 0 by Taylor at 0, the last derivative enclosed over the range of v."""
        return self._taylor(term, ZERO, v)

    def _taylor(self, term: Term, centre: Exact, v: Tail) -> Tail:
        """f(c + v) = sum f^(k)(c) v^k / k! + f^(K)(c + [v]) v^K / K!."""
        derivatives = _derivatives(term, self.order)
        reach = v.range().hull(Interval(NIL, NIL))
        result = self.constant(ZERO)
        product = self.constant(ONE)
        factorial = ONE
        for k in range(self.order + 1):
            factorial = factorial * max(k, 1)
            if k < self.order:
                slope = calculus.at(derivatives[k], {"y": centre})
                coefficient: Coefficient = _exact(slope)
            else:
                box = Interval.of(centre) + reach
                coefficient = enclosed(derivatives[k], {"y": box})
                if not (coefficient.is_finite and coefficient.whole):
                    raise Imprecise("the remainder of an expansion")
            scaled = _by(coefficient, 1 / factorial)
            result = self.add(result, self.multiply(self.constant(scaled), product))
            product = self.multiply(product, v)
            if not v.terms:
                break
        return result

    # --- functions ------------------------------------------------------------------------------

    def apply(self, name: str, x: Tail) -> Tail:
        if name in ("abs", "relu", "sign"):
            return self._kinked(name, x)
        limit = x.limit()
        if limit is not None and not isinstance(limit, Interval) and (name != "log" or not is_zero(limit)):
            rest = self._tidy({s: c for s, c in x.terms.items() if s != FLAT})
            try:
                return self._taylor(_function(name), limit, rest)
            except Undefined:
                x.range().apply(name)  # raises where no t has a value
                raise Imprecise(f"{name} is defined for some t only") from None
        if limit is not None and name != "log":
            return self._crude(name, x)
        try:
            return self._growing(name, x)
        except Unsupported:
            return self._crude(name, x)

    def _crude(self, name: str, x: Tail) -> Tail:
        """An interval for all t at once."""
        found = x.range().apply(name)
        if not found.is_finite:
            raise Unsupported(f"{name} near the end of the domain")
        return self.constant(found)

    def _kinked(self, name: str, x: Tail) -> Tail:
        side = x.sign()
        if name == "sign":
            if side == 0:
                raise Undefined("the derivative at a kink")
            return self.constant(fmpq(side))
        if side >= 0:
            return x
        return self.multiply(self.constant(fmpq(-1)), x) if name == "abs" else self.constant(ZERO)

    def _growing(self, name: str, u: Tail) -> Tail:
        """A function of u -> +-oo (log: also u -> 0+)."""
        minus = self.multiply(self.constant(fmpq(-1)), u)
        match name:
            case "exp":
                return self._exp(u)
            case "log":
                return self._log(u)
            case "sigmoid":  # 1/(1 + exp(-u))
                return self.power(self.add(self.constant(ONE), self._exp(minus)), fmpq(-1))
            case "softplus":
                return self._log(self.add(self.constant(ONE), self._exp(u)))
            case "tanh":  # 1 - 2 sigmoid(-2u)
                half = self.apply("sigmoid", self.multiply(self.constant(fmpq(-2)), u))
                return self.add(self.constant(ONE), self.multiply(self.constant(fmpq(-2)), half))
            case "erfc" if u.sign() < 0:  # erfc(-u) = 2 - erfc(u)
                mirrored = self.multiply(self.constant(fmpq(-1)), self._erfc(minus))
                return self.add(self.constant(TWO), mirrored)
            case "erfc":
                return self._erfc(u)
            case "erf":
                complement = self.multiply(self.constant(fmpq(-1)), self.apply("erfc", u))
                return self.add(self.constant(ONE), complement)
        raise Unsupported(f"{name} near the end of the domain")

    def _exp(self, u: Tail) -> Tail:
        """exp(a t**2 + b t + c log t + d + v) = e**d exp(a t**2 + b t) t**c exp(v)."""
        r, q, p = (self._rational(u, scale) for scale in (SQUARE, LINEAR, LOG))
        taken = {SQUARE, LINEAR, LOG, FLAT}
        if any(scale > FLAT and scale not in taken for scale in u.terms):
            raise Unsupported("an exponential that grows too fast")
        flat = u.terms.get(FLAT, ZERO)
        factor = flat.apply("exp") if isinstance(flat, Interval) else _exact(elementary.exp(flat))
        rest = self._tidy({s: c for s, c in u.terms.items() if s not in taken})
        front = self._tail(((_plain(r), _plain(q), _plain(p), 0), factor))
        return self.multiply(front, self._series(_function("exp"), rest))

    def _rational(self, u: Tail, scale: Scale) -> fmpq:
        coefficient = u.terms.get(scale, ZERO)
        if not isinstance(coefficient, fmpq):
            raise Unsupported("an exponential rate that is not rational")
        return coefficient

    def _log(self, u: Tail) -> Tail:
        """log(c s (1 + v)) = log c + r t**2 + q t + p log t + log(1 + v)."""
        if u.sign() <= 0:
            raise Undefined("a logarithm of a number that is not positive")
        (r, q, p, k), factor, _ = u.lead()
        if k:
            raise Unsupported("a logarithm of a logarithm near the end of the domain")
        flat = factor.apply("log") if isinstance(factor, Interval) else _exact(elementary.log(factor))
        front = self._tail((FLAT, flat), (SQUARE, fmpq(r)), (LINEAR, fmpq(q)), (LOG, fmpq(p)))
        return self.add(front, self._series(_log_series(), self._relative(u)))

    def _erfc(self, u: Tail) -> Tail:
        """exp(-u**2)/(u sqrt pi) * sum_k (-1)**k (2k-1)!!/(2 u**2)**k for u -> +oo; the error of a
        partial sum lies between 0 and the first term left out."""
        squared = self.multiply(u, u)
        gauss = self._exp(self.multiply(self.constant(fmpq(-1)), squared))
        small = self.power(self.multiply(self.constant(TWO), squared), fmpq(-1))
        series, product, factor = self.constant(ZERO), self.constant(ONE), ONE
        for k in range(4):
            series = self.add(series, self.multiply(self.constant(factor), product))
            factor = -factor * (2 * k + 1)
            product = self.multiply(product, small)
        left_out = Interval.of(factor).hull(Interval(NIL, NIL))
        series = self.add(series, self.multiply(self.constant(left_out), product))
        front = self.multiply(gauss, self.power(u, fmpq(-1)))
        return self.multiply(self.multiply(self.constant(constant(PI, -HALF)), front), series)


def _coefficient_power(value: Coefficient, exponent: fmpq) -> Coefficient:
    return value.power(exponent) if isinstance(value, Interval) else _exact(power(value, exponent))


def _exact(value: Any) -> Coefficient:
    return value if isinstance(value, fmpq | Closed) else Interval.of(value)


Y = Variable("y")


def _power_series(exponent: fmpq) -> Term:
    return raise_to(Y + ONE, exponent)  # type: ignore[no-any-return]


@lru_cache(maxsize=64)
def _function(name: str) -> Term:
    return call(name, Y)  # type: ignore[no-any-return]


def _log_series() -> Term:
    return call("log", Y + ONE)  # type: ignore[no-any-return]


@lru_cache(maxsize=256)
def _derivatives(term: Term, order: int) -> tuple[Any, ...]:
    found: list[Any] = [term]
    for _ in range(order):
        found.append(calculus.differentiate(found[-1], "y"))
    return tuple(found)
