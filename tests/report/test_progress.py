"""The live display: what each engine tries, how far the run is; a line now and then in a pipe."""

import io
from dataclasses import dataclass

import pytest
from rich.console import Console

from tests.report.examples import example_run
from verifier.evidence import Finding
from verifier.judge.verdict import Verdict
from verifier.report.progress import Heartbeat, Watch, watching


@dataclass
class Stage:
    words: str


@dataclass
class Found:
    finding: Finding


VERDICT = next(item for item in example_run().verdicts if isinstance(item, Verdict))
CLAIM = VERDICT.claim


def test_each_engine_has_a_row() -> None:
    watch = Watch()
    watch.hear(CLAIM, Stage("symbolic: E(norm(Y)**2)\n  == 3"))
    assert list(watch.rows()) == [("symbolic", "0 answers", "moments#second-moment", "E(norm(Y)**2) == 3")]
    watch.hear(CLAIM, Found(Finding("symbolic", "true", "proved")))
    watch.hear(CLAIM, Stage("search: E(norm(Y)**2)"))
    assert [row[:2] for row in watch.rows()] == [("symbolic", "1 answer"), ("search", "0 answers")]
    watch.hear(CLAIM, Stage("without uniform-weights"))
    assert list(watch.rows())[-1] == ("", "", "moments#second-moment", "without uniform-weights")
    watch.hear(CLAIM, VERDICT)
    assert watch.trying == {}


def test_a_terminal_sees_how_far_it_is() -> None:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, width=100, color_system=None)
    with watching(2, console) as heard:
        assert heard is not None
        heard(CLAIM, Stage("numeric: E(norm(Y)**2)"))
        heard(CLAIM, VERDICT)
        heard(CLAIM, Stage("numeric: E(norm(Y)**2)"))
    assert "1/2" in stream.getvalue()
    assert "numeric" in stream.getvalue()


def test_a_pipe_sees_nothing_of_a_short_run(capsys: pytest.CaptureFixture[str]) -> None:
    with watching(3) as heard:
        assert heard is not None
        for _ in range(3):
            heard(CLAIM, VERDICT)
    with watching(0) as heard:
        assert heard is None
    assert capsys.readouterr().err == ""


def test_a_pipe_gets_a_line_now_and_then() -> None:
    stream, times = io.StringIO(), iter([0.0, 1.0, 20.0, 21.0, 40.0, 60.0])
    heard = Heartbeat(2, stream, lambda: next(times))
    heard(CLAIM, Stage("symbolic: x"))  # 1 s: too soon
    heard(CLAIM, Stage("numeric: x"))
    heard(CLAIM, Stage("search: x"))  # too soon after the last line
    heard(CLAIM, VERDICT)
    heard(CLAIM, VERDICT)  # all is judged: the result follows
    assert stream.getvalue().splitlines() == [
        "verify: 0 of 2 claims judged after 20 s",
        "verify: 1 of 2 claims judged after 40 s",
    ]


def test_a_reader_that_left_does_not_end_the_run() -> None:
    stream, times = io.StringIO(), iter([0.0, 20.0, 40.0])
    stream.close()
    heard = Heartbeat(2, stream, lambda: next(times))
    heard(CLAIM, VERDICT)
    heard(CLAIM, Stage("numeric: x"))
    assert heard.judged == 1
