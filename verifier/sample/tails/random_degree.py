"""The degree of an expression in its random symbols, read off the tree: an upper bound, or none."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import reduce

from verifier.expr import nodes as N
from verifier.expr.symbols import Declared, Rademacher
from verifier.sample.compile import torch_functions as functions
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.draw_scope import Scope, World
from verifier.sample.draws.static_integers import count, integer, terms, try_integer

Degrees = Counter[str]
MAX_TERMS = 5_000


class NotPolynomialError(Exception):
    """No bound on the degree is known."""


def most(left: Degrees, right: Degrees) -> Degrees:
    """The degrees of a sum."""
    return left | right


def times(degrees: Degrees, power: int) -> Degrees:
    """The degrees of a power."""
    return Counter({block: degree * power for block, degree in degrees.items() if degree * power})


@dataclass(frozen=True)
class Reader:
    """Degrees in the random symbols `over`, all else fixed, the `held` let names included.

    A block is a random symbol (a family counts as one), or a layer's symbol in one layer.
    """

    world: World
    over: frozenset[str]
    held: frozenset[str] = frozenset()
    indices: dict[str, int] = field(default_factory=dict)

    @property
    def scope(self) -> Scope:
        return Scope(self.world, {}, indices=self.indices)

    def is_fixed(self, node: N.Node) -> bool:
        return not (sources.random_names(node, self.world, self.held) & self.over)

    def value(self, node: N.Node) -> Degrees:
        """The degree of every entry of a node in each block."""
        if self.is_fixed(node):
            return Counter()
        match node:
            case N.Symbol(name) | N.Member(name):
                if name in self.world.substituted:
                    return self.value(self.world.substituted[name])
                return Counter({name: 1})
            case N.Let(name, body):
                return self.value(self.world.assumed.get(name, body))
            case N.Add(left, right) | N.Subtract(left, right):
                return most(self.value(left), self.value(right))
            case N.Multiply(left, right) | N.MatMul(left, right) | N.Inner(left, right) | N.Kron(left, right):
                return self.value(left) + self.value(right)
            case N.Divide(left, right) if self.is_fixed(right):
                return self.value(left)
            case N.Power(base, exponent) | N.MatPower(base, exponent):
                return self.power(base, exponent)
            case N.Derivative(of, by):
                return self._derivative(of, by)
            case N.After(state, depth):
                return self._after(state, try_integer(depth, self.scope))
            case N.Sum(body):
                total: Degrees = Counter()
                for inner in self.each_term(node):
                    total = most(total, inner.value(body))
                return total
            case N.Product(body):
                return sum((inner.value(body) for inner in self.each_term(node, every=True)), Counter())
            case N.Hafnian(arg):
                return times(self.value(arg), self.world.size(arg.shape.rows) // 2)
            case N.SubsetSum(body, index_range, order):
                return times(self.value(N.Sum(body, (index_range,))), integer(order, self.scope))
        return self.value(self._linear_child(node))

    def power(self, base: N.Node, exponent: N.Node) -> Degrees:
        whole = try_integer(exponent, self.scope)
        if whole is None or whole < 0:
            raise NotPolynomialError
        root = base.arg if isinstance(base, N.Norm) and base.kind == "fro" and whole % 2 == 0 else base
        return times(self.value(root), whole)

    def each_term(self, node: N.Sum | N.Product, *, every: bool = False) -> Iterator["Reader"]:
        """The readers inside a sum: one suffices unless an index decides the degree."""
        if count(node.ranges, self.scope) > MAX_TERMS:
            raise NotPolynomialError
        shaping = any(_is_shaped(part) for part in sources.nodes(node.body))
        for scope in terms(node.ranges, node.conditions, self.scope):
            yield replace(self, indices=dict(scope.indices))
            if not (every or shaping):
                return

    def _after(self, state: N.Symbol, depth: int | None) -> Degrees:
        """d_(l+1) = (degree of next in the state) * d_l + its degrees in the layer's own symbols and in
        those that all layers share."""
        if depth is None or self.world.layers is None:
            raise NotPolynomialError
        own = {symbol.name: symbol for symbol in self.world.layers.symbols}
        pretend = {**self.world.symbols, **own, state.name: Declared(state.name, Rademacher(), state.shape)}
        inside = replace(
            self.world,
            symbols=pretend,
            layers=None,
            substituted={name: value for name, value in self.world.substituted.items() if name != state.name},
        )
        over = self.over | frozenset(own) | {state.name}
        once = Reader(inside, over).value(self.world.layers.next)
        shared = Counter({name: once[name] for name in once if name not in own and name != state.name})
        total = self.value(state)
        for layer in range(depth):
            drawn = Counter({f"{sources.LAYER}{name}@{layer}": once[name] for name in own if once[name]})
            total = times(total, once[state.name]) + drawn + shared
        return total

    def _derivative(self, of: N.Node, by: N.Node) -> Degrees:
        """D lowers the degree in what it is taken by; assumed values need the chain rule."""
        assumed = any(
            isinstance(node, N.Let) and node.name in self.world.assumed for node in sources.nodes(of)
        )
        if assumed or self.world.layers is not None or isinstance(by, N.Let):
            return self.slope(of, by) or Counter()
        degrees = self.value(of)
        lowered = Counter({by.name: 1}) if isinstance(by, N.Symbol) else Counter()
        return degrees - lowered

    def slope(self, node: N.Node, by: N.Node) -> Degrees | None:
        """The degrees of the derivative of a node; None where it does not depend on `by`."""
        root = by.arg if isinstance(by, N.Entry) else by
        if _named(node) is not None and _named(node) == _named(root):
            return Counter()
        match node:
            case N.Let(name, body):
                return (
                    self._assumed_slope(body, name, by)
                    if name in self.world.assumed
                    else self.slope(body, by)
                )
            case N.Add(left, right) | N.Subtract(left, right):
                return _either(self.slope(left, by), self.slope(right, by))
            case N.Multiply(left, right) | N.MatMul(left, right) | N.Inner(left, right) | N.Kron(left, right):
                return self._product(left, right, by)
            case N.Divide(left, right) if self.is_fixed(right) and self.slope(right, by) is None:
                return self.slope(left, by)
            case N.Power(base, exponent):
                inner = base.arg if isinstance(base, N.Norm) and base.kind == "fro" else base
                slope = self.slope(inner, by)
                return None if slope is None else self.power(base, exponent) + slope
            case N.Sum(body) if not self.indices:
                return reduce(_either, (inner.slope(body, by) for inner in self.each_term(node)), None)
        if _named(root) not in {_named(part) for part in sources.nodes(node)}:
            return None
        return self.slope(self._linear_child(node), by)

    def _product(self, left: N.Node, right: N.Node, by: N.Node) -> Degrees | None:
        first, second = self.slope(left, by), self.slope(right, by)
        return _either(
            None if first is None else first + self.value(right),
            None if second is None else self.value(left) + second,
        )

    def _assumed_slope(self, body: N.Node, name: str, by: N.Node) -> Degrees | None:
        """Softmax at the assumed rows: diag(a) - a a^T, of degree 2 in a."""
        value = self.value(self.world.assumed[name])
        match body:
            case N.Let(_, inner):
                return self._assumed_slope(inner, name, by)
            case N.RowWise("softmax", arg):
                slope = self.slope(arg, by)
                return None if slope is None else times(value, 2) + slope
            case N.Apply(function, (arg,)) if function in functions.INVERSE and not value:
                return self.slope(arg, by)
            case N.Apply() | N.RowWise():
                raise NotPolynomialError
        return self.slope(body, by)

    def _linear_child(self, node: N.Node) -> N.Node:
        """The one argument of which a node is a linear function."""
        match node:
            case N.Negate(arg) | N.Transpose(arg) | N.Trace(arg) | N.VecR(arg):
                return arg
            case N.DiagMatrix(arg) | N.DiagPart(arg) | N.Entry(arg) | N.Row(arg):
                return arg
            case N.BlockDiag(body):
                return body
        raise NotPolynomialError


def _is_shaped(node: N.Node) -> bool:
    """An index decides the degree: it stands in an exponent, a depth, or where another index ends."""
    match node:
        case N.Power(_, shape) | N.MatPower(_, shape) | N.After(_, shape) | N.SubsetSum(_, _, shape):
            return any(isinstance(part, N.Index) for part in sources.nodes(shape))
        case N.Sum(_, ranges, conditions) | N.Product(_, ranges, conditions):
            ends = (end for item in ranges for end in (item.low, item.high))
            return bool(conditions) or any(
                isinstance(part, N.Index) for end in ends for part in sources.nodes(end)
            )
    return False


def _named(node: N.Node) -> tuple[str, str] | None:
    match node:
        case N.Symbol(name) | N.Member(name):
            return "symbol", name
        case N.Let(name):
            return "let", name
    return None


def _either(left: Degrees | None, right: Degrees | None) -> Degrees | None:
    if left is None or right is None:
        return left if right is None else right
    return most(left, right)
