"""MathML: well formed, escaped, MathML Core only, and a formula keeps its value."""

from xml.etree import ElementTree

import pytest
from hypothesis import assume, given, settings

from tests.expr.arithmetic import UndefinedError, formulas, read, value
from tests.expr.catalogue import EVERYTHING, HOSTILE, SQUARE, A, X, a, one, size
from verifier.expr import nodes as N
from verifier.expr.mathml import NAMESPACE, to_mathml, to_mathml_pieces

CORE = {"math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt"}
CORE |= {"msub", "msup", "msubsup", "munder", "mover", "munderover"}
ATTRIBUTES = {"mathvariant", "fence", "form", "stretchy", "lspace", "rspace"}
SIGNS = {"\u2062": "*", "⋅": "*", "−": "-"}


def tag(element: ElementTree.Element) -> str:
    return element.tag.removeprefix(f"{{{NAMESPACE}}}")


def as_language(element: ElementTree.Element) -> str:
    """Scalar arithmetic in the claim language again, as an eye would read it: only a fraction bar,
    a raised exponent and visible parentheses group."""
    parts = [as_language(child) for child in element]
    match tag(element):
        case "mfrac":
            return f"(({parts[0]})/({parts[1]}))"
        case "msup":
            return f"{parts[0]}**({parts[1]})"
        case "munderover":
            return "3*"
        case "mi" | "mn" | "mo":
            return SIGNS.get(element.text or "", element.text or "")
    return "".join(parts)


@pytest.mark.parametrize("item", EVERYTHING, ids=lambda item: type(item).__name__)
def test_everything_is_mathml_core(item: N.Node) -> None:
    root = ElementTree.fromstring(to_mathml(item))
    assert {tag(element) for element in root.iter()} <= CORE
    counts = {"mfrac": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2, "msubsup": 3, "munderover": 3}
    for element in root.iter():
        assert len(element) == counts.get(tag(element), len(element))
        assert tag(element) not in ("mi", "mn", "mo", "mtext") or element.text


@settings(max_examples=300, deadline=None)
@given(formulas)
def test_parentheses_keep_the_value(formula: N.Node) -> None:
    try:
        expected = value(formula)
    except UndefinedError:
        assume(False)
    assert value(read(as_language(ElementTree.fromstring(to_mathml(formula))))) == expected


@settings(max_examples=100, deadline=None)
@given(formulas)
def test_pieces_read_one_after_the_other_are_the_formula(formula: N.Node) -> None:
    try:
        expected = value(formula)
    except UndefinedError:
        assume(False)
    pieces = [as_language(ElementTree.fromstring(piece)) for piece in to_mathml_pieces(formula)]
    assert value(read("".join(pieces))) == expected


@pytest.mark.parametrize("item", EVERYTHING, ids=lambda item: type(item).__name__)
def test_every_piece_is_well_formed(item: N.Node) -> None:
    for piece in to_mathml_pieces(item):
        assert {tag(element) for element in ElementTree.fromstring(piece).iter()} <= CORE


def test_lines_may_break_at_sides_and_terms() -> None:
    assert len(to_mathml_pieces(N.Relation("==", N.Add(a, size), N.Subtract(a, N.Add(a, size))))) == 4


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_text_and_nothing_else(name: str) -> None:
    for node in (N.Symbol(name), N.Symbol("x_" + name), N.Member(name, SQUARE, one), N.Index(name)):
        root = ElementTree.fromstring(to_mathml(node))
        assert {tag(element) for element in root.iter()} <= CORE
        assert {name for element in root.iter() for name in element.attrib} <= ATTRIBUTES


def test_exact_output() -> None:
    assert (
        to_mathml(N.Divide(a, size))
        == f'<math xmlns="{NAMESPACE}"><mfrac><mi>a</mi><mi>n</mi></mfrac></math>'
    )
    assert 'display="block"' in to_mathml(a, display=True)
    assert '<mover accent="true"><mi>x</mi><mo>¯</mo></mover>' in to_mathml(N.Let("xbar", a))
    jacobian = to_mathml(N.Derivative(X, A))
    assert '<mfrac><mrow><mi mathvariant="normal">∂</mi><mi>X</mi></mrow>' in jacobian


def test_words_keep_the_blanks_around_them() -> None:
    every = N.ForAll(N.Relation("<=", N.Index("i"), one), (N.Range("i", one, one),))
    (words,) = (
        element.text for element in ElementTree.fromstring(to_mathml(every)).iter() if tag(element) == "mtext"
    )
    assert words == "\N{NO-BREAK SPACE}for\N{NO-BREAK SPACE}all\N{NO-BREAK SPACE}"
