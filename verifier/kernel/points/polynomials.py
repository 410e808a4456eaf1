"""Polynomials in the entries of what a mean draws; their coefficients are numbers at the point."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from verifier.kernel.budget import Budget
from verifier.kernel.points import values as v
from verifier.kernel.points.outcomes import NotPolynomial
from verifier.kernel.points.values import Value

Entry = tuple[str, tuple[int, ...]]  # a drawn symbol and a place in it
Monomial = tuple[tuple[Entry, int], ...]  # powers of entries, sorted
MOST_DEGREE = 64


@final
@dataclass(frozen=True)
class Poly:
    """sum of coefficient * monomial; no coefficient is exactly zero, and some monomial is not 1."""

    terms: Mapping[Monomial, Value]


Scalar = Any  # a Value or a Poly


def drawn(entry: Entry) -> Poly:
    return Poly({((entry, 1),): v.ONE})


def terms_of(scalar: Scalar) -> Mapping[Monomial, Value]:
    return scalar.terms if isinstance(scalar, Poly) else {(): scalar}


def made(terms: Mapping[Monomial, Value]) -> Scalar:
    kept = {monomial: value for monomial, value in terms.items() if not v.is_zero(value)}
    if not kept:
        return v.ZERO
    return kept[()] if len(kept) == 1 and () in kept else Poly(kept)


def number(scalar: Scalar, what: str) -> Value:
    """The scalar, which must not depend on what is drawn."""
    if isinstance(scalar, Poly):
        raise NotPolynomial(f"the mean of {what} of something drawn")
    return scalar


def plus(left: Scalar, right: Scalar, budget: Budget) -> Scalar:
    if not isinstance(left, Poly) and not isinstance(right, Poly):
        return v.plus(left, right)
    total = dict(terms_of(left))
    budget.spend(len(terms_of(right)))
    for monomial, value in terms_of(right).items():
        total[monomial] = v.plus(total[monomial], value) if monomial in total else value
    return made(total)


def times(left: Scalar, right: Scalar, budget: Budget) -> Scalar:
    if not isinstance(left, Poly) and not isinstance(right, Poly):
        return v.times(left, right)
    first, second = terms_of(left), terms_of(right)
    budget.spend(2 * len(first) * len(second))
    total: dict[Monomial, Value] = {}
    for a, x in first.items():
        for b, y in second.items():
            monomial, value = _joined(a, b), v.times(x, y)
            total[monomial] = v.plus(total[monomial], value) if monomial in total else value
    return made(total)


def power(base: Scalar, exponent: Value, budget: Budget) -> Scalar:
    if not isinstance(base, Poly):
        return v.power(base, exponent)
    count = v.whole(exponent)
    if count is None or not 0 <= count <= MOST_DEGREE:
        raise NotPolynomial("the mean of a root, a quotient or a high power of something drawn")
    result: Scalar = v.ONE
    for _ in range(count):
        result = times(result, base, budget)
    return result


def _joined(left: Monomial, right: Monomial) -> Monomial:
    if not left or not right:
        return left or right
    powers = dict(left)
    for entry, exponent in right:
        powers[entry] = powers.get(entry, 0) + exponent
    return tuple(sorted(powers.items()))
