"""The domain at one choice of sizes: every variable is a block of one long vector of free numbers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from verifier.claim.model import Constraint
from verifier.expr import nodes as N
from verifier.refute.domain.family import Exact, Family, Rows
from verifier.refute.domain.tied_scalars import Tie
from verifier.refute.domain.uncancelled import uncancelled
from verifier.sample.compile.compile import evaluate
from verifier.sample.draws.allowed_points import relations
from verifier.sample.draws.draw_scope import Scope, World

Sizes = Mapping[str, int]
TINY = 1e-250


@dataclass(frozen=True)
class Design:
    """Exact free numbers of every variable at some sizes: what a shrinker makes smaller."""

    sizes: Sizes
    parts: Mapping[str, Rows]


@dataclass(frozen=True)
class Variable:
    """One symbol: its family, its shape, and how many copies of it there are."""

    name: str
    family: Family
    rows: int
    cols: int
    copies: int | None = None

    @property
    def count(self) -> int:
        return self.rows * self.cols * (self.copies or 1)

    def value(self, raw: Tensor) -> Tensor:
        """From `count` free numbers."""
        if self.copies is None:
            return self.family.value(raw.reshape(self.rows, self.cols))
        blocks = raw.reshape(self.copies, self.rows, self.cols)
        return torch.stack([self.family.value(blocks[h]) for h in range(self.copies)])

    def design(self, raw: Tensor) -> Tensor:
        """The numbers to round, copies one below the other."""
        blocks = raw.reshape(self.copies or 1, self.rows, self.cols)
        return torch.cat([self.family.design(block) for block in blocks])

    def exact(self, design: Rows) -> Any:
        """The exact value as a point holds it: a number, rows, or a list of copies; None if none."""
        blocks = [design[at : at + self.rows] for at in range(0, len(design), self.rows)]
        members = [self.family.exact(block) for block in blocks]
        if any(member is None for member in members):
            return None
        shown = [_bare(member) for member in members if member is not None]
        return shown[0] if self.copies is None else shown


def _bare(member: Exact) -> Any:
    rows = [list(row) for row in member]
    return rows[0][0] if len(rows) == 1 and len(rows[0]) == 1 else rows


@dataclass(frozen=True)
class Cell:
    """The domain at one choice of sizes."""

    world: World
    variables: tuple[Variable, ...]
    order: tuple[str, ...]
    penalties: tuple[Constraint, ...]
    ties: tuple[Tie, ...] = ()  # scalars that are chosen after all other variables

    @property
    def sizes(self) -> Sizes:
        return self.world.sizes

    @cached_property
    def width(self) -> int:
        return sum(variable.count for variable in self.variables)

    @cached_property
    def creeps(self) -> bool:
        """An equation is among what the ascent pays for: it hardly moves along the surface."""
        facts = (item.fact if isinstance(item, N.ForAll) else item for item in self.penalties)
        return any(isinstance(fact, N.Relation) and fact.op == "==" for fact in facts)

    def blocks(self, raw: Tensor) -> Iterator[tuple[Variable, Tensor]]:
        """Each variable with its part of the vector."""
        start = 0
        for variable in self.variables:
            yield variable, raw[..., start : start + variable.count]
            start += variable.count

    def bind(self, raw: Tensor) -> Scope:
        """The values of all symbols, substituted ones included."""
        tied = {tie.name for tie in self.ties}
        parts = {variable.name: part for variable, part in self.blocks(raw)}
        values = {v.name: v.value(parts[v.name]) for v in self.variables if v.name not in tied}
        for tie in self.ties:
            values[tie.name] = tie.value(parts[tie.name], Scope(self.world, values))
        for name in self.order:
            shape = self.world.shape(self.world.symbols[name].shape)
            values[name] = evaluate(self.world.substituted[name], Scope(self.world, values)).expand(shape)
        return Scope(self.world, values)

    def broken(self, scope: Scope) -> Tensor:
        """How far each assumption is from true, relative to its size: 0 where it holds."""
        parts = [_broken(r, inner).reshape(-1) for c in self.penalties for r, inner in relations(c, scope)]
        return torch.cat(parts) if parts else torch.zeros(1, dtype=torch.float64)

    def margins(self, scope: Scope) -> tuple[Tensor, Tensor]:
        """Each assumption as a number that is at most 0 where it holds, and whether it is an equation."""
        found = [(r.op, _margin(r, at).reshape(-1)) for c in self.penalties for r, at in relations(c, scope)]
        found = [(op, margin) for op, margin in found if op != "!="]
        equations = [torch.full((len(margin),), op == "==") for op, margin in found]
        if not found:
            return torch.zeros(0, dtype=torch.float64), torch.zeros(0, dtype=torch.bool)
        return torch.cat([margin for _, margin in found]), torch.cat(equations)

    def numbers(self, raw: Tensor) -> Iterator[tuple[Variable, Tensor]]:
        """What may be rounded: the free numbers of each variable, and the values of those that are tied."""
        tied = {tie.name for tie in self.ties}
        values = self.bind(raw).values if tied else {}
        for variable, part in self.blocks(raw):
            yield variable, values[variable.name] if variable.name in tied else variable.design(part)

    def design(self, raw: Tensor, denominator: int, units: Mapping[str, float] | None = None) -> Design:
        """The free numbers rounded to multiples of 1/denominator, each variable in its own unit."""
        parts = {}
        for variable, numbers in self.numbers(raw):
            numbers = numbers / (units or {}).get(variable.name, 1.0)
            parts[variable.name] = tuple(
                tuple(Fraction(round(x * denominator), denominator) for x in row) for row in numbers.tolist()
            )
        return Design(self.sizes, parts)

    def point(self, design: Design) -> dict[str, Any] | None:
        """The exact values at a design; None where it builds none."""
        values: dict[str, Any] = dict(self.sizes)
        for variable in self.variables:
            rows = design.parts[variable.name]
            fits = len(rows) == variable.rows * (variable.copies or 1) and all(
                len(row) == variable.cols for row in rows
            )
            value = variable.exact(rows) if fits else None
            if value is None:
                return None
            values[variable.name] = value
        return values


def _margin(relation: N.Relation, scope: Scope) -> Tensor:
    left, right = evaluate(relation.left, scope), evaluate(relation.right, scope)
    gap = (left - right) / (1 + right.detach().abs())
    return -gap if relation.op in (">=", ">") else gap


def _broken(relation: N.Relation, scope: Scope) -> Tensor:
    """How far a relation is from true; an order also relative to what it compares, however small that is."""
    left, right = evaluate(relation.left, scope), evaluate(relation.right, scope)
    gap, size = left - right, 1 + right.abs()
    match relation.op:
        case "==":
            return gap.abs() / size
        case "!=":
            return torch.zeros_like(gap)
        case "<=" | "<":
            beyond = torch.relu(gap)
        case ">=" | ">":
            beyond = torch.relu(-gap)
    compared = evaluate(uncancelled(relation.left), scope) + evaluate(uncancelled(relation.right), scope)
    return torch.cat([(beyond / size).reshape(-1), (beyond / compared.clamp(min=TINY)).reshape(-1)])
