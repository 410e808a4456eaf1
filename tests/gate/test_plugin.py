"""The pytest plugin, run for real in a scratch repository."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CLAIMS = """
theorem: a/b
symbols: {x: real}
claims:
  good: {says: x + x == 2*x}
  wrong: {says: x + x == 3*x}
  tolerated: {says: x == x + 1, severity: note}
  misspelt: {says: x == y}
"""


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "VERIFY_CACHE": "",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "verifier.pytest_plugin",
        "-p",
        "no:cacheprovider",
        *options,
    ]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, timeout=120)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\nverify_paths = claims\n")
    (tmp_path / "verify.toml").write_text('fail-at = "warning"\njobs = 1\nseconds = 20\n')
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "a.yaml").write_text(CLAIMS)
    (tmp_path / "claims" / "other.yaml").write_text("services: {web: 1}\n")
    (tmp_path / "notes.yaml").write_text(CLAIMS.replace("a/b", "n/b"))
    (tmp_path / "test_it.py").write_text("def test_it(): pass\n")
    return tmp_path


def test_each_claim_is_an_item(repository: Path) -> None:
    done = run(repository, "-v")
    assert done.returncode == 1, done.stdout
    outcome = dict(re.findall(r"a\.yaml::a/b#(\S+) (PASSED|FAILED|XFAIL)", done.stdout))
    assert outcome == {"good": "PASSED", "wrong": "FAILED", "tolerated": "XFAIL", "misspelt": "FAILED"}
    assert "test_it.py::test_it PASSED" in done.stdout
    assert "claims/a.yaml:6: fails" in done.stdout
    assert "unknown name 'y'" in done.stdout
    assert "Traceback" not in done.stdout
    assert "n/b#" not in done.stdout


def test_a_selection_is_pytest_s_own(repository: Path) -> None:
    done = run(repository, "--collect-only", "-q", "-k", "good")
    assert "claims/a.yaml::a/b#good" in done.stdout
    assert "wrong" not in done.stdout
    assert "notes.yaml::n/b#good" in run(repository, "--collect-only", "-q", "--verify").stdout


def test_without_claims_it_does_and_imports_nothing(repository: Path) -> None:
    (repository / "pytest.ini").write_text("[pytest]\n")
    (repository / "conftest.py").write_text(
        "import sys\n"
        "def pytest_unconfigure():\n"
        "    print('loaded:', *sorted(m for m in sys.modules if m.startswith('verifier')))\n"
    )
    done = run(repository, "-q", "-s")
    assert done.returncode == 0
    assert "loaded: verifier verifier.pytest_plugin\n" in done.stdout
    assert "1 passed" in done.stdout
