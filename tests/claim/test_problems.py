"""How a problem looks: place, line, caret, remedy."""

from verifier.claim.model import Position
from verifier.claim.problems import Problem
from verifier.read.specs.load import load_text
from verifier.read.specs.loaded import Broken


def shown(text: str) -> str:
    (entry,) = load_text(text, "notes.yaml").entries
    assert isinstance(entry, Broken)
    (problem,) = entry.problems
    return str(problem)


def test_the_whole_message() -> None:
    text = "theorem: a/b\nsymbols: {sigma: positive}\nclaims:\n  c:\n    says: 2 * sgima == 1\n"
    assert shown(text) == (
        "notes.yaml:5:15: unknown name 'sgima' [unknown-name]\n"
        "        says: 2 * sgima == 1\n"
        "                  ^^^^^\n"
        "    did you mean 'sigma'?"
    )


def test_shape_errors_name_both_shapes_in_the_claims_symbols() -> None:
    text = (
        "theorem: a/b\nsymbols: {d_k: dimension, d_v: dimension, W: 'matrix(d_k, 2*d_v)'}\n"
        "claims:\n  c:\n    says: 1 + tr(W @ W) == 0\n"
    )
    message = shown(text)
    assert "cannot multiply d_k-by-2*d_v by d_k-by-2*d_v: 2*d_v columns meet d_k rows" in message
    assert message.splitlines()[2] == " " * (4 + 17) + "^^^^^"


def test_long_lines_are_cut_around_the_caret() -> None:
    line = "x" * 500 + "?" + "y" * 500
    text = str(Problem(Position("f", 1, 501), "code", "message", line_text=line, width=1))
    _, shown_line, caret = text.splitlines()
    assert len(shown_line) <= 124
    assert shown_line[caret.index("^")] == "?"


def test_a_caret_never_leaves_its_line() -> None:
    text = str(Problem(Position("f", 1, 5), "code", "message", line_text="abcdefg", width=99))
    assert text.splitlines()[2] == "        ^^^"
    beyond = str(Problem(Position("f", 1, 50), "code", "message", line_text="abc", width=3))
    assert beyond.splitlines()[2].strip() == "^"


def test_lines_of_strangers_cannot_command_the_terminal() -> None:
    line = "a\x1b[2J\u202eb\tc\x07"
    text = str(Problem(Position("f", 1, 1), "code", "message", line_text=line))
    assert text.splitlines()[1] == "    a [2J b c"
    assert all(char.isprintable() for char in text.replace("\n", ""))
