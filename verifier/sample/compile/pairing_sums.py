"""Sums over pairings and over subsets, for tensors and for intervals alike.

haf(C) over 1..n     = sum over j of C[1, j] haf(C without 1 and j)
e_p(x_1, ..., x_n)   = e_p(x_1, ..., x_{n-1}) + x_n e_{p-1}(x_1, ..., x_{n-1})
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from verifier.sample.unsupported import RefusedError, UndefinedError

T = TypeVar("T")
MAX_PAIRED = 10
MAX_PRODUCTS = 2_000


@dataclass(frozen=True)
class Arithmetic(Generic[T]):
    """What sums of products are made with."""

    zero: T
    one: T
    add: Callable[[T, T], T]
    multiply: Callable[[T, T], T]


def hafnian(size: int, entry: Callable[[int, int], T], numbers: Arithmetic[T]) -> T:
    """The sum over all pairings of 0..size-1 of the products of the entries at their pairs."""
    if size % 2:
        return numbers.zero
    check_paired(size)
    known: dict[tuple[int, ...], T] = {(): numbers.one}

    def paired(rest: tuple[int, ...]) -> T:
        if rest not in known:
            first, others = rest[0], rest[1:]
            total = numbers.zero
            for at, other in enumerate(others):
                product = numbers.multiply(entry(first, other), paired(others[:at] + others[at + 1 :]))
                total = numbers.add(total, product)
            known[rest] = total
        return known[rest]

    return paired(tuple(range(size)))


def check_paired(size: int) -> None:
    """Asked before the matrix is worked out: it may be huge."""
    if size > MAX_PAIRED:
        raise RefusedError(f"a sum over the pairings of more than {MAX_PAIRED} indices")


def elementary(values: Sequence[T], order: int, numbers: Arithmetic[T]) -> T:
    """The sum over all sets of `order` of the values, of their products."""
    if order < 0:
        raise UndefinedError(f"sets of {order} indices")
    if order * len(values) > MAX_PRODUCTS:
        raise RefusedError(f"a sum over sets of {order} among {len(values)} indices")
    sums = [numbers.one, *([numbers.zero] * order)]
    for value in values:
        for size in range(order, 0, -1):
            sums[size] = numbers.add(sums[size], numbers.multiply(value, sums[size - 1]))
    return sums[order]
