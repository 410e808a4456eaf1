"""Quotients of polynomials whose denominators are kept as factors, so that their signs stay visible."""

from dataclasses import dataclass
from typing import Any, final

from flint import fmpq

from verifier.exact.numbers.refusals import Unsupported

MAX_TERMS = 3000
Polynomial = Any  # flint's fmpq_mpoly, which does not hash
Exponents = tuple[int, ...]
Factors = tuple[tuple[Polynomial, int], ...]


def coefficients(p: Polynomial) -> dict[Exponents, fmpq]:
    """The coefficient of each monomial."""
    return {tuple(int(x) for x in exponents): value for exponents, value in p.to_dict().items()}


@final
@dataclass(frozen=True)
class Rational:
    """top / product of base**power, each power at least 1."""

    top: Polynomial
    bottom: Factors = ()

    def __add__(self, other: "Rational") -> "Rational":
        bases = _bases(self.bottom, other.bottom)
        bottom = tuple((b, max(_power(self.bottom, b), _power(other.bottom, b))) for b in bases)
        return _bounded(self._over(bottom) + other._over(bottom), bottom)

    def _over(self, bottom: Factors) -> Polynomial:
        """The numerator over a larger denominator."""
        top = self.top
        for base, power in bottom:
            top = top * base ** (power - _power(self.bottom, base))
        return top

    def __mul__(self, other: "Rational") -> "Rational":
        bases = _bases(self.bottom, other.bottom)
        bottom = tuple((b, _power(self.bottom, b) + _power(other.bottom, b)) for b in bases)
        return _bounded(self.top * other.top, bottom)

    def raised(self, power: int) -> "Rational":
        """self**power"""
        if power < 0:
            return self.inverse().raised(-power)
        if power * len(self.top) > MAX_TERMS:
            raise Unsupported("a polynomial with very many terms")
        return Rational(self.top**power, tuple((base, power * old) for base, old in self.bottom if power))

    def inverse(self) -> "Rational":
        """1/self; the numerator becomes the one base below."""
        if self.top == 0:
            raise Unsupported("a division by 0")
        top = self.top * 0 + 1
        for base, power in self.bottom:
            top = top * base**power
        if self.top.is_constant():
            return Rational(top * (1 / self.top.leading_coefficient()))
        return Rational(top, ((self.top, 1),))


def _bases(*bottoms: Factors) -> list[Polynomial]:
    found: list[Polynomial] = []
    for base, _ in (factor for bottom in bottoms for factor in bottom):
        if base not in found:
            found.append(base)
    return found


def _power(bottom: Factors, base: Polynomial) -> int:
    return sum(power for other, power in bottom if other == base)


def _bounded(top: Polynomial, bottom: Factors) -> Rational:
    """Common factors taken out, and the size held in check."""
    left = []
    for base, power in bottom:
        while power and len(base) <= len(top):
            quotient, remainder = divmod(top, base)
            if remainder != 0:
                break
            top, power = quotient, power - 1
        if power:
            left.append((base, power))
    if len(top) > MAX_TERMS:
        raise Unsupported("a polynomial with very many terms")
    return Rational(top, tuple(left))
