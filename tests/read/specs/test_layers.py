"""Layers: the state, the depth, what each layer draws, and every slip in its place."""

from fractions import Fraction

import pytest

from tests.read.specs.marks import accepted, one_problem
from verifier.expr import nodes as N
from verifier.expr.walk import walk

LAYERS = """
    theorem: a/b
    symbols: {{n: dimension, d: dimension, X: "matrix(n, d)", a: positive}}
    layers:
      state: {state}
      {depth}
      symbols: {{{symbols}}}
      let: {{H: {let}}}
      next: {next}
    assumptions: {{no-layer: {assumption}}}
    claims:
      c: {{says: "{says}"{more}}}
"""
USUAL = {
    "state": "X",
    "depth": "depth: L",
    "symbols": 'W: "normal(d, d)"',
    "let": "X @ W",
    "next": "X + H",
    "assumption": "a == 1",
    "says": "norm(after(X, L)) >= 0",
    "more": "",
}


def layered(**changes: str) -> str:
    return LAYERS.format(**(USUAL | changes))


def test_layers() -> None:
    (only,) = accepted(layered()).claims
    assert only.layers is not None
    assert only.layers.state == N.Symbol("X", only.symbols["X"].shape)
    assert only.layers.depth == N.Symbol("L")
    assert [symbol.name for symbol in only.layers.symbols] == ["W"]
    assert [let.name for let in only.layers.lets] == ["H"]
    assert "L" in only.symbols
    assert "W" not in only.symbols


def test_depth_may_be_fixed_or_written_out() -> None:
    (fixed,) = accepted(layered(more=", where: {L: 3}")).claims
    fact = fixed.steps[0].fact
    assert isinstance(fact, N.Relation)
    assert [node.depth for node in _afters(fact)] == [N.Number(Fraction(3))]
    accepted(layered(says="norm(after(X, 2*L + 1)) >= 0"))
    accepted(layered(says="norm(after(X, L)) >= Omega(1)", more=", as: L -> oo"))


def _afters(part: N.Fact) -> list[N.After]:
    return [node for node in walk(part) if isinstance(node, N.After)]


@pytest.mark.parametrize("more", ["where: {¤m: 0}", "each: {¤m: [0]}"])
def test_where_the_state_starts_is_an_assumption(more: str) -> None:
    text = """
        theorem: a/b
        symbols: {m: real, a: real}
        layers: {state: m, depth: K, next: a*m + 1}
        assumptions: {start: m == 0}
        claims:
          c: {says: "after(m, 1) == 1", MORE}
    """
    problem = one_problem(text.replace("MORE", more))
    assert problem.code == "where"
    assert problem.hint is not None
    assert "start: m == 0" in problem.hint
    (only,) = accepted(text.replace(", MORE", "")).claims  # the remedy
    assert only.assumptions[0].substitution is not None


def test_assumptions_may_name_the_parts_of_a_layer() -> None:
    (only,) = accepted(layered(assumption="norm(H) <= 1")).claims
    assert only.assumptions[0].constraint is not None
    assert (
        accepted(layered(assumption='"H == zeros(n, d)"')).claims[0].assumptions[0].assumed_value is not None
    )


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"state": "¤Y"}, "unknown-name"),
        ({"next": "¤X.T"}, "shape"),
        ({"next": "X + ¤Y"}, "unknown-name"),
        ({"let": "¤X @ X"}, "shape"),
        ({"depth": "depth: ¤2"}, "name"),
        ({"depth": "depth: ¤E"}, "reserved"),
        ({"says": "norm(after(¤a, L)) >= 0"}, "layers"),
        ({"says": "norm(¤H) >= 0"}, "unknown-name"),
        ({"more": ", where: {¤L: 1/2}"}, "value"),
    ],
)
def test_slips_in_layers(changes: dict[str, str], code: str) -> None:
    assert one_problem(layered(**changes)).code == code


def test_a_layer_may_not_take_a_name_from_outside() -> None:
    problem = one_problem(layered(symbols='X: "¤normal(d, d)"'))
    assert problem.code == "name-taken"
