"""A run that is longer than memory: the verdicts, and every output, are those of a short one."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.plan.specs import theorem
from tests.report.examples import example_run
from tests.run.test_verify import AGREEABLE
from verifier.evidence import Counterexample, Finding, Sample
from verifier.gate.outputs import FORMATS, write_all
from verifier.gate.policy import Policy, judge_run
from verifier.judge.verdict import Run, Verdict
from verifier.plan.messages import Event, Found, Stage
from verifier.plan.settings import Settings
from verifier.read.specs.load import load_text
from verifier.read.specs.loaded import Broken, Ready
from verifier.report.compare import with_changes
from verifier.report.html import write_report
from verifier.report.json import to_json
from verifier.run.pool import Ended
from verifier.run.verdicts import Judged, verdict_of
from verifier.run.verify import verify

FOUND = Finding(
    "symbolic", "false", "proved", "it breaks", counterexample=Counterexample({"x": 0}, 1.0, 2.0, "1", "2"),
    derivation=("first", "then"), samples=(Sample({"x": 1}, 0.5, 0.1, 0.9, 2.0, 100),),
)  # fmt: skip
EVENTS: dict[str, tuple[Event, ...]] = {
    "one": (Stage("symbolic: x"), Found(0, FOUND)),
    "two": (Found(0, replace(FOUND, truth="true", counterexample=None)), Stage("search: x")),
    "three": (Stage("rules"),),
    "four": (Found(0, replace(FOUND, derivation=(object(),))),),  # type: ignore[arg-type]
}


@pytest.fixture
def little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.spool.IN_MEMORY", 1)


def test_verdicts_are_composed_again_from_what_was_found(little_memory: None) -> None:
    loaded = load_text(
        "theorem: run/judged\nsymbols: {x: real}\nclaims:\n  bad: {says: y == 1}\n"
        + "".join(f"  {name}: {{says: x == 1}}\n" for name in EVENTS)
    )
    judged, expected = Judged(loaded.entries), {}
    for number, entry in reversed(list(enumerate(loaded.entries))):
        if isinstance(entry, Broken):
            expected[number]: Verdict | Broken = entry
            continue
        assert isinstance(entry, Ready)
        name = entry.claim.id.partition("#")[2]
        ended = Ended(7, EVENTS[name], "stopped after 2 s" if name == "three" else None, 1.5, True)
        expected[number] = verdict_of(entry.claim, ended)
        judged.put(number, ended, expected[number])  # type: ignore[arg-type]
    assert not judged.is_short
    assert len(judged) == len(loaded.entries)
    assert list(judged) == [expected[number] for number in range(len(judged))]
    assert judged[1:3] == (expected[1], expected[2])
    assert judged[-1] == expected[len(judged) - 1]


def test_a_long_run_says_what_a_short_one_says(monkeypatch: pytest.MonkeyPatch) -> None:
    names, settings = (
        [f"claim-{number}" for number in range(7)],
        Settings(jobs=2, engines=(AGREEABLE,), alone=False, trust="engines"),
    )
    short = verify(theorem(names, assumptions='{a: "x > 0"}'), settings)
    monkeypatch.setattr("verifier.spool.IN_MEMORY", 2)
    long = verify(theorem(names, assumptions='{a: "x > 0"}'), settings)
    assert isinstance(short.verdicts, tuple)
    assert isinstance(long.verdicts, Judged)
    same = [
        replace(item, seconds=0.0, steps=(), assumptions=())
        for run in (short, long)
        for item in run.verdicts
        if isinstance(item, Verdict)
    ]
    assert same[:7] == same[7:]
    assert (long.summary, long.exit_status) == (short.summary, short.exit_status)


def test_a_long_run_that_is_ended_tells_what_is_known(little_memory: None) -> None:
    """Claims that nobody took from disk have verdicts too, under their own names."""
    names, heard = [f"claim-{number}" for number in range(7)], list[str]()
    run = verify(
        theorem(names),
        Settings(jobs=1, engines=(AGREEABLE,), alone=False, trust="engines"),
        progress=lambda claim, event: heard.append(claim.id) if isinstance(event, Verdict) else None,
        stop=lambda: len(heard) >= 3,
    )
    assert run.interrupted
    assert [item.id.partition("#")[2] for item in run.verdicts] == names
    assert [item.verdict for item in run.verdicts] == ["holds"] * 3 + ["inconclusive"] * 4
    assert all("interrupted" in item.reason for item in run.verdicts[3:] if isinstance(item, Verdict))
    assert heard == [item.id for item in run.verdicts]


def outputs(run: Run, folder: Path) -> dict[str, bytes]:
    """Every file that a run can write, by name."""
    report = judge_run(to_json(run) | {"coverage": None}, Policy())
    old = {"claims": [{"id": "toy/moments#growth", "verdict": "holds"}, {"id": "gone", "verdict": "fails"}]}
    report = with_changes(report, old, "old.json")
    assert write_all(report, [(form, folder / form) for form in FORMATS]) == []
    write_report(run, folder / "pages")
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_every_output_of_a_long_run_is_that_of_a_short_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = example_run()
    short = outputs(run, tmp_path / "short")
    monkeypatch.setattr("verifier.spool.IN_MEMORY", 2)
    monkeypatch.setattr("verifier.report.html.PIECES", 5)
    long = outputs(run, tmp_path / "long")
    stamp = b"timestamp"  # of the minute, in a line of its own kind
    assert long.keys() == short.keys()
    for name, content in short.items():
        lines, others = content.splitlines(), long[name].splitlines()
        assert [line for line in others if stamp not in line] == [line for line in lines if stamp not in line]


def test_what_cannot_be_judged_costs_one_verdict() -> None:
    (claim,) = theorem(["one"]).claims
    broken = Finding("symbolic", "false", "no such grade")  # type: ignore[arg-type]
    verdict = verdict_of(claim, Ended(0, (Found(0, broken),), None, 1.0))
    assert verdict.verdict == "inconclusive"
    assert "judging failed" in verdict.reason
