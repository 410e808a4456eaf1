"""From findings to proofs: what the kernel accepts, and who is named where it accepts nothing."""

from fractions import Fraction

import pytest

from tests.proofs.examples import claims
from verifier.evidence import Counterexample, Finding
from verifier.kernel.check import TRUST, check
from verifier.kernel.judgement import Fails, Holds
from verifier.kernel.proof import Proof
from verifier.kernel.rules import rules
from verifier.proofs.propose import CANDIDATES, Question, by_contraction, by_point, by_weakening, propose
from verifier.proofs.sites import kind_of, site_of
from verifier.proofs.statement import context_of, goal
from verifier.proofs.text import from_data, to_data

TRUE = Finding("symbolic", "true", "proved", "the ratio stays bounded")
FALSE = Finding("rigorous", "false", "proved", "it breaks at a = 1/2, b = 2")


def at(values: dict[str, object]) -> Finding:
    return Finding(
        "rigorous", "false", "proved", "it breaks", counterexample=Counterexample(values, None, None)
    )


@pytest.mark.parametrize(
    ("name", "used"),
    [("strict", {"assumption": 1}), ("weak", {"assumption": 1, "weaken": 1}), ("named", {"assumption": 1})],
)
def test_what_is_assumed_is_proved(name: str, used: dict[str, int]) -> None:
    claim = claims()[name]
    proof = propose(claim, claim.steps[0], TRUE)
    assert dict(proof.rules) == used
    assert check(context_of(claim), proof, goal(claim.steps[0], True)).is_proof


@pytest.mark.parametrize(("finding", "kind"), [(TRUE, Holds), (FALSE, Fails)])
def test_who_is_trusted_is_named(finding: Finding, kind: type[Holds] | type[Fails]) -> None:
    claim = claims()["chain"]
    step = claim.steps[1]
    proof = propose(claim, step, finding)
    assert proof == Proof("trust", kind(step.fact), (), {"site": site_of(claim, finding)})
    assert not check(context_of(claim), proof, goal(step, finding is TRUE)).is_proof


def test_an_assumption_is_no_proof_of_the_contrary() -> None:
    claim = claims()["strict"]
    assert dict(propose(claim, claim.steps[0], FALSE).rules) == {"trust": 1}


def test_a_point_is_proposed_with_exact_values() -> None:
    claim = claims()["strict"]
    values = {"a": Fraction(3, 4), "b": 2, "c": 0.5, "lhs": "no symbol"}
    proof, *_ = by_point(Question(claim, claim.steps[0], at(values)))
    expected = {"a": "3/4", "b": "2", "c": "1/2"}
    assert proof == Proof("point", Fails(claim.steps[0].fact), (), {"point": expected})


@pytest.mark.parametrize(
    "value", ["ones(n)", None, float("nan"), float("inf"), "1/0", [1, "x"], {"a": 1}, True]
)
def test_what_is_no_exact_value_is_no_point(value: object) -> None:
    claim = claims()["strict"]
    proof, *_ = by_point(Question(claim, claim.steps[0], at({"a": value})))
    assert proof.data == {"point": {}}


def test_what_is_true_is_not_broken_by_a_point() -> None:
    claim = claims()["strict"]
    assert list(by_point(Question(claim, claim.steps[0], TRUE))) == []


def test_equations_are_contracted_and_bounds_follow_from_them() -> None:
    said = "{e: {says: a == 2*a}, le: {says: a <= 2*a}, lt: {says: a < 2*a}}"
    spec = f"theorem: t/t\nsymbols: {{a: real}}\nclaims: {said}"
    found = {
        name: [
            tuple(proof.rules)
            for make in (by_contraction, by_weakening)
            for proof in make(Question(claim, claim.steps[0], TRUE))
        ]
        for name, claim in claims(spec).items()
    }
    assert found["e"] == [("contract",)]
    assert found["le"] == [("weaken", "contract"), ("weaken", "assumption"), ("weaken", "assumption")]
    assert found["lt"] == []


def test_candidates_of_rules_that_are_not_there_are_left_out() -> None:
    claim = claims()["chain"]
    proposed = [proof for make in CANDIDATES for proof in make(Question(claim, claim.steps[1], TRUE))]
    assert proposed
    assert propose(claim, claim.steps[1], TRUE).rules.keys() <= {*rules(), "trust"}


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("the ratio stays bounded", "the ratio stays bounded"),
        ("both sides have the same closed form, with A centred", "both sides have the same closed form"),
        ("the difference of the two sides simplifies to 0; it does at 5 points too",
         "the difference of the two sides simplifies"),
        ("it breaks at n = 1, s = 1/2", "it breaks"),
        ("shown for a over (0, oo), b over the whole real line", "shown"),
        ("shown for step over (0, 1000]", "shown"),
        ("each step is bounded", "each step is bounded"),
        ("two separate samples, the first of 1024 draws, exclude it (seed 0)", "two separate samples"),
        ("the slack -2**n/2 + factorial(n) is nonnegative", "the slack"),
        ("by Jensen's inequality: log is concave", "by Jensen's inequality"),
        ("a counterexample, checked in exact arithmetic", "a counterexample"),
        ("4.914 against 4.613 in float64 at this point", "against"),
        ("by step, vector norms", "vector norms"),
        ("", ""),
        ("12", ""),
    ],
)  # fmt: skip
def test_reasons_are_told_without_numbers_and_names(reason: str, kind: str) -> None:
    assert kind_of(reason, ["a", "b", "n", "s", "step"]) == kind


def test_a_site_has_an_engine_and_a_reason() -> None:
    claim = claims()["strict"]
    assert site_of(claim, FALSE) == "rigorous: it breaks"
    assert site_of(claim, Finding("numeric", "false")) == "numeric: no reason given"


def test_a_proof_is_one_once_it_has_been_written_and_read() -> None:
    """1000/1000 is read as 1: a step that rests on how it was written would be none for those who read it."""
    spec = """
    theorem: toy/written
    symbols: {x: positive}
    let: {y: "17/2*max(1, x/1000)"}
    assumptions: {early: x <= 1000}
    claims:
      c: {says: y <= 17/2}
    """
    claim = claims(spec)["c"]
    proof = propose(claim, claim.steps[0], TRUE)
    again = from_data(to_data(proof), claim)
    assert TRUST in proof.rules or check(context_of(claim), again, goal(claim.steps[0], True)).is_proof
