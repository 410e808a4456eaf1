"""Sums beside the inverse of a sum, in one way of writing.

    S = w c + R with one component c         then   c/S = (1 - R/S)/w,

applied until c stands beside no 1/S, also inside a sum: sum_a f(a) c(a)/S(a). For rows less their mean,
S = |x|**2 - (1'x)**2/n and c = |x|**2.
"""

from collections.abc import Iterator

from verifier.prove.forms.cancel import cancelled, removals
from verifier.prove.forms.labels import slot
from verifier.prove.forms.scalar_sums import inverse_coefficient
from verifier.prove.forms.splice import Piece, spliced
from verifier.prove.forms.workspace import Workspace
from verifier.prove.networks import Coefficient, Monomial, Sum
from verifier.prove.networks.network_sums import collect, flatten
from verifier.prove.networks.network_tensors import Flat

_MOST_ROUNDS = 24


def divided(space: Workspace, value: Sum) -> Sum:
    """The value without c/S, for every inverse of a sum without free indices."""
    for name in sorted(value.tensors()):
        found = _lead(space, name)
        if found is None:
            continue
        component, weight = found
        rest = space.opaque[name].argument - _alone(value, component) * weight
        inverse = space.factor(name, ())
        step = (space.scalar(1) - rest * inverse) * weight
        for _ in range(_MOST_ROUNDS):
            both = _both(value, component, ((name, ()),))
            if both is None:
                break
            beside, apart = both
            value = apart + beside * step
    return cancelled(space, _divided_in_sums(space, value))


def _divided_in_sums(space: Workspace, value: Sum) -> Sum:
    """c(a)/S(a) at every index a, which may be summed over."""
    for name in sorted(value.tensors()):
        found = _lead_of_rows(space, name)
        if found is None:
            continue
        component, weight = found
        opaque = space.opaque[name]
        slots = tuple(slot(k) for k in range(len(opaque.spaces)))
        alone = Sum(value.frame, {frozenset({(component, 1)}): weight})
        rest = (opaque.argument - alone) * space.factor(name, slots)
        step = (space.scalar(1) - rest) * inverse_coefficient(space, weight)
        for _ in range(_MOST_ROUNDS):
            pieces = list(_stepped(value, name, component, step))
            stepped = collect(value.frame, pieces)
            if stepped.terms == value.terms:
                break
            value = stepped
    return value


def _stepped(value: Sum, name: str, component: Flat, step: Sum) -> Iterator[Piece]:
    for monomial, coefficient in value.terms.items():
        factors = flatten(monomial)
        used = next(removals(factors, {name: component}), None)
        if used is None:
            yield monomial, coefficient
            continue
        inverse = next(k for k in used if factors[k][0] == name)
        left = [f for k, f in enumerate(factors) if k == inverse or k not in used]
        yield from spliced(value.frame, left, left.index(factors[inverse]), step, coefficient)


def _lead_of_rows(space: Workspace, name: str) -> tuple[Flat, Coefficient] | None:
    """The one component c of S(a) = w c(a) + R(a) that all the indices stand on, with its weight."""
    opaque = space.opaque.get(name)
    if opaque is None or opaque.function != "inv" or not opaque.spaces or len(opaque.argument.terms) < 2:
        return None
    slots = {slot(k) for k in range(len(opaque.spaces))}
    for monomial, weight in sorted(opaque.argument.terms.items(), key=repr):
        if len(monomial) != 1:
            continue
        ((component, power),) = monomial
        others = [m for m in opaque.argument.terms if m != monomial]
        whole = slots <= {x for _, labels in component for x in labels}
        if power == 1 and whole and all(component not in dict(m) for m in others):
            return component, weight
    return None


def _lead(space: Workspace, name: str) -> tuple[Flat, int] | None:
    """The one component c of S = w c + R, with a number w = 1 or -1."""
    opaque = space.opaque.get(name)
    if opaque is None or opaque.function != "inv" or opaque.spaces or len(opaque.argument.terms) < 2:
        return None
    for monomial, weight in sorted(opaque.argument.terms.items(), key=repr):
        if len(monomial) == 1 and weight in (space.ring(1), space.ring(-1)):
            ((component, power),) = monomial
            others = [m for m in opaque.argument.terms if m != monomial]
            if power == 1 and all(component not in dict(m) for m in others):
                return component, 1 if weight == space.ring(1) else -1
    return None


def _alone(value: Sum, component: Flat) -> Sum:
    return Sum(value.frame, {frozenset({(component, 1)}): value.frame.ring(1)})


def _both(value: Sum, first: Flat, second: Flat) -> tuple[Sum, Sum] | None:
    """The terms that hold both components, without one of each, and the other terms."""
    beside = dict[Monomial, Coefficient](_lowered(value, first, second))
    if not beside:
        return None
    apart = {m: c for m, c in value.terms.items() if not _holds(m, first, second)}
    return Sum(value.frame, beside), Sum(value.frame, apart)


def _holds(monomial: Monomial, first: Flat, second: Flat) -> bool:
    powers = dict(monomial)
    return first in powers and second in powers


def _lowered(value: Sum, first: Flat, second: Flat) -> Iterator[tuple[Monomial, Coefficient]]:
    for monomial, coefficient in value.terms.items():
        if _holds(monomial, first, second):
            powers = dict(monomial)
            powers[first] -= 1
            powers[second] -= 1
            yield frozenset((c, p) for c, p in powers.items() if p), coefficient
