"""Every message is explained, and every explanation is of a message."""

import ast
from pathlib import Path

from verifier.read.specs.message_codes import CODES
from verifier.read.specs.schema import SEVERITIES

ROOT = Path(__file__).parents[3] / "verifier"
# Where the code stands among the arguments of what makes a problem.
MAKERS = {"problem": 0, "ExprError": 0, "Problem": 1, "fail": 1, "refusal": None, "_one_of": 1}


def raised() -> set[str]:
    found = {"latex"}
    rooms = ("claim", "expr", "read")
    for path in (path for room in rooms for path in (ROOT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            at = MAKERS.get(name)
            if at is not None and len(node.args) > at and isinstance(node.args[at], ast.Constant):
                found.add(str(node.args[at].value))
    return found


def test_every_code_is_explained_and_no_other() -> None:
    assert raised() - CODES.keys() == set()
    assert CODES.keys() - raised() == set()


def test_explanations_are_sentences() -> None:
    for entry in CODES.values():
        assert entry.title[0].isupper() or entry.title[0] in "`O"
        assert entry.title.endswith(".")
        assert entry.words.rstrip("`").endswith((".", "..."))
    assert all(word in CODES["severity"].words for word in SEVERITIES)
