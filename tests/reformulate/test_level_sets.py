"""Assumed equations built into symbols: every free point solves them, and no solution is left out."""

from dataclasses import replace
from fractions import Fraction

import pytest

from verifier.claim.model import Claim
from verifier.exact.numbers.constants import enclose
from verifier.exact.values.compare_at_point import compare
from verifier.exact.values.evaluate import evaluate
from verifier.exact.values.point_context import Context
from verifier.expr.text import to_text
from verifier.read.specs.load import load_text
from verifier.reformulate.function_families import Instance
from verifier.reformulate.level_sets import on_level_sets

SPEC = """
theorem: toy/level-sets
symbols: {n: dimension, x: real, y: real, a: positive, b: positive, c: positive, t: "interval(0, 1)",
  v: vector(n), u: vector(n), S: symmetric(n), M: "matrix(n, n)", P: psd(n), p: simplex(n), g: "normal(n)"}
assumptions: {%s}
claims:
  c: {says: "%s"}
"""
FREE = {
    "n": 2,
    "x": Fraction(-2, 3),
    "y": 3,
    "a": Fraction(5, 2),
    "b": 7,
    "c": Fraction(1, 3),
    "v": [[3], [-1]],
    "S": [[1, -2], [-2, 5]],
    "P": [[2, 1], [1, 3]],
}


def instance(assumptions: str, says: str = "a >= 0") -> Instance | None:
    claim = written(assumptions, says)
    return on_level_sets(claim, claim.steps[0])


def written(assumptions: str, says: str = "a >= 0") -> Claim:
    """The claim with its equations as they stand in the text, none of them solved."""
    (claim,) = load_text(SPEC % (assumptions, says), "level-sets.yaml").claims
    facts = tuple(replace(item, fact=item.written or item.fact) for item in claim.assumptions)
    return replace(claim, assumptions=facts)


@pytest.mark.parametrize(
    "equation",
    [
        "x + y == 1",
        "x*y == 1",
        "a*b*c == 2",
        "c == a + b",
        "a + b + c == 1",
        "2*a + 3*b == 6",
        "x**2 + y**2 == 1",
        "a*b + b*c + c*a == 3",
        "1/a + 1/b == 1",
        "1 == sqrt(a) + sqrt(b)",
        "a**3 + b**3 == n",
        "norm(v, 1) == 1",
        "ones(n).T @ v == n",
        "sum(v[i], i, 1, n) == 0",
        "sum(v[i], i, 1, n)/n == 0",
        "norm(S) == 1",
        "tr(S) == 0",
        "tr(P) == 1",
        "norm(v, 1)**2 == a",
    ],
)
def test_every_free_point_solves_it(equation: str) -> None:
    # `c == a + b` is a substitution as it is written: turned, it is an equation to be solved.
    left, right = equation.split(" == ")
    found = instance(f'e: "{right} == {left}"' if left == "c" else f'e: "{equation}"')
    assert found is not None
    claim = written(f'e: "{left} + 0 == {right}"')
    point = {name: FREE[name.removesuffix("_free")] for name in found.claim.symbols if _has_value(name)}
    outcome = compare(claim.assumptions[0].fact, point, Context.of(found.claim))  # type: ignore[arg-type]
    assert outcome.outcome in ("true", "undecided"), outcome
    fact = claim.assumptions[0].fact
    sides = [evaluate(side, point, Context.of(found.claim))[0][0] for side in (fact.left, fact.right)]  # type: ignore[attr-defined]
    assert abs(float((enclose(sides[0]) - enclose(sides[1])).mid())) < 1e-12


def _has_value(name: str) -> bool:
    return name.removesuffix("_free") in FREE


def test_a_solution_is_its_own_free_point() -> None:
    """X' = X has the factor 1: nothing is lost by scaling."""
    found = instance('e: "norm(v, 1) == 4"')
    assert found is not None
    point = {"n": 2, "v_free": [[3], [-1]]}
    (value,) = [item.substitution[1] for item in found.claim.assumptions if item.substitution]
    assert evaluate(value, point, Context.of(found.claim)) == evaluate(
        value, {"n": 2, "v_free": [[6], [-2]]}, Context.of(found.claim)
    )
    assert [[str(entry) for entry in row] for row in evaluate(value, point, Context.of(found.claim))] == [
        ["3"],
        ["-1"],
    ]


def test_two_equations_one_after_the_other() -> None:
    found = instance('e: "norm(v) == 1", f: "sum(v[i], i, 1, n) == 0"')
    assert found is not None
    point = {"n": 2, **{name: [[3], [1]] for name in found.claim.symbols if name.startswith("v_free")}}
    v = next(item.substitution[0] for item in found.claim.assumptions if item.substitution)
    (one,), (other,) = evaluate(v, point, Context.of(found.claim))
    assert abs(float(enclose(one).mid()) - 0.5**0.5) < 1e-12
    assert abs(float(enclose(other).mid()) + 0.5**0.5) < 1e-12


def test_orthogonal_to_what_is_not_zero() -> None:
    found = instance('e: "inner(u, v) == 0", f: "norm(u) == 1", g: "norm(v) == 2"')
    assert found is not None
    assert found.claim.assumptions[0].name == "f"
    rational = [[Fraction(3, 5)], [Fraction(-4, 5)]]
    names = found.claim.symbols.keys() - {"v"}
    point = {"n": 2, "u": rational, **{name: [[1], [1]] for name in names if name.startswith("v_free")}}
    v = next(item.substitution[0] for item in found.claim.assumptions if item.substitution)
    (one,), (other,) = evaluate(v, point, Context.of(found.claim))
    assert abs(3 * float(enclose(one).mid()) - 4 * float(enclose(other).mid())) < 1e-12
    assert abs(float((enclose(one) ** 2 + enclose(other) ** 2).mid()) - 4) < 1e-12


@pytest.mark.parametrize(
    "equation",
    [
        "x*y == x",  # x = 0 leaves y free
        "norm(v) == 1",  # engines build a sphere in by themselves
        "inner(u, v) == 0",  # u may be 0
        "exp(x) + exp(y) == 1",
        "t + p[1] == 1",
        "norm(g) == 1",
        "E(norm(g)) + a - b == 1",
        "x**2 + y**2 == 0",
        "a + b <= 1",
    ],
)
def test_what_is_not_solved(equation: str) -> None:
    assert instance(f'e: "{equation}"') is None


def test_a_cone_is_not_left() -> None:
    """P[1, 1] - P[2, 2] may be negative: then no positive factor leads to 1."""
    found = instance('e: "P[1, 1] - P[2, 2] == 1"')
    assert found is not None
    assert "P_free[1, 1] - P_free[2, 2] > 0" in [to_text(item.fact) for item in found.claim.assumptions]


def test_extremes() -> None:
    whole = instance('e: "x**2 + y**2 == 1"', "sup(x*y, x, y) == 1/2")
    assert whole is not None
    assert to_text(whole.step.fact) == "sup(x*y, x_free, y_free) == 1/2"
    assert instance('e: "x**2 + y**2 == 1"', "sup(x*y, x) <= 1") is None


def test_a_height_that_is_not_odd_is_scaled_by_positive_numbers_alone() -> None:
    """h(-v) = -h(v) is true of a sum, and not of a sum and a length: there h > 0 has to be asked for."""
    for equation, conditions in (("v[1] + 2*v[2] == 1", 0), ("2*v[1] + norm(v) == 1", 1)):
        found = instance(f'e: "{equation}"')
        assert found is not None
        assert sum(item.constraint is not None for item in found.claim.assumptions) == conditions


def test_a_symmetric_matrix_stays_symmetric() -> None:
    """S - <M, S> M is symmetric for a symmetric M alone."""
    assert instance('unit: norm(M) == 1, orthogonal: "inner(M, S) == 0"', "tr(S) >= 0") is None
    assert instance('traceless: "inner(ones(n, n), S) == 0"', "tr(S) >= 0") is not None
