"""Small exact points of a claim's domain: where claims are broken and proofs are confirmed."""

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.symbols import Declared, FixedMatrix, IndexOf
from verifier.expr.walk import walk
from verifier.prove.scalars.symbol_ranges import Span, domain

Point = Mapping[str, object]
Rows = list[list[Fraction]]
Likeness = Literal["free", "same", "moved"]
LIKENESSES: tuple[Likeness, ...] = ("free", "free", "same", "moved")
_INTEGERS = [1, 2, 3, 5, 4, 7, 0, -1, -2]
_REALS = [Fraction(v) for v in ("1", "2", "1/2", "-1", "3", "0", "-2", "1/3", "-1/2", "5", "10")]


def points(claim: Claim, parts: Iterable[n.Node | n.Fact], count: int, seed: int = 0) -> Iterator[Point]:
    """Up to `count` points for the fixed symbols that the parts mention, simplest first."""
    needed = _needed(claim, parts)
    spans = domain(claim)
    rng = random.Random(seed)
    seen: set[str] = set()
    for attempt in range(20 * count):
        point = _point(claim, needed, spans, attempt, rng)
        if point is not None and repr(point) not in seen:
            seen.add(repr(point))
            yield point
            if len(seen) == count:
                return


def _needed(claim: Claim, parts: Iterable[n.Node | n.Fact]) -> list[Declared]:
    """Fixed symbols that occur, in a side, an assumption or a shape; not those substituted away."""
    everything = [*parts, *(assumption.fact for assumption in claim.assumptions)]
    if claim.layers is not None:
        everything.append(claim.layers.next)
    names: set[str] = set()
    for part in everything:
        for node in walk(part):
            names |= {node.name} if isinstance(node, n.Symbol) else set()
            names |= node.shape.rows.names | node.shape.cols.names
    given = {found[0].name for a in claim.assumptions if (found := a.substitution) is not None}
    given -= _fixed(claim).keys()
    for name in list(names):
        if name in claim.symbols:
            names |= claim.symbols[name].shape.rows.names | claim.symbols[name].shape.cols.names
            kind = claim.symbols[name].kind
            names |= kind.size.names if isinstance(kind, IndexOf) else frozenset()
    return [s for name, s in claim.symbols.items() if name in names - given and not s.is_random]


def _fixed(claim: Claim) -> dict[str, Fraction]:
    """Symbols that an assumption sets to a number."""
    pairs = (assumption.substitution for assumption in claim.assumptions)
    return {p[0].name: p[1].value for p in pairs if p is not None and isinstance(p[1], n.Number)}


def _point(
    claim: Claim, needed: list[Declared], spans: Mapping[str, Span], attempt: int, rng: random.Random
) -> Point | None:
    point: dict[str, object] = {}
    dims = [s for s in needed if s.shape.is_scalar and not isinstance(s.kind, IndexOf)]
    for symbol in dims:
        value = _fixed(claim).get(symbol.name, _scalar(spans[symbol.name], attempt, rng))
        if value is None:
            return None
        point[symbol.name] = int(value) if value.denominator == 1 else value
    sizes = {name: int(value) for name, value in point.items() if isinstance(value, int)}
    likeness: Likeness = rng.choice(LIKENESSES) if attempt >= 3 else "free"
    shared = Shared(likeness, rng)
    for symbol in needed:
        if isinstance(symbol.kind, IndexOf):
            point[symbol.name] = rng.randint(1, symbol.kind.size.at(sizes))
        elif isinstance(symbol.kind, FixedMatrix):
            try:
                rows, cols = symbol.shape.rows.at(sizes), symbol.shape.cols.at(sizes)
            except KeyError:
                return None  # a size that is substituted away
            point[symbol.name] = _matrix(symbol.kind.family, rows, cols, attempt, shared)
    return point


def _scalar(span: Span, attempt: int, rng: random.Random) -> Fraction | None:
    """First the same simple value everywhere it fits, then 0, then small ones at random."""
    pool = [Fraction(v) for v in _INTEGERS] if span.integer else list(_REALS)
    if span.low is not None:
        steps = (0, 1, 2, 3) if span.integer else (0, 1, Fraction(1, 2), 2)
        pool = [*(span.low + step for step in steps), *pool]
    if span.high is not None:
        middle = span.high - 1 if span.low is None else (span.low + span.high) / 2
        pool = [middle, span.high, *pool]
    fitting = list(dict.fromkeys(value for value in pool if span.holds(value)))
    if not fitting:
        return None
    if attempt < 3:
        return fitting[min(attempt, len(fitting) - 1)]
    if attempt == 3 and span.holds(Fraction(0)):
        return Fraction(0)
    return rng.choice(fitting)


@dataclass(frozen=True)
class Shared:
    """What the matrices of one point have in common, as assumptions between them often ask for: rows that
    are one vector, or one vector with its entries moved and their signs changed (so of equal norm)."""

    likeness: Likeness
    rng: random.Random
    vectors: dict[int, list[Fraction]] = field(default_factory=dict)

    def row(self, length: int) -> list[Fraction]:
        if self.likeness == "free":
            return [Fraction(self.rng.randint(-2, 2)) for _ in range(length)]
        drawn = [Fraction(self.rng.randint(-2, 2)) for _ in range(length)]
        vector = self.vectors.setdefault(length, drawn)
        if self.likeness == "same":
            return list(vector)
        return [self.rng.choice((1, -1)) * value for value in self.rng.sample(vector, length)]


def _matrix(family: str, rows: int, cols: int, attempt: int, shared: Shared) -> Rows:
    """A small integer matrix of the family; ones, rows that cancel and zeros come first."""
    match attempt:
        case 0:
            values = [[Fraction(1)] * cols for _ in range(rows)]
        case 1:
            values = [[Fraction(1 if i % 2 == 0 else -1)] * cols for i in range(rows)]
        case 2:
            values = [[Fraction(int(i == j)) for j in range(cols)] for i in range(rows)]
        case 6:
            values = [[Fraction(0)] * cols for _ in range(rows)]
        case _ if cols == 1:
            values = _transposed([shared.row(rows)])
        case _:
            values = [shared.row(cols) for _ in range(rows)]
    match family:
        case "matrix" | "vector":
            return values
        case "symmetric":
            return [[values[min(i, j)][max(i, j)] for j in range(cols)] for i in range(rows)]
        case "psd":
            return [
                [sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0)) for y in values] for x in values
            ]
        case "orthogonal":
            order = shared.rng.sample(range(rows), rows)
            return [[Fraction(int(order[i] == j)) for j in range(cols)] for i in range(rows)]
        case "simplex":
            return _transposed(_stochastic(_transposed(values)))
        case "stochastic":
            return _stochastic(values)
    raise AssertionError(family)


def _stochastic(rows: Rows) -> Rows:
    shares = [[abs(value) + (1 if not any(row) else 0) for value in row] for row in rows]
    return [[value / sum(row) for value in row] for row in shares]


def _transposed(rows: Rows) -> Rows:
    return [list(column) for column in zip(*rows, strict=True)]
