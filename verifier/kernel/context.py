"""What a statement is made under: declared symbols with their laws, values, and the assumptions in force."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from verifier.expr.dims import Dim
from verifier.expr.nodes import Fact, Independent, Let, Member, Node, Relation, Symbol
from verifier.expr.symbols import Declared
from verifier.expr.walk import children, walk


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

    def behind(self, node: Node) -> frozenset[str]:
        """What a tree reaches, also in values that assumptions give to names and symbols."""
        names, given = self.reach(node), {**self.held, **self.replaced}
        while True:
            more = frozenset[str]().union(*(self.reach(given[name]) for name in names if name in given))
            if more <= names:
                return names
            names |= more

    def drawn(self, node: Node) -> frozenset[str]:
        """The random symbols behind a tree."""
        return frozenset(filter(self.is_random, self.behind(node)))

    def is_random(self, name: str) -> bool:
        return name in self.symbols and self.symbols[name].is_random

    def tied(self) -> tuple[tuple[Node, Node], ...]:
        """Pairs that are assumed independent although one draw stands in both: such an assumption says more
        than the declarations do, and may contradict them."""
        pairs = [(fact.left, fact.right) for fact in self.assumptions if isinstance(fact, Independent)]
        return tuple(
            (f, g) for f, g in pairs if any(self.is_random(name) for name in self.reach(f) & self.reach(g))
        )

    @cached_property
    def entered(self) -> Mapping[Node, Node]:
        """`name == value` for a fixed symbol or a `let` name: it takes that value once derivatives are taken.
        An assumption by which a value would stand for itself in the end is an equation like any other."""
        found: dict[Node, Node] = {}
        for fact in self.assumptions:
            match fact:
                case Relation("==", Symbol() | Let() as name, value) if name not in _leads_to(value, found):
                    found[name] = value
        return found

    def is_entered(self, fact: Fact) -> bool:
        return isinstance(fact, Relation) and fact.op == "==" and self.entered.get(fact.left) == fact.right

    @cached_property
    def held(self) -> Mapping[str, Node]:
        """The values of `let` names."""
        return {name.name: value for name, value in self.entered.items() if isinstance(name, Let)}

    @cached_property
    def replaced(self) -> Mapping[str, Node]:
        """The values of fixed symbols."""
        return {name.name: value for name, value in self.entered.items() if isinstance(name, Symbol)}


def _leads_to(value: Node, known: Mapping[Node, Node]) -> frozenset[Node]:
    """The names that a value is made of once known values are in the place of names."""
    found: set[Node] = set()
    todo = [value]
    while todo:
        part = todo.pop()
        if part in found:
            continue
        if isinstance(part, Symbol | Let):
            found.add(part)
        todo += [known[part]] if part in known else children(part)
    return frozenset(found)
