"""The rule `point`: which points a context allows."""

from typing import Any

import pytest

from tests.kernel.helpers import outcome, stated

# symbol, a value that is allowed, values that are not with the reasons; the statement is false everywhere.
KINDS: list[tuple[str, Any, list[tuple[Any, str]]]] = [
    ("dimension", 3, [(0, "not-allowed"), (-2, "not-allowed"), ("5/2", "not-allowed")]),
    ("index(n)", 2, [(3, "not-allowed"), (0, "not-allowed"), ("3/2", "not-allowed")]),
    ("integer", -4, [("1/2", "not-allowed"), ([[1]], "accepted"), ([[1, 2]], "data")]),
    ("positive", "1/7", [(0, "not-allowed"), (-1, "not-allowed")]),
    ("interval(0, n)", 2, [(3, "not-allowed"), ("-1/9", "not-allowed")]),
    ("interval(0, oo)", 10**9, [(-1, "not-allowed")]),
    (
        "matrix(n, 3)",
        [[1, 2, 3], [4, 5, 6]],
        [([[1, 2], [3, 4], [5, 6]], "data"), (1, "data"), ([1, 2], "data")],
    ),
    ("vector(n)", [[1], [2]], [([[1, 2]], "data"), ([[1], [2], [3]], "data"), ([[1], [2, 3]], "data")]),
    ("simplex(n)", [["1/3"], ["2/3"]], [([["1/3"], ["1/3"]], "not-allowed"), ([[2], [-1]], "not-allowed")]),
    ("stochastic(2, n)", [[1, 0], ["1/2", "1/2"]], [([[1, 0], [1, 1]], "not-allowed")]),
    ("symmetric(n)", [[1, 2], [2, 1]], [([[1, 2], [3, 1]], "not-allowed")]),
    ("psd(n)", [[1, 1], [1, 1]], [([[1, 2], [2, 1]], "not-allowed"), ([[0, 1], [1, 0]], "not-allowed")]),
    ("psd(n)", [[0, 0], [0, 5]], [([[1, 0], [1, 1]], "not-allowed"), ([[-1, 0], [0, 0]], "not-allowed")]),
    ("orthogonal(n)", [["3/5", "4/5"], ["-4/5", "3/5"]], [([[1, 1], [0, 1]], "not-allowed")]),
]


@pytest.mark.parametrize(("kind", "value", "others"), KINDS, ids=lambda part: str(part)[:20])
def test_a_value_is_of_the_declared_kind(kind: str, value: Any, others: list[tuple[Any, str]]) -> None:
    statement = stated("n == n + 1", {"n": "dimension", "z": kind})
    assert outcome(statement, {"n": 2, "z": value}) == "accepted"
    for other, reason in others:
        assert outcome(statement, {"n": 2, "z": other}) == reason, other


LAWS: list[tuple[str, dict[str, Any], str]] = [
    ("normal(n, std=s)", {"s": 0}, "accepted"),
    ("normal(n, std=s)", {"s": -1}, "not-allowed"),
    ("normal(n, 2, std=1, row_corr=s)", {"s": "-1/2"}, "accepted"),
    ("normal(n, 2, std=1, row_corr=s)", {"s": "-3/5"}, "not-allowed"),
    ("normal(n, 2, std=1, row_corr=s)", {"s": "6/5"}, "not-allowed"),
    ("normal(n, cov=C)", {"C": [[2, 1, 0], [1, 2, 0], [0, 0, 0]]}, "accepted"),
    ("normal(n, cov=C)", {"C": [[1, 2, 0], [2, 1, 0], [0, 0, 1]]}, "not-allowed"),
    ("normal(n, cov=C)", {"C": [[1, 0, 0], [1, 1, 0], [0, 0, 1]]}, "not-allowed"),
    ("uniform(n, 2, s, 1)", {"s": 1}, "accepted"),
    ("uniform(n, 2, s, 1)", {"s": 2}, "not-allowed"),
    ("bernoulli(n, s)", {"s": 1}, "accepted"),
    ("bernoulli(n, s)", {"s": "8/7"}, "not-allowed"),
    ("iid(n, 2, mean=0, var=s)", {"s": 0}, "accepted"),
    ("iid(n, 2, mean=0, var=s)", {"s": "-1/3"}, "not-allowed"),
]


@pytest.mark.parametrize(("law", "values", "expected"), LAWS)
def test_a_law_exists_also_where_nobody_speaks_of_it(law: str, values: dict[str, Any], expected: str) -> None:
    symbols = {"n": "dimension", "s": "real", "C": "matrix(n, n)", "w": law}
    assert outcome(stated("n == n + 1", symbols), {"n": 3, **values}) == expected
    if "C" not in values:
        assert outcome(stated("n == n + 1", symbols), {"n": 3}) == "not-allowed", "its parameter has no value"


SUPPORTS: list[tuple[str, Any, str]] = [
    ("rademacher(2, 1)", [[1], [-1]], "accepted"),
    ("rademacher(2, 1)", [[1], [0]], "not-allowed"),
    ("bernoulli(2, 1/2)", [[1], [0]], "accepted"),
    ("bernoulli(2, 1)", [[1], [0]], "not-allowed"),
    ("bernoulli(2, 0)", [[1], [0]], "not-allowed"),
    ("uniform(2, 1, 0, 3)", [[0], [3]], "accepted"),
    ("uniform(2, 1, 0, 3)", [[0], [4]], "not-allowed"),
    ("normal(2, 1, std=1)", [[100], [0]], "accepted"),
    ("normal(2, 1, std=0)", [[100], [0]], "not-allowed"),
    ("normal(2, 2, std=1, row_corr=1/2)", [[1, 2], [3, 4]], "outside"),
    ("random(2, 1, mean=0)", [[100], [0]], "accepted"),
]


@pytest.mark.parametrize(("law", "value", "expected"), SUPPORTS)
def test_outside_of_means_a_random_symbol_ranges_over_its_support(
    law: str, value: Any, expected: str
) -> None:
    statement = stated("norm(w)**2 + 1 == norm(w)**2", {"w": law})
    assert outcome(statement, {"w": value}) == expected
    assert outcome(statement, {}) == "not-allowed"


ASSUMED: list[tuple[tuple[str, ...], dict[str, Any], str]] = [
    (("x >= 2",), {"x": 2}, "accepted"),
    (("x > 2",), {"x": 2}, "not-allowed"),
    (("x != 2",), {"x": 3}, "accepted"),
    (("x != 2",), {"x": 2}, "not-allowed"),
    (("x in [1, 2]",), {"x": 1}, "accepted"),
    (("x in [1, 2]",), {"x": 3}, "not-allowed"),
    (("x**2 == 2",), {"x": "7/5"}, "not-allowed"),
    (("exp(x) >= 2",), {"x": 1}, "accepted"),
    (("exp(x) <= 2",), {"x": 1}, "not-allowed"),
    (("1/x >= 0",), {"x": 0}, "not-allowed"),
    (("x == 5",), {}, "accepted"),
    (("x == 5",), {"x": 5}, "accepted"),
    (("x == 5",), {"x": 4}, "not-allowed"),
    (("x == y**2", "y >= 3"), {"y": 3}, "accepted"),
    (("x == y**2", "y >= 3"), {"y": 2}, "not-allowed"),
    (("x == y", "y == x"), {}, "not-allowed"),
    (("x == x**2",), {"x": 1}, "accepted"),
    (("x == x**2",), {"x": 2}, "not-allowed"),
    (("x == 1", "x == 2"), {}, "not-allowed"),
    (("p == x",), {"x": -1}, "not-allowed"),  # p is positive
    (("p == x",), {"x": 2}, "accepted"),
    (("p == 1/x",), {"x": 0}, "undefined"),
    (("norm(v) == 1",), {"x": 0, "v": [["3/5"], ["4/5"]]}, "accepted"),
    (("norm(v) == sqrt(2)",), {"x": 0, "v": [[1], [1]]}, "accepted"),
    (("norm(v) == 1",), {"x": 0, "v": [[1], [1]]}, "not-allowed"),
    (("norm(v) == 1",), {"x": 0}, "not-allowed"),  # it speaks of v, which has no value
    (("v >= 0",), {"x": 0, "v": [[1], [0]]}, "accepted"),
    (("v >= 0",), {"x": 0, "v": [[1], [-1]]}, "not-allowed"),
    (("all(v[i] <= i, i, 1, 2)",), {"x": 0, "v": [[1], [2]]}, "accepted"),
    (("all(v[i] <= i, i, 1, 2)",), {"x": 0, "v": [[2], [2]]}, "not-allowed"),
    (("all(v[i] == v[j], i, 1, 2, j, 1, 2, i != j)",), {"x": 0, "v": [[2], [2]]}, "accepted"),
    (("all(v[i] == v[j], i, 1, 2, j, 1, 2, i != j)",), {"x": 0, "v": [[2], [1]]}, "not-allowed"),
    (("E(norm(w)**2) >= x",), {"x": 2}, "accepted"),
    (("E(norm(w)**2) >= x",), {"x": 3}, "not-allowed"),
    (("independent(w[1], w[2])",), {"x": 3}, "outside"),
    (("independent(w[1], u)",), {"x": 3}, "accepted"),  # as the declarations say already
    (("all(x**2 >= eps, eps)",), {"x": 3}, "outside"),
]


@pytest.mark.parametrize(("under", "values", "expected"), ASSUMED, ids=str)
def test_every_assumption_holds_at_the_point(
    under: tuple[str, ...], values: dict[str, Any], expected: str
) -> None:
    symbols = {
        "x": "real",
        "y": "real",
        "p": "positive",
        "v": "vector(2)",
        "w": "normal(2, std=1)",
        "u": "normal(1, std=1)",
        "eps": "real",
    }
    assert outcome(stated("x == x + 1", symbols, under), values) == expected


def test_what_is_declared_beside_must_be_possible() -> None:
    """Two indices that differ need a size of at least 2, an interval needs its ends in order."""
    two = stated("n == n + 1", {"n": "dimension", "i": "index(n)", "j": "index(n)"}, ("i != j",))
    assert outcome(two, {"n": 2, "i": 1, "j": 2}) == "accepted"
    assert outcome(two, {"n": 1, "i": 1, "j": 1}) == "not-allowed"
    assert outcome(two, {"n": 2}) == "not-allowed"
    empty = stated("a == a + 1", {"a": "real", "b": "real", "t": "interval(a, b)"})
    assert outcome(empty, {"a": 0, "b": 1}) == "accepted"
    assert outcome(empty, {"a": 1, "b": 0}) == "not-allowed"
    assert outcome(empty, {"a": 1}) == "not-allowed"
    fewer = stated("n == n + 1", {"n": "dimension", "i": "index(n - 1)"})
    assert outcome(fewer, {"n": 2}) == "accepted"
    assert outcome(fewer, {"n": 1}) == "not-allowed"


def test_equal_dimensions_are_equal() -> None:
    symbols = {"n": "dimension", "m": "dimension", "A": "matrix(n, m)", "B": "matrix(m, n)"}
    statement = stated("A @ A == B", symbols, ("n == m",))
    four = [[1, 1], [1, 1]]
    assert outcome(statement, {"n": 2, "m": 2, "A": four, "B": four}) == "accepted"
    assert outcome(statement, {"m": 2, "A": four, "B": four}) == "accepted"
    assert outcome(statement, {"n": 2, "m": 3, "A": [[1] * 3] * 3, "B": [[1] * 3] * 3}) == "not-allowed"
    assert outcome(statement, {"n": 2, "m": 3, "A": [[1] * 3] * 2, "B": [[1] * 2] * 3}) == "data"


def test_fixed_values_are_kept() -> None:
    statement = stated("n**2 == 3", {"n": "dimension", "x": "real"}, more="    where: {n: 2}")
    assert outcome(statement, {}) == "accepted"
    assert outcome(statement, {"n": 2}) == "accepted"
    assert outcome(statement, {"n": 5}) == "not-allowed"


def test_an_assumption_about_values_says_nothing_of_a_mean() -> None:
    """norm(w) <= 1 would change the law of w: means under it are not computed."""
    symbols = {"w": "normal(2, std=1)"}
    assert outcome(stated("E(norm(w)**2) == 1", symbols), {}) == "accepted"
    assert outcome(stated("E(norm(w)**2) == 1", symbols, ("norm(w) <= 1",)), {"w": [[0], [0]]}) == "outside"
    assert outcome(stated("norm(w) >= 1", symbols, ("norm(w) <= 1",)), {"w": [[0], [0]]}) == "accepted"


def test_a_family_has_all_its_copies() -> None:
    statement = stated("W[1] == W[2]", {"H": "dimension", "W": "rademacher(2, 1, copies=H)"})
    assert outcome(statement, {"H": 2, "W": [[[1], [1]], [[1], [-1]]]}) == "accepted"
    assert outcome(statement, {"H": 3, "W": [[[1], [1]], [[1], [-1]]]}) == "data"
    assert outcome(statement, {"H": 2, "W": [[1], [-1]]}) == "data"
    assert outcome(statement, {"H": 1, "W": [[[1], [1]]]}) == "undefined"
    assert outcome(statement, {"H": 2, "W": [[[1], [1]], [[1], [2]]]}) == "not-allowed"


@pytest.mark.parametrize(
    ("family", "expected"),
    [
        ([[[1, 0], [0, 1]], [[0, 1], [1, 0]]], "accepted"),
        ([[[1, 0], [0, 1]], [[1, 1], [0, 1]]], "not-allowed"),
        ([[[2, 0], [0, 1]], [[0, 1], [1, 0]]], "not-allowed"),
    ],
)
def test_a_norm_of_every_member_of_a_family_is_looked_at(family: Any, expected: str) -> None:
    statement = stated(
        "n == n + 1", {"n": "dimension", "F": "matrix(2, 2, copies=n)"}, ("all(norm(F[k], 2) <= 1, k, 1, n)",)
    )
    assert outcome(statement, {"n": 2, "F": family}) == expected
