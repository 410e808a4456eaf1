"""Orders of magnitude over fixed matrices: exact points that break them, inequalities that prove them."""

import pytest

from tests.prove.scalars.helpers import judge

ROW = {"n": "dimension", "a": "simplex(n)", "z": "vector(n)", "i": "index(n)", "j": "index(n)"}
SOFT = "let:\n  s: softmax(z.T)\n  J: D(s, z)"
SMALL, PEAK = "all(a[k] <= 1e-2, k, 2, n)", "a[1] == order(1)"


@pytest.mark.parametrize(
    ("says", "assume", "truth"),
    [
        ("a[i] * a[j] <= order(1e-4)", (SMALL, "i != 1", "j != 1"), "true"),
        ("a[i] * a[j] <= order(1e-5)", (SMALL, "i != 1", "j != 1"), "false"),
        ("a[i] * a[j] <= order(1e-4)", (SMALL, "i != j"), "false"),
        (
            "a[i] * a[j] == order(1e-6, 1e-4)",
            (SMALL, "i != 1", "j != 1", "all(a[k] >= 1e-3, k, 2, n)"),
            "true",
        ),
        (
            "a[i] * a[j] == order(1e-5, 1e-4)",
            (SMALL, "i != 1", "j != 1", "all(a[k] >= 1e-3, k, 2, n)"),
            "false",
        ),
        ("norm(J, 2) <= order(1)", ("s == a.T",), "true"),
        ("norm(J, 2) <= order(1e-2)", ("s == a.T", SMALL, PEAK), "false"),
        ("norm(J, 2) <= order(1e-2)", ("s == a.T", "all(a[k] <= 1e-2, k, 1, n)"), "true"),
        ("norm(J, 2) <= order(1e-3)", ("s == a.T", "all(a[k] <= 1e-2, k, 1, n)"), "false"),
    ],
)
def test_rows_of_attention(says, assume, truth):
    found = judge(says, ROW, assume, rest=SOFT)
    assert found.truth == truth, found.reason


HEADS = {
    "n": "dimension", "d": "dimension", "P": "matrix(n, d)", "W": "matrix(d, d)", "G": "matrix(n, d)",
}  # fmt: skip


@pytest.mark.parametrize(
    ("says", "assume", "truth"),
    [
        ("norm(D(inner(G, P @ W / 12), P)) / norm(G) <= order(1e-1)", ("norm(W, 2) <= 1",), "true"),
        ("norm(D(inner(G, P @ W / 12), P)) / norm(G) <= order(1e-2)", ("norm(W, 2) <= 1",), "false"),
        ("norm(D(inner(G, P @ W / 12), P)) / norm(G) == order(1e-1)", ("norm(W, 2) <= 1",), "false"),
        ("norm(D(inner(G, P @ W / 12), P)) / norm(G) <= order(1e-1)", (), "false"),
        ("norm(P @ W) <= order(1e1)", ("norm(W, 2) <= 10", "norm(P) == 1"), "true"),
        ("norm(P @ W) <= order(1)", ("norm(W, 2) <= 10", "norm(P) == 1"), "false"),
    ],
)
def test_sizes_of_gradients(says, assume, truth):
    found = judge(says, HEADS, assume)
    assert (found.truth, found.grade) == (truth, "certified"), found.reason
    if truth == "false":
        assert {"n", "d", "lhs", "rhs"} <= found.counterexample.values.keys()


@pytest.mark.parametrize(
    ("says", "truth", "better"),
    [
        ("sup(norm(softmax(A)), A) == order(10)", "true", None),
        ("sup(norm(softmax(A)), A) <= order(10)", "true", None),
        ("sup(norm(softmax(A)), A) <= order(100)", "true", "order(1e1)"),
        ("sup(norm(softmax(A)), A) >= order(1)", "true", "order(1e1)"),
        ("sup(norm(softmax(A)), A) == order(1)", "false", None),
        ("sup(norm(softmax(A)), A) >= order(100)", "false", None),
        ("sup(-norm(softmax(A)), A) == order(10)", "unknown", None),  # it is -1
    ],
)
def test_the_order_of_a_supremum(says, truth, better):
    found = judge(says, {"A": "matrix(197, 5)"})
    assert found.truth == truth, found.reason
    assert (found.tightness and found.tightness.better) == better
    if truth == "false":
        assert found.corrected == "order(1e1)"
