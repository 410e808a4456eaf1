"""Gaps, and what the right side could have been."""

import pytest

from tests.refute.claims import SYMBOLS, as_if_proved, claim_of, searched
from verifier.evidence import Budget
from verifier.expr.text import to_text
from verifier.judge.decide import decide
from verifier.prove.rules.bound_form import bounds_of
from verifier.refute.closeness.improved_sides import split
from verifier.refute.domain.uncancelled import uncancelled
from verifier.refute.engine import examine


@pytest.mark.parametrize(
    ("text", "sized", "rest"),
    [
        ("2*sqrt(n)*norm(A)/5", "2*sqrt(n)*1/5", "norm(A)"),
        ("3", "3", None),
        ("n*m/2", "n*m/2", None),
        ("norm(A)", "1", "norm(A)"),
        ("norm(A)*norm(B)", "1*1", "norm(A)*norm(B)"),
    ],
)
def test_split(text: str, sized: str, rest: str | None) -> None:
    (bound,) = bounds_of(claim_of(f"a <= {text}").steps[0].fact)
    constant, left = split(bound.stated, frozenset({"n", "m"}))
    assert to_text(constant) == sized
    assert (None if left is None else to_text(left)) == rest


def test_a_gap_within_a_percent_is_tight() -> None:
    finding, verdict = searched("norm(x, 1) <= 1.009*sqrt(n)*norm(x)")
    assert verdict.verdict == "holds"
    assert finding.tightness is not None
    assert finding.tightness.gap_high is not None
    assert 0.008 < float(finding.tightness.gap_high) < 0.01


def test_tightness_is_judged_from_two_on() -> None:
    # Attained at n = 1 alone: from n = 2 on the best is 1/sqrt(2).
    finding, verdict = searched("norm(x, 1)/norm(x) <= n")
    assert verdict.verdict == "loose"
    assert verdict.slack == pytest.approx(2**0.5, rel=1e-6)
    assert finding.tightness is not None
    assert finding.tightness.better == "sqrt(n)"


@pytest.mark.parametrize(
    ("says", "verdict", "better"),
    [("exp(t) >= 0", "holds", None), ("exp(t) + 1/4 >= 0", "loose", "1/4"), ("norm(x) >= 0", "holds", None)],
)
def test_a_constant_zero_is_tight_if_approached(says: str, verdict: str, better: str | None) -> None:
    assert "t" in SYMBOLS
    _, found = searched(says)
    assert found.verdict == verdict
    assert found.tight == better


@pytest.mark.parametrize(
    ("says", "verdict", "better"),
    [
        ("sigmoid(t) in [0, 1]", "holds", None),
        ("sigmoid(t) in [0, 2]", "loose", "[0, 1]"),
        ("sin(t) in [-3/2, 1]", "loose", "[-1, 1]"),
        ("sin(t) in [-1, 9/10]", "fails", None),
        ("p in [0, 1]", "holds", None),
    ],
)
def test_ranges(says: str, verdict: str, better: str | None) -> None:
    _, found = searched(says)
    assert found.verdict == verdict
    assert found.tight == better


def test_a_bound_that_only_large_sizes_approach_is_not_called_loose() -> None:
    # Attained at k = 1 alone; from k = 2 on the ratio is at most 1 - 1/n, which grows to 1.
    symbols = {"n": "dimension", "k": "dimension"}
    claim = claim_of("factorial(n)/factorial(n - k) <= n**k", {"fits": "k <= n"}, symbols)
    finding = examine(claim, claim.steps[0], Budget(3.0))
    assert decide(claim.steps[0], [as_if_proved(finding)]).verdict in ("holds", "inconclusive")


def test_an_index_beyond_some_sizes_leaves_those_out() -> None:
    assert searched("abs(x[3]) <= norm(x)")[1].verdict == "holds"
    assert searched("abs(x[3]) <= 0.99*norm(x)")[1].verdict == "fails"


def test_a_gap_of_rounding_errors_is_none() -> None:
    # Next to each other, the sides have any ratio in floating point; the true one is 1/4 at most.
    finding, verdict = searched("norm(sigmoid(a*A) - sigmoid(a*B)) <= a*norm(A - B)")
    assert verdict.verdict == "loose"
    assert finding.tightness is not None
    assert float(finding.tightness.gap_low or 0) == pytest.approx(0.75, abs=1e-3)


def test_where_both_sides_vanish_there_is_no_gap() -> None:
    # E (relu(g'x) - relu(g'y))**2 in closed form: at x = y the left side is a rounding error of either sign.
    cross = "sqrt(norm(x)**2*norm(y)**2 - (x.T @ y)**2) + (x.T @ y)*asin(x.T @ y/(norm(x)*norm(y)))"
    left = f"(norm(x)**2 + norm(y)**2 - x.T @ y)/2 - ({cross})/pi"
    finding, verdict = searched(f"{left} <= norm(x - y)**2")
    assert verdict.verdict == "loose"
    assert finding.tightness is not None
    assert float(finding.tightness.gap_low or 0) == pytest.approx(0.5, abs=1e-3)
    assert searched(f"{left} <= norm(x - y)**2/3")[1].verdict == "fails"


@pytest.mark.parametrize("says", ["l[3] + l[4] <= sum(l[i], i, 1, 4)", "l[4] <= norm(l)", "l[4] <= 2*l[3]"])
def test_entries_near_zero_keep_their_order(says: str) -> None:
    # Tiny entries break the order by less than any fixed distance; without it each of these would be tight.
    falling = {"falling": "all(l[i] >= l[i+1], i, 1, 3)", "positive": "all(l[i] >= 0, i, 1, 4)"}
    claim = claim_of(says, falling, {"l": "vector(4)"})
    finding = examine(claim, claim.steps[0], Budget(3.0))
    assert finding.tightness is None or finding.tightness.tight is not True


def test_what_cancels_is_measured_by_its_size() -> None:
    (bound,) = bounds_of(claim_of("x[1] - 2*x[2] <= norm(x - y)**2").steps[0].fact)
    sides = [to_text(uncancelled(side)) for side in (bound.small, bound.large)]
    assert sides == ["abs(x)[1] + 2*abs(x)[2]", "norm(abs(x) + abs(y))**2"]
