"""D of the mean of a deep state by a parameter, where a layer has assumed values."""

import pytest

from tests.prove.scalars.helpers import judge

S = {
    "n": "dimension",
    "d": "dimension",
    "k": "dimension",
    "L": "dimension",
    "s": "positive",
    "t": "positive",
    "a": "positive",
    "X": "matrix(n, d)",
}


def network(attention: str) -> str:
    """Attention and a residual block of one linear map behind a relu."""
    return f"""
layers:
  state: X
  depth: L
  symbols:
    Q: normal(d, k)
    K: normal(d, k)
    V: normal(d, d, std=1/sqrt(d))
    W: normal(d, d, std=1/sqrt(d))
  let:
    A: {attention}
    Z: s * (A @ X @ V) + X
    F: relu(Z @ W)
  next: t * F + Z
"""


RANDOM = network("softmax(X @ Q @ K.T @ X.T)")
VALUES = ("A == ones(n, n) / n", "F == Z @ W")
SCALED = (*VALUES, "s == sqrt(a / L)")
BOTH = (*SCALED, "t == sqrt(a / L)")
TOTAL = "E(norm(after(X, L).T @ ones(n))**2)"
SUM = "norm(X.T @ ones(n))**2"
GROWTH = f"L * 2 * s * (s**2 + 1)**(L - 1) * (t**2 + 1)**L * {SUM}"


@pytest.mark.parametrize(
    ("says", "assume", "expected"),
    [
        (f"D({TOTAL}, s) == {GROWTH}", VALUES, "true"),
        (f"D({TOTAL}, s) == 2 * {GROWTH}", VALUES, "false"),
        (f"D({TOTAL}, s) == 0", VALUES, "false"),
        (f"D({TOTAL}, s) >= 0", VALUES, "true"),
        (f"D({TOTAL}, s) > 0", VALUES, "false"),
        (f"D({TOTAL}, a) == 0", SCALED, "true"),
        (f"limit(D({TOTAL}, s) / sqrt(L), L, oo) == 2 * sqrt(a) * exp(2 * a) * {SUM}", BOTH, "true"),
        (f"limit(D({TOTAL}, s) / sqrt(L), L, oo) == 2 * sqrt(a) * exp(a) * {SUM}", BOTH, "false"),
    ],
)
def test_depth(says: str, assume: tuple[str, ...], expected: str) -> None:
    found = judge(says, S, assume, rest=RANDOM)
    assert found.truth == expected, (found.reason, found.missing)


@pytest.mark.parametrize(
    "attention",
    [
        "softmax(s * X @ X.T)",  # nothing random in what made it
        "softmax(X @ Q @ Q.T @ X.T)",  # even in what is
        "softmax(X @ W @ X.T)",  # odd in what the layer needs elsewhere, too
    ],
)
def test_a_derivative_that_does_not_average_out_is_not_left_out(attention: str) -> None:
    for says in (f"D({TOTAL}, s) == {GROWTH}", f"D({TOTAL}, s) == 0"):
        assert judge(says, S, VALUES, rest=network(attention)).truth == "unknown"
