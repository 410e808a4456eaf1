"""`verify serve` as it is started and ended, its examples, and what plain lines mean."""

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from verifier.cli import main
from verifier.read.specs.loaded import Broken, Ready
from verifier.serve.judging import Refused
from verifier.serve.page.examples import examples
from verifier.serve.page.typed import MOST_CLAIMS, load_typed

ROOT = Path(__file__).parents[3]


def test_it_starts_judges_files_and_ends(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(
        "theorem: a/b\nsymbols: {x: real}\nclaims:\n  one: {says: x + x == 2*x}\n"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT), "VERIFY_CACHE": str(tmp_path / "cache")}
    words = [sys.executable, "-m", "verifier", "serve", "a.yaml", "--no-browser"]
    process = subprocess.Popen(
        words, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        (address,) = re.findall(r"http://127\.0\.0\.1:\d+/[\w-]{32}/", process.stdout.readline())
        report = b""
        for _ in range(300):
            try:
                with urllib.request.urlopen(f"{address}report/index.html", timeout=10) as answer:
                    report = answer.read()
                    break
            except OSError:
                time.sleep(0.1)
        assert b"<h1>a</h1>" in report
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
    finally:
        process.kill()
    assert process.stderr is not None
    assert process.stderr.read() == ""


def test_a_call_that_is_wrong_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for words in (["--port", "70000"], ["--port", "x"], ["--host", "0.0.0.0"]):
        with pytest.raises(SystemExit) as left:
            main(["serve", *words])
        assert left.value.code == 2
    (tmp_path / "verify.toml").write_text("nonsense = 1\n")
    assert main(["serve", "--no-browser"]) == 2


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_every_example_is_read(example: object) -> None:
    loaded = load_typed(example.text).loaded  # type: ignore[attr-defined]
    assert loaded.entries
    assert loaded.problems == ()
    assert not [entry for entry in loaded.entries if isinstance(entry, Broken)]


def test_what_a_line_may_be() -> None:
    typed = load_typed("# words\nrho: interval(0, 1)\nassume rho < 1\n\n\n1 - rho > 0   # stated\n")
    (entry,) = typed.loaded.entries
    assert isinstance(entry, Ready)
    assert entry.position.line == 6
    assert typed.given == ("rho: interval(0, 1)", "rho < 1")
    assert [item.text for item in entry.claim.assumptions] == ["rho < 1"]
    assert typed.repeat(entry).startswith("verify -e '1 - rho > 0' --with")
    (grows,) = load_typed("n: dimension\nn -> oo\nn**2 <= O(n**3)").loaded.entries
    assert isinstance(grows, Ready)
    assert [symbol.name for symbol in grows.claim.growing] == ["n"]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("x + == 1", 1, 5),
        ("\n\n   x + == 1", 3, 8),
        ("x: vector(\nx == x", 1, 11),
        ("assume x <\nx == x", 1, 11),
        ("assume   3\nx == x", 1, 10),
    ],
)
def test_problems_stand_where_they_were_typed(text: str, line: int, column: int) -> None:
    loaded = load_typed(text).loaded
    found = [
        *loaded.problems,
        *(p for entry in loaded.entries if isinstance(entry, Broken) for p in entry.problems),
    ]
    assert (found[0].position.line, found[0].position.column) == (line, column)
    assert "--with" not in str(found[0])


def test_too_much_is_refused() -> None:
    with pytest.raises(Refused, match="claim file"):
        load_typed("x == x\n" * (MOST_CLAIMS + 1))
    each = f"{{says: p*x == x*p, each: {{p: {list(range(MOST_CLAIMS + 1))}}}}}"
    with pytest.raises(Refused, match="claims"):
        load_typed(f"theorem: a/b\nsymbols: {{x: real}}\nclaims:\n  c: {each}\n")
    assert len(load_typed("x == x\n" * MOST_CLAIMS).loaded.entries) == MOST_CLAIMS
