"""Variables that differ by a constant: v = u + c, as in relu(u + 1) - relu(u - 1).

Cov(u, u) = Cov(u, v) = Cov(v, v), and then v - u is its own mean. Their order is that of their means.
"""

from collections.abc import Sequence

from verifier.prove.forms.labels import key
from verifier.prove.forms.workspace import Workspace, constant, is_constant
from verifier.prove.networks import Sum

Ties = Sequence[Sequence[Sum]]


def below(space: Workspace, means: Sequence[Sum], ties: Ties) -> tuple[int | None, ...]:
    """For each variable the next one below it that differs from it by a positive constant."""
    found: list[int | None] = []
    for j in range(len(means)):
        lower = [i for i in range(len(means)) if i != j and _is_below(space, means, ties, i, j)]
        found.append(_highest(space, means, lower))
    return tuple(found)


def _is_below(space: Workspace, means: Sequence[Sum], ties: Ties, i: int, j: int) -> bool:
    own = key(ties[i][i])
    return key(ties[j][j]) == own and key(ties[i][j]) == own and _is_positive(space, means[j] - means[i])


def _highest(space: Workspace, means: Sequence[Sum], among: list[int]) -> int | None:
    return next(
        (i for i in among if all(i == j or _is_positive(space, means[i] - means[j]) for j in among)), None
    )


def _is_positive(space: Workspace, value: Sum) -> bool:
    return is_constant(value) and bool(value) and space.is_positive(constant(value))
