"""Core terms as trees: what the language has no words for is refused, and nothing is shown of it."""

from fractions import Fraction

import pytest

from verifier.expr.dims import Dim
from verifier.expr.nodes import Symbol
from verifier.expr.text import to_text
from verifier.kernel.context import Context
from verifier.kernel.core import terms as T
from verifier.kernel.rejected import Rejected
from verifier.proofs.trees import Trees
from verifier.read.specs.load import load_text

SPEC = """
theorem: toy/trees
symbols: {n: dimension, m: dimension, x: real, i: real, A: "matrix(n, m)", v: vector(n), w: normal(n),
          z: normal(n)}
claims:
  one:
    says: x == x
"""


def tree(term: T.Term) -> str:
    (claim,) = load_text(SPEC, "toy.yaml").claims
    return to_text(Trees(Context(claim.symbols), claim.symbols.keys()).of(term))


def at(*names: str) -> tuple[Dim, ...]:
    return tuple(map(Dim.of, names))


X, N = T.Var("x"), Dim.of("n")
SUM = T.Sum("%1", Dim.of(1), N, T.Var("v", at("%1")))


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (T.Num(Fraction(-1, 2)), "-1/2"),
        (T.minus(X, T.number(3)), "x - 3"),
        (T.minus(T.number(-1), X), "-1 - x"),
        (T.plus(T.times(T.number(-2), X), T.power(X, 2)), "x**2 - 2*x"),
        (T.times(T.number(Fraction(3, 2)), X, T.inverse(T.Var("n"))), "3*x/(2*n)"),
        (T.power(T.power(X, Fraction(1, 2)), 2), "x"),
        (T.power(X, Fraction(3, 2)), "sqrt(x)**3"),
        (T.Var("A", at("%1", "%2")), "A[j, k]"),
        (T.Var("A", (Dim.of(2), N)), "A[2, n]"),
        (T.times(T.Var("i"), SUM), "i*sum(v[j], j, 1, n)"),
        (T.Sum("%2", Dim.of(2), N, SUM), "sum(v[k], j, 2, n, k, 1, n)"),
        (T.Delta(Dim.of("%2"), Dim.of("%1")), "indicator(j == k)"),
        (T.Fn("step", (X,)), "indicator(x > 0)"),
        (T.Fn("pi"), "pi"),
        (T.Mean(frozenset({"w", "z"}), T.Var("w", at("%1"))), "E(w[j])"),
        (
            T.Mean(frozenset({"w"}), T.times(T.Var("w", at("%1")), T.Var("z", at("%1")))),
            "E(w[j]*z[j], given=z)",
        ),
        (T.times(T.ZERO, T.Fn("log", (X,))), "0"),
        (T.plus(X, T.Times((T.ZERO, T.Fn("log", (X,))))), "x"),
    ],
)
def test_what_is_written(term: T.Term, text: str) -> None:
    assert tree(term) == text


@pytest.mark.parametrize(
    "term",
    [
        T.Var("unknown"),
        T.Var("x@", at("%1")),
        T.Fn("sign", (X,)),
        T.Call("f", Symbol("x"), at("%1")),
        T.Plus(tuple(T.power(X, k) for k in range(2, 500))),
        T.Times(tuple(T.Var("v", at(f"%{k}")) for k in range(60))),
    ],
)
def test_what_has_no_words_is_refused(term: T.Term) -> None:
    with pytest.raises(Rejected):
        tree(term)
