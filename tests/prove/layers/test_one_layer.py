"""Gradients by what one layer drew, at any depth; each with wrong siblings."""

import pytest

from tests.prove.scalars.helpers import judge

LINEAR = """
layers:
  state: X
  depth: L
  symbols: {W: "normal(d, d, std=s/sqrt(d))"}
  next: X @ W
"""
MIXED = """
layers:
  state: X
  depth: L
  symbols: {V: "normal(d, d, std=1/sqrt(d))", W: "normal(d, d, std=s/sqrt(d))"}
  let: {Z: "a * (ones(n, n)/n @ X @ V) + X"}
  next: a * (Z @ W) + Z
"""
RECTIFIED = """
layers:
  state: x
  depth: L
  symbols: {W: "normal(d, d, std=sqrt(2/d))", b: "normal(d)"}
  next: relu(W @ x + b)
"""
S = {"n": "dimension", "d": "dimension", "l": "index(L)", "m": "dimension", "s": "positive", "a": "real"}
S |= {"X": "matrix(n, d)", "x": "vector(d)"}
ONES, GROWN = "norm(X.T @ ones(n))**2/n", "((1 + a**2)*(1 + a**2*s**2))"


@pytest.mark.parametrize(
    ("layers", "says", "expected"),
    [
        (LINEAR, "E(norm(D(after(X, L), W[l]))**2) == d*s**(2*L - 2)*norm(X)**2", "true"),
        (LINEAR, "E(norm(D(after(X, L), W[l]))**2) == d*s**(2*L)*norm(X)**2", "false"),
        (LINEAR, "E(norm(D(after(X, L), W[L]))**2) == d*s**(2*L - 2)*norm(X)**2", "true"),
        (LINEAR, "E(norm(D(after(X, 3), W[2]))**2) == d*s**4*norm(X)**2", "true"),
        (LINEAR, "E(norm(D(after(X, 3), W[2]))**2) == n*s**4*norm(X)**2", "false"),
        (
            MIXED,
            f"E(norm(D(after(X, L), V[l]))**2) == a**2*d*(1 + a**2*s**2)*{GROWN}**(L - 1)*{ONES}",
            "true",
        ),
        (MIXED, f"E(norm(D(after(X, L), V[l]))**2) == a**2*d*{GROWN}**L*{ONES}", "false"),
        (
            MIXED,
            "E(norm(D(after(X, L), W[1]))**2)"
            f" == a**2*d*(1 + a**2*s**2)**(L - 1)*(norm(X)**2 + ((1 + a**2)**L - 1)*{ONES})",
            "true",
        ),
        (
            MIXED,
            "E(norm(D(after(X, L), W[1]))**2)"
            f" == a**2*d*(1 + a**2*s**2)**(L - 1)*(norm(X)**2 + ((1 + a**2)**(L - 1) - 1)*{ONES})",
            "false",
        ),
        (RECTIFIED, "E(norm(D(after(x, L), b[l]))**2) == d/2", "true"),
        (RECTIFIED, "E(norm(D(after(x, L), b[l]))**2) == d", "false"),
        (RECTIFIED, "E(norm(D(after(x, L), W[L]))**2) == d/2*(norm(x)**2 + (L - 1)*d/2)", "true"),
        (RECTIFIED, "E(norm(D(after(x, L), W[L]))**2) == d/2*(norm(x)**2 + L*d/2)", "false"),
    ],
)
def test_the_gradient_begins_in_its_layer(layers, says, expected):
    found = judge(says, S, rest=layers)
    assert found.truth == expected, (found.reason, found.missing)


@pytest.mark.parametrize("index", ["L - 1", "2", "m"])
def test_a_layer_that_some_depths_do_not_have_is_refused(index):
    says = f"E(norm(D(after(X, L), W[{index}]))**2) == d*s**(2*L - 2)*norm(X)**2"
    assert judge(says, S, rest=LINEAR).truth == "unknown"


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("E(norm(D(after(X, L), V[l]))**2) <= O(1/L)", "true"),
        ("E(norm(D(after(X, L), V[l]))**2) <= O(1/L**2)", "false"),
    ],
)
def test_how_much_one_of_many_layers_contributes(says, expected):
    scaled = {**S, "c": "positive"}
    assert judge(says, scaled, ("a == sqrt(c/L)",), rest=MIXED, grow="L -> oo").truth == expected
