"""Limits of trees, entry by entry."""

from verifier.expr import nodes as N
from verifier.kernel.asymptotic.forms import Asymptotics
from verifier.kernel.asymptotic.motion import motion, only_numbers_that_exist
from verifier.kernel.core.settle import settled
from verifier.kernel.core.terms import Positions
from verifier.kernel.normal.atoms import Poly
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.rejected import Rejected


def value_of(algebra: ZeroTest, node: N.Node, row: Positions, col: Positions) -> Poly:
    """The normal form of an entry, limits at infinity taken where the tree is one; rejects where a limit is
    not known to exist."""
    match node:
        case N.Let(name, body) if name not in algebra.context.held:
            return value_of(algebra, body, row, col)
        case N.Limit():
            inner, found = value_of(algebra, node.body, row, col), along(algebra, node)
            return found.limit(algebra.by_assumption(inner, found.motion.growing))
    only_numbers_that_exist(algebra.context, node)
    at = ((), ()) if node.shape.is_scalar else (row, col)
    return algebra.normal(settled(algebra.reader, algebra.reader.entry(node, *at)))


def know_divisors(algebra: ZeroTest, sides: tuple[N.Node, ...], row: Positions, col: Positions) -> None:
    """Put down what both sides divide by that no limit moves: where it is 0 they have no value."""
    for side in sides:
        moving, body = frozenset[str](), side
        while isinstance(body, N.Limit | N.Let) and body_of(body) != body:
            if isinstance(body, N.Limit):
                moving |= motion(algebra.context, frozenset({body.variable.name})).names
            body = body.body
        at = ((), ()) if body.shape.is_scalar else (row, col)
        algebra.know_divided(settled(algebra.reader, algebra.reader.entry(body, *at)), moving)


def body_of(node: N.Node) -> N.Node:
    """What stands inside of limits."""
    match node:
        case N.Limit(body):
            return body_of(body)
        case N.Let(_, N.Limit() as body):
            return body_of(body)
    return node


def along(algebra: ZeroTest, limit: N.Limit) -> Asymptotics:
    """Normal forms, as the variable of a limit grows."""
    if limit.target != N.Infinity():
        raise Rejected("outside", "a limit at a number")
    return Asymptotics(algebra, motion(algebra.context, frozenset({limit.variable.name})))
