"""Degrees as polynomials in some symbols; what is no polynomial has none."""

import pytest

from tests.exact.helpers import claim as claim_of
from verifier.expr import nodes as N
from verifier.facts.degree import Degree, degree, is_linear

SYMBOLS = (
    "n: dimension; m: dimension; x: vector(n); A: matrix(m, n); g: normal(n); h: normal(n); "
    "G: normal(n, n); W: normal(n, n, copies=m); t: real; u: normal(1)"
)


def tree(text: str, lets: str = "") -> N.Node:
    fact = claim_of(f"{text} == 0*({text})", SYMBOLS, lets=lets).steps[0].fact
    assert isinstance(fact, N.Relation)
    return fact.left


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("x.T @ g", 1, 1),
        ("inner(A @ g, A @ h)", 2, 2),
        ("g + x", 0, 1),
        ("g + h", 1, 1),
        ("1 + norm(g)**2", 0, 2),
        ("norm(g + x)**4", 0, 4),
        ("(g.T @ G @ h)**2/t", 6, 6),
        ("sum(g[i]*h[i], i, 1, n)", 2, 2),
        ("tr(G.T @ G)", 2, 2),
        ("vec_r(W[1] @ x)", 1, 1),
        ("exp(t)*norm(x)*g", 1, 1),
        ("E(exp(t))*g", 1, 1),
        ("norm(x)**3", 0, 0),
        ("kron(g, h)", 2, 2),
        ("u**3 - u", 1, 3),
    ],
)
def test_polynomials(text: str, least: int, most: int) -> None:
    assert degree(tree(text), {"g", "h", "G", "W", "u"}) == Degree(least, most)


@pytest.mark.parametrize(
    "text",
    [
        "exp(u)",
        "norm(g)",
        "norm(g)**3",
        "1/u",
        "u**(-2)",
        "u**(1/2)",
        "u**n",
        "abs(u)",
        "2**u",
        "E(u**2)",
        "Var(u)",
        "max(u, 0)",
        "softmax(g.T)",
        "prod(g[i], i, 1, n)",
        "matpow(G, n)",
        "x*relu(u)",
    ],
)
def test_what_is_no_polynomial(text: str) -> None:
    assert degree(tree(text), {"g", "G", "u"}) is None


def test_in_some_symbols_and_not_in_others() -> None:
    both = tree("g.T @ G @ h")
    assert degree(both, {"g"}) == Degree(1, 1)
    assert degree(both, {"g", "G"}) == Degree(2, 2)
    assert degree(both, {"x"}) == Degree(0, 0)
    assert is_linear(tree("exp(u)*g"), {"g"})
    assert not is_linear(tree("exp(u)*g"), {"g", "u"})
    assert not is_linear(tree("g + x"), {"g"})


def test_a_name_is_what_it_stands_for() -> None:
    assert degree(tree("norm(v)**2", "v: G @ g"), {"g", "G"}) == Degree(4, 4)
