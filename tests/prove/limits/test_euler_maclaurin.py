"""Orders of sums and of special functions, from the expansions of their terms."""

import pytest
import sympy as sp

from tests.prove.scalars.helpers import judge
from verifier.prove.growth.dominance import leads

SYMBOLS = {"n": "dimension", "a": "positive", "q": "positive", "c": "real"}
N = "n -> oo"

CASES = [
    ("sum(k**a, k, 1, n) == Theta(n**(a + 1))", (), "true", None),
    ("sum(k**a, k, 1, n) == Theta(n**a)", (), "false", None),
    ("sum(1/sqrt(k), k, 1, n) == Theta(sqrt(n))", (), "true", None),
    ("sum(1/sqrt(k), k, 1, n) == Theta(log(n))", (), "false", None),
    ("sum(log(k), k, 1, n) == Theta(n*log(n))", (), "true", None),
    ("sum(log(k), k, 1, n) == Theta(n)", (), "false", None),
    ("sum(1/(k*log(k + 1)), k, 1, n) == Theta(log(log(n + 2)))", (), "true", None),
    ("sum(1/k**2, k, 1, n) == Theta(1)", (), "true", None),
    ("sum(1/k**2, k, 1, n) <= O(log(n))", (), "true", False),
    ("prod(1 + a/k, k, 1, n) == Theta(n**a)", (), "true", None),
    ("prod(1 + a/k, k, 1, n) == Theta(n)", (), "false", None),
    ("log(log(n)) <= O(log(n))", (), "true", False),
    ("1 - Phi(n) == Theta(exp(-n**2/2)/n)", (), "true", None),
    ("1 - Phi(n) == Theta(exp(-n**2/2))", (), "false", None),
    ("sqrt(log(n)) <= O(log(n))", (), "true", False),
    ("exp(sqrt(n)) <= O(n**5)", (), "false", None),
    ("n**log(n) <= O(2**n)", (), "true", False),
    ("-n >= Omega(n)", (), "false", None),
    ("c*n >= Omega(n)", ("c != 0",), "false", None),
    ("c*n == Theta(n)", ("c != 0",), "true", None),
]


@pytest.mark.parametrize(("says", "assume", "truth", "tight"), CASES)
def test_orders_of_sums_and_special_functions(says, assume, truth, tight):
    found = judge(says, SYMBOLS, assume, grow=N)
    assert found.truth == truth, found.reason
    if tight is not None:
        assert found.tightness.tight is tight


n = sp.Symbol("n", integer=True, positive=True)
k = sp.Symbol("k", integer=True)
QUOTIENTS = [
    (sp.Sum(k**3, (k, 1, n)), n**4, sp.Rational(1, 4)),
    (sp.Sum(k * sp.log(k), (k, 1, n)), n**2 * sp.log(n), sp.Rational(1, 2)),
    (sp.Sum(sp.log(k) / k, (k, 1, n)), sp.log(n) ** 2, sp.Rational(1, 2)),
    (sp.Sum(sp.Pow(3, k) * k, (k, 1, n)), sp.Pow(3, n) * n, sp.Rational(3, 2)),
    (sp.factorial(n**2), n ** (2 * n**2) * sp.exp(-(n**2)) * n, sp.sqrt(2 * sp.pi)),
    (1 - sp.erf(n), sp.exp(-(n**2)) / n, 1 / sp.sqrt(sp.pi)),
    (sp.sin(1 / sp.sqrt(n)), 1 / sp.sqrt(n), sp.Integer(1)),
]


@pytest.mark.parametrize(("left", "right", "ratio"), QUOTIENTS)
def test_the_ratio_of_leading_terms(left, right, ratio):
    found = leads(left, right, n, {})
    assert found.order == 0
    assert sp.simplify(found.ratio - ratio) == 0
    assert leads(left, right * n, n, {}).order == -1
    assert leads(left, right / sp.log(n), n, {}).order == 1
