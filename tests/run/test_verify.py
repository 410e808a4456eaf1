"""A whole run: what is known survives a kill, broken claims keep their place, scripts need no guard."""

import math
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from tests.plan.specs import theorem
from verifier.judge.verdict import Run, Verdict
from verifier.plan.messages import Beside, Bought, Found, Proposed, Stage, Tried
from verifier.plan.settings import Engine, Settings
from verifier.read.specs.load import load_text
from verifier.read.specs.loaded import Broken
from verifier.run.verify import verify

AGREEABLE = Engine("symbolic", "tests.run.agreeable", 1)
MISBEHAVING = Engine("numeric", "tests.run.engines", 3, is_witness=True)
CONTRARY = Engine("numeric", "tests.run.contrary", 3, is_witness=True)
ROOT = Path(__file__).parents[2]


def run_with(engines: Sequence[Engine], *slugs: str, seconds: float = 20.0) -> Run:
    return verify(
        theorem(slugs),
        Settings(jobs=1, seconds=seconds, engines=tuple(engines), alone=False, trust="engines"),
    )


@pytest.mark.parametrize("wrong", [{"jobs": 0}, {"seconds": 0.0}, {"seconds": math.nan}, {"draws": 0}])
def test_settings_without_which_a_run_would_not_end_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="are positive"):
        Settings(**wrong)


def test_a_proof_survives_the_crash_of_the_second_witness() -> None:
    run = run_with([AGREEABLE, MISBEHAVING], "is-killed", "hangs", "raises", seconds=6)
    for verdict in run.verdicts:
        assert isinstance(verdict, Verdict)
        assert (verdict.verdict, verdict.evidence) == ("holds", "proved")
        first, last = verdict.steps[0].findings
        assert (first.engine, last.truth) == ("agreeable", "unknown")
    assert run.exit_status == 0


def test_engines_that_contradict_each_other_are_shown_and_exit_2() -> None:
    run = run_with([AGREEABLE, CONTRARY], "one")
    (verdict,) = run.verdicts
    assert isinstance(verdict, Verdict)
    assert verdict.verdict == "inconclusive"
    assert verdict.disagreement is not None
    assert "agreeable says true" in verdict.disagreement
    assert "contrary says false" in verdict.disagreement
    assert run.exit_status == 2


def test_an_engine_that_cannot_be_imported_costs_no_other_verdict() -> None:
    run = run_with([AGREEABLE, Engine("numeric", "tests.run.no_such_engine", 3, is_witness=True)], "one")
    (verdict,) = run.verdicts
    assert isinstance(verdict, Verdict)
    assert verdict.verdict == "holds"
    assert "ModuleNotFoundError" in verdict.steps[0].findings[-1].reason


def test_broken_claims_keep_their_place() -> None:
    text = """
    theorem: run/mixed
    symbols: {x: real}
    claims:
      good: {says: x == x}
      bad: {says: x == y}
      fine: {says: x <= x + 1}
    """
    run = verify(
        load_text(textwrap.dedent(text)), Settings(jobs=1, engines=(AGREEABLE,), alone=False, trust="engines")
    )
    assert [verdict.id for verdict in run.verdicts] == ["run/mixed#good", "run/mixed#bad", "run/mixed#fine"]
    assert [type(verdict) for verdict in run.verdicts] == [Verdict, Broken, Verdict]
    assert run.summary == {"holds": 2, "loose": 0, "fails": 0, "unrefuted": 0, "inconclusive": 0, "error": 1}
    assert run.exit_status == 2


def test_nothing_to_judge_starts_no_process_and_exits_2() -> None:
    assert verify(load_text("")).exit_status == 2


def test_progress_hears_every_event_and_then_the_verdict() -> None:
    heard: list[tuple[str, object]] = []
    spec = """
    theorem: run/progress
    symbols: {x: real}
    assumptions: {bounded: x <= 1}
    claims:
      one: {says: x == x}
    """
    settings = Settings(jobs=1, engines=(AGREEABLE,), alone=False, trust="engines")
    run = verify(
        load_text(textwrap.dedent(spec)), settings, lambda claim, event: heard.append((claim.id, event))
    )
    assert {name for name, _ in heard} == {"run/progress#one"}
    told = [type(event) for _, event in heard if not isinstance(event, Tried)]
    kinds = [kind for kind, _ in groupby(told)]
    assert kinds == [Stage, Found, Proposed, Stage, Bought, Beside, Verdict]
    assert heard[-1][1] == run.verdicts[0]


def test_a_script_needs_no_guard_and_standard_output_is_its_own(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(
            """
            from tests.plan.specs import STAND_IN
            from verifier import Settings, load_text, verify

            spec = "theorem: a/b\\nsymbols: {x: real}\\nclaims: {chatters: {says: x == x}}\\n"
            run = verify(load_text(spec), Settings(jobs=1, engines=STAND_IN, alone=False, trust="engines"))
            print(run.verdicts[0].verdict)
            """
        )
    )
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        timeout=60,
        env=environment,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "holds\n"
    assert "writes to it from C" in done.stderr
