"""Bounds on means of activations that follow at every value of the variable, with wrong siblings."""

import pytest

from tests.prove.specs import judged

SYMBOLS = """
d: dimension
m: dimension
n: dimension
s: positive
t: interval(1, 2)
x: vector(d)
X: matrix(n, d)
W: normal(m, d, std=s)
U: normal(3, m, std=t)
g: normal(1, 1, std=1)
h: normal(1, 1, std=s)
b: normal(1, 1, mean=1, std=s)
y: real
c: normal(mean=y, std=s)
r: interval(-1, 1)
"""
Q = "m*s**2*norm(x)**2"
CLAIMS = {
    f"E(norm(tanh(W @ x))**2) <= {Q}": [f"E(norm(tanh(W @ x))**2) <= {Q}/2"],
    "E(norm(tanh(X @ W.T))**2) <= m*s**2*norm(X)**2": ["E(norm(tanh(X @ W.T))**2) <= s**2*norm(X)**2/2"],
    "E(norm(sigmoid(W @ x))**2) <= m/2": ["E(norm(sigmoid(W @ x))**2) <= m/3"],
    "E(norm(sigmoid(W @ x))**2) >= m/4": ["E(norm(sigmoid(W @ x))**2) >= m/3"],
    f"E(norm(silu(W @ x))**2) <= {Q}/2": [f"E(norm(silu(W @ x))**2) <= {Q}/4"],
    "E(norm(softplus(W @ x))**2) >= m*log(2)**2": ["E(norm(softplus(W @ x))**2) >= m*log(3)**2"],
    "E(tanh(s*g)**4) <= 3*s**4": ["E(tanh(s*g)**4) <= 2*s**4"],
    "Var(sigmoid(h)) <= 1/4": ["Var(sigmoid(h)) <= 1/5"],
    f"E(norm(U @ tanh(W @ x))**2) <= 3*t**2*{Q}": [f"E(norm(U @ tanh(W @ x))**2) <= t**2*{Q}"],
    "E(D(tanh(h), h)**2) <= 1": ["E(D(tanh(h), h)**2) <= 1/2"],
    "E(norm(D(U @ tanh(W @ x), x))**2) <= 3*m*d*t**2*s**2": [
        "E(norm(D(U @ tanh(W @ x), x))**2) <= 3*m*t**2*s**2"
    ],
    "E(norm(D(sigmoid(X @ W.T), X))**2) <= n*m*d*s**2/16": [
        "E(norm(D(sigmoid(X @ W.T), X))**2) <= n*m*d*s**2/17"
    ],
    "E(norm(D(softplus(W @ x), W))**2) <= m*norm(x)**2/2": [
        "E(norm(D(softplus(W @ x), W))**2) <= m*norm(x)**2/4"
    ],
    "E(softplus(h)) <= log(2) + s**2/8": ["E(softplus(h)) <= log(2) + s**2/9"],
    "E(h*tanh(h)) <= s**2": ["E(h*tanh(h)) <= s**2/2"],
    "E(tanh(c)**2) <= s**2 + y**2": ["E(tanh(c)**2) <= s**2"],
    "E(silu(h)) >= 0": ["E(silu(h)) >= 1/8"],
}


@pytest.mark.parametrize("says", CLAIMS)
def test_bounds(says: str) -> None:
    found = judged(says, SYMBOLS)
    assert (found.truth, found.tightness and found.tightness.tight) == ("true", True), found
    for sibling in CLAIMS[says]:
        assert judged(sibling, SYMBOLS, seconds=3.0).truth != "true"


@pytest.mark.parametrize("says", ["E(tanh(h)**2) <= 2", f"E(norm(tanh(W @ x))**2) <= 2*{Q}"])
def test_loose_bounds(says: str) -> None:
    found = judged(says, SYMBOLS)
    assert (found.truth, found.tightness and found.tightness.tight) == ("true", False), found


def test_a_variance_that_is_not_free_leaves_the_gap_open() -> None:
    """E(tanh(t g)**2) <= t**2 comes close only for small t, and t is at least 1."""
    found = judged("E(tanh(t*g)**2) <= t**2", SYMBOLS)
    assert found.truth == "true"
    assert found.tightness is None or found.tightness.tight is not True


def test_weights_around_do_not_make_the_variance_free() -> None:
    """Of E(norm(U @ tanh(V @ x))**2) <= 6 t**2 norm(x)**2 with norm(x) = 1, only t is free."""
    symbols = SYMBOLS.replace("t: interval(1, 2)", "t: positive").replace("(3, m,", "(3, 2,")
    symbols += "V: normal(2, d, std=1)"
    found = judged("E(norm(U @ tanh(V @ x))**2) <= 6*t**2*norm(x)**2", symbols, assume="unit: norm(x) == 1")
    assert found.tightness is None or found.tightness.tight is not True


def test_a_mean_breaks_the_symmetry() -> None:
    """E(sigmoid(b)) <= 1/2 for centred b only."""
    assert judged("E(sigmoid(b)) <= 1/2", SYMBOLS).truth != "true"


CORRECTED = {
    "Var(sigmoid(h)) <= 1/5": "1/4",
    f"E(norm(tanh(W @ x))**2) <= {Q}/2": Q,
    "E(norm(D(sigmoid(W @ x), x))**2) <= m*d*s**2/20": "1/16*m*d*s**2",
    "E(tanh(s*g)**4) <= 2*s**4": "3*s**4",
}


@pytest.mark.parametrize("says", CORRECTED)
def test_the_constant_that_would_be_right(says: str) -> None:
    found = judged(says, SYMBOLS)
    assert (found.truth, found.corrected) == ("false", CORRECTED[says]), found
    assert found.counterexample is not None


def test_layers_below_may_be_random() -> None:
    """Given the layer below, the variance is random, and its mean is known."""
    symbols = SYMBOLS + "V: normal(2, m, std=1)"
    assert judged(f"E(norm(tanh(V @ relu(W @ x)))**2) <= {Q}", symbols).truth == "true"
    assert judged("E(norm(sigmoid(V @ tanh(W @ x)))**2) <= 1", symbols).truth == "true"
    assert judged("E(norm(sigmoid(V @ tanh(W @ x)))**2) <= 1/2", symbols).truth != "true"


@pytest.mark.parametrize(
    "says",
    [
        "E(tanh(g)*tanh(r*g + sqrt(1 - r**2)*h)) <= E(tanh(g)**2)/2",  # false at r = 1
        "E(norm(D(relu(W @ x), x))**2) <= m*d*s**2/3",
        "E(x.T @ ones(d)*tanh(h)**2) <= x.T @ ones(d)*s**2",  # the weight has no sign
        "E(norm(tanh(U @ relu(W @ x)))**2, given=W) <= 3*t**2*m*s**2*norm(x)**2/2",  # true on average only
        "norm(W)**2*E(tanh(h)**2) <= m*d*s**4",  # for every W
    ],
)
def test_what_does_not_follow(says: str) -> None:
    assert judged(says, SYMBOLS, seconds=4.0).truth != "true"


def test_strict_bounds_of_analytic_functions() -> None:
    assert judged("E(tanh(h)**2) < s**2", SYMBOLS).truth == "true"
    assert (
        judged("E(norm(tanh(W @ x))**2) < m*s**2*norm(x)**2", SYMBOLS, seconds=4.0).truth != "true"
    )  # x = 0
