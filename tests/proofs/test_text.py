"""Proofs as JSON and back: equal trees, shared parts once, and bounded."""

import json
from pathlib import Path

import pytest

from tests.proofs.examples import assumed, claims, weakened
from verifier.expr.nodes import Relation, Within
from verifier.kernel.judgement import Fails, Holds
from verifier.kernel.proof import Proof
from verifier.kernel.rejected import Rejected
from verifier.proofs import text
from verifier.proofs.statement import assumed as assumptions_of
from verifier.proofs.text import from_data, judgement_to_data, to_data
from verifier.read.specs.load import load_paths

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("folder", ["claims", "tests/verdicts"])
def test_every_statement_comes_back_as_the_same_tree(folder: str) -> None:
    """Of the statements, and of those assumptions that are relations: over a thousand of real write-ups."""
    read = 0
    for ready in load_paths([ROOT / folder]).ready:
        claim = ready.claim
        facts = [*(step.fact for step in claim.steps), *assumptions_of(claim).values()]
        for fact in facts:
            if isinstance(fact, Relation | Within):
                step = {"rule": "r", "concludes": judgement_to_data(Fails(fact))}
                assert from_data([step], claim).conclusion == Fails(fact), claim.id
                read += 1
    assert read > 1_000


def test_a_proof_comes_back_equal() -> None:
    claim = claims()["weak"]
    proof = weakened(claim)
    data = json.loads(json.dumps(to_data(proof)))
    assert data == [
        {"rule": "assumption", "concludes": {"holds": "a**2 < b"}},
        {"rule": "weaken", "concludes": {"holds": "a**2 <= b"}, "premises": [0]},
    ]
    assert from_data(data, claim) == proof


def test_data_come_back_equal() -> None:
    claim = claims()["weak"]
    data = {"point": {"a": "3/4", "X": [["1", "2"], ["3", "5"]]}, "exact": True, "n": 3, "none": None}
    proof = Proof("point", Fails(claim.steps[0].fact), (), data)
    assert from_data(json.loads(json.dumps(to_data(proof))), claim) == proof


def test_what_is_shared_is_written_once() -> None:
    """Parts that are the same object, and parts that only say the same."""
    claim = claims()["strict"]
    proof = assumed(claim)
    for _ in range(40):
        proof = Proof("r", proof.conclusion, (proof, proof))
    data = to_data(Proof("s", proof.conclusion, (proof, assumed(claim), assumed(claims()["strict"]))))
    assert len(data) == 42
    assert data[-1]["premises"] == [40, 0, 0]
    again = from_data(data, claim)
    assert sum(1 for _ in again.walk()) == 42
    assert to_data(again) == data


def test_a_layers_own_names_are_read() -> None:
    spec = """
    theorem: toy/deep
    symbols: {n: dimension, L: dimension, X: "matrix(n, n)"}
    layers:
      state: X
      depth: L
      symbols: {W: "normal(n, n)"}
      let: {A: softmax(X)}
      next: A @ W
    assumptions: {flat: "A == ones(n, n)/n"}
    claims: {one: {says: "norm(X) >= 0"}}
    """
    claim = claims(spec)["one"]
    (fact,) = assumptions_of(claim).values()
    assert isinstance(fact, Relation)
    proof = Proof("assumption", Holds(fact))
    assert from_data(to_data(proof), claim) == proof


def refusal(data: object) -> str:
    with pytest.raises(Rejected) as rejected:
        from_data(data, claims()["weak"])
    return rejected.value.reason


def test_sizes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "MOST_STEPS", 5)
    monkeypatch.setattr(text, "DEEPEST", 3)
    leaf = {"rule": "r", "concludes": {"holds": "a <= b"}}
    assert from_data([leaf] * 5, claims()["weak"])
    assert refusal([leaf] * 6) == "too-large"
    tower = [leaf, *({**leaf, "premises": [at]} for at in range(4))]
    assert from_data(tower[:3], claims()["weak"])
    assert refusal(tower[:4]) == "too-large"


def test_a_conclusion_is_no_larger_than_a_claim_may_be() -> None:
    """Thirteen names, each twice the one before."""
    lets = "\n".join(f"  q{k + 1}: q{k} + q{k}" for k in range(13))
    spec = (
        f"theorem: toy/large\nsymbols: {{a: real}}\nlet:\n  q0: a\n{lets}\nclaims:\n  one: {{says: a <= 1}}"
    )
    claim = claims(spec)["one"]
    small, large = ({"rule": "r", "concludes": {"holds": f"{sides} <= 1"}} for sides in ("q3", "q13 + q13"))
    assert from_data([small], claim)
    with pytest.raises(Rejected) as rejected:
        from_data([large], claim)
    assert rejected.value.reason == "too-large"


def test_deep_data_are_refused() -> None:
    deep: list[object] = []
    for _ in range(text.DEEPEST_DATA + 1):
        deep = [deep]
    assert refusal([{"rule": "r", "concludes": {"holds": "a <= b"}, "data": {"x": deep}}]) == "data"
    assert refusal([{"rule": "r", "concludes": {"holds": "a <= b"}, "data": [1]}]) == "data"
    assert refusal([{"rule": "r", "concludes": {"holds": "a" + " + a" * 20_000 + " <= b"}}]) == "data"
