"""Identities between functions, applied until nothing changes; each holds wherever it is defined.

sqrt(S) * sqrt(S) = S           abs(S) * abs(S) = S * S           step(S) * step(S) = step(S)
a/S - b/S**2 = 0  iff  a*S - b = 0       for S that is not zero
"""

from collections.abc import Iterator

from verifier.prove.forms.labels import slot
from verifier.prove.forms.partial_ranges import counted
from verifier.prove.forms.splice import Piece, spliced
from verifier.prove.forms.workspace import Workspace
from verifier.prove.networks import Sum
from verifier.prove.networks.network_sums import collect, flatten
from verifier.prove.networks.network_tensors import Label, Occurrence

_MOST_TERMS = 3_000


def settled(space: Workspace, value: Sum) -> Sum:
    """Squares of roots, of absolute values and of steps written out, partial sums counted."""
    value = counted(space, value)
    while True:
        name = next((x for x in sorted(value.tensors()) if _has_square(space, value, x)), None)
        if name is None:
            return value
        value = collect(value.frame, _unsquared(space, value, name))


def _pair(factors: list[Occurrence], name: str) -> tuple[int, int] | None:
    """Two copies of a tensor at the same indices."""
    seen: dict[tuple[Label, ...], int] = {}
    for position, (found, labels) in enumerate(factors):
        if found == name:
            if labels in seen:
                return seen[labels], position
            seen[labels] = position
    return None


def _has_square(space: Workspace, value: Sum, name: str) -> bool:
    opaque = space.opaque.get(name)
    if opaque is None or opaque.function not in ("root", "abs", "relu_slope"):
        return False
    return any(_pair(flatten(m), name) is not None for m in value.terms)


def _unsquared(space: Workspace, value: Sum, name: str) -> Iterator[Piece]:
    opaque = space.opaque[name]
    match opaque.function:
        case "root":
            square = opaque.argument
        case "abs":
            square = opaque.argument * opaque.argument
        case _:
            square = space.factor(name, tuple(slot(k) for k in range(len(opaque.spaces))))
    for monomial, coefficient in value.terms.items():
        factors = flatten(monomial)
        pair = _pair(factors, name)
        if pair is None:
            yield monomial, coefficient
        else:
            first, second = pair
            rest = factors[:second] + factors[second + 1 :]
            yield from spliced(value.frame, rest, first, square, coefficient)


def cleared(space: Workspace, value: Sum) -> Sum:
    """A multiple of the value by denominators that are not zero: it is zero iff the value is."""
    value = settled(space, value)
    for name in sorted(space.opaque, key=_age, reverse=True):
        if space.opaque[name].function == "inv":
            for labels in _places(value, name):
                value = settled(space, _multiplied(space, value, name, labels))
    return value


def _age(name: str) -> int:
    return int(name.rpartition("_")[2])


def _places(value: Sum, name: str) -> list[tuple[Label, ...]]:
    """Where an inverse stands, all of its indices open."""
    found = {
        labels
        for monomial in value.terms
        for tensor, labels in flatten(monomial)
        if tensor == name and all(isinstance(x, str) for x in labels)
    }
    return sorted(found, key=str)


def _multiplied(space: Workspace, value: Sum, name: str, labels: tuple[Label, ...]) -> Sum:
    """value * S**k, where 1/S occurs to the power k at most."""
    at = {slot(axis): str(x).partition("@")[0] for axis, x in enumerate(labels)}
    base = space.opaque[name].argument.rename(at) if at else space.opaque[name].argument
    powers = {m: sum(1 for f in flatten(m) if f == (name, labels)) for m in value.terms}
    most = max(powers.values(), default=0)
    bases = [space.scalar(1)]
    for _ in range(most):
        bases.append(bases[-1] * base)
    total = space.scalar(0)
    for monomial, coefficient in value.terms.items():
        kept = frozenset((c, p) for c, p in monomial if c != ((name, labels),))
        term = Sum(value.frame, {kept: coefficient}) * bases[most - powers[monomial]]
        total = total + term
        if len(total.terms) > _MOST_TERMS:
            return value
    return total
