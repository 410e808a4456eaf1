"""sup and inf from the other side: reached, approached, out of reach."""

import pytest

from tests.refute.claims import as_if_proved, claim_of, searched
from verifier.evidence import Budget
from verifier.judge.decide import decide
from verifier.refute.engine import examine
from verifier.refute.existence.pattern_witnesses import for_all_sizes
from verifier.refute.existence.quantifiers import as_existence, halves
from verifier.timer import worked

PROVED = [
    ("sup(norm(x, 1)/norm(x), x) >= sqrt(n)", "holds"),
    ("sup(norm(softmax(A)), A) >= sqrt(n)", "holds"),  # approached, never attained
    ("inf(norm(p)**2, p) <= 1/n", "holds"),
    ("sup(norm(C @ F)/(norm(C)*norm(F)), C, F) >= 1", "holds"),
    ("sup(norm(x, 1)/norm(x), x) >= 0.9*sqrt(n)", "loose"),
    ("sup(norm(x), x) > 1", "loose"),  # it has no end
    ("inf(t**3, t) < 0", "loose"),
]
EQUAL = [
    ("sup(norm(x, 1)/norm(x), x) == sqrt(n)", "holds"),
    ("sup(norm(softmax(A)), A) == sqrt(n)", "holds"),
    ("inf(norm(p)**2, p) == 1/n", "holds"),
    ("inf(norm(x), x) == 0", "holds"),
    ("sup(norm(softmax(x.T)), x) == 1", "holds"),  # x runs off in one entry
    ("inf(-sum(p[j]*log(p[j]), j, 1, n), p) == 0", "holds"),  # 0*log(0) is 0 in the limit
    ("sup(sum(p[j]**3, j, 1, n), p) == 1", "holds"),
    ("inf(sum(p[j]**3, j, 1, n), p) == 1/n", "fails"),
    ("sup(norm(x, 1)/norm(x), x) == 0.98*sqrt(n)", "fails"),
    ("sup(norm(x, 1)/norm(x), x) == 1.02*sqrt(n)", "fails"),
]
BEYOND = [
    "sup(norm(softmax(A)), A) >= 1.1*sqrt(n)",
    "sup(u*(1 - u), u) > 0.26",
    "inf(norm(p)**2, p) <= 0.9/n",
    "sup(norm(D(softmax(z), z)), z) >= 0.5",  # for n = 1 there is nothing to vary
]


@pytest.mark.parametrize(("says", "expected"), PROVED)
def test_a_witness_for_all_sizes_proves_it(says: str, expected: str) -> None:
    finding, verdict = searched(says)
    assert verdict.verdict == expected, finding
    assert finding.grade == "proved"


@pytest.mark.parametrize(("says", "expected"), EQUAL)
def test_an_equality_needs_both_halves(says: str, expected: str) -> None:
    finding, verdict = searched(says, seconds=5)
    assert verdict.verdict == expected, finding


@pytest.mark.parametrize("says", BEYOND)
def test_what_nothing_reaches_fails(says: str) -> None:
    finding, verdict = searched(says)
    assert verdict.verdict == "fails", finding
    assert finding.counterexample is not None


@pytest.mark.parametrize(
    "says",
    [
        "sup(inner(x, y)/norm(x), x) >= norm(y)",  # true: a witness depends on y
        "sup(x.T @ H @ x/norm(x)**2, x) >= norm(H, 2)",  # false for -eye(n)
        "sup(a*u - u**2, u) >= a**2/4",  # false where a > 2
    ],
)
def test_witnesses_at_some_values_of_another_symbol_are_no_evidence_for_all(says: str) -> None:
    finding, verdict = searched(says)
    assert (verdict.verdict, finding.truth) == ("inconclusive", "unknown")


@pytest.mark.parametrize(
    "says",
    [
        "sup(norm(x, 1)/norm(x), x) >= 1.01*sqrt(n)",
        "sup(norm(softmax(A)), A) > sqrt(n)",
        "sup(norm(C)/norm(C, 2), C) >= sqrt(n)",  # false for n > m
        "inf(norm(p)**2, p) < 1/n",
        "sup(-sum(1 + x[1]**2, j, 1, n - 2), x) >= 2 - n",  # for n = 1 there are no terms, and not -1
    ],
)
def test_no_pattern_proves_what_is_false(says: str) -> None:
    claim = claim_of(says)
    some = as_existence(claim.steps[0].fact)
    assert some is not None
    assert for_all_sizes(claim, some.fact, some.over, worked() + 2) is None


def test_at_a_fixed_size_a_point_is_a_proof() -> None:
    symbols = {"v": "vector(3)", "q": "simplex(3)"}
    for says, expected in [
        ("sup(v[1]*v[2]/norm(v)**2, v) == 1/2", "holds"),
        ("sup(q[1]*q[2]*q[3], q) == 1/27", "holds"),
        ("sup(q[1]*q[2]*q[3], q) == 1/28", "fails"),
        ("sup(q[1]*q[2]*q[3], q) == 1/25", "fails"),
    ]:
        claim = claim_of(says, symbols=symbols)
        finding = examine(claim, claim.steps[0], Budget(6))
        assert decide(claim.steps[0], [as_if_proved(finding)]).verdict == expected, finding


def test_one_whole_number_is_enough() -> None:
    """k*(1 - k) is 0 at k = 1 and negative at k = 2: what a few values lack says nothing of others."""
    for says, expected in [
        ("sup(cos(pi*k), k) >= 1", "true"),
        ("sup(k*(30 - k), k) >= 225", "unknown"),  # at k = 15
        ("sup(n*(7/2 - n), n) >= 4", "unknown"),
    ]:
        claim = claim_of(says, symbols={"n": "dimension", "k": "integer"})
        assert examine(claim, claim.steps[0], Budget(3)).truth == expected, says


def test_what_is_no_existence() -> None:
    for says in ("sup(norm(x), x) <= 1", "norm(x) >= 1", "sup(norm(x), x) >= norm(x)"):
        assert as_existence(claim_of(says).steps[0].fact) is None
    assert halves(claim_of("sup(norm(x), x) == 1").steps[0].fact) is not None
    assert halves(claim_of("sup(norm(x), x) == norm(x)").steps[0].fact) is None


def test_a_zero_times_a_pole_is_no_witness() -> None:
    claim = claim_of("inf(sum(p[j]*(1/p[j]), j, 1, n), p) <= 1")
    existence = as_existence(claim.steps[0].fact)
    assert existence is not None
    assert for_all_sizes(claim, existence.fact, existence.over, worked() + 1) is None
