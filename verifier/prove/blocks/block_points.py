"""Points of blocks that the assumptions allow, and the ones that push a quantity furthest."""

import random
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy as sp

from verifier.claim.model import Claim
from verifier.evidence import InWords
from verifier.expr import nodes as n
from verifier.expr.dims import Dim
from verifier.expr.symbols import Declared, FixedMatrix, IndexOf
from verifier.expr.walk import children, walk
from verifier.prove.blocks.assumptions_at_blocks import holds, instances
from verifier.prove.blocks.block import Block, Sizes
from verifier.prove.blocks.block_numbers import EXPRESSIONS, FLOATS, Field
from verifier.prove.blocks.block_patterns import PEAK, Pattern, patterns, shared
from verifier.prove.blocks.evaluate import At
from verifier.prove.blocks.gradient import derivative
from verifier.prove.forms.refusal import Refusal
from verifier.prove.scalars.symbol_ranges import domain

Choice = Pattern | Fraction
Goal = Callable[[At], float | None]
SCALARS = tuple(Fraction(v) for v in ("1", "2", "1/2", "10", "1/10", "100", "1/100", "-1", "0", "1000"))
TRIES = 40
NEARBY = 1000
NUMERIC = (ArithmeticError, ValueError, OverflowError)


@dataclass(frozen=True)
class Point:
    """A size for every dimension, a matrix or number for every fixed symbol."""

    claim: Claim
    sizes: Mapping[str, Any]
    choices: Mapping[str, Choice] = field(default_factory=dict)

    def at(self, of: Field) -> At:
        """The point in numbers of this kind."""
        classes: dict[str, Sizes] = {
            name: (1,) if size == 1 else (1, size - 1) for name, size in self.sizes.items()
        }
        bare = At(self.claim, of, classes, {}, derivative)
        symbols = {name: self._build(bare, name, choice) for name, choice in self.choices.items()}
        return replace(bare, symbols=symbols, known={})

    def _build(self, at: At, name: str, choice: Choice) -> Block:
        if isinstance(choice, Fraction):
            return at.number(choice)
        declared = self.claim.symbols[name]
        made = choice.build(at.field, at.sizes(declared.shape.rows), at.sizes(declared.shape.cols))
        if made is None:
            raise Refusal("a matrix of norm 0 that is to be scaled")
        family = declared.kind.family if isinstance(declared.kind, FixedMatrix) else ""
        return shared(choice, family, made) if family in ("simplex", "stochastic") else made

    @property
    def has_meaning(self) -> bool:
        """Whether every index is in its range, and no peak stands alone, where it would be 1."""
        for name, choice in self.choices.items():
            declared = self.claim.symbols[name]
            if isinstance(declared.kind, IndexOf) and isinstance(choice, Fraction):
                size = declared.kind.size.at(dict(self.sizes))
                if isinstance(size, int) and not 1 <= choice <= size:
                    return False
            if isinstance(choice, Pattern) and choice.name.startswith(PEAK):
                shape = declared.shape
                width = shape.rows if shape.cols == Dim.of(1) else shape.cols
                if width.at(dict(self.sizes)) == 1:
                    return False
        return True

    def shown(self) -> dict[str, object]:
        """For people: sizes, numbers, matrices in words."""
        words: dict[str, object] = {k: v if isinstance(v, int) else str(v) for k, v in self.sizes.items()}
        exact = self._exact()
        for name, choice in self.choices.items():
            if not isinstance(choice, Pattern):
                words[name] = str(choice)
            elif exact is not None:
                words[name] = InWords(choice.words, _parts(exact.symbols[name]))
            else:
                words[name] = choice.words
        return words

    def _exact(self) -> At | None:
        """The point in exact numbers, unless a size has none."""
        try:
            known = all(isinstance(size, int) for size in self.sizes.values())
            return self.at(EXPRESSIONS) if known else None
        except (Refusal, *NUMERIC):
            return None


def _parts(block: Block) -> dict[str, str]:
    """The entries of a block: those of row 1 and column 1, the diagonal, the others."""
    tall, wide = len(block.rows) - 1, len(block.cols) - 1
    value = block.value
    square = tall == wide
    found = {
        "first": block.diagonal(0),
        "row": value[0][wide],
        "column": value[tall][0],
        "diagonal": block.diagonal(tall) if square else value[tall][wide],
        "rest": value[tall][wide],
    }
    return {part: _text(sp.S(entry)) for part, entry in found.items()}


def _text(entry: sp.Expr) -> str:
    """A rational or the root of one; of any other number a rational nearby."""
    square = sp.expand(entry**2)
    if entry.is_Rational:
        return str(entry)
    if square.is_Rational:
        return f"{'-' if entry.is_negative else ''}sqrt({square})"
    return str(Fraction(float(entry)).limit_denominator(NEARBY))


def needed(claim: Claim, parts: Iterable[n.Node | n.Fact]) -> list[Declared]:
    """The fixed symbols that the parts and the assumptions speak of, those substituted away left out."""
    names = {name for part in [*parts, *claim.constraints] for name in used(claim, part)}
    given = {found[0].name for a in claim.assumptions if (found := a.substitution) is not None}
    return [d for name, d in claim.symbols.items() if name in names - given and not d.is_random]


def used(claim: Claim, part: n.Node | n.Fact | n.Range | n.Condition) -> set[str]:
    """The symbols whose values enter: of an assumed `let` those of its value, and no variable of a
    derivative."""
    match part:
        case n.Symbol(name) | n.Member(name):
            return {name}
        case n.Derivative(of, n.Entry(_, row, col)):
            return used(claim, of) | used(claim, row) | used(claim, col)
        case n.Derivative(of, _):
            return used(claim, of)
        case n.Let(name, body):
            pairs = (assumption.assumed_value for assumption in claim.assumptions)
            value = next((found[1] for found in pairs if found is not None and found[0].name == name), body)
            return used(claim, value)
    return {name for child in children(part) for name in used(claim, child)}


def free_sizes(claim: Claim, parts: Iterable[n.Node | n.Fact]) -> set[str]:
    """Dimensions that occur and have no value yet."""
    names: set[str] = set()
    for part in [*parts, *(a.fact for a in claim.assumptions)]:
        for node in walk(part):
            names |= node.shape.rows.names | node.shape.cols.names
            names |= {node.name} if isinstance(node, n.Symbol) else set()
    is_size = {name for name, d in claim.symbols.items() if type(d.kind).__name__ == "Dimension"}
    given = {found[0].name for a in claim.assumptions if (found := a.substitution) is not None}
    return (names & is_size) - set(claim.where) - given


@dataclass(frozen=True)
class Search:
    """Pushes a quantity up by changing one symbol at a time, among points that satisfy the assumptions."""

    claim: Claim
    parts: tuple[n.Node | n.Fact, ...]
    sizes: Mapping[str, int]
    goal: Goal
    enough: float
    out_of_time: Callable[[], bool]
    moving: bool = False

    def run(self, seed: int = 0, starts: int = 6) -> Point | None:
        """The point with the largest goal that was found."""
        options = self.options()
        if options is None:
            return None
        rng = random.Random(seed)
        best: tuple[float, Point] | None = None
        for start in range(starts):
            found = self._climb(self._start(options, rng, start), options)
            if found is not None and (best is None or found[0] > best[0]):
                best = found
            if self.out_of_time() or (best is not None and best[0] >= self.enough):
                break
        return None if best is None else best[1]

    def _start(self, options: Mapping[str, list[Choice]], rng: random.Random, start: int) -> Point:
        """The simplest point, or a random one; where the goal has no value there, some more at random."""
        pick = {k: v[0] if start == 0 else rng.choice(v) for k, v in options.items()}
        for _ in range(TRIES):
            point = Point(self.claim, self.sizes, pick)
            if self.value(point) is not None or self.out_of_time():
                break
            pick = {k: rng.choice(v) for k, v in options.items()}
        return point

    def options(self) -> dict[str, list[Choice]] | None:
        """For each symbol what keeps the assumptions about it alone; None if one has nothing left."""
        found: dict[str, list[Choice]] = {}
        for declared in needed(self.claim, self.parts):
            if declared.name in self.sizes or declared.name in self.claim.where:
                continue
            tried = self._candidates(declared)
            alone = [fact for fact, names in self.facts if names == {declared.name}]
            kept = self._distinct(declared, [c for c in tried if self._keeps(declared, c, alone)])
            if not kept:
                return None
            found[declared.name] = kept
        return found

    def _candidates(self, declared: Declared) -> list[Choice]:
        if isinstance(declared.kind, FixedMatrix):
            shape = declared.shape
            square = shape.is_square and shape.rows != Dim.of(1)
            return list(patterns(declared, square, self.moving))
        if isinstance(declared.kind, IndexOf):
            size = declared.kind.size.at(dict(self.sizes))
            return [Fraction(i) for i in (1, 2, 3) if i <= size]
        if declared.name not in domain(self.claim):
            return []
        span = domain(self.claim)[declared.name]
        return [value for value in SCALARS if span.holds(value)]

    def _keeps(self, declared: Declared, choice: Choice, alone: Iterable[n.Fact]) -> bool:
        """The assumptions that speak of this symbol alone, at this value of it."""
        at = self._at(Point(self.claim, self.sizes, {declared.name: choice}))
        return at is not None and all(_true(at, fact) for fact in alone)

    def _distinct(self, declared: Declared, choices: list[Choice]) -> list[Choice]:
        """One choice for each value, at these sizes."""
        found: dict[object, Choice] = {}
        for choice in choices:
            at = self._at(Point(self.claim, self.sizes, {declared.name: choice}))
            if at is not None:
                block = at.symbols[declared.name]
                key = tuple(round(float(v), 12) for v in block.entries())
                found.setdefault((key, block.shift is None), choice)
        return list(found.values())

    def _at(self, point: Point) -> At | None:
        try:
            return point.at(FLOATS)
        except (Refusal, *NUMERIC):
            return None

    @cached_property
    def facts(self) -> list[tuple[n.Fact, set[str]]]:
        """The assumptions, those about every index written out, with the symbols that each speaks of."""
        bare = Point(self.claim, self.sizes).at(FLOATS)
        found: list[n.Fact] = []
        for fact in self.claim.constraints:
            found += _written_out(bare, fact)
        return [(fact, used(self.claim, fact) - set(self.sizes)) for fact in dict.fromkeys(found)]

    @cached_property
    def joint(self) -> list[n.Fact]:
        """The assumptions that relate several symbols; those about one are met by every option."""
        return [fact for fact, names in self.facts if len(names) > 1]

    def allows(self, point: Point) -> bool:
        """Whether all assumptions hold."""
        at = self._at(point)
        return at is not None and point.has_meaning and all(_true(at, fact) for fact, _ in self.facts)

    def value(self, point: Point) -> float | None:
        """The goal, where all assumptions hold."""
        at = self._at(point)
        if at is None or not all(_true(at, fact) for fact in self.joint):
            return None
        try:
            return self.goal(at)
        except (Refusal, *NUMERIC):
            return None

    def _climb(self, point: Point, options: Mapping[str, list[Choice]]) -> tuple[float, Point] | None:
        best = self.value(point)
        for _ in range(3):
            before = best
            for name, choices in options.items():
                for choice in choices:
                    if self.out_of_time() or (best is not None and best >= self.enough):
                        return None if best is None else (best, point)
                    moved = replace(point, choices={**point.choices, name: choice})
                    value = self.value(moved)
                    if value is not None and (best is None or value > best):
                        best, point = value, moved
            if best == before:
                break
        return None if best is None else (best, point)


def _true(at: At, fact: n.Fact) -> bool:
    try:
        return holds(at, fact)
    except (Refusal, *NUMERIC):
        return False


def _written_out(at: At, fact: n.Fact) -> list[n.Fact]:
    """all(...) as the relations that it stands for, where its range is known."""
    if isinstance(fact, n.ForAll):
        with suppress(Refusal):
            return list(instances(at, fact.fact, fact.ranges, fact.conditions))
    return [fact]
