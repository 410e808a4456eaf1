"""Means that nobody integrates, powers with symbols in their exponents, and entries that may be one and the
same: each truth has a false sibling."""

import pytest

from tests.kernel.test_contract import judged

TRUE_AND_FALSE = [
    # A mean is told by its integrand.
    ("E(sin(h)**2) == 1 - E(cos(h)**2)", "E(sin(h)**2) == 1 + E(cos(h)**2)"),
    ("E(x[1]*tanh(h)**2 + a) == a + x[1]*E(tanh(h)**2)", "E(x[1]*tanh(h)**2 + a) == a + x[1]*E(tanh(h))**2"),
    ("E(W[1, 1]**2*tanh(h)**2) == s**2*E(tanh(h)**2)", "E(W[1, 1]**2*tanh(h)**2) == s*E(tanh(h)**2)"),
    ("E(sqrt(1 + h**2)) == E((1 + h**2)**(1/2))", "E(sqrt(1 + h**2)) == E((1 + h**2)**(1/3))"),
    ("E(1/(1 + h**2)) == E(2/(2 + 2*h**2))", "E(1/(1 + h**2)) == E(1/(1 + 2*h**2))"),
    ("E(softplus(h)*W[1, 1]**2) == s**2*E(softplus(h))", "E(softplus(h)) == E(softplus(2*h))"),
    # One of many entries with one law.
    (
        "E(sum(tanh(e[k] + u[k])**2, k, 1, n)) == n*E(tanh(e[j] + u[j])**2)",
        "E(tanh(u[i] + x[i])) == E(tanh(u[1] + x[1]))",
    ),
    ("E(sin(u[i])) == E(sin(u[1]))", "E(sin(c[1])**2) == E(sin(c[2])**2)"),
    (
        "Var(sum(sin(u[k]), k, 1, n)) == n*Var(sin(u[1]))",
        "Var(sum(sin(u[k]), k, 1, n)) == n**2*Var(sin(u[1]))",
    ),
    # Two of many rows: the first stays where it is while the other runs.
    (
        "E(norm(W @ tanh(F[1] @ x))**2) == m*s**2*E(norm(tanh(F[1] @ x))**2)",
        "E(norm(W @ tanh(F[1] @ x))**2) == m*s**2*sum(E(tanh((F[1] @ x)[l])*tanh((F[1] @ x)[1])), l, 1, n)",
    ),
    # Two entries are one, or apart.
    (
        "E(sum(relu(W[1, k]), k, 1, n)**2) == s**2*(n/2 + n*(n - 1)/(2*pi))",
        "E(sum(relu(W[1, k]), k, 1, n)**2) == s**2*n**2/(2*pi)",
    ),
    ("E(sum(exp(W[1, k]), k, 1, n)) == n*exp(s**2/2)", "E(sum(exp(W[1, k]), k, 1, n)) == n*exp(s**2)"),
    (
        "E(sum(exp(F[1][1, k]), k, 1, n)**2) == n*exp(2*s**2) + n*(n - 1)*exp(s**2)",
        "E(sum(exp(F[1][1, k]), k, 1, n)**2) == n**2*exp(s**2)",
    ),
    ("E(sin(u[1])*sin(u[2])) == E(sin(u[1]))**2", "E(sin(u[i])*sin(u[j])) == E(sin(u[1]))**2"),
    ("E(relu(W[1, 1])*relu(W[1, 2])) == s**2/(2*pi)", "E(relu(V[1, 1])*relu(V[2, 1])) == s**2/(2*pi)"),
    # Powers with symbols in their exponents.
    ("E(W[1, 1]**(2*d)) == s**(2*d)*factorial2(2*d - 1)", "E(W[1, 1]**(2*d)) == s**(2*d)*factorial2(2*d)"),
    (
        "E((W @ x)[1]**(2*d)) == s**(2*d)*norm(x)**(2*d)*factorial2(2*d - 1)",
        "E((W @ x)[1]**(2*d)) == s**(2*d)*norm(x)**d*factorial2(2*d - 1)",
    ),
    ("E(W[1, 1]**(2*d - 1)) == 0", "E(W[1, 1]**d) == 0"),
    ("E(h**(2*d - 1)*W[1, 2]**m) == 0", "E(h**(2*d)*W[1, 2]**m) == 0"),
    ("E(W[1, 1]**(2*d - 1)*W[1, 2]**m) == 0", "E(V[1, 1]**(2*d - 1)*V[2, 1]**m) == 0"),
    ("E(e[1]**(2*d)) == 1", "E(e[1]**d) == 1"),
    ("E(o**d) == rho", "E(o**d) == rho**d"),
    ("(-1)**(2*d + 1) == -1", "(-1)**(d + 1) == -1"),
    ("(-1)**(-d) == (-1)**d", "(-1)**d == 1"),
    ("(-2)**d*(-3)**d == 6**d", "(-2)**d*3**d == 6**d"),
    ("sqrt(a**(-2)) == 1/abs(a)", "sqrt(a**(-2)) == 1/a"),
]


@pytest.mark.parametrize(("true", "false"), TRUE_AND_FALSE, ids=lambda says: says[:50])
def test_means(true: str, false: str) -> None:
    assert judged(true) == "accepted"
    assert judged(false) == "differs"


@pytest.mark.parametrize(
    ("says", "under", "outcome"),
    [
        ("E(1/h**2) - E(1/h**2) == 0", "", "no-mean"),
        ("E(1/abs(h)) - E(1/abs(h)) == 0", "", "no-mean"),
        ("E(h**(-d)) - E(h**(-d)) == 0", "", "no-mean"),
        ("E(0*o**(-d)) == 0", "", "no-mean"),  # no value where o is 0
        ("E(0*o**(d - 2)) == 0", "", "no-mean"),
        ("E(exp(h**4)) - E(exp(h**4)) == 0", "", "no-mean"),
        ("E(sqrt(q[1]**2)) == E(sqrt(q[2]**2))", "", "differs"),  # of q little is known
        ("E(W[1, i]*sin(W[1, j])) == 0", "", "differs"),
        ("E(W[1, i]*sin(W[1, j])) == 0", "apart", "accepted"),
        ("E(sin(e[1] + u[1])**2) == 1 - E(cos(e[1] + u[1])**2)", "", "accepted"),
        ("E(sin(e[1] + u[1])**2) == 1 - E(cos(e[1] + u[1])**2)", "drawn", "condition"),
    ],
)
def test_what_is_not_known_is_not_used(says: str, under: str, outcome: str) -> None:
    assert judged(says, under) == outcome
