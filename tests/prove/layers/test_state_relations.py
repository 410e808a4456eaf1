"""States after many layers without a recursion, and the traps in taking a state for any matrix."""

import pytest

from tests.prove.scalars.helpers import BUDGET, claim
from verifier.prove.engine import examine

LAYERS = """
layers:
  state: X
  depth: L
  symbols:
    V: normal(d, d, std=1/sqrt(d))
  next: X + t * (X @ V)
"""
S = {"n": "dimension", "d": "dimension", "L": "dimension", "t": "real", "X": "matrix(n, d)"}


@pytest.mark.parametrize(
    ("says", "assume", "expected"),
    [
        ("after(X, L) == X", ("t == 0",), "true"),
        ("norm(after(X, L)) == norm(X)", ("t == 0",), "true"),
        ("norm(after(X, L)) == 2*norm(X)", ("t == 0",), "false"),
        (
            "norm(after(X, L).T @ ones(n))**2"
            " == sum(inner(after(X, L)[k], after(X, L)[m]), k, 1, n, m, 1, n)",
            (),
            "true",
        ),
        ("norm(after(X, L).T @ ones(n))**2 <= n*norm(after(X, L))**2", (), "true"),
        # True of every fixed matrix, and false of a random one.
        ("E(norm(after(X, L))**2)**2 == E(norm(after(X, L))**4)", (), "false"),
        ("Var(after(X, L)[1, 1]) == 0", (), "false"),
        ("D(E(norm(after(X, L))**2), t) == 0", (), "false"),
    ],
)
def test_states(says, assume, expected):
    made = claim(says, S, assume, LAYERS)
    found = examine(made, made.steps[0], BUDGET)
    assert found.truth == expected, (found.reason, found.missing)
