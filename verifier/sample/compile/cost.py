"""How much one draw costs, counted on the tree: what chunk sizes and the number of draws follow from."""

from collections.abc import Mapping
from dataclasses import dataclass

from verifier.expr import nodes as N
from verifier.expr.walk import children
from verifier.sample.compile.jacobian_probes import reverse, squared_jacobian
from verifier.sample.compile.pairing_sums import check_paired
from verifier.sample.draws.draw_scope import Group, Scope, World
from verifier.sample.draws.scene import Scene
from verifier.sample.draws.static_integers import count, integer


@dataclass(frozen=True)
class Cost:
    """elements: numbers alive at once in a draw; work: multiplications and function values;
    calls: operations as torch sees them, whatever the number of draws."""

    elements: int
    work: int
    calls: int = 1

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.elements + other.elements, self.work + other.work, self.calls + other.calls)

    def __mul__(self, times: int) -> "Cost":
        return Cost(self.elements * times, self.work * times, self.calls * times)

    @property
    def seconds(self) -> float:
        """About what one draw of many takes on one core: chooses numbers of draws, promises nothing."""
        return 3e-7 + max(8e-9 * self.elements, 1e-10 * self.work)

    def batched(self, times: int) -> "Cost":
        """The same operations on `times` as many numbers."""
        return Cost(self.elements * times, self.work * times, self.calls * 2)


def cost_of(
    bodies: tuple[N.Node, ...],
    scene: Scene,
    probed: frozenset[int],
    groups: Mapping[int, Group] | None = None,
    routed: frozenset[int] = frozenset(),
) -> Cost:
    scope = Scope(scene.world, {})
    drawn = sum(law.elements for law in scene.laws.values())
    total = Cost(1 + drawn, 1 + 4 * drawn)
    counter = _Counter(probed, groups or {}, routed)
    for body in bodies:
        total = total + counter.cost(body, scope)
    return total + counter.once


class _Counter:
    """One pass over a tree. A `let` body and a shared gradient are evaluated once, in a sum too: `once`."""

    def __init__(self, probed: frozenset[int], groups: Mapping[int, Group], routed: frozenset[int]) -> None:
        self.probed = probed
        self.groups = groups
        self.routed = routed
        self.lets: set[str] = set()
        self.pulled: set[int] = set()
        self.once = Cost(0, 0, 0)

    def anew(self, node: N.Node, scope: Scope) -> Cost:
        """The cost of what is evaluated again, whatever was known before."""
        counter = _Counter(self.probed, self.groups, self.routed)
        return counter.cost(node, scope) + counter.once

    def cost(self, node: N.Node, scope: Scope) -> Cost:
        world = scope.world
        size = _size(node, world)
        match node:
            case N.Let(name):
                if name in self.lets:
                    return Cost(0, 0, 0)
                self.lets.add(name)
                below = self._below(node, scope)
                self.once = self.once + below
                return Cost(0, 0, 0)
            case N.Power() if id(node) in self.probed:
                derivative = squared_jacobian(node)
                assert derivative is not None
                return self.anew(derivative.of, scope).batched(3)
            case N.Derivative(of) if id(node) in self.groups:
                group = id(self.groups[id(node)])
                if group not in self.pulled:
                    self.pulled.add(group)
                    self.once = self.once + self.anew(of, scope).batched(3)
                return Cost(size, size)
            case N.Derivative(of) if id(node) in self.routed:
                return self.anew(of, scope).batched(2)
            case N.Derivative(of, by):
                rows, cols = _size(of, world), _size(by, world)
                passes = rows if reverse(rows, cols) else cols
                return self.anew(of, scope).batched(2 + passes)
            case N.Sum(body, ranges) | N.Product(body, ranges):
                return self._repeated(body, ranges, scope)
            case N.SubsetSum(body, index_range, order):
                return self._repeated(body, (index_range,), scope) * (1 + integer(order, scope))
            case N.Hafnian(arg):
                check_paired(world.size(arg.shape.rows))
                return self._below(node, scope) + Cost(1, 1, 1) * (1 << world.size(arg.shape.rows))
            case N.BlockDiag(body, index_range):
                return self._repeated(body, (index_range,), scope) + Cost(size, size)
            case N.MatMul(left):
                return self._below(node, scope) + Cost(size, size * world.size(left.shape.cols))
            case N.Norm(arg, "2"):
                return self._below(node, scope) + Cost(
                    1, 20 * _size(arg, world) * min(world.shape(arg.shape))
                )
            case N.After():
                assert world.layers is not None
                depth = max(world.sizes.get(world.layers.depth.name, 1), 1)
                return self.anew(world.layers.next, scope) * depth
            case N.Apply() | N.RowWise():
                return self._below(node, scope) + Cost(size, 20 * size)
        return self._below(node, scope) + Cost(size, size)

    def _repeated(self, body: N.Node, ranges: tuple[N.Range, ...], scope: Scope) -> Cost:
        """The cost of one term, times how many there are."""
        for item in ranges:
            scope = scope.binding({item.index: integer(item.low, scope)})
        return self.cost(body, scope) * count(ranges, scope)

    def _below(self, node: N.Node, scope: Scope) -> Cost:
        total = Cost(0, 0, 0)
        for child in children(node):
            total = total + self.cost(child, scope)
        return total


def _size(node: N.Node, world: World) -> int:
    return world.size(node.shape.size)
