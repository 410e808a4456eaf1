"""Matrices of a fixed small size, entry by entry: a relation between functions of a few reals.

Each entry is a variable; a row of a simplex has one less, its last entry being what is left. Where
both sides scale alike in a matrix it is taken with largest entry 1, so that boxes are compact.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, final

from flint import fmpq

from verifier.claim.model import Claim
from verifier.exact.enclosures.domains import Domain
from verifier.exact.numbers.constants import ONE, ZERO
from verifier.exact.numbers.refusals import Unsupported
from verifier.exact.numbers.scalar_terms import Variable
from verifier.expr import nodes as n
from verifier.expr import symbols as kinds
from verifier.expr.scaling import FREE, scaling
from verifier.expr.walk import walk
from verifier.prove.ranges.problem import Problem, evaluator, state

MAX_CASES = 64
UNIT = Domain(ZERO, ONE)
BALL = Domain(-ONE, ONE)


@final
@dataclass(frozen=True)
class Entries:
    """One matrix: its rows of values, the domains of its variables, what must be >= 0 besides."""

    rows: tuple[tuple[Any, ...], ...]
    domains: Mapping[str, Domain] = field(default_factory=dict)
    constraints: tuple[Any, ...] = ()


def problems(claim: Claim, fact: n.Relation | n.Within, sizes: Mapping[str, int]) -> list[Problem]:
    """The relation at these sizes, as problems that together cover all values of the matrices."""
    choices = []
    for symbol in _matrices(claim, fact):
        choices.append([(symbol.name, found) for found in _entries(claim, fact, symbol, sizes)])
    cases = list(product(*choices))
    if len(cases) > MAX_CASES:
        raise Unsupported(f"more than {MAX_CASES} cases")
    return [_problem(claim, fact, sizes, dict(case)) for case in cases]


def _problem(
    claim: Claim, fact: n.Relation | n.Within, sizes: Mapping[str, int], given: Mapping[str, Entries]
) -> Problem:
    values: dict[str, Any] = {**sizes, **{name: entries.rows for name, entries in given.items()}}
    domains = {name: d for entries in given.values() for name, d in entries.domains.items()}
    found = state(claim, fact, values, domains)
    more = tuple(c for entries in given.values() for c in entries.constraints)
    return replace(found, constraints=(*found.constraints, *more))


def _matrices(claim: Claim, fact: n.Relation | n.Within) -> list[kinds.Declared]:
    """The matrices that the relation or an assumption speaks of; those that one replaces apart."""
    replaced = {a.substitution[0].name for a in claim.assumptions if a.substitution is not None}
    names: dict[str, None] = {}
    facts: list[n.Fact] = [fact, *(a.fact for a in claim.assumptions)]
    for part in facts:
        for node in walk(part):
            if isinstance(node, n.Symbol | n.Member) and not node.shape.is_scalar:
                names[node.name] = None
    return [claim.symbols[name] for name in names if name in claim.symbols and name not in replaced]


def _entries(
    claim: Claim, fact: n.Relation | n.Within, symbol: kinds.Declared, sizes: Mapping[str, int]
) -> Iterator[Entries]:
    env = evaluator(claim, sizes)
    rows, cols = env.dim(symbol.shape.rows), env.dim(symbol.shape.cols)
    if symbol.copies is not None:
        raise Unsupported("a family of matrices, entry by entry")
    match symbol.kind:
        case kinds.FixedMatrix("matrix" | "vector") | kinds.Normal():
            yield from _plain(claim, fact, symbol.name, rows, cols)
        case kinds.FixedMatrix("stochastic"):
            yield _stochastic(symbol.name, rows, cols)
        case kinds.FixedMatrix("simplex"):
            turned = _stochastic(symbol.name, cols, rows)
            yield replace(turned, rows=tuple(zip(*turned.rows, strict=True)))
        case _:
            raise Unsupported(f"{symbol.name} entry by entry")


def _plain(claim: Claim, fact: n.Relation | n.Within, name: str, rows: int, cols: int) -> Iterator[Entries]:
    """Any matrix; one of largest entry 1 where the relation scales in it."""
    names = [[f"{name}[{i + 1}, {j + 1}]" for j in range(cols)] for i in range(rows)]
    signs = _signs(claim, fact, name)
    if signs is None:
        free = {entry: Domain() for row in names for entry in row}
        yield Entries(tuple(tuple(Variable(entry, False) for entry in row) for row in names), free)
        return
    for largest in (entry for row in names for entry in row):
        for sign in signs:
            values = tuple(
                tuple(sign if entry == largest else Variable(entry, False) for entry in row) for row in names
            )
            yield Entries(values, {entry: BALL for row in names for entry in row if entry != largest})


def _signs(claim: Claim, fact: n.Relation | n.Within, name: str) -> tuple[fmpq, ...] | None:
    """The values that the largest entry must be tried with; None where no scale may be chosen."""
    spoken = (node for a in claim.assumptions for node in walk(a.fact))
    if any(isinstance(node, n.Symbol) and node.name == name for node in spoken):
        return None
    if not isinstance(fact, n.Relation):
        return None
    left, right = scaling(fact.left, {name}), scaling(fact.right, {name})
    if left is None or right is None or left.degree != right.degree:
        return None
    # At 0 both sides are 0 or have no value: nothing is lost, unless they must differ there.
    if left.degree < 0 or (left.degree > 0 and fact.op in ("<", ">")):
        return None
    even = left.parity == right.parity == FREE.parity
    return (ONE,) if even else (ONE, -ONE)


def _stochastic(name: str, rows: int, cols: int) -> Entries:
    """Rows on the simplex: the last entry is 1 minus the others, and is not negative."""
    values, domains, constraints = [], {}, []
    for i in range(rows):
        row: list[Any] = [Variable(f"{name}[{i + 1}, {j + 1}]", False) for j in range(cols - 1)]
        domains.update({variable.name: UNIT for variable in row})
        last: Any = ONE
        for variable in row:
            last = last - variable
        if row:
            constraints.append(last)
        values.append((*row, last))
    return Entries(tuple(values), domains, tuple(constraints))
