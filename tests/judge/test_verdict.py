"""What the gate compares: expectations, summaries, exit statuses."""

import pytest

from tests.judge.findings import claim, found
from verifier.claim.model import Position, VerdictName
from verifier.claim.problems import Problem
from verifier.judge.decide import compose, decide
from verifier.judge.verdict import Run, Verdict
from verifier.read.specs.load import load_text
from verifier.read.specs.loaded import Broken

FINDINGS = {
    "holds": found("true", "proved", True),
    "loose": found("true", "proved", False),
    "fails": found("false", "proved"),
    "unrefuted": found("true", "searched", True),
    "inconclusive": found("unknown"),
}
PROBLEM = Problem(Position("f.yaml", 1), "code", "message")


def verdict(name: str, expect: str | None = None, disagree: bool = False) -> Verdict:
    only = claim("x <= x", **({"expect": expect} if expect else {}))
    findings = [FINDINGS[name], *([found("false", "proved", engine="two")] if disagree else [])]
    return compose(only, [decide(only.steps[0], findings)], None, (), 0.1)


def failed() -> Broken:
    (entry,) = load_text("theorem: a/b\nclaims: {c: {says: 1 == q}}").entries
    assert isinstance(entry, Broken)
    return entry


@pytest.mark.parametrize(
    ("name", "expect", "as_expected"),
    [
        ("holds", None, True),
        ("loose", None, True),
        ("fails", None, False),
        ("unrefuted", None, True),
        ("unrefuted", "holds", False),
        ("unrefuted", "unrefuted", True),
        ("holds", "unrefuted", False),
        ("inconclusive", None, False),
        ("holds", "holds", True),
        ("loose", "holds", False),
        ("loose", "[holds, loose]", True),
        ("fails", "fails", True),
        ("holds", "fails", False),
        ("inconclusive", "inconclusive", True),
    ],
)
def test_expectations(name: VerdictName, expect: str | None, as_expected: bool) -> None:
    found_verdict = verdict(name, expect)
    assert found_verdict.verdict == name
    assert found_verdict.as_expected is as_expected
    assert Run((found_verdict,)).exit_status == (0 if as_expected else 1)


def test_errors_are_never_expected() -> None:
    assert not failed().as_expected
    assert failed().verdict == "error"


@pytest.mark.parametrize(
    ("run", "status"),
    [
        (Run(()), 2),
        (Run((), (PROBLEM,)), 2),
        (Run((verdict("holds"),), (PROBLEM,)), 2),
        (Run((verdict("holds"), failed())), 2),
        (Run((verdict("fails"), failed())), 2),
        (Run((verdict("holds"), verdict("fails"))), 1),
        (Run((verdict("holds", disagree=True),)), 2),
        (Run((verdict("holds"), verdict("loose"))), 0),
    ],
)
def test_exit_status(run: Run, status: int) -> None:
    assert run.exit_status == status


def test_summary() -> None:
    run = Run((verdict("holds"), verdict("fails"), verdict("fails"), failed()))
    assert run.summary == {"holds": 1, "loose": 0, "fails": 2, "unrefuted": 0, "inconclusive": 0, "error": 1}
