"""Polynomials of degree two that are nowhere negative: sums of squares, found exactly.

c + b'x + x'Ax >= 0 for all x iff [[c, b'/2], [b/2, A]] is positive semidefinite, and for a rational
matrix elimination decides that without rounding, bounds that are touched included.
"""

from typing import Any

from flint import fmpq

from verifier.exact.numbers.constants import ONE, ZERO
from verifier.exact.numbers.scalar_terms import Linear, Product, Variable, is_nonnegative, raise_to
from verifier.exact.numbers.value_matrices import pivots

Monomial = tuple[str, ...]  # the names of a product, sorted; at most two
Polynomial = dict[Monomial, fmpq]
MAX_VARIABLES = 24


def nowhere_negative(small: Any, large: Any) -> bool:
    """small <= large for all reals, seen from large - small or, of sides that are never negative, from
    the difference of their squares."""
    if _is_sum_of_squares(expanded(_cleared(large - small))):
        return True
    if not all(_known_nonnegative(side) for side in (small, large)):
        return False
    return _is_sum_of_squares(expanded(large * large - small * small))


def _cleared(term: Any) -> Any:
    """The term times its denominators, where these are never negative: its sign is the same."""
    if not isinstance(term, Linear):
        return term
    powers: dict[Any, fmpq] = {}
    for part, _ in term.parts:
        for base, exponent in part.factors if isinstance(part, Product) else ():
            if exponent < 0 and exponent.q == 1 and is_nonnegative(base):
                powers[base] = max(powers.get(base, ZERO), -exponent)
    for base, exponent in powers.items():
        factor = raise_to(base, exponent)
        total: Any = factor * term.constant
        for part, coefficient in term.parts:
            total = total + part * factor * coefficient
        return _cleared(total) if isinstance(total, Linear) else total
    return term


def _known_nonnegative(side: Any) -> bool:
    return bool(side >= 0) if isinstance(side, fmpq) else is_nonnegative(side)


def _is_sum_of_squares(polynomial: Polynomial | None) -> bool:
    if polynomial is None:
        return False
    names = sorted({name for monomial in polynomial for name in monomial})
    if not names or len(names) > MAX_VARIABLES:
        return False
    basis: list[Monomial] = [(), *((name,) for name in names)]
    half = fmpq(1, 2)
    rows = []
    for i, left in enumerate(basis):
        row = []
        for j, right in enumerate(basis):
            coefficient = polynomial.get(tuple(sorted(left + right)), ZERO)
            row.append(coefficient if i == j else coefficient * half)
        rows.append(tuple(row))
    found = pivots(tuple(rows))
    return found is not None and all(pivot >= 0 for pivot in found)


def expanded(term: Any) -> Polynomial | None:
    """The monomials of a polynomial of degree at most two with rational coefficients; None for another."""
    match term:
        case fmpq():
            return {(): term}
        case Variable(name):
            return {(name,): ONE}
        case Linear(constant, parts):
            total = expanded(constant)
            for part, factor in parts:
                total = _sum(total, _times(expanded(part), expanded(factor)))
            return total
        case Product(factors):
            product: Polynomial | None = {(): ONE}
            for base, exponent in _whole(factors):
                if exponent.q != 1 or not 0 <= exponent <= 2:
                    return None
                for _ in range(int(exponent.p)):
                    product = _times(product, expanded(base))
            return product
    return None


def _whole(factors: tuple[tuple[Any, fmpq], ...]) -> list[tuple[Any, fmpq]]:
    """sqrt(f)*sqrt(f) = f where f is never negative."""
    exponents: dict[Any, fmpq] = {}
    for base, exponent in factors:
        if exponent.q != 1 and not is_nonnegative(base):
            return [(base, exponent)]
        exponents[base] = exponents.get(base, ZERO) + exponent
    return list(exponents.items())


def _sum(left: Polynomial | None, right: Polynomial | None) -> Polynomial | None:
    if left is None or right is None:
        return None
    total = dict(left)
    for monomial, coefficient in right.items():
        total[monomial] = total.get(monomial, ZERO) + coefficient
    return {monomial: coefficient for monomial, coefficient in total.items() if coefficient != 0}


def _times(left: Polynomial | None, right: Polynomial | None) -> Polynomial | None:
    if left is None or right is None:
        return None
    total: Polynomial | None = {}
    for a, x in left.items():
        for b, y in right.items():
            if len(a) + len(b) > 2:
                return None
            total = _sum(total, {tuple(sorted(a + b)): x * y})
    return total
