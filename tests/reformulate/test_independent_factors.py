"""Means of products of independent factors, and of those that are not."""

import pytest

from tests.prove.specs import claim
from verifier.expr import nodes as N
from verifier.expr.text import to_text
from verifier.reformulate.independent_factors import alike, factored
from verifier.reformulate.known_forms import plainly

SYMBOLS = """
n: dimension
m: dimension
c: real
x: vector(n)
M: matrix(n, n)
e: rademacher(n)
W: normal(n, n)
V: normal(n, n, mean=M)
R: normal(n, n, row_corr=1/2)
Z: random(n)
"""


def plain(left: str) -> str:
    made = claim(f"{left} == c", SYMBOLS)
    fact = plainly(made, made.steps[0].fact)  # type: ignore[arg-type]
    assert isinstance(fact, N.Relation)
    return to_text(fact.left)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("E(prod(W[i, i]**2, i, 1, n))", "E(W[1, 1]**2)**n"),
        ("E(prod(norm(W[i])**2, i, 1, n))", "E(norm(W[1])**2)**n"),
        ("E(prod(V[i, i]**2, i, 1, n))", "prod(E(V[i, i]**2), i, 1, n)"),
        ("E(prod(x[i] + W[i, 1], i, 1, n))", "prod(E(x[i] + W[i, 1]), i, 1, n)"),
        ("E(exp(c*inner(ones(n), e)))", "(1/2*exp(c*(1*1)) + 1/2*exp(c*(1*-1)))**n"),
        ("E(2**inner(ones(n), e))", "(1/2*2**(1*1) + 1/2*2**(1*-1))**n"),
        ("E(prod(W[i, i]**2, i, 1, n - 1))", "E(W[1, 1]**2)**(n - 1)"),
        ("E(prod(W[i, i]**2, i, 1, n - 2))", "prod(E(W[i, i]**2), i, 1, n - 2)"),  # no factors at n = 1
        ("E(2**inner(x, W @ x))", "E(exp(inner(x, W @ x)*log(2)))"),
        ("E(exp(-x.T @ e))", "prod(1/2*exp(-(x[entry_]*1)) + 1/2*exp(-(x[entry_]*-1)), entry_, 1, n)"),
    ],
)
def test_independent_factors(left: str, right: str) -> None:
    assert plain(left) == right


@pytest.mark.parametrize(
    "left",
    [
        "E(prod(W[i, 1]*W[1, i], i, 1, n))",  # the factor of 1 sees what others see
        "E(prod(W[1, 1]**2, i, 1, n))",
        "E(prod(R[i, 1], i, 1, n))",
        "E(prod(Z[i], i, 1, n))",
        "E(prod(W[i, 1]*norm(W), i, 1, n))",
        "E(exp(inner(x, e)*e[1]))",
        "E(c**inner(x, e))",  # c may be negative
        "E(exp(inner(x, W @ x)))",  # normal, which has closed forms of its own
    ],
)
def test_what_depends_on_each_other_stays(left: str) -> None:
    assert plain(left) == to_text(claim(f"{left} == c", SYMBOLS).steps[0].fact.left)  # type: ignore[union-attr]


def test_factors_of_one_law() -> None:
    for body, same in (("W[i, i]", True), ("W[i, i]*x[i]", False), ("i*W[i, 1]", False), ("V[i, 1]", False)):
        made = claim(f"E(prod({body}, i, 1, n)) == c", SYMBOLS)
        product = factored(made, made.steps[0].fact.left.body)  # type: ignore[union-attr]
        assert product is not None
        assert (alike(made, product) is not None) == same
