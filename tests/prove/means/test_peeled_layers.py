"""Bounds on deep networks, layer by layer: claims with siblings, and each limit by quadrature."""

import mpmath as mp
import pytest

from tests.prove.integrate.quadrature import FUNCTIONS, one
from tests.prove.specs import judged

SYMBOLS = """
d: dimension
m: dimension
k: dimension
l: dimension
s: positive
t: positive
x: vector(d)
X: matrix(l, d)
W_1: normal(m, d, std=s)
W_2: normal(k, m, std=t)
W_3: normal(l, k, std=1/sqrt(k))
V: normal(d, m, std=s)
U: normal(m, k, std=1/s)
"""
CLAIMS = [
    ("E(norm(W_3 @ tanh(W_2 @ tanh(W_1 @ x)))**2) <= l*m*t**2*s**2*norm(x)**2", True),
    ("E(norm(W_3 @ tanh(W_2 @ tanh(W_1 @ x)))**2) <= 2*l*m*t**2*s**2*norm(x)**2", False),
    ("E(norm(W_3 @ tanh(W_2 @ tanh(W_1 @ x)))**2) <= l", True),
    ("E(norm(W_3 @ sigmoid(W_2 @ tanh(W_1 @ x)))**2) <= l/2", True),
    ("E(norm(W_3 @ relu(W_2 @ tanh(W_1 @ x)))**2) <= l*m*t**2/2", True),
    ("E(norm(silu(W_2 @ gelu(W_1 @ x)))**2) <= k*m*t**2*s**2*norm(x)**2/4", True),
    ("E(norm(tanh(tanh(X @ V) @ W_2.T))**2) <= l*k*m*t**2", None),  # slope outside, value inside
]


@pytest.mark.parametrize(("says", "tight"), CLAIMS)
def test_true_bounds(says: str, tight: bool | None) -> None:
    found = judged(says, SYMBOLS)
    assert found.truth == "true", found
    assert (found.tightness.tight if found.tightness else None) is tight


@pytest.mark.parametrize(
    "says",
    [
        "E(norm(W_3 @ tanh(W_2 @ tanh(W_1 @ x)))**2) <= l*m*t**2*s**2*norm(x)**2/2",
        "E(norm(W_3 @ tanh(W_2 @ tanh(W_1 @ x)))**2) <= l/2",
        "E(norm(silu(W_2 @ gelu(W_1 @ x)))**2) <= k*m*t**2*s**2*norm(x)**2/8",
        "E(norm(tanh(W_1.T @ (W_1 @ x)))**2) <= d*m*s**4*norm(x)**2",  # the same weights twice
    ],
)
def test_false_bounds_are_not_shown(says: str) -> None:
    assert judged(says, SYMBOLS, seconds=3.0).truth != "true"


def test_a_spread_that_the_input_takes_back() -> None:
    """U of spread 1/s and V of spread s: the argument of the outer tanh does not grow with s."""
    found = judged("E(norm(tanh(tanh(X @ V) @ U))**2) <= l*k", SYMBOLS)
    assert found.truth == "true"
    assert found.tightness is None or found.tightness.tight is not False


@pytest.mark.parametrize("name", ["tanh", "erf", "atan", "sin"])
def test_slopes_are_reached_by_small_inputs(name: str) -> None:
    f = {**FUNCTIONS, "atan": mp.atan}[name]
    tiny = mp.mpf(10) ** -6
    assert mp.almosteq(one(lambda u: f(u) ** 2, tiny) / tiny, mp.diff(f, 0) ** 2, 1e-4)


@pytest.mark.parametrize(("name", "value"), [("tanh", 1), ("erf", 1), ("sigmoid", "0.5"), ("Phi", "0.5")])
def test_values_are_reached_by_large_spreads(name: str, value: str) -> None:
    wide = mp.mpf(10) ** 6
    assert mp.almosteq(one(lambda u: FUNCTIONS[name](u) ** 2, wide), mp.mpf(value), 1e-2)


@pytest.mark.parametrize(
    ("says", "tight"),
    [
        ("E(norm(tanh(W_2 @ relu(W_1 @ x)))**2) <= k", True),  # as m grows
        ("E(norm(tanh(P @ relu(R @ x)))**2) <= k", None),  # relu(R @ x) is 0 in one case of four
        ("E(norm(tanh(P @ b))**2) <= k", None),
        ("E(norm(sigmoid(P @ b))**2) <= k/2", None),
    ],
)
def test_values_are_not_reached_where_the_argument_may_vanish(says: str, tight: bool | None) -> None:
    found = judged(says, SYMBOLS + "P: normal(k, 2, std=t)\nR: normal(2, d)\nb: bernoulli(2, 1/2)")
    assert found.truth == "true"
    assert (found.tightness.tight if found.tightness else None) is tight
