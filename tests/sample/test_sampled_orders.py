"""Orders of magnitude decide on proven, replicated intervals alone."""

import pytest

from tests.sample.specs import claim_of, look
from verifier.evidence import Sample
from verifier.sample.estimate import student
from verifier.sample.magnitude_ranges import Span, measured
from verifier.sample.sampled_orders import is_deep

GAUSSIAN = {"n": "dimension", "m": "dimension", "W": "normal(n, m)", "V": "normal(m, n)"}
SIZES = "where: {n: 3, m: 5}"  # E norm(W)**2 = 15, of the order 1e1


@pytest.mark.parametrize(
    ("relation", "truth"),
    [
        ("== order(1e1)", "true"),
        ("== order(1e1, 1e3)", "true"),
        ("<= order(1e1)", "true"),
        (">= order(1e1)", "true"),
        ("== order(1e-1) * order(1e2)", "true"),
        ("== order(1e0)", "false"),
        ("== order(1e2, 1e3)", "false"),
        ("<= order(1e0)", "false"),
        (">= order(1e2)", "false"),
        ("== order(1e1) / order(1e2)", "false"),
    ],
)
def test_a_single_number_is_judged(relation: str, truth: str) -> None:
    found = look(claim_of(f"E(norm(W)**2) {relation}", GAUSSIAN, extra=SIZES))
    assert (found.truth, found.grade) == (truth, "sampled")
    assert "order(1e1)" in found.reason
    if truth == "false":
        assert found.counterexample is not None
        assert found.counterexample.lhs == pytest.approx(15, rel=0.5)


def test_ratios_of_expectations() -> None:
    says = "E(norm(W @ V)**2) / E(norm(V)**2)"  # 45 / 15
    assert look(claim_of(f"{says} == order(1e0)", GAUSSIAN, extra=SIZES)).truth == "true"
    assert look(claim_of(f"{says} == order(1e1)", GAUSSIAN, extra=SIZES)).truth == "false"


def test_a_free_symbol_is_never_shown_by_points() -> None:
    """For every X: each point may refute, no number of points shows."""
    symbols = {"n": "dimension", "x": "interval(1, 2)", "w": "normal(n)"}
    near = claim_of("E(norm(x * w)**2) == order(1e0, 1e1)", symbols, extra="where: {n: 3}")
    far = claim_of("E(norm(x * w)**2) == order(1e3)", symbols, extra="where: {n: 3}")
    assert look(near).truth == "unknown"
    assert look(far).truth == "false"
    open_size = {"n": "dimension", "w": "normal(n)"}
    assert look(claim_of("E(norm(w)**2) == order(1e0, 1e2)", open_size)).truth == "unknown"


def test_stated_moments_alone_do_not_show_it() -> None:
    """The fourth moment is not stated, whatever the laws that were tried have."""
    symbols = {"w": "iid(1, 1, mean=0, var=1)"}
    assert look(claim_of("E(w**4) == order(1e0, 1e1)", symbols)).truth == "unknown"


def test_given_symbols_range_over_their_support() -> None:
    symbols = {"u": "normal(1, 1)", "w": "normal(2)"}
    found = look(claim_of("E(norm(w)**2 * (2 + tanh(u)), given=u) == order(1e0, 1e1)", symbols))
    assert found.truth == "unknown"


@pytest.mark.parametrize("order", ["order(1e0)", "order(1e5)"])
def test_approximate_intervals_are_told_and_decide_nothing(order: str) -> None:
    """E exp(w) = 1.65; exp has no proven tail bound here."""
    found = look(claim_of(f"E(exp(w)) == {order}", {"w": "normal(1, 1)"}))
    assert found.truth == "unknown"
    assert found.missing is not None
    assert "a proven bound on the tails" in found.missing
    assert "measured 1.6" in found.reason
    assert "which is order(1e0)" in found.reason


def test_what_may_be_zero_has_no_order() -> None:
    assert look(claim_of("E(w) == order(1e0)", {"w": "normal(1, 1)"}), seconds=1).truth == "unknown"


def test_exponents_are_rounded() -> None:
    assert measured(0.036, 0.037) == Span(-1, -1)
    assert measured(2.9, 3.4) == Span(0, 1)
    assert measured(-1.0, 1.0) is None


def test_student_quantiles() -> None:
    """Tables: 2.365 for 7 and 2.042 for 30 degrees of freedom at 2.5%; Cauchy's are a tangent."""
    assert student(7, 0.025) == pytest.approx(2.3646, abs=1e-3)
    assert student(30, 0.025) == pytest.approx(2.0423, abs=1e-3)
    assert student(1, 1e-6) == pytest.approx(318309.9, rel=1e-4)


@pytest.mark.parametrize(
    ("order", "truth"),
    [
        ("== order(1e0, 1e2)", "true"),
        ("<= order(1e1)", "true"),
        ("== order(1e0)", "unknown"),
        ("== order(1e2)", "unknown"),
    ],
)
def test_approximate_intervals_deep_inside_show_and_never_refute(order: str, truth: str) -> None:
    """The largest singular value of W is about 4, so this is about 14; no tail bound of it is known."""
    found = look(claim_of(f"E(5 * log(1 + norm(W, 2)**2)) {order}", {"W": "normal(5, 5)"}))
    assert found.truth == truth, found.reason
    assert found.grade == ("sampled" if truth == "true" else None)


def test_deep_is_further_for_heavy_tails() -> None:
    def sample(low: float, high: float, draws: int) -> Sample:
        return Sample({}, (low + high) / 2, low, high, None, draws)

    one = Span(0, 0)
    assert is_deep(sample(0.99, 1.01, 100), "==", one)
    assert not is_deep(sample(0.99, 1.01, 3), "==", one)
    assert not is_deep(sample(2.6, 2.7, 100), "==", one)
    assert is_deep(sample(2.6, 2.7, 100), ">=", one)
    assert not is_deep(sample(0.9, 1.1, 10**6), "==", one)
    assert is_deep(sample(0.95, 1.05, 10**6), "==", Span(-1, 1))
    assert not is_deep(sample(0.5, 1.5, 10**6), "==", Span(-1, 1))
