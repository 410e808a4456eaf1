"""Terminal text: every node has one line, and a line keeps the value."""

import re

import pytest
from hypothesis import assume, given, settings

from tests.expr.arithmetic import UndefinedError, formulas, read, value
from tests.expr.catalogue import EVERYTHING, HOSTILE, SQUARE, A, B, X, a, b, i, one, over_i, size, two, x
from verifier.expr import nodes as N
from verifier.expr.unicode import to_unicode

RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-", strict=True))


def as_language(text: str) -> str:
    """A line of scalar arithmetic in the claim language again, as an eye would read it."""
    text = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+", lambda run: "**" + "".join(RAISED[mark] for mark in run[0]), text)
    text = re.sub(r"Σ_\{k=1\.\.3\} ", "3*", text)  # the eye reads the products that follow into the sum
    return text.replace("·", "*").replace("−", "-").replace("^", "**")


@pytest.mark.parametrize("item", EVERYTHING, ids=lambda item: type(item).__name__)
def test_everything_is_one_visible_line(item: N.Node) -> None:
    text = to_unicode(item)
    assert text.strip()
    assert text.isprintable()
    for left, right in (("([", ")]"), ("{", "}"), ("⟨", "⟩")):  # [1, ∞) is a pair too
        assert sum(map(text.count, left)) == sum(map(text.count, right))


@settings(max_examples=300, deadline=None)
@given(formulas)
def test_parentheses_keep_the_value(formula: N.Node) -> None:
    try:
        expected = value(formula)
    except UndefinedError:
        assume(False)
    assert value(read(as_language(to_unicode(formula)))) == expected


@pytest.mark.parametrize("name", HOSTILE)
def test_control_characters_never_reach_the_terminal(name: str) -> None:
    assert to_unicode(N.Symbol(name)).isprintable()
    assert to_unicode(N.Member(name, SQUARE, one)).isprintable()


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (N.Divide(N.Multiply(a, b), N.Multiply(a, two)), "a·σ_q/(a·2)"),
        (N.Multiply(N.Divide(a, b), size), "(a/σ_q)·n"),
        (N.Divide(N.Divide(a, b), size), "(a/σ_q)/n"),
        (N.Subtract(a, N.Subtract(b, a)), "a − (σ_q − a)"),
        (N.Power(N.Negate(a), two), "(−a)²"),
        (N.Negate(N.Power(a, two)), "−a²"),
        (N.Power(a, N.Add(b, one)), "a^(σ_q + 1)"),
        (N.Power(N.Power(a, two), b), "(a²)^σ_q"),
        (N.MatMul(N.Multiply(A, B), X), "(A ⊙ B) X"),
        (N.Multiply(N.MatMul(A, B), A), "(A B) ⊙ A"),
        (N.Power(A, two), "A^∘2"),
        (N.MatPower(A, two), "A²"),
        (N.Kron(N.MatMul(A, B), A), "(A B) ⊗ A"),
        (N.Apply("sqrt", (N.Multiply(a, b),)), "√(a·σ_q)"),
        (N.Power(N.Apply("sqrt", (a,)), two), "(√a)²"),
        (N.Transpose(N.MatMul(A, X)), "(A X)ᵀ"),
        (N.Power(N.Norm(X), two), "‖X‖_F²"),
        (N.Power(N.Norm(x), two), "‖x‖²"),
        (N.Norm(N.Symbol("W_V", SQUARE), "2"), "‖W_V‖_2"),
        (N.Expectation(N.Power(N.Norm(N.Derivative(X, A)), two)), "𝔼[‖∂X/∂A‖_F²]"),
        (N.Derivative(N.MatMul(A, X), X), "∂(A X)/∂X"),
        (N.Divide(N.Sum(N.Entry(x, i, one), (over_i,)), size), "(Σ_{i=1..n} x[i])/n"),
        (N.Multiply(two, N.Sum(N.Entry(x, i, one), (over_i,))), "2·Σ_{i=1..n} x[i]"),
        (N.Multiply(N.Product(N.Entry(x, i, one), (over_i,)), two), "(∏_{i=1..n} x[i])·2"),
        (N.Apply("binomial", (size, two)), "binomial(n, 2)"),
        (N.Power(N.Apply("factorial", (size,)), two), "(n!)²"),
        (N.After(X, N.Symbol("L")), "X^(L)"),
        (N.Limit(N.Power(a, size), size, N.Infinity()), "lim_{n→∞} aⁿ"),
        (N.Let("xbar", a), "x̄"),
    ],
)
def test_exact_lines(node: N.Node, text: str) -> None:
    assert to_unicode(node) == text
