"""Terminal text: stable and whole in a pipe, coloured and cut on a terminal."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from tests.report.examples import example_run
from verifier import Settings, load_text, verify
from verifier.judge.verdict import Run, Verdict
from verifier.report.compare import with_changes
from verifier.report.json import to_json
from verifier.report.text import print_explanations, print_run, render, summary
from verifier.report.view import details


def written(run: Run, **options: object) -> str:
    stream = io.StringIO()
    render(to_json(run), Console(file=stream, highlight=False, **options))  # type: ignore[arg-type]
    return stream.getvalue()


def test_a_pipe_gets_plain_whole_lines() -> None:
    text = written(example_run(), width=20)
    assert "\x1b" not in text
    assert all(line == line.rstrip() for line in text.splitlines())
    (line,) = [line for line in text.splitlines() if "#mean-row" in line]
    assert line.startswith("fails ")
    assert line.endswith("n**2*norm(xbar)**2")


def test_a_failing_claim_shows_counterexample_and_correction() -> None:
    lines = written(example_run()).splitlines()
    at = next(place for place, line in enumerate(lines) if "#mean-row" in line)
    assert lines[at + 1].split()[0] == "counterexample"
    assert "X = [[1], [1/3]]" in lines[at + 1]
    assert lines[at + 2].split() == ["corrected", "d*n*norm(xbar)**2"]


def test_at_most_three_lines_of_detail() -> None:
    run = example_run()
    chain = next(item for item in run.verdicts if isinstance(item, Verdict) and item.claim.is_chain)
    crowded = replace(chain, disagreement="symbolic says true, numeric says false")
    text = written(replace(run, verdicts=(crowded,), problems=()))
    assert len(text.splitlines()) == 1 + 3 + 1


def test_problems_show_the_line_and_a_caret() -> None:
    lines = written(example_run()).splitlines()
    at = next(place for place, line in enumerate(lines) if line.startswith("toy.yaml:"))
    assert "unknown name 'Z'" in lines[at]
    column = lines[at + 2].index("^")
    assert lines[at + 1][column] == "Z"


def test_summary_counts_everything() -> None:
    line = written(example_run()).splitlines()[-1]
    assert line == summary(to_json(example_run()))
    assert line.startswith(
        "2 holds, 1 loose, 2 fails, 0 unrefuted, 1 inconclusive, 1 error; 1 unreadable; 3 of 7 as expected"
    )


def test_a_terminal_gets_colour_and_its_own_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    text = written(example_run(), width=60, force_terminal=True, color_system="standard")
    assert "\x1b[" in text
    monkeypatch.setenv("NO_COLOR", "1")
    plain = written(example_run(), width=60, force_terminal=True)
    assert "\x1b[3" not in plain
    assert "…" in plain


@pytest.mark.parametrize("width", [60, 80])
def test_a_terminal_folds_a_counterexample_and_keeps_every_digit_of_it(width: int) -> None:
    run = example_run()
    failing = next(
        item for item in run.verdicts if isinstance(item, Verdict) and item.id.endswith("#mean-row")
    )
    whole = next(line for line in written(run).splitlines() if line.split()[0] == "counterexample")
    text = written(replace(run, verdicts=(failing,)), width=width, force_terminal=True, color_system=None)
    lines = text.splitlines()
    at = next(place for place, line in enumerate(lines) if line.split()[:1] == ["counterexample"])
    end = next(place for place, line in enumerate(lines) if line.split()[:1] == ["corrected"])
    assert end - at > 1
    assert all(len(line) <= width for line in lines[at:end])
    assert all(line.startswith(" " * 20) for line in lines[at + 1 : end])
    assert " ".join(" ".join(lines[at:end]).split()) == " ".join(whole.split())


def test_a_terminal_shows_messages_and_remedies_whole() -> None:
    loaded = load_text(
        "theorem: t/slip\nsymbols: {alpha: real}\nclaims:\n  c: {says: alphq + "
        + "alpha + " * 20
        + "1 == 0}\n"
    )
    run = verify(loaded, Settings(jobs=1))
    text = written(run, width=50, force_terminal=True, color_system=None)
    (problem,) = run.verdicts[0].problems
    assert problem.message in text
    assert problem.hint is not None
    assert problem.hint in text


def test_hostile_text_cannot_steer_the_terminal() -> None:
    run = example_run()
    item = next(item for item in run.verdicts if isinstance(item, Verdict))
    nasty = replace(item, reason="\x1b[2Jgone\r\nfails  proved  forged [red]markup[/red] :smile:")
    text = written(replace(run, verdicts=(nasty,)))
    assert "\x1b" not in text
    assert "\r" not in text
    assert not any(line.startswith("fails") for line in text.splitlines())
    assert "[red]markup[/red] :smile:" in text


def test_what_changed_comes_before_the_sum() -> None:
    report = to_json(example_run())
    old = {"claims": [dict(claim, verdict="holds") for claim in report["claims"]]}
    stream = io.StringIO()
    render(with_changes(report, old, "old.json"), Console(file=stream, highlight=False))
    lines = stream.getvalue().splitlines()
    assert "against old.json: 5 of 7 verdicts changed" in lines
    assert "    toy/moments#mean-row: holds → fails" in lines
    assert lines[-1] == summary(report)


def test_a_terminal_shows_each_theorem_once() -> None:
    text = written(example_run(), width=200, force_terminal=True, color_system=None)
    lines = text.splitlines()
    assert sum(line.startswith("toy/moments  Second moments of a linear layer") for line in lines) == 1
    assert any(line.split()[:3] == ["fails", "proved", "mean-row"] for line in lines)


def test_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    print_run(to_json(example_run()))
    assert capsys.readouterr().out == written(example_run())
    print_explanations(example_run())
    explained = capsys.readouterr().out
    assert "We read this as" in explained
    assert "unknown name 'Z'" in explained


def test_points_without_a_value_are_told() -> None:
    spec = "theorem: t/left-out\nsymbols: {x: real}\nclaims:\n  c: {says: x/x == 1}\n  d: {says: x == x}\n"
    report = to_json(verify(load_text(spec), Settings(jobs=1)))
    assert [claim["left_out"] for claim in report["claims"]] == [["x == 0"], []]
    assert ("left out", "x == 0 (a side is undefined there)") in list(details(report["claims"][0]))


def test_a_terminal_says_whole_why_a_claim_is_open() -> None:
    run = example_run()
    first = run.verdicts[0]
    assert isinstance(first, Verdict)
    reason = "rules: no rule shows it | symbolic: missing: a closed form of the expectation of what is drawn"
    open_still = replace(first, verdict="inconclusive", evidence=None, reason=reason)
    text = written(replace(run, verdicts=(open_still,)), width=60, force_terminal=True, color_system=None)
    assert reason in " ".join(text.replace("why", "").split())
    assert all(len(line) <= 60 for line in text.splitlines() if "symbolic" in line or "rules" in line)
    assert "why" not in written(replace(run, verdicts=(open_still,)), width=60)
