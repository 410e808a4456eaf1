"""Anything at all ends in claims or in positioned problems, never in an exception."""

import tempfile
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.read.specs.marks import problems_of
from verifier.expr.declare import KINDS
from verifier.expr.functions import USAGE
from verifier.read.specs.load import load_paths, load_text
from verifier.read.specs.loaded import Loaded

SUFFIXES = st.sampled_from([".yaml", ".md", ".tex"])
REFERENCE = Path(__file__).parents[2] / "docs" / "claim-language.md"
SPECS = [block.split("```")[0] for block in REFERENCE.read_text(encoding="utf-8").split("```yaml\n")[1:]]
WORDS = [
    *USAGE,
    *KINDS,
    "x",
    "n",
    "A",
    "oo",
    "pi",
    "in",
    "given=",
    ".T",
    "1",
    "0.5",
    "1e400",
    "/0",
    "(",
    ")",
    "[",
    "]",
]
WORDS += [
    ",",
    "+",
    "-",
    "*",
    "/",
    "@",
    "**",
    "==",
    "<=",
    "!=",
    "->",
    "\n",
    "  ",
    ": ",
    "- ",
    "|",
    ">",
    "'",
    '"',
    "&a",
    "*a",
]
WORDS += [
    "---\n",
    "theorem: a/b\n",
    "claims:\n",
    "symbols:\n",
    "let:\n",
    "layers:\n",
    "steps: |\n",
    "says: ",
    "#",
    "\t",
    "\x00",
]


def check(loaded: Loaded) -> None:
    for problem in problems_of(loaded):
        assert problem.position.line >= 1
        assert problem.position.column >= 1
        assert problem.code
        assert problem.message
        assert str(problem)
    for claim in loaded.claims:
        assert claim.id
        assert claim.steps


@given(st.text(), SUFFIXES)
def test_any_text(text: str, suffix: str) -> None:
    check(load_text(text, "spec", suffix))


@given(data=st.binary(max_size=300), suffix=SUFFIXES)
@example(data=b"\xff\xfea\x00", suffix=".yaml")
@example(data=b"\xef\xbb\xbftheorem: a/b", suffix=".yaml")
def test_any_bytes(data: bytes, suffix: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"spec{suffix}"
        path.write_bytes(data)
        check(load_paths([path]))


@given(st.lists(st.sampled_from(WORDS), max_size=60).map("".join), SUFFIXES)
def test_words_of_the_language_in_any_order(text: str, suffix: str) -> None:
    check(load_text(text, "spec", suffix))


@given(st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join))
def test_statements_of_words_in_any_order(text: str) -> None:
    line = text.replace("\n", " ").replace("\x00", " ")
    head = "theorem: a/b\nsymbols: {x: real, n: dimension, A: 'normal(n, n)'}\nclaims:\n  c:\n"
    spec = f"{head}    says: |-\n      {line}\n"
    check(load_text(spec, "spec"))


@settings(max_examples=150)
@given(st.data())
def test_specs_with_slips(data: st.DataObject) -> None:
    """A good spec in which something is cut, doubled, moved or replaced."""
    text = data.draw(st.sampled_from(SPECS))
    for _ in range(data.draw(st.integers(1, 4))):
        at, end = sorted(data.draw(st.integers(0, len(text))) for _ in range(2))
        end = min(end, at + 40)
        piece = data.draw(st.sampled_from(["", text[at:end] * 2, *WORDS]) | st.text(max_size=5))
        text = text[:at] + piece + text[end:]
    check(load_text(text, "spec"))


@given(
    st.integers(1, 400),
    st.sampled_from(["(", "[", "{", "norm(", "-", "x**", "x+", "- ", "? ", "a: ", "'", "E(", "x["]),
)
def test_anything_repeated(count: int, piece: str) -> None:
    check(load_text(piece * count, "spec"))
    check(load_text(f"theorem: a/b\nclaims:\n  c:\n    says: |\n      {piece * count}\n", "spec"))
