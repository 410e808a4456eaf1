"""Intervals with ends that may be infinite, rounded outward.

Balls (arb) are the wrong shape for half lines: exp of [-oo, 0] should be [0, 1]. Here the ends are
exact dyadic numbers or infinities, monotone functions act on the ends, and arb does the rounding.
An interval encloses the values where the expression is defined; `whole` says that it was defined
(and the operation continuous) on all of the box.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import final

from flint import arb, ctx, fmpq

from verifier.exact.numbers.balls import enclose_function
from verifier.exact.numbers.constants import Exact, enclose
from verifier.exact.numbers.refusals import Undefined

INF, NEG_INF = arb.pos_inf(), arb.neg_inf()
NIL, UNIT = arb(0), arb(1)


@final
@dataclass(frozen=True, slots=True)
class Interval:
    """[lo, hi] with exact ends."""

    lo: arb
    hi: arb
    whole: bool = True

    @staticmethod
    def of(value: "Exact | arb") -> "Interval":
        ball = enclose(value)
        return Interval(ball.lower(), ball.upper())

    def __add__(self, other: "Interval") -> "Interval":
        return Interval(
            (self.lo + other.lo).lower() if self.lo > NEG_INF and other.lo > NEG_INF else NEG_INF,
            (self.hi + other.hi).upper() if self.hi < INF and other.hi < INF else INF,
            self.whole and other.whole,
        )

    def __neg__(self) -> "Interval":
        return Interval(-self.hi, -self.lo, self.whole)

    def __sub__(self, other: "Interval") -> "Interval":
        return self + (-other)

    def __mul__(self, other: "Interval") -> "Interval":
        whole = self.whole and other.whole
        a, b, c, d = self.lo, self.hi, other.lo, other.hi
        if a >= 0:
            return Interval(_low(a if c >= 0 else b, c), _high(b if d >= 0 else a, d), whole)
        if b <= 0:
            return Interval(_low(a if d >= 0 else b, d), _high(b if c >= 0 else a, c), whole)
        if c >= 0:
            return Interval(_low(a, d), _high(b, d), whole)
        if d <= 0:
            return Interval(_low(b, c), _high(a, c), whole)
        return Interval(min(_low(a, d), _low(b, c)), max(_high(a, c), _high(b, d)), whole)

    def inverse(self) -> "Interval":
        """1/x; a zero inside leaves both signs open, a zero at an end one of them."""
        if self.lo > 0 or self.hi < 0:
            return Interval(_one_over(self.hi)[0], _one_over(self.lo)[1], self.whole)
        if self.lo.is_zero() and self.hi.is_zero():
            raise Undefined("a division by zero")
        if self.lo.is_zero():
            return Interval(_one_over(self.hi)[0], INF, False)
        if self.hi.is_zero():
            return Interval(NEG_INF, _one_over(self.lo)[1], False)
        return Interval(NEG_INF, INF, False)

    def power(self, exponent: fmpq) -> "Interval":
        """x ** exponent for a rational exponent."""
        if exponent < 0:
            return self.power(-exponent).inverse()
        if exponent.q != 1:
            return self._root(exponent)
        steps = int(exponent.p)
        if steps % 2 or self.lo >= 0:
            return Interval(_pow(self.lo, steps)[0], _pow(self.hi, steps)[1], self.whole)
        if self.hi <= 0:
            return Interval(_pow(self.hi, steps)[0], _pow(self.lo, steps)[1], self.whole)
        return Interval(NIL, _pow(max(-self.lo, self.hi), steps)[1], self.whole)

    def _root(self, exponent: fmpq) -> "Interval":
        if self.hi < 0:
            raise Undefined("a fractional power of a negative number")
        low = _ball_root(self.lo, exponent)[0] if self.lo > 0 else NIL
        return Interval(low, _ball_root(self.hi, exponent)[1], self.whole and self.lo >= 0)

    def apply(self, name: str) -> "Interval":
        """A function of the language's calculus over the interval."""
        match name:
            case "asin":
                if self.lo > 1 or self.hi < -1:
                    raise Undefined("an arc sine of a number beyond 1")
                low, high = max(self.lo, -UNIT), min(self.hi, UNIT)
                inside = bool(self.lo >= -1 and self.hi <= 1)
                return Interval(low.asin().lower(), high.asin().upper(), self.whole and inside)
            case "atan":
                return Interval(_arc(self.lo).lower(), _arc(self.hi).upper(), self.whole)
            case "exp" | "tanh" | "sigmoid" | "softplus" | "erf":
                return Interval(_monotone(name, self.lo)[0], _monotone(name, self.hi)[1], self.whole)
            case "erfc":
                return Interval(_monotone(name, self.hi)[0], _monotone(name, self.lo)[1], self.whole)
            case "log":
                if self.hi <= 0:
                    raise Undefined("a logarithm of a number that is not positive")
                low = _monotone(name, self.lo)[0] if self.lo > 0 else NEG_INF
                return Interval(low, _monotone(name, self.hi)[1], self.whole and self.lo > 0)
            case "cos":
                return self._cosine(fmpq(0))
            case "sin":
                return self._cosine(fmpq(1, 2))
            case "abs":
                far = max(-self.lo, self.hi)
                return Interval(max(NIL, self.lo, -self.hi), far, self.whole)
            case "relu":
                return Interval(max(self.lo, NIL), max(self.hi, NIL), self.whole)
            case "sign":
                low = UNIT if self.lo > 0 else -UNIT
                constant = bool(self.lo > 0 or self.hi < 0)  # it jumps at zero
                return Interval(low, -UNIT if self.hi < 0 else UNIT, self.whole and constant)
        raise AssertionError(name)

    def _cosine(self, shift: fmpq) -> "Interval":
        """cos(x - shift*pi): the ends, and +-1 where a multiple of pi lies inside."""
        if not (self.lo.is_finite() and self.hi.is_finite()) or self.hi - self.lo > 7:
            return Interval(-UNIT, UNIT, self.whole)
        turn = arb.pi() * shift
        first = (self.lo - turn) / arb.pi()
        last = (self.hi - turn) / arb.pi()
        at_ends = [(self.lo - turn).cos(), (self.hi - turn).cos()]
        low, high = min(v.lower() for v in at_ends), max(v.upper() for v in at_ends)
        for k in range(int(first.lower().floor().fmpq().p), int(last.upper().ceil().fmpq().p) + 1):
            if first.lower() <= k <= last.upper():
                low, high = (low, UNIT) if k % 2 == 0 else (-UNIT, high)
        return Interval(max(low, -UNIT), min(high, UNIT), self.whole)

    def meet(self, other: "Interval") -> "Interval":
        """Both enclose the same values: so does their intersection."""
        return Interval(max(self.lo, other.lo), min(self.hi, other.hi), self.whole)

    def hull(self, other: "Interval") -> "Interval":
        return Interval(min(self.lo, other.lo), max(self.hi, other.hi), self.whole and other.whole)

    @property
    def is_finite(self) -> bool:
        return bool(self.lo > NEG_INF and self.hi < INF)

    def contains_zero(self) -> bool:
        return bool(self.lo <= 0 <= self.hi)

    def __str__(self) -> str:
        return f"[{self.lo.str(8, radius=False)}, {self.hi.str(8, radius=False)}]"


def _low(x: arb, y: arb) -> arb:
    return NIL if x.is_zero() or y.is_zero() else (x * y).lower() if _plain(x, y) else _infinite(x, y)


def _high(x: arb, y: arb) -> arb:
    return NIL if x.is_zero() or y.is_zero() else (x * y).upper() if _plain(x, y) else _infinite(x, y)


def _plain(x: arb, y: arb) -> bool:
    return x.is_finite() and y.is_finite()


def _infinite(x: arb, y: arb) -> arb:
    return INF if (x > 0) == (y > 0) else NEG_INF


def _one_over(x: arb) -> tuple[arb, arb]:
    if not x.is_finite():
        return NIL, NIL
    ball = 1 / x
    return ball.lower(), ball.upper()


def _pow(x: arb, steps: int) -> tuple[arb, arb]:
    if not x.is_finite():
        end = INF if x > 0 or steps % 2 == 0 else NEG_INF
        return end, end
    ball = x**steps
    return ball.lower(), ball.upper()


def _ball_root(x: arb, exponent: fmpq) -> tuple[arb, arb]:
    if not x.is_finite():
        return INF, INF
    if x.is_zero():
        return NIL, NIL
    ball = x.sqrt() ** int(exponent.p) if exponent.q == 2 else x**exponent
    return max(ball.lower(), NIL), ball.upper()


def _arc(x: arb) -> arb:
    """atan, pi/2 at infinity."""
    if x.is_finite():
        return x.atan()
    return arb.pi() / 2 if x > 0 else -arb.pi() / 2


LIMITS = {  # at -oo and +oo
    "exp": (NIL, INF),
    "tanh": (-UNIT, UNIT),
    "sigmoid": (NIL, UNIT),
    "softplus": (NIL, INF),
    "erf": (-UNIT, UNIT),
    "erfc": (arb(2), NIL),
    "log": (NEG_INF, INF),
}


@lru_cache(maxsize=4096)
def _cached(name: str, mantissa: int, exponent: int, bits: int) -> tuple[arb, arb]:
    ball = enclose_function(name, arb((mantissa, exponent)))
    lowest, highest = min(LIMITS[name]), max(LIMITS[name])
    low = ball.lower() if ball.is_finite() else lowest
    high = ball.upper() if ball.is_finite() else highest
    return max(low, lowest), min(high, highest)


def _monotone(name: str, x: arb) -> tuple[arb, arb]:
    """Lower and upper bound at one end, clipped to the function's range."""
    if not x.is_finite():
        limit = LIMITS[name][1 if x > 0 else 0]
        return limit, limit
    mantissa, exponent = x.man_exp()
    return _cached(name, int(mantissa), int(exponent), ctx.prec)
