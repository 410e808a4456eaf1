"""Sums with weights: Cauchy, Schwarz, and the triangle."""

from collections.abc import Iterator
from itertools import product

from verifier.expr import nodes as N
from verifier.kernel.context import Context
from verifier.kernel.normal.sign import is_nonnegative
from verifier.kernel.rules.norms import ONE, Pairs, size_of, square_of

MOST_FACTORS = 4


def weighted(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{0 \le w_i}{\Gamma \vdash \left(\sum_i w_i a_i b_i\right)^2 \le \sum_i w_i a_i^2\, \sum_i w_i b_i^2}
    \qquad \frac{0 \le w_i}{\Gamma \vdash \left|\sum_i w_i a_i\right| \le \sum_i w_i\, |a_i|}

    The factors of a summand are shared out among w, a and b; the signs of those of w are computed. Any of the
    three may be 1.
    """
    match atom:
        case N.Sum(body, ranges, conditions) if body.shape.is_scalar:
            pass
        case _:
            return

    def total(*factors: N.Node) -> N.Node:
        return N.Sum(_product(factors), ranges, conditions)

    for w, a, b in _shares(context, body):
        if a or b:
            yield (
                square_of(atom),
                N.Multiply(total(*w, square_of(_product(a))), total(*w, square_of(_product(b)))),
            )
        if not b:
            yield size_of(atom), total(*w, size_of(_product(a)))


def _shares(context: Context, body: N.Node) -> Iterator[tuple[tuple[N.Node, ...], ...]]:
    """The factors in three parts, those of the first never negative."""
    factors = _factors(body)
    if len(factors) > MOST_FACTORS:
        return
    good = [is_nonnegative(context, factor) for factor in factors]
    for places in product(range(3), repeat=len(factors)):
        if all(good[at] for at, place in enumerate(places) if place == 0):
            yield tuple(
                tuple(factor for factor, place in zip(factors, places, strict=True) if place == part)
                for part in range(3)
            )


def _factors(node: N.Node) -> list[N.Node]:
    return [*_factors(node.left), *_factors(node.right)] if isinstance(node, N.Multiply) else [node]


def _product(factors: tuple[N.Node, ...]) -> N.Node:
    found: N.Node = ONE
    for factor in factors:
        found = factor if found == ONE else N.Multiply(found, factor)
    return found
