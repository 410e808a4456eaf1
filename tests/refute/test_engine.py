"""Textbook inequalities with the right, a loose and a wrong constant: each verdict right."""

import math

import pytest

from tests.refute.claims import claim_of, numbers, searched
from verifier.evidence import Budget
from verifier.refute.engine import examine

TIGHT = [
    "abs(inner(x, y)) <= norm(x)*norm(y)",
    "norm(C @ F) <= norm(C)*norm(F)",
    "norm(C @ F) <= norm(C, 2)*norm(F)",
    "norm(C @ F, 2) <= norm(C, 2)*norm(F, 2)",
    "norm(C, 2) <= norm(C)",
    "norm(C) <= sqrt(min(n, m))*norm(C, 2)",
    "norm(A @ B - B @ A) <= sqrt(2)*norm(A)*norm(B)",
    "norm(D(softmax(z), z), 2) <= 1/2",
    "norm(D(softmax(z), z)) <= 1/2",
    "norm(softmax(A)) <= sqrt(n)",
    "sqrt(a*b) <= (a + b)/2",
    "norm(x + y) <= norm(x) + norm(y)",
    "norm(x + y)**2 <= 2*norm(x)**2 + 2*norm(y)**2",
    "norm(x, 1) <= sqrt(n)*norm(x)",
    "abs(tr(A)) <= sqrt(n)*norm(A)",
    "tr(G @ G) <= tr(G)**2",
    "norm(p)**2 >= 1/n",
    "tr(Q) <= n",
    "norm(H, 2)**2 <= tr(H @ H)",
    "x.T @ A @ x <= norm(A, 2)*norm(x)**2",
    "exp(t) >= 1 + t",
    "abs(sum(r[j]*x[j], j, 1, n)) <= norm(x, 1)",
    "u*(1 - u) in [0, 1/4]",
    "S in [0, 1]",
    "x.T @ x >= 0",
]

LOOSE = [
    ("abs(inner(x, y)) <= 3*norm(x)*norm(y)", 3.0, "norm(x)*norm(y)"),
    ("norm(A @ B - B @ A) <= 2*norm(A)*norm(B)", math.sqrt(2), "sqrt(2)*norm(A)*norm(B)"),
    ("norm(C) <= sqrt(n*m)*norm(C, 2)", math.sqrt(2), "sqrt(min(n, m))*norm(C, 2)"),
    ("norm(D(softmax(z), z), 2) <= 1", 2.0, "1/2"),
    ("norm(D(softmax(A), A)) <= 2*sqrt(n)", 4.0, "sqrt(n)/2"),
    ("norm(x, 1) <= n*norm(x)", math.sqrt(2), "sqrt(n)*norm(x)"),
    ("norm(S) <= n", math.sqrt(2), "sqrt(n)"),
    ("u*(1 - u) in [0, 1]", None, "[0, 1/4]"),
    ("exp(t)/(1 + exp(t))**2 <= 1/2", 2.0, "1/4"),
]

WRONG = [
    "abs(inner(x, y)) <= 0.99*norm(x)*norm(y)",
    "norm(C @ F) <= norm(C, 2)*norm(F, 2)",
    "norm(C) <= norm(C, 2)",
    "norm(C) <= sqrt(m)*norm(C, 2)/1.01",
    "norm(A @ B - B @ A) <= 1.41*norm(A)*norm(B)",
    "norm(D(softmax(z), z), 2) <= 0.495",
    "norm(D(softmax(A), A)) <= 0.49*sqrt(n)",
    "norm(softmax(A)) <= 0.99*sqrt(n)",
    "sqrt(a*b) <= 0.49*(a + b)",
    "norm(x + y)**2 <= norm(x)**2 + norm(y)**2",
    "norm(x + y)**2 <= 1.98*norm(x)**2 + 2*norm(y)**2",
    "tr(Q) <= sqrt(n)",
    "norm(p)**2 >= 1.01/n",
    "tr(G @ G) <= tr(G)**2/2",
    "norm(Q @ x) < norm(x)",
    "u*(1 - u) in [0, 6/25]",
    "t**2 > 0",
    "k**2 >= 2*k",
    "norm(A @ B) == norm(A)*norm(B)",
    "E(norm(W)**2) <= n*m - 1",
    "E(norm(W)**4) == n**2*m**2",
]


@pytest.mark.parametrize("says", TIGHT)
def test_the_right_constant_holds(says: str) -> None:
    finding, verdict = searched(says)
    assert verdict.verdict == "holds", finding
    assert finding.tightness is not None
    assert finding.tightness.where is not None or " in " in says


@pytest.mark.parametrize(("says", "slack", "better"), LOOSE)
def test_a_loose_constant_is_improved(says: str, slack: float | None, better: str) -> None:
    finding, verdict = searched(says)
    assert verdict.verdict == "loose", finding
    assert verdict.tight == better
    if slack is not None:
        assert verdict.slack == pytest.approx(slack, rel=1e-4)


@pytest.mark.parametrize("says", WRONG)
def test_a_wrong_constant_fails_with_a_witness_for_paper(says: str) -> None:
    finding, verdict = searched(says)
    assert verdict.verdict == "fails", finding
    assert finding.grade in ("proved", "certified")
    witness = finding.counterexample
    assert witness is not None
    assert all(abs(x.numerator) <= 100 and x.denominator <= 100 for x in numbers(witness.values))


@pytest.mark.parametrize("says", [says for says, _, _ in LOOSE if " in " not in says])
def test_what_is_offered_holds_when_judged_as_a_claim_of_its_own(says: str) -> None:
    _, verdict = searched(says)
    left = says.split("<=")[0]
    _, again = searched(f"{left} <= {verdict.tight}")
    assert again.verdict == "holds"


@pytest.mark.parametrize(
    ("says", "assumptions", "expected"),
    [
        ("norm(x, 1) <= sqrt(n)", {"unit": "norm(x) == 1"}, "holds"),
        ("norm(x, 1) <= 0.97*sqrt(n)", {"unit": "norm(x) == 1"}, "fails"),
        ("norm(C @ v) <= norm(v)", {"contraction": "norm(C, 2) <= 1"}, "holds"),
        ("norm(C @ v) <= 2*norm(v)", {"contraction": "norm(C, 2) <= 1"}, "loose"),
        ("norm(C @ v) <= 0.96*norm(v)", {"contraction": "norm(C, 2) <= 1"}, "fails"),
        ("a/b <= 1", {"order": "a <= b"}, "holds"),
        ("a/b <= 0.95", {"order": "a <= b"}, "fails"),
        ("sum(p[j], j, 2, n) <= 0.009*(n - 1)", {"sink": "all(p[j] <= 1e-2, j, 2, n)"}, "fails"),
        ("n*a <= 3*a", {"few": "n <= 3"}, "holds"),
        ("n*a <= 2*a", {"few": "n <= 3"}, "fails"),
        ("norm(C) <= sqrt(m)*norm(C, 2)", {"square": "n == m"}, "holds"),
        ("t <= 4", {"range": "t*t <= 16"}, "holds"),
        ("t <= 3.9", {"range": "t*t <= 16"}, "fails"),
    ],
)
def test_assumptions_bound_the_search(says: str, assumptions: dict[str, str], expected: str) -> None:
    finding, verdict = searched(says, assumptions)
    assert verdict.verdict == expected, finding


def test_a_counterexample_satisfies_the_assumptions_exactly() -> None:
    finding, _ = searched("sum(p[j], j, 2, n) <= 0.009*(n - 1)", {"sink": "all(p[j] <= 1e-2, j, 2, n)"})
    assert finding.counterexample is not None
    rows = finding.counterexample.values["p"]
    assert isinstance(rows, list)
    entries = numbers(rows)
    assert sum(entries) == 1
    assert all(0 <= 100 * x <= 1 for x in entries[1:])


@pytest.mark.parametrize(
    "says",
    [
        "log(1 + a) <= 200",  # false only beyond e**200
        "norm(x, 1)/norm(x) <= 9",  # false only from n = 82 on
        "sum(1/j**2, j, 1, n) <= 1.645",  # true by 4e-5, and closer with every n
    ],
)
def test_a_bound_that_may_still_be_crossed_is_not_called_true(says: str) -> None:
    finding, verdict = searched(says)
    assert finding.truth != "true"
    assert verdict.verdict == "inconclusive"


def test_assumptions_that_nothing_satisfies_are_called_vacuous() -> None:
    finding, _ = searched("t <= 1", {"impossible": "t**2 <= -1"})
    assert finding.truth == "unknown"
    assert "vacuous" in finding.reason


def test_what_cannot_be_searched_is_named() -> None:
    claim = claim_of("norm(A) <= O(n)")
    finding = examine(claim, claim.steps[0], Budget(1.0))
    assert finding.truth == "unknown"
    assert finding.missing is not None


def test_the_same_seed_finds_the_same_witness() -> None:
    first, _ = searched("norm(A @ B - B @ A) <= 1.41*norm(A)*norm(B)")
    second, _ = searched("norm(A @ B - B @ A) <= 1.41*norm(A)*norm(B)")
    assert first.counterexample == second.counterexample
