"""Quantities without any bound, in a matrix that nothing bounds.

    f(u S) / g = sqrt(p(u)),   p a polynomial of degree >= 1 whose first coefficient is positive

at a point of blocks: no constant bounds f by g over all S. Where sizes grow, the point is one of every size
and the coefficient is positive for all of them, so that the supremum over S is infinite at each.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain, count

import sympy as sp

from verifier.claim.model import Claim
from verifier.evidence import Counterexample, Finding
from verifier.expr import nodes as n
from verifier.expr.symbols import FixedMatrix
from verifier.expr.walk import walk
from verifier.prove.blocks.assumptions_at_blocks import holds
from verifier.prove.blocks.block_numbers import EXPRESSIONS
from verifier.prove.blocks.block_patterns import ZERO, Pattern
from verifier.prove.blocks.block_points import NUMERIC, Point, Search, free_sizes, used
from verifier.prove.blocks.evaluate import At
from verifier.prove.forms.refusal import Refusal
from verifier.prove.scalars.scalar_refusal import Clock, Refused
from verifier.prove.scalars.scalar_relation import ENGINE

SIZE, STARTS = 3, 4
LADDER = (10, 100, 1000, 10_000)
NOTHING = Pattern("zeros", ((ZERO, ZERO), (ZERO, ZERO)))
FACTOR = sp.Symbol("u", positive=True)
MORE = sp.Symbol("k", positive=True, integer=True)  # a size that grows is k + 1
SEARCHING, WORKING = 0.2, 0.3


def without_bound(claim: Claim, left: n.Node, right: n.Node, clock: Clock) -> Finding | None:
    """That f <= c g is false for every c, `left` being f or sup(f, ...); None where no matrix shows it."""
    body = left.body if isinstance(left, n.Extreme) else left
    growing = {symbol.name for symbol in claim.growing}
    if growing and not isinstance(left, n.Extreme):
        return None  # a constant for each value of what does not grow
    if not _is_size(claim, body):
        return None
    free = [name for name in _free(claim, body, right) if _is_varied(left, name)]
    if not free:
        return None
    point = _start(claim, body, right, growing, clock)
    if point is None:
        return None
    simple = [(name, variant) for name in free for variant in _variants(point, name)]
    for name, variant in (*simple, *((name, point) for name in free)):
        with suppress(Refused, Refusal, *NUMERIC, sp.PolynomialError), clock.guard(WORKING):
            found = _along(claim, body, right, variant, name, growing)
            if found is not None:
                return found
    return None


def _free(claim: Claim, body: n.Node, right: n.Node) -> Iterator[str]:
    """Fixed matrices that the left side sees, and neither the right side nor an assumption."""
    trees: list[n.Node | n.Fact] = [right, *(assumption.fact for assumption in claim.assumptions)]
    spoken = {part.name for tree in trees for part in walk(tree) if isinstance(part, n.Symbol)}
    for name in sorted(used(claim, body) - spoken):
        declared = claim.symbols.get(name)
        if declared is None or declared.copies is not None or not isinstance(declared.kind, FixedMatrix):
            continue
        if declared.kind.family in ("matrix", "vector"):
            yield name


def _is_size(claim: Claim, body: n.Node) -> bool:
    """Whether its form shows that it is never negative."""
    match body:
        case n.Let(name, inner):
            given = (a.assumed_value[0].name for a in claim.assumptions if a.assumed_value is not None)
            return name not in given and _is_size(claim, inner)
        case n.Norm() | n.Apply("abs" | "sqrt"):
            return True
        case n.Power(_, n.Number(value)):
            return value.denominator == 1 and value % 2 == 0
    return False


def _is_varied(left: n.Node, name: str) -> bool:
    """Whether the supremum is over this matrix; all of them, if it names none."""
    over = {symbol.name for symbol in left.over} if isinstance(left, n.Extreme) else set()
    return not over or name in over


def _start(claim: Claim, body: n.Node, right: n.Node, growing: set[str], clock: Clock) -> Point | None:
    """A point of small sizes at which the left side is not 0; those that grow become symbols."""

    def goal(at: At) -> float | None:
        below = float(at.scalar(right))
        return float(at.scalar(body)) / below if below > 0 else None

    fixed = {name: int(value) for name, value in claim.where.items() if value.denominator == 1}
    sizes = dict.fromkeys(free_sizes(claim, (body, right)) | growing, SIZE)
    until = clock.spent + SEARCHING * clock.left
    search = Search(claim, (body, right), {**fixed, **sizes}, goal, float("inf"), _late(clock, until))
    point = search.run(starts=STARTS)
    if point is None:
        return None
    return replace(point, sizes={k: MORE + 1 if k in growing else v for k, v in point.sizes.items()})


def _late(clock: Clock, until: float) -> Callable[[], bool]:
    return lambda: clock.spent > until


def _variants(point: Point, name: str) -> Iterator[Point]:
    """Points with another matrix at 0, where a softmax may see nothing of what grows."""
    for other, choice in point.choices.items():
        if other != name and isinstance(choice, Pattern) and choice != NOTHING:
            yield replace(point, choices={**point.choices, other: NOTHING})


def _along(
    claim: Claim, body: n.Node, right: n.Node, point: Point, name: str, growing: set[str]
) -> Finding | None:
    at = point.at(EXPRESSIONS)
    if not all(holds(at, fact) for fact in claim.constraints):
        return None
    scaled = {**at.symbols, name: at.symbols[name].map(lambda value: FACTOR * value)}
    below = at.scalar(right)
    ratio = replace(at, symbols=scaled, known={}).scalar(body) / below
    if FACTOR not in ratio.free_symbols:
        return None
    square = sp.Poly(sp.expand(ratio**2), FACTOR)
    if (
        not below.is_positive
        or square.degree() < 1
        or square.free_symbols_in_domain - {MORE}
        or not _is_positive(square.LC())
    ):
        return None
    there = ratio.subs(MORE, LADDER[0] - 1)
    ratios = tuple(float(there.subs(FACTOR, factor)) for factor in LADDER)
    sizes = dict.fromkeys(growing, LADDER[0])
    times = next(x for x in chain(("u",), (f"u_{k}" for k in count(1))) if x not in claim.symbols)
    words = {**point.shown(), **sizes, name: f"{times} times {point.shown()[name]}", times: list(LADDER)}
    example = Counterexample(words, None, None, ratios=ratios)
    reason = f"{name} may be as large as one likes, and the left side with it"
    return Finding(ENGINE, "false", "proved", reason, counterexample=example)


def _is_positive(first: sp.Expr) -> bool:
    """For every k >= 1; what SymPy says only after some work counts too."""
    return bool(first.is_positive or sp.factor(first).is_positive or sp.simplify(first).is_positive)
