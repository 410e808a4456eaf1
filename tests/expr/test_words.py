"""Plain English: every node, fact and kind of symbol can be read aloud."""

import pytest

from tests.expr.catalogue import FACTS, KINDS, NODES, WIDE, A, X, a, b, i, one, over_i, size, two, x
from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.dims import Dim
from verifier.expr.words import describe, say, say_fact


@pytest.mark.parametrize("node", NODES.values(), ids=lambda node: type(node).__name__)
def test_every_node_is_said(node: N.Node) -> None:
    assert say(node).strip()


@pytest.mark.parametrize("fact", FACTS.values(), ids=lambda fact: type(fact).__name__)
def test_every_fact_is_said(fact: N.Fact) -> None:
    assert say_fact(fact).strip()


@pytest.mark.parametrize("symbol", KINDS.values(), ids=lambda symbol: type(symbol.kind).__name__)
def test_every_kind_of_symbol_is_described(symbol: K.Declared) -> None:
    assert describe(symbol).startswith(("any ", "a "))


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (N.Expectation(N.Power(N.Norm(X), two)), "the expected squared Frobenius norm of X"),
        (N.Expectation(N.Multiply(a, b)), "the expected value of a·σ_q"),
        (N.Expectation(a, (X,)), "the expected value of a, given X"),
        (N.Norm(N.Derivative(X, A)), "the Frobenius norm of the Jacobian of X with respect to A"),
        (N.Norm(A, "2"), "the spectral norm of A"),
        (N.Norm(x, "oo"), "the largest absolute entry of x"),
        (N.Limit(a, size, N.Infinity()), "the limit, as n goes to infinity, of a"),
        (N.Extreme("inf", a, (X,)), "the infimum of a over every X"),
        (N.Sum(N.Entry(x, i, one), (over_i,)), "the sum of x[i] over i from 1 to n"),
        (N.Add(a, b), "a + σ_q"),
        (N.Hafnian(A), "the sum over all pairings of the indices of A"),
        (N.Called("f", X), "the value of f at X"),
        (
            N.SubsetSum(N.Entry(x, i, one), over_i, two),
            "the sum, over every set of 2 indices i from 1 to n, of the products of x[i]",
        ),
    ],
)
def test_nouns(node: N.Node, text: str) -> None:
    assert say(node) == text


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        (N.Relation("==", N.Trace(A), size), "the trace of A equals n"),
        (N.Relation("==", X, X), "X equals, entry by entry, X"),
        (N.Relation("<=", a, N.Growth("O", size)), "a grows at most as fast as n"),
        (N.Relation("==", a, N.Growth("Theta", size)), "a grows exactly as fast as n"),
        (N.Relation("==", a, N.Order(-2, -2)), "a is of order 10⁻²"),
        (N.Relation("<=", a, N.Order(-3, -2)), "a is at most of an order between 10⁻³ and 10⁻²"),
        (N.Within(a, one, b), "a is between 1 and σ_q, ends included"),
    ],
)
def test_statements(fact: N.Fact, text: str) -> None:
    assert say_fact(fact) == text


def test_descriptions() -> None:
    weights = K.Declared("W", K.Normal(N.Number(one.value * 0), b), WIDE)
    assert describe(weights) == (
        "a random n-by-d_v matrix: independent entries, each normal with mean 0 and standard deviation σ_q"
    )
    noise = K.Declared("e", K.AnyLaw(None), N.Symbol("e", x.shape).shape, Dim.of("T"))
    assert "independent" not in describe(noise)
