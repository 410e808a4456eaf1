"""`verify -e`: one line in, a verdict and what was inferred out; `verify -`: a claim file from a pipe."""

import io
import json
from typing import Any

import pytest

from verifier.cli import main
from verifier.read.line import load_lines
from verifier.read.specs.loaded import Broken, Ready


def judged(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    status = main([*words, "--format", "json", "--jobs", "1"])
    return status, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("line", "status", "verdict"),
    [
        ("(x + y)**2 == x**2 + 2*x*y + y**2", 0, "holds"),
        ("(x + y)**2 == x**2 + y**2", 1, "fails"),
        ("(x + y)**2 == x**2 +", 2, "error"),
    ],
)
def test_a_line_is_judged(capsys: pytest.CaptureFixture[str], line: str, status: int, verdict: str) -> None:
    code, report = judged(capsys, "-e", line)
    assert code == status
    assert [claim["verdict"] for claim in report["claims"]] == [verdict]


def test_what_was_inferred_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    _, report = judged(capsys, "-e", "tr(A @ B) == tr(B @ A)")
    symbols = report["claims"][0]["symbols"]
    assert symbols["A"]["says"] == "matrix(n, m)"
    assert "matrix product" in symbols["A"]["inferred"]
    assert main(["-e", "tr(A @ B) == tr(B @ A)", "--jobs", "1"]) == 0
    assert "n, m: dimension; A: matrix(n, m); B: matrix(m, n)" in capsys.readouterr().out


def test_a_law_decides_what_is_true() -> None:
    line = "E(norm(W @ x)**2) == m * s**2 * norm(x)**2"
    drawn = load_lines([line], ["W: normal(m, n, std=s)", "x: vector(n)"]).entries[0]
    assert isinstance(drawn, Ready)
    assert drawn.claim.random == {"W"}
    assert drawn.claim.origins["x"].inferred is None
    assert drawn.claim.origins["s"].says == "positive"
    silent = load_lines([line]).entries[0]
    assert isinstance(silent, Broken)
    assert silent.problems[0].code == "no-law"


@pytest.mark.parametrize(
    ("given", "code", "column"),
    [
        ("A: matrx(n, m)", "unknown-kind", 4),
        ("A: matrix(n, m, k)", "arity", 4),
        ("norm: matrix(n, m)", "reserved", 1),
        ("A matrix", "syntax", 3),
        ("n + 1", "line", 1),
    ],
)
def test_what_is_wrong_with_a_declaration_has_its_place(given: str, code: str, column: int) -> None:
    (problem,) = load_lines(["x == x"], [given]).problems
    assert (problem.position.file, problem.position.column, problem.code) == ("--with", column, code)
    assert problem.line_text == given


def test_assumptions_and_growth_beside_a_line() -> None:
    (entry,) = load_lines(["a / (1 + a) <= O(1)"], ["a > 0", "a -> oo"]).entries
    assert isinstance(entry, Ready)
    assert [item.text for item in entry.claim.assumptions] == ["a > 0"]
    assert [symbol.name for symbol in entry.claim.growing] == ["a"]


def test_one_wrong_line_hides_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    code, report = judged(capsys, "-e", "x + x == 2 * x", "-e", "x +", "-e", "x + x == 3 * x")
    assert [claim["verdict"] for claim in report["claims"]] == ["holds", "error", "fails"]
    assert code == 2


@pytest.mark.parametrize(
    "words", [["--with", "A: real"], ["-e", "x == x", "claims"], ["-", "claims"], ["-", "--watch"]]
)
def test_calls_that_make_no_sense(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err.startswith("verify: ")


class Piped:
    """Standard input as a pipe has it."""

    def __init__(self, content: bytes) -> None:
        self.buffer = io.BytesIO(content)


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"theorem: a/b\nsymbols: {x: real}\nclaims: {c: {says: x + x == 2*x}}", 0),
        (b"theorem: a/b\nsymbols: {x: real}\nclaims: {c: {says: x + x == 3*x}}", 1),
        (b"theorem: a/b\nclaims: {c: {says: x + x == 2*x}}", 2),
        (b"", 2),
        (b"\xff\xfe", 2),
    ],
)
def test_a_claim_file_on_standard_input(
    content: bytes, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", Piped(content))
    assert judged(capsys, "-")[0] == status
