"""A proof file against the author's: what is accepted is a proof of what stands there now, and of no more."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.proofs.examples import SPEC, assumed, claims, put, weakened
from verifier.kernel.judgement import Fails
from verifier.kernel.proof import Proof
from verifier.proofs.audit import Audit, audit

TRUST = {"site": "symbolic: it must be"}


def of(spec: str, name: str, folder: Path) -> Audit:
    return audit(claims(spec)[name], folder)


def test_a_proof_is_accepted(tmp_path: Path) -> None:
    claim = claims()["weak"]
    put(tmp_path, claim, weakened(claim))
    found = audit(claim, tmp_path)
    assert (found.outcome, found.verdict) == ("accepted", "holds")
    assert found.rules == {"assumption": 1, "weaken": 1}


CHANGES = {
    "another statement": (
        ("a**2 <= b, under", "a**2 <= b + 1, under"),
        "the proof is of `a**2 <= b`, the file says",
    ),
    "a stronger one": (
        ("a**2 <= b, under", "a**2 < b, under"),
        "the proof is of `a**2 <= b`, the file says `a**2 < b`",
    ),
    "a weaker assumption": (("below: a**2 < b", "below: a**2 <= b"), "the proof assumes `a**2 < b`"),
    "one assumption more": (("under: [below]", "under: [below, above]"), "the file assumes `q >= 1`"),
    "no assumption": (("under: [below]", "under: []"), "the proof assumes `a**2 < b`, the file does not"),
    "another symbol": (("b: real", "b: positive"), "b is any real number in the proof, and any positive"),
}


@pytest.mark.parametrize(("change", "words"), CHANGES.values(), ids=CHANGES)
def test_a_file_that_changed_has_no_proof(change: tuple[str, str], words: str, tmp_path: Path) -> None:
    claim = claims()["weak"]
    put(tmp_path, claim, weakened(claim))
    found = of(SPEC.replace(*change), "weak", tmp_path)
    assert (found.outcome, found.reason, found.verdict) == ("rejected", "statement", None)
    assert words in found.words


def test_another_meaning_of_a_name(tmp_path: Path) -> None:
    claim = claims()["named"]
    put(tmp_path, claim, assumed(claim))
    assert audit(claim, tmp_path).outcome == "accepted"
    found = of(SPEC.replace("q: a**2 + c", "q: a**2"), "named", tmp_path)
    assert (found.reason, found.words) == (
        "statement",
        "q stands for `a**2 + c` in the proof, and for `a**2` in the file",
    )


def test_what_the_statement_does_not_rest_on_may_change(tmp_path: Path) -> None:
    claim = claims()["weak"]
    put(tmp_path, claim, weakened(claim))
    other = SPEC.replace("c: positive", "c: real, d: real").replace("below", "renamed")
    assert of(other, "weak", tmp_path).outcome == "accepted"


def altered(path: Path, change: Callable[[Any], object]) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    change(data)
    path.write_text(json.dumps(data), encoding="utf-8")


def test_what_a_proof_says_of_itself_does_not_count(tmp_path: Path) -> None:
    """A proof of `a**2 <= b` that repeats the statement `a**2 < b` of the file."""
    weak, strict = claims()["weak"], claims()["strict"]
    put(tmp_path, strict, weakened(weak))
    found = audit(strict, tmp_path)
    assert (found.outcome, found.reason) == ("rejected", "statement")


def test_a_dropped_premise(tmp_path: Path) -> None:
    claim = claims()["weak"]
    path = put(tmp_path, claim, weakened(claim))
    altered(path, lambda data: data["steps"][0].pop(0) and data["steps"][0][0].pop("premises"))
    assert audit(claim, tmp_path).reason == "premises"


def test_an_unknown_rule(tmp_path: Path) -> None:
    claim = claims()["strict"]
    put(tmp_path, claim, Proof("obvious", assumed(claim).conclusion))
    assert audit(claim, tmp_path).reason == "unknown-rule"


def test_trust_is_named_and_rejected(tmp_path: Path) -> None:
    claim = claims()["weak"]
    (premise,) = weakened(claim).premises
    leaf = Proof("trust", premise.conclusion, (), TRUST)
    put(tmp_path, claim, Proof("weaken", weakened(claim).conclusion, (leaf,)))
    found = audit(claim, tmp_path)
    assert (found.outcome, found.reason, found.sites) == ("rejected", "trusted", ("symbolic: it must be",))


def test_a_chain_needs_every_step(tmp_path: Path) -> None:
    claim = claims()["chain"]
    put(tmp_path, claim, assumed(claim), None, verdict="inconclusive")
    assert audit(claim, tmp_path).outcome == "no proof"
    put(tmp_path, claim, assumed(claim), assumed(claim, 1))
    assert audit(claim, tmp_path).reason == "condition"
    path = put(tmp_path, claim, assumed(claim), assumed(claim))
    assert audit(claim, tmp_path).reason == "statement"
    altered(path, lambda data: data["steps"].pop())
    assert audit(claim, tmp_path).reason == "statement"


def test_a_verdict_is_what_is_proved(tmp_path: Path) -> None:
    """What is proved true is not called false, nor the other way round."""
    claim = claims()["strict"]
    put(tmp_path, claim, assumed(claim), verdict="fails")
    assert audit(claim, tmp_path).reason == "statement"
    put(tmp_path, claim, Proof("trust", Fails(claim.steps[0].fact), (), TRUST), verdict="holds")
    assert audit(claim, tmp_path).reason == "statement"
    put(tmp_path, claim, Proof("trust", Fails(claim.steps[0].fact), (), TRUST), verdict="fails")
    assert audit(claim, tmp_path).reason == "trusted"


def test_no_file_and_no_decision(tmp_path: Path) -> None:
    claim = claims()["strict"]
    assert audit(claim, tmp_path).outcome == "no proof"
    put(tmp_path, claim, None, verdict="unrefuted")
    assert audit(claim, tmp_path).outcome == "no proof"


def test_a_file_of_another_claim(tmp_path: Path) -> None:
    weak, strict = claims()["weak"], claims()["strict"]
    put(tmp_path, weak, weakened(weak)).rename(put(tmp_path, strict, assumed(strict)))
    assert audit(strict, tmp_path).outcome == "unreadable"


def test_a_truncated_file(tmp_path: Path) -> None:
    claim = claims()["strict"]
    path = put(tmp_path, claim, assumed(claim))
    text = path.read_text(encoding="utf-8")
    for length in range(0, len(text) - 2, 7):
        path.write_text(text[:length], encoding="utf-8")
        assert audit(claim, tmp_path).outcome == "unreadable"
