"""Sequences in specs: what is read, what each slip is told, and what other engines are asked instead."""

import pytest

from verifier.claim.model import Claim
from verifier.claim.problems import Problem
from verifier.claim.sequences import beyond_points, speaks_of_sequences, without_sequences
from verifier.expr import nodes as N
from verifier.expr.elaborate import elaborate_fact
from verifier.expr.symbols import JointWith, Sequence
from verifier.expr.syntax import parse
from verifier.expr.text import to_text
from verifier.expr.words import describe, say_fact
from verifier.read.specs.load import load_text
from verifier.read.specs.loaded import Broken

SPEC = """
theorem: test/sequences
symbols:
  n: dimension
  i: dimension
  l: index(n)
  eps: positive
  x: vector(n)
  V: normal()
  Y: {}
  X: {}
let:
  Z: Y[i] - X
  s: eps**2
assumptions:
  given: "{}"
  plain: eps < 1
claims:
  c: {{says: "{}"}}
"""
SUMMABLE = "all(sum(P(abs(Y[j] - X) > eps), j, 0, oo) < oo, eps)"


def read(
    given: str = SUMMABLE, says: str = "s > 0", Y: str = "sequence()", X: str = "random(joint=Y)"
) -> Claim | tuple[Problem, ...]:
    (entry,) = load_text(SPEC.format(Y, X, given, says)).entries
    return entry.problems if isinstance(entry, Broken) else entry.claim


def claim(**texts: str) -> Claim:
    found = read(**texts)
    assert isinstance(found, Claim), found
    return found


def refused(**texts: str) -> Problem:
    found = read(**texts)
    assert not isinstance(found, Claim)
    return found[0]


def test_kinds_and_shapes() -> None:
    made = claim(Y="sequence(n, 3)", X="random(n, 3, joint=Y)", given="norm(x) <= 1", says="s > 0")
    assert isinstance(made.symbols["Y"].kind, Sequence)
    assert made.symbols["X"].kind == JointWith("Y")
    assert str(made.symbols["Y"].shape) == str(made.symbols["X"].shape) == "n-by-3"
    assert {"X", "Y"} <= made.random
    assert "any joint law with Y" in describe(made.symbols["X"])
    assert "counted from 0" in describe(made.symbols["Y"])


def test_a_quantifier_binds_its_symbol() -> None:
    made = claim()
    fact = made.assumptions[0].fact
    assert isinstance(fact, N.Every)
    assert [symbol.name for symbol in fact.over] == ["eps"]
    assert to_text(fact) == SUMMABLE
    assert elaborate_fact(parse(to_text(fact)), made.scope) == fact
    assert say_fact(fact).endswith("for every ε")
    assert made.assumptions[0].constraint == fact


def test_a_value_that_the_claim_gives_does_not_reach_a_bound_symbol() -> None:
    text = SPEC.format("sequence()", "random(joint=Y)", SUMMABLE, "s > 0")
    (made,) = load_text(text.replace('says: "s > 0"', 'says: "s > 0", where: {eps: 1/2}')).claims
    assert to_text(made.assumptions[0].fact) == SUMMABLE
    assert to_text(made.assumptions[1].fact) == "1/2 < 1"


@pytest.mark.parametrize("index", ["0", "i", "i + 3", "2*i", "n - 1", "l"])
def test_indices(index: str) -> None:
    claim(says=f"P(abs(Y[{index}]) > 1) <= 1")


@pytest.mark.parametrize(
    ("texts", "code", "words"),
    [
        ({"says": "E(Y) == 0"}, "family", "Y is a sequence"),
        ({"says": "E(Y[-1]) == 0"}, "index", "before the first member"),
        ({"says": "E(Y[-i]) == 0"}, "index", "before the first member"),
        ({"says": "E(Y[1/2]) == 0"}, "index", "whole number"),
        ({"says": "E(Y[eps]) == 0"}, "index", "whole number"),
        ({"says": "E(Y[1, 2]) == 0"}, "family", "one index picks a member"),
        ({"X": "random(joint=V)"}, "declaration", "joint= names a sequence"),
        ({"X": "random(joint=2)"}, "declaration", "joint= names a sequence"),
        ({"X": "random(joint=Y, mean=0)"}, "declaration", "takes no mean="),
        ({"X": "random(joint=Y, copies=n)"}, "declaration", "takes no copies="),
        ({"Y": "sequence(copies=n)"}, "declaration", "sequence has no option"),
        ({"Y": "sequence(1, 2, 3)"}, "arity", "arguments"),
        ({"given": "all(abs(Y[0]) < eps, X)"}, "quantifier", "fixed symbols"),
        ({"given": "all(eps > 0, eps, 0, oo)"}, "quantifier", "fixed symbols"),
        ({"given": "all(eps > 0, eps, i, 1, n)"}, "quantifier", "fixed symbols"),
        ({"given": "all(x[i] > 0, i, 1, n)"}, "name-taken", "already has a meaning"),
        ({"says": "sum(1/j, j, oo, n) < oo"}, "infinity", "starts or stops"),
        ({"says": "sum(1/j, j, 1, -oo) < oo"}, "infinity", "starts or stops"),
        ({"says": "sum(1, j, 1, 5, k, 1, oo) < oo"}, "infinity", "only the first index"),
        ({"says": "esum(1/j, j, 1, oo, 2) < oo"}, "infinity", "finitely many"),
    ],
)
def test_slips(texts: dict[str, str], code: str, words: str) -> None:
    problem = refused(**texts)
    assert (problem.code, words in problem.message) == (code, True), problem


def test_a_layer_draws_no_sequence() -> None:
    text = """
    theorem: test/t
    symbols: {n: dimension, X: vector(n)}
    layers: {state: X, depth: L, symbols: {Y: sequence(n)}, next: "X + Y[0]"}
    claims: {c: {says: "norm(after(X, L)) >= 0"}}
    """
    (entry,) = load_text(text).entries
    assert isinstance(entry, Broken)
    assert entry.problems[0].message == "a layer draws no sequence"


def test_what_speaks_of_sequences() -> None:
    made = claim()
    assert speaks_of_sequences(made, made.assumptions[0].fact)
    assert not speaks_of_sequences(made, made.assumptions[1].fact)
    assert not speaks_of_sequences(made, made.steps[0].fact)
    assert speaks_of_sequences(made, claim(says="P(X > 0) <= 1").steps[0].fact)
    assert speaks_of_sequences(made, claim(says="P(Z > 0) <= 1").steps[0].fact)


def test_assumptions_beyond_points() -> None:
    assert beyond_points(claim()) == ("given",)
    assert beyond_points(claim(given="all(V <= eps, eps)")) == ("given",)
    assert beyond_points(claim(given="E(X) == 0")) == ("given",)
    assert beyond_points(claim(given="norm(x) <= 1")) == ()


def test_without_sequences() -> None:
    bare = without_sequences(claim())
    assert {"X", "Y"} & bare.symbols.keys() == set()
    assert [let.name for let in bare.lets] == ["s"]
    assert [item.name for item in bare.assumptions] == ["plain"]
    assert without_sequences(bare) is bare
