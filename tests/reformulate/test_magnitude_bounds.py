"""Orders of magnitude of what has many entries, by the bounds that they stand for."""

from fractions import Fraction

from verifier.claim.model import Step
from verifier.evidence import Finding, Tightness
from verifier.expr.nodes import Relation
from verifier.expr.text import to_text
from verifier.read.specs.load import load_text
from verifier.reformulate.magnitude_bounds import as_bounds, by_bounds

SPEC = """
theorem: toy/orders
symbols: {x: vector(5), W: "normal(5)"}
claims:
  c: {says: "%s"}
"""


def step(says: str) -> Step:
    (claim,) = load_text(SPEC % says, "orders.yaml").claims
    return claim.steps[0]


def bounds(says: str) -> list[str]:
    facts = [bound.fact for bound, _ in as_bounds(step(says))]
    return [
        f"{to_text(fact.left)} {fact.op} {to_text(fact.right)}"
        for fact in facts
        if isinstance(fact, Relation)
    ]


def test_an_order_ends_half_a_power_of_ten_away() -> None:
    assert bounds("norm(x) <= order(1e-3)") == ["norm(x) < 1/1000*sqrt(10)"]
    assert bounds("norm(x) >= order(1e-3)") == ["norm(x) >= 1/10000*sqrt(10)"]
    assert bounds("x[1] == order(1, 10)") == ["abs(x[1]) < 10*sqrt(10)", "abs(x[1]) >= 1/10*sqrt(10)"]
    assert bounds("norm(x) <= order(1e-3)*order(10)") == ["norm(x) < 1/100*sqrt(10)"]


def test_means_and_other_relations_are_left_alone() -> None:
    assert bounds("E(norm(W)**2) <= order(1)") == []
    assert bounds("norm(x) <= 1") == []


def test_what_the_bounds_say() -> None:
    both = step("norm(x) == order(1)")
    true = Finding("search", "true", "searched")
    false = Finding("search", "false", "certified")
    answers = iter([true, false])
    found = by_bounds(both, as_bounds(both), lambda bound: next(answers))
    assert found is not None
    assert (found.truth, found.grade) == ("false", "certified")
    assert by_bounds(both, as_bounds(both), lambda bound: Finding("search", "unknown")) is None
    proved = iter([Finding("rules", "true", "proved"), true])
    weakest = by_bounds(both, as_bounds(both), lambda bound: next(proved))
    assert weakest is not None
    assert weakest.grade == "searched"


def test_an_order_is_improved_by_whole_powers_of_ten() -> None:
    above = step("norm(x) <= order(1)")
    for gap, better in (
        (Fraction(1, 2), None),
        (Fraction(19, 20), "order(1e-1)"),
        (Fraction(999, 1000), "order(1e-2)"),
    ):
        near = Finding("search", "true", "searched", tightness=Tightness(False, gap))
        found = by_bounds(above, as_bounds(above), lambda bound, near=near: near)
        assert found is not None
        assert (found.tightness and found.tightness.better) == better
