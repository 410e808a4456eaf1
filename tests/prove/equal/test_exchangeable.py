"""Matrices of one number on the diagonal and another one off it, against the same matrices written out."""

from fractions import Fraction

import numpy as np
import pytest

from verifier import load_text
from verifier.expr.walk import walk
from verifier.prove.equal.exchangeable import folded
from verifier.prove.growth.asymptotics import number_at

VALUES = {"a": Fraction(7, 10), "b": Fraction(-2, 5)}


def softmax(rows):
    grown = np.exp(rows)
    return grown / grown.sum(axis=1, keepdims=True)


def at(says, growing="n -> oo"):
    spec = f"""
    theorem: tests/exchangeable
    symbols: {{n: dimension, a: real, b: real, X: "matrix(n, n)"}}
    claims:
      one: {{says: "{says}", as: {growing}}}
    """
    (claim,) = load_text(spec).claims
    return claim, claim.steps[0].fact


@pytest.mark.parametrize(
    ("text", "matrix"),
    [
        ("norm(softmax(a*eye(n)))", lambda n, m: np.linalg.norm(softmax(0.7 * m))),
        ("tr(softmax(a*eye(n) + b*ones(n, n)))", lambda n, m: np.trace(softmax(0.7 * m - 0.4))),
        ("softmax(a*eye(n))[1, 2]", lambda n, m: softmax(0.7 * m)[0, 1]),
        ("norm(a*eye(n) + b*ones(n, n), 2)", lambda n, m: np.linalg.norm(0.7 * m - 0.4, 2)),
        (
            "tr(softmax(a*eye(n)) @ softmax(b*eye(n)))",
            lambda n, m: np.trace(softmax(0.7 * m) @ softmax(-0.4 * m)),
        ),
        (
            "norm(matpow(softmax(a*eye(n)), 3))",
            lambda n, m: np.linalg.norm(np.linalg.matrix_power(softmax(0.7 * m), 3)),
        ),
        (
            "inner(exp(a*eye(n)), exp(b*ones(n, n)))",
            lambda n, m: np.sum(np.exp(0.7 * m) * np.exp(-0.4)),
        ),
        ("ones(n).T @ exp(a*eye(n)) @ ones(n)", lambda n, m: np.sum(np.exp(0.7 * m))),
    ],
)
def test_a_number_of_such_matrices_is_a_number_of_two_entries(text, matrix):
    claim, fact = at(f"{text} <= O(n)")
    closed = folded(claim, fact).left
    assert all(part.shape.is_scalar for part in walk(closed))
    for n in (2, 3, 5):
        value = number_at(claim, closed, {**VALUES, "n": n})
        assert float(value) == pytest.approx(matrix(n, np.eye(n)))


@pytest.mark.parametrize(
    "text", ["norm(softmax(a*X))", "softmax(a*eye(n))[1, n]", "norm(log(eye(n)))", "norm(1/eye(n))"]
)
def test_what_has_symbols_or_no_value_off_the_diagonal_is_left_alone(text):
    claim, fact = at(f"{text} <= O(n)")
    assert folded(claim, fact) == fact


def test_one_row_has_nothing_off_the_diagonal():
    claim, fact = at("norm(a*eye(n) + b*ones(n, n), 2) <= O(n)", growing="a -> oo")
    assert folded(claim, fact) == fact
