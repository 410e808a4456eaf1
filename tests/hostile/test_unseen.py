"""Characters that nobody sees, and words that a log obeys, in every text that reaches a reader."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.read.specs.marks import problems_of
from verifier.expr.unseen import MARK, escaped, hides, inert, seen, visible
from verifier.read.specs.load import load_text

ROOT = Path(__file__).parents[2]
HIDDEN = "\u202e\u200b\u2066\x1b\x07\x85\u2028\xad\U000e0041"
# As YAML writes them, so that the file itself shows what it holds.
WRITTEN = "".join(f"\\U{ord(char):08x}" for char in HIDDEN)
OBEYED = "::set-output name=a::b ##[add-mask]c"
SPEC = f"""
theorem: "::a/b"
title: "title {WRITTEN} {OBEYED}"
source: {{document: "paper {WRITTEN}", locator: "{WRITTEN}"}}
symbols: {{x: real}}
assumptions: {{"bound{WRITTEN}": x >= 1}}
claims:
  c:
    title: "{WRITTEN}"
    note: "{WRITTEN} {OBEYED}"
    says: x <= 2
  d:
    says: |
      ::set-output name=y::z ##[add-mask]w
"""
FORMATS = ("text", "json", "junit", "sarif", "github", "markdown", "badge")


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Every format, the pages and the terminal's, of a file with a hostile name."""
    folder = tmp_path_factory.mktemp("unseen")
    (folder / "claims").mkdir()
    file = folder / "claims" / "\u202e\x1b[2J\n::error::x.yaml"
    file.write_text(SPEC)
    asked = [word for form in FORMATS for word in ("--output", f"{form}={folder / form}")]
    command = [sys.executable, "-m", "verifier", str(folder / "claims"), "--report", str(folder / "pages")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "VERIFY_CACHE": ""}
    done = subprocess.run(
        [*command, "--seconds", "2", *asked],
        capture_output=True, text=True, timeout=120, env=environment, cwd=folder,
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert "cannot be written" not in done.stderr
    listed = subprocess.run(
        [*command, "--list"], capture_output=True, text=True, timeout=60, env=environment, cwd=folder
    )
    found = {"stdout": done.stdout, "stderr": done.stderr, "list": listed.stdout, "listing": listed.stderr}
    found |= {form: (folder / form).read_text(encoding="utf-8") for form in FORMATS}
    return found | {path.name: path.read_text("utf-8") for path in (folder / "pages").rglob("*.*")}


def test_nothing_hidden_is_written(outputs: dict[str, str]) -> None:
    for name, text in outputs.items():
        assert not hides(text), name
        assert "[2J" not in text or MARK in text or "\\u001b" in text, name


def test_json_holds_what_the_author_wrote(outputs: dict[str, str]) -> None:
    titles = {claim["title"] for claim in json.loads(outputs["json"])["claims"]}
    assert HIDDEN in titles


def test_a_log_obeys_none_of_it(outputs: dict[str, str]) -> None:
    for name in ("stdout", "stderr", "list", "listing", "text"):
        assert not any(line.lstrip().startswith("::") for line in outputs[name].split("\n")), name
        assert "##[" not in outputs[name], name
    commands = outputs["github"].splitlines()
    assert commands
    assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in commands)


@pytest.mark.parametrize("char", ["\u202e", "\u2067", "\U000e0041"])
@pytest.mark.parametrize("place", ["title: a{}b\n", "# {} x\n", "note: |\n  a\n  {}\n"])
def test_a_text_that_looks_like_another_is_refused(char: str, place: str) -> None:
    text = "theorem: a/b\n" + place.format(char) + "symbols: {x: real}\nclaims: {c: {says: x == x}}\n"
    (problem,) = problems_of(load_text(text))
    assert problem.code == "character"
    assert text.split("\n")[problem.position.line - 1][problem.position.column - 1] == char


@pytest.mark.parametrize(("theorem", "claim"), [("a/b\u200b", "c"), ("a/b", "c\u200d")])
def test_ids_can_be_seen(theorem: str, claim: str) -> None:
    text = f'theorem: "{theorem}"\nsymbols: {{x: real}}\nclaims: {{"{claim}": {{says: x == x}}}}\n'
    (problem,) = problems_of(load_text(text))
    assert problem.code in ("theorem", "claim-name")


def test_letters_of_every_language_stay() -> None:
    for text in ("Ünïcödé", "定理 3.1", "قضية", "משפט", "𝔼‖X‖²", "a\u2062b", "line\nline\tline"):
        assert seen(text) == text
        assert escaped(json.dumps(text, ensure_ascii=False)) == json.dumps(text, ensure_ascii=False)
    persian = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
    assert seen(persian) == persian
    assert seen("a\u200cb \u200d") == f"a{MARK}b {MARK}"
    assert seen("line\r\nline") == "line\nline"
    assert visible("定理") == inert("定理") == "定理"


def test_escapes_are_the_same_data() -> None:
    text = f"{HIDDEN}\ud800 plain"
    written = escaped(json.dumps(text, ensure_ascii=False))
    assert written.isascii()
    assert json.loads(written) == text
