"""Scales: what a term is like as symbols grow, up to its coefficient.

The scale of a term is a product over the growing symbols n of exp(r*n**k), b**(n**k), n**p and log(n)**q, and
of atoms that move and of which nothing is known. Rates and exponents do not move, but need not be numbers.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Literal, TypeVar

from flint import fmpq

from verifier.expr.symbols import Dimension, IndexOf
from verifier.kernel.normal.algebra import MINUS_ONE, Algebra
from verifier.kernel.normal.atoms import NOTHING, UNIT, Atom, Entry, Function, Poly, scaled, total
from verifier.kernel.normal.shift import is_signed

MOST_DEGREE = 64
Key = TypeVar("Key")
Sign = Literal["<", "<=", "=", ">=", ">"] | None  # against 0, for all values of what does not move
Order = Literal["vanishes", "bounded", "equal"] | None
Level = tuple[str, Fraction]  # exp(n**k): the symbol, and k


@dataclass(frozen=True)
class Scale:
    """A product of functions of growing symbols."""

    rates: Mapping[Level, Poly] = field(default_factory=dict)
    bases: Mapping[Level, Mapping[Poly, Fraction]] = field(default_factory=dict)
    powers: Mapping[str, Poly] = field(default_factory=dict)
    logs: Mapping[str, Fraction] = field(default_factory=dict)
    others: Mapping[Atom, Fraction] = field(default_factory=dict)

    def times(self, other: "Scale", power: Fraction = Fraction(1)) -> "Scale":
        """This one times the other to a power."""
        part = fmpq(power.numerator, power.denominator)
        return Scale(
            _joined(self.rates, other.rates, part),
            {
                level: found
                for level in self.bases.keys() | other.bases.keys()
                if (found := _counted(self.bases.get(level, {}), other.bases.get(level, {}), power))
            },
            _joined(self.powers, other.powers, part),
            _counted(self.logs, other.logs, power),
            _counted(self.others, other.others, power),
        )

    def over(self, other: "Scale") -> "Scale":
        return self.times(other, Fraction(-1))

    @property
    def is_unit(self) -> bool:
        return not (self.rates or self.bases or self.powers or self.logs or self.others)


def _joined(left: Mapping[Key, Poly], right: Mapping[Key, Poly], times: fmpq) -> dict[Key, Poly]:
    sums = {
        key: total((left.get(key, NOTHING), scaled(right.get(key, NOTHING), times)))
        for key in left.keys() | right.keys()
    }
    return {key: poly for key, poly in sums.items() if poly.terms}


def _counted(
    left: Mapping[Key, Fraction], right: Mapping[Key, Fraction], times: Fraction
) -> dict[Key, Fraction]:
    zero = Fraction(0)
    sums = {key: left.get(key, zero) + times * right.get(key, zero) for key in left.keys() | right.keys()}
    return {key: value for key, value in sums.items() if value}


def sign_of(algebra: Algebra, poly: Poly) -> Sign:
    """The sign of a polynomial in what does not move, at all of its values."""
    if not poly.terms:
        return "="
    below = scaled(poly, fmpq(-1))
    for strict, sign, other in ((True, ">", "<"), (False, ">=", "<=")):
        for side, found in ((poly, sign), (below, other)):
            if is_signed(algebra, side, strict) or _is_assumed(algebra, side, strict):
                return found  # type: ignore[return-value]
    return None


def _is_assumed(algebra: Algebra, poly: Poly, strict: bool) -> bool:
    """Whether a polynomial is something that is assumed to be positive, times what is, and a rest that is not
    negative; or where one of the two is positive."""
    for known, positive in algebra.assumed_signs:
        for found, lead in ((m, lead) for m in poly.terms for lead in known.terms):
            less = algebra.power(Poly({lead: known.terms[lead]}), -1)
            factor = algebra.times(Poly({found: poly.terms[found]}), less)
            if is_signed(algebra, factor, False):
                rest = total((poly, scaled(algebra.times(factor, known), fmpq(-1))))
                above = positive and is_signed(algebra, factor, True)
                if is_signed(algebra, rest, strict and not above):
                    return True
    return False


def order(algebra: Algebra, scale: Scale) -> Order:
    """Whether a scale is 1, tends to 0 or stays bounded, whichever way the symbols grow; None: not known."""
    if scale.is_unit:
        return "equal"
    if not all(_is_at_most_one(algebra, atom, power) for atom, power in scale.others.items()):
        return None
    names = {name for name, _ in (*scale.rates, *scale.bases)} | scale.powers.keys() | scale.logs.keys()
    found = [_in_one(_signs(algebra, scale, name)) for name in sorted(names)]
    if None in found:
        return None
    return "vanishes" if "vanishes" in found else "bounded"


def _is_at_most_one(algebra: Algebra, atom: Atom, power: Fraction) -> bool:
    """Sizes and indices are at least 1; a sign is 1 or -1."""
    if isinstance(atom, Function) and atom.name == "power" and atom.args[0] == MINUS_ONE:
        return True
    if not isinstance(atom, Entry) or atom.at or atom.name not in algebra.context.symbols:
        return False
    return power < 0 and isinstance(algebra.context.symbols[atom.name].kind, Dimension | IndexOf)


def _signs(algebra: Algebra, scale: Scale, name: str) -> Iterable[Sign]:
    """Of the exponents in one symbol, the fastest function first."""
    levels = {k for other, k in (*scale.rates, *scale.bases) if other == name}
    for k in sorted(levels, reverse=True):
        bases, rate = scale.bases.get((name, k), {}), scale.rates.get((name, k), NOTHING)
        yield (None if rate.terms else _sign_of_bases(algebra, bases)) if bases else sign_of(algebra, rate)
    yield sign_of(algebra, scale.powers.get(name, NOTHING))
    logs = scale.logs.get(name, Fraction(0))
    yield ">" if logs > 0 else "<" if logs < 0 else "="


def _in_one(signs: Iterable[Sign]) -> Order:
    for sign in signs:
        if sign == "<":
            return "vanishes"
        if sign not in ("=", "<="):
            return None
    return "bounded"


def _sign_of_bases(algebra: Algebra, bases: Mapping[Poly, Fraction]) -> Sign:
    """Of the logarithm of a product of powers of positive numbers: whether it is above 1."""
    common = lcm(*(power.denominator for power in bases.values()))
    above = below = UNIT
    for base, power in bases.items():
        times = int(power * common)
        if abs(times) > MOST_DEGREE:
            return None
        if times > 0:
            above = algebra.times(above, algebra.power(base, times))
        else:
            below = algebra.times(below, algebra.power(base, -times))
    found: Sign = None
    for times in (1, 2):  # neither is negative
        less = scaled(algebra.power(below, times), fmpq(-1))
        found = found or sign_of(algebra, total((algebra.power(above, times), less)))
    return found
