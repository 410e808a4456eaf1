"""The shape of the program: who imports whom, what is never imported early, and what is never called."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from verifier.expr import nodes

ROOT = Path(__file__).parents[1]
MODULES = sorted((ROOT / "verifier").rglob("*.py"))
MAX_LINES = 350

# Calls that would run a stranger's text, or build objects from a stranger's bytes.
FORBIDDEN_CALLS = {"eval", "exec", "compile", "__import__", "sympify", "parse_expr", "lambdify", "S"}
FORBIDDEN_ATTRIBUTES = {"sympify", "parse_expr", "lambdify", "system", "popen", "unsafe_load", "full_load"}
FORBIDDEN_IMPORTS = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "ctypes", "yaml"}
HEAVY = {"torch", "sympy", "numpy", "flint", "mpmath", "jinja2"}


def test_import_contracts() -> None:
    command = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command; lint_imports_command()",
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout


def loaded_by(module: str) -> set[str]:
    """The heavy packages that importing a module brings in."""
    code = f"import sys, {module}; print(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert done.returncode == 0, done.stderr
    return HEAVY & set(done.stdout.split())


@pytest.mark.parametrize(
    ("module", "allowed"),
    [
        ("verifier", set()),
        ("verifier.cli", set()),
        ("verifier.read.specs.load, verifier.read.specs.schema", set()),
        ("verifier.serve.start, verifier.serve.line", set()),
        ("verifier.judge.decide, verifier.api", {"flint", "mpmath", "sympy", "numpy"}),
        ("verifier.run.verify, verifier.gate.session", {"flint"}),
        ("verifier.prove.ranges.engine", {"flint", "mpmath", "numpy"}),
        ("verifier.prove.engine", {"flint", "mpmath", "sympy", "numpy"}),
    ],
)
def test_heavy_packages_wait_until_they_are_needed(module: str, allowed: set[str]) -> None:
    assert loaded_by(module) <= allowed


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_are_of_a_size_to_be_read(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_text_is_run_and_no_bytes_are_unpickled(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in FORBIDDEN_CALLS, f"line {node.lineno}"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            assert node.func.attr not in FORBIDDEN_ATTRIBUTES, f"line {node.lineno}"
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names]
            modules = {*names, getattr(node, "module", None) or ""}
            assert not {name.partition(".")[0] for name in modules} & FORBIDDEN_IMPORTS, f"line {node.lineno}"


def test_the_program_knows_no_document_by_name() -> None:
    """It is general: nothing in it is written for one of the documents in `claims/`."""
    words = {path.name for path in (ROOT / "claims").iterdir() if path.is_dir()}
    assert len(words) >= 5
    named = [
        f"{path.relative_to(ROOT)}: {word}"
        for path in [*MODULES, *(ROOT / "verifier").rglob("*.j2")]
        for word in words
        if word.lower() in path.read_text(encoding="utf-8").lower()
    ]
    assert named == []


def test_every_node_has_a_shape() -> None:
    """`Node` is no ABC, for speed; this stands in for what an ABC would check."""
    final = [kind for kind in vars(nodes).values() if isinstance(kind, type) and issubclass(kind, nodes.Node)]
    assert len(final) > 30
    assert [
        kind.__name__ for kind in final if kind is not nodes.Node and kind.shape is nodes.Node.shape
    ] == []


SOLVERS = {"exact", "prove", "refute", "sample"}
WALL_CLOCKS = ("monotonic()", "time.monotonic", "perf_counter", "time.time()")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_engines_plan_with_time_worked_and_not_with_time_passed(path: Path) -> None:
    """A verdict shall not depend on who else keeps the machine busy."""
    if path.relative_to(ROOT).parts[1] in SOLVERS:
        text = path.read_text(encoding="utf-8")
        assert [word for word in WALL_CLOCKS if word in text] == []
