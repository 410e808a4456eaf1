"""Sums over pairings and subsets, against lists of all of them."""

from itertools import combinations
from math import prod

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from verifier.exact.numbers.refusals import Undefined, Unsupported
from verifier.exact.values.pairings_and_subsets import check_paired, elementary, hafnian

entries = st.integers(-3, 3)


def pairings(items: tuple[int, ...]) -> list[list[tuple[int, int]]]:
    if not items:
        return [[]]
    first, rest = items[0], items[1:]
    return [
        [(first, other), *others]
        for at, other in enumerate(rest)
        for others in pairings(rest[:at] + rest[at + 1 :])
    ]


@given(
    st.lists(st.lists(entries, min_size=6, max_size=6), min_size=6, max_size=6), st.sampled_from([2, 4, 6])
)
def test_hafnian_is_the_sum_over_pairings(rows: list[list[int]], size: int) -> None:
    listed = pairings(tuple(range(size)))
    expected = sum(prod(rows[i][j] for i, j in pairs) for pairs in listed)
    assert hafnian(tuple(tuple(fmpq(x) for x in row[:size]) for row in rows[:size])) == expected


def test_nothing_pairs_an_odd_number() -> None:
    assert hafnian(tuple((fmpq(1),) * 5 for _ in range(5))) == 0
    with pytest.raises(Unsupported):
        check_paired(14)


@given(st.lists(entries, min_size=0, max_size=5), st.integers(0, 6))
def test_elementary_is_the_sum_over_subsets(values: list[int], order: int) -> None:
    expected = sum(prod(chosen) for chosen in combinations(values, order))
    assert elementary([fmpq(x) for x in values], order) == expected


def test_no_set_has_a_negative_size() -> None:
    with pytest.raises(Undefined):
        elementary([fmpq(1)], -1)
