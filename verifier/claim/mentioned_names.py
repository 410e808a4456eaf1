"""The names that a claim rests on."""

from collections.abc import Iterable, Iterator, Mapping

from verifier.claim.model import Claim
from verifier.expr.dims import SCALAR, Dim
from verifier.expr.nodes import Called, Fact, Let, Member, Node, Symbol
from verifier.expr.symbols import Declared, JointWith
from verifier.expr.walk import children


def names_in(claim: Claim) -> frozenset[str]:
    """Every name that the statement rests on: in its trees, their shapes, and the symbols' laws."""
    parts: list[Node | Fact] = [step.fact for step in claim.steps]
    parts += [assumption.fact for assumption in claim.assumptions]
    if claim.layers is not None:
        parts += [claim.layers.next, claim.layers.depth]
    drawn = {} if claim.layers is None else {symbol.name: symbol for symbol in claim.layers.symbols}
    return names_under(parts, {**drawn, **claim.symbols})


def names_under(parts: Iterable[Node | Fact], declared: Mapping[str, Declared]) -> frozenset[str]:
    """Every name that these rest on: W of a law with the deviation s rests on s."""
    found: set[str] = set()
    todo = list(parts)
    while todo:
        part = todo.pop()
        if isinstance(part, Let) and part.name in found:
            continue
        names: set[str] = set()
        if isinstance(part, Symbol | Member | Let):
            names.add(part.name)
        if isinstance(part, Called):
            names.add(part.function)
        if isinstance(part, Node) and part.shape != SCALAR:
            names |= part.shape.rows.names | part.shape.cols.names
        for name in names - found:
            found.add(name)
            if name in declared:
                todo += _parameters(declared[name])
                todo.append(Symbol(name, declared[name].shape))
        todo += children(part)
    return frozenset(found)


def _parameters(item: Declared) -> Iterator[Node]:
    """The expressions and sizes inside a law, an interval or an index, how many copies there are, and the
    sequence that it has a joint law with."""
    if isinstance(item.kind, JointWith):
        yield Symbol(item.kind.sequence)
    for value in (*vars(item.kind).values(), item.copies):
        if isinstance(value, Node):
            yield value
        elif isinstance(value, Dim):
            yield from (Symbol(name) for name in value.names)
