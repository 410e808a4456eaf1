"""Quantities that a free matrix makes as large as one likes, and others that it does not."""

from dataclasses import replace

import pytest

from tests.prove.specs import claim
from verifier.evidence import Budget, Finding
from verifier.expr.nodes import Symbol
from verifier.prove.engine import examine

SYMBOLS = """
n: dimension
d: dimension
x: vector(d)
X: matrix(n, d)
W: matrix(d, d)
G: matrix(n, d)
"""
LET = """
A: softmax(X @ W @ X.T)
loss: inner(G, A @ X)
"""


def said(says: str, assume: str, growing: tuple[str, ...] = ()) -> Finding:
    made = claim(says, SYMBOLS, LET, assume)
    made = replace(made, growing=tuple(map(Symbol, growing)))
    return examine(made, made.steps[0], Budget(seconds=10))


UNIT_X, UNIT_G, SMALL_W = "tokens: all(norm(X[i]) == 1, i, 1, n)", "g: norm(G) == 1", "w: norm(W, 2) <= 1"


@pytest.mark.parametrize(
    ("says", "assume", "growing", "name"),
    [
        ("norm(G @ W) <= O(1)", SMALL_W, (), "G"),
        ("norm(G @ W) <= O(1)", UNIT_G, (), "W"),
        ("norm(G @ W)**2 <= O(n * d)", SMALL_W, (), "G"),
        ("sup(norm(D(loss, X))) <= O(1)", f"{UNIT_X}\n{SMALL_W}", ("d",), "G"),
        ("sup(norm(G @ W), G) <= O(d)", SMALL_W, ("d",), "G"),
    ],
)
def test_what_grows_with_a_free_matrix_has_no_bound(
    says: str, assume: str, growing: tuple[str, ...], name: str
) -> None:
    found = said(says, assume, growing)
    assert (found.truth, found.grade) == ("false", "proved"), found
    assert found.counterexample is not None
    values = found.counterexample.values
    assert str(values[name]).startswith("u times")
    ratios = found.counterexample.ratios
    assert list(ratios) == sorted(ratios)
    assert ratios[-1] > 10 * ratios[0]


@pytest.mark.parametrize(
    ("says", "assume", "growing"),
    [
        ("norm(G @ W) <= O(1)", f"{UNIT_G}\n{SMALL_W}", ()),
        ("-norm(G @ W) <= O(1)", SMALL_W, ()),
        ("norm(softmax(X)) <= O(sqrt(n))", "one: norm(x) == 1", ()),
        ("norm(tanh(X)) <= O(sqrt(n * d))", "one: norm(x) == 1", ()),
        ("norm(G @ W) <= O(norm(G))", SMALL_W, ()),
        ("norm(softmax(X) @ W) <= O(sqrt(n * d))", SMALL_W, ()),
        ("sup(norm(G @ W), W) <= O(norm(G))", SMALL_W, ("d",)),
    ],
)
def test_what_is_bounded_all_the_same_is_not_refuted(
    says: str, assume: str, growing: tuple[str, ...]
) -> None:
    assert said(says, assume, growing).truth != "false"
