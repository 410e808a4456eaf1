"""Sums over a range that have a closed form: of powers of the index, and of binomials."""

from math import comb
from typing import TYPE_CHECKING

from flint import fmpq

from verifier.expr.dims import Dim
from verifier.kernel.normal.atoms import (
    UNIT,
    Atom,
    Entry,
    Exponent,
    Function,
    Poly,
    of_atom,
    scaled,
    total,
)

if TYPE_CHECKING:
    from verifier.kernel.normal.sums import Sums


def binomial_sum(algebra: "Sums", touching: list[tuple[Atom, Exponent]], index: str) -> Poly | None:
    """sum(binomial(n, k)*b**k, k, 0, n) = (1 + b)**n."""
    low, high = algebra.ranges[index]
    own, base, many = of_atom(Entry(index)), UNIT, 0
    for atom, power in touching:
        match atom, power:
            case Function("binomial", (top, bottom)), 1 if (top, bottom) == (algebra.of_dim(high), own):
                many += 1
            case Function("power", (part, exponent)), int() if exponent == own and index not in part.names:
                if power < 0 and not algebra.is_positive(part):
                    return None
                base = algebra.times(base, algebra.power(part, power))
            case _:
                return None
    if many != 1 or low != Dim.of(0) or not algebra.is_regular(low, high):
        return None
    return algebra.symbolic_power(total((UNIT, base)), algebra.of_dim(high))


def sum_of_powers(algebra: "Sums", index: str, power: int) -> Poly | None:
    """sum(k**p, k, l, h) by (p + 1)*k**p = (k + 1)**(p + 1) - k**(p + 1) - lower powers of k."""
    low, high = algebra.ranges[index]
    if not algebra.is_regular(low, high):
        return None
    ends = [algebra.power(algebra.of_dim(end), power + 1) for end in (high + Dim.of(1), low)]
    parts = [ends[0], scaled(ends[1], fmpq(-1)), scaled(algebra.count(index), fmpq(-1))]
    for lower in range(1, power):
        known = sum_of_powers(algebra, index, lower)
        assert known is not None
        parts.append(scaled(known, fmpq(-comb(power + 1, lower))))
    return scaled(total(parts), fmpq(1, power + 1))
