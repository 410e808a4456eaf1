"""Completion in shells: what bash offers is what the command takes."""

import shutil
import subprocess
from pathlib import Path

import pytest

from verifier.cli import main
from verifier.gate.completion import COMMANDS, SHELLS, script
from verifier.gate.options import parser
from verifier.gate.outputs import FORMATS


def offered(folder: Path, *words: str) -> set[str]:
    """What bash offers for the last of the words."""
    (folder / "script").write_text(script("bash", parser()))
    typed = ["verify", *words]
    lines = [
        "source ./script",
        f"COMP_WORDS=({' '.join(map(repr, typed))})",
        f"COMP_CWORD={len(typed) - 1}",
        "_verify",
        'printf "%s\\n" "${COMPREPLY[@]}"',
    ]
    done = subprocess.run(
        ["bash", "--norc", "-c", "\n".join(lines)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert done.stderr == ""
    return set(done.stdout.splitlines()) - {""}


def test_options(tmp_path: Path) -> None:
    every = {name for action in parser()._actions for name in action.option_strings}
    assert offered(tmp_path, "-") == every
    assert offered(tmp_path, "--fo") == {"--format"}
    assert offered(tmp_path, "--nothing-of-this-kind") == set()


def test_values(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "old.json").write_text("{}")
    assert offered(tmp_path, "--format", "") == set(FORMATS)
    assert offered(tmp_path, "--format", "=", "j") == {"json", "junit"}
    assert offered(tmp_path, "--report", "") == {"folder"}
    assert offered(tmp_path, "--baseline", "o") == {"old.json"}
    assert offered(tmp_path, "--seed", "") == set()


def test_paths(tmp_path: Path) -> None:
    for name in ("a claim.yaml", "paper.tex", "notes.txt", "-k.yaml"):
        (tmp_path / name).write_text("")
    (tmp_path / "claims").mkdir()
    assert offered(tmp_path, "") == {"a claim.yaml", "paper.tex", "claims", "-k.yaml", *COMMANDS}
    assert offered(tmp_path, "paper.tex", "c") == {"claims"}
    assert offered(tmp_path, "notes") == set()


def test_every_shell_has_a_script(capsys: pytest.CaptureFixture[str]) -> None:
    for shell in SHELLS:
        assert main(["--completion", shell]) == 0
        text = capsys.readouterr().out
        assert all(name in text for name in ("require", "certified", *COMMANDS))
        if shutil.which(shell):
            assert (
                subprocess.run([shell, "-n"], input=text, text=True, timeout=20, check=False).returncode == 0
            )
    with pytest.raises(SystemExit):
        main(["--completion", "cmd"])
    with pytest.raises(ValueError, match="none of"):
        script("cmd", parser())
