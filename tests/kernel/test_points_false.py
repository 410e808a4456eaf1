"""The rule `point`: both sides have values, and the relation is false."""

import time
from typing import Any

import pytest

from tests.kernel.helpers import checked, outcome, stated
from verifier.kernel.check import check
from verifier.kernel.judgement import Fails, Holds
from verifier.kernel.points.fails import fails_at
from verifier.kernel.proof import Proof
from verifier.kernel.rejected import Rejected

REALS = {"x": "real", "y": "real", "k": "integer", "i": "index(3)", "v": "vector(3)", "A": "matrix(2, 3)"}
A = [[1, 2, 3], [4, 5, 6]]

AT: list[tuple[str, dict[str, Any], str]] = [
    # false, true, undecidable
    ("x**2 >= x", {"x": "1/2"}, "accepted"),
    ("x**2 >= x", {"x": 1}, "not-false"),
    ("x < y", {"x": 1, "y": 1}, "accepted"),
    ("x <= y", {"x": 1, "y": 1}, "not-false"),
    ("x in [0, y]", {"x": 2, "y": 1}, "accepted"),
    ("x in [0, y]", {"x": -1, "y": 1}, "accepted"),
    ("x in [0, y]", {"x": 1, "y": 1}, "not-false"),
    ("x in [0, oo]", {"x": -1}, "accepted"),
    ("exp(x) == exp(x/2)**2", {"x": 1}, "not-false"),  # equal: no enclosure tells them apart
    ("exp(x) <= 2.718281828459045", {"x": 1}, "accepted"),
    ("exp(x) >= 2.718281828459045", {"x": 1}, "not-false"),
    ("sqrt(2)*sqrt(8) == x", {"x": 4}, "not-false"),
    ("sqrt(2) + sqrt(8) == 3*sqrt(2)", {}, "not-false"),
    ("sqrt(2) + sqrt(8) == 4*sqrt(2)", {}, "accepted"),
    ("sqrt(2) + sqrt(3) == sqrt(10)", {}, "accepted"),
    ("A == A[1, 1]", {"A": A}, "accepted"),
    ("A <= 6", {"A": A}, "not-false"),
    ("A.T @ A == A.T @ A + eye(3)", {"A": A}, "accepted"),
    ("norm(A)**2 == 91", {"A": A}, "not-false"),
    ("norm(A)**2 == 90", {"A": A}, "accepted"),
    ("norm(A, 2) <= 9", {"A": A}, "accepted"),
    ("norm(A, 2) <= 95/10", {"A": A}, "accepted"),
    ("norm(A, 2) <= 951/100", {"A": A}, "not-false"),
    ("norm(A, 2) == 2", {"A": [[2, 0, 0], [0, 2, 0]]}, "not-false"),
    ("norm(A, 2) == sqrt(8)", {"A": [[2, 2, 0], [0, 0, 2]]}, "not-false"),
    ("norm(tanh(1)*A[1], 2) == sqrt(14)", {"A": A}, "accepted"),
    ("norm(tanh(1)*A[1], 2) == sqrt(14)*tanh(1)", {"A": A}, "not-false"),
    ("norm(exp(1)*A, 2) == sqrt((91 + sqrt(8065))/2)*exp(1)", {"A": A}, "not-false"),
    ("norm(exp(1)*A, 2) == sqrt((91 + sqrt(8064))/2)*exp(1)", {"A": A}, "accepted"),
    ("norm(v, oo) == 6", {"v": [[1], [-7], [4]]}, "accepted"),
    ("norm(v, oo) == 7", {"v": [[1], [-7], [4]]}, "not-false"),
    ("D(norm(A, 2), A) == 0", {"A": A}, "outside"),
    ("esum(v[j], j, 1, 3, 2) == 39", {"v": [[1], [7], [4]]}, "not-false"),
    ("esum(v[j], j, 1, 3, 2) == 38", {"v": [[1], [7], [4]]}, "accepted"),
    ("esum(v[j], j, 1, 3, 0) == 1", {"v": [[1], [7], [4]]}, "not-false"),
    ("esum(v[j], j, 1, 3, 4) == 1", {"v": [[1], [7], [4]]}, "accepted"),
    ("esum(1/(v[j] - 1), j, 1, 3, 2) == 38", {"v": [[1], [7], [4]]}, "undefined"),
    ("tr(A @ A.T) == 90", {"A": A}, "accepted"),
    ("vec_r(A) == vec_r(A) + kron(ones(2), v)", {"A": A, "v": [[0], [0], [1]]}, "accepted"),
    ("sum(v[j], j, 1, 3, j != i) == 5", {"i": 2, "v": [[1], [7], [4]]}, "not-false"),
    ("sum(v[j], j, 1, 3, j != i) == 6", {"i": 2, "v": [[1], [7], [4]]}, "accepted"),
    ("prod(v[j], j, 1, 3) == 27", {"v": [[1], [7], [4]]}, "accepted"),
    ("softmax(v.T) == softmax(v.T + x) + 1", {"x": 1, "v": [[1], [2], [3]]}, "accepted"),
    ("softmax(v.T) == softmax(v.T + x)", {"x": 1, "v": [[1], [2], [3]]}, "not-false"),
    ("binomial(k, 2) == 11", {"k": 5}, "accepted"),
    ("factorial(k) == 120", {"k": 5}, "not-false"),
    ("factorial(x) == sqrt(pi)", {"x": "1/2"}, "accepted"),
    ("max(x, y) + min(x, y) == x - y", {"x": 2, "y": 3}, "accepted"),
    ("relu(x) + abs(x) == 0", {"x": -2}, "accepted"),
    # a side has no value
    ("1/x == 1", {"x": 0}, "undefined"),
    ("0*(1/x) == 1", {"x": 0}, "undefined"),
    ("0*log(x) <= x", {"x": -1}, "undefined"),  # true where it has a meaning
    ("0*log(x) <= -x", {"x": 1}, "accepted"),
    ("sqrt(x) <= x", {"x": -1}, "undefined"),
    ("x**(1/2) == 1", {"x": -1}, "undefined"),
    ("log(x) == 0", {"x": 0}, "undefined"),
    ("x**k == 5", {"x": 0, "k": -1}, "undefined"),
    ("x**k == 5", {"x": 0, "k": 0}, "accepted"),
    ("asin(x) == 5", {"x": 2}, "undefined"),
    ("factorial(k) == 5", {"k": -1}, "undefined"),
    ("v[k] == v[k] + 1", {"k": 4, "v": [[1], [2], [3]]}, "undefined"),
    ("v[k] == v[k] + 1", {"k": 0, "v": [[1], [2], [3]]}, "undefined"),
    ("0*A[k, 1] == 1", {"k": 3, "A": A}, "undefined"),
    ("A[k] == A[1] + 1", {"k": 2, "A": A}, "accepted"),
    ("rmsnorm(v.T) == v.T", {"v": [[0], [0], [0]]}, "undefined"),
    ("rmsnorm(v.T) == v.T", {"v": [[0], [0], [2]]}, "accepted"),
    ("layernorm(v.T) == v.T", {"v": [[2], [2], [2]]}, "undefined"),
    ("layernorm(v.T) == v.T", {"v": [[0], [0], [2]]}, "accepted"),
    ("sum(1/(j - i), j, 1, 3) == 0", {"i": 2}, "undefined"),
    ("sum(1/(j - i), j, 1, 3, j != i) == 1", {"i": 2}, "accepted"),
    ("sum((1 - eye(3)[i, j])/(j - i), j, 1, 3) == 1", {"i": 2}, "undefined"),
    # slopes
    ("D(x**3, x) == 12", {"x": 2}, "not-false"),
    ("D(x**3, x) == 13", {"x": 2}, "accepted"),
    ("D(relu(x), x) == 2", {"x": 0}, "undefined"),
    ("D(relu(x), x) == 2", {"x": 1}, "accepted"),
    ("D(D(relu(x), x), x) == 1", {"x": 0}, "undefined"),
    ("D(abs(x)*y, y) == 1", {"x": 0, "y": 1}, "undefined"),
    ("D(norm(v), v) == 0", {"v": [[0], [0], [0]]}, "undefined"),
    ("D(norm(v), v) == 0", {"v": [[3], [4], [0]]}, "accepted"),
    ("D(log(x), y) == 1", {"x": -1, "y": 1}, "undefined"),
    # infinity, orders
    ("x < oo", {"x": 1}, "not-false"),
    ("1/x < oo", {"x": 0}, "undefined"),
    ("x == order(1e-1)", {"x": "1/100"}, "accepted"),
    ("x == order(1e-1)", {"x": "36/1000"}, "not-false"),
    ("x == order(1e-1)", {"x": "31/1000"}, "accepted"),
    ("x == order(1e-1)", {"x": "-316/1000"}, "not-false"),
    ("x == order(1e-1)", {"x": "317/1000"}, "accepted"),
    ("x <= order(1e-1)", {"x": "1/1000"}, "not-false"),
    ("x >= order(1e-1)", {"x": "1/1000"}, "accepted"),
    ("x == order(1e-1)", {"x": 0}, "undefined"),
    ("sqrt(x) == order(1e1, 1e2)", {"x": 10}, "not-false"),  # 10**(1/2) rounds up
    ("sqrt(x) == order(1e1, 1e2)", {"x": 9}, "accepted"),
    ("exp(x) == order(1e1, 1e2)", {"x": 6}, "accepted"),
    ("order(1e-3, 1e-2)*order(1e-1) == order(1e-4)", {}, "accepted"),
    ("order(1e-3, 1e-2)*order(1e-1) == order(1e-4, 1e-3)", {}, "not-false"),
    # beyond the rule
    ("limit(x/y, x, oo) == 1", {"y": 1}, "outside"),
    ("sup(sin(x), x) == 2", {}, "not-allowed"),
    ("x <= O(y)", {"x": 5, "y": 1}, "not-false"),
    ("sum(j, j, 1, 1000000000) == 1", {}, "too-large"),
]


@pytest.mark.parametrize(("says", "values", "expected"), AT, ids=lambda part: str(part)[:50])
def test_a_relation_at_a_point(says: str, values: dict[str, Any], expected: str) -> None:
    assert outcome(stated(says, REALS), values) == expected


RANDOM = {
    "n": "dimension",
    "W": "normal(n, 2, std=s)",
    "s": "positive",
    "m": "normal(3, mean=s, std=2)",
    "R": "normal(3, 2, std=s, row_corr=1/2)",
    "C": "psd(2)",
    "c": "normal(2, cov=C)",
    "e": "rademacher(3, 1)",
    "b": "bernoulli(3, 1/3)",
    "u": "uniform(2, 1, 0, s)",
    "q": "iid(2, 1, mean=s, var=3)",
    "z": "random(2, 1, mean=s)",
    "F": "normal(2, 1, std=1, copies=n)",
    "X": "matrix(2, n)",
}
MEANS: list[tuple[str, dict[str, Any], str]] = [
    ("E(norm(W)**2) == {}", {"n": 3, "s": 2}, "24"),
    ("E(norm(W)**4) == {}", {"n": 3, "s": 2}, "768"),
    ("Var(norm(W)**2) == {}", {"n": 3, "s": 2}, "192"),
    ("E(W[1, 1]**6) == {}", {"n": 3, "s": 1}, "15"),
    ("E(m[1]**4) == {}", {"s": 1}, "73"),
    ("E(R[1, 1]*R[2, 1]) == {}", {"s": 2}, "2"),
    ("E(R[1, 1]*R[2, 2]) == {}", {"s": 2}, "0"),
    ("E(R[1, 1]**2*R[2, 1]**2) == {}", {"s": 1}, "3/2"),
    ("E(c[1]**2*c[2]**2) == {}", {"C": [[2, 1], [1, 3]]}, "8"),
    ("E(abs(sum(e[i], i, 1, 3))) == {}", {}, "3/2"),
    ("E(1/(1 + b[1])) == {}", {}, "5/6"),
    ("E(max(b[1], b[2])) == {}", {}, "5/9"),
    ("E(b[1]**5) == {}", {}, "1/3"),
    ("E(u[1]**3) == {}", {"s": 2}, "2"),
    ("E(q[1]**2*q[2]) == {}", {"s": 2}, "14"),
    ("E(z) == {}*ones(2)", {"s": 2}, "2"),
    ("E(inner(F[1], F[2])**2) == {}", {"n": 2}, "2"),
    ("E(W[1, 1]*E(W[1, 1]*W[1, 1])) == {}", {"n": 2, "s": 1}, "0"),
    ("E(E(norm(W)**2, given=m)*m[1]) == {}", {"n": 2, "s": 1}, "4"),
    ("Cov(X.T @ W[1].T, X.T @ W[1].T)[1, 2] == {}", {"n": 2, "s": 1, "X": [[1, 2], [3, 4]]}, "14"),
    ("E(norm(D(X @ W, W))**2) == {}", {"n": 2, "s": 1, "X": [[1, 2], [3, 4]]}, "60"),
]


@pytest.mark.parametrize(("says", "values", "mean"), MEANS, ids=lambda part: str(part)[:40])
def test_means_are_exact(says: str, values: dict[str, Any], mean: str) -> None:
    """The true value is not refuted, another one is, and both exactly."""
    assert outcome(stated(says.format(mean), RANDOM), values) == "not-false"
    wrong = stated(says.format(f"({mean} + 1/1000)"), RANDOM)
    assert checked(wrong, {"point": values, "exact": True}).exact


OPEN: list[tuple[str, dict[str, Any], str]] = [
    ("E(q[1]**3) == 1", {"s": 1}, "outside"),  # not stated
    ("E(z[1]**2) == 1", {"s": 1}, "outside"),
    ("E(z[1]*z[2]) == 2", {"s": 1}, "outside"),
    ("E(relu(W[1, 1])) == 1", {"n": 1, "s": 1}, "accepted"),
    ("E(1/W[1, 1]) == 1", {"n": 1, "s": 1}, "no-mean"),
    ("E(0/W[1, 1]) == 1", {"n": 1, "s": 1}, "accepted"),  # it is 0 almost surely
    ("E(0*log(W[1, 1])) == 1", {"n": 1, "s": 1}, "no-mean"),
    ("E(sqrt(W[1, 1])**2) == 1", {"n": 1, "s": 1}, "no-mean"),
    ("0*E(exp(W[1, 1]**2)) == 1", {"n": 1, "s": 1}, "no-mean"),  # perhaps there is no such mean
    ("0*E(W[1, 1]**2) == 1", {"n": 1, "s": 1}, "accepted"),
    ("E(1/e[1]) == 1", {}, "accepted"),
    ("E(1/b[1]) == 1", {}, "undefined"),
    ("E(0/b[1]) == 1", {}, "undefined"),
    ("E(norm(W)) == 1", {"n": 1, "s": 1}, "accepted"),
    ("norm(W)**2 == E(norm(W)**2)", {"n": 1, "s": 1, "W": [[1, 0]]}, "accepted"),
    ("norm(W)**2 == E(norm(W)**2)", {"n": 1, "s": 1}, "not-allowed"),
    ("E(norm(W)**2, given=W) == 2", {"n": 1, "s": 1, "W": [[1, 2]]}, "accepted"),
    ("E(norm(W)**2, given=W) == 5", {"n": 1, "s": 1, "W": [[1, 2]]}, "not-false"),
    ("E(norm(W)**2) == oo", {"n": 1, "s": 1}, "accepted"),
    ("E(norm(W)**2) < oo", {"n": 1, "s": 1}, "not-false"),
    ("E(W[3, 1]) == 1", {"n": 2, "s": 1}, "undefined"),
    ("E(norm(W)**2) == 1", {"n": 10**6, "s": 1}, "too-large"),
    ("E(norm(W)**40) == 1", {"n": 5, "s": 1}, "too-large"),
]


@pytest.mark.parametrize(("says", "values", "expected"), OPEN, ids=lambda part: str(part)[:40])
def test_means_that_the_rule_does_or_does_not_know(says: str, values: dict[str, Any], expected: str) -> None:
    assert outcome(stated(says, RANDOM), values) == expected


FAIR = [["1/2", [[1], [1]]], ["1/2", [[-1], [-1]]]]
LAWS: list[tuple[str, Any, str]] = [
    ("E(z[1]*z[2]) == 0", {"z": FAIR}, "accepted"),
    ("E(z[1]*z[2]) == 1", {"z": FAIR}, "not-false"),
    ("E(abs(z[1])) == 2", {"z": FAIR}, "accepted"),
    ("E(1/(z[1] - 1)) == 2", {"z": FAIR}, "undefined"),
    ("E(z[1]*z[2]) == 0", {"z": [[1, [[1], [1]]]]}, "not-allowed"),  # another mean
    ("E(z[1]*z[2]) == 0", {"z": [["1/2", [[1], [1]]]]}, "not-allowed"),  # chances
    ("E(z[1]*z[2]) == 0", {"z": [["3/2", [[0], [0]]], ["-1/2", [[0], [0]]]]}, "not-allowed"),
    ("E(z[1]*z[2]) == 0", {"z": []}, "not-allowed"),
    ("E(z[1]*z[2]) == 0", {"z": [[1, [[0, 0]]]]}, "data"),
    ("E(z[1]*z[2]) == 0", {"z": [[1, 0]]}, "data"),
    ("E(z[1]*z[2]) == 0", {"z": 1}, "data"),
    ("E(z[1]*z[2]) == 0", {"z": [[1, 2, 3]]}, "data"),
    ("E(z[1]*z[2]) == 0", {"nobody": [[1, 0]]}, "data"),
    ("E(w[1]) == 1", {"w": [[1, [[1], [1]]]]}, "data"),  # its law is declared
    ("E(q[1]**4) == 5", {"q": [["1/2", 2], ["1/2", -2]]}, "accepted"),
    ("E(q[1]**4) == 16", {"q": [["1/2", 2], ["1/2", -2]]}, "not-false"),
    ("E(abs(q[1] + q[2])) == 1", {"q": [["1/2", 2], ["1/2", -2]]}, "accepted"),  # it is 2
    ("E(abs(q[1] + q[2])) == 2", {"q": [["1/2", 2], ["1/2", -2]]}, "not-false"),
    ("E(q[1]**4) == 5", {"q": [["1/2", 1], ["1/2", -1]]}, "not-allowed"),  # another variance
    ("E(q[1]**4) == 5", {"q": [[1, [[1], [1]]]]}, "data"),
]


@pytest.mark.parametrize(("says", "laws", "expected"), LAWS, ids=lambda part: str(part)[:40])
def test_a_law_that_is_left_open_may_be_chosen(says: str, laws: Any, expected: str) -> None:
    symbols = {"z": "random(2, 1, mean=0)", "q": "iid(2, 1, mean=0, var=4)", "w": "normal(2, std=1)"}
    statement = stated(says, symbols)
    try:
        found = "accepted" if checked(statement, {"point": {}, "laws": laws, "exact": True}) else ""
    except Rejected as rejected:
        found = rejected.reason
    assert found == expected


def test_assumptions_about_an_open_law_are_computed_for_the_chosen_one() -> None:
    statement = stated("E(norm(z)**2) <= 1", {"z": "random(2, 1)"}, ("Cov(z, z) == ones(2, 2)",))
    assert checked(statement, {"point": {}, "laws": {"z": FAIR}}).is_proof
    for law in ([[1, [[1], [1]]]], [["1/2", [[1], [-1]]], ["1/2", [[-1], [1]]]]):
        with pytest.raises(Rejected) as caught:
            checked(statement, {"point": {}, "laws": {"z": law}})
        assert caught.value.reason == "not-allowed"
    assert outcome(statement, {}) == "outside"


HOSTILE: list[Any] = [
    None,
    [],
    {"x": "nan"},
    {"x": "inf"},
    {"x": 0.5},
    {"x": True},
    {"x": "1/0"},
    {"x": "1e5"},
    {"x": "१"},
    {"x": "9" * 10_000},
    {"x": 10**5000},
    {"x": None},
    {"x": {"y": 1}},
    {"x": [[[[[[1]]]]]]},
    {"x": []},
    {"x": [[]]},
    {"x": [[1] * 300] * 300},
    {"nobody": 1},
    {"%1": 1},
    {"j": 1},
    {"f": 1},
    {1: 1},
    {f"x{k}": 1 for k in range(1000)},
]


@pytest.mark.parametrize("point", HOSTILE, ids=range(len(HOSTILE)))
def test_points_that_are_none_are_refused_soon(point: Any) -> None:
    statement = stated("sum(x, j, 1, 3) == 1 + f(x)", {"x": "real", "f": "function(1)"})
    started = time.process_time()
    assert outcome(statement, point) == "data"
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("says", "values"),
    [
        ("x**y**2 <= 1", {"x": 3, "y": 10**90}),
        ("exp(exp(exp(x))) <= 1", {"x": 10**50}),
        ("x**k <= 1", {"x": 3, "k": 10**30}),
    ],
)
def test_huge_numbers_end(says: str, values: dict[str, Any]) -> None:
    started = time.process_time()
    assert outcome(stated(says, REALS), values) in ("accepted", "not-false", "too-large")
    assert time.process_time() - started < 5


def test_the_form_of_a_step() -> None:
    context, fact = stated("x**2 >= x", REALS)
    good = {"point": {"x": "1/2"}}
    assert checked((context, fact), good).exact is False
    assert checked((context, fact), {**good, "exact": True}).exact is True
    for data, reason in (
        ({}, "data"),
        ({**good, "more": 1}, "data"),
        ({**good, "exact": "yes"}, "data"),
    ):
        with pytest.raises(Rejected) as caught:
            checked((context, fact), data)
        assert caught.value.reason == reason
    steps = (
        (Proof("point", Holds(fact), (), good), "statement"),
        (Proof("point", Fails(fact), (Proof("trust", Holds(fact), (), {"site": "t"}),), good), "premises"),
    )
    for proof, reason in steps:
        with pytest.raises(Rejected) as caught:
            check(context, proof, proof.conclusion)
        assert caught.value.reason == reason


def test_exact_is_claimed_only_where_it_is() -> None:
    statement = stated("exp(x) <= 2", REALS)
    assert checked(statement, {"point": {"x": 1}}).exact is False
    with pytest.raises(Rejected) as caught:
        checked(statement, {"point": {"x": 1}, "exact": True})
    assert caught.value.reason == "data"
    roots = stated("sqrt(2) <= x", REALS)
    assert checked(roots, {"point": {"x": "141/100"}, "exact": True}).exact


def test_the_evidence_shows_both_sides() -> None:
    found = fails_at(*stated("A <= 5", REALS), {"point": {"A": A}})
    assert (found.left, found.op, found.right, found.entry, found.exact) == ("6", "<=", "5", (2, 3), True)
    found = fails_at(*stated("exp(x) <= 2", REALS), {"point": {"x": 1}})
    assert found.left.startswith("[2.718281")
    assert (found.right, found.entry, found.exact) == ("2", None, False)


GROWTH: list[tuple[str, dict[str, Any], str]] = [
    ("x <= O(y)", {"x": 1, "y": 0}, "accepted"),
    ("x <= O(y)", {"x": 0, "y": 0}, "not-false"),
    ("x <= O(y)", {"x": 10**9, "y": 1}, "not-false"),
    ("x <= O(y)", {"x": 0, "y": 1}, "not-false"),
    ("x <= O(1/y)", {"x": 1, "y": 0}, "undefined"),
    ("exp(x) - exp(x) + y == O(x - 1)", {"x": 1, "y": 0}, "not-false"),
    ("x == Theta(y)", {"x": 1, "y": 0}, "accepted"),
    ("x == Theta(y)", {"x": 0, "y": 1}, "accepted"),
    ("x == Theta(y)", {"x": 0, "y": 0}, "not-false"),
    ("x == Theta(y)", {"x": -1, "y": 7}, "not-false"),
    ("x == Theta(log(y))", {"x": 0, "y": 0}, "undefined"),
    ("x >= Omega(y)", {"x": 0, "y": 1}, "accepted"),
    ("x >= Omega(y)", {"x": -1, "y": 1}, "accepted"),
    ("x >= Omega(y)", {"x": 0, "y": 0}, "not-false"),
    ("x >= Omega(y)", {"x": 1, "y": 0}, "not-false"),
    ("norm(v) == Theta(1)", {"v": [[0], [0], [0]]}, "accepted"),
]


@pytest.mark.parametrize(("says", "values", "expected"), GROWTH)
def test_growth_for_all_values_is_false_where_one_side_is_0(
    says: str, values: dict[str, Any], expected: str
) -> None:
    assert outcome(stated(says, REALS), values) == expected


def test_growth_of_what_grows_is_not_false_at_a_point() -> None:
    statement = stated("n - 1 == Theta(n)", {"n": "dimension"}, more="    as: n -> oo")
    assert outcome(statement, {"n": 1}) == "outside"
    assert outcome(stated("n - 1 == Theta(n)", {"n": "dimension"}), {"n": 1}) == "accepted"
    bounded = stated("x <= O(1)", {"x": "real"}, ("x <= 3",))
    assert outcome(bounded, {"x": 5}) == "not-allowed"


BOUNDED: list[tuple[str, tuple[str, ...], Any, str]] = [
    (
        "E(z[1]**2) <= 1/2",
        ("all(z[i] <= 1, i, 1, 2)",),
        {"z": [["1/2", [[1], [0]]], ["1/2", [[-1], [0]]]]},
        "",
    ),
    ("E(z[1]**2) <= 1/2", ("norm(z) <= 1",), {"z": [["1/2", [[1], [0]]], ["1/2", [[-1], [0]]]]}, ""),
    (
        "E(z[1]**2) <= 1/2",
        ("norm(z) < 1",),
        {"z": [["1/2", [[1], [0]]], ["1/2", [[-1], [0]]]]},
        "not-allowed",
    ),
    ("E(z[1]**2) <= 1/2", ("z >= -2",), {"z": [["3/4", [[1], [0]]], ["1/4", [[-3], [0]]]]}, "not-allowed"),
    (
        "E(z[1]**2) <= 1/2",
        ("1/z[1] <= 2",),
        {"z": [["1/2", [[0], [1]]], ["1/2", [[0], [-1]]]]},
        "not-allowed",
    ),
    ("E(z[1]**2) <= 1/2", ("z[1] <= w[1]",), {"z": [["1", [[0], [0]]]]}, "not-allowed"),
    ("E(q[1]**2) <= 3", ("q[1] <= 2",), {"q": [["1/2", 2], ["1/2", -2]]}, ""),
    ("E(q[1]**2) <= 3", ("q[1] <= q[2]",), {"q": [["1/2", 2], ["1/2", -2]]}, "not-allowed"),
    ("E(q[1]**2) <= 3", ("q[1]**2 == 4",), {"q": [["1/8", 4], ["3/4", 0], ["1/8", -4]]}, "not-allowed"),
]


@pytest.mark.parametrize(("says", "under", "laws", "reason"), BOUNDED, ids=lambda part: str(part)[:30])
def test_an_assumption_holds_at_every_outcome_of_a_chosen_law(
    says: str, under: tuple[str, ...], laws: Any, reason: str
) -> None:
    symbols = {"z": "random(2, 1, mean=0)", "q": "iid(2, 1, mean=0, var=4)", "w": "normal(2, std=1)"}
    try:
        checked(stated(says, symbols, under), {"point": {}, "laws": laws, "exact": True})
        found = ""
    except Rejected as rejected:
        found = rejected.reason
    assert found == reason


QUADRATIC = {"value": "1", "slope": [["2"], ["0"]], "curve": [["1"], ["-1"]]}  # 1 + 2x + (x**2 - y**2)/2
FUNCTIONS: list[tuple[str, dict[str, Any], str]] = [
    ("f(v) == 5", {"f": QUADRATIC}, "not-false"),  # at (2, 2)
    ("f(v) == 4", {"f": QUADRATIC}, "accepted"),
    ("D(f(v), v) == [4, -2]", {"f": QUADRATIC}, "not-false"),
    ("D(f(a*v), a) == norm(v)**2", {"f": QUADRATIC}, "accepted"),
    ("E(f(w)) == f(E(w))", {"f": QUADRATIC}, "not-false"),
    ("E(f(w)**2) == E(f(w))**2", {"f": QUADRATIC}, "accepted"),
    ("f(v) == 5", {}, "outside"),
    ("f(v) == 4", {"g": QUADRATIC}, "data"),
    ("f(v) == 4", {"v": QUADRATIC}, "data"),
    ("f(v) == 4", {"f": {**QUADRATIC, "slope": [["2", "0"]]}}, "data"),  # another shape
    ("f(v) == 4", {"f": {**QUADRATIC, "slope": [["2"], ["0"], ["0"]], "curve": [["1"]] * 3}}, "data"),
    ("f(v) == 4", {"f": {**QUADRATIC, "value": "sqrt(2)"}}, "data"),
    ("f(v) == 4", {"f": {"value": "1"}}, "data"),
    ("f(v) == 4", {"f": "1"}, "data"),
]


@pytest.mark.parametrize(("says", "functions", "expected"), FUNCTIONS, ids=lambda part: str(part)[:40])
def test_a_declared_function_may_be_quadratic(says: str, functions: dict[str, Any], expected: str) -> None:
    symbols = {"f": "function(2)", "v": "vector(2)", "a": "positive", "w": "normal(2, std=1)"}
    says = says.replace("[4, -2]", "4*eye(2)[1] - 2*eye(2)[2]")
    data = {"point": {"v": [["2"], ["2"]], "a": "1"}, "functions": functions}
    try:
        found = "accepted" if checked(stated(says, symbols), data).is_proof else ""
    except Rejected as rejected:
        found = rejected.reason
    assert found == expected
