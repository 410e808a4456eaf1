"""A shrinker knows a value and a predicate; what it returns is small and keeps the predicate."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tests.refute.claims import claim_of
from verifier.refute.ascent.shrink import cost, shrink
from verifier.refute.domain.domain_at_sizes import Design
from verifier.refute.domain.family import Rows
from verifier.timer import worked

SYMBOLS = dict(claim_of("norm(C) <= norm(C)").symbols)
LATER = 10.0


def design_of(rows: list[list[str]]) -> Design:
    parts: Rows = tuple(tuple(Fraction(x) for x in row) for row in rows)
    return Design({"n": len(rows), "m": len(rows[0])}, {"C": parts})


def total(design: Design) -> Fraction:
    return sum((x for row in design.parts["C"] for x in row), Fraction(0))


def test_dimensions_go_first() -> None:
    start = design_of([["5/7", "2", "9"], ["1", "-3", "4/3"]])
    small = shrink(start, lambda d: total(d) > 1, SYMBOLS, worked() + LATER)
    assert dict(small.sizes) == {"n": 1, "m": 1}
    assert small.parts["C"] == ((Fraction(2),),)


def test_a_shape_that_is_needed_is_kept() -> None:
    start = design_of([["5/7", "2", "9"], ["1", "-3", "4/3"]])

    def keeps(d: Design) -> bool:
        return d.sizes == {"n": 2, "m": 3} and any(x != 0 for x in d.parts["C"][1])

    small = shrink(start, keeps, SYMBOLS, worked() + LATER)
    assert sorted(x for row in small.parts["C"] for x in row) == [0, 0, 0, 0, 0, 1]


def test_large_numbers_come_down_quickly() -> None:
    small = shrink(design_of([["8885972"]]), lambda d: total(d) >= 1000, SYMBOLS, worked() + LATER)
    assert total(small) == 1000


def test_a_deadline_in_the_past_changes_nothing() -> None:
    start = design_of([["22/7"]])
    assert shrink(start, lambda d: True, SYMBOLS, worked() - 1) == start


@given(
    st.lists(
        st.lists(st.fractions(-9, 9, max_denominator=30).map(str), min_size=2, max_size=2),
        min_size=2,
        max_size=3,
    )
)
def test_the_result_keeps_the_predicate_and_never_costs_more(rows: list[list[str]]) -> None:
    start = design_of(rows)
    reference = total(start)

    def keeps(d: Design) -> bool:
        return total(d) >= reference - 1

    small = shrink(start, keeps, SYMBOLS, worked() + LATER)
    assert keeps(small)
    assert cost(small) <= cost(start)
