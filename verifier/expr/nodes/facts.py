"""Facts: what claims and assumptions state."""

from abc import ABC
from dataclasses import dataclass
from typing import Literal, final

from verifier.expr.nodes.analysis import Limit
from verifier.expr.nodes.base import Node, ScalarNode, broadcast, require
from verifier.expr.nodes.indexed import Condition, Range
from verifier.expr.nodes.leaves import Symbol

Comparison = Literal["==", "<=", ">=", "<", ">", "!="]


@dataclass(frozen=True)
class Fact(ABC):
    """Something that is true or false."""


@final
@dataclass(frozen=True)
class Relation(Fact):
    """left op right; matrices entry by entry."""

    op: Comparison
    left: Node
    right: Node

    def __post_init__(self) -> None:
        broadcast("compare", self.left.shape, self.right.shape)


@final
@dataclass(frozen=True)
class Within(Fact):
    """arg in [low, high], closed."""

    arg: Node
    low: Node
    high: Node

    def __post_init__(self) -> None:
        for end in (self.low, self.high):
            broadcast("compare", self.arg.shape, end.shape)


@final
@dataclass(frozen=True)
class ForAll(Fact):
    """all(fact, i, 1, n, i != j): the fact at every index."""

    fact: Relation | Within
    ranges: tuple[Range, ...]
    conditions: tuple[Condition, ...] = ()


@final
@dataclass(frozen=True)
class Every(Fact):
    """all(fact, eps): the fact for every value of these fixed symbols, which are bound in it."""

    fact: Relation | Within
    over: tuple[Symbol, ...]


@final
@dataclass(frozen=True)
class Independent(Fact):
    """independent(f, g): once the other random symbols are integrated out, E of a product of
    powers of f and g factorises."""

    left: Node
    right: Node


@final
@dataclass(frozen=True)
class Indicator(ScalarNode):
    """indicator(fact): 1 where the relation is true, else 0. P(fact) is E(indicator(fact)).

    The event that a matrix converges, entry by entry, is one event too."""

    fact: Relation | Within

    def __post_init__(self) -> None:
        sides = self.fact.left if isinstance(self.fact, Relation) else self.fact.arg
        converges = isinstance(self.fact, Relation) and self.fact.op == "==" and isinstance(sides, Limit)
        require(sides.shape.is_scalar or converges, "an event compares scalars, and this is {}", sides.shape)
