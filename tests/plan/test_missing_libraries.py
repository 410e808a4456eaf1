"""Without torch the exact engines judge, and whoever needs it says so."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from verifier.plan.missing_libraries import MISSING, is_torch, module_of, without_torch
from verifier.plan.settings import Engine

# What Python does where a package is not installed, for this one package.
NOT_INSTALLED = """\
import sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "torch":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Finder())
"""
CLAIMS = """\
theorem: t/o
symbols: {n: dimension, A: "matrix(n, n)", B: "matrix(n, n)", x: "vector(n)", W: "normal(n, n)"}
claims:
  proved: {says: "norm(A + B) <= norm(A) + norm(B)"}
  false: {says: "tr(A) == n"}
  open: {says: "E(norm(gelu(W @ tanh(W @ x)))**2) <= n**3*E(norm(gelu(W @ x))**2) + 1"}
"""


def test_exact_engines_work_without_torch_and_the_rest_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(NOT_INSTALLED)
    (tmp_path / "c.yaml").write_text(CLAIMS)
    root = str(Path(__file__).parents[2])
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), root])}
    words = [sys.executable, "-m", "verifier", "c.yaml", "--no-cache", "--format", "json", "--seconds", "4"]
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    proved, false, undecided = json.loads(done.stdout)["claims"]
    assert (proved["verdict"], proved["evidence"]) == ("holds", "proved")
    assert false["verdict"] == "fails"
    assert false["evidence"] in ("proved", "certified")
    assert undecided["verdict"] == "inconclusive"
    assert MISSING in undecided["reason"]
    assert "torch is not installed" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("norm(A + B) <= norm(A) + norm(B)", False),
        ("(a + b)**2 == a**2 + b**2", False),
        ("norm(softmax(tanh(A @ softmax(A)))) <= norm(A)**2/9 + 3/2", True),
    ],
)
def test_a_line_that_is_decided_without_torch_needs_no_word_of_it(
    tmp_path: Path, line: str, told: bool
) -> None:
    (tmp_path / "sitecustomize.py").write_text(NOT_INSTALLED)
    root = str(Path(__file__).parents[2])
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), root])}
    words = [sys.executable, "-m", "verifier", "-e", line, "--seconds", "4"]
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert ("torch is not installed" in done.stderr) == told, done.stdout


def test_with_torch_nothing_is_said() -> None:
    assert without_torch() is None


def test_only_a_missing_torch_is_excused() -> None:
    assert is_torch(ModuleNotFoundError(name="torch.nn"))
    assert not is_torch(ModuleNotFoundError(name="torchvision"))
    assert not is_torch(ImportError("cannot import name"))
    with pytest.raises(ModuleNotFoundError):
        module_of(Engine("other", "verifier.run.nothing_of_this_name", 0))
