"""A claim as the engines see it: typed trees, symbols, assumptions, and where it was written."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Literal

from verifier.expr.dims import Dim
from verifier.expr.nodes import Every, Fact, ForAll, Independent, Let, Node, Relation, Symbol, Within
from verifier.expr.scope import Scope
from verifier.expr.symbols import Declared
from verifier.expr.walk import Part, symbols_in
from verifier.facts.values import Values

VerdictName = Literal["holds", "loose", "fails", "unrefuted", "inconclusive", "error"]
Severity = Literal["error", "warning", "note"]
Constraint = Relation | Within | ForAll | Every


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a file the author edits; lines and columns count from 1."""

    file: str
    line: int
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Source:
    """Where the write-up states the theorem."""

    document: str | None = None
    locator: str | None = None
    file: str | None = None
    title: str | None = None
    authors: tuple[str, ...] = ()
    order: Fraction | None = None


@dataclass(frozen=True)
class Assumption:
    """A named hypothesis of the theorem."""

    name: str
    fact: Fact
    text: str
    position: Position
    written: Fact | None = None  # as the author has it, where the fact is solved for a symbol

    @property
    def assumed_value(self) -> tuple[Let, Node] | None:
        """`A == value` for a `let` name: A takes that value and keeps its derivative there."""
        match self.fact:
            case Relation("==", Let() as name, value):
                return name, value
        return None

    @property
    def substitution(self) -> tuple[Symbol, Node] | None:
        """`X == ones(n) @ x.T`, `alpha == sqrt(a/L)`: the symbol is replaced everywhere."""
        match self.fact:
            case Relation("==", Symbol() as symbol, value):
                return symbol, value
        return None

    @property
    def independence(self) -> Independent | None:
        return self.fact if isinstance(self.fact, Independent) else None

    @property
    def constraint(self) -> Constraint | None:
        """A condition on the values that the claim is judged over."""
        if self.assumed_value or self.substitution or isinstance(self.fact, Independent):
            return None
        assert isinstance(self.fact, Constraint)
        return self.fact


@dataclass(frozen=True)
class Layers:
    """A depth-L network: each layer draws `symbols` afresh and maps the state to `next`."""

    state: Symbol
    depth: Symbol
    symbols: tuple[Declared, ...]
    lets: tuple[Let, ...]
    next: Node


@dataclass(frozen=True)
class Step:
    """One relation of a claim: the statement itself, or one line of a proof."""

    fact: Relation | Within
    text: str
    position: Position


@dataclass(frozen=True)
class Printed:
    """The formula as the write-up prints it, and whether it says what the claim says: `words` is how it
    was read, or why it was not."""

    latex: str
    status: Literal["same", "different", "unread"]
    words: str


@dataclass(frozen=True)
class Origin:
    """How a symbol was declared, and where; or why it was taken for this, where nobody declared it."""

    says: str
    position: Position
    inferred: str | None = None
    words: str | None = None  # the sentence that declares it


@dataclass(frozen=True)
class Claim:
    """One statement to be judged, complete in itself."""

    id: str
    title: str
    source: Source
    position: Position
    text: str
    steps: tuple[Step, ...]
    is_chain: bool
    symbols: Mapping[str, Declared]
    lets: tuple[Let, ...]
    assumptions: tuple[Assumption, ...] = ()
    layers: Layers | None = None
    dims: Mapping[str, Dim] = field(default_factory=dict)
    where: Mapping[str, Fraction] = field(default_factory=dict)
    sweep: Mapping[str, tuple[Fraction, ...]] = field(default_factory=dict)
    growing: tuple[Symbol, ...] = ()
    expect: tuple[VerdictName, ...] | None = None
    severity: Severity = "error"
    theorem_title: str = ""
    note: str | None = None
    latex: str | None = None
    label: str | None = None
    printed: Printed | None = None
    origins: Mapping[str, Origin] = field(default_factory=dict)
    # Claims or theorems that the write-up's argument rests on, by id.
    uses: tuple[str, ...] = ()

    @cached_property
    def random(self) -> frozenset[str]:
        """Names of the random symbols."""
        return frozenset(name for name, symbol in self.symbols.items() if symbol.is_random)

    def random_in(self, part: Part) -> set[str]:
        """The random symbols that stand in it, under means and outside."""
        return symbols_in(part) & self.random

    @cached_property
    def spoken_of(self) -> frozenset[str]:
        """The symbols of which an assumption says something."""
        return frozenset().union(*(symbols_in(assumption.fact) for assumption in self.assumptions))

    @cached_property
    def values(self) -> Values:
        """Between which numbers trees lie, and so their signs, under what is declared and assumed."""
        return Values.of(self.symbols, (assumption.fact for assumption in self.assumptions))

    @property
    def questions(self) -> int:
        """At most so many relations are sampled: each step and the whole, with its correction, as stated and
        without each assumption."""
        return 2 * (len(self.steps) + 1) * (len(self.assumptions) + 1)

    @property
    def scope(self) -> Scope:
        """What names mean in this claim, for expressions that engines write back."""
        lets = {let.name: let for let in self.lets}
        state = self.layers.state if self.layers else None
        layered = {symbol.name: symbol for symbol in self.layers.symbols} if self.layers else {}
        return Scope(self.symbols, lets, self.where, self.dims, state=state, layered=layered)

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        found = (assumption.constraint for assumption in self.assumptions)
        return tuple(fact for fact in found if fact is not None)
