"""Several symbols that grow at once: logarithms, maxima, and inequalities assumed between the symbols."""

import pytest

from tests.prove.scalars.helpers import judge

SIZES = {
    "n": "dimension", "d": "dimension", "x": "positive", "y": "positive", "a": "positive",
    "W": "normal(n, d, std=1)",
}  # fmt: skip
BOTH = "[n -> oo, d -> oo]"

JOINT = [
    ("n*log(n) + d <= O(n*log(n) + d)", (), "true", True),
    ("n*log(n) <= O(n*d)", (), "false", None),
    ("n*log(n) <= O(n*d)", ("d == n",), "true", False),
    ("log(n)/sqrt(d) <= O(1)", (), "false", None),
    ("log(n)/sqrt(d) <= O(1)", ("d == n",), "true", False),
    ("log(n*d) == Theta(log(n) + log(d))", (), "true", None),
    ("log(n + d) == Theta(log(n) + log(d))", (), "true", None),
    ("log(n*d) == Theta(log(n))", (), "false", None),
    ("log(n*d) == Theta(log(n))", ("d == n**2",), "true", None),
    ("E(norm(W)**2)*log(n) == Theta(n*d*log(n))", (), "true", None),
    ("E(norm(W)**2)*log(n) == Theta(n*d*log(d))", (), "false", None),
    ("n**2 + n*d*log(d) <= O((n + d)**2*log(d))", (), "true", True),
    ("max(n, d) == Theta(n + d)", (), "true", None),
    ("min(n, d) == Theta(n*d/(n + d))", (), "true", None),
    ("min(n, d) == Theta(n)", (), "false", None),
    ("d**2 <= O(n*d)", ("d <= n",), "true", True),
    ("d**2 <= O(n**2*d)", ("d <= n",), "true", False),
    ("n*d <= O(d**2)", ("d <= n",), "false", None),
    ("n*d + d**2*log(n) <= O(n**2*log(n))", ("d <= n",), "true", True),
    ("n*d + d**2*log(n) <= O(n*d)", ("d <= n",), "false", None),
    ("log(d) <= O(log(n))", ("d <= 5*n",), "true", True),
    ("log(n) <= O(log(d))", ("d <= 5*n",), "false", None),
    ("d**2 <= O(n*d)", (), "false", None),
]


@pytest.mark.parametrize(("says", "assume", "truth", "tight"), JOINT)
def test_growth_in_several_symbols(says, assume, truth, tight):
    found = judge(says, SIZES, assume, grow=BOTH)
    assert found.truth == truth, found.reason
    if tight is not None:
        assert found.tightness.tight is tight
    if truth == "false":
        ratios = found.counterexample.ratios
        assert max(ratios[-1] / ratios[0], ratios[0] / ratios[-1]) > 1.5


def test_one_symbol_written_by_another_with_a_logarithm():
    reals = "[x -> oo, y -> oo]"
    for says, truth in (
        ("x/y == Theta(log(x))", "true"),
        ("x/y == Theta(1)", "false"),
        ("x == Theta(y*log(y)**2)", "false"),
    ):
        assert judge(says, SIZES, ("x == y*log(y)",), grow=reals).truth == truth


def test_the_order_that_would_be_right():
    found = judge("log(n*d) + n == Theta(n)", SIZES, grow=BOTH)
    assert (found.truth, found.corrected) == ("false", "n + log(d)")


def test_a_power_that_is_a_symbol_is_loose_where_it_is_not_zero():
    found = judge("n**a >= Omega(1)", SIZES, grow="n -> oo")
    assert found.truth == "true"
    assert not found.tightness.tight
    assert judge("n**a <= O(1)", SIZES, grow="n -> oo").truth == "false"


RELATED = [
    ("n**2*d <= O(d**2)", ("d >= n**2",), "true", True),
    ("n*d <= O(d**2)", ("d >= n**2",), "true", False),
    ("n**3*d <= O(d**2)", ("d >= n**2",), "false", None),
    ("n**3 + d == Theta(d)", ("d >= 5*n**3",), "true", None),
    ("n**4 + d == Theta(d)", ("d >= 5*n**3",), "false", None),
    ("n + d == Theta(d)", ("n/d <= 1/2",), "true", None),
    ("n + d == Theta(n)", ("n/d <= 1/2",), "false", None),
    ("n + d == Theta(d)", ("d >= a*n",), "true", None),
    ("n*log(n) + d == Theta(d)", ("d >= n*log(n)",), "true", None),
    ("log(n) == Theta(log(d))", ("n <= d", "d <= n**2"), "true", None),
    ("log(n) == Theta(log(d))", ("n <= d",), "false", None),
    ("E(tr(matpow(W @ W.T, 2))) == Theta(n*d**2)", ("d >= n**2",), "true", None),
    ("E(tr(matpow(W @ W.T, 2))) == Theta(n**2*d)", ("d >= n**2",), "false", None),
    ("n*d <= O(n**3 + d**3)", (), "true", False),
    ("n*d <= O(n**2 + d**2)", (), "true", True),
]
EXPONENTIALS = [
    ("n*exp(-d) <= O(n)", (), "true", False),
    ("n*exp(-d) <= O(1)", ("d >= n**2",), "true", False),
    ("n*exp(-d) <= O(1)", (), "false", None),
    ("exp(-sqrt(d)) <= O(1/n**5)", ("n <= d",), "true", False),
    ("2**n*exp(-d) <= O(1)", ("n <= d",), "true", False),
    ("3**n*exp(-d) <= O(1)", ("n <= d",), "false", None),
    ("4**n*exp(-d) == Theta(2**(2*n)*exp(-d))", (), "true", None),
    ("n*exp(-d) + 1/n == Theta(1/n)", ("n <= d",), "true", None),
    ("exp(-a*d)*n**3 <= O(1/d)", ("n <= d",), "true", False),
    ("exp(-n*d) <= O(exp(-n))", (), "true", False),
    ("exp(-n) <= O(exp(-n*d))", (), "false", None),
    ("exp(n)/d <= O(1)", ("d >= n**2",), "false", None),
    ("1 - exp(-d/n) == Theta(1)", (), "false", None),  # d/n need not grow
]


@pytest.mark.parametrize(("says", "assume", "truth", "tight"), RELATED + EXPONENTIALS)
def test_what_is_assumed_of_the_symbols_is_part_of_the_proof(says, assume, truth, tight):
    found = judge(says, SIZES, assume, grow=BOTH)
    assert found.truth == truth, found.reason
    if tight is not None:
        assert found.tightness.tight is tight


PATHS = [
    ("sqrt(n + d) - sqrt(n) == Theta(d/sqrt(n))", "false"),
    ("n*log(1 + d/n) == Theta(d)", "false"),
    ("n*exp(-d) <= O(1)", "false"),
    ("2**n*d <= O(3**n)", "false"),
    ("binomial(n + d, d) <= O(n*d)", "false"),
    ("(1 + 1/n)**d <= O(1)", "false"),
    ("n - d == Theta(n)", "false"),
]


@pytest.mark.parametrize(("says", "truth"), PATHS)
def test_orders_that_fail_along_a_path(says, truth):
    found = judge(says, SIZES, grow=BOTH)
    assert found.truth == truth, found.reason
    if truth == "false":
        sizes = found.counterexample.values
        assert len(sizes["n"]) == len(sizes["d"]) == len(found.counterexample.ratios) > 2


def test_the_sharp_order_beside_an_exponential():
    found = judge("n**3*exp(-2*a*d) <= O(1/d)", SIZES, ("n <= d",), grow=BOTH)
    assert found.tightness.better == "O(n**3*exp(-(2*(a*d))))"
    named = judge("n*2**(-d) <= O(n)", SIZES, grow=BOTH)  # log(2) has no place in the language of exponents
    assert (named.tightness.tight, named.tightness.better) == (False, None)
