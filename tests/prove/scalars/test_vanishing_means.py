"""Means that vanish by a change of sign, for powers that are symbols; and those that only look odd."""

import pytest

from tests.prove.scalars.helpers import claim, judge
from verifier.expr import nodes as n
from verifier.prove.scalars.vanishing_means import is_odd

S = {
    "n": "dimension",
    "d": "dimension",
    "m": "dimension",
    "r": "dimension",
    "u": "index(d)",
    "v": "index(d)",
    "A": "normal(n, d)",
    "B": "normal(d, n)",
    "M": "normal(n, d, mean=1)",
    "C": "normal(n, d, row_corr=1/2)",
    "x": "vector(d)",
    "w": "normal(d)",
    "e": "rademacher(d)",
}

ODD = [
    ("(A[1, u]*B[u, 1])**(2*m - 1)*(A[1, v]*B[v, 1])**r", ("u != v",)),
    ("A[1, u]**(2*m + 1)", ()),
    ("inner(x, w)**(2*m - 1)*norm(w)**2", ()),
    ("tanh(w[1])*w[2]**(2*m)", ()),
    ("inner(x, e)**(2*m - 1)", ()),
    ("C[1, u]**(2*m - 1)*C[2, u]**(2*r)", ()),
    ("A[1, 1]**(2*m - 1)*A[1, 2]**(2*m - 1)", ()),
]

NOT_ODD = [
    ("(A[1, u]*B[u, 1])**(2*m - 1)*(A[1, v]*B[v, 1])**r", ()),
    ("A[1, u]**(2*m)", ()),
    ("A[1, u]**m", ()),
    ("M[1, u]**(2*m - 1)", ()),
    ("tanh(w[1])*w[2]**(2*m) + norm(w)", ()),
    ("C[1, u]**(2*m - 1)*C[2, u]**(2*r - 1)", ()),
    ("inner(x, w)**(2*m - 1)/norm(w)**2", ()),
]


def body(text, assume):
    made = claim(f"E({text}) == 0", S, assume)
    fact = made.steps[0].fact
    assert isinstance(fact, n.Relation)
    assert isinstance(fact.left, n.Expectation)
    return made, fact.left.body


@pytest.mark.parametrize(("text", "assume"), ODD)
def test_odd_bodies(text, assume):
    assert is_odd(*body(text, assume))


@pytest.mark.parametrize(("text", "assume"), NOT_ODD)
def test_bodies_that_are_not_seen_to_be_odd(text, assume):
    assert not is_odd(*body(text, assume))


def test_claims():
    says = "E((A[1, u]*B[u, 1])**(2*m - 1)*(A[1, v]*B[v, 1])**r) == {}"
    assert judge(says.format(0), S, ("u != v",)).truth == "true"
    assert judge(says.format(1), S, ("u != v",)).truth == "false"
    assert judge(says.format(0), S).truth != "true"
