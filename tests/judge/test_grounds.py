"""The table from evidence to verdict where only checked proofs are trusted, beside that where engines are."""

from dataclasses import replace

import pytest

from tests.judge.findings import POINT, claim, found
from verifier.claim.model import VerdictName
from verifier.evidence import Finding, Grade, ProofRecord, SideProof, Trust, Truth
from verifier.judge.decide import compose, decide
from verifier.judge.grounds import Grounds
from verifier.judge.verdict import StepVerdict

BOUND = "x <= x + 1"
SITE = "one: it says so"


def record(truth: Truth, *sites: str, exact: bool = True) -> ProofRecord:
    return ProofRecord(truth, "[]", {"sign": 1}, sites, exact)


def side(kind: str, of: str = "", exact: bool = True) -> SideProof:
    return SideProof(kind, of, 0, 0, ("[]",), {"point": 1}, exact)  # type: ignore[arg-type]


def judged(*findings: Finding, trust: Trust = "checked", proof: ProofRecord | None = None,
           sides: tuple[SideProof, ...] = (), says: str = BOUND) -> StepVerdict:  # fmt: skip
    return decide(claim(says).steps[0], findings, Grounds(trust, proof, sides))


PROOFS: dict[str, ProofRecord | None] = {
    "no proof": None,
    "a trusted leaf": record("true", SITE),
    "a proof of the contrary": record("false"),
}


@pytest.mark.parametrize("grade", ["proved", "certified"])
@pytest.mark.parametrize("proof", PROOFS.values(), ids=PROOFS)
def test_an_engine_s_word_is_enough_where_engines_are_trusted(
    grade: Grade, proof: ProofRecord | None
) -> None:
    said = found("true", grade, True)
    assert judged(said, trust="engines", proof=proof).verdict == "holds"
    verdict = judged(said, proof=proof)
    assert (verdict.verdict, verdict.evidence, verdict.proof) == ("unrefuted", "searched", None)
    assert "no proof of it was checked" in verdict.reason


def test_the_reason_says_whose_word_was_not_enough() -> None:
    reason = judged(found("true", "proved"), proof=record("true", SITE, "two: so it seems")).reason
    assert f"`{SITE}`, `two: so it seems`" in reason
    assert "run: stopped before" in judged(found("true", "proved")).reason


@pytest.mark.parametrize(("exact", "grade"), [(True, "proved"), (False, "certified")])
def test_a_checked_proof_is_what_the_verdict_rests_on(exact: bool, grade: Grade) -> None:
    proof = record("true", exact=exact)
    for said in (found("true", "proved", True), found("true", "certified", True)):
        verdict = judged(said, proof=proof)
        assert (verdict.verdict, verdict.evidence, verdict.proof) == ("holds", grade, proof)
        assert judged(said, proof=proof, trust="engines").evidence == said.grade


def test_a_proof_alone_says_nothing() -> None:
    """Somebody has to say that it is so: what is contradicted, vacuous or without a value is no verdict."""
    assert judged(proof=record("true")).verdict == "inconclusive"
    broken = found("false", "proved", engine="two")
    assert judged(found("true", "proved"), broken, proof=record("true")).verdict == "inconclusive"
    empty = replace(found("true", "proved"), vacuous="nothing is left")
    assert judged(empty, proof=record("true")).verdict == "error"


@pytest.mark.parametrize("grade", ["proved", "certified"])
def test_a_refutation_needs_a_proof_too(grade: Grade) -> None:
    said = found("false", grade)
    assert judged(said, trust="engines").verdict == "fails"
    for proof in (None, record("false", SITE), record("true")):
        verdict = judged(said, proof=proof)
        assert (verdict.verdict, verdict.evidence, verdict.counterexample) == ("unrefuted", None, None)
        assert "it is called false" in verdict.reason
    verdict = judged(said, proof=record("false", exact=False))
    assert (verdict.verdict, verdict.evidence, verdict.counterexample) == ("fails", "certified", POINT)


def test_samples_say_themselves_what_they_are() -> None:
    verdict = judged(found("false", "proved"), found("false", "sampled", engine="numeric"))
    assert (verdict.verdict, verdict.evidence) == ("fails", "sampled")
    assert judged(found("false", "searched")).verdict == "inconclusive"
    assert judged(found("false", "sampled"), proof=record("false")).evidence == "proved"


def test_loose_needs_a_proof_of_its_own() -> None:
    said, proof = found("true", "proved", False), record("true")
    assert judged(said, proof=proof, trust="engines").verdict == "loose"
    for sides in ((), (side("attained"),), (side("better", "x/2"),)):
        verdict = judged(said, proof=proof, sides=sides)
        assert (verdict.verdict, verdict.tightness, verdict.tight) == ("holds", "suspected-loose", None)
    verdict = judged(said, proof=proof, sides=(side("loose", "x/2", exact=False),))
    assert (verdict.verdict, verdict.evidence) == ("loose", "certified")
    assert judged(said, sides=(side("loose"),)).verdict == "unrefuted"


def test_what_has_no_proof_is_a_guess() -> None:
    proof, said = record("true"), found("true", "proved", False)
    loose = (side("loose", "x/2"),)
    assert judged(said, proof=proof, trust="engines").guesses == ("tight", "tightness")
    assert judged(said, proof=proof, sides=loose).guesses == ("tight",)
    assert judged(said, proof=proof, sides=(*loose, side("better", "x/3"))).guesses == ("tight",)
    assert judged(said, proof=proof, sides=(*loose, side("better", "x/2"))).guesses == ()
    tight = found("true", "proved", True)
    assert judged(tight, proof=proof).guesses == ("tightness",)
    assert judged(tight, proof=proof, sides=(side("attained"),)).guesses == ()
    wrong = replace(found("false", "proved"), corrected="x/3", instead="x <= x + 2")
    for trust in ("checked", "engines"):
        verdict = judged(wrong, proof=record("false"), sides=(side("instead", "x <= x + 2"),), trust=trust)
        assert (verdict.corrected, verdict.guesses) == ("x/3", ("corrected",))


CHAIN = claim("x - 1", "<= x", "<= x + 1")


def composed(*steps: tuple[Finding, ProofRecord | None], expect: str | None = None) -> tuple[object, ...]:
    made = CHAIN if expect is None else claim("x - 1", "<= x", "<= x + 1", expect=expect)
    judged = [
        decide(step, [said], Grounds("checked", proof))
        for step, (said, proof) in zip(made.steps, steps, strict=True)
    ]
    verdict = compose(made, judged, None, (), 1.0)
    return verdict.verdict, verdict.evidence, verdict.as_expected


SURE, WORD = (found("true", "proved", True), record("true")), (found("true", "proved", True), None)
DOUBT = (found("false", "proved"), None)


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ((SURE, SURE), ("holds", "proved", True)),
        ((SURE, WORD), ("unrefuted", "searched", True)),
        ((SURE, DOUBT), ("unrefuted", None, False)),
        ((WORD, DOUBT), ("unrefuted", None, False)),
    ],
)
def test_a_chain_is_as_sure_as_its_steps(
    steps: tuple[tuple[Finding, ProofRecord | None], ...], expected: tuple[VerdictName, Grade | None, bool]
) -> None:
    assert composed(*steps) == expected


def test_who_expects_a_doubt_has_it() -> None:
    assert composed(SURE, DOUBT, expect="unrefuted") == ("unrefuted", None, True)
    assert composed(SURE, WORD, expect="holds") == ("unrefuted", "searched", False)


def test_the_reason_names_the_step() -> None:
    steps = [
        decide(s, [f], Grounds("checked", p)) for s, (f, p) in zip(CHAIN.steps, (SURE, WORD), strict=True)
    ]
    assert compose(CHAIN, steps, None, (), 1.0).reason.startswith("step 2: nothing breaks it")
