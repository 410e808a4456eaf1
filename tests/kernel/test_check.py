"""What is a proof and what is none: every case has the outcome that it should have, and a checker that does
not look is found out."""

from collections import Counter
from collections.abc import Callable

import pytest

from tests.kernel.cases import Case, cases
from verifier.kernel.check import MOST_STEPS, check
from verifier.kernel.context import Context
from verifier.kernel.judgement import Holds
from verifier.kernel.proof import Proof
from verifier.kernel.rejected import REASONS, Rejected
from verifier.kernel.rules import rules
from verifier.proofs.statement import context_of, goal
from verifier.proofs.text import from_data

CASES = cases()


def outcome(case: Case) -> str:
    """What becomes of the proof."""
    claim = case.claim
    try:
        proof = from_data(case.proof, claim)
        checked = check(context_of(claim), proof, goal(claim.steps[0], case.goal == "holds"))
    except Rejected as rejected:
        assert rejected.words
        return rejected.reason
    return "accepted" if checked.is_proof else "trusted"


def expected(case: Case) -> str:
    """A rule that is not there yet is unknown, whatever it is used for."""
    return case.outcome if case.rule is None or case.rule in rules() else "unknown-rule"


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule or 'whole'}: {case.name}")
def test_every_proof_is_judged_rightly(case: Case) -> None:
    assert outcome(case) == expected(case)


def test_every_rule_has_cases_and_rejects_as_many_as_it_accepts() -> None:
    found = {(case.rule, case.outcome == "accepted") for case in CASES}
    assert [name for name in rules() if not {(name, True), (name, False)} <= found] == []
    counts = Counter((case.rule, case.outcome == "accepted") for case in CASES)
    assert [name for name in rules() if counts[name, False] < counts[name, True]] == []
    assert {case.outcome for case in CASES} <= {"accepted", *REASONS}


# --- controls: each of these is wrong, and the cases show it ------------------------------------------


def always(word: str) -> Callable[[Case], str]:
    return lambda case: word


def only_parses(case: Case) -> str:
    try:
        from_data(case.proof, case.claim)
    except Rejected as rejected:
        return rejected.reason
    return "accepted"


def without_the_statement(case: Case) -> str:
    """Checks the steps, and not what they are steps to."""
    try:
        proof = from_data(case.proof, case.claim)
        checked = check(context_of(case.claim), proof, proof.conclusion)
    except Rejected as rejected:
        return rejected.reason
    return "accepted" if checked.is_proof else "trusted"


def without_the_premises(case: Case) -> str:
    """Checks the last step alone."""
    claim = case.claim
    try:
        proof = from_data(case.proof, claim)
        trusting = tuple(Proof("trust", part.conclusion) for part in proof.premises)
        last = Proof(proof.rule, proof.conclusion, trusting, proof.data)
        check(context_of(claim), last, goal(claim.steps[0], case.goal == "holds"))
    except Rejected as rejected:
        return rejected.reason
    return "accepted"


def with_every_assumption(case: Case) -> str:
    """Takes all that premises conclude for assumed."""
    claim = case.claim
    try:
        proof = from_data(case.proof, claim)
        taken = tuple(part.conclusion.fact for part in proof.walk() if isinstance(part.conclusion, Holds))
        checked = check(Context(claim.symbols, taken), proof, goal(claim.steps[0], case.goal == "holds"))
    except Rejected as rejected:
        return rejected.reason
    return "accepted" if checked.is_proof else "trusted"


CONTROLS = [
    always("accepted"), always("condition"), always("premises"), always("data"), only_parses,
    without_the_statement, without_the_premises, with_every_assumption,
]  # fmt: skip


@pytest.mark.parametrize("control", CONTROLS)
def test_a_checker_that_does_not_look_is_found_out(control: Callable[[Case], str]) -> None:
    kinds = [(control(case) == "accepted", expected(case) == "accepted") for case in CASES]
    assert any(said != right for said, right in kinds)


# --- sizes ---------------------------------------------------------------------------------------------


def test_what_is_shared_is_checked_once() -> None:
    """Sixty steps with 2**59 paths through them."""
    (case,) = (case for case in CASES if case.name == "a strict inequality is one")
    claim = case.claim
    proof = from_data(case.proof, claim)
    for _ in range(59):
        proof = Proof("weaken", proof.conclusion, (proof, proof))
    assert sum(1 for _ in proof.walk()) == 61
    with pytest.raises(Rejected) as rejected:
        check(context_of(claim), proof, proof.conclusion)
    assert rejected.value.reason == "premises"


def test_a_proof_of_too_many_steps_is_refused() -> None:
    (case,) = (case for case in CASES if case.name == "a strict inequality is one")
    claim = case.claim
    leaf = from_data(case.proof, claim).premises[0]
    leaves = tuple(Proof("trust", leaf.conclusion, (), {"site": "s"}) for _ in range(MOST_STEPS))
    with pytest.raises(Rejected) as rejected:
        check(context_of(claim), Proof("trust", leaf.conclusion, leaves), leaf.conclusion)
    assert rejected.value.reason == "too-large"
