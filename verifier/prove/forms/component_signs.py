"""What the form of a component alone says of its sign.

sum_c f(c) f(c) >= 0: an involution of the network that keeps the indices c and exchanges two halves,
which meet nowhere else, shows a sum of squares. norm(A)**2, tr(X'X X'X), x'A'A x and every other
squared norm are of this kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from verifier.prove.networks.network_tensors import Flat, Label, Occurrence

if TYPE_CHECKING:
    from verifier.prove.forms.workspace import Workspace

# Functions whose value is never negative.
NONNEGATIVE = frozenset({"root", "abs", "exp", "softmax", "sigmoid", "softplus", "relu", "Phi", "phi"})
# Those whose value is never zero either.
POSITIVE = frozenset({"exp", "softmax", "sigmoid", "softplus", "Phi", "phi"})
_LARGEST = 16


def is_square(space: Workspace, component: Flat) -> bool:
    """Whether the component is shown to be nonnegative by its form."""
    signed = frozenset(f for f in component if is_nonnegative(space, f[0]) or _is_diagonal(space, f))
    return _is_square(space, component, signed) or (
        bool(signed) and _is_square(space, component, frozenset())
    )


def _is_square(space: Workspace, component: Flat, signed: frozenset[Occurrence]) -> bool:
    """Whether it is a sum of squares, each times factors of `signed`."""
    rest = tuple(f for f in component if f not in signed)
    if not rest:
        return True
    if len(rest) > _LARGEST or len(rest) % 2:
        return False
    pinned = {x for _, labels in signed for x in labels}
    pinned |= {x for _, labels in rest for x in labels if isinstance(x, str)}
    start = {label: label for label in pinned}
    return any(_separates(rest, images, swap) for images, swap in _involutions(space, rest, start))


def is_nonnegative(space: Workspace, name: str) -> bool:
    opaque = space.opaque.get(name)
    return (opaque is not None and opaque.function in NONNEGATIVE) or name in space.nonnegative_tensors


def _is_diagonal(space: Workspace, factor: Occurrence) -> bool:
    """C[i, i] for a positive semidefinite C"""
    name, labels = factor
    declared = space.claim.symbols.get(name)
    psd = declared is not None and declared.copies is None and getattr(declared.kind, "family", "") == "psd"
    return psd and len(labels) == 2 and labels[0] == labels[1]


def is_positive(space: Workspace, component: Flat) -> bool:
    """Whether every factor is a function without zeros: a sum of their products is positive."""
    known = (space.opaque.get(name) for name, _ in component)
    return all(opaque is not None and opaque.function in POSITIVE for opaque in known)


Images = dict[Label, Label]


def _involutions(
    space: Workspace, factors: Flat, images: Images, swap: dict[int, int] | None = None
) -> Iterator[tuple[Images, dict[int, int]]]:
    """Pairings of equal tensors that send indices to indices, both ways."""
    swap = swap or {}
    free = [p for p in range(len(factors)) if p not in swap]
    if not free:
        yield images, swap
        return
    first = max(free, key=lambda p: (sum(x in images for x in factors[p][1]), -p))
    for other in free:
        if other == first or factors[other][0] != factors[first][0]:
            continue
        for labels in _orders(space, factors[other]):
            joined = _joined(images, factors[first][1], labels)
            if joined is not None:
                paired = {**swap, first: other, other: first}
                yield from _involutions(space, factors, joined, paired)


def _orders(space: Workspace, factor: Occurrence) -> list[tuple[Label, ...]]:
    name, labels = factor
    return [labels, labels[::-1]] if space.frame.is_symmetric(name) else [labels]


def _joined(images: Images, left: tuple[Label, ...], right: tuple[Label, ...]) -> Images | None:
    result = dict(images)
    for a, b in zip(left, right, strict=True):
        if result.get(a, b) != b or result.get(b, a) != a:
            return None
        result[a], result[b] = b, a
    return result


def _separates(factors: Flat, images: Images, swap: dict[int, int]) -> bool:
    """Whether no part, joined by indices that move, is exchanged with itself."""
    group = list(range(len(factors)))

    def root(p: int) -> int:
        while group[p] != p:
            p = group[p]
        return p

    holders: dict[Label, int] = {}
    for p, (_, labels) in enumerate(factors):
        for label in labels:
            if images[label] != label:
                group[root(p)] = root(holders.setdefault(label, p))
    return all(root(p) != root(q) for p, q in swap.items())
