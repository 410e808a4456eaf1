"""Jacobians against their formulas, and against formulas that are almost theirs."""

import pytest

from tests.prove.specs import judged

LAYER = """
n: dimension
d: dimension
k: dimension
s: positive
r: positive
v: positive
c: real
X: matrix(n, d)
A: matrix(n, d)
B: matrix(d, k)
S: matrix(n, n)
a: simplex(n)
z: vector(n)
Q: normal(d, k, std=s)
K: normal(d, k, std=r)
V: normal(d, d, std=v)
H: normal(d, d, std=1, copies=3)
"""
LET = """
M: X @ Q @ K.T @ X.T / sqrt(k)
P: softmax(M)
Y: P @ X @ V
xbar: X.T @ ones(n) / n
C: X.T @ X - n * xbar @ xbar.T
"""
UNIFORM = "uniform: P == ones(n, n) / n"

JACOBIANS = [
    (
        "D(A @ B, B) == kron(A, eye(k))",
        ["D(A @ B, B) == -kron(A, eye(k))", "D(A @ B, B) == 2 * kron(A, eye(k))"],
    ),
    (
        "D(A @ B, A) == kron(eye(n), B.T)",
        ["D(A @ B, A) == kron(eye(n), B.T) / 2", "D(S @ S.T, S) == kron(S, eye(n))"],
    ),
    (
        "D(A @ A.T, A) == kron(eye(n), A) + commutation(n, n) @ kron(eye(n), A)",
        ["D(A @ A.T, A) == 2 * kron(eye(n), A)", "D(A @ A.T, A) == kron(eye(n), A)"],
    ),
    ("D(A.T, A) == commutation(d, n)", ["D(S.T, S) == eye(n * n)"]),
    ("D(norm(A)**2, A) == 2 * vec_r(A).T", ["D(norm(A)**2, A) == vec_r(A).T"]),
    ("D(norm(z), z) == z.T / norm(z)", ["D(norm(z), z) == z.T / norm(z)**2"]),
    ("D(A**3, A) == diag(vec_r(3 * A**2))", ["D(A**3, A) == diag(vec_r(3 * A))"]),
    ("D(tr(S @ S), S[1, 2]) == 2 * S[2, 1]", ["D(tr(S @ S), S[1, 2]) == 2 * S[1, 2]"]),
    (
        "D(matpow(S, 2), S) == kron(S, eye(n)) + kron(eye(n), S.T)",
        ["D(matpow(S, 2), S) == 2 * kron(S, eye(n))"],
    ),
    (
        "D(softmax(z.T), z) == diag(softmax(z.T).T) - softmax(z.T).T @ softmax(z.T)",
        [
            "D(softmax(z.T), z) == diag(softmax(z.T).T)",
            "D(softmax(z.T), z) == diag(softmax(z.T).T) + softmax(z.T).T @ softmax(z.T)",
        ],
    ),
    ("D(Y, P) == kron(eye(n), (X @ V).T)", ["D(Y, P) == kron(eye(n), (X @ V @ V).T)"]),
    ("D(c**3 * X, c) == vec_r(3 * c**2 * X)", ["D(c**3 * X, c) == vec_r(3 * c * X)"]),
    ("D(sqrt(1 + c**2), c) == c / sqrt(1 + c**2)", ["D(sqrt(1 + c**2), c) == 1 / sqrt(1 + c**2)"]),
    ("D(H[1] @ H[2], H[1]) == kron(eye(d), H[2].T)", ["D(H[1] @ H[2], H[1]) == kron(eye(d), H[1].T)"]),
    ("D(tanh(z), z) == diag(1 - tanh(z)**2)", ["D(tanh(z), z) == diag(1 - tanh(z))"]),
]


@pytest.mark.parametrize("true", [true for true, _ in JACOBIANS])
def test_jacobians_are_proved(true: str) -> None:
    found = judged(true, LAYER, LET)
    assert (found.truth, found.grade) == ("true", "proved"), found


@pytest.mark.parametrize("false", [false for _, siblings in JACOBIANS for false in siblings])
def test_wrong_jacobians_are_refuted(false: str) -> None:
    found = judged(false, LAYER, LET)
    assert found.truth == "false", found


GRADIENTS = [
    (
        "E(norm(D(Y, V))**2) == d * n * norm(xbar)**2",
        ["E(norm(D(Y, V))**2) == d * norm(xbar)**2", "E(norm(D(Y, V))**2) == n * norm(xbar)**2"],
    ),
    (
        "E(norm(D(Y, Q))**2) == v**2 * r**2 * d / n**2 * norm(X)**2 * norm(C)**2",
        [
            "E(norm(D(Y, Q))**2) == v**2 * r**2 * d / n * norm(X)**2 * norm(C)**2",
            "E(norm(D(Y, Q))**2) == v**2 * s**2 * d / n**2 * norm(X)**2 * norm(C)**2",
            "E(norm(D(Y, Q))**2) == v**2 * r**2 * k / n**2 * norm(X)**2 * norm(C)**2",
            "E(norm(D(Y, Q))**2) == v**2 * r**2 * d / n**2 * norm(X)**2 * norm(X.T @ X)**2",
        ],
    ),
    (
        "D(P, M) == kron(eye(n) / n, eye(n) - ones(n, n) / n)",
        ["D(P, M) == kron(eye(n), eye(n) - ones(n, n) / n)"],
    ),
]


@pytest.mark.parametrize("true", [true for true, _ in GRADIENTS])
def test_gradients_at_an_assumed_value(true: str) -> None:
    found = judged(true, LAYER, LET, UNIFORM)
    assert (found.truth, found.grade) == ("true", "proved"), found


@pytest.mark.parametrize("false", [false for _, siblings in GRADIENTS for false in siblings])
def test_wrong_gradients_are_refuted(false: str) -> None:
    found = judged(false, LAYER, LET, UNIFORM)
    assert found.truth == "false", found
    assert found.corrected is not None


def test_derivatives_come_before_substitutions() -> None:
    collapsed = "collapse: X == ones(n) @ x.T"
    symbols = LAYER + "x: vector(d)\n"
    assert judged("D(norm(X)**2, x) == 0 * x.T", symbols, LET, collapsed).truth == "true"
    assert judged("D(norm(X)**2, X) == 2 * vec_r(ones(n) @ x.T).T", symbols, LET, collapsed).truth == "true"
    assert judged("norm(D(Y, Q))**2 == 0", symbols, LET, UNIFORM + "\n" + collapsed).truth == "true"


def test_entries_that_are_not_free_have_no_derivative_here() -> None:
    found = judged("D(sum(a[i], i, 1, n), a) == ones(n).T", LAYER)
    assert found.truth == "unknown"
