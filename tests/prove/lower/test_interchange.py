"""Derivatives of means come before assumed values and substitutions."""

import pytest

from tests.prove.specs import judged

SYMBOLS = """
n: dimension
m: dimension
t: positive
a: positive
s: positive
X: matrix(n, m)
B: matrix(n, m)
W: normal(m, m)
V: normal(m, m)
U: normal(m, m, std=s)
"""
LET = """
A: softmax(t * X)
F: relu(t * X @ W)
T: tanh(t * X)
Q: abs(t * X)
Z: t * X @ W
G: relu(Z)
"""
UNIFORM = "uniform: A == ones(n, m) / m"
LINEAR = "linear: F == t * X @ W"
HALF = "half: T == ones(n, m) / 2"
ROOT = "root: t == sqrt(a)"
CHAIN = "first: t == s + 1\nsecond: s == a"

CASES = [
    # The slope of a softmax at the assumed rows, not that of the constant put in its place.
    (
        UNIFORM,
        "D(E(inner(A @ V, B @ V)), t) == inner(X, B) - inner(X @ ones(m), B @ ones(m)) / m",
        ["D(E(inner(A @ V, B @ V)), t) == 0", "D(E(inner(A @ V, B @ V)), t) == inner(X, B)"],
    ),
    (HALF, "D(E(inner(T @ V, B @ V)), t) == 3/4 * m * inner(X, B)", ["D(E(inner(T @ V, B @ V)), t) == 0"]),
    # relu(u) == u on the branch of slope 1.
    (LINEAR, "D(E(norm(F)**2), t) == 2 * t * m * norm(X)**2", ["D(E(norm(F)**2), t) == t * m * norm(X)**2"]),
    (LINEAR, "E(norm(D(F, X))**2) == t**2 * n * m**2", ["E(norm(D(F, X))**2) == t**2 * n * m**2 / 2"]),
    ("positive: Q == t * X", "D(norm(Q)**2, t) == 2 * t * norm(X)**2", ["D(norm(Q)**2, t) == 0"]),
    ("written-out: G == t * X @ W", "norm(D(G, Z))**2 == n * m", ["norm(D(G, Z))**2 == n * m / 2"]),
    ("named: F == Z", "norm(D(F, W))**2 == t**2 * m * norm(X)**2", ["norm(D(F, W))**2 == t**2 * norm(X)**2"]),
    # The rules of calculus around means.
    (LINEAR, "D(sqrt(E(norm(F)**2)), t) == sqrt(m) * norm(X)", ["D(sqrt(E(norm(F)**2)), t) == m * norm(X)"]),
    (
        LINEAR,
        "D(E(norm(F)**2) / E(norm(t * V)**2), t) == 0",
        ["D(E(norm(F)**2) / E(norm(V)**2), t) == 0", "D(E(norm(F)**2) * E(norm(t * V)**2), t) == 0"],
    ),
    (
        LINEAR,
        "D(Var(tr(F @ B.T)), t) == 2 * t * norm(X.T @ B)**2",
        ["D(Var(tr(F @ B.T)), t) == t * norm(X.T @ B)**2"],
    ),
    # By the symbol that is replaced, and by one that only its value holds.
    (ROOT, "D(E(norm(t * V)**2), t) == 2 * m**2 * sqrt(a)", ["D(E(norm(t * V)**2), t) == m**2"]),
    (ROOT, "D(E(norm(t * V)**2), a) == 0", ["D(E(norm(t * V)**2), a) == m**2"]),
    # A parameter of a law moves the law, and nothing that is drawn.
    (UNIFORM, "D(E(norm(A @ U)**2), s) == 2 * s * n", ["D(E(norm(A @ U)**2), s) == 0"]),
    ("scale: s == 2*t", "D(E(norm(U)**2), t) == 0", ["D(E(norm(U)**2), t) == 8*t*m**2"]),
    ("scale: s == 2*t", "D(E(norm(t*U)**2), t) == 8*t**3*m**2", ["D(E(norm(t*U)**2), t) == 16*t**3*m**2"]),
    (CHAIN, "D(E(norm(t * V)**2), a) == 0", ["D(E(norm(t * V)**2), a) == 2 * m**2 * (a + 1)"]),
]


@pytest.mark.parametrize(("assume", "true"), [(assume, true) for assume, true, _ in CASES])
def test_the_derivative_is_taken_first(assume: str, true: str) -> None:
    found = judged(true, SYMBOLS, LET, assume)
    assert (found.truth, found.grade) == ("true", "proved"), found


@pytest.mark.parametrize(
    ("assume", "false"), [(assume, false) for assume, _, siblings in CASES for false in siblings]
)
def test_other_derivatives_are_refuted(assume: str, false: str) -> None:
    found = judged(false, SYMBOLS, LET, assume)
    assert found.truth == "false", found


def test_what_a_value_does_not_determine_is_left_open() -> None:
    twice = "twice: F == 2 * t * X @ W"
    for says in ("D(E(norm(F)**2), t) == 8 * t * m * norm(X)**2", "D(E(norm(F)**2), t) == 0"):
        assert judged(says, SYMBOLS, LET, twice).truth == "unknown"
