"""Gradients on blocks against difference quotients, and values at large sizes against small sums."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tests.prove.scalars.helpers import claim
from verifier.prove.blocks.block import Block
from verifier.prove.blocks.block_numbers import FLOATS
from verifier.prove.blocks.block_patterns import Pattern
from verifier.prove.blocks.block_points import Point

SYMBOLS = {
    "n": "dimension", "d": "dimension", "X": "matrix(n, d)", "W": "matrix(d, d)", "G": "matrix(n, d)",
    "v": "vector(n)",
}  # fmt: skip
LETS = "let:\n  Q: X @ W\n  Z: Q @ X.T / sqrt(d)\n  A: softmax(Z)"
LOSSES = [
    "inner(G, A @ X @ W)",
    "inner(G, gelu(X @ W))",
    "inner(G, X @ W) ** 3 / 300",
    "tr(A @ Z) / n",
    "sum(v[k] ** 2, k, 1, n) * inner(G, Q)",
    "norm(Q * Q - G)",
]


def point(made):
    fractions = [Fraction(value, 7) for value in (3, -2, 5, 1)]
    grid = ((fractions[0], fractions[1]), (fractions[2], fractions[3]))
    choices = {
        "X": Pattern("", grid),
        "W": Pattern("", ((grid[1][0], grid[0][1]), (grid[0][0], grid[1][1])), Fraction(1, 3)),
        "G": Pattern("", ((grid[0][1], grid[1][1]), (grid[1][0], grid[0][0]))),
        "v": Pattern("", grid),
    }
    return Point(made, {"n": 3, "d": 5}, choices)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("by", ["W", "X", "G"])
def test_gradients_are_slopes_along_the_gradient(loss, by):
    made = claim(f"norm(D({loss}, {by})) <= 1", SYMBOLS, rest=LETS)
    gradient, value = made.steps[0].fact.left.arg, made.steps[0].fact.left.arg.of
    at = point(made).at(FLOATS)
    slope = at.value(gradient)
    step = 1e-6
    ends = []
    for sign in (1, -1):
        moved = at.symbols[by] + slope.map(lambda v, s=sign: s * step * v)
        ends.append(replace(at, symbols={**at.symbols, by: moved}, known={}).scalar(value))
    size = float((slope * slope).total())
    assert abs((ends[0] - ends[1]) / (2 * step) - size) <= 1e-4 * (1 + size)


def test_an_assumed_value_keeps_the_derivative_of_what_made_it():
    made = claim("norm(D(inner(G, A @ X), W)) <= 1", SYMBOLS, ("A == ones(n, n) / n",), rest=LETS)
    at = point(made).at(FLOATS)
    free = point(claim("norm(D(inner(G, A @ X), W)) <= 1", SYMBOLS, rest=LETS)).at(FLOATS)
    node = made.steps[0].fact.left
    zero = replace(free, symbols={**free.symbols, "W": free.symbols["W"].map(lambda v: 0.0)}, known={})
    assert abs(zero.scalar(node) - at.scalar(node)) < 1e-12
    assert abs(free.scalar(node) - at.scalar(node)) > 1e-3


def test_sizes_do_not_matter_for_the_cost_and_do_for_the_value():
    made = claim("norm(softmax(X)) <= 1", SYMBOLS)
    large = Point(made, {"n": 10**6, "d": 4}, {"X": Pattern("zeros", ((Fraction(0),) * 2,) * 2)})
    assert abs(large.at(FLOATS).scalar(made.steps[0].fact.left) - 500.0) < 1e-6
    assert isinstance(large.at(FLOATS).value(made.steps[0].fact.left), Block)
