"""Trees at concrete points: exact where possible, enclosing mpmath's values elsewhere."""

import inspect
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from tests.exact.helpers import claim, close
from verifier.exact.numbers.constants import enclose
from verifier.exact.numbers.refusals import Undefined, Unsupported
from verifier.exact.numbers.value_matrices import Matrix
from verifier.exact.values.evaluate import Evaluator, evaluate
from verifier.exact.values.point_context import Context
from verifier.expr import nodes as n
from verifier.expr.dims import Dim, Shape
from verifier.expr.elaborate import elaborate
from verifier.expr.syntax import parse

SYMBOLS = (
    "n: dimension; m: dimension; A: matrix(n, m); B: matrix(m, n); S: matrix(n, n); v: vector(n); s: real"
)
POINT = {
    "n": 2,
    "m": 3,
    "A": ((1, 2, 0), (-1, Fraction(1, 2), 3)),
    "B": ((1, 0), (2, -1), (Fraction(1, 3), 1)),
    "S": ((2, 1), (0, -1)),
    "v": (1, -2),
    "s": Fraction(3, 2),
}


def value(text: str, symbols: str = SYMBOLS, point: dict[str, Any] | None = None, **more: str) -> Matrix:
    """The expression at the point, read in the scope of a claim."""
    stated = claim("1 <= 2", symbols, **more)
    tree = elaborate(parse(text), stated.scope)
    return evaluate(tree, POINT if point is None else point, Context.of(stated))


def exact(*rows: Any) -> Matrix:
    return tuple(tuple(fmpq(Fraction(x).numerator, Fraction(x).denominator) for x in row) for row in rows)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A @ B", exact((5, -2), (1, Fraction(5, 2)))),
        ("A * A", exact((1, 4, 0), (1, Fraction(1, 4), 9))),
        ("A.T[1]", exact((1, -1))),
        ("tr(A @ B)", exact((Fraction(15, 2),))),
        ("inner(A, B.T)", exact((Fraction(15, 2),))),
        ("norm(A)**2", exact((Fraction(61, 4),))),
        ("norm(v, 1)", exact((3,))),
        ("norm(v, oo)", exact((2,))),
        ("matpow(S, 3)", exact((8, 3), (0, -1))),
        ("matpow(S, -1) @ S @ S", exact((2, 1), (0, -1))),
        ("matpow(S, -2) @ S", exact((Fraction(1, 2), Fraction(1, 2)), (0, -1))),
        ("diag(v)", exact((1, 0), (0, -2))),
        ("diag(S)", exact((2,), (-1,))),
        ("kron(S, v)", exact((2, 1), (-4, -2), (0, -1), (0, 2))),
        ("vec_r(S)", exact((2,), (1,), (0,), (-1,))),
        ("commutation(n, m) @ vec_r(A.T) - vec_r(A)", exact(*[(0,)] * 6)),
        ("blockdiag(S[i] @ v, i, 1, n)", exact((0, 0), (0, 2))),
        ("sum(A[i, j] * A[j, i], i, 1, n, j, 1, n, i != j)", exact((-4,))),
        ("prod(v[i] + 3, i, 1, n)", exact((4,))),
        ("eye(n) + ones(n, n) - zeros(n, n)", exact((2, 1), (1, 2))),
        ("relu(v) + abs(v) + max(v, 0) + min(v, 0)", exact((3,), (0,))),
        ("factorial(n) + factorial2(m) + binomial(5, n)", exact((15,))),
        ("factorial2(-1)", exact((1,))),
        ("s**n / n", exact((Fraction(9, 8),))),
        ("D(tr(S @ S), S)", exact((4, 0, 2, -2))),
        ("D(v * v, v)", exact((2, 0), (0, -4))),
        ("D(norm(A @ B)**2, A[1, 2])", exact((24,))),
        ("D(D(s**3, s), s)", exact((9,))),
        ("D(s * D(s * tr(S), s), s)", exact((1,))),
        ("indicator(s <= 3/2) + indicator(s < 3/2) + indicator(s in [0, oo])", exact((2,))),
    ],
)
def test_exact_values(text: str, expected: Matrix) -> None:
    assert value(text) == expected


def test_a_let_is_a_variable_of_its_own_in_a_derivative() -> None:
    assert value("D(norm(P)**2 + norm(A)**2, P)", lets="P: 2*A") == exact((4, 8, 0, -4, 2, 12))


def test_families_have_members() -> None:
    symbols = "n: dimension; H: dimension; W: normal(n, n, std=1, copies=H)"
    point = {"n": 1, "H": 3, "W": [((2,),), ((3,),), ((5,),)]}
    assert value("sum(h * W[h], h, 1, H)", symbols, point) == exact((23,))


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "sqrt": lambda x: mpmath.sqrt(x),
    "exp": mpmath.exp,
    "log": lambda x: mpmath.log(x),
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "tanh": mpmath.tanh,
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "relu": lambda x: max(x, mpmath.mpf(0)),
    "gelu": lambda x: x * mpmath.ncdf(x),
    "silu": lambda x: x / (1 + mpmath.exp(-x)),
    "softplus": lambda x: mpmath.log(1 + mpmath.exp(x)),
    "abs": abs,
    "erf": mpmath.erf,
    "Phi": mpmath.ncdf,
    "phi": mpmath.npdf,
}
fractions = st.fractions(min_value=-4, max_value=4, max_denominator=9)


@given(st.sampled_from(sorted(FUNCTIONS)), fractions)
def test_functions_and_their_derivatives_agree_with_mpmath(name: str, x: Fraction) -> None:
    mpmath.mp.dps = 40
    tree = n.Apply(name, (n.Symbol("x"),))
    try:
        ((found,),) = evaluate(tree, {"x": x}, bits=128)
        ((slope,),) = evaluate(n.Derivative(tree, n.Symbol("x")), {"x": x}, bits=128)
    except Undefined:
        assert x <= 0
        return
    at = mpmath.mpf(x.numerator) / x.denominator
    assert close(enclose(found), FUNCTIONS[name](at))
    assert close(enclose(slope), mpmath.diff(FUNCTIONS[name], at, h=mpmath.mpf(10) ** -12), 1e-9)


@given(st.lists(fractions, min_size=6, max_size=6))
def test_rowwise_functions_and_the_spectral_norm(values: list[Fraction]) -> None:
    mpmath.mp.dps = 40
    rows = (tuple(values[:3]), tuple(values[3:]))
    numbers = mpmath.matrix([[mpmath.mpf(x.numerator) / x.denominator for x in row] for row in rows])
    matrix = n.Symbol("A", Shape(Dim.of(2), Dim.of(3)))
    point = {"A": rows}
    softmax = evaluate(n.RowWise("softmax", matrix), point, bits=128)
    for i in range(2):
        total = sum(mpmath.exp(numbers[i, k]) for k in range(3))
        for j in range(3):
            assert close(enclose(softmax[i][j]), mpmath.exp(numbers[i, j]) / total)
    ((norm,),) = evaluate(n.Norm(matrix, "2"), point, bits=128)
    assert close(enclose(norm), max(mpmath.svd_r(numbers, compute_uv=False)), 1e-15)
    ((wide,),) = evaluate(n.Norm(n.Kron(matrix, matrix), "2"), point, bits=192)
    assert close(enclose(wide), max(mpmath.svd_r(numbers, compute_uv=False)) ** 2, 1e-12)
    try:
        unit = evaluate(n.RowWise("rmsnorm", matrix), point, bits=128)
    except Undefined:
        assert not all(any(row) for row in rows)
        return
    for row in unit:
        assert close(enclose(sum((x * x for x in row), fmpq(0))), mpmath.mpf(3))


def test_softmax_jacobian_is_diag_minus_outer() -> None:
    lets = "P: softmax(A)"
    jacobian = value("D(P, A)", lets=lets)
    rows = value("P", lets=lets)
    for i in range(3):
        for j in range(3):
            expected = (rows[0][i] if i == j else fmpq(0)) - rows[0][i] * rows[0][j]
            assert enclose(jacobian[i][j] - expected).contains(0)
            assert enclose(jacobian[i][j]).rad() < 1e-15


def test_an_assumed_softmax_keeps_the_derivative_at_the_assumed_value() -> None:
    symbols = "n: dimension; M: matrix(n, n)"
    point = {"n": 2, "M": ((5, 1), (0, 2))}
    more = {"lets": "A: softmax(M)", "assumptions": "uniform: A == ones(n, n)/n"}
    assert value("A", symbols, point, **more) == exact(*[(Fraction(1, 2),) * 2] * 2)
    quarter = Fraction(1, 4)
    block = [
        (quarter, -quarter, 0, 0),
        (-quarter, quarter, 0, 0),
        (0, 0, quarter, -quarter),
        (0, 0, -quarter, quarter),
    ]
    assert value("D(A, M)", symbols, point, **more) == exact(*block)


def test_an_assumed_value_of_another_function_has_no_derivative_here() -> None:
    more = {"lets": "T: tanh(s * v)", "assumptions": "flat: T == zeros(n)"}
    assert value("T", **more) == exact((0,), (0,))
    with pytest.raises(Unsupported):
        value("D(T, s)", **more)


def test_a_relu_that_is_its_argument_has_slope_one_there() -> None:
    linear = {"lets": "R: relu(s * v)", "assumptions": "linear: R == s * v"}
    assert value("D(R, s)", **linear) == exact((1,), (-2,))
    with pytest.raises(Unsupported):  # at -3 relu is flat, and never worth that
        value("D(R, s)", lets="R: relu(s * v)", assumptions="other: R == 2 * s * v")


def test_substitutions_enter_after_derivatives() -> None:
    more = {"assumptions": "rank-one: A == v @ ones(m).T"}
    assert value("A", **more) == exact((1, 1, 1), (-2, -2, -2))
    assert value("D(norm(A)**2, A)", **more) == exact((2, 2, 2, -4, -4, -4))
    assert value("D(norm(A)**2, v)", **more) == exact((0, 0))


def test_layers_unroll() -> None:
    layers = "layers:\n  state: v\n  depth: L\n  symbols:\n    W: matrix(n, n)\n  next: W @ v + v\n"
    symbols = "n: dimension; L: dimension; v: vector(n)"
    point = {"n": 1, "L": 2, "v": (3,), "W": [((2,),), ((4,),)]}
    assert value("after(v, L)", symbols, point, layers=layers) == exact((45,))


def test_undefined_is_not_unsupported() -> None:
    for text in (
        "1/(s - 3/2)",
        "log(-s)",
        "sqrt(-s)",
        "D(abs(s - 3/2), s)",
        "rmsnorm(0*A)",
        "matpow(0*S, -1)",
    ):
        with pytest.raises(Undefined):
            value(text)
    with pytest.raises(Unsupported):
        value("matpow(S, s)")


def test_floats_are_refused() -> None:
    with pytest.raises(TypeError):
        evaluate(n.Symbol("x"), {"x": 0.5})


def test_every_node_is_computed_or_refused_by_name() -> None:
    """No node falls through: each concrete class is met by the evaluator's match."""
    kinds = [
        k
        for _, k in inspect.getmembers(n, inspect.isclass)
        if issubclass(k, n.Node) and not inspect.isabstract(k)
    ]
    source = inspect.getsource(Evaluator)
    abstract = {"Node", "ScalarNode", "Entrywise"}
    missing = [k.__name__ for k in kinds if k.__name__ not in abstract and f"n.{k.__name__}(" not in source]
    assert missing == []
