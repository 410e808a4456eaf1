"""Sums over an index, compared at every index: squares of distances from an average, and tangents at one."""

from collections.abc import Iterator

from verifier.expr import nodes as N
from verifier.expr.nodes import Relation
from verifier.expr.walk import children, distinct, free_indices
from verifier.kernel.context import Context
from verifier.kernel.judgement import Holds
from verifier.kernel.normal.sign import is_nonnegative
from verifier.kernel.proof import Proof
from verifier.kernel.rules.convexity import CURVES, line
from verifier.kernel.rules.defined import unfolded
from verifier.proofs.linear import ONE, TWO, ZERO, Combination, at_most, ends, follows
from verifier.proofs.surface import parts, replaced

MOST_SUMS, MOST_PREMISES = 4, 24


def averages(context: Context, fact: Relation) -> Iterator[Proof]:
    """Candidates about the sums that stand in a relation."""
    small, large, _ = ends(Proof("", Holds(fact)))
    inside = [part for side in (small, large) for part in distinct(unfolded(context, side))]
    sums = [part for part in dict.fromkeys(inside) if isinstance(part, N.Sum) and len(part.ranges) == 1]
    sums = sorted((part for part in sums if not free_indices(part) and part.shape.is_scalar), key=str)
    known = [proof for total in sums[:MOST_SUMS] for proof in _tangents(context, total)]
    known = [proof for proof in known[:MOST_PREMISES] if follows(context, proof)]
    for proof in known:
        yield Proof("combine", Holds(fact), (proof,))
    squares = [proof for total in sums[:MOST_SUMS] for proof in _squares(context, total)]
    if squares or known:
        found = Combination(context, fact, False).of([*squares[:MOST_PREMISES], *known])
        if found is not None:
            yield found


def _squares(context: Context, total: N.Sum) -> Iterator[Proof]:
    """0 <= sum(w*(u - m)**2), for what is summed with weights and an average of it."""
    (ranged,) = total.ranges
    factors = list(_factors(total.body))
    for u in dict.fromkeys(map(_base, factors)):
        if not free_indices(u):
            continue
        rest = [part for part in factors if _base(part) != u]
        weight = _product([part for part in rest if free_indices(part) and is_nonnegative(context, part)])
        for w in dict.fromkeys((weight, ONE)):
            mean = N.Sum(u if w == ONE else N.Multiply(w, u), total.ranges, total.conditions)
            for m in (mean, N.Divide(ONE, ranged.high), N.Divide(mean, ranged.high)):
                square = N.Power(N.Subtract(u, m), TWO)
                spread = N.Sum(square if w == ONE else N.Multiply(w, square), total.ranges, total.conditions)
                yield Proof("sign", at_most(ZERO, spread))
                if w == ONE:
                    yield Proof("sign", at_most(ZERO, N.Multiply(ranged.high, spread)))


def _base(part: N.Node) -> N.Node:
    return part.base if isinstance(part, N.Power) and part.exponent == TWO else part


def _factors(node: N.Node) -> Iterator[N.Node]:
    match node:
        case N.Multiply(left, right):
            yield from _factors(left)
            yield from _factors(right)
        case _:
            yield node


def _product(factors: list[N.Node]) -> N.Node:
    found: N.Node = ONE
    for factor in factors:
        found = factor if found == ONE else N.Multiply(found, factor)
    return found


def _tangents(context: Context, total: N.Sum) -> Iterator[Proof]:
    """The sum with a tangent in the place of a function: at the number of terms, at one over it, and at the
    average of what the function is taken at."""
    (ranged,) = total.ranges
    count = ranged.high
    for part in parts(total.body):
        for curve in CURVES if free_indices(part) else ():
            for x in children(part):
                if curve.value(x) != part:
                    continue
                for place in (count, N.Divide(ONE, count), *_means(total, part, x)):
                    moved = N.Sum(
                        replaced(total.body, part, line(curve, x, place)), total.ranges, total.conditions
                    )
                    pair = (moved, total) if curve.is_convex else (total, moved)
                    yield Proof("monotone", at_most(*pair))


def _means(total: N.Sum, part: N.Node, x: N.Node) -> Iterator[N.Node]:
    weights = [factor for factor in _factors(total.body) if factor != part]
    if len(weights) < len(list(_factors(total.body))):
        mean = N.Sum(_product([*weights, x]), total.ranges, total.conditions)
        yield mean
        yield N.Divide(mean, total.ranges[0].high)
