"""Points at which a side has no value are left out, and told; what the declarations exclude is not."""

import pytest

from tests.exact.helpers import claim
from verifier.claim.undefined import left_out, nowhere, requirements
from verifier.expr.text import to_text

SYMBOLS = "n: dimension; x: real; a: positive; t: interval(0, 1); v: vector(n); A: matrix(n, n)"
SYMBOLS += "; s: interval(-1/2, 1/2); j: integer"


def told(says: str, assumptions: str = "") -> tuple[str, ...]:
    stated = claim(says, SYMBOLS, assumptions)
    return left_out(stated, stated.steps[0].fact)


@pytest.mark.parametrize(
    ("says", "conditions"),
    [
        ("1/x <= 3", ("x == 0",)),
        ("log(x) <= sqrt(x)", ("x <= 0", "x < 0")),
        ("log(t) <= 0", ("t == 0",)),
        ("x**(-2) >= 0", ("x == 0",)),
        ("x**(1/2) >= 0", ("x < 0",)),
        ("x**(-1/2) >= 0", ("x <= 0",)),
        ("tr(A)/norm(v)**2 <= 1", ("norm(v) == 0",)),
        ("x/(n - 1) <= x", ("n == 1",)),
        ("1/(a*x) <= 1", ("x == 0",)),
        ("sum(1/v[i], i, 1, n) >= 0", ("v[i] == 0",)),
        ("1/(1 - t) <= 3", ("1 - t == 0",)),
        ("1/(1/2 - s) <= 3", ("1/2 - s == 0",)),
        ("1/(2*n - 4) <= 3", ("2*n == 4",)),
        ("log(1 - t**2) <= 3", ("1 - t**2 == 0",)),
        ("1/(s*x - 1) <= 3", ("s*x == 1",)),
        ("1/(x**2 - 2*x + 1) >= 0", ("x**2 - 2*x + 1 == 0",)),
        ("sqrt(x**2 - 2*x) >= 0", ("x**2 - 2*x < 0",)),
        ("log(x**2 - 2*x + 1) <= 3*x**2", ("x**2 - 2*x + 1 <= 0",)),
        ("1/(j**2 - j - 2) <= 3", ("j**2 - j == 2",)),
        ("1/(2*j - 4) <= 3", ("2*j == 4",)),
        ("1/(2*x + 1) <= 3", ("2*x + 1 == 0",)),
        ("1/(x**2 - 2) <= 3", ("x**2 == 2",)),
        ("1/(a**2 - a - 2) <= 3", ("a**2 - a == 2",)),
    ],
)
def test_where_a_side_has_no_value(says: str, conditions: tuple[str, ...]) -> None:
    assert told(says) == conditions


@pytest.mark.parametrize(
    ("says", "assumptions"),
    [
        ("1/(1 + x**2) <= log(1 + a)", ""),
        ("sqrt(t) + log(n)/a >= 0", ""),
        ("sum(exp(A[1, k]), k, 1, n)**(-1) <= 1", ""),
        ("1/x <= 1", "b: x != 0"),
        ("log(x) <= 1", "b: x >= 1"),
        ("1/norm(v) <= 1", "b: norm(v) == 1"),
        ("softmax(A)[1, 1]**(-1) >= 1", ""),
        ("sum(1/q, q, 1, n) >= 1", ""),
        ("1/(2 - t) <= 1", ""),
        ("sqrt(1 - t) + sqrt(1 - t**2) <= 2", ""),
        ("sqrt(n*(n - 1)) <= n", ""),
        ("1/(2*n - 1) <= 1", ""),
        ("1/(n - 1) <= 1", "b: n >= 2"),
        ("1/(x**2 - 2*x + 2) <= 1", ""),
        ("sqrt(x**2 - 2*x + 1) >= 0", ""),
        ("log(x**2 + x + 1) >= -1", ""),
        ("1/(j**2 + j + 1) <= 1", ""),
        ("1/(2*j + 1) <= 1", ""),
        ("1/(j**2 - 2) <= 1", ""),
        ("1/(4*j**2 - 8*j + 3) <= 9", ""),  # its roots are no whole numbers
        ("1/(a**2 + 3*a + 2) <= 1", ""),  # they are negative
        ("1/(t**2 - 5*t + 6) <= 1", ""),  # and beyond 1
        ("1/(1 - x) >= 0", "b: x < 1"),
        ("1/(1 - x) >= 0", "b: 1 > x"),
        ("1/(a - x) >= 0", "b: x < a"),
        ("1/(1 - s) <= 1", ""),
    ],
)
def test_nothing_is_told_where_all_is_defined(says: str, assumptions: str) -> None:
    assert told(says, assumptions) == ()


@pytest.mark.parametrize(
    ("assumptions", "conditions"),
    [
        ("", ("1 - x == 0",)),
        ("b: x <= 1", ("1 - x == 0",)),
        ("b: x >= 1", ("1 - x == 0",)),
        ("b: x < 2", ("1 - x == 0",)),
        ("b: x != 2", ("1 - x == 0",)),
        ("b: x < 1", ()),
        ("b: x > 1", ()),
    ],
)
def test_an_assumption_excludes_a_point_if_it_does(assumptions: str, conditions: tuple[str, ...]) -> None:
    assert told("1/(1 - x) >= 0", assumptions) == conditions


@pytest.mark.parametrize(
    ("says", "found"), [("log(-a) == 1", "log(-a)"), ("sqrt(-1 - x**2) <= 1", "sqrt(-1 - x**2)")]
)
def test_what_has_no_value_anywhere(says: str, found: str) -> None:
    stated = claim(says, SYMBOLS)
    assert nowhere(stated, stated.steps[0].fact) == found
    defined = claim("log(-x) <= sqrt(1 - x**2)", SYMBOLS)
    assert nowhere(defined, defined.steps[0].fact) is None


@pytest.mark.parametrize(
    ("side", "needed"),
    [
        ("n/(a*x) + log(a)", [["a*x > 0", "a*x < 0"]]),  # what a alone asks for is no matter of x
        ("log(x)*sqrt(x + 1)", [["x > 0"], ["x + 1 >= 0"]]),
        ("x**(-2) + x**(3/2) + x**3", [["x > 0", "x < 0"], ["x >= 0"]]),
        ("exp(x) + tanh(x)", []),
        ("x*log(x)", [["x >= 0"]]),
    ],
)
def test_what_a_value_of_one_symbol_needs(side: str, needed: list[list[str]]) -> None:
    fact = claim(f"{side} == 0", SYMBOLS).steps[0].fact
    found = requirements(fact.left, {"x"})  # type: ignore[union-attr]
    assert found is not None
    assert sorted([to_text(one) for one in choice] for choice in found) == sorted(needed)


@pytest.mark.parametrize("side", ["D(abs(x), x)", "asin(x)", "norm(rmsnorm(x*v.T))"])
def test_what_is_not_read(side: str) -> None:
    fact = claim(f"{side} == 0", SYMBOLS).steps[0].fact
    assert requirements(fact.left, {"x"}) is None  # type: ignore[union-attr]
