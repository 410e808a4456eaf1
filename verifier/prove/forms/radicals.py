"""Radicands without denominators and common factors, so that equal roots have one form.

    sqrt(1 - c**2/(a b)) = sqrt(a b - c**2) sqrt(a b)/(a b)        sqrt(a b - a c) = sqrt(a) sqrt(b - c)
    sqrt(1 + a + b + a b) = sqrt(1 + a) sqrt(1 + b)

for a, b that are not negative, as their form shows.
"""

from collections.abc import Mapping

from flint import Ordering, fmpq, fmpq_mpoly_ctx

from verifier.prove.forms.cancel import cancelled, kept
from verifier.prove.forms.component_signs import is_square
from verifier.prove.forms.function_identities import settled
from verifier.prove.forms.labels import renamed, slot
from verifier.prove.forms.workspace import Workspace
from verifier.prove.networks import Coefficient, Monomial, Sum
from verifier.prove.networks.network_sums import flatten
from verifier.prove.networks.network_tensors import Flat
from verifier.prove.networks.ring import to_fraction

Factors = dict[Flat, int]
_MOST_TERMS = 40


def reduced(space: Workspace, radicand: Sum) -> tuple[Sum, Sum]:
    """(outside, rest) with radicand = outside**2 * rest and outside >= 0, a product of roots."""
    one = space.ring(1)
    value, shared = kept(space, settled(space, radicand)), Factors()
    below = _denominators(space, value)
    for component, power in below.items():
        base = Sum(value.frame, {frozenset([(component, power)]): one})
        value = cancelled(space, settled(space, value * base))
    for component in _common(value):
        if is_square(space, component):
            shared[component] = min(dict(m).get(component, 0) for m in value.terms)
    left = {frozenset(_without(dict(m), shared).items()): c for m, c in value.terms.items()}
    outside = space.scalar(1)
    for component, power in shared.items():
        base = Sum(value.frame, {frozenset([(component, 1)]): one})
        outside = outside * base ** (power // 2) * _root(space, base, power % 2)
    for component, power in below.items():
        base = Sum(value.frame, {frozenset([(component, 1)]): one})
        outside = outside * space.function("inv", base) ** ((power + 1) // 2) * _root(space, base, power % 2)
    return settled(space, outside), Sum(value.frame, left)


def factored(space: Workspace, value: Sum) -> list[tuple[Sum, int]]:
    """Factors of a sum that are not negative, as their form shows; [(value, 1)] where there are none.

    Components count as variables of their own."""
    components = sorted({c for monomial in value.terms for c, _ in monomial}, key=repr)
    whole = [(value, 1)]
    if not components or not 4 <= len(value.terms) <= _MOST_TERMS:
        return whole
    names = space.ring.names
    context = fmpq_mpoly_ctx.get((*names, *(f"_c{k}" for k in range(len(components)))), Ordering.degrevlex)
    terms = {
        (*exponents, *(dict(monomial).get(c, 0) for c in components)): amount
        for monomial, coefficient in value.terms.items()
        for exponents, amount in coefficient.to_dict().items()
    }
    unit, found = context.from_dict(terms).factor()
    if len(found) < 2 or unit <= 0:
        return whole
    parts = [(_sum(space, value, factor.to_dict(), components), int(power)) for factor, power in found]
    if not all(_is_nonnegative(space, part) for part, _ in parts):
        return whole
    return [(parts[0][0] * to_fraction(unit), parts[0][1]), *parts[1:]] if parts[0][1] == 1 else whole


def _sum(space: Workspace, like: Sum, terms: Mapping[tuple[int, ...], fmpq], components: list[Flat]) -> Sum:
    count = len(space.ring.names)
    found: dict[Monomial, Coefficient] = {}
    for exponents, amount in terms.items():
        monomial = frozenset((c, int(p)) for c, p in zip(components, exponents[count:], strict=True) if p)
        coefficient = space.ring.context.from_dict({tuple(exponents[:count]): amount})
        found[monomial] = found.get(monomial, space.ring(0)) + coefficient
    return Sum(like.frame, {m: space.ring.reduce(c) for m, c in found.items()})


def _is_nonnegative(space: Workspace, value: Sum) -> bool:
    return all(
        space.is_nonnegative(weight) and all(p % 2 == 0 or is_square(space, c) for c, p in monomial)
        for monomial, weight in value.terms.items()
    )


def _common(value: Sum) -> list[Flat]:
    monomials = [dict(m) for m in value.terms]
    return sorted((c for c in monomials[0] if all(c in m for m in monomials)), key=repr) if monomials else []


def _without(monomial: Factors, shared: Factors) -> Factors:
    left = {c: p - shared.get(c, 0) for c, p in monomial.items()}
    return {c: p for c, p in left.items() if p}


def _denominators(space: Workspace, value: Sum) -> Factors:
    """Components a that occur as 1/a, each with its greatest power, where a >= 0 by its form."""
    found: Factors = {}
    for monomial in value.terms:
        for component, power in monomial:
            base = denominator(space, component)
            if base is not None and is_square(space, base):
                found[base] = max(found.get(base, 0), power)
    return found


def denominator(space: Workspace, component: Flat) -> Flat | None:
    """The component a that this component is the inverse of, where it has no summed index."""
    if len(component) != 1 or any(isinstance(label, int) for label in component[0][1]):
        return None
    name, labels = component[0]
    opaque = space.opaque.get(name)
    if opaque is None or opaque.function != "inv" or len(opaque.argument.terms) != 1:
        return None
    at = {slot(k): str(label).partition("@")[0] for k, label in enumerate(labels)}
    ((monomial, weight),) = renamed(opaque.argument, at).terms.items()
    if weight != space.ring(1) or len(monomial) != 1:
        return None
    ((base, power),) = monomial
    return base if power == 1 and flatten(monomial) else None


def _root(space: Workspace, base: Sum, power: int) -> Sum:
    return space.function("root", base) if power else space.scalar(1)
