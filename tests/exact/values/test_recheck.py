"""Counterexamples are believed only at allowed points, in exact or interval arithmetic."""

from fractions import Fraction
from typing import Any

import pytest

from tests.exact.helpers import claim
from verifier.exact.values.compare_at_point import compare
from verifier.exact.values.recheck import Rechecked, admissible, recheck
from verifier.read.specs.load import load_text


def checked(says: str, symbols: str, point: dict[str, Any], assumptions: str = "") -> Rechecked:
    stated = claim(says, symbols, assumptions)
    return recheck(stated, stated.steps[0].fact, point)


SQUARE = "n: dimension; A: matrix(n, n); B: matrix(n, n)"


def test_an_exact_counterexample_is_proved() -> None:
    point = {"n": 2, "A": ((0, 1), (0, 0)), "B": ((0, 0), (1, 0))}
    found = checked("A @ B == B @ A", SQUARE, point)
    assert (found.outcome, found.grade) == ("false", "proved")
    assert found.counterexample is not None
    assert (found.counterexample.lhs_exact, found.counterexample.rhs_exact) == ("1", "0")
    assert found.counterexample.values["A"] == [[0, 1], [0, 0]]
    assert checked("tr(A @ B) == tr(B @ A)", SQUARE, point).outcome == "true"


def test_enclosures_apart_are_certified() -> None:
    point = {"n": 2, "A": ((1, 2), (0, 1)), "B": ((0, 0), (1, 0))}
    found = checked("norm(A) <= norm(A, 2)", SQUARE, point)
    assert (found.outcome, found.grade) == ("false", "certified")
    assert checked("norm(A, 2) <= norm(A)", SQUARE, point).outcome == "true"


def test_a_close_call_takes_more_bits() -> None:
    fact = claim("exp(pi*sqrt(163)) < 262537412640768744").steps[0].fact
    assert compare(fact, {}).outcome == "true"
    fact = claim("exp(pi*sqrt(163)) >= 262537412640768744").steps[0].fact
    assert compare(fact, {}).outcome == "false"


def test_an_equality_that_only_enclosures_could_show_is_undecided() -> None:
    fact = claim("sqrt(5 + 2*sqrt(6)) == sqrt(2) + sqrt(3)").steps[0].fact
    assert compare(fact, {}).outcome == "undecided"


@pytest.mark.parametrize(
    ("says", "x", "outcome"),
    [("1/x <= 3", 0, "undefined"), ("log(x) <= 3", -1, "undefined"), ("1/x <= 3", Fraction(1, 4), "false")],
)
def test_undefined_points_break_nothing(says: str, x: Any, outcome: str) -> None:
    assert checked(says, "x: real", {"x": x}).outcome == outcome


@pytest.mark.parametrize(
    ("symbol", "good", "bad"),
    [
        ("v: simplex(3)", (Fraction(1, 2), Fraction(1, 2), 0), (Fraction(1, 2), Fraction(1, 2), 1)),
        ("v: stochastic(2, 2)", ((1, 0), (Fraction(1, 3), Fraction(2, 3))), ((1, 0), (2, -1))),
        ("v: symmetric(2)", ((1, 2), (2, 5)), ((1, 2), (3, 5))),
        ("v: psd(2)", ((1, 2), (2, 4)), ((1, 2), (2, 3))),
        (
            "v: orthogonal(2)",
            ((Fraction(3, 5), Fraction(4, 5)), (Fraction(-4, 5), Fraction(3, 5))),
            ((1, 1), (1, -1)),
        ),
        ("v: rademacher(2, 1)", (1, -1), (1, 0)),
        ("v: uniform(2, 1, 0, 1)", (0, Fraction(1, 2)), (0, 2)),
        ("v: interval(0, 1)", Fraction(1, 2), 2),
        ("v: positive", 1, 0),
        ("v: dimension", 1, 0),
        ("v: integer", -3, Fraction(1, 2)),
        ("v: vector(3)", (1, 2, 3), (1, 2)),
    ],
)
def test_declarations_bound_the_points(symbol: str, good: Any, bad: Any) -> None:
    stated = claim("norm(v) < 0", symbol)
    assert admissible(stated, {"v": good}).outcome == "true"
    assert admissible(stated, {"v": bad}).outcome == "false"
    assert recheck(stated, stated.steps[0].fact, {"v": good}).outcome == "false"
    assert recheck(stated, stated.steps[0].fact, {"v": bad}).outcome != "false"


def test_a_spectral_norm_that_is_rational_is_exact() -> None:
    point = {"n": 3, "A": ((0, 1, 0), (1, 0, 0), (0, 0, 1)), "B": ((2, 0, 0), (0, 2, 0), (0, 0, 1))}
    assert checked("norm(A, 2) == 1", SQUARE, point).outcome == "true"
    assert checked("norm(B, 2) <= 2", SQUARE, point).outcome == "true"
    assert checked("norm(B, 2) < 2", SQUARE, point).outcome == "false"
    assert checked("norm(A + B, 2) <= 3", SQUARE, point).outcome == "true"
    assert checked("norm(A + B, 2) <= 2.999", SQUARE, point).outcome == "false"


def test_a_spectral_norm_is_enclosed_where_entries_are_roots() -> None:
    # sqrt(3) over the length of the centred x, times a projection of rank one.
    point = {"x": ("-1.045", "0.5323", "0.5127"), "d": 3}
    point["x"] = tuple(Fraction(entry) for entry in point["x"])
    size = "norm(x - ones(d)*sum(x[i], i, 1, d)/d)"
    symbols = "d: dimension; x: vector(d)"
    jacobian = "norm(D(layernorm(x.T), x), 2)"
    assert checked(f"{jacobian} <= 1.74/{size}", symbols, point).outcome == "true"
    assert checked(f"{jacobian} <= 1.73/{size}", symbols, point).outcome == "false"


def test_assumptions_bound_the_points() -> None:
    constraint = "unit: norm(v) == 1"
    assert checked("v[1] <= 1/2", "v: vector(2)", {"v": (1, 0)}, constraint).outcome == "false"
    assert checked("v[1] <= 1/2", "v: vector(2)", {"v": (2, 0)}, constraint).outcome != "false"
    small = "small: all(v[i] <= 1, i, 1, 2)"
    assert checked("v[1] <= 1/2", "v: vector(2)", {"v": (1, 1)}, small).outcome == "false"
    assert checked("v[1] <= 1/2", "v: vector(2)", {"v": (1, 2)}, small).outcome != "false"


def test_a_replaced_symbol_keeps_its_declaration() -> None:
    symbols = "a: interval(0, 1); b: positive"
    assert checked("1/b <= 1/2", symbols, {"b": 1}, "inverse: a == 1/b").outcome == "false"
    assert checked("1/b <= 1", symbols, {"b": Fraction(1, 2)}, "inverse: a == 1/b").outcome != "false"


def test_a_replaced_symbol_is_shown_with_its_value() -> None:
    found = checked("b <= 1", "s: positive; b: positive", {"s": 0, "b": 2}, "unit: s == 1")
    assert found.counterexample is not None
    assert found.counterexample.values == {"s": 1, "b": 2}
    found = checked(
        "norm(x) <= 1", "X: vector(2); x: vector(2)", {"X": (0, 0), "x": (2, 0)}, "twice: X == 2*x"
    )
    assert found.counterexample is not None
    assert found.counterexample.values == {"x": [2, 0]}


def test_ranges_name_the_end_that_was_crossed() -> None:
    found = checked("x in [0, 1]", "x: real", {"x": 2})
    assert found.counterexample is not None
    assert found.counterexample.rhs_exact == "1"
    found = checked("x in [0, oo]", "x: real", {"x": -2})
    assert found.counterexample is not None
    assert found.counterexample.rhs_exact == "0"


@pytest.mark.parametrize(
    ("says", "symbols", "none", "some"),
    [
        (
            "E((X[1, 1] + X[2, 1] + X[3, 1])**2) >= 1",
            "r: real; X: normal(3, 2, row_corr=r)",
            {"r": -1},
            {"r": Fraction(-1, 2)},
        ),
        ("E(x**2) >= 5", "s: real; x: normal(std=s)", {"s": -1}, {"s": 1}),
        ("E(x**2) >= 1", "v: real; x: iid(mean=0, var=v)", {"v": -1}, {"v": 0}),
        ("Var(x) >= 1", "p: real; x: bernoulli(p)", {"p": 2}, {"p": Fraction(1, 3)}),
        ("E(x) >= b", "a: real; b: real; x: uniform(a, b)", {"a": 2, "b": 1}, {"a": 0, "b": 1}),
        (
            "E((x[1] + x[2])**2) >= 1",
            "C: symmetric(2); x: normal(2, cov=C)",
            {"C": ((1, -2), (-2, 1))},
            {"C": ((1, -1), (-1, 1))},
        ),
    ],
)
def test_a_point_where_a_law_does_not_exist_breaks_nothing(
    says: str, symbols: str, none: dict[str, Any], some: dict[str, Any]
) -> None:
    assert checked(says, symbols, none).outcome == "unsupported"
    assert checked(says, symbols, some).outcome == "false"


@pytest.mark.parametrize(
    ("symbols", "assumed", "allowed", "refused"),
    [
        ("i: index(n); h: index(n)", "a: i != h", 2, 1),
        ("p: simplex(n)", "a: norm(p)**2 <= 1/4", 5, 3),
        ("U: orthogonal(n)", "a: norm(U) <= 2", 3, 5),
        ("X: matrix(n, n)", "a: norm(X) == 1", 1, None),
        ("x: interval(3, n)", "", 3, 2),
    ],
)
def test_symbols_that_a_point_leaves_out_must_have_values(
    symbols: str, assumed: str, allowed: int, refused: int | None
) -> None:
    stated = claim("n == 0", f"n: dimension; {symbols}", assumed)
    assert admissible(stated, {"n": allowed}).outcome == "true"
    if refused is not None:
        assert admissible(stated, {"n": refused}).outcome != "true"


def test_a_value_that_the_claim_fixes_bounds_the_point() -> None:
    text = "theorem: t/one\nsymbols: {n: dimension, i: index(n)}\nclaims:\n  a: {says: n >= 5, where: {i: 3}}"
    (stated,) = load_text(text, "one.yaml").claims
    assert admissible(stated, {"n": 3}).outcome == "true"
    assert admissible(stated, {"n": 2}).outcome == "false"
