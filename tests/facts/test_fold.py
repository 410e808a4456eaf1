"""A fold asks each part once, and a domain without a case for a kind of node cannot be defined."""

from fractions import Fraction

import pytest

from verifier.expr import nodes as N
from verifier.expr.walk import children
from verifier.facts.fold import KINDS, At, Domain, case, fold

X = N.Symbol("x")


class Size(Domain[int]):
    """How many nodes a tree has, a part that is shared counted wherever it stands."""

    asked = 0

    @case(*KINDS)
    def _any(self, node: N.Node, at: At[int]) -> int:
        self.asked += 1
        return 1 + sum(map(at, children(node)))


def test_values_come_from_the_values_of_the_parts() -> None:
    tree = N.Add(N.Multiply(X, N.Number(Fraction(2))), N.Norm(X))
    assert fold(tree, Size()) == 6


def test_what_is_shared_is_asked_once() -> None:
    tree: N.Node = X
    for _ in range(40):
        tree = N.Multiply(tree, tree)
    domain = Size()
    assert fold(tree, domain) == 2**41 - 1
    assert domain.asked == 41


def test_every_node_of_the_tree_is_a_kind() -> None:
    made = {kind for kind in vars(N).values() if isinstance(kind, type) and issubclass(kind, N.Node)}
    assert made - KINDS == {N.Node, N.ScalarNode, N.Entrywise}


def test_a_domain_with_a_gap_is_an_error_when_it_is_defined() -> None:
    with pytest.raises(TypeError, match="has no case for Norm, Trace"):

        class Gap(Domain[int]):
            @case(*(KINDS - {N.Norm, N.Trace}))
            def _any(self, node: N.Node, at: At[int]) -> int:
                return 0


def test_a_domain_with_two_answers_is_an_error_too() -> None:
    with pytest.raises(TypeError, match="two cases for Pi"):

        class Two(Domain[int]):
            @case(*KINDS)
            def _any(self, node: N.Node, at: At[int]) -> int:
                return 0

            @case(N.Pi)
            def _again(self, node: N.Pi, at: At[int]) -> int:
                return 1
