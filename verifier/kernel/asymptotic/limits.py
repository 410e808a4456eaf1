"""Limits of trees, entry by entry."""

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.walk import children
from verifier.kernel.asymptotic.forms import Asymptotics
from verifier.kernel.asymptotic.motion import motion, only_numbers_that_exist
from verifier.kernel.core.settle import settled
from verifier.kernel.core.terms import Positions
from verifier.kernel.normal.atoms import Atom, Entry, Function, Inverse, Net, Poly, Root
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.rejected import Rejected

CONTINUOUS = frozenset(
    {"exp", "log", "Phi", "erf", "tanh", "sigmoid", "softplus", "sin", "cos", "atan", "asin", "acos", "power"}
)


def value_of(algebra: ZeroTest, node: N.Node, row: Positions, col: Positions) -> Poly:
    """The normal form of an entry, limits at infinity taken where the tree is one; rejects where a limit is
    not known to exist."""
    match node:
        case N.Let(name, body) if name not in algebra.context.held:
            return value_of(algebra, body, row, col)
        case N.Limit(body, variable, target) if target != N.Infinity():
            return _at_number(algebra, value_of(algebra, body, row, col), variable, target)
        case N.Limit():
            inner, found = value_of(algebra, node.body, row, col), along(algebra, node)
            return found.limit(algebra.by_assumption(inner, found.motion.growing))
    only_numbers_that_exist(algebra.context, node)
    at = ((), ()) if node.shape.is_scalar else (row, col)
    return algebra.normal(settled(algebra.reader, algebra.reader.entry(node, *at)))


def _at_number(algebra: ZeroTest, poly: Poly, variable: N.Symbol, target: N.Node) -> Poly:
    """What a continuous function tends to: its value there. The number is none that the variable keeps away
    from, and nothing is assumed of the variable."""
    name, context = variable.name, algebra.context
    given = context.where.keys() | context.dims.keys() | context.replaced.keys()
    if name in given or any(
        name in context.reach(part) for fact in context.assumptions for part in children(fact)
    ):
        raise Rejected("condition", "an assumption about what a limit binds, or a value for it")
    if name not in context.symbols or not _is_approached(context.symbols[name].kind, target):
        raise Rejected("outside", "a limit at a number that the variable does not come close to")
    poly = algebra.cancelled(poly)
    if not all(_is_continuous(atom, name) for atom in poly.atoms()):
        raise Rejected("condition", "a function that is not known to be continuous")
    assert isinstance(target, N.Number)
    return algebra.at_number(poly, Entry(name), target.value)


def _is_approached(kind: K.Kind, target: N.Node) -> bool:
    match kind, target:
        case K.Real(), N.Number():
            return True
        case K.Positive(), N.Number(value):
            return value >= 0
        case K.Interval(N.Number(low), N.Number(high)), N.Number(value):
            return low < high and low <= value <= high
    return False


def _is_continuous(atom: Atom, name: str) -> bool:
    """Wherever it has a value, in this symbol; what it becomes where it has none is rejected."""
    if name not in atom.names:
        return True
    match atom:
        case Entry():
            return True
        case Function(function, args):
            parts = [part for arg in args for part in arg.atoms()]
            return function in CONTINUOUS and all(_is_continuous(part, name) for part in parts)
        case Inverse(base) | Root(base):
            return all(_is_continuous(part, name) for part in base.atoms())
        case Net(bound, factors):
            ends = frozenset[str]().union(*(low.names | high.names for _, low, high in bound))
            return name not in ends and all(_is_continuous(part, name) for part, _ in factors)
    return False


def know_divisors(algebra: ZeroTest, sides: tuple[N.Node, ...], row: Positions, col: Positions) -> None:
    """Put down what both sides divide by that no limit moves: where it is 0 they have no value."""
    for side in sides:
        moving, body = frozenset[str](), side
        while isinstance(body, N.Limit | N.Let) and body_of(body) != body:
            if isinstance(body, N.Limit):
                own = frozenset({body.variable.name})
                moving |= motion(algebra.context, own).names if body.target == N.Infinity() else own
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
