"""The T-th power of a small matrix in closed form, for a symbolic T.

For a triangular M the entry (i, j) of M**T is a sum over the chains i = c_0 < ... < c_r = j of the
product of the steps' entries times the divided difference of x**T at the diagonal entries met.
For any M with eigenvalues l_1, ..., l_k (rational in the parameters, or pairs with a square root),

    M**T = sum over r of  x**T[l_1, ..., l_r] (M - l_1) ... (M - l_(r-1))      (Newton's interpolation)
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations, pairwise, product

import sympy as sp

from verifier.prove.scalars.bound_indices import at_least, bound_index
from verifier.prove.scalars.coefficient_signs import sign
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.symbol_ranges import Span

MAX_DENSE, MAX_REPEATED = 5, 32


def matrix_power(matrix: sp.Matrix, steps: sp.Expr, spans: Mapping[str, Span]) -> sp.Matrix:
    """M**steps."""
    return _known_power(sp.ImmutableMatrix(matrix), steps, frozenset(spans.items()))


@lru_cache(maxsize=64)
def _known_power(matrix: sp.ImmutableMatrix, steps: sp.Expr, items: frozenset[tuple[str, Span]]) -> sp.Matrix:
    """The claims of a file, and the parts of one, ask for the same powers."""
    spans = dict(items)
    order = _triangular_order(matrix)
    return _dense_power(matrix, steps, spans) if order is None else _ordered(matrix, order, steps, spans)


def _ordered(
    matrix: sp.Matrix, order: tuple[int, ...], steps: sp.Expr, spans: Mapping[str, Span]
) -> sp.Matrix:
    """The power of a matrix that is triangular once its rows and columns are put in order."""
    size = matrix.shape[0]
    place = {old: new for new, old in enumerate(order)}
    upper = sp.Matrix(size, size, lambda i, j: matrix[order[i], order[j]])

    def entry(i: int, j: int) -> sp.Expr:
        a, b = place[i], place[j]
        if a > b:
            return sp.Integer(0)
        return sp.Add(*(_chain(upper, chain, steps, spans) for chain in _chains(a, b)))

    return sp.Matrix(size, size, entry)


def _triangular_order(matrix: sp.Matrix) -> tuple[int, ...] | None:
    """Rows so that each has entries only at itself and later ones; None if there is a cycle."""
    left, order = set(range(matrix.shape[0])), list[int]()
    while left:
        # Next comes a row that no other remaining row leads to.
        free = [j for j in sorted(left) if all(matrix[i, j] == 0 for i in left - {j})]
        if not free:
            return None
        order.append(free[0])
        left.remove(free[0])
    return tuple(order)


# --- any matrix -------------------------------------------------------------------------------------


def _dense_power(matrix: sp.Matrix, steps: sp.Expr, spans: Mapping[str, Span]) -> sp.Matrix:
    size = matrix.shape[0]
    if steps.is_Integer and 0 <= steps <= MAX_REPEATED:
        power = sp.eye(size)
        for _ in range(int(steps)):
            power = (power * matrix).applyfunc(sp.expand)
        return power
    if size > MAX_DENSE:
        raise Refused("the power of a large transfer matrix that is not triangular in any order")
    nodes = _eigenvalues(matrix, spans)
    total, factors = sp.zeros(size, size), sp.eye(size)
    for count in range(1, size + 1):
        weight = _newton(tuple(nodes[:count]), steps, spans)
        total += weight * factors
        factors = (factors * (matrix - nodes[count - 1] * sp.eye(size))).applyfunc(sp.expand)
    return total


def _eigenvalues(matrix: sp.Matrix, spans: Mapping[str, Span]) -> list[sp.Expr]:
    """Those of the blocks of rows that lead to each other, equal ones together."""
    found: list[sp.Expr] = []
    for block in _blocks(matrix):
        inner = matrix.extract(block, block)
        for value in _of_pair(inner, spans) if len(block) == 2 else _of_block(inner):
            equal = [k for k, other in enumerate(found) if sp.expand(other - value) == 0]
            found.insert(equal[0] if equal else len(found), value)
    return found


def _blocks(matrix: sp.Matrix) -> list[list[int]]:
    size = matrix.shape[0]
    reach = [[i == j or matrix[i, j] != 0 for j in range(size)] for i in range(size)]
    for k, i, j in product(range(size), repeat=3):
        reach[i][j] = reach[i][j] or (reach[i][k] and reach[k][j])
    return [
        block
        for i in range(size)
        if (block := [j for j in range(size) if reach[i][j] and reach[j][i]])[0] == i
    ]


def _of_pair(block: sp.Matrix, spans: Mapping[str, Span]) -> list[sp.Expr]:
    """(a + d)/2 +- sqrt(((a - d)/2)**2 + b c), where the root is of something positive."""
    (a, b), (c, d) = block.tolist()
    inside = sp.factor(sp.expand((a - d) ** 2 / 4 + b * c))
    if sign(inside, spans) != "positive":
        raise Refused("a transfer matrix whose eigenvalues may meet or be complex")
    middle, root = sp.cancel((a + d) / 2), sp.sqrt(inside)
    return [middle + root, middle - root]


def _of_block(block: sp.Matrix) -> list[sp.Expr]:
    """Rational roots of the characteristic polynomial."""
    x = sp.Dummy("x")
    characteristic = sp.Poly(block.charpoly().all_coeffs(), x).as_expr()
    found: list[sp.Expr] = []
    for factor, times in sp.factor_list(sp.fraction(sp.together(characteristic))[0], x)[1]:
        poly = sp.Poly(factor, x)
        if poly.degree() > 1:
            raise Refused("the roots of the transfer matrix's characteristic polynomial")
        if poly.degree() == 1:
            slope, rest = poly.all_coeffs()
            found += [sp.cancel(-rest / slope)] * times
    return found


def _newton(nodes: tuple[sp.Expr, ...], steps: sp.Expr, spans: Mapping[str, Span]) -> sp.Expr:
    """x**T[nodes] = (x**T[all but the first] - x**T[all but the last])/(last - first); at k + 1 equal nodes
    it is T (T-1) ... (T-k+1)/k! x**(T-k), which is 0 at x = 0 once T > k."""
    first, last, k = nodes[0], nodes[-1], len(nodes) - 1
    gap = sp.expand(last - first)
    if gap == 0:
        if first == 0 and at_least(steps, k + 1, spans):
            return sp.Integer(0)
        if first == 0:
            raise Refused("a transfer matrix that is nilpotent in part")
        return sp.ff(steps, k) / sp.factorial(k) * first ** (steps - k)
    if sign(gap, spans) not in ("positive", "negative"):
        raise Refused("a transfer matrix whose eigenvalues may meet")
    return (_newton(nodes[1:], steps, spans) - _newton(nodes[:-1], steps, spans)) / gap


# --- triangular ones --------------------------------------------------------------------------------


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
    """weight * x**T[nodes]. Where two nodes may meet, the weight must cancel their difference.

    x**T[0, rest] = x**(T-1)[rest] for T >= 1, since x**T is x times x**(T-1)."""
    if len(nodes) == 1:
        return weight * nodes[0] ** steps
    rest = [node for node in nodes if node != 0]
    if len(rest) == len(nodes) - 1:
        return _difference(weight, rest, steps - 1, spans)
    if len(nodes) == 2 and sp.expand(nodes[0] - nodes[1]) == 0:
        return weight * steps * nodes[0] ** (steps - 1)
    if any(sp.expand(a - b) == 0 for a, b in combinations(nodes, 2)):
        return _confluent(weight, nodes, steps, spans)
    total = sp.Integer(0)
    for k, node in enumerate(nodes):
        gaps = sp.Mul(*(node - other for j, other in enumerate(nodes) if j != k))
        share = sp.factor(sp.cancel(weight / gaps))
        if sign(sp.fraction(share)[1], spans) not in ("positive", "negative"):
            return _geometric(weight, nodes, steps)
        total += share * node**steps
    return total


def _confluent(weight: sp.Expr, nodes: list[sp.Expr], steps: sp.Expr, spans: Mapping[str, Span]) -> sp.Expr:
    """weight * x**T[nodes] where some nodes are equal: by Newton's recursion, equal ones side by side."""
    together: list[sp.Expr] = []
    for node in nodes:
        equal = [k for k, other in enumerate(together) if sp.expand(other - node) == 0]
        together.insert(equal[0] if equal else len(together), node)
    gap = sp.expand(together[-1] - together[0])
    if gap == 0:
        return weight * _newton(tuple(together), steps, spans)
    share = sp.factor(sp.cancel(weight / gap))
    if sign(sp.fraction(share)[1], spans) not in ("positive", "negative"):
        raise Refused("a transfer matrix whose repeated eigenvalues may meet others")
    later, earlier = (_difference(share, part, steps, spans) for part in (together[1:], together[:-1]))
    return later - earlier


def _geometric(weight: sp.Expr, nodes: list[sp.Expr], steps: sp.Expr) -> sp.Expr:
    """x**T[a, b] = sum of a**k b**(T-1-k), which needs no division where a and b meet."""
    if len(nodes) != 2:
        raise Refused("a transfer matrix whose diagonal entries may meet")
    k = bound_index("k")
    return weight * sp.Sum(nodes[0] ** k * nodes[1] ** (steps - 1 - k), (k, 0, steps - 1))
