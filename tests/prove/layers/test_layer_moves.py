"""States beside their input, derivatives by the input, means inside means; each with wrong siblings."""

import pytest

from tests.prove.scalars.helpers import judge

LINEAR = """
layers:
  state: x
  depth: L
  symbols: {W: "normal(d, d, std=1/sqrt(d))"}
  next: W @ x
"""
RECTIFIED = """
layers:
  state: X
  depth: L
  symbols: {W: "normal(d, d, std=s/sqrt(d))", V: "normal(d, d, std=1/sqrt(d))"}
  next: X + relu(X @ W) @ V
"""
SHARED = """
layers:
  state: x
  depth: L
  symbols: {V: "normal(d, d, std=1/sqrt(d))"}
  next: V @ W @ x
"""
S = {"n": "dimension", "d": "dimension", "L": "dimension", "s": "positive"}
VECTOR = {**S, "x": "vector(d)"}
MATRIX = {**S, "X": "matrix(n, d)"}
STATE, SQUARE = "after(x, L)", "norm(after(x, L))**2"


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        (f"E({SQUARE} * norm(x)**2) == norm(x)**4", "true"),
        (f"E({SQUARE} * norm(x)**2) == (1 + 2/d)**L * norm(x)**4", "false"),
        (f"E(inner({STATE}, x)**2) == norm(x)**4 / d", "true"),
        (f"E(inner({STATE}, x)**2) == norm(x)**4", "false"),
        (f"E(inner({STATE}, x)) == norm(x)**2", "false"),
        (f"E(norm({STATE} - x)**2) == 2 * norm(x)**2", "true"),
        (f"E(norm({STATE} - x)**2) == 0", "false"),
    ],
)
def test_the_input_is_not_the_state(says, expected):
    found = judge(says, VECTOR, rest=LINEAR)
    assert found.truth == expected, (found.reason, found.missing)


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        (f"E(({SQUARE} - E({SQUARE}))**2) == ((1 + 2/d)**L - 1) * norm(x)**4", "true"),
        (f"E(({SQUARE} - E({SQUARE}))**2) == 0", "false"),
    ],
)
def test_a_mean_inside_is_a_number(says, expected):
    found = judge(says, VECTOR, rest=LINEAR)
    assert found.truth == expected, (found.reason, found.missing)


@pytest.mark.parametrize(
    ("says", "symbols", "layers", "expected"),
    [
        (f"E(norm(D({STATE}, x))**2) == d", VECTOR, LINEAR, "true"),
        (f"E(norm(D({STATE}, x))**2) == d**L", VECTOR, LINEAR, "false"),
        (
            f"E(norm(D({SQUARE}, x))**2) == 4/3*((d + 2)*(1 + 2/d)**L - (d - 1)*(1 - 1/d)**L) * norm(x)**2",
            VECTOR,
            LINEAR,
            "true",
        ),
        (f"E(norm(D({SQUARE}, x))**2) == 4*(1 + 2/d)**L * norm(x)**2", VECTOR, LINEAR, "false"),
        (f"E(norm(D({SQUARE}, x))**2) == 4 * norm(x)**2", VECTOR, LINEAR, "false"),
        ("E(norm(D(after(X, L), X))**2) == n*d*(1 + s**2/2)**L", MATRIX, RECTIFIED, "true"),
        ("E(norm(D(after(X, L), X))**2) == n*d*(1 + s**2)**L", MATRIX, RECTIFIED, "false"),
        ("E(norm(D(after(X, L), X))**2) == n*d", MATRIX, RECTIFIED, "false"),
    ],
)
def test_derivatives_by_the_input(says, symbols, layers, expected):
    found = judge(says, symbols, rest=layers)
    assert found.truth == expected, (found.reason, found.missing)


def test_layers_that_share_a_draw_are_not_independent():
    symbols = {**VECTOR, "W": "normal(d, d, std=1/sqrt(d))"}
    assert judge(f"E({SQUARE}) == norm(x)**2", symbols, rest=SHARED).truth == "unknown"


@pytest.mark.parametrize("beside", ["tr(X)*after(X, L)", "X.T @ after(X, L)"])
def test_what_stands_beside_the_state_has_a_derivative_of_its_own(beside):
    """The gradient is 0 at X = 0, and is not where X = 1."""
    layers = "layers: {state: X, depth: L, symbols: {W: 'normal(n, n)'}, next: 'X @ W'}"
    symbols = {"n": "dimension", "L": "dimension", "X": "matrix(n, n)"}
    for wrong in ("n*n**L*(n**2 + 2)", "n**(L + 2)*(2*n + 1)"):
        found = judge(f"E(norm(D({beside}, X))**2) == {wrong}", symbols, rest=layers)
        assert found.truth != "true", found.reason
    right = "n**L*(n**2*tr(X)**2 + n*norm(X)**2 + 2*tr(X)**2)"
    assert judge(f"E(norm(D(tr(X)*after(X, L), X))**2) == {right}", symbols, rest=layers).truth != "false"
