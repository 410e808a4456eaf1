"""Monomials of components: what the terms of a sum have in common."""

from verifier.prove.networks import Monomial, Sum


def shared_components(value: Sum) -> Monomial:
    """The components that every term has, each to its least power."""
    first, *others = (dict(m) for m in value.terms)
    for other in others:
        first = {c: min(p, other[c]) for c, p in first.items() if c in other}
    return frozenset(first.items())


def without(monomial: Monomial, shared: Monomial) -> Monomial:
    """The monomial divided by what was taken out."""
    taken = dict(shared)
    left = ((c, p - taken.get(c, 0)) for c, p in monomial)
    return frozenset((c, p) for c, p in left if p)
