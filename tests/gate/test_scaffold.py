"""What `--init` finds out: the paper beside it, and where the CI job can install this program from."""

import json
import shlex
import subprocess
import tomllib
from importlib.metadata import Distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from ruamel.yaml import YAML

from verifier.cli import main
from verifier.gate.origin import PLACEHOLDER, origin_of
from verifier.gate.papers import papers_in
from verifier.read.specs.load import load_paths

PAPER = '\\documentclass{article}\n\\title{Gradients "at" rest: a study}\n\\begin{document}\n$x$\n'


def installed(folder: Path, note: object = None) -> Distribution:
    """What pip leaves behind."""
    info = folder / "verify_claims-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: verify-claims\nVersion: 1.2\n")
    if note is not None:
        (info / "direct_url.json").write_text(note if isinstance(note, str) else json.dumps(note))
    return Distribution.at(info)


def test_a_release_is_installed_by_its_version(tmp_path: Path) -> None:
    found = origin_of(installed(tmp_path))
    assert (found.requirement, found.is_known) == ("verify-claims==1.2", True)


def test_before_a_release_the_repository_is_installed_at_its_commit(tmp_path: Path) -> None:
    vcs = {"vcs": "git", "commit_id": "0123abcd"}
    found = origin_of(installed(tmp_path, {"url": "https://git.example/lab/verify.git", "vcs_info": vcs}))
    assert found.is_known
    assert Requirement(found.requirement).url == "git+https://git.example/lab/verify.git@0123abcd"


def test_a_clone_knows_whence_it_came(tmp_path: Path) -> None:
    clone = tmp_path / "a clone"
    subprocess.run(["git", "init", "-q", str(clone)], check=True)
    note = {"url": clone.as_uri(), "dir_info": {"editable": True}}
    one = installed(tmp_path, note)
    assert not origin_of(one).is_known
    words = ["git", "-C", str(clone), "remote", "add", "origin", "https://git.example/lab/verify"]
    subprocess.run(words, check=True)
    assert origin_of(one).requirement == "verify-claims @ git+https://git.example/lab/verify"


@pytest.mark.parametrize(
    "note",
    [
        {"url": "https://user:secret@git.example/verify", "vcs_info": {"vcs": "git", "commit_id": "1"}},
        {"url": 'https://git.example/a"; rm -rf ~; "', "vcs_info": {"vcs": "git", "commit_id": "1"}},
        {"url": "ssh://git@git.example/verify", "vcs_info": {"vcs": "git"}},
        {"url": "file:///nowhere/at/all", "dir_info": {}},
        {"url": "https://files.example/verify.whl", "archive_info": {}},
        {"vcs_info": 3},
        "[not json",
        "[]",
    ],
)
def test_what_cannot_stand_in_a_public_file_is_left_to_be_filled_in(tmp_path: Path, note: object) -> None:
    found = origin_of(installed(tmp_path, note))
    assert not found.is_known
    assert Requirement(found.requirement).url == f"git+{PLACEHOLDER}"
    assert shlex.split(f'pip install "{found.requirement}"')[2] == found.requirement


def test_the_paper_is_noticed_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "My Paper.tex").write_text(PAPER)
    (tmp_path / "section.tex").write_text("no document of its own")
    (tmp_path / "README.md").write_text("# About\n$$x$$\n")
    assert main(["--init"]) == 0
    assert "noticed  My Paper.tex, now named" in capsys.readouterr().out
    config = tomllib.loads((tmp_path / "verify.toml").read_text())
    assert config["paths"] == ["claims", "My Paper.tex"]
    loaded = load_paths([tmp_path / "claims"])
    assert not loaded.problems
    (claim,) = loaded.claims
    assert claim.id.startswith("my-paper/")
    assert claim.source is not None
    assert claim.source.document == 'Gradients "at" rest: a study'
    workflow = YAML(typ="safe", pure=True).load((tmp_path / ".github/workflows/verify.yml").read_text())
    (install,) = [
        step["run"] for step in workflow["jobs"]["verify"]["steps"] if "pip install" in step.get("run", "")
    ]
    Requirement(shlex.split(install)[2])
    assert main(["--init"]) == 0
    assert "perhaps not yet" in capsys.readouterr().out


def test_which_files_are_papers(tmp_path: Path) -> None:
    assert papers_in(tmp_path) == ()
    (tmp_path / "notes.md").write_text("# On means\n\n$$a$$\n")
    (tmp_path / "CHANGELOG.md").write_text("# Changes\n$$a$$\n")
    (tmp_path / "plain.md").write_text("# No formula\n")
    assert [(paper.path, paper.title) for paper in papers_in(tmp_path)] == [("notes.md", "On means")]
    (tmp_path / "paper").mkdir()
    (tmp_path / "paper" / "main.tex").write_text("\\documentclass{article}\n\\title{On \\emph{means}}\n")
    (tmp_path / "paper" / "old.tex").write_text("% \\documentclass{article}\n")
    (tmp_path / "paper" / "broken.tex").write_bytes(b"\\documentclass{a}\xff")
    assert [(paper.path, paper.title) for paper in papers_in(tmp_path)] == [("paper/main.tex", None)]


def test_a_folder_that_cannot_be_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "claims").write_text("a file where a folder is needed")
    assert main(["--init"]) == 2
    said = capsys.readouterr()
    assert said.err.startswith("verify: ")
