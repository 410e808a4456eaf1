"""Layers at a depth that is a number."""

from typing import Any

import pytest

from tests.kernel.helpers import outcome, stated
from verifier.expr import nodes as N
from verifier.expr.walk import walk
from verifier.kernel.core.unroll import unrolled
from verifier.kernel.rejected import Rejected

SYMBOLS = {"d": "dimension", "L": "dimension", "X": "vector(d)", "a": "real", "V": "normal(d, d, std=1)"}
LAYERS = """
layers:
  state: X
  depth: L
  symbols:
    W: normal(d, d, std=1/sqrt(L))
  let:
    Z: relu(W @ X)
  next: a * Z + X
"""
LINEAR = "Z == W @ X"
AT = {"d": 2, "L": 2, "X": [[3], [4]], "a": 1}

CASES: list[tuple[str, tuple[str, ...], dict[str, Any], str]] = [
    # one layer: (1 + a**2 d/L) norm(X)**2 with L = 2 declared layers
    ("E(norm(after(X, 1))**2) == 50", (LINEAR,), AT, "not-false"),
    ("E(norm(after(X, 1))**2) == 51", (LINEAR,), AT, "accepted"),
    ("E(norm(after(X, L))**2) == 100", (LINEAR,), AT, "not-false"),
    ("E(norm(after(X, L))**2) == 50", (LINEAR,), AT, "accepted"),
    ("E(norm(after(X, L))**2) == 25", (LINEAR,), {**AT, "L": 1, "a": 0}, "not-false"),
    ("after(X, 0) == X", (), AT, "not-false"),
    ("after(X, 0) == 2*X", (), AT, "accepted"),
    ("sum(E(norm(after(X, l))**2), l, 0, L) == 175", (LINEAR,), AT, "not-false"),
    ("sum(E(norm(after(X, l))**2), l, 0, L) == 174", (LINEAR,), AT, "accepted"),
    ("E(norm(after(X, L))**2) == 50", (), AT, "outside"),  # relu of something normal
    ("E(norm(after(X, L))**2) == 50", (LINEAR,), {**AT, "L": 10**6}, "too-large"),
    ("E(norm(after(X, L))**2) == 50", (LINEAR,), {"d": 2, "X": [[3], [4]], "a": 1}, "outside"),
    ("E(inner(W[1] @ X, W[2] @ X)) == 0", (), AT, "not-false"),
    ("E(inner(W[1] @ X, W[1] @ X)) == 0", (), AT, "accepted"),
    ("E(norm(W[3])**2) == 1", (), AT, "accepted"),
]


@pytest.mark.parametrize(("says", "under", "values", "expected"), CASES, ids=lambda part: str(part)[:45])
def test_states_at_numbers(says: str, under: tuple[str, ...], values: dict[str, Any], expected: str) -> None:
    assert outcome(stated(says, SYMBOLS, under, LAYERS), values) == expected


def test_each_layer_draws_afresh_and_the_theorem_once() -> None:
    context, _ = stated("E(norm(after(X, 2))**2) == 1", SYMBOLS, (LINEAR,), LAYERS)
    fact = N.Relation("==", N.Norm(N.After(context.layers.state, N.Number(2))), N.Number(1))  # type: ignore[union-attr,arg-type]
    made, tree = unrolled(context, fact)
    drawn = {part.index.value for part in walk(tree) if isinstance(part, N.Member)}  # type: ignore[attr-defined]
    assert drawn == {1, 2}
    assert made.layers is None
    assert set(made.held) == {"Z@1", "Z@2"}
    assert made.symbols["W"].copies is not None


def test_what_cannot_be_written_out() -> None:
    context, _ = stated("after(X, 1) == X", SYMBOLS, (), LAYERS)
    assert context.layers is not None
    state = context.layers.state
    for depth, reason in (
        (N.Symbol("L"), "outside"),
        (N.Number(-1), "undefined"),
        (N.Number(99), "too-large"),
    ):  # type: ignore[arg-type]
        with pytest.raises(Rejected) as caught:
            unrolled(context, N.Relation("==", N.After(state, depth), state))
        assert caught.value.reason == reason


def test_an_assumption_about_a_layer_holds_in_all_of_them() -> None:
    layers = """
layers:
  state: X
  depth: L
  symbols:
    B: matrix(d, d)
  next: B @ X
"""
    symbols = {"d": "dimension", "L": "dimension", "X": "vector(d)"}
    statement = stated("norm(after(X, 1)) > norm(X)", symbols, ("norm(B) <= 2",), layers)
    small, large = [["1/2"]], [[3]]
    point = {"d": 1, "L": 2, "X": [[1]]}
    assert outcome(statement, {**point, "B": [small, small]}) == "accepted"
    assert outcome(statement, {**point, "B": [small, large]}) == "not-allowed"
    assert outcome(statement, {**point, "B": [small]}) == "data"
    assert outcome(statement, point) == "not-allowed"
