"""What assumptions do to closed forms: rules, substitutions, independence, equal dimensions."""

import pytest

from tests.prove.specs import judged

SYMBOLS = """
n: dimension
d: dimension
k: dimension
sigma: positive
a: real
b: real
X: matrix(n, d)
u: vector(d)
x: vector(d)
i: index(n)
j: index(n)
Z: normal(n, d, std=sigma)
Q: orthogonal(n)
"""


def test_a_unit_vector() -> None:
    assert judged("norm(u @ u.T @ u)**2 == 1", SYMBOLS, assume="unit: norm(u) == 1").truth == "true"
    assert judged("norm(u @ u.T @ u)**2 == 1", SYMBOLS).truth == "false"
    assert judged("1 / norm(u)**2 == 1", SYMBOLS, assume="unit: norm(u) == 1").truth == "true"
    assert judged("norm(u)**2 == 2", SYMBOLS, assume="unit: norm(u) == 1").truth == "false"


def test_unit_rows() -> None:
    assume = "rows: all(norm(X[k_]) == 1, k_, 1, n)"
    assert judged("norm(X)**2 == n", SYMBOLS, assume=assume).truth == "true"
    assert judged("norm(X[i])**2 == 1", SYMBOLS, assume=assume).truth == "true"
    assert judged("norm(X)**2 == d", SYMBOLS, assume=assume).truth == "false"


def test_centred_columns() -> None:
    """An equality of matrices is one for every pair of indices."""
    assume = "centred: X.T @ ones(n) == zeros(d)"
    centred = "norm((eye(n) - ones(n, n)/n) @ X)**2 == norm(X)**2"
    assert judged(centred, SYMBOLS, assume=assume).truth == "true"
    assert judged(centred, SYMBOLS).truth == "false"
    assert judged("norm(X @ ones(d))**2 == 0", SYMBOLS, assume=assume).truth == "false"
    assert judged("norm(X.T @ Q @ ones(n))**2 == 0", SYMBOLS, assume=assume).truth == "false"


def test_a_matrix_that_maps_one_vector_to_another() -> None:
    assume = "maps: X.T @ Q @ ones(n) == 2*u"
    assert judged("norm(X.T @ Q @ ones(n))**2 == 4*norm(u)**2", SYMBOLS, assume=assume).truth != "false"
    constant = "maps: X @ u == 2*ones(n)"
    assert judged("norm(X @ u)**2 == 4*n", SYMBOLS, assume=constant).truth == "true"
    assert judged("norm(X @ u)**2 == 2*n", SYMBOLS, assume=constant).truth == "false"
    assert (
        judged("norm(X.T @ X @ u)**2 == 4*norm(X.T @ ones(n))**2", SYMBOLS, assume=constant).truth == "true"
    )


def test_what_is_assumed_of_rows_is_not_said_of_the_diagonal() -> None:
    rows = "rows: all(norm(Y[k_]) == 1, k_, 1, n)"
    symbols = f"{SYMBOLS}Y: matrix(n, n)"
    assert judged("norm(Y)**2 == n", symbols, assume=rows).truth == "true"
    assert judged("norm(diag(Y))**2 == n", symbols, assume=rows).truth != "true"
    assert judged("tr(Y) == 0", symbols, assume="zero: Y.T @ ones(n) == zeros(n)").truth != "true"


def test_orthonormal_columns() -> None:
    symbols = f"{SYMBOLS}U: matrix(n, k)\ng: normal(n, std=sigma)"
    assume = "orthonormal: U.T @ U == eye(k)"
    for true in (
        "norm(U)**2 == k",
        "E(norm(U.T @ g)**2) == k*sigma**2",
        "Var(norm(U @ U.T @ g)**2) == 2*k*sigma**4",
        "E(norm(g - U @ U.T @ g)**2) == (n - k)*sigma**2",
        "norm(U @ U.T @ X)**2 == norm(U.T @ X)**2",
    ):
        assert judged(true, symbols, assume=assume).truth == "true", true
    for false in (
        "norm(U)**2 == n",
        "norm(U @ U.T)**2 == n",
        "E(norm(U.T @ g)**2) == n*sigma**2",
        "E(norm(g - U @ U.T @ g)**2) == (n + k)*sigma**2",
    ):
        assert judged(false, symbols, assume=assume).truth == "false", false


def test_projections_inverses_and_eigenvectors() -> None:
    symbols = f"{SYMBOLS}P: symmetric(d)\nT: matrix(d, n)\nA: matrix(d, d)\nlam: real\nQ2: matrix(d, d)"
    idempotent, inverse, eigen = "p: P @ P == P", "t: T @ X == eye(d)", "e: A @ x == lam*x"
    for true, assume in (
        ("norm(P @ x)**2 + norm(x - P @ x)**2 == norm(x)**2", idempotent),
        ("norm(P)**2 == tr(P)", idempotent),
        ("matpow(eye(d) - P, 2) == eye(d) - P", idempotent),
        ("E(norm(Z @ P)**4) == sigma**4*n*tr(P)*(n*tr(P) + 2)", idempotent),
        ("X @ T @ X == X", inverse),
        ("tr(X @ T) == d", inverse),
        ("norm(Q2 @ A @ Z.T)**2 == norm(Z)**2", "q: A @ Q2 == eye(d)"),
        ("x.T @ A @ x == lam*norm(x)**2", eigen),
        ("matpow(A, 3) @ x == lam**3*x", eigen),
    ):
        assert judged(true, symbols, assume=assume).truth == "true", true
    for false, assume in (
        ("norm(P)**2 == tr(P)**2", idempotent),
        ("norm(diag(P))**2 == tr(P)", idempotent),
        ("tr(X @ T) == n", inverse),
        ("X @ T == eye(n)", inverse),
        ("norm(Q2.T @ A @ Z.T)**2 == norm(Z)**2", "q: A @ Q2 == eye(d)"),
        ("matpow(A, 3) @ x == lam*x", eigen),
        ("x.T @ A @ A.T @ x == lam**2*norm(x)**2", eigen),
    ):
        assert judged(false, symbols, assume=assume).truth != "true", false


def test_a_bound_on_a_norm_bounds_its_powers() -> None:
    assume = "small: norm(u) <= 1"
    assert judged("norm(u)**4 <= 1", SYMBOLS, assume=assume).truth == "true"
    assert (
        judged("norm(u)**4 + norm(x)**2*norm(u)**2 <= 1 + norm(x)**2", SYMBOLS, assume=assume).truth == "true"
    )
    assert judged("norm(u)**4 <= 1/2", SYMBOLS, assume=assume).truth == "false"
    assert judged("norm(u)**4 <= 1", SYMBOLS).truth == "false"


def test_substitutions() -> None:
    assume = "collapse: X == ones(n) @ x.T"
    assert judged("norm(X)**2 == n * norm(x)**2", SYMBOLS, assume=assume).truth == "true"
    assert judged("norm(X)**2 == norm(x)**2", SYMBOLS, assume=assume).truth == "false"
    assert judged("a**2 == b", SYMBOLS, assume="root: a == sqrt(b)").truth == "true"


def test_equal_dimensions() -> None:
    says = "E(norm(Z)**2) == n**2 * sigma**2"
    assert judged(says, SYMBOLS, assume="square: d == n").truth == "true"
    assert judged(says, SYMBOLS).truth == "false"


def test_indices_apart() -> None:
    says = "E(Z[i, 1] * Z[j, 1]) == 0"
    assert judged(says, SYMBOLS, assume="apart: i != j").truth == "true"
    assert judged(says, SYMBOLS).truth == "false"


def test_independence_makes_products_factorise() -> None:
    says = "E(norm(Z)**2 * norm(Z.T @ Z)**2) == E(norm(Z)**2) * E(norm(Z.T @ Z)**2)"
    assume = "apart: independent(norm(Z)**2, norm(Z.T @ Z)**2)"
    assert judged(says, SYMBOLS, assume=assume).truth == "true"
    assert judged(says, SYMBOLS).truth == "false"
    squares = "E(norm(Z)**4 * norm(Z.T @ Z)**2) == E(norm(Z)**4) * E(norm(Z.T @ Z)**2)"
    assert judged(squares, SYMBOLS, assume=assume).truth == "true"
    alone = "E(norm(Z)**4) == E(norm(Z)**2)**2"
    assert judged(alone, SYMBOLS, assume=assume).truth == "false"


def test_orthogonal_matrices() -> None:
    assert judged("norm(Q @ X)**2 == norm(X)**2", SYMBOLS).truth == "true"
    assert judged("Q @ Q.T == eye(n)", SYMBOLS).truth == "true"
    assert judged("Q == eye(n)", SYMBOLS).truth == "false"


@pytest.mark.parametrize(
    ("says", "truth"),
    [
        ("E((g + h)*(g - 2*h)) == 0", "true"),
        ("E((g + h)**2*(g - 2*h)**2) == 10", "true"),
        ("E((g + h)**2*(g - 2*h)**2) == 12", "false"),  # as it is by the declared laws
        ("E(g**2) == 1", "true"),  # g is no power of either
    ],
)
def test_independence_of_linear_forms(says: str, truth: str) -> None:
    assume = "apart: independent(g + h, g - 2*h)"
    assert judged(says, "g: normal\nh: normal\n", assume=assume).truth == truth


ENTRIES = """
n: dimension
i: index(n)
j: index(n)
x: vector(n)
y: vector(n)
X: matrix(n, n)
Z: random(n, mean=0)
"""


@pytest.mark.parametrize(
    ("assume", "says"),
    [
        ("x[1] == y[1]", "norm(x - y)**2 == 0"),
        ("x[i] == y[i]", "x[j] == y[j]"),
        ("x[n] == 0", "x[1] == 0"),
        ("X[i, j] == 0", "X[j, i] == 0"),
        ("norm(X[1]) == 1", "norm(X)**2 == n"),
        ("E(Z[1]**2) == 1", "E(norm(Z)**2) == n"),
        ("x[1] <= 1", "sum(x[k], k, 1, n) <= n"),
        ("E(Z[i]**2) <= 1", "E(norm(Z)**2) <= n"),
    ],
)
def test_what_is_said_of_one_entry_is_not_said_of_the_others(assume: str, says: str) -> None:
    assert judged(says, ENTRIES, assume=f"one: {assume}").truth != "true"


@pytest.mark.parametrize(
    ("assume", "says"),
    [
        ("x[1] == y[1]", "x[1]**3 == x[1]*y[1]**2"),
        ("x[1] == y[i]", "tanh(x[1])*norm(x) == tanh(y[i])*norm(x)"),
        ("X[1] == zeros(1, n)", "softmax(X)[1] == ones(1, n)/n"),
        ("E(Z[1]**2) == 1", "E((2*Z[1])**2) == 4"),
        ("E(Z[i]**2) <= 1", "E((2*Z[i])**2) <= 4"),
    ],
)
def test_what_is_said_of_one_entry_is_known_there(assume: str, says: str) -> None:
    assert judged(says, ENTRIES, assume=f"one: {assume}").truth == "true"
