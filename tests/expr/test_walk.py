"""Walking and rebuilding."""

from hypothesis import given

from tests.expr.strategies import SCOPE, matrices, scalars, symbol
from verifier.expr import nodes as N
from verifier.expr.elaborate import elaborate
from verifier.expr.syntax import parse
from verifier.expr.walk import children, expand_lets, rebuild, substitute, walk


@given(scalars(3))
def test_rebuilding_with_no_change_is_the_identity(tree: N.Node) -> None:
    assert rebuild(tree, lambda node: node) is tree


@given(scalars(2))
def test_children_are_what_rebuild_changes(tree: N.Node) -> None:
    seen: list[N.Node] = []
    rebuild(tree, lambda node: seen.append(node) or node)  # type: ignore[func-returns-value]
    assert seen == list(children(tree))


@given(matrices("nm", 2))
def test_substituting_there_and_back(tree: N.Node) -> None:
    X, Y = symbol("X"), N.Symbol("Y", symbol("X").shape)
    there = substitute(tree, {X: Y})
    assert X not in set(walk(there)) or any(isinstance(node, N.After) for node in walk(tree))
    assert substitute(there, {Y: X}) == tree


def test_bound_indices_are_not_captured() -> None:
    tree = elaborate(parse("sum(X[k, 1], k, 1, n)"), SCOPE)
    assert substitute(tree, {N.Index("k"): N.Number(1)}) == tree  # type: ignore[arg-type]


def test_lets_expand_everywhere() -> None:
    let = N.Let("A", N.MatMul(symbol("Q"), symbol("X")))
    nested = N.Let("B", N.Add(let, let))
    expanded = expand_lets(N.Norm(nested))
    assert not any(isinstance(node, N.Let) for node in walk(expanded))
    assert expanded == N.Norm(N.Add(let.body, let.body))
