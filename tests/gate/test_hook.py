"""The pre-commit hook, the action, and what `--init` writes: each held against its schema and run."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from check_jsonschema.builtin_schemas import get_builtin_schema
from jsonschema import Draft7Validator
from ruamel.yaml import YAML

from verifier.cli import main
from verifier.read.specs.load import load_paths
from verifier.read.specs.schema import json_schema

ROOT = Path(__file__).parents[2]
GOOD = "theorem: a/b\nsymbols: {x: real}\nclaims:\n  one: {says: x + x == 2*x}\n"


def data(path: Path) -> Any:
    return YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))


def git(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    names = ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL")
    tools = Path(sys.executable).parent
    environment = {
        **os.environ, **dict.fromkeys(names, "a@b"), "PYTHONPATH": str(ROOT), "VERIFY_CACHE": "",
        "PATH": f"{tools}:{os.environ['PATH']}", "PRE_COMMIT_HOME": str(folder / ".home"),
    }  # fmt: skip
    return subprocess.run(
        ["git", *words], capture_output=True, text=True, cwd=folder, env=environment, timeout=120
    )


def test_the_hook_stops_a_wrong_commit_and_no_other(tmp_path: Path) -> None:
    (hook,) = data(ROOT / ".pre-commit-hooks.yaml")
    assert hook["language"] == "python"
    # The same hook with the program that is installed here, instead of a fresh environment.
    hook |= {
        "language": "system",
        "entry": f"{sys.executable} -m {hook['entry'].replace('verify', 'verifier', 1)}",
    }
    local = {"repos": [{"repo": "local", "hooks": [hook | {"entry": hook["entry"] + " --seconds 20"}]}]}
    git(tmp_path, "init", "-q")
    (tmp_path / ".pre-commit-config.yaml").write_text(json.dumps(local))
    assert subprocess.run(
        [sys.executable, "-m", "pre_commit", "install"], cwd=tmp_path, check=True, capture_output=True
    )
    (tmp_path / "compose.yaml").write_text("services: {}\n")
    (tmp_path / "README.md").write_text("# no claims\n")
    (tmp_path / "a.yaml").write_text(GOOD)
    git(tmp_path, "add", ".")
    done = git(tmp_path, "commit", "-m", "good")
    assert done.returncode == 0, done.stdout + done.stderr
    (tmp_path / "a.yaml").write_text(GOOD.replace("2*x", "3*x"))
    git(tmp_path, "add", ".")
    done = git(tmp_path, "commit", "-m", "wrong")
    assert done.returncode == 1
    assert "a/b#one" in done.stdout + done.stderr
    assert "counterexample" in done.stdout + done.stderr


def test_the_action_is_an_action() -> None:
    action = data(ROOT / "action.yml")
    Draft7Validator(get_builtin_schema("vendor.github-actions")).validate(action)
    script = action["runs"]["steps"][-1]["run"]
    assert subprocess.run(["bash", "-n"], input=script, text=True, check=True).returncode == 0


def test_the_action_s_script_writes_its_outputs(tmp_path: Path) -> None:
    script = data(ROOT / "action.yml")["runs"]["steps"][-1]["run"]
    (tmp_path / "a.yaml").write_text(GOOD)
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "verify").write_text(f'#!/bin/sh\nexec {sys.executable} -m verifier "$@"\n')
    (tools / "verify").chmod(0o755)
    environment = {
        **os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT), "PATHS": "a.yaml",
        "ARGS": "--seconds 20 --jobs 1", "RUNNER_TEMP": str(tmp_path / "temp"), "VERIFY_CACHE": "",
        "GITHUB_OUTPUT": str(tmp_path / "outputs"), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
    }  # fmt: skip
    done = subprocess.run(
        ["bash", "-e", "-c", script], cwd=tmp_path, env=environment, timeout=120, check=False
    )
    assert done.returncode == 0
    named = dict(line.split("=", 1) for line in (tmp_path / "outputs").read_text().splitlines())
    assert set(named) == {"json", "sarif", "markdown"}
    assert all(Path(place).exists() for place in named.values())
    assert "✓" in (tmp_path / "summary.md").read_text()


def test_init_writes_what_is_missing_and_it_is_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "verify.toml").write_text('paths = ["claims"]\n')
    assert main(["--init"]) == 0
    told = capsys.readouterr().out
    assert "kept     verify.toml" in told
    assert "OWNER" not in (tmp_path / ".github/workflows/verify.yml").read_text() or "Edit" in told
    (claim,) = load_paths([tmp_path / "claims"]).claims
    assert claim.printed is not None
    assert claim.printed.status == "same"
    Draft7Validator(json_schema()).validate(data(tmp_path / "claims" / "first.yaml"))
    workflow = data(tmp_path / ".github" / "workflows" / "verify.yml")
    Draft7Validator(get_builtin_schema("vendor.github-workflows")).validate(workflow)
    (tmp_path / "verify.toml").unlink()
    shutil.rmtree(tmp_path / "claims")
    assert main(["--init"]) == 0
    assert main(["--list"]) == 0
    assert "paper/forward-variance#second-moment" in capsys.readouterr().out
