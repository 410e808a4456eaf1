"""Sums beside the inverse of a sum, in one way of writing.

    S = w c + R with one component c         then   c/S = (1 - R/S)/w,

applied until c stands beside no 1/S. For rows less their mean, S = |x|**2 - (1'x)**2/n and c = |x|**2.
"""

from collections.abc import Iterator

from verifier.symbolic.cancel import cancelled
from verifier.symbolic.network import Coefficient, Monomial, Sum
from verifier.symbolic.network.tensors import Flat
from verifier.symbolic.workspace import Workspace

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
    return cancelled(space, value)


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
