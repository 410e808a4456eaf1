"""Growth by sampling: a sweep decides where every step agrees, and never where a scale may hide."""

import pytest

from tests.prove.scalars.helpers import claim
from verifier.evidence import Budget, Finding
from verifier.expr import nodes as N
from verifier.sample.engine import examine
from verifier.sample.growth_exponents import Ratio, steps
from verifier.sample.slopes import SIZES, Question, Sweep
from verifier.sample.tuning import Settings

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
    ratios = found.counterexample.ratios
    assert ratios[-1] < ratios[0] / 3
    heavy = swept("E(norm(relu(v), oo)) == Theta(sqrt(N))")
    assert heavy.truth == "unknown"


@pytest.mark.parametrize(
    ("says", "words"),
    [
        ("E(min(norm(tanh(v)), 4*4*4)) == Theta(sqrt(N))", "as large as the sizes"),
        ("E(norm(tanh(v))**2) + 1000 == Theta(1)", "a number in it"),
        ("E(norm(softmax(20 * v.T))**2) == Theta(1)", "an exponential"),
        ("E(norm(tanh(c * v))**2) == Theta(N)", "single values of c"),
    ],
)
def test_what_a_sweep_cannot_see_is_not_decided(says, words):
    found = swept(says, 2.0)
    assert found.truth == "unknown"
    assert words in found.missing


def powers(exponent: float, width: float, rigorous: bool = True) -> tuple[Ratio, ...]:
    found = ((n, 3 * n**exponent) for n in SIZES)
    return tuple(Ratio(n, value * (1 - width), value * (1 + width), rigorous) for n, value in found)


@pytest.mark.parametrize(
    ("exponent", "width", "rigorous", "excluded"),
    [
        (1.0, 0.2, True, True),
        (1.0, 0.2, False, False),  # an approximate interval refutes nothing
        (0.3, 0.2, True, False),  # nor does one that comes near the claimed exponent
        (0.15, 0.001, True, False),  # within 0.2 of it nothing is refuted, however narrow
        (-1.0, 0.2, True, False),
    ],
)
def test_what_a_wide_proven_interval_excludes(exponent, width, rigorous, excluded):
    sweep = Sweep(("N",), (), powers(exponent, width, rigorous), powers(exponent, 0.001, False))
    assert sweep.excludes("O") is excluded


@pytest.mark.parametrize("seed", range(3))
def test_intervals_of_a_sweep_hold_the_truth(seed):
    """E norm(relu(v))**2 = N/2 and E norm(v)**2 = N, so the ratio is 1/2 and its exponent 0 at every step."""
    made = claim("E(norm(relu(v))**2) / E(norm(v)**2) == Theta(1)", SYMBOLS, grow="N -> oo")
    fact = made.steps[0].fact
    question = Question(
        made, N.Relation("==", fact.left, fact.right.body), Budget(2.0, seed=seed), Settings()
    )
    (sweep,) = question.sweeps(1)
    assert all(ratio.low <= 0.5 <= ratio.high for ratio in sweep.proven)
    assert all(slope.low <= 0 <= slope.high for slope in steps(list(sweep.proven)))
    likely = [slope for slope in steps(list(sweep.likely)) if slope.low <= 0 <= slope.high]
    assert len(likely) >= len(sweep.likely) - 3  # at most one step of few misses, at 99% each
