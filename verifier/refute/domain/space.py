"""The domain of a claim: what may vary, and which values the declarations and assumptions allow.

A `Cell` is the domain at one choice of sizes. There every variable is a block of one long vector
of free numbers, and whatever stands in that vector, its values satisfy the declarations. Of the
assumptions, those that bound one scalar or one norm are built into the families; the others are
penalties for the ascent, and are decided exactly when a point is checked.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from flint import arb, fmpq

from verifier.claim.model import Claim, Constraint
from verifier.exact.numbers.constants import Closed, enclose, power
from verifier.exact.numbers.refusals import Refusal
from verifier.exact.values.compare_at_point import compare
from verifier.exact.values.evaluate import evaluate as evaluate_exactly
from verifier.exact.values.point_context import Context
from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.walk import children, walk
from verifier.refute.domain.domain_at_sizes import Cell, Sizes, Variable
from verifier.refute.domain.entry_limits import limited
from verifier.refute.domain.family import Family
from verifier.refute.domain.matrix_families import BY_CLASS, Box, Plain, Scalar, Signs
from verifier.refute.domain.spheres import Ball, Sphere
from verifier.refute.domain.tied_scalars import ties
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.draw_scope import World
from verifier.sample.unsupported import RefusedError

MAX_FREE_NUMBERS = 4096
FLIPPED: dict[str, N.Comparison] = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "==": "=="}
SIZED = (K.Dimension, K.Integer, K.IndexOf)


def _not_integrated(part: N.Node | N.Fact, world: World) -> frozenset[str]:
    """The symbols that occur outside every expectation; a random one among them has a value at a point."""
    found: set[str] = set()

    def visit(node: N.Node | N.Fact) -> None:
        match node:
            case N.Expectation(_, given):
                for known in given:
                    visit(known)
                return
            case N.Variance() | N.Covariance():
                return
            case N.Symbol(name) | N.Member(name):
                found.add(name)
                if name in world.substituted:
                    visit(world.substituted[name])
            case N.Let(name) if name in world.assumed:
                visit(world.assumed[name])
            case N.After():
                found.update(sources.names(node, world))
        for child in children(node):
            visit(child)

    visit(part)
    return frozenset(found)


def _is_infinite(end: N.Node) -> bool:
    return any(isinstance(part, N.Infinity) for part in walk(end))


def _parameters(claim: Claim, drawn: frozenset[str] | set[str]) -> set[str]:
    """The symbols that the laws of what is drawn are stated with."""
    laws = [claim.symbols[name].kind for name in drawn if name in claim.symbols]
    given = [node for law in laws for node in vars(law).values() if isinstance(node, N.Node)]
    return {part.name for node in given for part in walk(node) if isinstance(part, N.Symbol)}


@dataclass(frozen=True)
class Domain:
    """All cells of a claim, for one relation of it."""

    claim: Claim
    fact: N.Relation | N.Within

    @cached_property
    def context(self) -> Context:
        return Context.of(self.claim)

    @cached_property
    def names(self) -> frozenset[str]:
        """Every symbol that the relation or an assumption reaches, sizes of matrices included."""
        world = World.of(self.claim, {})
        found: set[str] = set()
        for part in (self.fact, *self.claim.constraints):
            drawn = sources.random_names(part, world) - _not_integrated(part, world)
            found |= sources.names(part, world) - drawn
            found |= _parameters(self.claim, drawn)
            for node in walk(part):
                found |= node.shape.rows.names | node.shape.cols.names
        for name in list(found):
            declared = self.claim.symbols.get(name)
            if declared is not None:
                found |= declared.shape.rows.names | declared.shape.cols.names
                found |= declared.copies.names if declared.copies is not None else frozenset()
                found |= declared.kind.size.names if isinstance(declared.kind, K.IndexOf) else frozenset()
        return frozenset(found)

    @cached_property
    def substituted(self) -> Mapping[str, N.Node]:
        return World.of(self.claim, {}).substituted

    @cached_property
    def constraints(self) -> tuple[Constraint, ...]:
        """The assumed ones, and what a scalar with a value was declared as: c > 0 where c == 1 - a - b."""
        found: list[Constraint] = list(self.claim.constraints)
        for name, value in self.substituted.items():
            match self.claim.symbols[name].kind:
                case K.Positive() if name in self.names and not self.claim.values(value).is_positive:
                    found.append(N.Relation(">", value, N.Number(Fraction(0))))
                case K.Interval(low, high) if name in self.names:
                    ends: tuple[tuple[N.Comparison, N.Node], ...] = ((">=", low), ("<=", high))
                    found += [N.Relation(op, value, end) for op, end in ends if not _is_infinite(end)]
        return tuple(found)

    def sized(self, *kinds: type[K.Kind]) -> tuple[str, ...]:
        """The free symbols of these kinds, in the order declared."""
        return tuple(
            name
            for name, declared in self.claim.symbols.items()
            if name in self.names and isinstance(declared.kind, kinds) and name not in self.substituted
        )

    @cached_property
    def dimensions(self) -> tuple[str, ...]:
        return self.sized(K.Dimension)

    def counts_for_tightness(self, sizes: Sizes) -> bool:
        """Every free dimension is at least 2."""
        return all(sizes[name] >= 2 for name in self.dimensions)

    def cell(self, chosen: Sizes) -> Cell | None:
        """The domain at these sizes; None where the assumptions allow none of them."""
        sizes = self._completed(chosen)
        if sizes is None:
            return None
        remaining: list[Constraint] = []
        for constraint in self.constraints:
            if sources.names(constraint, World.of(self.claim, {})) <= sizes.keys():
                if compare(constraint, sizes, self.context).outcome == "false":
                    return None
                continue
            remaining.append(constraint)
        world = World.of(self.claim, sizes)
        families, penalties = self._families(sizes, remaining)
        variables = []
        for name, family in families.items():
            declared = self.claim.symbols[name]
            copies = None if declared.copies is None else world.size(declared.copies)
            variables.append(Variable(name, family, *world.shape(declared.shape), copies))
        tied, left = ties({v.name: v.family for v in variables if v.copies is None}, penalties, world)
        cell = Cell(world, tuple(variables), self._order(sizes), tuple(left), tied)
        return cell if cell.width <= MAX_FREE_NUMBERS else None

    def _completed(self, chosen: Sizes) -> dict[str, int] | None:
        """With the sizes that substitutions give: d_k == d_v, d_F == 4*d_v."""
        sizes = {name: size for name, size in chosen.items() if name not in self.substituted}
        waiting = [name for name in self.substituted if isinstance(self.claim.symbols[name].kind, SIZED)]
        for _ in waiting:
            for name in waiting:
                if name not in sizes and sources.names(self.substituted[name], World({})) <= sizes.keys():
                    value = self.constant(self.substituted[name], sizes)
                    if not isinstance(value, fmpq) or value.q != 1:
                        return None
                    sizes[name] = int(value.p)
        for name, size in sizes.items():
            kind = self.claim.symbols[name].kind
            if isinstance(kind, K.Dimension) and size < 1:
                return None
            if isinstance(kind, K.IndexOf) and not 1 <= size <= kind.size.at(sizes):
                return None
        return sizes

    def _order(self, sizes: Sizes) -> tuple[str, ...]:
        """Substituted symbols, each after those that its value uses."""
        bare = World(sizes)
        waiting = [n for n in self.substituted if n in self.names and n not in sizes]
        order: list[str] = []
        while waiting:
            ready = [n for n in waiting if not sources.names(self.substituted[n], bare) & set(waiting)]
            if not ready:
                raise RefusedError("substitutions that do not go in a circle")
            order += ready
            waiting = [n for n in waiting if n not in ready]
        return tuple(order)

    def _families(
        self, sizes: Sizes, constraints: list[Constraint]
    ) -> tuple[dict[str, Family], list[Constraint]]:
        families: dict[str, Family] = {}
        for name in (*self.claim.symbols, *(self.names - self.claim.symbols.keys())):
            if name not in self.names:
                continue
            declared = self.claim.symbols.get(name)
            if declared is None:
                raise RefusedError(f"values of {name}, which each layer draws")
            if name not in sizes and name not in self.substituted:
                families[name] = self._family(declared, sizes)
        penalties = []
        world = World.of(self.claim, sizes)
        for constraint in constraints:
            found = self._built_in(constraint, families, sizes)
            if found is None:
                found = limited(constraint, families, world, lambda node: self.constant(node, sizes))
            if found is None:
                penalties.append(constraint)
            else:
                families[found[0]] = found[1]
        return families, penalties

    def _family(self, declared: K.Declared, sizes: Sizes) -> Family:
        match declared.kind:
            case K.FixedMatrix(family):
                return BY_CLASS[family]()
            case K.Real():
                return Scalar()
            case K.Positive():
                return Scalar(positive=True)
            case K.Interval(low, high):
                return Scalar(self._end(low, sizes), self._end(high, sizes))
            case K.Uniform(low, high):
                return Box(self._end(low, sizes), self._end(high, sizes))
            case K.Rademacher():
                return Signs()
            case K.Normal(_, _, None, None) | K.Iid() | K.AnyLaw():
                return Plain()
        raise RefusedError(f"the support of {declared.name}")

    def constant(self, node: N.Node, sizes: Sizes) -> Any:
        """A node that only sizes determine, exactly; None where it is no such constant."""
        if not sources.names(node, World({})) <= sizes.keys() or not node.shape.is_scalar:
            return None
        try:
            ((value,),) = evaluate_exactly(node, sizes, self.context)
        except Refusal:
            return None
        return value if isinstance(value, fmpq | Closed | arb) else None

    def _end(self, node: N.Node, sizes: Sizes) -> float:
        match node:
            case N.Infinity():
                return math.inf
            case N.Negate(N.Infinity()):
                return -math.inf
        value = self.constant(node, sizes)
        if value is None:
            raise RefusedError("an interval whose ends depend on other symbols")
        return float(enclose(value).mid())

    def _built_in(
        self, constraint: Constraint, families: Mapping[str, Family], sizes: Sizes
    ) -> tuple[str, Family] | None:
        """A constraint on one scalar or one norm as a narrower family."""
        match constraint:
            case N.Relation(op, left, N.Symbol(name)) if op in FLIPPED and not isinstance(left, N.Symbol):
                return self._built_in(N.Relation(FLIPPED[op], constraint.right, left), families, sizes)
            case N.Relation(op, N.Symbol(name), right) if isinstance(families.get(name), Scalar):
                value, family = self.constant(right, sizes), families[name]
                assert isinstance(family, Scalar)
                if value is None or op in ("==", "!="):
                    return None
                end = float(enclose(value).mid())
                if op in ("<=", "<"):
                    return name, replace(family, high=min(family.high, end))
                return name, replace(family, low=max(family.low, end))
            case N.Relation("==" | "<=" as op, N.Power(norm, N.Number(two)), right) if two == 2:
                return self._norm(op, norm, self.constant(right, sizes), True, families)
            case N.Relation("==" | "<=" as op, norm, right):
                return self._norm(op, norm, self.constant(right, sizes), False, families)
        return None

    def _norm(
        self, op: str, norm: N.Node, radius: Any, squared: bool, families: Mapping[str, Family]
    ) -> tuple[str, Family] | None:
        """norm(x) == radius, norm(x) <= radius, norm(x, 2) <= radius for a matrix without class."""
        match norm:
            case N.Norm(N.Symbol(name), "fro" | "2" as kind) if isinstance(families.get(name), Plain):
                if not isinstance(radius, fmpq | Closed) or float(enclose(radius).mid()) <= 0:
                    return None
                radius = power(radius, fmpq(1, 2)) if squared else radius
                if op == "<=":
                    return name, Ball(radius, kind == "2")
                # Of a vector the two norms are one; a spectral sphere is left to the penalties.
                vector = norm.arg.shape.is_vector or norm.arg.shape.transposed.is_vector
                return (name, Sphere(radius)) if kind == "fro" or vector else None
        return None
