"""Is one closed form in the stated relation to the other, for all values of the symbols?"""

from dataclasses import dataclass, replace

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.prove.forms.cancel import cancelled
from verifier.prove.forms.function_identities import cleared, settled
from verifier.prove.forms.functions_of_sums import reapplied
from verifier.prove.forms.labels import key
from verifier.prove.forms.matrix_forms import Form
from verifier.prove.forms.softmax_weights import folded
from verifier.prove.forms.splice import replaced
from verifier.prove.forms.workspace import Workspace
from verifier.prove.integrate.inverse_sums import divided
from verifier.prove.integrate.kinks_as_steps import stepped
from verifier.prove.lower.assumption_rules import Rule, rewritten, rules
from verifier.prove.lower.lower import Lowering
from verifier.prove.networks import Sum


@dataclass(frozen=True, eq=False)
class Sides:
    """Both sides of a relation as forms with the same sides, and left - right."""

    space: Workspace
    left: Form
    right: Form
    rules: tuple[Rule, ...] = ()

    @property
    def difference(self) -> Sum:
        return self.left.value - self.right.value


def sides(lowering: Lowering, fact: N.Relation) -> Sides:
    """Both sides lowered; indices that an assumption keeps apart are apart."""
    left, right = lowering.value(fact.left), lowering.value(fact.right)
    if fact.left.shape == fact.right.shape:
        left, right = lowering.same(left, right)
    elif left.is_scalar:
        left = replace(right, value=left.value)
    else:
        right = replace(left, value=right.value)
    space = lowering.space
    known = rules(lowering)
    parted = []
    for form in (left, right):
        value = apart(lowering, folded(space, settled(space, form.value)))
        parted.append(rewritten(space, value, known))
    return Sides(space, replace(left, value=parted[0]), replace(right, value=parted[1]), tuple(known))


def apart(lowering: Lowering, value: Sum) -> Sum:
    """Terms that need two indices to be equal, where an assumption says that they differ."""
    for first, second in apart_indices(lowering.space.claim):
        axis = lowering.axis(first) or lowering.axis(second)
        if axis is not None:
            a, b = (_open(lowering.label(x, axis), axis) for x in (first, second))
            value = value.apart(a, b)
    return value


def _open(label: str, axis: str) -> str:
    return f"{label}@{axis}" if label.isdigit() else label


def apart_indices(claim: Claim) -> list[tuple[N.Node, N.Node]]:
    """Pairs that assumptions such as `i != j` or `i < j` keep apart."""
    found = []
    for assumption in claim.assumptions:
        match assumption.fact:
            case N.Relation("!=" | "<" | ">", left, right) if left.shape.is_scalar:
                found.append((left, right))
    return found


def is_zero(found: Sides) -> bool:
    """left - right = 0 for all values of the symbols, wherever it is defined."""
    return vanishes(found.space, found.difference, found.rules)


def vanishes(space: Workspace, value: Sum, known: tuple[Rule, ...] = ()) -> bool:
    value = _inside(space, cancelled(space, settled(space, value)))
    if not value or not divided(space, value):
        return True
    value = cleared(space, value)
    return not value or not rewritten(space, value, list(known)) or not stepped(space, value)


def _inside(space: Workspace, value: Sum) -> Sum:
    """S/S = 1 in the arguments of functions too."""
    for name in sorted(value.tensors() & space.opaque.keys()):
        opaque = space.opaque[name]
        if not any(
            space.opaque[x].function == "inv" for x in opaque.argument.tensors() & space.opaque.keys()
        ):
            continue
        argument = divided(space, settled(space, opaque.argument))
        if key(argument) != key(opaque.argument):
            value = replaced(value, name, reapplied(space, opaque, argument))
    return value


def unknown_scalars(space: Workspace, value: Sum) -> set[str]:
    """Moments that nobody stated and that stand in a sum as generators."""
    names = space.ring.names
    used = {names[k] for c in value.terms.values() for e in c.to_dict() for k, p in enumerate(e) if p}
    return {space.unknown[name] for name in used & space.unknown.keys()}
