"""LaTeX: complete, balanced, escaped, and written as one would by hand."""

import re

import pytest

from tests.expr.catalogue import EVERYTHING, HOSTILE, SQUARE, A, X, a, b, i, j, one, over_i, size, two, x
from verifier.expr import nodes as N
from verifier.expr.latex import to_latex


def depth_stays_balanced(text: str) -> bool:
    """Braces that group (not the escaped ones that print) open before they close."""
    depth = 0
    for mark in re.findall(r"\\.|[{}]", text):
        depth += {"{": 1, "}": -1}.get(mark, 0)
        if depth < 0:
            return False
    return depth == 0


@pytest.mark.parametrize("item", EVERYTHING, ids=lambda item: type(item).__name__)
def test_everything_is_balanced_and_ascii(item: N.Node) -> None:
    text = to_latex(item)
    assert text.strip()
    assert text.isascii()
    assert depth_stays_balanced(text)
    assert text.count(r"\left") - text.count(r"\leftarrow") == text.count(r"\right")


@pytest.mark.parametrize("name", HOSTILE)
def test_names_cannot_issue_commands(name: str) -> None:
    text = to_latex(N.Add(N.Symbol(name), N.Symbol("a_" + name)))
    assert depth_stays_balanced(text)
    assert r"\end" not in text
    assert not re.search(r"(?<!\\)[$&#%]", text)


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (N.Symbol("sigma_q"), r"\sigma_{q}"),
        (N.Symbol("mass_j"), r"\mathit{mass}_{j}"),
        (N.Let("xbar", a), r"\bar{x}"),
        (N.Divide(a, b), r"\frac{a}{\sigma_{q}}"),
        (N.Power(b, two), r"\sigma_{q}^{2}"),
        (N.Power(N.Divide(a, b), two), r"\left( \frac{a}{\sigma_{q}} \right)^{2}"),
        (N.Multiply(two, N.Multiply(a, size)), r"2 \, a \, n"),
        (N.Multiply(a, two), r"a \cdot 2"),
        (N.Power(N.Norm(X), two), r"\left\| X \right\|_{\mathrm{F}}^{2}"),
        (N.Derivative(X, A), r"\frac{\partial X}{\partial A}"),
        (N.RowWise("softmax", X), r"\operatorname{softmax}\left( X \right)"),
        (N.Power(N.Entry(A, i, j), two), r"A_{i, j}^{2}"),
        (N.Entry(N.Symbol("W_V", SQUARE), i, j), r"\left[ W_{V} \right]_{i, j}"),
        (N.Sum(N.Entry(x, i, one), (over_i,)), r"\sum_{i = 1}^{n} x_{i}"),
        (N.Apply("binomial", (size, two)), r"\left( \genfrac{}{}{0pt}{}{n}{2} \right)"),
        (N.Number(one.value / 10**8), r"10^{- 8}"),
        (N.Hafnian(A), r"\operatorname{haf}\left( A \right)"),
        (N.Called("f", X), r"f\left( X \right)"),
    ],
)
def test_exact_output(node: N.Node, text: str) -> None:
    assert to_latex(node) == text


def test_relation() -> None:
    moment = N.Expectation(N.Power(N.Norm(x), two))
    assert to_latex(N.Relation("<=", moment, size)) == (
        r"\mathbb{E}\left[ \left\| x \right\|^{2} \right] \le n"
    )
