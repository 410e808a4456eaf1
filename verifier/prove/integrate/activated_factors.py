"""Which factors of a network are activations of normal variables, and of which linear forms.

A set of normal tensors is integrated at once, every other tensor held. A factor is then

    held       free of these tensors
    bare       an entry of one of them
    active     f(scale * form): an activation of a linear form of their entries, plus what is held

and anything else is refused.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from verifier.expr.symbols import Normal
from verifier.prove.forms.labels import slot
from verifier.prove.forms.opaque_functions import Opaque
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.scalar_sums import root_coefficient
from verifier.prove.forms.workspace import Workspace
from verifier.prove.integrate.activations import CLOSED, OPEN, SLOPES, Atom
from verifier.prove.networks import Sum
from verifier.prove.networks.network_sums import flatten
from verifier.prove.networks.ring import to_fraction


@dataclass(frozen=True, eq=False)
class Active:
    """atom(form), where the form's open slots are the axes of the tensor."""

    atom: Atom
    form: Sum


def candidates(space: Workspace, value: Sum, random: frozenset[str]) -> list[frozenset[str]]:
    """Sets of normal tensors that occur in one argument, the outermost layers first; then each tensor alone,
    as in relu(W_2 @ W_1 @ x): given W_1, that is a function of a normal variable. Of relu((X + X @ V) @ W),
    W is taken first, which leaves no mean: given V, that is a function of a centred variable."""
    joined: dict[str, set[str]] = {}
    inside: dict[str, int] = {}
    shifted: set[str] = set()
    for name in _functions(space, value):
        argument = space.opaque[name].argument
        direct = {x for x in argument.tensors() if x in random}
        for tensor in direct:
            joined.setdefault(tensor, set()).update(direct)
            inside[tensor] = max(inside.get(tensor, 0), len(space.opaque[name].depends & random))
            if any(_is_held(monomial, frozenset({tensor})) for monomial in argument.terms):
                shifted.add(tensor)
    groups = {_closure(joined, tensor) for tensor in joined}
    alone = {frozenset({tensor}) for tensor in joined} - groups

    def inward(group: frozenset[str]) -> tuple[int, bool, list[str]]:
        return -max(inside[tensor] for tensor in group), group <= shifted, sorted(group)

    normal = [[g for g in sets if all(_is_normal(space, x) for x in g)] for sets in (groups, alone)]
    return sorted(normal[0], key=inward) + sorted(normal[1], key=inward)


def _functions(space: Workspace, value: Sum) -> Iterable[str]:
    """Every function in the sum, those inside arguments too."""
    todo, seen = list(value.tensors()), set[str]()
    while todo:
        name = todo.pop()
        if name in space.opaque and name not in seen:
            seen.add(name)
            todo += space.opaque[name].argument.tensors()
    return sorted(seen)


def _closure(joined: dict[str, set[str]], start: str) -> frozenset[str]:
    found, todo = set[str](), [start]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += joined.get(name, ())
    return frozenset(found)


def _is_normal(space: Workspace, name: str) -> bool:
    return isinstance(space.claim.symbols[name].kind, Normal)


def active(space: Workspace, name: str, among: frozenset[str]) -> Active | None:
    """The activation that a tensor is, None where it is held; all others are refused."""
    opaque = space.opaque.get(name)
    if opaque is None or not opaque.depends & among:
        return None
    function, argument, power = opaque.function, opaque.argument, 1
    if function == "inv" and (inner := exponential(space, opaque)) is not None:
        function, argument, power = "exp", inner, -1
    if opaque.row_axes or function not in CLOSED | OPEN | SLOPES:
        raise Refusal(f"the expectation of {opaque.function} of {', '.join(sorted(opaque.depends & among))}")
    if function == "exp" and (bell := _square(space, argument, among)) is not None:
        amount, form = bell
        return Active(Atom("bell", -amount * power, 1), form)
    require_linear(space, argument, among)
    scale, form = _monic(argument, among)
    return Active(Atom(function, scale, power), form)


def exponential(space: Workspace, opaque: Opaque) -> Sum | None:
    """1/exp(S): the S, over the slots of the inverse."""
    terms = opaque.argument.terms
    if len(terms) != 1:
        return None
    ((monomial, weight),) = terms.items()
    factors = flatten(monomial)
    if len(factors) != 1 or weight != space.ring(1):
        return None
    name, labels = factors[0]
    inner = space.opaque.get(name)
    if inner is None or inner.function != "exp" or len(set(labels)) < len(labels):
        return None
    return inner.argument.rename({slot(k): str(label) for k, label in enumerate(labels)})


def _square(space: Workspace, argument: Sum, among: frozenset[str]) -> tuple[Fraction, Sum] | None:
    """k * form**2 with a number k: (k, form); a * form**2 = (sqrt(a) * form)**2 for a positive scalar a"""
    if len(argument.terms) != 1:
        return None
    ((monomial, weight),) = argument.terms.items()
    if any(power != 2 for _, power in monomial):
        return None
    scale = space.ring(1)
    if not weight.is_constant():
        side = 1 if space.is_positive(weight) else -1
        if not space.is_positive(weight * side):
            return None
        scale, weight = root_coefficient(space, weight * side), space.ring(side)
    form = Sum(argument.frame, {frozenset((c, 1) for c, _ in monomial): scale})
    try:
        require_linear(space, form, among)
    except Refusal:
        return None
    return to_fraction(weight.leading_coefficient()), form


def require_linear(space: Workspace, argument: Sum, among: frozenset[str]) -> None:
    """Each term holds at most one of the tensors, as itself."""
    for monomial in argument.terms:
        names = [name for name, _ in flatten(monomial)]
        if any(name in space.opaque and space.opaque[name].depends & among for name in names):
            raise Refusal("the expectation of a function of a function of the same weights")
        if sum(name in among for name in names) > 1:
            raise Refusal("the expectation of a function of a product of random weights")


def _monic(argument: Sum, among: frozenset[str]) -> tuple[Fraction, Sum]:
    """argument = scale * form, so that relu(2 u) and relu(-u) are functions of one u."""
    first = min(argument.terms, key=lambda m: (_is_held(m, among), sorted(map(repr, m))))
    scale = to_fraction(argument.terms[first].leading_coefficient())
    return scale, argument * (1 / scale)


def _is_held(monomial: Iterable[object], among: frozenset[str]) -> bool:
    return not any(name in among for name, _ in flatten(frozenset(monomial)))  # type: ignore[arg-type]
