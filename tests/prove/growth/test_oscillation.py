"""Orders of what oscillates: powers of -1 by their phases, sines by what they lie between."""

import itertools

import pytest

from tests.prove.scalars.helpers import judge

SYMBOLS = {"n": "dimension", "t": "positive"}
N = "n -> oo"

CASES = [
    ("(2 + sin(n))*n == Theta(n)", N, "true", None),
    ("(2 + sin(n))*n == Theta(n**2)", N, "false", None),
    ("(2 + (-1)**n)*n == Theta(n)", N, "true", None),
    ("(2 + (-1)**n)*n <= O(n**2)", N, "true", False),
    ("(1 + (-1)**n)*n == Theta(n)", N, "false", None),
    ("(1 + (-1)**n)*n <= O(n)", N, "true", True),
    ("2**n + (-2)**n <= O(2**n)", N, "true", True),
    ("2**n + (-2)**n == Theta(2**n)", N, "false", None),
    ("n**(1 + sin(n)) <= O(n**2)", N, "true", None),
    ("n**(1 + sin(n)) == Theta(n)", N, "false", None),
    ("n**(1 + sin(n)) <= O(n)", N, "false", None),
    ("sin(n)*n <= O(n)", N, "true", True),
    ("sin(n)**2*n + n*log(n) == Theta(n*log(n))", N, "true", None),
    ("n**2 + n*cos(2*n) <= O(n**2)", N, "true", True),
    ("n**2 + n*cos(2*n) <= O(n)", N, "false", None),
    ("-(2 + sin(n))*n >= Omega(n)", N, "false", None),
    ("(3 + cos(t))*exp(t) == Theta(exp(t))", "t -> oo", "true", None),
    ("(3 + cos(t))*exp(t) <= O(exp(2*t))", "t -> oo", "true", False),
    ("(3 + cos(t))*exp(t) <= O(t)", "t -> oo", "false", None),
]


@pytest.mark.parametrize(("says", "grow", "truth", "tight"), CASES)
def test_oscillating_orders(says, grow, truth, tight):
    found = judge(says, SYMBOLS, grow=grow)
    assert found.truth == truth, found.reason
    if tight is not None:
        assert found.tightness.tight is tight


def test_the_sizes_shown_are_those_at_which_it_fails():
    found = judge("n**(1 + sin(n)) <= O(n)", SYMBOLS, grow=N)
    ratios = found.counterexample.ratios
    assert all(b > a for a, b in itertools.pairwise(ratios))
    phases = judge("(1 + (-1)**n)*n == Theta(n)", SYMBOLS, grow=N).counterexample
    assert phases.ratios == (0.0,) * 4
    assert all(size % 2 for size in phases.values["n"])


@pytest.mark.parametrize(
    "says", ["n**(2 + sin(n))/(1 + n**sin(n)) {} n**2", "exp(n*sin(n))/(1 + exp(n*sin(n))) {} 1"]
)
def test_a_wave_that_stands_twice_is_the_same_wave(says):
    """u/(1 + u) is at most 1, and as small as u where that is small."""
    left, right = says.split(" {} ")
    assert judge(f"{left} <= O({right})", SYMBOLS, grow=N).truth != "false"
    assert judge(f"{left} == Theta({right})", SYMBOLS, grow=N).truth == "false"
