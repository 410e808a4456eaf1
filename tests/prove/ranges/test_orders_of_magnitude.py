"""Orders of magnitude: exponents are rounded, spans multiply."""

import pytest

from tests.exact.helpers import claim
from verifier.evidence import Budget, Finding
from verifier.prove.ranges.engine import examine


def judge(says: str, symbols: str = "x: real") -> Finding:
    stated = claim(says, symbols)
    return examine(stated, stated.steps[0], Budget(5))


@pytest.mark.parametrize(
    ("says", "truth"),
    [
        ("0.036 == order(1e-1)", "true"),
        ("0.036 == order(1e-2)", "false"),
        ("0.0316 == order(1e-2)", "true"),
        ("1/sqrt(768) == order(1e-2)", "false"),
        ("1/sqrt(768) == order(1e-2, 1e-1)", "true"),
        ("1/sqrt(768) <= order(1e-1)", "true"),
        ("1/sqrt(768) <= order(1e-2)", "false"),
        ("1/sqrt(768) >= order(1e-2)", "true"),
        ("order(1e-3, 1e-2)*order(1e-1) == order(1e-4, 1e-3)", "true"),
        ("order(1e-3, 1e-2)*order(1e-1) == order(1e-4)", "false"),
        ("order(1e-3)/order(1e-1, 1e0) == order(1e-3, 1e-2)", "true"),
        ("1/order(1e-3) == order(1e3)", "true"),
        ("order(1e-1)/sqrt(768) == order(1e-2)", "true"),
        ("order(1e-1)/sqrt(768) == order(1e-3)", "false"),
        ("0 == order(1e-2)", "unknown"),
    ],
)
def test_orders(says: str, truth: str) -> None:
    assert judge(says).truth == truth


def test_both_spans_are_shown() -> None:
    found = judge("1/sqrt(768) == order(1e-2)")
    assert found.corrected == "order(1e-1)"
    assert found.counterexample is not None
    assert found.counterexample.arithmetic[0] == "left side = 1/sqrt(768) ≈ 0.0360844"
    assert found.counterexample.lhs_exact == "order(1e-1)"
    assert found.counterexample.rhs_exact == "order(1e-2)"


@pytest.mark.parametrize(
    ("says", "corrected"),
    [
        ("order(1e-3, 1e-2) <= order(1e-4, 1e-3)", "order(1e-2)"),
        ("order(1e-3, 1e-2) >= order(1e-2, 1e-1)", "order(1e-3)"),
        ("order(1e-3, 1e-2) == order(1e-4, 1e-3)", "order(1e-3, 1e-2)"),
    ],
)
def test_a_bound_by_an_order_is_corrected_by_the_least_that_is_true(says: str, corrected: str) -> None:
    assert judge(says).corrected == corrected


def test_a_function_lies_in_an_order_when_its_whole_range_does() -> None:
    assert judge("x == order(1e0, 1e1)", "x: interval(1, 20)").truth == "true"
    assert judge("x == order(1e0)", "x: interval(1, 20)").truth == "false"


@pytest.mark.parametrize(
    ("says", "better"),
    [
        ("0.01 <= order(1e-1)", "order(1e-2)"),
        ("0.01 >= order(1e-4, 1e-3)", "order(1e-2)"),
        ("order(1e-3, 1e-2)*order(1e-2) <= order(1e-2, 1e-1)", "order(1e-5, 1e-4)"),
        ("0.01 <= order(1e-3, 1e-2)", None),
        ("0.01 == order(1e-3, 1e-1)", None),
    ],
)
def test_a_bound_by_an_order_that_can_be_improved(says: str, better: str | None) -> None:
    tightness = judge(says).tightness
    assert (tightness.better if tightness else None) == better


@pytest.mark.parametrize(
    ("says", "symbols", "truth", "loose"),
    [
        ("x/1000 <= order(1e-3)", "x: interval(0, 1)", "true", False),
        ("x/1000 <= order(1e-2)", "x: interval(0, 1)", "true", True),
        ("x/1000 <= order(1e-4)", "x: interval(0, 1)", "false", False),
        ("x/1000 == order(1e-3)", "x: interval(0, 1)", "false", False),  # as small as one likes
        ("x/1000 >= order(1e-9)", "x: interval(0, 1)", "false", False),
        ("50 + x >= order(1e2)", "x: positive", "true", False),
        ("50 + x >= order(1e1)", "x: positive", "true", True),
        ("50 + x <= order(1e2)", "x: positive", "false", False),
        ("x/(1 + x**2) <= order(1e0)", "x: real", "true", False),
        ("x/(1 + x**2) <= order(1e-1)", "x: real", "false", False),
        ("1/x <= order(1e0)", "x: dimension", "true", False),
        ("1/x >= order(1e-3)", "x: dimension", "false", False),
        ("x - 1 >= order(1e0)", "x: dimension", "unknown", False),  # 0 at x = 1, else at least 1
        ("0 * x <= order(1e0)", "x: real", "unknown", False),
    ],
)
def test_ranges_that_reach_zero_or_have_no_end(says: str, symbols: str, truth: str, loose: bool) -> None:
    found = judge(says, symbols)
    assert found.truth == truth, found.reason
    assert (found.tightness is not None) == loose


@pytest.mark.parametrize(
    ("says", "truth"),
    [
        ("x + 1 == order(1e0)", "unknown"),  # true, for x <= y <= 1
        ("x + 1 <= order(1e1)", "true"),
        ("x + 1 <= order(1e0)", "unknown"),
    ],
)
def test_a_range_that_forgets_an_assumption_refutes_nothing(says: str, truth: str) -> None:
    stated = claim(says, "x: interval(0, 10); y: interval(0, 1)", "below: x <= y")
    found = examine(stated, stated.steps[0], Budget(5))
    assert found.truth == truth
    assert found.tightness is None


def test_orders_of_whole_numbers() -> None:
    assert judge("(2*x - 5)**2 >= order(1e0)", "x: integer").truth == "true"
    assert judge("(2*x - 5)**2 >= order(1e1)", "x: integer").truth == "false"
