"""A polynomial in components as a polynomial in two given ones: value = sum c[a, b] f**a g**b.

Leading terms are cancelled one after the other. Where the leading monomials of f and g are
independent (no power of one is a power of the other), no two products lead with the same monomial,
so that this finds the answer whenever there is one.
"""

from collections import Counter
from fractions import Fraction
from math import comb

from verifier.prove.forms.scalar_sums import inverse_coefficient
from verifier.prove.forms.workspace import Workspace
from verifier.prove.networks import Coefficient, Monomial, Sum
from verifier.prove.networks.network_tensors import Flat

_MOST_STEPS = 40
Powers = dict[tuple[int, int], Coefficient]


def in_terms_of(space: Workspace, value: Sum, f: Sum, g: Sum) -> Powers | None:
    """The coefficients c[a, b], or None."""
    if not f or not g:
        return None
    found: Powers = {}
    for _ in range(_MOST_STEPS):
        if not value:
            return found
        lead = leading(value)
        match = _powers(_counts(lead), _counts(leading(f)), _counts(leading(g)))
        if match is None:
            return None
        a, b = match
        product = f**a * g**b
        if leading(product) != lead:
            return None
        weight = value.terms[lead] * inverse_coefficient(space, product.terms[lead])
        weight = space.ring.reduce(weight)
        found[a, b] = found.get((a, b), space.ring(0)) + weight
        value = value - product * weight
    return None


def shifted(space: Workspace, powers: Powers, c: Coefficient) -> Powers:
    """f**a (g - c f)**b = sum_j C(b, j) (-c)**j f**(a + j) g**(b - j), zeros dropped"""
    found: Powers = {}
    for (a, b), share in powers.items():
        for j in range(b + 1 if c else 1):
            weight = space.ring.reduce(share * (-c) ** j * comb(b, j))
            found[a + j, b - j] = space.ring.reduce(found.get((a + j, b - j), space.ring(0)) + weight)
    return {key: weight for key, weight in found.items() if weight}


def tied(f: Monomial, g: Monomial) -> bool:
    """Whether a power of one is a power of the other: then a product may be written in several ways."""
    left, right = _counts(f), _counts(g)
    if left.keys() != right.keys():
        return False
    return len({Fraction(left[c], right[c]) for c in left}) <= 1


def leading(value: Sum) -> Monomial:
    """The greatest monomial: by degree, then lexicographically in the components' texts."""
    return max(value.terms, key=_order)


def _counts(monomial: Monomial) -> Counter[Flat]:
    return Counter(dict(monomial))


def _order(monomial: Monomial) -> tuple[int, list[tuple[str, int]]]:
    return sum(p for _, p in monomial), sorted(((repr(c), p) for c, p in monomial), reverse=True)


def _powers(lead: Counter[Flat], f: Counter[Flat], g: Counter[Flat]) -> tuple[int, int] | None:
    """lead = f**a * g**b, as monomials."""
    for a in range(_MOST_STEPS):
        if any(f[c] * a > lead[c] for c in f) or (a and not f):
            return None
        rest = Counter({c: lead[c] - f[c] * a for c in lead if lead[c] != f[c] * a})
        if not rest:
            return a, 0
        b = next((rest[c] // g[c] for c in g if g[c]), 0)
        if b and rest == Counter({c: p * b for c, p in g.items()}):
            return a, b
    return None
