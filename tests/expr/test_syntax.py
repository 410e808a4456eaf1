"""Precedence is Python's; errors stand where the slip is."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.expr import syntax as S
from verifier.expr.errors import ExprError
from verifier.expr.syntax import parse

OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.MatMult: "@", ast.Pow: "**"}


def shape_of(tree: S.Syntax) -> object:
    """Nested tuples, to compare with Python's own parser."""
    match tree:
        case S.Literal(_, text) | S.Name(_, text):
            return text
        case S.Unary(_, op, arg):
            return (op, shape_of(arg))
        case S.Binary(_, op, left, right):
            return (op, shape_of(left), shape_of(right))
        case S.Transposed(_, arg):
            return ("T", shape_of(arg))
    raise AssertionError(tree)


def python_shape(tree: ast.expr) -> object:
    match tree:
        case ast.Constant(value):
            return str(value)
        case ast.Name(name):
            return name
        case ast.UnaryOp(ast.USub(), arg):
            return ("-", python_shape(arg))
        case ast.BinOp(left, op, right):
            return (OPERATORS[type(op)], python_shape(left), python_shape(right))
        case ast.Attribute(arg, "T"):
            return ("T", python_shape(arg))
    raise AssertionError(tree)


atoms = st.sampled_from(["a", "b", "2", "X.T", "(a)", "-b", "(-2)"])


@given(
    st.lists(st.tuples(atoms, st.sampled_from(["+", "-", "*", "/", "@", "**"])), min_size=1, max_size=7),
    atoms,
)
def test_precedence_is_pythons(parts: list[tuple[str, str]], last: str) -> None:
    text = "".join(f"{atom} {op} " for atom, op in parts) + last
    assert shape_of(parse(text)) == python_shape(ast.parse(text, mode="eval").body)


@pytest.mark.parametrize(
    ("text", "start", "hint"),
    [
        ("a b", 2, "operator is missing"),
        ("x ^ 2", 2, "**"),
        ("norm(x", 6, None),
        ("a <= b <= c", 7, "steps"),
        ("a = b", 2, "=="),
        ("x.shape", 2, ".T"),
        ("x'", 1, ".T"),
        ("x in 3", 5, None),
        ("x in [1, 2, 3]", 5, None),
        ("", 0, None),
        ("\\frac{1}{2}", 0, "LaTeX"),
        ("norm(std=1, x)", 12, None),
    ],
)
def test_errors_point_at_the_slip(text: str, start: int, hint: str | None) -> None:
    with pytest.raises(ExprError) as caught:
        parse(text)
    assert caught.value.span.start == start
    assert hint is None or hint in (caught.value.hint or "")


@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000,
        "(" * 5_000 + "x" + ")" * 5_000,
        "-" * 10_000 + "x",
        "2" + "**2" * 5_000,
        "x" + "+x" * 5_000,
        "f(" * 3_000 + ")" * 3_000,
        "x" * 1_000_000,
        "9" * 1_000,
        "1e999999999",
        "x" + ".T" * 5_000,
        "x" + "[1]" * 5_000,
    ],
)
def test_huge_input_is_refused(text: str) -> None:
    with pytest.raises(ExprError) as caught:
        parse(text)
    assert caught.value.code in ("too-long", "too-deep")


@given(st.text(max_size=60))
def test_any_text_parses_or_is_refused_with_a_place(text: str) -> None:
    try:
        parse(text)
    except ExprError as error:
        assert 0 <= error.span.start <= len(text) + 1


@given(st.lists(st.sampled_from([*"()[],.+-*/@<>=", "**", "==", "in", "x", "E", "1", "T", " "]), max_size=25))
def test_any_tokens_parse_or_are_refused(parts: list[str]) -> None:
    try:
        parse(" ".join(parts))
    except ExprError as error:
        assert error.message
