"""Layers written out: which claims there are, and what they say."""

import textwrap

import pytest

from verifier.claim.model import Claim
from verifier.expr.text import to_text
from verifier.expr.walk import expand_lets
from verifier.read.specs.load import load_text
from verifier.read.specs.loaded import Broken
from verifier.reformulate.unrolled_layers import (
    NotUnrolledError,
    averages_shared_draws,
    is_complete,
    names_a_layer,
    shared_draws,
    unrolled,
)

SPEC = """
theorem: test/layers
symbols:
  n: dimension
  d: dimension
  l: index(L)
  X: matrix(n, d)
layers:
  state: X
  depth: L
  symbols: {W: "normal(d, d)", V: "normal(d, d)"}
  let: {A: softmax(X @ V)}
  next: X + A @ W
assumptions:
  uniform: "A == ones(n, d) / d"
claims:
  c: {says: "%s"%s}
"""


def stated(says: str, more: str = "") -> Claim:
    loaded = load_text(textwrap.dedent(SPEC % (says, more)))
    assert loaded.claims, loaded.entries
    return loaded.claims[0]


def problem(says: str) -> str:
    (entry,) = load_text(textwrap.dedent(SPEC % (says, ""))).entries
    assert isinstance(entry, Broken)
    return str(entry.problems[0])


@pytest.mark.parametrize(
    ("says", "words"),
    [
        ("W == 0", "each layer has its own W"),
        ("W[0] == 0", "no layer 0"),
        ("W[1, 1] == 0", "first the layer"),
    ],
)
def test_slips_are_told(says: str, words: str) -> None:
    assert words in problem(says)


def test_only_named_layers_are_written_out() -> None:
    assert names_a_layer(stated("W[1] == 0"), stated("W[1] == 0").steps[0].fact)
    plain = stated("E(norm(after(X, 2))**2) == 0")
    assert not names_a_layer(plain, plain.steps[0].fact)


def test_states_are_nested_and_symbols_are_copies() -> None:
    claim = stated("after(X, 2) @ W[2] == X", ", under: []")
    (made,) = unrolled(claim, claim.steps[0])
    first = "X + softmax(X @ V[1]) @ W[1]"
    expected = f"({first} + softmax(({first}) @ V[2]) @ W[2]) @ W[2] == X"
    assert to_text(expand_lets(made.step.fact)) == expected
    assert made.claim.layers is None
    assert made.claim.symbols["W"].copies is not None
    assert made.claim.symbols["W"].copies.constant == 2


def test_what_is_assumed_of_a_layer_is_assumed_of_each() -> None:
    claim = stated("after(X, 2) @ W[2] == X")
    (made,) = unrolled(claim, claim.steps[0])
    assert [item.text for item in made.claim.assumptions] == ["A_1 == ones(n, d)/d", "A_2 == ones(n, d)/d"]
    assert all(item.assumed_value is not None for item in made.claim.assumptions)


def test_a_symbolic_depth_is_tried_at_small_ones() -> None:
    claim = stated("norm(D(after(X, L), W[l])) == 0")
    found = [dict(made.values) for made in unrolled(claim, claim.steps[0])]
    assert found[0] == {"L": 1, "l": 1}
    assert {(values["L"], values["l"]) for values in found} == {
        (k, j) for k in (1, 2, 3) for j in range(1, k + 1)
    }
    assert not is_complete(claim, claim.steps[0])


def test_a_sum_over_layers_is_written_out() -> None:
    claim = stated("sum(norm(D(after(X, L), W[k])), k, 1, L) == 0", ", under: [], where: {L: 2}")
    (made,) = unrolled(claim, claim.steps[0])
    plain = stated("norm(D(after(X, 2), W[1])) + norm(D(after(X, 2), W[2])) == 0", ", under: []")
    (expected,) = unrolled(plain, plain.steps[0])
    assert made.step.fact == expected.step.fact
    assert is_complete(claim, claim.steps[0])


def test_a_sum_over_pairs_of_layers_is_refused() -> None:
    claim = stated("sum(inner(W[j], W[k]), j, 1, 2, k, 1, 2, j != k) == 0")
    with pytest.raises(NotUnrolledError):
        list(unrolled(claim, claim.steps[0]))


def test_a_given_depth_has_every_layer() -> None:
    claim = stated("norm(D(after(X, L), W[l])) == 0", ", where: {L: 2}")
    assert [made.values["l"] for made in unrolled(claim, claim.steps[0])] == [1, 2]
    assert is_complete(claim, claim.steps[0])


def test_a_layer_beyond_the_depth_is_nowhere() -> None:
    claim = stated("norm(D(after(X, 1), W[2])) == 0")
    assert not list(unrolled(claim, claim.steps[0]))


def test_many_layers_are_refused() -> None:
    claim = stated("norm(D(after(X, 40), W[2])) == 0")
    with pytest.raises(NotUnrolledError):
        list(unrolled(claim, claim.steps[0]))


@pytest.mark.parametrize(
    ("says", "speaks"),
    [
        ("after(X, 1) == X", True),
        ("norm(after(X, 2)) <= norm(X)", True),
        ("E(norm(after(X, 2))) <= norm(X)", False),
        ("after(X, L) == X", False),  # at any depth: nothing is written out
    ],
)
def test_a_state_outside_of_a_mean_is_what_layers_drew(says: str, speaks: bool) -> None:
    claim = stated(says)
    assert names_a_layer(claim, claim.steps[0].fact) is speaks


SHARED = """
theorem: test/shared
symbols: {n: dimension, L: dimension, x: vector(n), W: "normal(n, n)", A: "matrix(n, n)", B: "matrix(n, n)"}
let: {M: 2*W}
assumptions: {named: A == M @ M, known: W == eye(n)}
layers: {state: x, depth: L, symbols: {V: "normal(n, n)"}, next: %s}
claims:
  c: {says: "%s", under: [%s]}
"""


@pytest.mark.parametrize(
    ("following", "under", "shared"),
    [
        ("W @ x", "", {"W"}),
        ("V @ M @ x", "", {"W"}),
        ("A @ x", "named", {"W"}),
        ("A @ x", "", set()),
        ("W @ x", "known", set()),
        ("V @ B @ x", "", set()),
    ],
)
def test_what_all_layers_share(following: str, under: str, shared: set[str]) -> None:
    (claim,) = load_text(SHARED % (following, "E(norm(after(x, L))) == 1", under)).claims
    assert shared_draws(claim) == shared
    assert averages_shared_draws(claim, claim.steps[0].fact) == bool(shared)


def test_a_state_outside_of_means_has_one_value_at_each_draw() -> None:
    (claim,) = load_text(SHARED % ("W @ x", "norm(after(x, L)) <= 1", "")).claims
    assert not averages_shared_draws(claim, claim.steps[0].fact)


def test_a_limit_over_the_depth_is_not_written_out() -> None:
    (claim,) = load_text(SHARED % ("W @ x", "limit(E(norm(after(x, L))), L, oo) == 1", "")).claims
    with pytest.raises(NotUnrolledError):
        list(unrolled(claim, claim.steps[0]))
