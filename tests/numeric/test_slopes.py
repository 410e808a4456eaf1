"""Growth by sampling: a sweep decides where every step agrees, and never where a scale may hide."""

import pytest

from tests.symbolic.scalar.helpers import claim
from verifier.evidence import Budget, Finding
from verifier.numeric.engine import examine

SYMBOLS = {"N": "dimension", "d": "dimension", "c": "real", "X": "normal(N, 3)", "v": "normal(N)"}


def swept(says: str, seconds: float = 6.0, grow: str = "N -> oo") -> Finding:
    made = claim(says, SYMBOLS, grow=grow)
    return examine(made, made.steps[0], Budget(seconds=seconds))


def test_the_claimed_order_is_seen():
    found = swept("E(norm(tanh(X))) == Theta(sqrt(N))")
    assert (found.truth, found.grade) == ("true", "sampled"), found.reason
    assert len(found.samples) >= 5


def test_an_order_that_is_too_large_is_loose_and_the_right_one_is_named():
    found = swept("E(norm(tanh(X))) <= O(N)")
    assert (found.truth, found.grade) == ("true", "sampled"), found.reason
    assert found.tightness is not None
    assert found.tightness.tight is False
    assert found.tightness.better == "O(N/N**(1/2))"


def test_a_wrong_order_is_refuted_on_proven_tails_only():
    found = swept("E(norm(tanh(X))) == Theta(N)", 10.0)
    assert (found.truth, found.grade) == ("false", "sampled"), found.reason
    assert found.counterexample is not None
    ratios = found.counterexample.values["ratio"]
    assert ratios[-1] < ratios[0] / 3
    heavy = swept("E(norm(relu(v), oo)) == Theta(sqrt(N))")
    assert heavy.truth == "unknown"


@pytest.mark.parametrize(
    ("says", "words"),
    [
        ("E(norm(tanh(v))**2) + 1000 == Theta(1)", "a number in it"),
        ("E(norm(softmax(20 * v.T))**2) == Theta(1)", "an exponential"),
        ("E(norm(tanh(c * v))**2) == Theta(N)", "single values of c"),
    ],
)
def test_what_a_sweep_cannot_see_is_not_decided(says, words):
    found = swept(says, 2.0)
    assert found.truth == "unknown"
    assert words in found.missing
