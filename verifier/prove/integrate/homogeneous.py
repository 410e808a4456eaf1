"""Positively homogeneous functions, without the lengths inside of them.

    f(c u) = c**k f(u)   for c > 0:      relu, abs: k = 1;      their slopes, which are steps: k = 0

so that relu(rmsnorm(w)) is relu(w) over the length of the row, entry by entry.
"""

from math import prod

from verifier.prove.forms.component_signs import is_square
from verifier.prove.forms.functions_of_sums import reapplied
from verifier.prove.forms.labels import Key, key
from verifier.prove.forms.opaque_functions import Opaque
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.splice import replaced
from verifier.prove.forms.workspace import Workspace
from verifier.prove.integrate.activated_factors import require_linear
from verifier.prove.networks import Sum
from verifier.prove.networks.network_sums import flatten
from verifier.prove.networks.network_tensors import Flat

DEGREES = {"relu": 1, "abs": 1, "relu_slope": 0, "abs_slope": 0}
Factors = dict[Flat, tuple[int, int]]  # components, with their powers and their signs


def scaled(space: Workspace, value: Sum, random: frozenset[str]) -> Sum:
    """The sum with every factor of known sign of a random argument in front of the function."""
    for name in sorted(value.tensors()):
        opaque = space.opaque.get(name)
        if opaque is None or opaque.function not in DEGREES or not opaque.depends & random:
            continue
        factors = _signed(space, opaque, random)
        if factors:
            value = replaced(value, name, _in_front(space, opaque, factors))
    return value


def _in_front(space: Workspace, opaque: Opaque, factors: Factors) -> Sum:
    """f(c u) = (side c)**k f(side u) for the sign of c"""
    side = prod(sign**times for times, sign in factors.values())
    powers = {component: times for component, (times, _) in factors.items()}
    inner = {
        frozenset((c, p - powers.get(c, 0)) for c, p in monomial if p > powers.get(c, 0)): weight * side
        for monomial, weight in opaque.argument.terms.items()
    }
    made = reapplied(space, opaque, Sum(space.frame, inner))
    for component, (times, sign) in factors.items():
        alone = Sum(space.frame, {frozenset({(component, 1)}): space.ring(sign)})
        made = made * alone ** (times * DEGREES[opaque.function])
    return made


def _signed(space: Workspace, opaque: Opaque, random: frozenset[str]) -> Factors:
    """Roots and inverses that all terms of the argument share, with their signs where it is defined."""
    first, *others = (dict(monomial) for monomial in opaque.argument.terms)
    shared = {c: min(p, *(m.get(c, 0) for m in others)) if others else p for c, p in first.items()}
    kinds = {c: found for c, p in shared.items() if p and (found := _alone(space, c, random)) is not None}
    roots = {key(x.argument) for x in kinds.values() if x.function == "root"}
    inverses = [x.argument for x in kinds.values() if x.function == "inv"]
    divided = {key(value * side) for value in inverses for side in (1, -1)}
    signs = {c: _sign(space, x, roots, divided) for c, x in kinds.items()}
    return {c: (shared[c], sign) for c, sign in signs.items() if sign}


def _alone(space: Workspace, component: Flat, random: frozenset[str]) -> Opaque | None:
    opaque = space.opaque.get(component[0][0]) if len(component) == 1 else None
    return opaque if opaque is not None and opaque.depends & random else None


def _sign(space: Workspace, opaque: Opaque, roots: set[Key], divided: set[Key]) -> int:
    """sqrt(S) beside 1/S is positive, and so is 1/S beside sqrt(S) or for a sum S of squares; 0: not known"""
    value = opaque.argument
    if opaque.function == "root":
        return 1 if key(value) in divided else 0
    if opaque.function != "inv":
        return 0
    for side in (1, -1):
        if key(value * side) in roots or _is_of_squares(space, value * side):
            return side
    return 0


def _is_of_squares(space: Workspace, value: Sum) -> bool:
    return all(
        space.is_positive(weight) and all(p % 2 == 0 or is_square(space, c) for c, p in monomial)
        for monomial, weight in value.terms.items()
    )


def rows_of(space: Workspace, opaque: Opaque, tensor: str, axes: tuple[int, ...]) -> tuple[int, ...]:
    """The slots that name the one row of the tensor that the function is a function of."""
    require_linear(space, opaque.argument, frozenset({tensor}))
    slots = {f"_a{k}": k for k in range(len(opaque.spaces))}
    found = set[tuple[int, ...]]()
    for monomial in opaque.argument.terms:
        inside = [labels for name, labels in flatten(monomial) if name == tensor]
        if len(inside) != 1:
            raise Refusal("the expectation of a function of directions that is not homogeneous")
        places = [str(inside[0][axis]).partition("@")[0] for axis in axes]
        if any(place not in slots for place in places):
            raise Refusal("the expectation of functions of several directions")
        found.add(tuple(slots[place] for place in places))
    if len(found) != 1:
        raise Refusal("the expectation of functions of several directions")
    return found.pop()
