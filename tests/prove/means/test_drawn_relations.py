"""Means of what is the same at every draw, and powers with a symbol for exponent."""

import pytest

from tests.prove.specs import judged

SYMBOLS = """
n: dimension
m: dimension
p: dimension
x: vector(n)
A: matrix(m, n)
W: normal(m, n)
i: index(m)
"""


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("E(norm(D((W @ x)**p, x))**2) == p**2*E(norm(diag((W @ x)**(p - 1)) @ W)**2)",
         "E(norm(D((W @ x)**p, x))**2) == p*E(norm(diag((W @ x)**(p - 1)) @ W)**2)"),
        ("2*E(norm((W @ x)**p)**2) == E(2*sum((W @ x)[i]**(2*p), i, 1, m))",
         "2*E(norm((W @ x)**p)**2) == E(sum((W @ x)[i]**(2*p), i, 1, m))"),
        ("D((A @ x)**p, x) == p*diag((A @ x)**(p - 1)) @ A", "D((A @ x)**p, x) == p*diag((A @ x)**p) @ A"),
        ("(A @ x)**(3*p) == ((A @ x)**p)**3", "(A @ x)**(3*p) == ((A @ x)**p)**2"),
    ],
)  # fmt: skip
def test_equal_at_every_draw(true: str, false: str) -> None:
    found = judged(true, SYMBOLS, "", seconds=10)
    assert (found.truth, found.grade) == ("true", "proved"), found
    assert judged(false, SYMBOLS, "", seconds=10).truth != "true"


def test_equal_means_of_what_differs_need_more() -> None:
    """E norm(tanh(W x)) does not change with the sign of W, and no draw shows it."""
    assert judged("E(log(1 + norm(W @ x)) * W[1, 1]) == E(W[1, 1])", SYMBOLS, "", seconds=5).truth != "false"


ATTENTION = """
n: dimension
d: dimension
H: dimension
s: positive
X: matrix(n, d)
Q: normal(d, d)
V: normal(d, d, std=s)
U: normal(d, d, std=s, copies=H)
"""


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("E(norm(softmax(X @ Q @ X.T) @ X @ V)**2) == d*s**2*E(norm(softmax(X @ Q @ X.T) @ X)**2)",
         "E(norm(softmax(X @ Q @ X.T) @ X @ V)**2) == s**2*E(norm(softmax(X @ Q @ X.T) @ X)**2)"),
        ("E(norm(X + softmax(X @ Q) @ V)**2) == norm(X)**2 + E(norm(softmax(X @ Q) @ V)**2)",
         "E(norm(X + softmax(X @ Q) @ Q)**2) == norm(X)**2 + E(norm(softmax(X @ Q) @ Q)**2)"),
        ("E(norm(sum(softmax(X @ Q) @ U[h], h, 1, H))**2) == H*E(norm(softmax(X @ Q) @ V)**2)",
         "E(norm(sum(softmax(X @ Q) @ U[h], h, 1, H))**2) == H**2*E(norm(softmax(X @ Q) @ V)**2)"),
    ],
)  # fmt: skip
def test_what_no_function_holds_is_integrated_first(true: str, false: str) -> None:
    found = judged(true, ATTENTION, "", seconds=10)
    assert (found.truth, found.grade) == ("true", "proved"), found
    assert judged(false, ATTENTION, "", seconds=10).truth != "true"
