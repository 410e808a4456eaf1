"""Powers with symbolic exponents, each base with its whole exponent: x**(2*m - 1) is kept as x**(2*m)/x."""

from collections.abc import Set
from typing import TYPE_CHECKING

from flint import fmpq

from verifier.kernel.normal.atoms import (
    Atom,
    Exponent,
    Function,
    Inverse,
    Monomial,
    Poly,
    constant,
    of_atom,
    scaled,
    total,
)
from verifier.kernel.normal.shift import is_signed

if TYPE_CHECKING:
    from verifier.kernel.normal.functions import Functions

Factors = list[tuple[Atom, Exponent]]


def split(powers: Monomial | Factors, names: Set[str]) -> tuple[dict[Poly, Poly], Factors]:
    """The bases in which these symbols stand and that have a symbol in their exponents, each with its whole
    exponent, and the other factors."""
    found: dict[Poly, Poly] = {}
    rest: Factors = []
    for atom, power in powers:
        match atom:
            case Function("power", (base, exponent)) if base.names & names and isinstance(power, int):
                found[base] = total((found.get(base, Poly({})), scaled(exponent, fmpq(power))))
            case _:
                rest.append((atom, power))
    left: Factors = []
    for atom, power in rest:
        base, side = (atom.base, -1) if isinstance(atom, Inverse) else (of_atom(atom), 1)
        if base in found and isinstance(power, int):
            found[base] = total((found[base], constant(side * power)))
        else:
            left.append((atom, power))
    return found, left


def is_count(algebra: "Functions", exponent: Poly) -> bool:
    """Whether an exponent is a whole number that is never negative."""
    whole = all(factor.q == 1 and algebra.is_whole(powers) for powers, factor in exponent.terms.items())
    return whole and is_signed(algebra, exponent, False)


def parity(algebra: "Functions", exponent: Poly) -> int | None:
    """Whether a whole exponent is even (0) or odd (1), whatever its symbols are."""
    if not all(factor.q == 1 and algebra.is_whole(powers) for powers, factor in exponent.terms.items()):
        return None
    if any(factor.p % 2 for powers, factor in exponent.terms.items() if powers):
        return None
    return int(exponent.terms.get((), fmpq(0)).p) % 2
