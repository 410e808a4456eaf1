"""Functions of single entries that are uniform, signs or masks: closed forms against hand-made integrals."""

import pytest

from tests.prove.specs import judged

SYMBOLS = """
n: dimension
m: dimension
t: positive
a: interval(0, 1)
r: real
p: interval(0, 1)
i: index(n)
j: index(n)
u: uniform(0, 1)
v: uniform(0, 1)
w: uniform(-1, 1)
q: uniform(-1, 2)
d: uniform(r, r)
U: uniform(n, m, -1, 1)
V: uniform(n, 0, t)
h: uniform(n, -3, -1)
c: bernoulli(n, p)
e: rademacher(n, m)
z: normal()
"""

# Of each triple the second is the value of the first, and the third a false sibling.
VALUES = [
    ("E(relu(q))", "2/3", "1/2"),
    ("E(relu(-q)**2)", "1/9", "1/6"),
    ("E(abs(q)**3)", "17/12", "15/12"),
    ("E(norm(abs(U) + 1)**2)", "7*n*m/3", "4*n*m/3"),
    ("E(relu(U) @ relu(U).T)", "5*m/48*eye(n) + m/16*ones(n, n)", "m/6*eye(n) + m/16*ones(n, n)"),
    ("E(abs(U[i, 1])*abs(U[j, 1]))", "1/4 + eye(n)[i, j]/12", "1/4"),
    ("E(norm(exp(V))**2)", "n*(exp(2*t) - 1)/(2*t)", "n*(exp(t) - 1)**2/t**2"),
    ("E(abs(h))", "2*ones(n)", "-2*ones(n)"),
    ("E(u**2*exp(-u))", "2 - 5*exp(-1)", "5*exp(-1) - 1"),
    ("E(w*sin(w))", "sin(1) - cos(1)", "0"),
    ("E(abs(u - a))", "(a**2 + (1 - a)**2)/2", "a**2/2"),
    ("E(max(u, a))", "(1 + a**2)/2", "(1 + a)/2"),
    ("P(u <= a)", "a", "1 - a"),
    ("E(relu(z)*relu(w))", "1/(4*sqrt(2*pi))", "1/(2*sqrt(2*pi))"),
    ("Cov(abs(w), w**2)", "1/12", "0"),
    ("E(norm(exp(e))**2)", "n*m*(exp(2) + exp(-2))/2", "n*m"),
    ("E(relu(e - 1) + abs(e + 1))", "ones(n, m)", "zeros(n, m)"),
    ("E(relu(c - 1/2))", "p/2*ones(n)", "relu(p - 1/2)*ones(n)"),
    ("E(norm(exp(c))**2)", "n*(1 - p + p*exp(2))", "n*exp(2*p)"),
]


@pytest.mark.parametrize(("left", "value", "wrong"), VALUES)
def test_values(left: str, value: str, wrong: str) -> None:
    found = judged(f"{left} == {value}", SYMBOLS)
    assert (found.truth, found.grade) == ("true", "proved"), (found.reason, found.missing)
    assert judged(f"{left} == {wrong}", SYMBOLS).truth == "false"


@pytest.mark.parametrize(
    "left",
    [
        "E(max(u, v))",  # two entries in one function
        "E(abs(u - z))",
        "E(abs(u)*abs(u - 1/2))",  # two functions of different multiples of one entry
        "E(relu(u - r))",  # on which side of the range r is
        "E(exp(r*u))",  # r may be 0
        "E(exp(d))",  # a range that is a point
        "E(relu(c - p))",
        "P(e[1, 1] <= r)",
    ],
)
def test_what_is_left_open(left: str) -> None:
    assert judged(f"{left} == 7", SYMBOLS).lhs is None
