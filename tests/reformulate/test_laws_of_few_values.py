"""Laws with a few values: averages written out are the averages of the law."""

import textwrap
from fractions import Fraction

import pytest

from verifier.claim.model import Claim
from verifier.exact.values.evaluate import evaluate
from verifier.exact.values.point_context import Context
from verifier.read.specs.load import load_text
from verifier.reformulate.laws_of_few_values import in_law

SPEC = """
theorem: test/laws
symbols:
  n: dimension
  d: dimension
  M: matrix(2, 3)
  V: random(2, 3, mean=M)
  z: random()
  W: random(n, d, mean=0)
  g: normal()
  F: random(2, copies=n)
let:
  Y: V - E(V)
assumptions: {bounded: z <= 1, spread: E(z**2) == 4}
claims:
  c: {says: "%s", under: [%s]}
"""
POINT = {
    "M": [[1, 2, 0], [0, 1, 3]],
    "V_step": [[1, 0, 2], [-1, 1, 0]],
    "V_turn": [[0, 1, 1], [2, 0, -1]],
    "z_centre": 2,
    "z_step": 3,
    "z_turn": 5,
}


def claim_of(says: str, more: str = "") -> Claim:
    loaded = load_text(textwrap.dedent(SPEC % (says, more)))
    assert loaded.claims, loaded.entries
    return loaded.claims[0]


@pytest.mark.parametrize(
    ("average", "two", "four"),
    [
        ("E(V[1, 3])", 0, 0),
        ("Cov(V[1, 1], V[1, 3])", 2, 2),
        ("Cov(V[1, 3], V[2, 3])", 0, -1),
        ("Var(V[2, 1])", 1, 5),
        ("E(norm(Y)**2)", 7, 14),
        ("E(norm(V)**2)", 15 + 7, 15 + 14),
        ("tr(Cov(V[1].T, V[2].T))", -1, 1 * -1 + 0 + 1 * -1),
        ("E(z)", 2, 2),
        ("E(z**2) - E(z)**2", 9, 34),
        ("E(abs(z))", Fraction(1 + 5, 2), Fraction(10 + 0 + 4 + 6, 4)),
        ("Var(z * V[1, 1])", 2 * 13 - 4, 2 * 38 - 4),
        ("P(z > 2)", Fraction(1, 2), Fraction(1, 2)),
    ],
)
def test_averages_are_those_of_the_law(average: str, two: Fraction, four: Fraction) -> None:
    made = claim_of(f"{average} == 0")
    for family, expected in (("two values", two), ("four values", four)):
        instance = in_law(made, made.steps[0], family)
        assert instance is not None
        ((value,),) = evaluate(instance.step.fact.left, POINT, Context.of(instance.claim))  # type: ignore[union-attr]
        assert Fraction(int(value.p), int(value.q)) == expected


def test_under_one_value_nothing_varies() -> None:
    for average, expected in (("E(norm(V)**2)", 15), ("Var(z)", 0), ("tr(Cov(V[1].T, V[2].T))", 0)):
        made = claim_of(f"{average} == 0")
        instance = in_law(made, made.steps[0], "one value")
        assert instance is not None
        ((value,),) = evaluate(instance.step.fact.left, POINT, Context.of(instance.claim))  # type: ignore[union-attr]
        assert value == expected


def test_what_is_given_takes_one_value() -> None:
    made = claim_of("E(V[1, 1], given=V[2]) == 1")
    instance = in_law(made, made.steps[0], "two values")
    assert instance is not None
    (held,) = (item.fact for item in instance.claim.assumptions)
    sides = [evaluate(side, POINT, Context.of(instance.claim)) for side in (held.left, held.right)]  # type: ignore[attr-defined]
    assert sides[0] != sides[1]
    ((value,),) = evaluate(instance.step.fact.left, POINT, Context.of(instance.claim))  # type: ignore[union-attr]
    assert value == 1


def test_what_bounds_the_support_bounds_every_value() -> None:
    made = claim_of("E(z) <= 1", "bounded")
    for family, values in (("two values", (5, -1)), ("four values", (10, 0, 4, -6))):
        instance = in_law(made, made.steps[0], family)
        assert instance is not None
        sides = [item.fact.left for item in instance.claim.assumptions]  # type: ignore[attr-defined]
        found = [evaluate(side, POINT, Context.of(instance.claim)) for side in sides]
        assert [value for ((value,),) in found] == list(values)


def test_what_is_assumed_of_a_mean_is_said_once() -> None:
    made = claim_of("E(z) <= 2", "spread")
    instance = in_law(made, made.steps[0], "four values")
    assert instance is not None
    (fact,) = (item.fact for item in instance.claim.assumptions)
    ((value,),) = evaluate(fact.left, POINT, Context.of(instance.claim))  # type: ignore[attr-defined]
    assert value == 4 + 34


def test_what_else_is_random_stays_random() -> None:
    made = claim_of("Var(g * z) == 0")
    instance = in_law(made, made.steps[0], "two values")
    assert instance is not None
    assert instance.claim.random >= {"g"}
    assert "z" not in instance.claim.symbols


@pytest.mark.parametrize(
    "says",
    [
        "E(norm(V)**2, given=g) == 1",
        "norm(D(norm(V)**2, V)) == 1",
        "limit(E(norm(W)**2), n, oo) == 0",
        "E(norm(F[1])**2) == 1",
        "norm(M) == 1",
    ],
)
def test_what_single_values_do_not_show_is_left_alone(says: str) -> None:
    made = claim_of(says)
    assert in_law(made, made.steps[0], "two values") is None
