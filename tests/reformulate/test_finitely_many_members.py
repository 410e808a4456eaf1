"""Finitely many members of a sequence as entries of a random vector, and where that would be wrong."""

import pytest

from verifier.expr.symbols import AnyLaw
from verifier.expr.text import to_text
from verifier.read.specs.load import load_text
from verifier.reformulate.finitely_many_members import of_finitely_many
from verifier.reformulate.function_families import Instance

SPEC = """
theorem: test/members
symbols:
  n: dimension
  i: dimension
  eps: positive
  Y: sequence()
  W: sequence()
  Z: sequence(n)
  X: random(joint=Y)
  V: random(joint=Y)
let: {gap: "Y[i] - X"}
assumptions:
  mean: E(X) == 0
  second: E(Y[2]**2) <= eps
  other: E(Y[3]) == 0
  every: "all(P(abs(Y[1]) > eps) <= eps, eps)"
  outside: X >= 0
  plain: eps < 1
claims:
  c: {says: "%s", under: [%s]%s}
"""


def vectors(says: str, under: str = "", more: str = "") -> Instance | None:
    loaded = load_text(SPEC % (says, under, more))
    (claim,) = loaded.claims
    return of_finitely_many(claim, claim.steps[0])


@pytest.mark.parametrize(
    ("says", "text", "shapes"),
    [
        ("E(Y[3]**2) >= 0", "E(Y**2) >= 0", {"Y": "1-by-1"}),
        ("E(Y[i]) == i", "E(Y) == i", {"Y": "1-by-1"}),
        ("E(X) == 0", "E(X) == 0", {"X": "1-by-1"}),
        ("E(X*V) == 0", "E(Y[2]*Y[1]) == 0", {"Y": "2-by-1"}),
        ("E(Y[0]*Y[3]) == E(X)", "E(Y[2]*Y[3]) == E(Y[1])", {"Y": "3-by-1"}),
        ("E(Y[0]*W[0]) == 1", "E(Y*W) == 1", {"Y": "1-by-1", "W": "1-by-1"}),
        ("E(norm(Z[2])) >= 0", "E(norm(Z)) >= 0", {"Z": "n-by-1"}),
        ("E(gap) == 0", "E(gap) == 0", {"Y": "2-by-1"}),
    ],
)
def test_members_are_entries(says: str, text: str, shapes: dict[str, str]) -> None:
    found = vectors(says)
    assert found is not None
    assert to_text(found.step.fact) == text
    laws = {name: item for name, item in found.claim.symbols.items() if isinstance(item.kind, AnyLaw)}
    assert {name: str(item.shape) for name, item in laws.items()} == shapes
    assert found.claim.steps == (found.step,)


def test_what_a_vector_stands_for_is_told() -> None:
    found = vectors("E(Y[0]*X) == 0")
    assert found is not None
    assert found.forms == ("Y = (X, Y[0])",)
    alone = vectors("E(Y[7]) == E(W[i])")
    assert alone is not None
    assert set(alone.forms) == {"Y = Y[7]", "W = W[i]"}


@pytest.mark.parametrize(
    ("says", "more"),
    [
        ("E(Y[i]*Y[i + 1]) == 0", ""),
        ("E(Y[i]*Y[n]) == 0", ""),  # i and n may be equal
        ("E(Y[i]*Y[0]) == 0", ""),
        ("sum(E(Y[j]), j, 1, n) == 0", ""),
        ("P(limit(Y[i], i, oo) == X) == 1", ""),
        ("E(Y[i]) <= O(1)", ", as: i -> oo"),
        ("E(norm(Z[1] - Z[2])) >= 0", ""),
    ],
)
def test_what_moves_or_may_meet_is_left(says: str, more: str) -> None:
    assert vectors(says, more=more) is None


def test_assumptions_on_means_come_along() -> None:
    found = vectors("E(X*Y[2]) == 0", "mean, second, every, outside, plain")
    assert found is not None
    facts = {item.name: to_text(item.fact) for item in found.claim.assumptions}
    assert facts == {"plain": "eps < 1", "mean": "E(Y[1]) == 0", "second": "E(Y[2]**2) <= eps"}


def test_assumptions_on_a_member_that_may_be_the_same_stay_behind() -> None:
    found = vectors("E(Y[i]) == 0", "other")
    assert found is not None
    assert found.claim.assumptions == ()
