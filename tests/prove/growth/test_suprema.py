"""Growth over fixed matrices: sup, uniform bounds, softmax and its derivative."""

import pytest

from tests.prove.scalars.helpers import judge

MATRIX = {"n": "dimension", "A": "matrix(n, n)"}
MLP = {
    "n": "dimension", "d": "dimension", "m": "dimension", "X": "matrix(n, d)", "W": "matrix(d, m)",
    "V": "matrix(m, d)", "G": "matrix(n, d)",
}  # fmt: skip
MLP_LET = "let:\n  U: X @ W\n  f: inner(G, gelu(U) @ V)"
NORMS = ("norm(W, 2) <= 1", "norm(V, 2) <= 1", "norm(G) == 1", "all(norm(X[i]) == 1, i, 1, n)")


@pytest.mark.parametrize(
    ("says", "truth", "tight"),
    [
        ("sup(norm(softmax(A)), A) <= O(sqrt(n))", "true", True),
        ("sup(norm(softmax(A)), A) <= O(n)", "true", False),
        ("sup(norm(softmax(A)), A) <= O(1)", "false", None),
        ("sup(norm(softmax(A)), A) == Theta(sqrt(n))", "true", None),
        ("sup(norm(softmax(A)), A) == Theta(n)", "unknown", None),
        ("sup(norm(D(softmax(A), A)), A) <= O(sqrt(n))", "true", True),
        ("sup(norm(D(softmax(A), A)), A) <= O(1)", "false", None),
        ("sup(norm(A), A) <= O(n)", "false", None),
    ],
)
def test_suprema_as_the_size_grows(says, truth, tight):
    found = judge(says, MATRIX, grow="n -> oo")
    assert found.truth == truth, found.reason
    assert (found.tightness.tight if found.tightness else None) is tight
    if tight is False:
        assert found.tightness.better == "O(sqrt(n))"


@pytest.mark.parametrize(
    ("says", "truth"),
    [
        ("norm(D(f, U)) <= O(1)", "true"),
        ("norm(D(f, U)) == Theta(1)", "false"),
        ("norm(D(f, U)) >= Omega(1)", "false"),
        ("norm(D(f, W)) <= O(sqrt(n))", "true"),
        ("norm(D(f, W)) <= O(1)", "false"),
    ],
)
def test_gradients_uniformly_over_all_weights(says, truth):
    found = judge(says, MLP, NORMS, rest=MLP_LET)
    assert found.truth == truth, found.reason
    if truth == "false":
        assert found.counterexample.ratios[-1] != 1


def test_without_the_bounds_on_the_weights_nothing_is_bounded():
    assert judge("norm(D(f, U)) <= O(1)", MLP, rest=MLP_LET).truth != "true"


LIMITS = [
    ("limit(sup(norm(softmax(A)), A) / n, n, oo) == 0", "true"),
    ("limit(sup(norm(softmax(A)), A) / n, n, oo) == 1", "false"),
    ("limit(sup(norm(A), A) / n, n, oo) == 0", "unknown"),
]


@pytest.mark.parametrize(("says", "truth"), LIMITS)
def test_limits_by_a_bound_that_tends_to_zero(says, truth):
    assert judge(says, MATRIX).truth == truth
