"""What a statement is made under: declared symbols with their laws, values, and the assumptions in force."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from verifier.expr.dims import Dim
from verifier.expr.nodes import Fact, Independent, Let, Member, Node, Relation, Symbol
from verifier.expr.symbols import Declared
from verifier.expr.walk import walk


@dataclass(frozen=True)
class Layers:
    """A network: each layer draws `symbols` afresh and maps the state to `next`."""

    state: Symbol
    depth: Symbol
    symbols: Mapping[str, Declared]
    next: Node


@dataclass(frozen=True)
class Context:
    """Gamma: the statement is for every value of the symbols that the assumptions allow. An assumption is as
    its author wrote it."""

    symbols: Mapping[str, Declared] = field(default_factory=dict)
    assumptions: tuple[Fact, ...] = ()
    where: Mapping[str, Fraction] = field(default_factory=dict)
    dims: Mapping[str, Dim] = field(default_factory=dict)
    growing: tuple[Symbol, ...] = ()
    layers: Layers | None = None

    def reach(self, node: Node) -> frozenset[str]:
        """Symbols and `let` names that a tree speaks of, and those that the laws of its symbols depend on."""
        found = frozenset(part.name for part in walk(node) if isinstance(part, Symbol | Member | Let))
        laws = (self.symbols[name].kind for name in found if name in self.symbols)
        inside = (value for law in laws for value in vars(law).values() if isinstance(value, Node))
        return found.union(*map(self.reach, inside))

    def is_random(self, name: str) -> bool:
        return name in self.symbols and self.symbols[name].is_random

    def tied(self) -> tuple[tuple[Node, Node], ...]:
        """Pairs that are assumed independent although one draw stands in both: such an assumption says more
        than the declarations do, and may contradict them."""
        pairs = [(fact.left, fact.right) for fact in self.assumptions if isinstance(fact, Independent)]
        return tuple(
            (f, g) for f, g in pairs if any(self.is_random(name) for name in self.reach(f) & self.reach(g))
        )

    @property
    def held(self) -> Mapping[str, Node]:
        """`A == value` for a `let` name: A takes that value once derivatives are taken."""
        return {
            fact.left.name: fact.right
            for fact in self.assumptions
            if isinstance(fact, Relation) and fact.op == "==" and isinstance(fact.left, Let)
        }

    @property
    def replaced(self) -> Mapping[str, Node]:
        """`X == value` for a fixed symbol: X is replaced once derivatives are taken."""
        return {
            fact.left.name: fact.right
            for fact in self.assumptions
            if isinstance(fact, Relation) and fact.op == "==" and isinstance(fact.left, Symbol)
        }
