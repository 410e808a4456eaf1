"""Open indices of a sum: which there are, and a canonical name for each."""

from collections.abc import Callable, Iterable, Mapping
from itertools import permutations

from verifier.prove.forms.refusal import Refusal
from verifier.prove.networks import Index, Sum
from verifier.prove.networks.network_sums import axes

Place = Callable[[int], str]  # the label of an axis of a side
Key = tuple[tuple[str, str], ...]

# Beyond this many open indices an argument is not looked for among its permutations.
_MOST_AXES = 4


def row(axis: int) -> str:
    """The open index of a form's row axis."""
    return f"_r{axis}"


def col(axis: int) -> str:
    return f"_c{axis}"


def slot(axis: int) -> str:
    """The open index of a function's argument."""
    return f"_a{axis}"


def by(axis: int) -> str:
    """The open index of the variable that a derivative is taken by."""
    return f"_d{axis}"


def open_labels(value: Sum) -> dict[str, str]:
    """Every open index that occurs, with its space, in a fixed order."""
    found: dict[str, str] = {}
    for monomial in value.terms:
        for flat, _ in monomial:
            for name, labels in flat:
                for label, space in zip(labels, axes(value.frame, name, len(labels)), strict=True):
                    if isinstance(label, str):
                        found[label] = space
    return dict(sorted(found.items()))


def summed(value: Sum, labels: Iterable[str], spaces: Iterable[str]) -> Sum:
    """The sum over the named open indices; one that does not occur contributes its size."""
    indices = [Index(label, space) for label, space in zip(labels, spaces, strict=True)]
    return value.bind(*indices) if indices else value


def renamed(value: Sum, labels: Mapping[str, str]) -> Sum:
    """Open indices renamed, all at once."""
    changed = {old: new for old, new in labels.items() if old != new}
    return value.rename(changed) if changed else value


def key(value: Sum) -> Key:
    """The sum as a value: equal sums of one frame have equal keys."""
    return tuple(sorted((repr(_sorted(m)), str(c)) for m, c in value.terms.items()))


def _sorted(monomial: Iterable[object]) -> list[str]:
    return sorted(map(repr, monomial))


def abstracted(value: Sum, last: tuple[str, ...] = ()) -> tuple[Sum, tuple[str, ...], tuple[str, ...]]:
    """The sum as a function of its open indices: (body over slots, labels, spaces).

    exp(A[i, c]) and the entry (i, c) of exp(A) are one function of two indices, at (i, c). The indices
    named in `last` take the last slots, in that order.
    """
    found = open_labels(value)
    others = [label for label in found if label not in last]
    if len(others) > _MOST_AXES:
        raise Refusal(f"a function of an expression with {len(others)} open indices")
    best: tuple[Key, Sum, tuple[str, ...]] | None = None
    for order in permutations(others):
        slots = (*order, *last)
        body = renamed(value, {label: slot(i) for i, label in enumerate(slots)})
        candidate = (key(body), body, slots)
        if best is None or candidate[0] < best[0]:
            best = candidate
    assert best is not None
    _, body, slots = best
    return body, slots, tuple(found[label] for label in slots)
