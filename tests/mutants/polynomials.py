"""Polynomials in random variables, written out term by term: slow, and plain to see through.

A variable is any hashable name. Coefficients are fractions, or numbers of sixty digits once a root or a
transcendental function has come in.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mpmath import MPContext

# A context of our own: the engines and other tests set the precision of the shared one.
mp = MPContext()
mp.dps = 60
TINY = mp.mpf(10) ** -45
Coefficient = Any  # Fraction or mpmath.mpf
Monomial = frozenset[tuple[Hashable, int]]
ONE: Monomial = frozenset()
MAX_TERMS = 300


class Unsupported(Exception):
    """Beyond what this oracle can work out."""


class Undefined(Unsupported):
    """There is no value at this point, or none in reach, so it is left out."""


class NotPolynomial(Unsupported):
    """A function of random variables that is no polynomial in them."""


def real(value: Coefficient) -> Any:
    return mp.mpf(value.numerator) / value.denominator if isinstance(value, Fraction) else value


def times(a: Coefficient, b: Coefficient) -> Coefficient:
    return a * b if isinstance(a, Fraction) and isinstance(b, Fraction) else real(a) * real(b)


def plus(a: Coefficient, b: Coefficient) -> Coefficient:
    return a + b if isinstance(a, Fraction) and isinstance(b, Fraction) else real(a) + real(b)


def is_zero(value: Coefficient, close: Any = TINY) -> bool:
    return value == 0 if isinstance(value, Fraction) else abs(value) < close


@dataclass(frozen=True)
class Poly:
    """sum of coefficient * product of variable**power."""

    terms: Mapping[Monomial, Coefficient]

    @classmethod
    def constant(cls, value: Coefficient) -> Poly:
        return cls({ONE: value})

    @classmethod
    def variable(cls, name: Hashable) -> Poly:
        return cls({frozenset({(name, 1)}): Fraction(1)})

    @property
    def value(self) -> Coefficient:
        """The number that this is."""
        left = {m: c for m, c in self.terms.items() if m and not is_zero(c)}
        if left:
            raise NotPolynomial("a function of a random variable that is no polynomial")
        return self.terms.get(ONE, Fraction(0))

    def __add__(self, other: Poly) -> Poly:
        found = dict(self.terms)
        for m, c in other.terms.items():
            found[m] = plus(found[m], c) if m in found else c
        return Poly({m: c for m, c in found.items() if not is_zero(c)})

    def __neg__(self) -> Poly:
        return self * Poly.constant(Fraction(-1))

    def __sub__(self, other: Poly) -> Poly:
        return self + -other

    def __mul__(self, other: Poly) -> Poly:
        if len(self.terms) <= 1 and ONE in self.terms:
            return other._scaled(self.terms[ONE])
        if len(other.terms) <= 1 and ONE in other.terms:
            return self._scaled(other.terms[ONE])
        if len(self.terms) * len(other.terms) > MAX_TERMS**2 // 8:
            raise Undefined("too many terms")
        found: dict[Monomial, Coefficient] = {}
        for m, c in self.terms.items():
            for n, d in other.terms.items():
                key = _product(m, n)
                if key is not None:
                    found[key] = plus(found.get(key, Fraction(0)), times(c, d))
        if len(found) > MAX_TERMS:
            raise Undefined("too many terms")
        return Poly(found)

    def _scaled(self, by: Coefficient) -> Poly:
        if by == 1:
            return self
        return Poly({m: times(c, by) for m, c in self.terms.items()}) if by != 0 else Poly({})

    def __pow__(self, power: int) -> Poly:
        if power < 0 or power > 24:
            raise Undefined("a power out of reach")
        result = Poly.constant(Fraction(1))
        for _ in range(power):
            result = result * self
        return result

    def expected(self, moment: Callable[[Hashable, int], Coefficient | None]) -> Poly:
        """Every variable for which `moment` knows E(variable**power) integrated out."""
        total = Poly({})
        for m, c in self.terms.items():
            kept: set[tuple[Hashable, int]] = set()
            for name, power in m:
                known = moment(name, power)
                if known is None:
                    kept.add((name, power))
                else:
                    c = times(c, known)
            total = total + Poly({frozenset(kept): c})
        return total

    def along(self, direction: Hashable) -> Poly:
        """The coefficient of a direction of differentiation; directions are linear and their products 0."""
        return Poly({m - {(direction, 1)}: c for m, c in self.terms.items() if (direction, 1) in m})

    def still(self) -> Poly:
        """The polynomial without its directions."""
        return Poly({m: c for m, c in self.terms.items() if not any(_is_direction(v) for v, _ in m)})

    def lifted(
        self,
        function: Callable[[Coefficient], Coefficient],
        series: Callable[[Coefficient, int], list[Coefficient]] | None = None,
    ) -> Poly:
        """f(c + e) = sum over k of f^(k)(c) e^k / k!, for a number c and directions e, of which few powers
        are not 0. `series` gives the first so many coefficients, where they are known by a formula."""
        at = self.still().value
        moved = self + Poly.constant(-at)
        if not moved.terms:
            return Poly.constant(function(at))
        levels = {name[1] for m in moved.terms for name, _ in m if isinstance(name, tuple)}
        if series is not None:
            coefficients = series(at, len(levels))
        else:
            coefficients = mp.taylor(lambda x: real(function(x)), real(at), len(levels))
        total, power = Poly({}), Poly.constant(Fraction(1))
        for coefficient in coefficients:
            total, power = total + Poly.constant(coefficient) * power, power * moved
        return total

    def on_values(self, squares: Callable[[Hashable], int | None]) -> Poly:
        """With x**2 == 1 (for which `squares` says 0) and x**2 == x (1) put in."""
        total = Poly({})
        for m, c in self.terms.items():
            kept = set()
            for name, power in m:
                known = squares(name)
                power = power if known is None else power % 2 if known == 0 else 1
                if power:
                    kept.add((name, power))
            total = total + Poly({frozenset(kept): c})
        return total


def _is_direction(name: Hashable) -> bool:
    return isinstance(name, tuple) and name[:1] == ("d",)


def _product(m: Monomial, n: Monomial) -> Monomial | None:
    powers = dict(m)
    for name, power in n:
        powers[name] = powers.get(name, 0) + power
    # First derivatives only: two directions of one derivative multiply to nothing.
    levels = [
        v[1] for v, power in powers.items() if isinstance(v, tuple) and v[0] == "d" for _ in range(power)
    ]
    return None if len(levels) > len(set(levels)) else frozenset(powers.items())
