"""Inequalities between means, and between a mean and a number, from what is true at every draw."""

from collections.abc import Callable, Iterator

from verifier.expr import nodes as N
from verifier.expr.nodes import Relation
from verifier.kernel.context import Context
from verifier.kernel.judgement import Holds
from verifier.kernel.proof import Proof
from verifier.kernel.rules.defined import unfolded
from verifier.proofs.linear import at_most

Prove = Callable[[Context, Relation], Proof | None]


def at_every_draw(context: Context, small: N.Node, large: N.Node, prove: Prove) -> Iterator[Proof]:
    """E(f) <= E(g) since f <= g whatever is drawn; a number that is not drawn is its own mean."""
    low, high = (_drawn(context, unfolded(context, side)) for side in (small, large))
    if low is None or high is None or not (low[1] or high[1]):
        return
    inside = prove(context, Relation("<=", low[0], high[0]))
    if inside is None:
        return
    ends = N.Expectation(low[0], ()), N.Expectation(high[0], ())
    found = Proof("monotone", at_most(*ends), (inside,))
    if not low[1]:
        found = Proof("chain", at_most(small, ends[1]), (Proof("sign", at_most(small, ends[0])), found))
    if not high[1]:
        found = Proof("chain", at_most(small, large), (found, Proof("sign", at_most(ends[1], large))))
    yield Proof(found.rule, Holds(Relation("<=", small, large)), found.premises)


def _drawn(context: Context, side: N.Node) -> tuple[N.Node, bool] | None:
    """What a side is the mean of, and whether it is one; nothing for other random sides."""
    match side:
        case N.Expectation(body, ()) if side.shape.is_scalar:
            return body, True
    fixed = side.shape.is_scalar and not any(map(context.is_random, context.reach(side)))
    return (side, False) if fixed else None
