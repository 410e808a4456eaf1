"""Functions with a kink, all by one step of their argument, so that equal ones have one form.

    relu(u) = u step(u)               relu(-u) = u step(u) - u          step(u)**2 = step(u)
    abs(u) = 2 u step(u) - u          relu'(-u) = 1 - step(u)           abs'(u) = 2 step(u) - 1

entry by entry; those with derivatives almost everywhere.
"""

from verifier.prove.forms.function_identities import settled
from verifier.prove.forms.opaque_functions import Opaque
from verifier.prove.forms.splice import replaced
from verifier.prove.forms.workspace import Workspace
from verifier.prove.networks import Sum
from verifier.prove.networks.ring import to_fraction

KINKED = frozenset({"relu", "abs", "relu_slope", "abs_slope"})
_MOST_KINKS, _MOST_TERMS = 8, 200


def stepped(space: Workspace, value: Sum) -> Sum:
    """The sum with steps of monic arguments in place of kinks; as it is where it has none, or too many."""
    found = [name for name in sorted(value.tensors() & space.opaque.keys()) if _is_kinked(space, name)]
    if not 1 <= len(found) <= _MOST_KINKS:
        return value
    for name in found:
        by = _by_step(space, space.opaque[name])
        if name in by.tensors():  # it is the step itself
            continue
        value = settled(space, replaced(value, name, by))
        if len(value.terms) > _MOST_TERMS:
            return value
    return value


def _is_kinked(space: Workspace, name: str) -> bool:
    return space.opaque[name].function in KINKED


def _by_step(space: Workspace, opaque: Opaque) -> Sum:
    """f(r u) for a monic u, by step(u)"""
    first = min(opaque.argument.terms, key=lambda m: sorted(map(repr, m)))
    scale = to_fraction(opaque.argument.terms[first].leading_coefficient())
    inner = opaque.argument * (1 / scale)
    step, one, side = space.function("relu_slope", inner), space.scalar(1), 1 if scale > 0 else -1
    above = step if side > 0 else one - step  # step(side u)
    match opaque.function:
        case "relu":
            return opaque.argument * above
        case "abs":
            return inner * (step * 2 - one) * abs(scale)
        case "relu_slope":
            return above
    return (step * 2 - one) * side
