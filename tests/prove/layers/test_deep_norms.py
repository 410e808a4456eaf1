"""Means of norms after many layers: bounded by second moments, refuted by fourth ones."""

import pytest

from tests.prove.scalars.helpers import BUDGET, claim
from verifier.prove.engine import examine

LINEAR = """
layers:
  state: X
  depth: L
  symbols: {W: "normal(d, d, std=s/sqrt(d))"}
  next: X @ W
"""
RECTIFIED = """
layers:
  state: x
  depth: L
  symbols: {W: "normal(d, d, std=sqrt(2/d))"}
  next: relu(W @ x)
"""
RESIDUAL = """
layers:
  state: X
  depth: L
  symbols: {W: "normal(d, d, std=1/sqrt(d))"}
  next: X + s * X @ W
"""
S = {"n": "dimension", "d": "dimension", "s": "positive", "c": "positive"}
S |= {"X": "matrix(n, d)", "x": "vector(d)"}
SCALED = ("s == sqrt(c/L)",)


@pytest.mark.parametrize(
    ("layers", "says", "assume", "truth", "tight"),
    [
        (LINEAR, "E(norm(after(X, L))) <= s**L*norm(X)", (), "true", True),
        (LINEAR, "E(norm(after(X, L))) <= 2*s**L*norm(X)", (), "true", False),
        (RECTIFIED, "E(norm(after(x, L))) <= norm(x)", (), "true", True),
        (RECTIFIED, "E(norm(after(x, L))) <= norm(x)/2", (), "false", None),
        (RESIDUAL, "E(norm(after(X, L)))**2 <= (1 + s**2)**L*norm(X)**2", (), "true", True),
        (RESIDUAL, "E(norm(after(X, L))) <= (1 + c/L)**(L/2)*norm(X)", SCALED, "true", True),
    ],
)
def test_bounds_on_means_of_norms(layers, says, assume, truth, tight):
    made = claim(says, S, assume, rest=layers)
    found = examine(made, made.steps[0], BUDGET)
    assert found.truth == truth, found.reason
    if tight is not None:
        assert found.tightness is not None
        assert found.tightness.tight is tight


def test_a_scale_that_depends_on_the_depth_is_not_tried_at_another_one():
    """One layer of the scale s = sqrt(c/L) with another L would break it."""
    made = claim("E(norm(after(X, L))) <= exp(c/2)*norm(X)", S, SCALED, rest=RESIDUAL)
    assert examine(made, made.steps[0], BUDGET).truth != "false"


def test_sizes_that_a_matrix_has_may_be_large():
    """The mean comes near its bound only where d is large, whatever X is."""
    symbols = {**S, "V": "normal(d, d, std=1/sqrt(d))", "W": "normal(d, d, std=1/sqrt(d))"}
    made = claim("E(norm(X @ V @ W)) <= norm(X)", symbols)
    found = examine(made, made.steps[0], BUDGET)
    assert (found.truth, found.tightness and found.tightness.tight) == ("true", True)
