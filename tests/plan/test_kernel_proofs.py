"""Proofs in a run: told as soon as a step is decided, within limits, and remembered."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.proofs.examples import SPEC, claims
from verifier.evidence import Counterexample, Finding
from verifier.judge.grounds import Grounds
from verifier.judge.verdict import Verdict
from verifier.kernel.context import Context
from verifier.plan.kernel_proofs import Brakes, Prover
from verifier.plan.messages import Event, Found, Proposed
from verifier.plan.settings import Settings
from verifier.read.specs.load import load_text
from verifier.run.memory import Memory
from verifier.run.pool import Ended
from verifier.run.recall import events_from_data, events_to_data
from verifier.run.result_store import Store
from verifier.run.verdicts import verdict_of
from verifier.run.verify import verify

TRUE = Finding("symbolic", "true", "proved", "the slack is positive")
BROKEN = Finding(
    "search", "false", "certified", "it breaks", counterexample=Counterexample({"a": 1}, None, None)
)
SEARCHED = Finding("search", "true", "searched", "nothing was found")


def prover(name: str, step: int = 0, brakes: Brakes | None = None) -> tuple[Prover, list[Event]]:
    claim, told = claims()[name], list[Event]()
    return Prover(claim, claim.steps[step], step, told.append, brakes or Brakes.each(2.0)), told


def test_a_proof_is_told_once() -> None:
    made, told = prover("weak")
    made.hear([SEARCHED])
    assert told == []
    made.hear([SEARCHED, TRUE])
    made.hear([SEARCHED, TRUE, replace(TRUE, engine="rigorous")])
    (event,) = told
    assert isinstance(event, Proposed)
    assert (event.proof.truth, event.proof.rules, event.proof.sites) == (
        "true",
        {"assumption": 1, "weaken": 1},
        (),
    )
    assert [step["rule"] for step in json.loads(event.proof.text)] == ["assumption", "weaken"]


def test_who_is_trusted_is_the_strongest() -> None:
    made, told = prover("chain", 1)
    made.hear([replace(TRUE, grade="certified", engine="rigorous", reason="shown for b")])
    made.hear([replace(TRUE, grade="certified", engine="rigorous", reason="shown for b"), TRUE])
    sites = [event.proof.sites for event in told if isinstance(event, Proposed)]
    assert sites == [("rigorous: shown",), ("symbolic: the slack is positive",)]


def test_what_is_contradicted_has_no_proof() -> None:
    made, told = prover("weak")
    made.hear([TRUE, BROKEN])
    assert told == []


def test_a_proof_of_the_contrary_is_none_of_the_verdicts() -> None:
    """First called true, then broken by somebody who is believed."""
    made, told = prover("weak")
    made.hear([TRUE])
    claim = claims()["weak"]
    verdict = verdict_of(claim, Ended(0, (Found(0, BROKEN), *told), None, 1.0), "engines")
    assert verdict.verdict == "fails"
    assert verdict.steps[0].proof is None
    assert verdict_of(claim, Ended(0, (Found(0, TRUE), *told), None, 1.0)).steps[0].proof is not None


def test_the_kernel_has_a_brake(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(context: Context, *_: object) -> None:
        while True:
            pass

    monkeypatch.setattr("verifier.proofs.propose.check", endless)
    brakes = Brakes.each(0.2)
    made, told = prover("weak", brakes=brakes)
    assert 0.1 < made.hear([TRUE]) < 2
    assert brakes.true.left <= 0
    assert brakes.false.left > 0, "a step that is false has its own time"
    (event,) = told
    assert isinstance(event, Proposed)
    assert event.proof.sites == ("symbolic: the slack is positive",)
    other, told = prover("strict", brakes=brakes)
    assert other.hear([TRUE]) < 0.1
    assert len(told) == 1


def test_a_kernel_that_fails_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr("verifier.proofs.propose.check", fails)
    made, told = prover("weak")
    made.hear([TRUE])
    (event,) = told
    assert isinstance(event, Proposed)
    assert event.proof.sites


def test_proofs_are_remembered() -> None:
    made, told = prover("weak")
    made.hear([TRUE])
    assert list(events_from_data(json.loads(json.dumps(events_to_data(tuple(told)))))) == told


def test_a_run_asks_for_proofs_that_are_not_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is remembered without its proof counts as forgotten where proofs are asked for."""
    loaded = load_text(SPEC.partition("  named:")[0])
    settings, store = Settings(jobs=1, seconds=4), Store(tmp_path)
    first = verify(loaded, settings, memory=Memory(store, settings))
    again = verify(loaded, settings, memory=Memory(store, settings, with_proofs=True))
    proofs = [[step.proof for item in run.verdicts if isinstance(item, Verdict) for step in item.steps]
              for run in (first, again)]  # fmt: skip
    assert proofs[0] == proofs[1]
    assert None not in proofs[0]
    kept = again.remembered
    assert kept >= 1
    monkeypatch.setattr(Grounds, "proof_of", lambda self, verdict: None)
    without = verify(loaded, settings, memory=Memory(store, settings))
    asked = verify(loaded, settings, memory=Memory(store, settings, with_proofs=True))
    assert (without.remembered, asked.remembered) == (kept, 0)


def test_the_limit_is_that_of_all_steps_together() -> None:
    assert Settings().proving <= 2
    spec = "theorem: t/t\nsymbols: {a: real}\nclaims: {c: {says: a + a == 2*a}}"
    for proving, checked in ((2.0, True), (0.0, False)):
        (found,) = verify(load_text(spec), Settings(jobs=1, proving=proving, trust="engines")).verdicts
        proof = found.steps[0].proof
        assert proof is not None
        assert (not proof.sites) == checked
