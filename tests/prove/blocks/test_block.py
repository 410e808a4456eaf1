"""Matrices constant on blocks against the same matrices written out."""

import math
from fractions import Fraction
from operator import add, mul

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.prove.blocks.block import Block
from verifier.prove.blocks.block_numbers import BALLS, EXPRESSIONS, FLOATS
from verifier.prove.blocks.evaluate import place, spectral

NUMBERS = st.integers(-3, 3)
ROWS, COLS = (1, 2), (1, 4)


def grid(rows, cols):
    return st.tuples(*(st.tuples(*(NUMBERS for _ in cols)) for _ in rows))


def square(sizes):
    shift = st.tuples(*(NUMBERS for _ in sizes))
    return st.builds(lambda v, s: Block(FLOATS, sizes, sizes, v, s), grid(sizes, sizes), shift)


def dense(block):
    """Every entry, from the definition."""
    height, width = sum(block.rows), sum(block.cols)
    return [
        [
            block.value[place(block.rows, i)][place(block.cols, j)]
            + (block.shift[place(block.rows, i)] if block.shift and i == j else 0)
            for j in range(1, width + 1)
        ]
        for i in range(1, height + 1)
    ]


def product(left, right):
    columns = transposed(right)
    return [[sum(map(mul, row, column)) for column in columns] for row in left]


def transposed(matrix):
    return [list(column) for column in zip(*matrix, strict=True)]


def entrywise(merge, left, right):
    return [list(map(merge, *rows)) for rows in zip(left, right, strict=True)]


@settings(max_examples=60, deadline=None)
@given(square(ROWS), square(ROWS), grid(ROWS, COLS))
def test_algebra_commutes_with_writing_out(left, right, value):
    wide = Block(FLOATS, ROWS, COLS, value)
    assert dense(left @ right) == product(dense(left), dense(right))
    assert dense(left @ wide) == product(dense(left), dense(wide))
    assert dense(wide.transposed @ left) == product(dense(wide.transposed), dense(left))
    assert dense(left + right) == entrywise(add, dense(left), dense(right))
    assert dense(left * right) == entrywise(mul, dense(left), dense(right))
    assert dense(left.map(lambda v: v * v + 1)) == [[v * v + 1 for v in row] for row in dense(left)]
    assert left.total(lambda v: v**3) == sum(v**3 for row in dense(left) for v in row)
    assert [row[0] for row in dense(left.row_totals())] == [sum(row) for row in dense(left)]


@settings(max_examples=40, deadline=None)
@given(square(ROWS))
def test_the_spectral_norm_bounds_every_vector_and_is_reached(block):
    matrix, top = dense(block), spectral(block)
    squares = product(transposed(matrix), matrix)
    vector = [[1.0], [0.3], [-0.7]]
    for _ in range(200):  # power iteration
        vector = product(squares, vector)
        size = math.sqrt(sum(v[0] ** 2 for v in vector))
        if size == 0:
            break
        vector = [[v[0] / size] for v in vector]
    reached = math.sqrt(sum(v[0] ** 2 for v in product(matrix, vector)))
    assert reached <= top + 1e-9
    assert top**2 <= sum(v * v for row in matrix for v in row) + 1e-9


@pytest.mark.parametrize("field", [BALLS, EXPRESSIONS, FLOATS])
@pytest.mark.parametrize(
    "function", ["gelu", "silu", "tanh", "sigmoid", "softplus", "exp", "Phi", "erf", "log"]
)
def test_derivatives_are_slopes(field, function):
    x, step = Fraction(3, 5), Fraction(1, 10**4)
    ends = [field.apply(function, field.number(x + sign * step)) for sign in (1, -1)]
    slope = (float(ends[0]) - float(ends[1])) / float(2 * step)
    assert abs(float(field.apply(function + "'", field.number(x))) - slope) < 1e-6
