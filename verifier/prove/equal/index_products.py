"""Relations with products over an index, sums over pairings or over subsets.

First the theorems for symbolic sizes; where they leave the relation open, it is looked at again at small
sizes, since a claim for all sizes is false as soon as it is false for one.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product

from verifier.claim.model import Claim
from verifier.evidence import Finding
from verifier.expr import nodes as N
from verifier.expr.symbols import Dimension
from verifier.expr.walk import children, substitute, walk
from verifier.prove.equal.pairings import Rewriter, concerns

Fact = N.Relation | N.Within
Judge = Callable[[Claim, Fact], Finding]
_VARYING = (N.Limit, N.Growth, N.Extreme)
_SMALL = (1, 2, 3, 4)
_MOST_POINTS = 12


def speaks_of_combinations(fact: Fact) -> bool:
    """Whether there is a product or a sum that the theorems are about."""
    return any(map(concerns, children(fact)))


def examine(claim: Claim, fact: Fact, judge: Judge) -> Finding:
    """The relation after the theorems; where they leave it open, at small sizes."""
    writer = Rewriter(claim, not claim.growing and not any(isinstance(x, _VARYING) for x in walk(fact)))
    asked = writer.fact(fact)
    found = judge(writer.judged, asked)
    if found.truth == "true" or not writer.unknowns:
        if asked != fact:
            found = replace(found, derivation=(*writer.notes, *found.derivation))
        if found.truth != "unknown":
            return replace(found, lhs=None, rhs=None) if writer.unknowns else found
    for values in _small_points(claim, fact):
        small = judge(*_at(claim, fact, values))
        if small.truth == "false":
            return _with_values(small, values)
    if found.truth == "unknown":
        return replace(found, lhs=None, rhs=None) if writer.unknowns else found
    return Finding(found.engine, "unknown", missing="a theorem on sums over pairings of any size")


def _small_points(claim: Claim, fact: Fact) -> Iterator[dict[str, int]]:
    """Small values of the dimensions that pairings, products and sets are counted by."""
    names: set[str] = set()
    for node in walk(fact):
        match node:
            case N.Hafnian(arg):
                names |= arg.shape.rows.names
            case N.Product(_, ranges, _):
                names |= {x.name for span in ranges for x in walk(span.high) if isinstance(x, N.Symbol)}
            case N.SubsetSum(_, _, order):
                names |= {x.name for x in walk(order) if isinstance(x, N.Symbol)}
    growing = {symbol.name for symbol in claim.growing}
    growing |= {node.variable.name for node in walk(fact) if isinstance(node, N.Limit)}
    spoken = {x.name for a in claim.assumptions for x in walk(a.fact) if isinstance(x, N.Symbol)}
    open_ = names - growing - spoken - claim.dims.keys() - claim.where.keys()
    free = [name for name, x in claim.symbols.items() if name in open_ and isinstance(x.kind, Dimension)]
    if not free:
        return
    grid = sorted(product(_SMALL, repeat=len(free)), key=lambda point: (sum(point), point))
    for point in grid[:_MOST_POINTS]:
        yield dict(zip(free, point, strict=True))


def _at(claim: Claim, fact: Fact, values: dict[str, int]) -> tuple[Claim, Fact]:
    given = {name: Fraction(value) for name, value in values.items()}
    numbers: dict[N.Node, N.Node] = {N.Symbol(name): N.Number(value) for name, value in given.items()}
    return replace(claim, where={**claim.where, **given}), substitute(fact, numbers)


def _with_values(found: Finding, values: dict[str, int]) -> Finding:
    example = found.counterexample
    if example is not None:
        example = replace(example, values={**example.values, **values})
    at = ", ".join(f"{name} = {value}" for name, value in values.items())
    return replace(found, reason=f"{found.reason}, for {at}", counterexample=example, corrected=None)
