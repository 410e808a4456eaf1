"""The table from evidence to verdict, row by row."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tests.judge.findings import POINT, claim, found
from verifier.claim.model import VerdictName
from verifier.evidence import Finding, Grade, Tightness
from verifier.judge.decide import compose, decide
from verifier.judge.verdict import StepVerdict

EQUALITY, BOUND = "x == x", "x <= x + 1"
POINT_RANGE = "x in [n, n]"
RANGE, GROWTH, THETA, ORDER = "x in [0, 1]", "n <= O(n)", "n == Theta(n)", "x == order(1e-2)"
GRADES: tuple[Grade, ...] = ("proved", "certified", "sampled", "searched")


def judged(statement: str, *findings: Finding) -> StepVerdict:
    return decide(claim(statement).steps[0], findings)


@pytest.mark.parametrize("grade", GRADES[:3])
def test_a_refutation_fails_whatever_is_claimed(grade: Grade) -> None:
    for statement in (EQUALITY, BOUND, RANGE, GROWTH, THETA, ORDER):
        verdict = judged(statement, found("unknown", engine="other"), found("false", grade))
        assert (verdict.verdict, verdict.evidence) == ("fails", grade)
        assert verdict.counterexample == POINT


def test_a_point_in_floating_point_alone_refutes_nothing() -> None:
    assert judged(EQUALITY, found("false", "searched")).verdict == "inconclusive"
    assert judged(EQUALITY, found("false", None)).verdict == "inconclusive"
    assert (
        judged(EQUALITY, found("true", "proved"), found("false", "searched", engine="b")).verdict == "holds"
    )


EXACT, WEAK_GRADES = GRADES[:2], GRADES[2:]
BOUNDS = [BOUND, "x >= x", "x < x + 1", "x > x - 1", RANGE, GROWTH, "n >= Omega(n)"]


@pytest.mark.parametrize("grade", EXACT)
@pytest.mark.parametrize("statement", [EQUALITY, THETA, ORDER, POINT_RANGE])
def test_what_cannot_be_loose_holds(statement: str, grade: Grade) -> None:
    verdict = judged(statement, found("true", grade))
    assert (verdict.verdict, verdict.evidence, verdict.tightness) == ("holds", grade, None)


@pytest.mark.parametrize("grade", WEAK_GRADES)
@pytest.mark.parametrize("statement", [EQUALITY, THETA, ORDER, POINT_RANGE, *BOUNDS])
def test_what_was_only_searched_or_sampled_never_holds(statement: str, grade: Grade) -> None:
    for tight in (None, True, False):
        verdict = judged(
            statement, found("true", grade, tight), Finding("symbolic", "unknown", missing="a rule")
        )
        assert (verdict.verdict, verdict.evidence) == ("unrefuted", "searched")
        assert "one: one says true" in verdict.reason  # what was tried
        assert "missing: a rule" in verdict.reason  # what a proof lacks
        assert (verdict.tight, verdict.slack) == (None, None)


@pytest.mark.parametrize("grade", EXACT)
@pytest.mark.parametrize("statement", BOUNDS)
@pytest.mark.parametrize(
    ("tight", "expected", "tightness"),
    [(True, "holds", "tight"), (False, "loose", "loose"), (None, "holds", "unknown")],
)
def test_bounds(
    statement: str, grade: Grade, tight: bool | None, expected: VerdictName, tightness: str
) -> None:
    verdict = judged(statement, found("true", grade, tight))
    assert (verdict.verdict, verdict.evidence, verdict.tightness) == (expected, grade, tightness)
    assert verdict.tight == ("x/2" if expected == "loose" else None)


@pytest.mark.parametrize("statement", BOUNDS)
def test_a_suspicion_that_a_bound_is_loose_leaves_it_true(statement: str) -> None:
    suspected = found("unknown", None, False, "search")
    verdict = judged(statement, found("true", "proved"), suspected)
    assert (verdict.verdict, verdict.evidence) == ("holds", "proved")
    assert (verdict.tightness, verdict.tight) == ("suspected-loose", None)


def test_a_loose_bound_rests_on_the_weaker_of_two_proofs() -> None:
    verdict = judged(BOUND, found("true", "proved"), found("true", "certified", False, "two"))
    assert (verdict.verdict, verdict.evidence) == ("loose", "certified")


@pytest.mark.parametrize(
    ("findings", "word"),
    [
        ([found("true", "searched", True)], "tight"),
        ([found("true", "searched", False)], "suspected-loose"),
        ([found("true", "searched")], "unknown"),
        ([found("false", "proved")], None),
        ([found("unknown")], None),
    ],
)
def test_how_tight_is_said_of_what_may_be_true(findings: list[Finding], word: str | None) -> None:
    assert judged(BOUND, *findings).tightness == word


def test_truth_and_tightness_may_come_from_different_engines() -> None:
    truth = found("true", "proved")
    assert judged(BOUND, truth, found("true", "proved", False, "two")).verdict == "loose"
    approached = found("true", "searched", True, "search")
    verdict = judged(BOUND, replace(truth, tightness=Tightness(False)), approached)
    assert (verdict.verdict, verdict.tightness) == ("holds", "tight")


def test_finite_is_not_a_bound_that_could_be_tight() -> None:
    assert judged("x < oo", found("true", "proved")).verdict == "holds"


def test_nothing_found() -> None:
    assert judged(EQUALITY).verdict == "inconclusive"
    silent = Finding("rigorous", "unknown", reason="not scalar", missing="matrices")
    verdict = judged(EQUALITY, silent, Finding("symbolic", "unknown"))
    assert verdict.verdict == "inconclusive"
    assert verdict.reason == "rigorous: not scalar; missing: matrices | symbolic: no answer"


def test_what_the_clock_ended_says_so() -> None:
    slow = Finding("search", "unknown", reason="12 starts were tried", ran_out=True)
    verdict = judged(EQUALITY, slow, Finding("symbolic", "unknown", missing="a rule"))
    assert verdict.reason == "search: 12 starts were tried; the clock stopped it | symbolic: missing: a rule"


def test_a_truth_without_a_grade_is_not_heard() -> None:
    assert judged(EQUALITY, found("true", None)).verdict == "inconclusive"


@pytest.mark.parametrize("true", GRADES[:3])
@pytest.mark.parametrize("false", GRADES[:3])
def test_contradictions_are_shown_and_not_decided(true: Grade, false: Grade) -> None:
    verdict = judged(EQUALITY, found("true", true, engine="a"), found("false", false, engine="b"))
    assert (verdict.verdict, verdict.evidence) == ("inconclusive", None)
    assert verdict.disagreement is not None
    assert "a says true" in verdict.disagreement
    assert verdict.counterexample is None


def test_a_search_that_found_nothing_contradicts_nobody() -> None:
    verdict = judged(BOUND, found("true", "searched", True, "a"), found("false", "proved", engine="b"))
    assert verdict.verdict == "fails"
    assert verdict.disagreement is None


def test_an_engine_may_report_a_contradiction_itself() -> None:
    finding = replace(found("true", "proved"), disagreement="two ways, two values")
    assert judged(EQUALITY, finding).verdict == "inconclusive"


def test_claims_about_nothing_are_errors() -> None:
    finding = replace(found("true", "proved"), vacuous="x <= 0 and x >= 1")
    verdict = judged(EQUALITY, finding)
    assert verdict.verdict == "error"
    assert "vacuous" in verdict.reason


def test_a_side_without_a_value_is_an_error_that_says_so() -> None:
    finding = replace(found("true", "proved"), undefined="the mean of abs(r/Phi(g)) is infinite")
    verdict = judged(EQUALITY, finding)
    assert verdict.verdict == "error"
    assert "the mean of abs(r/Phi(g)) is infinite" in verdict.reason


def test_sides_are_closed_forms_where_found_and_as_written_elsewhere() -> None:
    verdict = judged("x + x <= 1 + x", replace(found("true", "proved", True), lhs="2*x"))
    assert (verdict.lhs, verdict.rhs) == ("2*x", "1 + x")
    assert judged(RANGE, found("true", "proved", True)).rhs == "[0, 1]"
    assert judged(RANGE, replace(found("true", "proved", True), rhs="0")).rhs == "[0, 1]"  # of one half
    assert judged("n <= O(n)", replace(found("true", "proved", True), rhs="n")).rhs == "O(n)"


def test_corrections_are_shown_only_for_what_fails() -> None:
    mended = replace(found("false", "proved"), corrected="2*x")
    assert judged(EQUALITY, mended).corrected == "2*x"
    assert judged(EQUALITY, replace(mended, truth="true")).corrected is None


# --- chains ----------------------------------------------------------------------------------------


def chain(*findings: Finding) -> tuple[VerdictName, Grade | None, str]:
    whole = claim("x", *["<= x"] * len(findings))
    steps = [decide(step, [finding]) for step, finding in zip(whole.steps, findings, strict=True)]
    verdict = compose(whole, steps, None, (), 1.0)
    return verdict.verdict, verdict.evidence, verdict.reason


TIGHT, LOOSE = found("true", "proved", True), found("true", "certified", False)
FALSE, OPEN = found("false", "sampled"), found("unknown")
WEAK = found("true", "searched", True)


def test_a_chain_takes_the_worst_of_its_steps() -> None:
    assert chain(TIGHT, TIGHT)[:2] == ("holds", "proved")
    assert chain(TIGHT, LOOSE)[:2] == ("loose", "certified")
    assert chain(TIGHT, WEAK, LOOSE)[:2] == ("unrefuted", "searched")
    assert chain(TIGHT, OPEN, WEAK, LOOSE)[:2] == ("inconclusive", None)
    assert chain(OPEN, FALSE, TIGHT)[:2] == ("fails", "sampled")
    assert chain(FALSE, found("false", "proved"))[:2] == ("fails", "proved")
    assert chain(replace(TIGHT, vacuous="nothing"), FALSE)[0] == "error"


def test_a_chain_is_as_strong_as_its_weakest_step() -> None:
    certified = found("true", "certified", True)
    assert chain(TIGHT, certified)[:2] == ("holds", "certified")
    assert chain(certified, found("true", "proved", False))[:2] == ("loose", "certified")


def test_the_reason_names_the_step() -> None:
    assert chain(TIGHT, FALSE)[2] == "step 2: one says false"


def test_a_sweep_beside_a_proof_of_a_growth_is_no_contradiction() -> None:
    """Finitely many sizes against all of them: the proof is believed; tightness may come from the sweep."""
    for statement in (GROWTH, THETA):
        proof, sweep = found("false", "proved"), found("true", "sampled", tight=True, engine="b")
        verdict = judged(statement, proof, sweep)
        assert (verdict.verdict, verdict.evidence, verdict.disagreement) == ("fails", "proved", None)
        proof, sweep = found("true", "proved", tight=True), found("false", "sampled", engine="b")
        verdict = judged(statement, proof, sweep)
        assert (verdict.verdict, verdict.disagreement) == ("holds", None)
    verdict = judged(GROWTH, found("true", "proved"), found("true", "sampled", tight=True, engine="b"))
    assert (verdict.verdict, verdict.evidence) == ("holds", "proved")
    assert judged(EQUALITY, found("true", "proved"), found("false", "sampled", engine="b")).disagreement


def test_a_gap_that_is_proved_is_not_closed_by_a_point_in_floating_point() -> None:
    searched = Finding("search", "true", "proved", "shown", tightness=Tightness(False, 0.6, 0.6))
    proved = Finding(
        "rules", "true", "proved", "shown", tightness=Tightness(False, Fraction(3, 4), proved=True)
    )
    assert judged("x <= 4", searched, proved).slack == pytest.approx(4)
    assert judged("x <= 4", searched).slack == pytest.approx(2.5)
