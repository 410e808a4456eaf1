"""S * (1/S) = 1, also inside a sum: sum_a f(a) S(a)/S(a) = sum_a f(a), where S is not zero."""

from collections import Counter
from collections.abc import Iterator, Mapping

from verifier.prove.forms.labels import slot
from verifier.prove.forms.splice import Piece
from verifier.prove.forms.workspace import Workspace
from verifier.prove.networks import Sum
from verifier.prove.networks.network_sums import arrange, collect, flatten
from verifier.prove.networks.network_tensors import Flat, Label, Occurrence

Match = tuple[frozenset[int], dict[Label, Label]]


def cancelled(space: Workspace, value: Sum) -> Sum:
    """Every component that stands beside its own inverse is removed with it."""
    while True:
        names = [name for name in sorted(value.tensors()) if _base(space, name) is not None]
        found = collect(value.frame, _pieces(space, value, names)) if names else value
        if found.terms == value.terms:
            return value
        value = found


def kept(space: Workspace, value: Sum) -> Sum:
    """`cancelled`, unless a denominator were lost by it: then the sum as it is.

    1/x * x is not defined at x = 0, and a closed form must not be defined where its expression is not."""
    found = cancelled(space, value)
    inverses = {
        name for name in value.tensors() if name in space.opaque and space.opaque[name].function == "inv"
    }
    return found if inverses <= found.tensors() else value


def _pieces(space: Workspace, value: Sum, names: list[str]) -> Iterator[Piece]:
    for monomial, coefficient in value.terms.items():
        factors = flatten(monomial)
        bases = {name: base for name in names if (base := _base(space, name)) is not None}
        removed = next(removals(factors, bases), None)
        if removed is None:
            yield monomial, coefficient
            continue
        gone = [factors[k] for k in removed]
        alive: dict[Label, str] = {}
        inverse = next(f for f in gone if f[0] in names)
        alive |= dict(zip(inverse[1], value.frame.spaces(inverse[0]), strict=True))
        rest = [f for k, f in enumerate(factors) if k not in removed]
        arranged = arrange(value.frame, rest, (), alive)
        if arranged is not None:
            yield arranged[0], arranged[1] * coefficient


def removals(factors: list[Occurrence], bases: Mapping[str, Flat]) -> Iterator[frozenset[int]]:
    """Positions of a tensor and of the component that is asked for beside it, at the same indices."""
    uses = Counter(x for _, labels in factors for x in labels)
    for position, (name, labels) in enumerate(factors):
        base = bases.get(name)
        if base is None:
            continue
        at: dict[Label, Label] = {slot(k): x for k, x in enumerate(labels)}
        inner = Counter(x for _, xs in base for x in xs if isinstance(x, int))
        for used, image in _matches(list(base), factors, frozenset({position}), at):
            bound = {image[x]: count for x, count in inner.items()}
            apart = len(bound) == len(inner) and not any(isinstance(x, str) for x in bound)
            if apart and all(uses[x] == count for x, count in bound.items()):
                yield used


def _matches(
    pattern: list[Occurrence], factors: list[Occurrence], used: frozenset[int], at: dict[Label, Label]
) -> Iterator[Match]:
    """Ways to find the pattern's factors among the others, indices to indices."""
    if not pattern:
        yield used, at
        return
    (name, labels), *rest = pattern
    for k, (other, places) in enumerate(factors):
        if k in used or other != name:
            continue
        image = dict(at)
        if all(image.setdefault(x, y) == y for x, y in zip(labels, places, strict=True)):
            yield from _matches(rest, factors, used | {k}, image)


def _base(space: Workspace, name: str) -> Flat | None:
    """The single component, with weight 1, that a tensor is the inverse of."""
    opaque = space.opaque.get(name)
    if opaque is None or opaque.function != "inv" or len(opaque.argument.terms) != 1:
        return None
    ((monomial, weight),) = opaque.argument.terms.items()
    if weight != space.ring(1) or len(monomial) != 1:
        return None
    ((component, power),) = monomial
    return component if power == 1 else None
