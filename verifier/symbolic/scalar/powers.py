"""The T-th power of a small matrix in closed form, for a symbolic T.

For a triangular M the entry (i, j) of M**T is a sum over the chains i = c_0 < ... < c_r = j of the
product of the steps' entries times the divided difference of x**T at the diagonal entries met.
"""

from collections.abc import Iterator, Mapping
from itertools import combinations, pairwise, permutations

import sympy as sp

from verifier.symbolic.scalar.domain import Span
from verifier.symbolic.scalar.indices import bound_index
from verifier.symbolic.scalar.refuse import Refused
from verifier.symbolic.scalar.signs import sign


def triangular_power(matrix: sp.Matrix, steps: sp.Expr, spans: Mapping[str, Span]) -> sp.Matrix:
    """M**steps, the matrix brought to triangular form by reordering."""
    order = _triangular_order(matrix)
    size = matrix.shape[0]
    place = {old: new for new, old in enumerate(order)}
    upper = sp.Matrix(size, size, lambda i, j: matrix[order[i], order[j]])

    def entry(i: int, j: int) -> sp.Expr:
        a, b = place[i], place[j]
        if a > b:
            return sp.Integer(0)
        return sp.Add(*(_chain(upper, chain, steps, spans) for chain in _chains(a, b)))

    return sp.Matrix(size, size, entry)


def _triangular_order(matrix: sp.Matrix) -> tuple[int, ...]:
    size = matrix.shape[0]
    for order in permutations(range(size)):
        below = ((i, j) for i in range(size) for j in range(i))
        if all(matrix[order[i], order[j]] == 0 for i, j in below):
            return order
    raise Refused("a transfer matrix that is not triangular in any order")


def _chains(first: int, last: int) -> Iterator[tuple[int, ...]]:
    if first == last:
        yield (first,)
        return
    inner = range(first + 1, last)
    for count in range(len(inner) + 1):
        for middle in combinations(inner, count):
            yield (first, *middle, last)


def _chain(upper: sp.Matrix, chain: tuple[int, ...], steps: sp.Expr, spans: Mapping[str, Span]) -> sp.Expr:
    weight = sp.Mul(*(upper[a, b] for a, b in pairwise(chain)))
    if weight == 0:
        return sp.Integer(0)
    nodes = [upper[c, c] for c in chain]
    return _difference(weight, nodes, steps, spans)


def _difference(weight: sp.Expr, nodes: list[sp.Expr], steps: sp.Expr, spans: Mapping[str, Span]) -> sp.Expr:
    """weight * x**T[nodes]. Where two nodes may meet, the weight must cancel their difference."""
    if len(nodes) == 1:
        return weight * nodes[0] ** steps
    if len(nodes) == 2 and sp.expand(nodes[0] - nodes[1]) == 0:
        return weight * steps * nodes[0] ** (steps - 1)
    total = sp.Integer(0)
    for k, node in enumerate(nodes):
        gaps = sp.Mul(*(node - other for j, other in enumerate(nodes) if j != k))
        if sp.expand(gaps) == 0:
            raise Refused("a transfer matrix with a repeated entry on its diagonal")
        share = sp.factor(sp.cancel(weight / gaps))
        if sign(sp.fraction(share)[1], spans) not in ("positive", "negative"):
            return _geometric(weight, nodes, steps)
        total += share * node**steps
    return total


def _geometric(weight: sp.Expr, nodes: list[sp.Expr], steps: sp.Expr) -> sp.Expr:
    """x**T[a, b] = sum of a**k b**(T-1-k), which needs no division where a and b meet."""
    if len(nodes) != 2:
        raise Refused("a transfer matrix whose diagonal entries may meet")
    k = bound_index("k")
    return weight * sp.Sum(nodes[0] ** k * nodes[1] ** (steps - 1 - k), (k, 0, steps - 1))
