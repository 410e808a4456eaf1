"""Irreducible factors of a polynomial in atoms, over the rationals."""

from collections.abc import Callable

from flint import Ordering, fmpq, fmpq_mpoly_ctx

from verifier.kernel.normal.atoms import Atom, Monomial, Poly, constant, monomial, scaled
from verifier.kernel.rejected import Rejected

MOST_ATOMS, MOST_TERMS, HIGHEST = 12, 60, 24


def factors(poly: Poly, is_good: Callable[[Poly], bool]) -> list[tuple[Poly, int]]:
    """poly = product of part**times; where the polynomial is too large it is its own factor. The constant
    term of a factor, or else its first coefficient, is 1, or -1 if that is known to be good; what is left of
    the sign and the size is a factor of its own."""
    atoms = sorted(set(poly.atoms()), key=lambda each: each.key)
    plain = all(isinstance(power, int) and 0 < power <= HIGHEST for m in poly.terms for _, power in m)
    if not plain or len(atoms) > MOST_ATOMS or len(poly.terms) > MOST_TERMS or len(poly.terms) < 2:
        return [(poly, 1)]
    ring = fmpq_mpoly_ctx.get([f"x{at}" for at in range(len(atoms))], Ordering.lex)
    powers = {tuple(int(dict(m).get(atom, 0)) for atom in atoms): c for m, c in poly.terms.items()}
    size, found = ring.from_dict(powers).factor()
    parts = []
    for part, times in found:
        made, unit = _signed(_back(part, atoms), is_good)
        parts.append((made, int(times)))
        size *= unit ** int(times)
    if size != 1:
        parts.insert(0, (constant(size), 1))
    return parts


def _back(part: object, atoms: list[Atom]) -> Poly:
    terms: dict[Monomial, fmpq] = {}
    for exponents, factor in part.to_dict().items():  # type: ignore[attr-defined]
        terms[monomial(dict(zip(atoms, map(int, exponents), strict=True)))] = factor
    return Poly(terms)


def _signed(poly: Poly, is_good: Callable[[Poly], bool]) -> tuple[Poly, fmpq]:
    lead = poly.terms.get(()) or next(iter(poly.terms.values()))
    if not lead:
        raise Rejected("outside", "a factor that is 0")
    turned = scaled(poly, -1 / lead)
    return (turned, -lead) if is_good(turned) else (scaled(poly, 1 / lead), lead)
