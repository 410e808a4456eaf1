"""Sums over pairings and over subsets, without listing them.

haf(C) over 1..n     = sum over j of C[1, j] haf(C without 1 and j)
e_p(x_1, ..., x_n)   = e_p(x_1, ..., x_{n-1}) + x_n e_{p-1}(x_1, ..., x_{n-1})
"""

from collections.abc import Sequence

from verifier.exact.numbers.constants import ONE, ZERO
from verifier.exact.numbers.operations import Value
from verifier.exact.numbers.refusals import Undefined, Unsupported
from verifier.exact.numbers.value_matrices import Matrix

MAX_PAIRED = 12
MAX_PRODUCTS = 20_000


def hafnian(matrix: Matrix) -> Value:
    """The sum over all pairings of the products of the entries above the diagonal."""
    if len(matrix) % 2:
        return ZERO
    known: dict[tuple[int, ...], Value] = {(): ONE}

    def paired(rest: tuple[int, ...]) -> Value:
        if rest not in known:
            first, others = rest[0], rest[1:]
            total: Value = ZERO
            for at, other in enumerate(others):
                total = total + matrix[first][other] * paired(others[:at] + others[at + 1 :])
            known[rest] = total
        return known[rest]

    return paired(tuple(range(len(matrix))))


def check_paired(size: int) -> None:
    """Asked before the matrix is worked out: it may be huge."""
    if size > MAX_PAIRED:
        raise Unsupported(f"a sum over the pairings of {size} indices")


def elementary(values: Sequence[Value], order: int) -> Value:
    """The sum over all sets of `order` of the values, of their products."""
    if order < 0:
        raise Undefined(f"sets of {order} indices")
    if order > len(values):
        return ZERO
    if order * len(values) > MAX_PRODUCTS:
        raise Unsupported(f"a sum over sets of {order} among {len(values)} indices")
    sums: list[Value] = [ONE, *([ZERO] * order)]
    for value in values:
        for size in range(order, 0, -1):
            sums[size] = sums[size] + value * sums[size - 1]
    return sums[order]
