"""Expansions of a function near infinity, a pole or any exact point: enclosures for all t >= start.

What is exact cancels exactly: tanh(t) - 1 is -2 exp(-2t) + ..., negative for certain. A finite point p
is reached through x = p + 1/t or p - 1/t.
"""

from functools import lru_cache
from typing import Any

from flint import fmpq

from verifier.exact.enclosures import term_calculus as calculus
from verifier.exact.enclosures.growth_scales import (
    FLAT,
    LINEAR,
    LOG,
    SQUARE,
    Coefficient,
    Scale,
    Tail,
    bracket,
    by,
    plain,
    plus,
    power_scale,
    ratio,
    times_scale,
)
from verifier.exact.enclosures.straight_line import enclosed
from verifier.exact.numbers import elementary
from verifier.exact.numbers.constants import HALF, ONE, PI, TWO, ZERO, Closed, Exact, constant, is_zero, power
from verifier.exact.numbers.interval import NIL, Interval
from verifier.exact.numbers.refusals import Imprecise, Undefined, Unsupported
from verifier.exact.numbers.scalar_terms import Term, Variable, call, raise_to

ORDERS = (4, 9)  # terms of an expansion: a few are usually enough, more are tried where they are not


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
            kept[top] = bracket(Tail(self.start, small), top)
        return Tail(self.start, kept)

    def constant(self, value: Coefficient) -> Tail:
        return self._tail((FLAT, value))

    def variable(self, point: "Exact | None", side: int) -> Tail:
        """x = side * t (point None: infinity), or x = point + side/t."""
        if point is None:
            return self._tail((LINEAR, fmpq(side)))
        return self._tail((FLAT, point), (power_scale(LINEAR, -1), fmpq(side)))

    def add(self, left: Tail, right: Tail) -> Tail:
        terms = dict(left.terms)
        for scale, coefficient in right.terms.items():
            terms[scale] = plus(terms[scale], coefficient) if scale in terms else coefficient
        return self._tidy(terms)

    def multiply(self, left: Tail, right: Tail) -> Tail:
        terms: dict[Scale, Coefficient] = {}
        for a, x in left.terms.items():
            for b, y in right.terms.items():
                scale, product = times_scale(a, b), by(x, y)
                terms[scale] = plus(terms[scale], product) if scale in terms else product
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
        front = self._tail((power_scale(scale, exponent), _coefficient_power(factor, exponent)))
        return self.multiply(front, self._series(_power_series(exponent), self._relative(base)))

    def _relative(self, tail: Tail) -> Tail:
        """v with tail = c s (1 + v), c s the leading term; exact leading coefficients only."""
        scale, factor, _ = tail.lead()
        if isinstance(factor, Interval):
            rest = {s: by(c, factor.inverse()) for s, c in tail.terms.items() if s != scale}
        else:
            scaled = _coefficient_power(factor, fmpq(-1))
            rest = {s: by(c, scaled) for s, c in tail.terms.items() if s != scale}
        return self._tidy({ratio(s, scale): c for s, c in rest.items()})

    def _series(self, term: Term, v: Tail) -> Tail:
        """f(v) for v -> 0 by Taylor at 0, the last derivative enclosed over the range of v."""
        return self._taylor(term, ZERO, v)

    def _taylor(self, term: Term, centre: Exact, v: Tail) -> Tail:
        """f(c + v) = sum f^(k)(c) v^k / k! + f^(K)(c + [v]) v^K / K!."""
        derivatives = _derivatives(term, self.order)
        result = self.constant(_exact(calculus.at(derivatives[0], {"y": centre})))
        if not v.terms:
            return result
        box = Interval.of(centre) + v.range().hull(Interval(NIL, NIL))
        remainder = enclosed(derivatives[self.order], {"y": box})
        if not (remainder.is_finite and remainder.whole):
            raise Imprecise("the remainder of an expansion")
        product, factorial = v, ONE
        for k in range(1, self.order + 1):
            factorial = factorial * k
            last = k == self.order
            slope = remainder if last else _exact(calculus.at(derivatives[k], {"y": centre}))
            result = self.add(result, self._scaled(product, by(slope, 1 / factorial)))
            product = product if last else self.multiply(product, v)
        return result

    def _scaled(self, tail: Tail, factor: Coefficient) -> Tail:
        return self._tidy({scale: by(c, factor) for scale, c in tail.terms.items()})

    # --- functions ------------------------------------------------------------------------------

    def apply(self, name: str, x: Tail) -> Tail:
        if name in ("abs", "relu", "sign"):
            return self._kinked(name, x)
        limit = x.limit()
        if limit is not None and not isinstance(limit, Interval) and (name != "log" or not is_zero(limit)):
            rest = self._tidy({s: c for s, c in x.terms.items() if s != FLAT})
            if name == "asin" and rest.terms and limit in (ONE, -ONE):
                return self._arc_near_end(x, limit)
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

    def _arc_near_end(self, u: Tail, end: Coefficient) -> Tail:
        """asin(u) = pi/2 - 2 asin(sqrt((1 - u)/2)) for u -> 1, mirrored for u -> -1."""
        away = self.add(self.constant(HALF), self._scaled(u, by(end, -HALF)))
        small = self._scaled(self.apply("asin", self.power(away, HALF)), fmpq(-2))
        return self._scaled(self.add(self.constant(_exact(HALF * constant(PI))), small), end)

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
        return self._scaled(x, fmpq(-1)) if name == "abs" else self.constant(ZERO)

    def _growing(self, name: str, u: Tail) -> Tail:
        """A function of u -> +-oo (log: also u -> 0+)."""
        minus = self._scaled(u, fmpq(-1))
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
                half = self.apply("sigmoid", self._scaled(u, fmpq(-2)))
                return self.add(self.constant(ONE), self._scaled(half, fmpq(-2)))
            case "atan":  # +-pi/2 - atan(1/u)
                right_angle = self.constant(_exact(HALF * constant(PI) * fmpq(u.sign())))
                rest = self.apply("atan", self.power(u, fmpq(-1)))
                return self.add(right_angle, self._scaled(rest, fmpq(-1)))
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
        front = self._tail(((plain(r), plain(q), plain(p), 0), factor))
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
        gauss = self._exp(self._scaled(squared, fmpq(-1)))
        small = self.power(self._scaled(squared, TWO), fmpq(-1))
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
