"""Replace one factor of a network by a whole sum: substitution and the chain rule."""

from collections.abc import Iterator, Mapping

from verifier.prove.forms.labels import slot
from verifier.prove.networks import Coefficient, Frame, Monomial, Sum
from verifier.prove.networks.network_sums import arrange, collect, flatten
from verifier.prove.networks.network_tensors import Label, Occurrence

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
        value = collect(value.frame, _replaced(value, tensor, by))
    return value


def _replaced(value: Sum, tensor: str, by: Sum) -> Iterator[Piece]:
    """One occurrence in each term; all of them at once where the sum is a single term."""
    for monomial, coefficient in value.terms.items():
        factors = flatten(monomial)
        positions = [p for p, (name, _) in enumerate(factors) if name == tensor]
        if not positions:
            yield monomial, coefficient
        elif len(by.terms) == 1:
            yield from _all(value.frame, factors, tensor, by, coefficient)
        else:
            yield from spliced(value.frame, factors, positions[0], by, coefficient)


def _all(
    frame: Frame, factors: list[Occurrence], tensor: str, by: Sum, coefficient: Coefficient
) -> Iterator[Piece]:
    ((monomial, weight),) = by.terms.items()
    inner = flatten(monomial)
    width = 1 + max((x for _, xs in (*factors, *inner) for x in xs if isinstance(x, int)), default=-1)
    made: list[Occurrence] = []
    alive: dict[Label, str] = {}
    offset = width
    for name, labels in factors:
        if name != tensor:
            made.append((name, labels))
            continue
        alive.update(zip(labels, frame.spaces(name), strict=True))
        place: dict[Label, Label] = {slot(axis): label for axis, label in enumerate(labels)}
        made += [(n, tuple([_moved(x, place, offset) for x in xs])) for n, xs in inner]
        offset += width
        coefficient = coefficient * weight
    found = arrange(frame, made, (), alive)
    if found is not None:
        yield found[0], found[1] * coefficient
