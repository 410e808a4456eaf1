"""Whole runs in both positions of the switch: with engines that lie, and with none."""

import json
from pathlib import Path

import pytest

from tests.run.test_verify import AGREEABLE, CONTRARY
from verifier.cli import main
from verifier.evidence import Trust
from verifier.gate.choices import settings_of
from verifier.gate.config import Config, ConfigError, find_config
from verifier.judge.verdict import Run, Verdict
from verifier.plan.settings import DEFAULT_TRUST, TRUSTED, Engine, Settings
from verifier.read.specs.load import load_text
from verifier.report.sentences import tried
from verifier.report.verdicts import sentence
from verifier.run.verify import verify
from verifier.serve.answers import unknown_of

SPEC = """\
theorem: run/trust
symbols: {x: real, y: real, n: dimension}
assumptions: {apart: x <= y}
claims:
"""


def run(trust: Trust, *engines: Engine, **says: str) -> tuple[Run, dict[str, Verdict]]:
    text = SPEC + "".join(f"  {name}: {{says: '{fact}'}}\n" for name, fact in says.items())
    made = verify(load_text(text), Settings(jobs=1, seconds=6, engines=engines, trust=trust))
    return made, {item.id.partition("#")[2]: item for item in made.verdicts if isinstance(item, Verdict)}


# True, and beyond what the kernel tries; false; false, and close.
OPEN = "sin(x) + sin(2*x) <= 18/10"
LIES = {"far": "x == y + 1", "near": "x**2 + 1 > 2*x", "hard": OPEN}


def test_a_word_is_enough_for_those_who_trust_engines() -> None:
    made, found = run("engines", AGREEABLE, hard=OPEN)
    assert [item.verdict for item in found.values()] == ["holds"]
    assert made.exit_status == 0


def test_a_word_is_not_enough() -> None:
    made, found = run("checked", AGREEABLE, hard=OPEN)
    (item,) = found.values()
    assert (item.verdict, item.evidence, item.as_expected) == ("unrefuted", "searched", True)
    assert "`agreeable: it likes everything` is not enough" in item.reason
    assert made.exit_status == 0


@pytest.mark.parametrize("trust", TRUSTED)
def test_nothing_false_is_believed_where_proofs_are_asked_for(trust: Trust) -> None:
    _, found = run(trust, AGREEABLE, **LIES)
    believed = [name for name, item in found.items() if item.verdict in ("holds", "loose")]
    assert ("far" in believed) == (trust == "engines")
    assert trust == "engines" or believed == []


def test_a_refutation_by_word_alone() -> None:
    made, found = run("checked", CONTRARY, hard=OPEN)
    (item,) = found.values()
    assert (item.verdict, item.evidence, item.counterexample) == ("unrefuted", None, None)
    assert not item.as_expected
    assert made.exit_status == 1
    _, found = run("engines", CONTRARY, hard=OPEN)
    assert found["hard"].verdict == "fails"


def test_what_the_kernel_can_do_needs_no_engine() -> None:
    says = {"same": "(x + y)**2 == x**2 + 2*x*y + y**2", "order": "x <= y + 1", "given": "x <= y",
            "wrong": "n**2 > n", "hard": OPEN}  # fmt: skip
    _, found = run("checked", **says)
    expected = {"same": "holds", "order": "holds", "given": "holds", "wrong": "fails", "hard": "inconclusive"}
    assert {name: item.verdict for name, item in found.items()} == expected
    assert all(item.proof is not None and item.proof.checked for item in list(found.values())[:4])
    assert {finding.engine for finding in found["same"].main.findings} == {"kernel"}
    point = found["wrong"].counterexample
    assert point is not None
    assert (point.values["n"], point.lhs, point.rhs) == (1, 1.0, 1.0)


def test_the_kernel_and_an_engine_that_disagree() -> None:
    made, found = run("checked", CONTRARY, same="x + y == y + x")
    assert found["same"].verdict == "inconclusive"
    assert found["same"].disagreement
    assert made.exit_status == 2


def test_what_is_proved_beside() -> None:
    _, found = run("checked", given="x <= y", square="(x - y)**2 == x**2 + y**2")
    assert [(part.status, part.is_guess) for part in found["given"].assumptions] == [("needed", False)]
    assert {(side.kind, side.of) for side in found["given"].sides} >= {("needed", "apart")}
    assert found["square"].main.corrected is None or not found["square"].main.guesses


# --- how it is said ---------------------------------------------------------------------------------


def test_the_default_is_one_line() -> None:
    assert set(TRUSTED) == {"checked", "engines"}
    assert DEFAULT_TRUST == Settings().trust == settings_of({}, Config()).trust


def test_the_command_line_wins(tmp_path: Path) -> None:
    (tmp_path / "verify.toml").write_text('trust = "checked"\n')
    config = find_config(tmp_path)
    assert settings_of({}, config).trust == "checked"
    assert settings_of({"trust": "engines"}, config).trust == "engines"
    (tmp_path / "verify.toml").write_text('trust = "nobody"\n')
    with pytest.raises(ConfigError, match="cannot be 'nobody'; one of checked, engines"):
        find_config(tmp_path)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every output follows from the verdicts, and says how to get them again."""
    spec = tmp_path / "c.yaml"
    spec.write_text(SPEC + "  sum: {says: x + y == y + x}\n  far: {says: x <= 2*y + 1}\n")
    assert main([str(spec), "--trust", "checked", "--no-cache", "--format", "json", "--jobs", "1"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert "--trust checked" in report["run"]["command"] or DEFAULT_TRUST == "checked"
    claims = {claim["id"].partition("#")[2]: claim for claim in report["claims"]}
    assert claims["sum"]["proof"]["checked"]
    assert (claims["far"]["verdict"], claims["far"]["evidence"]) == ("fails", "proved")
    assert main([str(spec), "--trust", "checked", "--no-cache", "--explain", "run/trust#sum"]) == 0
    assert "The kernel checked this proof." in capsys.readouterr().out


def test_pages_and_answers_say_what_is_lacking() -> None:
    _, found = run("checked", CONTRARY, hard=OPEN)
    assert "called false, and no checked proof" in sentence(found["hard"])
    assert unknown_of(found["hard"]) == "no-proof"
    words = next(words for engine, words in tried(found["hard"].main) if engine == "contrary")
    assert "missing: a proof that the kernel accepts" in words
    _, found = run("checked", AGREEABLE, hard=OPEN)
    assert "called true, and no checked proof" in sentence(found["hard"])
    assert unknown_of(found["hard"]) == "no-proof"
