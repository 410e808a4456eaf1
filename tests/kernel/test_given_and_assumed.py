"""Conditional means, means under laws of which little is known, and sums that assumptions give a value: each
truth has false siblings."""

from collections.abc import Mapping

import pytest

from tests.kernel.helpers import stated
from verifier.expr.nodes import Relation
from verifier.kernel.normal.equal import equal_entries
from verifier.kernel.rejected import Rejected

GIVEN = {"n": "dimension", "x": "vector(n)", "W": "normal(n, n)", "V": "normal(n, n)"}
NAMES = "let: {h: relu(W @ x), z: W @ x}"
LITTLE = {"n": "dimension", "a": "real", "Z": "random(n, mean=0)", "Y": "random(n)", "q": "random(n, mean=0)"}
SUMS = {
    "n": "dimension", "m": "dimension", "U": "matrix(n, m)", "i": "index(n)", "G": "normal(n, m)",
    "P": "symmetric(n)", "g": "normal(n)",
}  # fmt: skip
VARIED = {"n": "dimension", "a": "real", "b": "real", "g": "normal()", "X": "matrix(n, n)", "x": "vector(n)"}


def judged(says: str, symbols: Mapping[str, str], under: tuple[str, ...] = (), extra: str = "") -> str:
    context, fact = stated(says, symbols, under, extra)
    assert isinstance(fact, Relation)
    try:
        equal_entries(context, fact)
    except Rejected as rejected:
        return rejected.reason
    return "accepted"


@pytest.mark.parametrize(
    ("says", "outcome"),
    [
        ("E(norm(V @ h)**2, given=h) == n*norm(h)**2", "accepted"),
        ("E(norm(V @ h)**2, given=h) == norm(h)**2", "differs"),
        ("E(norm(V @ z)**2, given=[h, z]) == n*norm(z)**2", "accepted"),
        ("E(W[1, 1]*V[1, 1], given=W[1, 1]) == 0", "accepted"),
        ("E(W[1, 1]*V[1, 1], given=W[1, 1]) == W[1, 1]", "differs"),
        # h forgets where z is negative, and one entry says nothing of another
        ("E(norm(z)**2, given=h) == norm(z)**2", "condition"),
        ("E(norm(V @ h)**2*norm(z)**2, given=h) == n*norm(h)**2*norm(z)**2", "condition"),
        ("E(W[1, 1], given=W[1, 2]) == W[1, 1]", "condition"),
    ],
)
def test_means_given_something(says: str, outcome: str) -> None:
    assert judged(says, GIVEN, (), NAMES) == outcome


@pytest.mark.parametrize(
    ("says", "under", "outcome"),
    [
        ("E(norm(a*Z + Y)**2) == a**2*E(norm(Z)**2) + E(norm(Y)**2)", (), "accepted"),
        ("E(norm(a*Z + Y)**2) == E(norm(Z)**2) + E(norm(Y)**2)", (), "differs"),
        ("E(norm(Y + q)**2) == E(norm(Y)**2) + 1", (), "differs"),
        # of a product of Z and Y a mean is known only if it exists
        ("E(Z[1]*Y[1]) == 0", (), "differs"),
        ("E(Z[1]**2*Y[1]) + E(Z[1]) == E(Z[1]**2)*E(Y[1])", (), "differs"),
        ("Var(inner(Z, q)) == n", ("Cov(Z, Z) == eye(n)", "Cov(q, q) == eye(n)"), "accepted"),
        ("Var(inner(Z, q)) == n**2", ("Cov(Z, Z) == eye(n)", "Cov(q, q) == eye(n)"), "differs"),
        ("Var(inner(Z, q)) == n", ("Cov(Z, Z) == eye(n)",), "differs"),
        ("E(inner(Z, q)**4) == 3*n**2", ("Cov(Z, Z) == eye(n)", "Cov(q, q) == eye(n)"), "differs"),
    ],
)
def test_means_of_which_little_is_known(says: str, under: tuple[str, ...], outcome: str) -> None:
    assert judged(says, LITTLE, under) == outcome


UNIT, LATER = "all(norm(U[k]) == 1, k, 1, n)", "all(norm(U[k]) == 1, k, 2, n)"


ALIGNED = "all(inner(U[k], U[l]) == norm(U[k])*norm(U[l]), k, 1, n, l, 1, n)"
ALIKE, LATER_ALIKE = (f"all(norm(U[k]) == norm(U[l]), k, 1, n, l, {first}, n)" for first in (1, 2))


@pytest.mark.parametrize(
    ("says", "under", "outcome"),
    [
        # vectors of one length and direction are the same, and neither alone makes them so
        ("U[i] == U[j]", (ALIGNED, ALIKE), "accepted"),
        ("U[i] == U[j]", (ALIGNED,), "differs"),
        ("U[i] == U[j]", (ALIKE,), "differs"),
        ("U[i] == -U[j]", (ALIGNED, ALIKE), "differs"),
        ("norm(U)**2 == n*norm(U[1])**2", (ALIKE,), "accepted"),
        ("norm(U)**2 == n*norm(U[1])**2", (ALIGNED,), "differs"),
        # with one row there is nothing of which this is said
        ("norm(U)**2 == n*norm(U[1])**2", (LATER_ALIKE,), "differs"),
        ("norm(U)**2 == n*norm(U[2])**2", (LATER_ALIKE,), "differs"),
        ("norm(U[1])**2 == 1", ("all(norm(U[l]) == 1, k, 2, n, l, 1, n)",), "differs"),
        ("norm(U[1])**2 == 1", ("all(norm(U[l]) == 1, k, 1, n, l, 1, n)",), "accepted"),
        # what is divided by is not 0, other factors may be
        ("norm(U)**2 == n", ("(norm(U)**2 - n)/(norm(U)**2 + m) == 0",), "accepted"),
        ("norm(U)**2 == n", ("n*m*norm(U)**2 - n**2*m == 0",), "accepted"),
        ("norm(U)**2 == n", ("(norm(U)**2 - n)*(norm(U)**2 - m) == 0",), "differs"),
        ("norm(U)**2 == n", ("(m - 1)*(norm(U)**2 - n) == 0",), "differs"),
        ("norm(U)**2 == n", ("(norm(U)**2 - n)/(m - 1) == 0",), "accepted"),
        ("norm(U)**2 == n", ("(norm(U)**2 - n)*(m - 1)/(m - 2) == 0",), "differs"),
    ],
)
def test_equations_between_rows_and_with_factors(says: str, under: tuple[str, ...], outcome: str) -> None:
    assert judged(says, {**SUMS, "j": "index(n)"}, under) == outcome


@pytest.mark.parametrize(
    ("says", "under", "outcome"),
    [
        ("norm(U)**2 == m", "U.T @ U == eye(m)", "accepted"),
        ("norm(U)**2 == n", "U.T @ U == eye(m)", "differs"),
        ("norm(U @ U.T)**2 == m", "U.T @ U == eye(m)", "accepted"),
        ("U @ U.T == eye(n)", "U.T @ U == eye(m)", "differs"),
        ("E(norm(P @ g)**2) == tr(P)", "P @ P == P", "accepted"),
        ("E(norm(P @ g)**2) == n", "P @ P == P", "differs"),
        ("norm(U)**2 == n", UNIT, "accepted"),
        ("norm(U.T @ ones(n))**2 == n", UNIT, "differs"),
        ("norm(U)**2 == n", LATER, "differs"),
        ("norm(U[1])**2 == 1", LATER, "differs"),
        ("norm(U[i])**2 == 1", LATER, "differs"),
        ("norm(U)**2 == n", "norm(U[1]) == 1", "differs"),
        # what is assumed of a draw changes its law
        ("E(norm(G)**2) == n", "all(norm(G[k]) == 1, k, 1, n)", "condition"),
    ],
)
def test_sums_that_are_assumed(says: str, under: str, outcome: str) -> None:
    assert judged(says, SUMS, (under,)) == outcome


@pytest.mark.parametrize(
    ("says", "under", "outcome"),
    [
        ("D(E((a*g)**2), a) == 2*a", (), "accepted"),
        ("D(E((a*g)**2), a) == 2*a", ("b == 1",), "accepted"),
        ("D(E((a*g)**2), a) == 0", ("a == b",), "outside"),
        ("D(E(norm(g*X)**2), X) == zeros(1, n**2)", ("X == ones(n) @ x.T",), "outside"),
        ("D(E(norm(g*X)**2), X) == zeros(1, n**2)", ("all(norm(X[k]) == 1, k, 1, n)",), "differs"),
        ("D(E(norm(g*X)**2), X) == 2*vec_r(X).T", ("all(norm(X[k]) == 1, k, 1, n)",), "accepted"),
    ],
)
def test_derivatives_come_before_what_is_assumed(says: str, under: tuple[str, ...], outcome: str) -> None:
    assert judged(says, VARIED, under) == outcome


HALVES = {
    "n": "dimension",
    "m": "dimension",
    "R": "random(2*n, m)",
    "S": "random(2*n, m)",
    "i": "index(n)",
    "j": "index(m)",
    "a": "real",
}
PARTS = """let:
  A: kron(eye(2)[1], eye(n)) @ R
  B: kron(eye(2)[2], eye(n)) @ R"""
CENTRED = "E(A, given=B) == zeros(n, m)"


@pytest.mark.parametrize(
    ("says", "under", "outcome"),
    [
        ("E(A[i, j]*B[i, j]) == 0", CENTRED, "accepted"),
        ("E(A[i, j]*B[i, j]) == 0", "E(B, given=A) == zeros(n, m)", "accepted"),
        ("E(A[i, j]*B[i, j]) == 0", "E(A) == zeros(n, m)", "differs"),
        ("E(A[i, j]*B[i, j]**3) == 0", CENTRED, "accepted"),
        ("E(A[i, j]**2*B[i, j]) == 0", CENTRED, "differs"),
        ("E(A[i, j]*(1 + B[1, j])) == 0", CENTRED, "accepted"),
        ("E(B[i, j]) == 0", CENTRED, "differs"),
        ("E(A[i, j]*B[i, j] + B[i, j]) == 0", CENTRED, "differs"),
        ("E(S[i, j]*B[i, j]) == 0", CENTRED, "differs"),
        ("E(norm(a*A + B)**2) == a**2*E(norm(A)**2) + E(norm(B)**2)", CENTRED, "accepted"),
        ("E(norm(a*A + B)**2) == a*E(norm(A)**2) + E(norm(B)**2)", CENTRED, "differs"),
        ("E(norm(A)**2*inner(A, B)) == 0", CENTRED, "differs"),
        ("E(E(A[i, j], given=B)*B[1, j]) == 0", CENTRED, "accepted"),
        ("E(E(A[i, j], given=B)*B[1, j]) == E(B[1, j])", "E(A, given=B) == ones(n, m)", "accepted"),
        ("E(E(A[i, j], given=B)*B[1, j]) == 1", "E(A, given=B) == ones(n, m)", "differs"),
        ("E(A[i, j], given=R) == 0", CENTRED, "differs"),
    ],
)
def test_conditional_means_that_are_assumed(says: str, under: str, outcome: str) -> None:
    assert judged(says, HALVES, (under,), PARTS) == outcome


NUMBERED = {
    "n": "dimension", "p": "dimension", "q": "dimension", "i": "index(p)", "j": "index(q)", "k": "index(n)",
    "A": "matrix(p, q)", "R": "matrix(2*p, n)", "x": "vector(p)", "y": "vector(q)",
}  # fmt: skip


@pytest.mark.parametrize(
    ("says", "outcome"),
    [
        ("(kron(eye(2)[2], eye(p)) @ R)[i, k] == R[p + i, k]", "accepted"),
        ("(kron(eye(2)[2], eye(p)) @ R)[i, k] == R[i, k]", "differs"),
        ("(kron(eye(2)[1], eye(p)) @ R)[i, k] == R[i, k]", "accepted"),
        ("vec_r(A)[(i - 1)*q + j] == A[i, j]", "accepted"),
        ("vec_r(A)[(i - 1)*q + j] == A[1, j]", "differs"),
        ("vec_r(A)[(j - 1)*p + i] == A[i, j]", "outside"),
        ("vec_r(A)[(i - 1)*q + k] == A[i, k]", "outside"),  # k may be beyond the row
        ("kron(x, y)[(i - 1)*q + j] == x[i]*y[j]", "accepted"),
        ("kron(x, y)[(i - 1)*q + j] == x[1]*y[j]", "differs"),
        ("D(A**2, A)[(i - 1)*q + j] == D(A[i, j]**2, A)", "accepted"),
        ("D(A**2, A)[(i - 1)*q + j] == D(A[i, 1]**2, A)", "differs"),
    ],
)
def test_places_by_the_number_of_a_block(says: str, outcome: str) -> None:
    assert judged(says, NUMBERED) == outcome


EQUAL = {
    "n": "dimension", "m": "dimension", "i": "index(n)", "x": "vector(n)", "y": "vector(n)", "z": "vector(n)",
    "X": "matrix(n, m)", "Y": "matrix(n, m)", "A": "matrix(n, n)", "P": "matrix(n, n)",
    "r": "real", "q": "positive", "g": "normal(n)", "F": "random(n, n, copies=m)",
}  # fmt: skip


@pytest.mark.parametrize(
    ("says", "under", "outcome"),
    [
        ("tanh(x[1])*norm(x) == tanh(y[1])*norm(x)", ("x[1] == y[1]",), "accepted"),
        ("tanh(x[i])*norm(x) == tanh(y[i])*norm(x)", ("x[1] == y[1]",), "differs"),
        ("exp(x[i]) == exp(y[i])", ("x[i] == y[i]",), "accepted"),
        ("x[1] == y[1]", ("x[i] == y[i]",), "differs"),
        ("norm(x - y) == 0", ("all(x[k] == y[k], k, 1, n)",), "accepted"),
        ("norm(x - y) == 0", ("all(x[k] == y[k], k, 2, n)",), "differs"),
        ("softmax(X)[1] == softmax(Y)[1]", ("X[1] == Y[1]",), "accepted"),
        ("softmax(X)[i] == softmax(Y)[i]", ("X[1] == Y[1]",), "differs"),
        ("norm(y - z) == 0", ("x == y", "x == z"), "accepted"),
        ("norm(y) == 0", ("x == y", "x == z"), "differs"),
        ("norm(F[1]) == 0", ("F[1] == zeros(n, n)",), "accepted"),
        ("norm(F[1]) == 0", ("all(F[k] == zeros(n, n), k, 2, m)",), "differs"),
        ("E(g[1]*g[i]) == 0", ("g[1] == 0",), "accepted"),  # it is 0 times something
        ("E(g[1]*g[2]) == 0", ("g[1] == 1",), "condition"),  # and here the law is another one
        # What names itself is an equation, and no value.
        ("tr(A @ A) == norm(A)**2", ("A == A.T",), "accepted"),
        ("tr(A @ A) == norm(A)**2", ("A == -A.T",), "differs"),
        ("norm(P @ P @ x - x) == 0", ("x == P @ x",), "accepted"),
        ("norm(x) == 0", ("x == P @ x",), "differs"),
        ("r == 0", ("r == 2*r",), "accepted"),
        ("q == 1", ("q == 1/q",), "accepted"),
        ("r == 1", ("r == 1/r",), "differs"),
        ("x == zeros(n)", ("x == x",), "differs"),
        ("D(norm(A)**2, A) == 2*vec_r(A).T", ("A == A.T",), "outside"),
        # From end to end
        ("sum(norm(X[k])**2, k, 2, n) == norm(X)**2 - norm(X[1])**2", (), "accepted"),
        ("sum(norm(X[k])**2, k, 2, n) == norm(X)**2 - norm(X[2])**2", (), "differs"),
        ("sum(norm(X[k])**2, k, 3, n) == norm(X)**2 - norm(X[1])**2 - norm(X[2])**2", (), "differs"),
        ("norm(x)**2 == sum(x[k]**2, k, 1, n - 1)", ("x[n] == 0",), "accepted"),
        ("norm(x)**2 == sum(x[k]**2, k, 1, n - 1)", ("x[1] == 0",), "differs"),
        ("sum(1/x[k], k, 2, n) == sum(1/x[k], k, 1, n) - 1/x[1]", (), "differs"),  # x[1] may be 0
    ],
)
def test_entries_that_are_assumed(says: str, under: tuple[str, ...], outcome: str) -> None:
    assert judged(says, EQUAL, under) == outcome
