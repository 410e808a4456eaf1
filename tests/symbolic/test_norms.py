"""Every bound of a norm or a derivative is at least the value, at random points."""

from fractions import Fraction

import pytest

from tests.symbolic.scalar.helpers import claim
from verifier.symbolic.blocks.fields import FLOATS
from verifier.symbolic.blocks.patterns import SHAPES, Pattern
from verifier.symbolic.blocks.points import Point
from verifier.symbolic.norms import Ceilings
from verifier.symbolic.refusal import Refusal

SYMBOLS = {"n": "dimension", "d": "dimension", "X": "matrix(n, d)", "W": "matrix(d, d)", "G": "matrix(n, d)"}
SIZES = {"n": 3, "d": 5}
LETS = "let:\n  Q: X @ W\n  A: softmax(Q @ X.T / sqrt(d))"
BOUNDED = [
    "norm(X @ W)",
    "norm(X @ W, 2)",
    "norm(X * X - 2 * G)",
    "norm(gelu(X) + tanh(G))",
    "norm(erf(3 * X))",
    "norm(softmax(X))",
    "norm(A @ X @ W)",
    "norm(rmsnorm(X + 0.1 * G))",
    "abs(A[1, 2])",
    "norm(D(inner(G, gelu(Q)), Q))",
    "norm(D(inner(G, silu(X @ W)), W))",
    "norm(D(inner(G, A @ X), Q))",
    "norm(D(inner(G, A @ X @ W), W))",
    "norm(D(softmax(X), X))",
    "norm(D(inner(G, sigmoid(X) * X), X))",
    "inner(G, X)",
]


@pytest.mark.parametrize("says", BOUNDED)
def test_bounds_are_bounds(says):
    made = claim(f"{says} <= 1", SYMBOLS, rest=LETS)
    left = made.steps[0].fact.left
    ceilings = Ceilings(made)
    bound = ceilings.scalar(left)
    names = list(SHAPES)
    checked = 0
    for k in range(12):
        grids = [SHAPES[names[(k * step + step) % len(names)]] for step in (1, 2, 3)]
        choices = {
            name: Pattern(
                "", tuple(tuple(Fraction(v) for v in row) for row in grid), factor=Fraction(k + 1, 4)
            )
            for name, grid in zip(("X", "W", "G"), grids, strict=True)
        }
        at = Point(made, SIZES, choices).at(FLOATS)
        try:
            value = abs(float(at.scalar(left)))
        except (Refusal, ZeroDivisionError):
            continue
        values = {symbol: at.scalar(node) for symbol, node in ceilings.atoms.items()}
        sizes = {
            symbol: {"n": 3, "d": 5}[symbol.name] for symbol in bound.free_symbols if symbol not in values
        }
        assert value <= float(bound.subs({**values, **sizes})) * (1 + 1e-9) + 1e-9, (says, bound, k)
        checked += 1
    assert checked >= 3


def test_what_is_not_bounded_is_refused():
    for says in ("norm(exp(X))", "1 / norm(X + G)", "norm(D(inner(G, X / norm(W)), W))"):
        made = claim(f"{says} <= 1", SYMBOLS)
        with pytest.raises(Refusal):
            Ceilings(made).scalar(made.steps[0].fact.left)


def test_an_assumption_about_some_members_or_indices_is_not_about_all():
    symbols = {"n": "dimension", "a": "simplex(n)", "i": "index(n)", "X": "matrix(n, n)"}
    for fact, says in (("all(a[k] <= 1e-2, k, 2, n)", "a[i]"), ("all(norm(X[k]) <= 1, k, 2, n)", "norm(X)")):
        made = claim(f"{says} <= 1", symbols, (fact,))
        bound = Ceilings(made).scalar(made.steps[0].fact.left)
        assert bound == 1 or str(bound) == "norm(X)"
