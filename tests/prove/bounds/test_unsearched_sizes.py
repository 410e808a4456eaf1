"""Bounds that small sizes keep and large ones break, and gaps that only large sizes close."""

import pytest

from tests.prove.specs import claim
from verifier.prove.bounds.unsearched_sizes import examine_far
from verifier.prove.forms.deadline import Clock

SYMBOLS = """
n: dimension
v: vector(n)
p: simplex(n)
P: stochastic(n, n)
R: psd(n)
"""


def far(says: str, assume: str = ""):
    made = claim(says, SYMBOLS, assume=assume)
    return examine_far(made, made.steps[0].fact, Clock(5.0), 0)


@pytest.mark.parametrize(
    ("says", "least"),
    [
        ("norm(v, 1) <= 10*norm(v)", 101),
        ("norm(v, 1) <= 10*norm(v) + 10*norm(v, oo)", 120),  # n > 10 sqrt(n) + 10 from there on
        ("norm(P, 2) <= 30", 901),
        ("tr(R) <= 50*norm(R, 2)", 51),
        ("norm(softmax(v.T))**2 >= 0.01", 101),
        ("(n - 23)**2*norm(v) >= norm(v)/2", 23),
    ],
)
def test_a_bound_breaks_at_the_first_size_at_which_it_is_false(says, least):
    found = far(says)
    assert found.truth == "false"
    assert found.grade in ("proved", "certified")
    assert found.counterexample.values["n"] == least


def test_a_sum_over_entries_breaks_at_some_size():
    found = far("-sum(p[i]*log(p[i]), i, 1, n) <= 5")
    assert found.truth == "false"
    assert found.counterexample.values["n"] >= 149  # log(149) > 5
    assert found.counterexample.lhs > 5


@pytest.mark.parametrize(
    "says",
    ["norm(v, 1) <= sqrt(n + 50)*norm(v)", "-sum(p[i]*log(p[i]), i, 1, n) <= log(n) + 1"],
)
def test_a_gap_that_closes_as_sizes_grow_is_none(says):
    found = far(says)
    assert found.truth == "unknown"
    assert found.tightness.tight


@pytest.mark.parametrize(
    "says",
    [
        "norm(v, 1) <= 2*sqrt(n)*norm(v)",
        "sum(i*p[i], i, 1, n) >= 1/2",  # terms that count are no blocks
        "norm(v, oo) <= 2*norm(v)",
    ],
)
def test_what_is_true_by_a_factor_stays_open(says):
    assert far(says) is None


def test_the_assumptions_hold_at_the_point():
    few = far("norm(v, 1) <= 10*norm(v)", "few: n <= 100")
    assert few.truth == "unknown"
    assert few.tightness.tight  # at n = 100
    assert far("norm(v, 1) <= 10*norm(v)", "few: n <= 90") is None
    found = far("norm(v, 1) <= 10", "unit: norm(v) == 1")
    assert found is not None
    assert found.truth == "false"
    assert found.counterexample.values["n"] == 101
