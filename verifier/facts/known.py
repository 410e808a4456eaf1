"""What a claim declares and assumes, as a fold over a tree needs it: in a sum indices come to it, in a mean
and under a sup there is less of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from verifier.expr import nodes as N
from verifier.expr.symbols import Declared
from verifier.expr.walk import walk
from verifier.facts.spans import ZERO, Span

_FLIPPED: dict[str, N.Comparison] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


@dataclass(frozen=True)
class Known:
    """`given`: what assumptions put in the place of names and symbols. `facts`: the other assumptions, of
    which `bounds` are what they say of trees. `ranges`: the spans of the indices around the tree."""

    symbols: Mapping[str, Declared] = field(default_factory=dict)
    given: Mapping[str, N.Node] = field(default_factory=dict)
    facts: tuple[N.Relation | N.Within, ...] = ()
    bounds: Mapping[N.Node, Span] = field(default_factory=dict)
    ranges: Mapping[str, Span] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict, compare=False)  # of what is given, once asked

    @classmethod
    def of(cls, symbols: Mapping[str, Declared], facts: Iterable[N.Fact] = ()) -> Self:
        """Under these declarations and assumptions."""
        given: dict[str, N.Node] = {}
        relations: list[N.Relation | N.Within] = []
        for fact in facts:
            match fact:
                case N.Relation("==", N.Let(name) | N.Symbol(name), value):
                    given[name] = value
                case N.Relation() | N.Within():
                    relations.append(fact)
        return cls(symbols, given)._assuming(relations)

    def __call__(self, node: N.Node) -> Span:
        """Where the values of a tree lie."""
        raise NotImplementedError

    def within(self, ranges: Iterable[N.Range]) -> Self:
        """Inside of a sum over these indices."""
        known = dict(self.ranges)
        for item in ranges:
            inside = replace(self, ranges=known)
            low, high = inside(item.low), inside(item.high)
            known[item.index] = Span(low.low, high.high)
        return replace(self, ranges=known)

    def may_be_empty(self, ranges: Sequence[N.Range], conditions: Sequence[N.Condition]) -> bool:
        """Whether a sum over these may have no term: for all that is seen, an end lies before its start."""
        if conditions:
            return True
        for count, item in enumerate(ranges):
            width = self.within(ranges[:count])(N.Subtract(item.high, item.low))
            if not (isinstance(item.high, N.Infinity) or width.is_nonnegative):
                return True
        return False

    def _assuming(self, facts: Iterable[N.Relation | N.Within]) -> Self:
        """With these facts and no others."""
        plain = replace(self, facts=(), bounds={}, spans={})
        known: dict[N.Node, Span] = {}
        stated = tuple(facts)
        for node, span in (item for fact in stated for item in _bounds(plain, fact)):
            known[node] = known[node].meet(span) if node in known else span
        return replace(self, facts=stated, bounds=known, spans={})

    def without(self, names: Iterable[str]) -> Self:
        """Where these names are bound by the tree itself: nothing is assumed of them."""
        bound = set(names)
        if bound.isdisjoint(self.given) and not any(bound & _names(fact) for fact in self.facts):
            return self
        given = {name: value for name, value in self.given.items() if not bound & {name, *_names(value)}}
        return replace(self, given=given)._assuming(fact for fact in self.facts if not bound & _names(fact))

    def in_mean(self) -> Self:
        """Inside of a mean, which runs over all draws: what is assumed of a draw says nothing there."""
        drawn = {name for name, declared in self.symbols.items() if declared.is_random}
        outside = [fact for fact in self.facts if not drawn & _names(fact)]
        return self if len(outside) == len(self.facts) else self._assuming(outside)

    def replaced(self, name: str) -> Span:
        if name not in self.spans:
            self.spans[name] = Span()  # for what is given by itself
            self.spans[name] = self(self.given[name])
        return self.spans[name]

    def undeclared(self, name: str) -> Self:
        """Where nothing is known of this symbol."""
        return replace(self, symbols={k: v for k, v in self.symbols.items() if k != name}, spans={})


def _bounds(plain: Known, fact: N.Relation | N.Within) -> Iterable[tuple[N.Node, Span]]:
    """What a fact says of the trees in it, and of the differences of its sides."""
    match fact:
        case N.Within(arg, low, high):
            yield arg, Span(plain(low).low, plain(high).high)
        case N.Relation(op, left, right):
            for one, other, sense in ((left, right, op), (right, left, _FLIPPED[op])):
                if not isinstance(one, N.Number):
                    yield one, _beside(sense, plain(other))
                    yield N.Subtract(one, other), _beside(sense, ZERO)


def _beside(op: N.Comparison, other: Span) -> Span:
    """Of what stands in this relation to something in the span."""
    match op:
        case "==":
            return other
        case "!=":
            return Span(nonzero=other.is_zero)
        case "<" | "<=":
            return -_beside(_FLIPPED[op], -other)
    low = other.mean().low  # with its end open where 0 is left out
    return Span(replace(low, open=low.open or op == ">"))


def _names(part: N.Node | N.Fact) -> set[str]:
    """The names in it, those of symbols behind an index included."""
    return {x.name for x in walk(part) if isinstance(x, N.Symbol | N.Member | N.Let)}
