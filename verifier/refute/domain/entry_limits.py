"""Assumptions on every entry or every row of a matrix, as the family of what satisfies them:
all(v[i] >= 0, i, 1, n), all(abs(A[i, j]) <= 1, ...), A >= 0, all(norm(X[i]) == 1, i, 1, n)."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from flint import fmpq

from verifier.claim.model import Constraint
from verifier.exact.numbers.constants import Closed, enclose
from verifier.expr import nodes as N
from verifier.refute.domain.family import Family
from verifier.refute.domain.matrix_families import Entries, Plain, Simplex, Stochastic
from verifier.refute.domain.spheres import RowBalls, RowSpheres
from verifier.sample.draws.allowed_points import relations
from verifier.sample.draws.draw_scope import Scope, World
from verifier.sample.draws.static_integers import try_integer
from verifier.sample.unsupported import RefusedError

Constant = Callable[[N.Node], Any]  # the exact value of a node that only sizes determine, or None
ABOVE = ("<=", "<")
FLIPPED: dict[str, N.Comparison] = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "==": "=="}
MAX_NUMBERS = 1024


def limited(
    constraint: Constraint, families: Mapping[str, Family], world: World, constant: Constant
) -> tuple[str, Family] | None:
    """The one matrix that the constraint limits and its family; None where it is of another form."""
    try:
        found = [(_turned(relation), scope) for relation, scope in relations(constraint, Scope(world, {}))]
    except RefusedError:
        return None
    names = {node.name for relation, _ in found for node in _subjects(relation.left)}
    if len(names) != 1:
        return None
    (name,) = names
    family = families.get(name)
    rows, cols = world.shape(world.symbols[name].shape)
    if rows * cols > MAX_NUMBERS:
        return None
    by_rows = _of_rows(found, name, family, rows, constant)
    if by_rows is not None:
        return name, by_rows
    if isinstance(family, Simplex | Stochastic):
        kept = all(_of_every_mass(relation, constant) for relation, _ in found)
        return (name, family) if kept else None
    limits = _Limits.of(family, rows, cols)
    if limits is None or not all(limits.add(relation, name, scope, constant) for relation, scope in found):
        return None
    return name, limits.family


def _turned(relation: N.Relation) -> N.Relation:
    """With the matrix on the left."""
    if relation.op in FLIPPED and _subjects(relation.right) and not _subjects(relation.left):
        return N.Relation(FLIPPED[relation.op], relation.right, relation.left)
    return relation


def _subjects(node: N.Node) -> list[N.Symbol]:
    """The matrix symbol of an entry, a row's norm, or a whole matrix; none for another form."""
    match node:
        case N.Entry(N.Symbol() as symbol, _, _) | N.Apply("abs", (N.Entry(N.Symbol() as symbol, _, _),)):
            return [symbol]
        case N.Norm(N.Row(N.Symbol() as symbol, _), "fro" | "2"):
            return [symbol]
        case N.Symbol() as symbol if not symbol.shape.is_scalar:
            return [symbol]
    return []


def _of_every_mass(relation: N.Relation, constant: Constant) -> bool:
    """p[i] >= 0 or p[i] <= 1, which probabilities keep by themselves; a strict one is kept inside."""
    end = 0 if isinstance(relation.right, N.Zeros) else constant(relation.right)
    if end is None or isinstance(relation.left, N.Norm):
        return False
    value = float(Fraction(end)) if isinstance(end, int) else float(enclose(end).mid())
    return (relation.op in (">=", ">") and value <= 0) or (relation.op in ABOVE and value >= 1)


def _of_rows(
    found: list[tuple[N.Relation, Scope]], name: str, family: Family | None, rows: int, constant: Constant
) -> Family | None:
    """norm(X[i]) == r or <= r for each i."""
    if not isinstance(family, Plain):
        return None
    seen, kinds = set(), set()
    for relation, scope in found:
        match relation:
            case N.Relation("==" | "<=" as op, N.Norm(N.Row(_, row), _), right):
                seen.add(try_integer(row, scope))
                kinds.add((op, constant(right)))
            case _:
                return None
    if len(kinds) != 1 or seen != set(range(1, rows + 1)):
        return None
    ((op, radius),) = kinds
    if not isinstance(radius, fmpq | Closed) or float(enclose(radius).mid()) <= 0:
        return None
    return RowSpheres(radius) if op == "==" else RowBalls(radius)


@dataclass
class _Limits:
    """The ends of every entry, as they come in."""

    lows: list[list[float]] = field(default_factory=list)
    highs: list[list[float]] = field(default_factory=list)

    @staticmethod
    def of(family: Family | None, rows: int, cols: int) -> "_Limits | None":
        match family:
            case Plain():
                return _Limits(
                    [[-math.inf] * cols for _ in range(rows)], [[math.inf] * cols for _ in range(rows)]
                )
            case Entries(lows, highs):
                return _Limits([list(row) for row in lows], [list(row) for row in highs])
        return None

    def add(self, relation: N.Relation, name: str, scope: Scope, constant: Constant) -> bool:
        """Take in one relation; False where it bounds no entry by a number."""
        end = 0 if isinstance(relation.right, N.Zeros) else constant(relation.right)
        if end is None or relation.op in ("==", "!="):
            return False
        number = float(Fraction(end)) if isinstance(end, int) else float(enclose(end).mid())
        match relation.left:
            case N.Symbol():
                places = [(i, j) for i in range(len(self.lows)) for j in range(len(self.lows[0]))]
                both = False
            case N.Entry(_, row, col) | N.Apply("abs", (N.Entry(_, row, col),)):
                i, j = try_integer(row, scope), try_integer(col, scope)
                if i is None or j is None or not (1 <= i <= len(self.lows) and 1 <= j <= len(self.lows[0])):
                    return False
                places, both = [(i - 1, j - 1)], isinstance(relation.left, N.Apply)
            case _:
                return False
        above = relation.op in ABOVE
        if both and (not above or number < 0):
            return False
        for i, j in places:
            if above:
                self.highs[i][j] = min(self.highs[i][j], number)
            if both or not above:
                self.lows[i][j] = max(self.lows[i][j], -number if both else number)
        return True

    @property
    def family(self) -> Family:
        return Entries(tuple(map(tuple, self.lows)), tuple(map(tuple, self.highs)))
