"""Normalised exponentials are softmax weights: exp(M[r, c]) / sum_l exp(M[r, l]) = softmax(M)[r, c].

Read in this direction, what is known of softmax (rows that sum to one, weights in [0, 1]) is known of
quotients of exponentials too.
"""

from collections.abc import Iterator

from verifier.prove.forms.functions_of_sums import softmax
from verifier.prove.forms.labels import col, renamed, row, slot
from verifier.prove.forms.matrix_forms import Form
from verifier.prove.forms.splice import Piece, spliced
from verifier.prove.forms.workspace import Workspace
from verifier.prove.networks import Sum
from verifier.prove.networks.network_sums import collect, flatten
from verifier.prove.networks.network_tensors import Label, Occurrence


def folded(space: Workspace, value: Sum) -> Sum:
    """Every exponential beside the inverse of its row's sum as a softmax weight."""
    for name in sorted(value.tensors() & space.opaque.keys()):
        found = _row_sum(space, name)
        if found is not None:
            exponential, axis = found
            weight = _weights(space, exponential, axis)
            while True:
                after = collect(value.frame, _once(value, name, exponential, axis, weight))
                if after == value:
                    break
                value = after
    return value


def _row_sum(space: Workspace, name: str) -> tuple[str, int] | None:
    """(exp tensor, axis) for the inverse of a sum of exponentials over that axis."""
    opaque = space.opaque[name]
    if opaque.function != "inv" or len(opaque.argument.terms) != 1:
        return None
    ((monomial, weight),) = opaque.argument.terms.items()
    if len(monomial) != 1 or weight != space.ring(1):
        return None
    ((component, power),) = monomial
    inner, labels = component[0]
    summed = [axis for axis, x in enumerate(labels) if isinstance(x, int)]
    known = space.opaque.get(inner)
    if power != 1 or len(component) != 1 or len(summed) != 1 or known is None or known.function != "exp":
        return None
    others = [x for x in labels if isinstance(x, str)]
    return (inner, summed[0]) if others == [slot(k) for k in range(len(others))] else None


def _weights(space: Workspace, exponential: str, axis: int) -> Sum:
    """softmax of the exponential's argument along the axis, over the exponential's slots."""
    opaque = space.opaque[exponential]
    rest = [k for k in range(len(opaque.spaces)) if k != axis]
    there = {slot(k): row(i) for i, k in enumerate(rest)} | {slot(axis): col(0)}
    spaces = tuple(opaque.spaces[k] for k in rest)
    form = Form(opaque.argument.rename(there), spaces, (opaque.spaces[axis],))
    return renamed(softmax(space, form), {new: old for old, new in there.items()})


def _once(value: Sum, inverse: str, exponential: str, axis: int, weight: Sum) -> Iterator[Piece]:
    for monomial, coefficient in value.terms.items():
        factors = flatten(monomial)
        pair = _pair(factors, inverse, exponential, axis)
        if pair is None:
            yield monomial, coefficient
        else:
            first, second = pair
            rest = factors[:first] + factors[first + 1 :]
            yield from spliced(value.frame, rest, second - (first < second), weight, coefficient)


def _pair(factors: list[Occurrence], inverse: str, exponential: str, axis: int) -> tuple[int, int] | None:
    """An inverse and an exponential of the same row."""
    rows: dict[tuple[Label, ...], int] = {}
    for position, (name, labels) in enumerate(factors):
        if name == inverse:
            rows[labels] = position
    for position, (name, labels) in enumerate(factors):
        if name == exponential and (found := rows.get(labels[:axis] + labels[axis + 1 :])) is not None:
            return found, position
    return None
