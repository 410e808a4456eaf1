"""The command as people call it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from verifier import __version__
from verifier.cli import main
from verifier.read.specs.load import load_paths
from verifier.read.specs.schema import json_schema
from verifier.run.selection import select

ROOT = Path(__file__).parents[1]
CLAIMS = """
theorem: notes/one
symbols: {x: real}
claims:
  true: {says: (x + 1)**2 == x**2 + 2*x + 1}
  false: {says: (x + 1)**2 == x**2 + 1, expect: fails}
  powers: {says: "x**p * x == x**(p + 1)", each: {p: [1, 2]}}
---
theorem: notes/two
symbols: {x: real}
claims:
  true: {says: x**2 >= 0}
"""


def verify(*arguments: str | Path, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "120"}
    command = [sys.executable, "-m", "verifier", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=cwd, env=environment)
    assert "Traceback" not in done.stderr, done.stderr
    return done


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.yaml"
    path.write_text(CLAIMS, encoding="utf-8")
    return path


# --- without judging -------------------------------------------------------------------------------


def test_version_is_quick_and_imports_nothing_heavy() -> None:
    code = (
        "import sys\nfrom verifier.cli import main\n"
        "try:\n    main(['--version'])\n"
        "except SystemExit as end:\n    assert not end.code\n"
        "print(*sorted({'torch', 'sympy', 'numpy', 'rich', 'jinja2', 'ruamel'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=30)
    assert done.stdout == f"verify {__version__}\n\n"


def test_version_takes_under_three_tenths_of_a_second() -> None:
    """Of processor time: the wall clock belongs to whoever else is on the machine."""
    before = os.times()
    assert verify("--version").stdout == f"verify {__version__}\n"
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    assert used < 0.3


def test_schema_is_json() -> None:
    done = verify("--schema")
    assert done.returncode == 0
    assert json.loads(done.stdout) == json_schema()
    assert done.stderr == ""


def test_list(notes: Path) -> None:
    done = verify("--list", notes)
    assert done.returncode == 0
    assert done.stderr == ""
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["notes/one#true", f"{notes}:5"],
        ["notes/one#false", f"{notes}:6"],
        ["notes/one#powers[p=1]", f"{notes}:7"],
        ["notes/one#powers[p=2]", f"{notes}:7"],
        ["notes/two#true", f"{notes}:12"],
    ]


@pytest.mark.parametrize(
    ("pattern", "count"),
    [
        ("two#true", 1),
        ("true", 2),
        ("notes/one#*", 4),
        ("*#true", 2),
        ("powers[p=2]", 1),
        ("notes/???#false", 1),
    ],
)
def test_only_some(notes: Path, pattern: str, count: int) -> None:
    for option in ("-k", "--only"):
        done = verify("--list", notes, option, pattern)
        assert (done.returncode, len(done.stdout.splitlines())) == (0, count)


def test_nothing_matches(notes: Path) -> None:
    done = verify(notes, "-k", "nothing")
    assert done.returncode == 2
    assert "no claim matches 'nothing'" in done.stderr


def test_no_path() -> None:
    done = verify()
    assert (done.returncode, done.stdout) == (2, "")
    assert "no path given" in done.stderr


@pytest.mark.parametrize("arguments", [["--list"], [], ["--format", "json"]])
def test_nothing_collected(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "page.md").write_text("# A page without claims\n")
    done = verify(*arguments, tmp_path)
    assert done.returncode == 2
    assert f"no claims were found in {tmp_path}" in done.stderr


def test_a_missing_path(tmp_path: Path) -> None:
    done = verify("--list", tmp_path / "missing.yaml")
    assert done.returncode == 2
    assert "there is no such file or folder" in done.stderr
    assert done.stdout == ""


def test_a_wrong_option() -> None:
    done = verify("--formt", "json", "claims")
    assert done.returncode == 2
    assert "usage: verify" in done.stderr
    for wrong in (
        ["--jobs", "0"],
        ["--seconds", "-1"],
        ["--seconds", "nan"],
        ["--format", "xml"],
        ["--seed", "x"],
    ):
        assert verify(*wrong, "claims").returncode == 2


def test_problems_go_to_standard_error_with_their_place(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("theorem: a/a\nclaims:\n  c: {says: 1 == y}\n  d: {says: 1 == 1}\n")
    (tmp_path / "b.yaml").write_text("theorem: [\n")
    done = verify("--list", tmp_path)
    assert done.returncode == 2
    assert done.stdout.split()[0] == "a/a#d"
    assert f"{tmp_path}/a.yaml:3:18: unknown name 'y'" in done.stderr
    assert f"{tmp_path}/b.yaml:" in done.stderr


def test_the_reader_may_leave(notes: Path) -> None:
    command = f"{sys.executable} -m verifier --schema | head -c 1 >/dev/null"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=ROOT, timeout=30)
    assert "Traceback" not in done.stderr


# --- judging ---------------------------------------------------------------------------------------


def test_json_and_status_0(notes: Path) -> None:
    done = verify(notes, "--format", "json", "--jobs", "1", "--seconds", "20")
    result = json.loads(done.stdout)
    verdicts = {claim["id"]: claim["verdict"] for claim in result["claims"]}
    assert verdicts == {
        "notes/one#true": "holds",
        "notes/one#false": "fails",
        "notes/one#powers[p=1]": "holds",
        "notes/one#powers[p=2]": "holds",
        "notes/two#true": "holds",
    }
    assert result["summary"] == {
        "holds": 4,
        "loose": 0,
        "fails": 1,
        "unrefuted": 0,
        "inconclusive": 0,
        "error": 0,
    }
    assert result["errors"] == []
    assert done.returncode == 0


def test_text_is_plain_when_piped_and_status_1(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notes.write_text(CLAIMS.replace(", expect: fails", ""), encoding="utf-8")
    status = main([str(notes), "-k", "one#false", "--jobs", "1", "--seconds", "20"])
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "notes/one#false" in shown
    assert "fails" in shown
    assert status == 1


def test_a_wrong_file_hides_no_verdict_and_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.yaml").write_text("theorem: [\n")
    text = "theorem: a/b\nsymbols: {x: real}\nclaims:\n  good: {says: x == x}\n  bad: {says: x == y}\n"
    (tmp_path / "b.yaml").write_text(text)
    status = main([str(tmp_path), "--format", "json", "--jobs", "1", "--seconds", "20"])
    result = json.loads(capsys.readouterr().out)
    assert [(claim["id"], claim["verdict"]) for claim in result["claims"]] == [
        ("a/b#good", "holds"),
        ("a/b#bad", "error"),
    ]
    (error,) = result["errors"]
    assert (error["file"], error["line"], error["code"]) == (str(tmp_path / "a.yaml"), 2, "yaml")
    assert status == 2


def test_explain_takes_the_one_claim_that_is_named(notes: Path) -> None:
    more = notes.with_name("more.yaml")
    more.write_text("theorem: notes/two\nclaims: {true-too: {says: 1 == 1}}\n")
    loaded = load_paths([notes, more])
    named = select(loaded, "notes/two#true", exactly=True)
    assert [claim.id for claim in named.claims] == ["notes/two#true"]
    assert len(select(loaded, "notes/two#true").claims) == 2
