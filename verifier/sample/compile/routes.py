"""How a variable reaches an expression, where it does so along one path only: a recipe, read off the tree.

Along such a path the derivative is a product of simple factors, and the squared norm of that product
has a closed form (path_norms.py): no Jacobian is formed, and no probe is needed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce

from verifier.expr import nodes as N
from verifier.expr.walk import children, rebuild, substitute
from verifier.sample.compile.route_steps import (
    Entries,
    Left,
    Right,
    Route,
    Rows,
    Scaled,
    Shifted,
    Step,
    Turned,
)
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.draw_scope import Scope, World
from verifier.sample.draws.static_integers import count, terms, try_integer
from verifier.sample.unsupported import RefusedError, UndefinedError

HOLE = "hole:"  # no name has a colon
MAX_RANK = 3
MAX_TERMS = 64
RANK = {"softmax": 1, "rmsnorm": 1, "layernorm": 2}
MINUS_ONE = N.Number(Fraction(-1))


def routes_of(
    bodies: Iterable[N.Node], world: World, exact: int, held: Iterable[str] = ()
) -> Mapping[int, Route]:
    """The routes of the derivatives whose norm is wanted, by identity, where both sides exceed `exact`."""
    found: dict[int, Route] = {}
    for body in bodies:
        for node in sources.nodes(body):
            match node:
                case N.Norm(N.Derivative(of, by) as derivative, "fro"):
                    if min(world.size(side.shape.size) for side in (of, by)) <= exact:
                        continue
                    route = route_of(of, by, world, frozenset(held))
                    if route is not None:
                        found[id(derivative)] = route
    return found


def route_of(of: N.Node, by: N.Node, world: World, held: frozenset[str] = frozenset()) -> Route | None:
    """The one path from `by` to `of`, if it is one along which the norm has a closed form."""
    try:
        route = _Finder(by, Scope(world, {}), held).route(of)
    except (RefusedError, UndefinedError):
        return None
    return route if route is not None and _closed(route) else None


def _closed(route: Route) -> bool:
    """Functions of rows or entries follow each other directly, and their slopes stay of small rank."""
    rank, open_, turned = -1, True, False
    for step in route:
        match step:
            case Left() | Right():
                open_ = rank < 0
            case Turned():
                turned = rank >= 0 and not turned
            case Entries():
                if not open_:
                    return False
                rank = max(rank, 0)
            case Rows(function):
                if not open_ or turned:
                    return False
                more = RANK[function]
                rank = more if rank < 0 else rank + more + rank * more
    return rank <= MAX_RANK


@dataclass(frozen=True)
class _Finder:
    """Looks for one variable."""

    by: N.Node
    scope: Scope
    held: frozenset[str]
    seen: dict[str, bool] = field(default_factory=dict)

    def is_target(self, node: N.Node) -> bool:
        match self.by, node:
            case N.Symbol(name), N.Symbol(other):
                return name == other
            case N.Let(name), N.Let(other):
                return name == other
            case N.Member(name, _, index), N.Member(other, _, place):
                return name == other and (index == place or self._same(index, place) is True)
        return False

    def _same(self, index: N.Node, place: N.Node) -> bool | None:
        """Whether two indices are equal; None where a sum around decides it."""
        if any(isinstance(part, N.Index) for node in (index, place) for part in sources.nodes(node)):
            return None
        first, second = try_integer(index, self.scope), try_integer(place, self.scope)
        return None if first is None or second is None else first == second

    def reaches(self, node: N.Node) -> bool:
        """Whether the derivative of a node may be other than zero."""
        if self.is_target(node):
            return True
        match node:
            case N.Let(name, body):
                if name not in self.seen:
                    self.seen[name] = name not in self.held and self.reaches(body)
                return self.seen[name]
            case N.Member(name, _, place):
                if isinstance(self.by, N.Member):
                    return name == self.by.name and self._same(self.by.index, place) is not False
                return isinstance(self.by, N.Symbol) and name == self.by.name
            case N.After():
                return True
        return any(self.reaches(child) for child in children(node))

    def route(self, node: N.Node) -> Route | None:
        if self.is_target(node):
            return ()
        match node:
            case N.Let(name, body):
                assumed = self.scope.world.assumed.get(name)
                return self.route(body) if assumed is None else self._imposed(body, assumed)
            case N.MatMul(left, right):
                return self._either(left, right, Right(right), Left(left))
            case N.Transpose(arg):
                return self._then(arg, Turned())
            case N.Negate(arg):
                return self._then(arg, Scaled(MINUS_ONE))
            case N.Add(left, right):
                return self._either(left, right, Shifted(right), Shifted(left), like=node)
            case N.Subtract(left, right):
                return self.route(N.Add(left, N.Negate(right)))
            case N.Multiply(left, right):
                over = self._product(node, left, right), self._product(node, right, left)
                return self._either(left, right, *over, like=node)
            case N.Divide(left, right):
                over = self._product(node, left, right, divides=True), _entries(node, right)
                return self._either(left, right, *over, like=node)
            case N.Power(base, exponent):
                return None if self.reaches(exponent) else self._then(base, _entries(node, base), like=node)
            case N.Apply(_, (arg,)):
                return self._then(arg, _entries(node, arg))
            case N.Apply(_, (left, right)):
                return self._either(left, right, _entries(node, left), _entries(node, right), like=node)
            case N.RowWise(function, arg):
                return self._then(arg, Rows(function))
            case N.Sum():
                return self._sum(node)
        return None

    def _then(self, arg: N.Node, step: Step, like: N.Node | None = None) -> Route | None:
        if like is not None and self._shape(arg) != self._shape(like):
            return None  # a scalar that is spread out
        before = self.route(arg)
        return None if before is None else (*before, step)

    def _either(
        self, left: N.Node, right: N.Node, from_left: Step, from_right: Step, like: N.Node | None = None
    ) -> Route | None:
        """The path goes through one of two arguments, and not through both."""
        first, second = self.reaches(left), self.reaches(right)
        if first == second:
            return None
        return self._then(left, from_left, like) if first else self._then(right, from_right, like)

    def _product(self, node: N.Node, arg: N.Node, other: N.Node, divides: bool = False) -> Step:
        return Scaled(other, divides) if self._shape(other) == (1, 1) else _entries(node, arg)

    def _shape(self, node: N.Node) -> tuple[int, int]:
        return self.scope.world.shape(node.shape)

    def _imposed(self, body: N.Node, value: N.Node) -> Route | None:
        """An assumed softmax: its derivative is taken at the assumed rows."""
        match body:
            case N.Let(_, inner):
                return self._imposed(inner, value)
            case N.RowWise("softmax", arg):
                return self._then(arg, Rows("softmax", value))
        return None

    def _sum(self, node: N.Sum) -> Route | None:
        """One term of a sum; the others only shift its value."""
        if any(isinstance(part, N.Index) for part in sources.nodes(node) if not _bound(part, node)):
            return None
        if count(node.ranges, self.scope) > MAX_TERMS:
            return None
        parts = []
        for inner in terms(node.ranges, node.conditions, self.scope):
            values: dict[N.Node, N.Node] = {
                N.Index(name): N.Number(Fraction(value)) for name, value in inner.indices.items()
            }
            parts.append(substitute(node.body, values))
        moved = [part for part in parts if self.reaches(part)]
        rest = [part for part in parts if not self.reaches(part)]
        if len(moved) != 1:
            return None
        return self.route(reduce(N.Add, rest, moved[0]))


def _bound(node: N.Node, around: N.Sum) -> bool:
    return isinstance(node, N.Index) and node.name in {item.index for item in around.ranges}


def _entries(node: N.Node, arg: N.Node) -> Entries:
    hole = N.Let(HOLE, arg)
    return Entries(rebuild(node, lambda child: hole if child is arg else child), hole)
