"""Relations that fail as a symbol shrinks, their true siblings, and what is refused."""

import pytest

from tests.exact.helpers import claim
from verifier.expr.nodes import Relation
from verifier.prove.ranges.small_scale import Expanded, broken_at_small_scale, scales, with_known_laws

SYMBOLS = (
    "n: dimension; d: dimension; sigma: positive; tau: positive; X: matrix(n, d); W: {}; V: normal(d, d)"
)
POINT = {"n": 2, "d": 1, "sigma": 1, "tau": 3, "X": [[1], [2]]}
NORMAL = '"normal(d, d, std=sigma)"'


def failing(says: str, law: str = NORMAL, assumptions: str = "", name: str = "sigma") -> Expanded | None:
    one = with_known_laws(claim(says, SYMBOLS.format(law), assumptions, "A: softmax(X @ W @ X.T)"))
    fact = one.steps[0].fact
    assert isinstance(fact, Relation)
    return broken_at_small_scale(one, fact, POINT, name)


def test_softmax_attention_is_not_uniform_attention() -> None:
    """With tokens 1 and 2, E norm(A X)**2 = 9/2 + c sigma**2 + ..., where uniform attention has 9/2."""
    found = failing("E(norm(A @ X)**2) == norm(X.T @ ones(n))**2/n")
    assert found is not None
    # a_2 = 1/2 + u/4 + ... with u = x_k w: A X = 3/2 + u/4, and E u**2 = x_k**2 sigma**2 sums to 5 sigma**2.
    assert str(found.left).startswith("9/2 + 5/16*s**2")
    assert str(found.right) == "9/2"


@pytest.mark.parametrize(
    "says",
    [
        "E(norm(A @ ones(n))**2) == n",  # rows sum to one, whatever the logits are
        "E(norm(A @ X)**2) >= norm(X.T @ ones(n))**2/n",
        "E(norm(A @ X)**2) <= norm(X.T @ ones(n))**2/n + sigma",
        "E(norm(A @ X @ V)**2) == d*E(norm(A @ X)**2)",
        "E(norm(D(A, W))**2) <= E(norm(D(A, W))**2) + sigma**2",
    ],
)
def test_what_is_true_when_small_is_not_refuted(says: str) -> None:
    assert failing(says) is None


@pytest.mark.parametrize(
    "says",
    [
        "E(norm(A @ X)**2) <= norm(X.T @ ones(n))**2/n",
        "E(norm(A @ X)**2) >= norm(X.T @ ones(n))**2/n + sigma",
        "E(norm(A @ X @ V)**2) == 2*d*E(norm(A @ X)**2)",
        "E(norm(D(A, W))**2) == E(norm(D(A, W))**2) + sigma**2",
        "E(tanh(W)**2) == sigma**2*ones(d, d)",
    ],
)
def test_false_siblings_are(says: str) -> None:
    assert failing(says) is not None


def test_the_mean_of_a_jacobian() -> None:
    """D(A, W) at W = 0 has rows x_k (1/4) (x_j - ...): E norm**2 at scale 0 is that of uniform attention."""
    at_zero = "X.T @ X"  # sum over k of x_k**2 = 5, times norm of (1/2)(X - mean) squared, 1/8
    assert failing(f"E(norm(D(A, W))**2) == tr({at_zero})/8") is not None  # equal at 0, not beyond
    found = failing(f"E(norm(D(A, W))**2) == tr({at_zero})/8")
    assert found is not None
    assert found.left.head == found.right.head


def test_laws_of_which_two_moments_are_stated_are_taken_as_normal() -> None:
    law = '"iid(d, d, mean=0, var=sigma**2)"'
    assert failing("E(norm(A @ X)**2) == norm(X.T @ ones(n))**2/n", law) is not None
    assert failing("E(norm(W)**2) == d**2*sigma**2", law) is None
    assert failing("E(norm(A @ ones(n))**2) == n", law) is None


def test_a_law_that_an_assumption_speaks_of_stays_as_it_is() -> None:
    """Under a normal law the left side is 3, which the assumption excludes."""
    law = '"iid(d, d, mean=0, var=1)"'
    says = "E(norm(A @ X)**2) + E(sum(W[i, i]**4, i, 1, d)) == norm(X.T @ ones(n))**2/n + d"
    assert failing(says, law, "signs: E(sum(W[i, i]**4, i, 1, d)) == d", name="X") is None


def test_symbols_that_assumptions_bind_are_not_made_small() -> None:
    one = claim("E(norm(W)**2) >= 0", SYMBOLS.format(NORMAL), "large: tau >= 2; unit: norm(X) == 1")
    assert list(scales(one, POINT)) == ["sigma"]


@pytest.mark.parametrize(
    "says",
    [
        "E(exp(tr(W @ W @ W))) == 1",  # no mean for any sigma > 0
        "E(1/(1 + norm(W)**2)) == 1",
        "E(norm(W)) == sigma*d",
        "E(relu(tr(W) + sigma**2)) == 0",
    ],
)
def test_what_has_no_series_in_mean_is_left_alone(says: str) -> None:
    assert failing(says) is None
