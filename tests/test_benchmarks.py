"""Benchmarks run seldom: what they import is looked at with every change."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"


def is_module(name: str) -> bool:
    try:
        import_module(name)
    except ModuleNotFoundError:
        return False
    return True


def missing(text: str) -> list[str]:
    """Names that a module imports from this program and that are not there."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "verifier":
            assert node.module is not None
            module = import_module(node.module) if is_module(node.module) else None
            names = [name.name for name in node.names if not hasattr(module, name.name)]
            found += [f"{node.module}.{name}" for name in names if not is_module(f"{node.module}.{name}")]
    return found


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_what_a_benchmark_imports_is_there(path: Path) -> None:
    assert missing(path.read_text(encoding="utf-8")) == []


def test_what_is_not_there_is_seen() -> None:
    assert missing("from verifier.plan.settings import Settings, NoSuchName") == [
        "verifier.plan.settings.NoSuchName"
    ]
    assert missing("from verifier.judge import decide") == []
