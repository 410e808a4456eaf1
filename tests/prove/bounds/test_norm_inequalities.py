"""Every bound of a norm or a derivative is at least the value, at random points."""

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

from tests.prove.scalars.helpers import claim
from verifier.prove.blocks.block_numbers import FLOATS
from verifier.prove.blocks.block_patterns import SHAPES, Pattern
from verifier.prove.blocks.block_points import Point
from verifier.prove.bounds.norm_inequalities import Ceilings
from verifier.prove.forms.refusal import Refusal

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
    "tanh(X[1]) @ tanh(G[1]).T",
    "norm(tanh(X[1, 1]) + G)",
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


@pytest.mark.parametrize(
    "says",
    [
        "norm(D(t * E(norm(V)**2), s))",  # through the law
        "norm(D(sum(sin(t), k, 0, n), t))",  # n + 1 terms
        "sup(norm(X), X)",
    ],
)
def test_what_moves_unseen_is_refused(says):
    symbols = {**SYMBOLS, "s": "positive", "t": "real", "V": "normal(n, std=s)"}
    made = claim(f"{says} <= 1", symbols)
    with pytest.raises(Refusal):
        Ceilings(made).scalar(made.steps[0].fact.left)


def test_a_number_beside_a_matrix_moves_every_entry():
    made = claim("norm(D(t + X, t)) <= 1", {**SYMBOLS, "t": "real"})
    bound = Ceilings(made).scalar(made.steps[0].fact.left)
    assert bound.subs({symbol: SIZES[symbol.name] for symbol in bound.free_symbols}) == sp.sqrt(15)


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


WEIGHTS = {"n": "dimension", "z": "vector(n)", "a": "simplex(n)"}
ROW = "let:\n  s: softmax(z.T)\n  J: D(s, z)"


@pytest.mark.parametrize(
    ("says", "fact", "bound"),
    [
        ("norm(J)", "all(a[k] <= 1e-2, k, 2, n)", sp.sqrt(sp.Rational(726, 10_000))),
        ("norm(J, 2)", "all(a[k] <= 1e-2, k, 2, n)", sp.sqrt(sp.Rational(726, 10_000))),
        ("norm(J)", "all(a[k] <= 1e-2, k, 3, n)", sp.Rational(1, 2)),  # two weights may be large
        ("norm(J)", "all(a[k] <= 1, k, 2, n)", sp.Rational(1, 2)),
    ],
)
def test_a_softmax_beside_one_large_weight(says, fact, bound):
    made = claim(f"{says} <= 1", WEIGHTS, ("s == a.T", fact), rest=ROW)
    assert Ceilings(made).scalar(made.steps[0].fact.left) == bound


def test_the_bound_beside_one_large_weight_is_a_bound():
    rng = np.random.default_rng(0)
    for _ in range(300):
        e, peak = rng.uniform(0, 0.5), rng.uniform(0, 1)
        few = int(np.ceil((1 - peak) / e)) + rng.integers(0, 3)
        rest = np.full(few, (1 - peak) / few) if rng.random() < 0.5 else _greedy(1 - peak, e)
        p = np.concatenate([[peak], rest])
        assert max(rest) <= e + 1e-12
        assert np.linalg.norm(np.diag(p) - np.outer(p, p)) ** 2 <= 1 / 16 + e + e**2


def _greedy(total, most):
    """As many of the largest weights as there is room for."""
    whole = int(total // most)
    return np.array([most] * whole + [total - whole * most])


@pytest.mark.parametrize(
    ("assumed", "bound"),
    [
        (["all(X[i, j] <= 2, i, 1, n, j, 1, d)"], None),  # entries of -5 are allowed
        (["all(X[i, j] <= 2, i, 1, n, j, 1, d)", "all(X[i, j] >= -5, i, 1, n, j, 1, d)"], None),
        (["all(X[i, j] == -3, i, 1, n, j, 1, d)"], None),
        (["all(X[i, j] <= 2, i, 1, n, j, 1, d)", "all(X[i, j] >= 0, i, 1, n, j, 1, d)"], 2),
        (["all(abs(X[i, j]) <= 2, i, 1, n, j, 1, d)"], 2),
    ],
)
def test_entries_are_bounded_from_both_sides(assumed, bound):
    rest = "assumptions:\n" + "\n".join(f"  a{k}: {text}" for k, text in enumerate(assumed))
    made = claim("norm(X * G) <= 1", SYMBOLS, rest=rest)
    found = Ceilings(made).scalar(made.steps[0].fact.left)
    norms = [sp.Symbol(f"norm({name})", positive=True) for name in ("X", "G")]
    assert sp.simplify(found - (norms[0] if bound is None else bound) * norms[1]) == 0
