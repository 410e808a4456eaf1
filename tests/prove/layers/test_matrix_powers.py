"""M**T in closed form against repeated multiplication."""

from fractions import Fraction

import pytest
import sympy as sp

from verifier.prove.layers.matrix_powers import matrix_power
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.symbol_ranges import Span, symbol

SPANS = {"T": Span(integer=True, low=Fraction(1)), "a": Span(low=Fraction(0), open_low=True), "b": Span()}
T, a, b = (symbol(name, SPANS[name]) for name in ("T", "a", "b"))

MATRICES = [
    sp.Matrix([[a]]),
    sp.Matrix([[2, a], [0, 3]]),
    sp.Matrix([[3, 0], [a, 2]]),
    sp.Matrix([[a, 1], [0, a]]),
    sp.Matrix([[1, b**2], [0, 1 + b**2]]),
    sp.Matrix([[1, a], [0, 1 + b**2]]),
    sp.Matrix([[2, 1, a], [0, 3, 1], [0, 0, 5]]),
    sp.Matrix([[2, 1, a], [0, 2, 3], [0, 0, 2]]),
    sp.Matrix([[2, 1, a], [0, 3, 1], [0, 0, 2]]),
    sp.Matrix([[1, b**2, a], [0, 1 + b**2, 3], [0, 0, 1]]),
    sp.Matrix([[1 + a, a], [2, 3]]),
    sp.Matrix([[1, 2, 0], [2, 1, 0], [a, 0, 1]]),
    sp.Matrix([[2, 1, 0], [1, 2, a], [0, 0, 3]]),
    sp.Matrix([[0, 1], [1, 1]]),
    sp.Matrix([[0, a, b], [0, a, 2], [0, 0, 1]]),
    sp.Matrix([[a, 3, b], [0, 0, 2], [0, 0, 1]]),
]


@pytest.mark.parametrize("matrix", MATRICES)
@pytest.mark.parametrize("depth", [1, 2, 5])
def test_closed_forms_equal_repeated_products(matrix, depth):
    power = matrix_power(matrix, T, SPANS).subs(T, depth).applyfunc(lambda e: sp.simplify(e.doit()))
    assert (power - matrix**depth).applyfunc(sp.simplify).is_zero_matrix


def test_eigenvalues_that_meet_at_a_zero_parameter_leave_no_pole():
    power = matrix_power(sp.Matrix([[1, b**2], [0, 1 + b**2]]), T, SPANS)
    assert power.subs(b, 0) == sp.eye(2)


def test_a_rotation_is_refused():
    with pytest.raises(Refused):
        matrix_power(sp.Matrix([[0, 1], [-1, 0]]), T, SPANS)


def test_an_eigenvalue_of_zero_is_gone_after_one_step():
    power = matrix_power(sp.Matrix([[1, 1], [a, a]]), T, SPANS)
    assert sp.simplify(power.subs(T, 3) - sp.Matrix([[1, 1], [a, a]]) ** 3).is_zero_matrix
