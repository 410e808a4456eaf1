"""Identities with their false siblings: a true one is proved, a false one never is."""

import pytest

from tests.prove.specs import judged

FIXED = """
n: dimension
m: dimension
p: dimension
s: real
A: matrix(n, m)
B: matrix(m, p)
C: matrix(n, m)
S: matrix(n, n)
x: vector(n)
y: vector(m)
i: index(n)
j: index(m)
"""

# The true statement, then what it must not be confused with.
IDENTITIES = [
    ("norm(A)**2 == tr(A.T @ A)", ["norm(A)**2 == tr(A @ A.T) / 2", "norm(A)**2 == n * tr(A.T @ A)"]),
    ("norm(A)**4 == tr(A @ A.T)**2", ["norm(A)**4 == tr(A @ A.T @ A @ A.T)"]),
    ("inner(A, C) == tr(A.T @ C)", ["inner(A, C) == tr(A.T @ A)", "inner(A, C) == -tr(A.T @ C)"]),
    ("(A @ B).T == B.T @ A.T", ["(A @ B).T == B.T @ C.T"]),
    ("(A + C) @ B == A @ B + C @ B", ["(A + C) @ B == A @ B - C @ B", "(A + C) @ B == A @ B"]),
    ("tr(A @ C.T) == tr(C.T @ A)", ["tr(A @ C.T) == tr(C @ C.T)"]),
    (
        "norm(A + C)**2 == norm(A)**2 + 2 * inner(A, C) + norm(C)**2",
        [
            "norm(A + C)**2 == norm(A)**2 + norm(C)**2",
            "norm(A + C)**2 == norm(A)**2 + inner(A, C) + norm(C)**2",
        ],
    ),
    (
        "norm(A * C)**2 == sum(A[k, l]**2 * C[k, l]**2, k, 1, n, l, 1, m)",
        [
            "norm(A * C)**2 == norm(A)**2 * norm(C)**2",
            "norm(A * C)**2 == sum(A[k, l] * C[k, l], k, 1, n, l, 1, m)**2",
        ],
    ),
    ("matpow(S, 3) == S @ S @ S", ["matpow(S, 3) == S @ S", "matpow(S, 2) == S**2"]),
    ("kron(A, B)[1, 1] == A[1, 1] * B[1, 1]", []),
    ("kron(A, B).T == kron(A.T, B.T)", ["kron(A, C) == kron(C, A)"]),
    (
        "kron(A, B) @ kron(A.T, B.T) == kron(A @ A.T, B @ B.T)",
        ["kron(A, C) @ kron(A.T, C.T) == kron(C @ C.T, A @ A.T)"],
    ),
    ("vec_r(A @ B) == kron(A, eye(p)) @ vec_r(B)", ["vec_r(S @ S) == kron(eye(n), S) @ vec_r(S)"]),
    ("commutation(n, m) @ vec_r(A.T) == vec_r(A)", ["commutation(n, n) @ vec_r(S) == vec_r(S)"]),
    ("tr(kron(S, S)) == tr(S)**2", ["tr(kron(S, S)) == n * tr(S)**2"]),
    ("diag(x) @ ones(n) == x", ["diag(x) @ ones(n) == ones(n)"]),
    ("diag(S) == (S * eye(n)) @ ones(n)", ["diag(S) == S @ ones(n)"]),
    (
        "sum(A[k, j], k, 1, n, k != i) == (ones(n).T @ A)[1, j] - A[i, j]",
        ["sum(A[k, j], k, 1, n, k != i) == (ones(n).T @ A)[1, j]"],
    ),
    ("sum(x[k], k, 2, n) == sum(x[k], k, 1, n) - x[1]", ["sum(x[k], k, 2, n) == sum(x[k], k, 1, n)"]),
    ("A[i] @ y == (A @ y)[i]", ["A[i] @ y == (A @ y)[1]"]),
    (
        "blockdiag(x[k] * S, k, 1, n) == kron(diag(x), S)",
        ["blockdiag(x[k] * S, k, 1, n) == kron(S, diag(x))"],
    ),
    ("norm(x)**2 / norm(x) == norm(x)", ["norm(x)**2 / norm(x) == 1", "norm(x)**3 / norm(x) == norm(x)"]),
    ("(s * x).T @ x / norm(x)**2 == s", ["(s * x).T @ x / norm(x)**2 == s**2"]),
    ("1 / (n + 1) + n / (n + 1) == 1", ["1 / (n + 1) + n / (n + 1) == 2", "1 / n + 1 / m == 2 / (n + m)"]),
    ("sqrt(n) * sqrt(m) == sqrt(n * m)", ["sqrt(n) + sqrt(m) == sqrt(n + m)"]),
    ("norm(eye(n))**2 == n", ["norm(eye(n))**2 == n**2", "norm(ones(n, m))**2 == n"]),
    ("ones(n, m) @ y == ones(n) * sum(y[k], k, 1, m)", ["ones(n, m) @ y == ones(n) * sum(x[k], k, 1, n)"]),
    ("softmax(S + x @ ones(n).T) == softmax(S)", ["softmax(S + ones(n) @ x.T) == softmax(S)"]),
    (
        "softmax(A)[i, j] == exp(A[i, j]) / sum(exp(A[i, l]), l, 1, m)",
        ["softmax(A)[i, j] == exp(A[i, j]) / sum(exp(A[l, j]), l, 1, n)"],
    ),
    (
        "sum((exp(A[r, j]) / sum(exp(A[r, l]), l, 1, m))**2, r, 1, n) == sum(softmax(A)[r, j]**2, r, 1, n)",
        ["sum((exp(A[r, j]) / sum(exp(A[r, l]), l, 1, m))**2, r, 1, n) == sum(softmax(A)[r, j], r, 1, n)"],
    ),
    ("softmax(A) @ ones(m) == ones(n)", ["softmax(A).T @ ones(n) == ones(m)"]),
    ("rmsnorm(A) @ ones(m) == rmsnorm(A) @ ones(m) / 2 * 2", ["rmsnorm(A) == A"]),
]


@pytest.mark.parametrize("true", [true for true, _ in IDENTITIES])
def test_identities_are_proved(true: str) -> None:
    found = judged(true, FIXED)
    assert (found.truth, found.grade) == ("true", "proved"), found


@pytest.mark.parametrize("false", [false for _, siblings in IDENTITIES for false in siblings])
def test_false_siblings_are_refuted(false: str) -> None:
    found = judged(false, FIXED)
    assert found.truth == "false", found
    assert found.counterexample is not None


RANDOM = """
n: dimension
d: dimension
k: dimension
sigma: positive
tau: positive
rho: interval(0, 1)
mu: real
L: matrix(n, n)
X: matrix(n, d)
C: psd(d)
W: normal(d, k, std=sigma)
V: normal(k, d, std=tau)
Z: normal(n, d, std=sigma, row_corr=rho)
M: normal(n, d, std=sigma, mean=mu)
g: normal(d, cov=C)
R: rademacher(n, d)
U: uniform(n, d, -1, 2)
I: iid(n, d, mean=0, var=sigma**2)
J: random(n, d, mean=0)
"""

EXPECTATIONS = [
    (
        "E(norm(W)**2) == d * k * sigma**2",
        ["E(norm(W)**2) == d * sigma**2", "E(norm(W)**2) == d * k * sigma"],
    ),
    (
        "E(norm(X @ W)**2) == k * sigma**2 * norm(X)**2",
        ["E(norm(X @ W)**2) == d * sigma**2 * norm(X)**2", "E(norm(X @ W)**2) == sigma**2 * norm(X)**2"],
    ),
    (
        "E(norm(W)**4) == (d * k)**2 * sigma**4 + 2 * d * k * sigma**4",
        [
            "E(norm(W)**4) == (d * k)**2 * sigma**4",
            "E(norm(W)**4) == (d * k)**2 * sigma**4 + 3 * d * k * sigma**4",
        ],
    ),
    (
        "E(tr(W.T @ W @ W.T @ W)) == d * k * (d + k + 1) * sigma**4",
        ["E(tr(W.T @ W @ W.T @ W)) == d * k * (d + k) * sigma**4"],
    ),
    ("E(W @ V @ W) == 0 * W", ["E(W @ W.T) == 0 * eye(d)"]),
    (
        "E(W @ W.T) == k * sigma**2 * eye(d)",
        ["E(W @ W.T) == d * sigma**2 * eye(d)", "E(W @ W.T) == k * sigma**2 * ones(d, d)"],
    ),
    (
        "E(norm(W @ V)**2) == d * k * d * sigma**2 * tau**2",
        ["E(norm(W @ V)**2) == d * k * k * sigma**2 * tau**2"],
    ),
    ("Var(tr(W @ V)) == d * k * sigma**2 * tau**2", ["Var(tr(W @ V)) == 2 * d * k * sigma**2 * tau**2"]),
    ("E(tr(Z.T @ Z)) == n * d * sigma**2", ["E(tr(Z.T @ Z)) == n * d * sigma**2 * rho"]),
    (
        "E(norm(Z.T @ ones(n))**2) == n * d * sigma**2 * (1 + (n - 1) * rho)",
        [
            "E(norm(Z.T @ ones(n))**2) == n * d * sigma**2 * (1 + n * rho)",
            "E(norm(Z.T @ ones(n))**2) == n * d * sigma**2",
        ],
    ),
    (
        "E(norm(M)**2) == n * d * (sigma**2 + mu**2)",
        ["E(norm(M)**2) == n * d * sigma**2", "E(norm(M)**2) == n * d * (sigma + mu)**2"],
    ),
    ("Cov(g, g) == C", ["Cov(g, g) == C @ C", "Cov(g, g) == eye(d)"]),
    ("Var(g.T @ g) == 2 * tr(C @ C)", ["Var(g.T @ g) == tr(C @ C)", "Var(g.T @ g) == 2 * tr(C)**2"]),
    ("E(norm(R)**4) == (n * d)**2", ["E(norm(R)**4) == (n * d)**2 + 2 * n * d"]),
    (
        "E(sum(R[a, b], a, 1, n, b, 1, d)**4) == 3 * (n * d)**2 - 2 * n * d",
        ["E(sum(R[a, b], a, 1, n, b, 1, d)**4) == 3 * (n * d)**2"],
    ),
    ("E(U) == ones(n, d) / 2", ["E(U) == ones(n, d)"]),
    ("Var(U[1, 1]) == 3/4", ["Var(U[1, 1]) == 9/4"]),
    ("E(norm(I.T @ ones(n))**2) == n * d * sigma**2", ["E(norm(I.T @ ones(n))**2) == n**2 * d * sigma**2"]),
    ("E(norm(X + J)**2) == norm(X)**2 + E(norm(J)**2)", ["E(norm(X + I)**2) == norm(X)**2"]),
    ("E(inner(I, X)**2, given=I) == inner(I, X)**2", ["E(inner(I, X)**2, given=W) == inner(I, X)**2"]),
    (
        "E(E(norm(X @ W)**2) * norm(V)**2) == E(norm(X @ W)**2 * norm(V)**2)",
        ["E(E(norm(W)**2) * norm(W)**2) == E(norm(W)**2 * norm(W)**2)"],
    ),
]


@pytest.mark.parametrize("true", [true for true, _ in EXPECTATIONS])
def test_expectations_are_proved(true: str) -> None:
    found = judged(true, RANDOM)
    assert (found.truth, found.grade) == ("true", "proved"), found


@pytest.mark.parametrize("false", [false for _, siblings in EXPECTATIONS for false in siblings])
def test_false_expectations_are_refuted(false: str) -> None:
    found = judged(false, RANDOM)
    assert found.truth == "false", found
    assert found.counterexample is not None


def test_an_unstated_moment_is_named() -> None:
    found = judged("E(norm(I)**4) == n**2 * d**2 * sigma**4", RANDOM)
    assert found.truth == "unknown"
    assert found.missing == "E(I[i,j]**4)"


def test_any_law_is_refuted_by_one_that_takes_a_value_surely() -> None:
    found = judged("E(norm(Y)**4) == 2 * E(norm(Y)**2)", "n: dimension\nY: random(n, n)")
    assert found.truth == "false", found


def test_a_law_with_an_assumed_covariance_does_not_take_one_value_surely() -> None:
    found = judged(
        "Var(q.T @ k) == d",
        "d: dimension\nq: random(d, mean=0)\nk: random(d, mean=0)",
        assume="white-q: Cov(q, q) == eye(d)\nwhite-k: Cov(k, k) == eye(d)",
    )
    assert found.truth != "false", found


def test_the_state_of_layers_and_limits_go_to_the_scalar_engine() -> None:
    found = judged("limit((1 + 1/n)**n, n, oo) == exp(1)", "n: dimension")
    assert found.truth == "true", found


def test_the_derivation_counts_pairings() -> None:
    found = judged("E(norm(W)**4) == (d * k)**2 * sigma**4 + 2 * d * k * sigma**4", RANDOM)
    assert "3 pairings of W merged" in found.derivation


def test_no_time_is_no_verdict() -> None:
    found = judged("E(norm(W)**4) == (d * k)**2 * sigma**4 + 2 * d * k * sigma**4", RANDOM, seconds=0.0)
    assert found.truth == "unknown"
