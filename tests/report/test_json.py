"""JSON: every key of the reference, always; every number finite."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from tests.report.examples import example_run
from verifier import load_text, verify
from verifier.evidence import ProofRecord
from verifier.judge.verdict import Run, Verdict
from verifier.report.json import plain, proof_of, to_json
from verifier.report.view import point

CLAIM_KEYS = {
    "id", "file", "line", "verdict", "evidence", "expected", "as_expected", "lhs", "rhs", "corrected",
    "tight", "slack", "counterexample", "assumptions", "steps", "samples", "engines", "derivation", "seconds",
    "proof",
}  # fmt: skip
POINT_KEYS = {"values", "lhs", "rhs", "lhs_exact", "rhs_exact"}
SAMPLE_KEYS = {"at", "estimate", "low", "high", "claimed", "draws"}


@pytest.fixture
def claims() -> dict[str, dict]:
    return {claim["id"].partition("#")[2]: claim for claim in to_json(example_run())["claims"]}


def test_it_is_one_strict_json_object() -> None:
    text = json.dumps(to_json(example_run()), allow_nan=False)
    found = json.loads(text)
    assert {"schema", "summary", "claims", "errors"} <= found.keys()
    assert found["schema"] == 1
    assert found["summary"] == {
        "holds": 2,
        "loose": 1,
        "fails": 2,
        "unrefuted": 0,
        "inconclusive": 1,
        "error": 1,
    }
    assert found["run"]["seed"] == 7


def test_every_claim_has_every_key(claims: dict[str, dict]) -> None:
    for claim in claims.values():
        assert claim.keys() >= CLAIM_KEYS
        assert claim["counterexample"] is None or claim["counterexample"].keys() >= POINT_KEYS
        assert all(sample.keys() >= SAMPLE_KEYS for sample in claim["samples"])
        assert all(engine.keys() >= {"name", "seconds", "said"} for engine in claim["engines"])
        assert all(step.keys() >= {"line", "relation", "verdict"} for step in claim["steps"])
        for part in claim["assumptions"].values():
            assert part.keys() >= {"status", "violated", "gap"}


def test_a_failing_claim(claims: dict[str, dict]) -> None:
    claim = claims["mean-row"]
    assert (claim["verdict"], claim["evidence"], claim["as_expected"]) == ("fails", "proved", False)
    assert (claim["lhs"], claim["rhs"]) == ("d*n*norm(xbar)**2", "n**2*norm(xbar)**2")
    assert claim["corrected"] == "d*n*norm(xbar)**2"
    assert claim["counterexample"]["values"] == {"n": 2, "d": 1, "X": [[1], ["1/3"]], "sigma": 1}
    assert claim["counterexample"]["lhs_exact"] == "8/9"
    assert claim["samples"][1]["estimate"] is None
    assert claim["samples"][1]["high"] is None
    assert [engine["said"] for engine in claim["engines"]] == ["fails", "fails"]


def test_sides_are_as_written_where_no_closed_form_was_found(claims: dict[str, dict]) -> None:
    assert claims["triangle"]["lhs"] == "abs(u.T @ v)"
    assert claims["triangle"]["slack"] == 4.0
    assert claims["triangle"]["engines"][0]["said"] == "loose"


def test_a_chain_shows_its_first_broken_line(claims: dict[str, dict]) -> None:
    claim = claims["proof"]
    assert [step["verdict"] for step in claim["steps"]] == ["holds", "fails", "holds"]
    lines = [step["line"] for step in claim["steps"]]
    assert lines == [lines[0], lines[0] + 1, lines[0] + 2]
    assert claim["corrected"] == "d*sigma**2*norm(X)**2"
    assert claim["overall"]["verdict"] == "fails"
    assert claims["mean-row"]["steps"] == []


def test_expectations_are_as_the_author_wrote_them(claims: dict[str, dict]) -> None:
    assert claims["second-moment"]["expected"] == "holds"
    assert claims["doubling"]["expected"] == ["holds", "inconclusive"]
    assert claims["triangle"]["expected"] is None


def test_errors_are_placed(claims: dict[str, dict]) -> None:
    broken = claims["misspelt"]
    assert broken["verdict"] == "error"
    assert not broken["as_expected"]
    assert broken["errors"][0]["code"] == "unknown-name"
    (error,) = to_json(example_run())["errors"]
    assert error.keys() >= {"file", "line", "column", "code", "message", "hint"}
    assert error["file"] == "bad.yaml"


def test_an_empty_run_is_complete() -> None:
    assert to_json(Run(()))["claims"] == []


def test_values_are_plain() -> None:
    assert plain(Fraction(4, 2)) == 2
    assert plain(Fraction(1, 3)) == "1/3"
    assert plain({"x": (1.5, float("nan"))}) == {"x": [1.5, None]}
    assert plain(object()).startswith("<object")


def test_a_symbol_called_ratio_shows_its_own_value() -> None:
    spec = """
    theorem: toy/ratio
    symbols: {N: dimension, ratio: positive, s: positive}
    claims:
      own: {says: "ratio*N**2 <= O(N)", as: N -> oo}
      other: {says: "s*N**2 <= O(N)", as: N -> oo}
    """
    own, other = (claim["counterexample"] for claim in to_json(verify(load_text(spec)))["claims"])
    assert own["values"] == {"ratio": 1, "N": [10, 100, 1000, 10000]}
    assert own["ratios"] == [10.0, 100.0, 1000.0, 10000.0]
    assert other["values"]["ratio"] == other["ratios"] == own["ratios"]
    assert point(own).startswith("ratio = 1, N = [10, 100, 1000, 10000], left side / right side = [10")


def record(truth: str, rules: dict[str, int], *sites: str) -> ProofRecord:
    return ProofRecord(truth, "[]", rules, sites)  # type: ignore[arg-type]


def with_proofs(slug: str, *proofs: ProofRecord | None) -> Verdict:
    item = next(item for item in example_run().verdicts if item.id.endswith(f"#{slug}"))
    assert isinstance(item, Verdict)
    pairs = zip(item.steps, proofs, strict=True)
    return replace(item, steps=tuple(replace(step, proof=proof) for step, proof in pairs))


def test_what_a_verdict_rests_on() -> None:
    checked = record("true", {"contract": 2})
    assert proof_of(with_proofs("second-moment", checked)) == {
        "checked": True,
        "trusted": 0,
        "rules": {"contract": 2},
        "sites": {},
    }
    trusted = record("false", {"weaken": 1}, "symbolic: x", "symbolic: x")
    found = proof_of(with_proofs("mean-row", trusted))
    assert found == {"checked": False, "trusted": 2, "rules": {"weaken": 1}, "sites": {"symbolic: x": 2}}


def test_what_nobody_decided_has_no_proof(claims: dict[str, dict]) -> None:
    assert claims["growth"]["proof"] is claims["misspelt"]["proof"] is None


def test_a_verdict_without_a_proof_is_not_checked() -> None:
    found = proof_of(with_proofs("second-moment", None))
    assert found is not None
    assert (found["checked"], found["trusted"]) == (False, 1)


def test_one_false_step_is_enough() -> None:
    """The second step is false; what is said of the others does not matter."""
    item = with_proofs("proof", record("true", {}, "rules: y"), record("false", {"point": 1}), None)
    found = proof_of(item)
    assert found is not None
    assert (found["checked"], found["rules"]) == (True, {"point": 1})
