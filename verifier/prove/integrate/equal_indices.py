"""Indices of independent neurons: equal, or apart.

    E(f(u[a]) g(u[b])) = delta(a, b) E(f(u[a]) g(u[a])) + (1 - delta(a, b)) E(f(u[a])) E(g(u[b]))

for variables u[a] that are independent at different a. The covariance of u[a] and u[b] tells: each of its
terms holds delta(a, b).
"""

from collections.abc import Iterator

from verifier.prove.networks import Sum
from verifier.prove.networks.network_sums import flatten

Pair = tuple[str, str]


def apart(value: Sum, pairs: frozenset[Pair]) -> Sum:
    """The sum where the indices of each pair differ."""
    for first, second in sorted(pairs):
        value = value.apart(first, second)
    return value


def needed(tie: Sum, left: frozenset[str], right: frozenset[str]) -> Pair | None:
    """Two indices, one of each side, that must be equal for the covariance not to vanish."""
    shared: set[Pair] | None = None
    for monomial in tie.terms:
        here = set(_deltas(monomial, left, right))
        shared = here if shared is None else shared & here
    return min(shared) if shared else None


def _deltas(monomial: object, left: frozenset[str], right: frozenset[str]) -> Iterator[Pair]:
    for name, labels in flatten(monomial):  # type: ignore[arg-type]
        if name.startswith("delta:"):
            for a in labels:
                for b in labels:
                    if a != b and a in left and b in right:
                        yield str(a), str(b)
