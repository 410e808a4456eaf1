"""What is built: a wheel that runs outside the repository, and an archive of sources without the reports."""

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from check_jsonschema.builtin_schemas import get_builtin_schema
from jsonschema import Draft7Validator
from ruamel.yaml import YAML

from verifier import __version__

ROOT = Path(__file__).parents[1]
SMALL = 4_000_000


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """(wheel, archive of sources), built without the network."""
    out = tmp_path_factory.mktemp("dist")
    words = [sys.executable, "-m", "hatchling", "build", "-d", str(out)]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (wheel,), (sources,) = out.glob("*.whl"), out.glob("*.tar.gz")
    return wheel, sources


def test_the_archive_of_sources_holds_what_it_takes_and_no_report(built: tuple[Path, Path]) -> None:
    _, sources = built
    with tarfile.open(sources) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"LICENSE", "CHANGELOG.md", "CITATION.cff", "README.md", "pyproject.toml", "mkdocs.yml"} <= names
    assert {"verifier/cli.py", "tests/test_package.py", "docs/gate.md"} <= names
    assert {"benchmarks/drafts.py", "editors/vscode/package-lock.json"} <= names  # its tests need them
    assert [name for name in names if name.startswith("reports") or "node_modules" in name] == []
    assert sources.stat().st_size < SMALL


def test_the_wheel_runs_outside_the_repository(built: tuple[Path, Path], tmp_path: Path) -> None:
    wheel, _ = built
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    (tmp_path / "a.yaml").write_text(
        "theorem: a/b\nsymbols: {x: real}\nclaims:\n  one: {says: x + x == 2*x}\n"
    )
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "site")}

    def run(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, *words],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert str(tmp_path) in run("-c", "import verifier; print(verifier.__file__)")
    assert __version__ in run("-m", "verifier", "--version")
    assert "holds" in run("-m", "verifier", "a.yaml", "--report", "out", "--no-cache", "--jobs", "1")
    assert (tmp_path / "out" / "index.html").exists()


def test_an_index_would_take_it(built: tuple[Path, Path]) -> None:
    words = [sys.executable, "-m", "twine", "check", "--strict", *map(str, built)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("PASSED") == 2


def test_the_version_is_the_same_everywhere() -> None:
    citation = YAML(typ="safe", pure=True).load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    Draft7Validator(get_builtin_schema("vendor.citation-file-format")).validate(citation)
    assert citation["version"] == __version__
    assert citation["license"] == project["license"] == "MIT"
    (newest, *_) = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest == __version__


def test_without_torch_everything_else_is_named() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.match(r"[\w.-]+", item)[0] for item in project["dependencies"]} - {"torch"}  # type: ignore[index]
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^pip install (jinja2 .*)$", page, re.MULTILINE)
    assert {re.match(r"[\w.-]+", word.strip("'"))[0] for word in line.split()} == needed  # type: ignore[index]
    extras = project["optional-dependencies"].keys() - {"benchmark"}
    assert all(f"| `{name}` |" in page for name in extras)
