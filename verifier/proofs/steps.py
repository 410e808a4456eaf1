"""Inequalities between parts of a tree: of textbooks, by tangents, and at every index of a sum."""

from collections.abc import Iterator

from verifier.expr import nodes as N
from verifier.expr.walk import children, distinct, substitute
from verifier.kernel.context import Context
from verifier.kernel.proof import Proof
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules.convexity import CURVES, line
from verifier.kernel.rules.defined import unfolded
from verifier.kernel.rules.inequalities import INSTANCES
from verifier.kernel.rules.monotone import assumed_everywhere
from verifier.proofs.linear import ONE, ZERO, at_most, ends, follows, textbook
from verifier.proofs.simple import parameters, simple_numbers

Pair = tuple[N.Node, N.Node]
Moved = tuple[N.Node, Proof]
BACKWARDS = (N.Negate, N.Subtract, N.Divide)  # where a tree may decrease


def larger(context: Context, tree: N.Node, known: list[Proof], upwards: bool, first: bool) -> Iterator[Moved]:
    """Trees that are not smaller, or not larger, each with its proof; `tree` is written out. Tangents are
    tried in the first step alone, since there are many."""
    lines = _tangents(context, tree) if first else ()
    for proof in (*known, *_decays(tree), *_extremes(context, tree), *textbook(context, (tree,)), *lines):
        low, high, _ = ends(proof)
        yield from _moved(context, tree, (low, high), (proof,), upwards)
    for pair in _at_every_index(context, tree):
        yield from _moved(context, tree, pair, (), upwards)


def _decays(tree: N.Node) -> Iterator[Proof]:
    """exp(x) <= exp(0) for x <= 0."""
    for part in distinct(tree):
        if isinstance(part, N.Apply) and part.function == "exp":
            yield Proof("sign", at_most(part.args[0], ZERO))


def _extremes(context: Context, tree: N.Node) -> Iterator[Proof]:
    """What is at most a bound at every value is at most that in its extreme."""
    for part in dict.fromkeys(distinct(tree)):
        if isinstance(part, N.Extreme) and part.kind == "sup":
            for proof in textbook(context, (part.body,)):
                low, high, _ = ends(proof)
                if low == part.body:
                    yield Proof("bounded_extreme", at_most(part, high), (proof,))


def _moved(
    context: Context, tree: N.Node, pair: Pair, premises: tuple[Proof, ...], upwards: bool
) -> Iterator[Moved]:
    """The tree with one side of an inequality in the place of the other."""
    low, high = (unfolded(context, side) for side in pair)
    ways = [(low, high) if upwards else (high, low)]
    if any(isinstance(part, BACKWARDS) for part in distinct(tree)):
        ways.append((ways[0][1], ways[0][0]))
    for old, new in ways:
        if old.shape != new.shape or isinstance(old, N.Number):
            continue
        moved = substitute(tree, {old: new})
        if moved == tree or not all(follows(context, proof) for proof in premises):
            continue
        ordered = at_most(tree, moved) if upwards else at_most(moved, tree)
        proof = Proof("monotone", ordered, premises)
        if follows(context, proof):
            yield moved, proof


# --- tangents ---------------------------------------------------------------------------------------


def _tangents(context: Context, tree: N.Node) -> Iterator[Proof]:
    """Of convex functions without an index: at means, and at simple numbers."""
    for part in dict.fromkeys(distinct(tree)):
        if not _has_index(part):
            for pair in _lines(context, part, list(_places(context, tree, part))):
                yield Proof("tangent", at_most(*pair))


def _places(context: Context, tree: N.Node, part: N.Node) -> Iterator[N.Node]:
    drawn = any(map(context.is_random, context.reach(part)))
    for inside in children(part):
        if drawn and inside.shape.is_scalar:
            yield N.Expectation(inside, ())
    names = parameters(context, (tree, *_laws_of(context, part)))
    yield from [ZERO, ONE, *names] if drawn else simple_numbers(names)


def _laws_of(context: Context, node: N.Node) -> Iterator[N.Node]:
    """What the laws of the drawn symbols depend on."""
    for name in sorted(context.reach(node)):
        if context.is_random(name):
            values = vars(context.symbols[name].kind).values()
            yield from (value for value in values if isinstance(value, N.Node) and value.shape.is_scalar)


def _lines(context: Context, part: N.Node, places: list[N.Node]) -> Iterator[Pair]:
    """Both ways round; whether the function lies above or below is for the kernel."""
    for curve in CURVES:
        for x in children(part):
            if curve.value(x) == part:
                for place in places:
                    if place.shape == x.shape and place != x:
                        ordered = line(curve, x, place), part
                        yield ordered if curve.is_convex else (ordered[1], ordered[0])


# --- at every index -----------------------------------------------------------------------------------


def _at_every_index(context: Context, tree: N.Node) -> Iterator[Pair]:
    """Inequalities between parts of the terms of sums and products."""
    for total in dict.fromkeys(distinct(tree)):
        if not isinstance(total, N.Sum | N.Product):
            continue
        yield from assumed_everywhere(context, total.ranges)
        for part in dict.fromkeys(distinct(total.body)):
            if not _has_index(part):
                continue
            for instances in INSTANCES.values():
                try:
                    yield from instances(context, part)
                except Rejected:
                    continue
            yield from _lines(context, part, list(_averages(total, part)))


def _averages(total: N.Sum | N.Product, part: N.Node) -> Iterator[N.Node]:
    """The mean of what a function is taken at, over the range of a sum; one over its length."""
    count: N.Node = ONE
    for item in total.ranges:
        count = item.high if count == ONE else N.Multiply(count, item.high)
    yield N.Divide(ONE, count)
    for inside in children(part):
        yield N.Divide(N.Sum(inside, total.ranges, total.conditions), count)
        match total.body:
            case N.Multiply(weight, other) | N.Multiply(other, weight) if other == part:
                yield N.Sum(N.Multiply(weight, inside), total.ranges, total.conditions)


def _has_index(node: N.Node) -> bool:
    return any(isinstance(part, N.Index) for part in distinct(node))
