"""Replace one factor of a network by a whole sum: substitution and the chain rule."""

from collections.abc import Iterator, Mapping

from verifier.symbolic.labels import slot
from verifier.symbolic.network import Coefficient, Frame, Monomial, Sum
from verifier.symbolic.network.sums import arrange, collect, flatten
from verifier.symbolic.network.tensors import Label, Occurrence

Piece = tuple[Monomial, Coefficient]


def spliced(
    frame: Frame, factors: list[Occurrence], position: int, value: Sum, coefficient: Coefficient
) -> Iterator[Piece]:
    """The factor at `position` is replaced by `value`, whose open slots take its indices."""
    name, labels = factors[position]
    rest = factors[:position] + factors[position + 1 :]
    place: dict[Label, Label] = {slot(axis): label for axis, label in enumerate(labels)}
    alive: dict[Label, str] = dict(zip(labels, frame.spaces(name), strict=True))
    width = 1 + max((x for _, xs in factors for x in xs if isinstance(x, int)), default=-1)
    for monomial, weight in value.terms.items():
        inner = [(tensor, tuple([_moved(x, place, width) for x in xs])) for tensor, xs in flatten(monomial)]
        found = arrange(frame, rest + inner, (), alive)
        if found is not None:
            yield found[0], found[1] * weight * coefficient


def _moved(label: Label, place: Mapping[Label, Label], width: int) -> Label:
    if isinstance(label, int):
        return label + width
    return place.get(label, label)


def replaced(value: Sum, tensor: str, by: Sum) -> Sum:
    """Every occurrence of the tensor replaced by the sum (in which it does not occur)."""
    while tensor in value.tensors():
        value = collect(value.frame, _replaced_once(value, tensor, by))
    return value


def _replaced_once(value: Sum, tensor: str, by: Sum) -> Iterator[Piece]:
    for monomial, coefficient in value.terms.items():
        factors = flatten(monomial)
        positions = [p for p, (name, _) in enumerate(factors) if name == tensor]
        if positions:
            yield from spliced(value.frame, factors, positions[0], by, coefficient)
        else:
            yield monomial, coefficient
