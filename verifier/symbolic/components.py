"""What is known of a component by its form alone."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from verifier.symbolic.network.tensors import Flat

if TYPE_CHECKING:
    from verifier.symbolic.workspace import Workspace

# Functions whose value is never negative.
NONNEGATIVE = frozenset({"root", "abs", "exp", "softmax", "sigmoid", "softplus", "relu", "Phi", "phi"})


def is_square(space: Workspace, component: Flat) -> bool:
    """Whether the component is a sum of squares, or a product of factors that are not negative.

    Every factor occurs an even number of times at the same indices (sum_ab X[a, b]**2), or is of a
    known sign; or the component is a norm, sum_a (v[a])**2 with v a network: mirrored halves.
    """
    counts = Counter(component)
    if all(times % 2 == 0 or _is_nonnegative(space, name) for (name, _), times in counts.items()):
        return True
    return _mirrored(component)


def _is_nonnegative(space: Workspace, name: str) -> bool:
    opaque = space.opaque.get(name)
    return opaque is not None and opaque.function in NONNEGATIVE


def _mirrored(component: Flat) -> bool:
    """sum_c f(c) f(c): cutting some indices leaves two isomorphic halves, glued in order."""
    return mirror(component) is not None


def mirror(component: Flat) -> tuple[int, ...] | None:
    """Indices whose values both halves share, or None: found for paths and cycles of matrices."""
    from verifier.symbolic.halves import halves

    return halves(component)
