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
