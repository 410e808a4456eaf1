"""Terms on a tail: one variable x runs to infinity, the others stay in finite intervals.

With t = |x| >= a >= 1 a term is enclosed as p(t) + r, where p is a polynomial whose coefficients are balls
and |r| <= size * t**degree * exp(-rate*t), a majorant. So what is bounded by a decaying exponential times a
power is seen to vanish, and a function that tends to a number is told from one that only stays bounded.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from flint import arb

from verifier.kernel.boxes import interval as iv
from verifier.kernel.boxes.evaluate import Box, Key, key_of
from verifier.kernel.boxes.functions import FUNCTIONS, RISING
from verifier.kernel.boxes.interval import Ball, Interval, Unbounded
from verifier.kernel.budget import Budget
from verifier.kernel.core import terms as T
from verifier.kernel.rejected import Rejected

HIGHEST = 24
# Bounds of the slopes of functions on the whole line.
SLOPES = {"tanh": 1, "erf": 2, "sigmoid": 1, "softplus": 1, "Phi": 1, "atan": 1, "sin": 1, "cos": 1}

BOUNDED = {"sin": 1, "cos": 1, "atan": 2}


@final
@dataclass(frozen=True)
class Majorant:
    """size * t**degree * exp(-rate*t): size and rate are exact and not negative."""

    size: Ball
    degree: int
    rate: Ball


NOTHING = Majorant(arb(0), 0, arb(0))


@final
@dataclass(frozen=True)
class Tail:
    """p(t) + r: the coefficients of p by their powers, and a majorant of r."""

    powers: Mapping[int, Ball]
    rest: Majorant = NOTHING

    @property
    def degree(self) -> int:
        return max(self.powers, default=0)


@dataclass
class Tails:
    """Encloses terms where the variable `key` is at least `start` in size, with this sign."""

    key: Key
    sign: int
    start: Ball
    box: Box
    budget: Budget

    def of(self, term: T.Term) -> Tail:
        self.budget.spend()
        match term:
            case T.Num(value):
                return _constant(iv.of_number(value).ball)
            case T.Var():
                return self._variable(term)
            case T.Plus(parts):
                total = Tail({})
                for part in parts:
                    total = self._plus(total, self.of(part))
                return total
            case T.Times(parts):
                total = _constant(arb(1))
                for part in parts:
                    total = self._times(total, self.of(part))
                return total
            case T.Pow(base, T.Num(value)) if value.denominator == 1 and abs(value) <= HIGHEST:
                return self._power(self.of(base), int(value))
            case T.Pow(base, T.Num(value)):
                return self._smooth(
                    self.of(base), lambda x: iv.root(x, value), lambda x: _root_slope(x, value)
                )
            case T.Fn("pi", ()):
                return _constant(arb.pi())
            case T.Fn(name, (arg,)):
                return self._function(name, self.of(arg))
        raise Rejected("outside", f"{type(term).__name__} on a tail")

    def bounds(self, tail: Tail) -> Interval:
        """All values on the tail."""
        most = self._most(tail.rest)
        return iv.plus(self._polynomial(tail.powers), Interval(-most, most))

    def _variable(self, variable: T.Var) -> Tail:
        key = key_of(variable)
        if key == self.key:
            return Tail({1: arb(self.sign)})
        if key not in self.box or not self.box[key].is_finite:
            raise Rejected("outside", "a tail in several variables")
        return _constant(self.box[key].ball)

    # Majorants

    def _most(self, rest: Majorant) -> Ball:
        """The largest value, at the start: from there on a majorant does not increase."""
        if rest.size == 0:
            return iv.NONE
        if not self._falls(rest):
            raise Unbounded("a majorant that grows on the tail")
        return (rest.size * self.start ** arb(rest.degree) * (-rest.rate * self.start).exp()).upper()

    def _falls(self, rest: Majorant) -> bool:
        return bool(rest.degree <= 0 or rest.rate * self.start >= rest.degree)

    def _both(self, left: Majorant, right: Majorant) -> Majorant:
        """Of a sum."""
        parts = [part for part in (left, right) if part.size != 0]
        if len(parts) < 2:
            return parts[0] if parts else NOTHING
        degree, rate = max(left.degree, right.degree), left.rate if left.rate < right.rate else right.rate
        if self._falls(left) and self._falls(right) and not self._falls(Majorant(arb(1), degree, rate)):
            return Majorant((self._most(left) + self._most(right)).upper(), 0, arb(0))
        total = arb(0)
        for part in parts:
            decay = (-(part.rate - rate) * self.start).exp()
            total += part.size * self.start ** arb(part.degree - degree) * decay
        return Majorant(total.upper(), degree, rate)

    def _majorant(self, powers: Mapping[int, Ball]) -> Majorant:
        """Of a polynomial."""
        degree = max(powers, default=0)
        sizes = (abs(ball) * self.start ** arb(power - degree) for power, ball in powers.items())
        return Majorant(sum(sizes, arb(0)).upper(), degree, arb(0))

    # Arithmetic

    def _polynomial(self, powers: Mapping[int, Ball]) -> Interval:
        """Its values for all t >= start, by Horner's rule."""
        line, total = Interval(self.start, iv.INFINITE), iv.of_number(0)
        for power in range(max(powers, default=0), -1, -1):
            total = iv.plus(iv.times(total, line), iv.of_ball(powers.get(power, arb(0))))
        return total

    def _plus(self, left: Tail, right: Tail) -> Tail:
        powers = dict(left.powers)
        for power, ball in right.powers.items():
            powers[power] = powers.get(power, arb(0)) + ball
        return Tail(_kept(powers), self._both(left.rest, right.rest))

    def _times(self, left: Tail, right: Tail) -> Tail:
        powers: dict[int, Ball] = {}
        for a, x in left.powers.items():
            for b, y in right.powers.items():
                powers[a + b] = powers.get(a + b, arb(0)) + x * y
        if max(powers, default=0) > HIGHEST:
            raise Rejected("too-large", f"a power beyond {HIGHEST} on a tail")
        first, second = self._majorant(left.powers), self._majorant(right.powers)
        pairs = ((first, right.rest), (left.rest, second), (left.rest, right.rest))
        rest = NOTHING
        for pair in pairs:
            rest = self._both(rest, _product(*pair))
        return Tail(_kept(powers), rest)

    def _power(self, base: Tail, exponent: int) -> Tail:
        if exponent < 0:
            return self._inverse(self._power(base, -exponent))
        total = _constant(arb(1))
        for _ in range(exponent):
            total = self._times(total, base)
        return total

    def _inverse(self, arg: Tail) -> Tail:
        if not arg.degree:
            return self._smooth(arg, iv.inverse, lambda x: iv.power(iv.inverse(x), 2))
        # 1/(c*t**d + ...) is at most 1/(m*t**d), where m is the least size of the rest over t**d.
        shifted = {power - arg.degree: ball for power, ball in arg.powers.items()}
        small = sum(
            (abs(ball) * self.start ** arb(power) for power, ball in shifted.items() if power), arb(0)
        )
        rest = Majorant(arg.rest.size, arg.rest.degree - arg.degree, arg.rest.rate)
        least = (abs(shifted[0]) - small - self._most(rest)).lower()
        if not least > 0:
            raise Unbounded("a denominator that is not kept away from 0")
        return Tail({}, Majorant((1 / least).upper(), -arg.degree, arb(0)))

    def _smooth(
        self, arg: Tail, function: Callable[[Interval], Interval], slope: Callable[[Interval], Interval]
    ) -> Tail:
        """A function of what tends to a number c: f(c) + r, where |r| is at most the largest slope times the
        distance from c."""
        if arg.degree:
            raise Rejected("outside", "a function that is not known at infinity")
        centre = iv.of_ball(arg.powers.get(0, arb(0)))
        steepest = iv.size(slope(self.bounds(arg))).high
        if not steepest.is_finite():
            raise Unbounded("a function whose slope has no bound on a tail")
        found = function(centre)
        if not found.is_finite:
            raise Unbounded("a number that is not enclosed")
        return Tail(
            _kept({0: found.ball}),
            Majorant((arg.rest.size * steepest).upper(), arg.rest.degree, arg.rest.rate),
        )

    def _function(self, name: str, arg: Tail) -> Tail:
        values = self.bounds(arg)
        if name in ("abs", "relu", "step", "sign"):
            return self._kinked(name, arg, values)
        if not arg.degree:
            if name == "exp":
                return self._smooth(arg, FUNCTIONS["exp"], FUNCTIONS["exp"])
            if name == "log":
                return self._smooth(arg, FUNCTIONS["log"], iv.inverse)
            if name in SLOPES:
                steepest = iv.of_number(SLOPES[name])
                return self._smooth(arg, FUNCTIONS[name], lambda _: steepest)
        if name in BOUNDED:
            return Tail({}, Majorant(arb(BOUNDED[name]), 0, arb(0)))
        if name in RISING and (rate := self._rate(arg)) is not None:
            return self._at_infinity(name, arg, *rate)
        raise Rejected("outside", f"{name} on a tail")

    def _kinked(self, name: str, arg: Tail, values: Interval) -> Tail:
        if not (values.low > 0 or values.high < 0):
            raise Rejected("outside", "a kink on a tail")
        sign = 1 if values.low > 0 else -1
        match name:
            case "abs":
                return self._times(_constant(arb(sign)), arg)
            case "relu":
                return arg if sign > 0 else Tail({})
            case "step":
                return _constant(arb(1)) if sign > 0 else Tail({})
        return _constant(arb(sign))

    def _rate(self, arg: Tail) -> tuple[int, Ball] | None:
        """A sign and a rate c > 0 with sign*arg >= c*t all over the tail."""
        over = Majorant(arg.rest.size, arg.rest.degree - 1, arg.rest.rate)
        try:
            most = self._most(over)
        except Unbounded:
            return None
        below = (abs(arg.powers.get(0, arb(0))) / self.start).upper() + most
        line = self._polynomial({power - 1: ball for power, ball in arg.powers.items() if power})
        if (line.low - below).lower() > 0:
            return 1, (line.low - below).lower()
        return (-1, (-line.high - below).lower()) if (-line.high - below).lower() > 0 else None

    def _at_infinity(self, name: str, arg: Tail, sign: int, rate: Ball) -> Tail:
        """exp(y) for y <= -c*t is at most exp(-c*t). For y >= c*t: 1 - sigmoid(y) <= exp(-y),
        softplus(y) - y <= exp(-y), 1 - tanh(y) <= 2*exp(-2*y), 1 - erf(y) <= exp(-y**2) and
        1 - Phi(y) <= exp(-y**2/2)/2, where y**2 >= c*t*c*a. The functions at -y are those at y, turned."""
        end = arb(1 if sign > 0 else -1)
        fast = (rate * rate * self.start).lower()
        match name:
            case "exp" if sign < 0:
                return Tail({}, Majorant(arb(1), 0, rate))
            case "sigmoid":
                return Tail(_kept({0: arb(1 if sign > 0 else 0)}), Majorant(arb(1), 0, rate))
            case "softplus":
                decay = Tail({}, Majorant(arb(1), 0, rate))
                return self._plus(arg, decay) if sign > 0 else decay
            case "tanh":
                return Tail({0: end}, Majorant(arb(2), 0, (2 * rate).lower()))
            case "erf":
                return Tail({0: end}, Majorant(arb(1), 0, fast))
            case "Phi":
                return Tail(_kept({0: arb(1 if sign > 0 else 0)}), Majorant(arb(1), 0, (fast / 2).lower()))
        raise Rejected("outside", f"{name} grows on a tail")


def _constant(ball: Ball) -> Tail:
    return Tail(_kept({0: ball}))


def _kept(powers: Mapping[int, Ball]) -> dict[int, Ball]:
    """Without coefficients that are 0, so that what vanishes is seen to."""
    return {power: ball for power, ball in powers.items() if not ball.is_zero()}


def _product(left: Majorant, right: Majorant) -> Majorant:
    if left.size == 0 or right.size == 0:
        return NOTHING
    size, rate = (left.size * right.size).upper(), (left.rate + right.rate).lower()
    return Majorant(size, left.degree + right.degree, rate)


def _root_slope(base: Interval, exponent: Fraction) -> Interval:
    return iv.times(iv.of_number(exponent), iv.root(base, exponent - 1))
