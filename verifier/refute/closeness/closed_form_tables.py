"""Tables as closed forms: 0.5, 0.7071, 0.8660 at N = 1, 2, 3 is sqrt(N)/2."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

from verifier.expr.nodes import Add, Apply, Divide, Multiply, Node, Number, Pi, Power, Subtract, Symbol
from verifier.refute.closeness.closed_form_numbers import TOLERANCE, number, times

Table = Sequence[tuple[Mapping[str, int], float]]


@dataclass(frozen=True)
class Shape:
    """A function of the sizes, as a tree and as numbers; `cost` orders simple ones first."""

    node: Node | None
    cost: float

    def at(self, sizes: Mapping[str, int]) -> float:
        return 1.0 if self.node is None else value(self.node, sizes)


def fit(table: Table, dimensions: Sequence[str]) -> Node | None:
    """The simplest c * shape(sizes) that passes through every entry."""
    usable = [(sizes, x) for sizes, x in table if math.isfinite(x)]
    if not usable:
        return None
    for shape in sorted(shapes(dimensions), key=lambda item: item.cost):
        scales = [shape.at(sizes) for sizes, _ in usable]
        if any(not math.isfinite(s) or s <= 0 for s in scales):
            continue
        ratios = [x / s for (_, x), s in zip(usable, scales, strict=True)]
        middle = sorted(ratios)[len(ratios) // 2]
        if any(abs(r - middle) > TOLERANCE * max(abs(middle), 1e-3) for r in ratios):
            continue
        constant = number(middle)
        if constant is not None:
            return times(constant, shape.node)
    return None


def shapes(dimensions: Sequence[str]) -> Iterator[Shape]:
    """1, N, sqrt(N), 1/N, N - 1, sqrt(N - 1)/N, log(N), min(N, D), and products of two of them."""
    yield Shape(None, 0)
    single: list[Shape] = []
    for name in dimensions:
        size: Node = Symbol(name)
        one = Number(Fraction(1))
        previous, following = Subtract(size, one), Add(size, one)
        for base, cost in ((size, 1.0), (previous, 2.0), (following, 3.0)):
            single += _powers(base, cost)
        single.append(Shape(Apply("log", (size,)), 3))
        single.append(Shape(Divide(previous, size), 2.5))
        single.append(Shape(Divide(Apply("sqrt", (previous,)), size), 3))
        single.append(Shape(Apply("sqrt", (Divide(previous, size),)), 3))
    for first, second in combinations(dimensions, 2):
        single += _powers(Apply("min", (Symbol(first), Symbol(second))), 2.0)
        single += _powers(Apply("max", (Symbol(first), Symbol(second))), 2.5)
    yield from single
    for left, right in product(single, single):
        if (
            left.node is not None
            and right.node is not None
            and left.cost <= 2
            and right.cost <= 2
            and left != right
        ):
            yield Shape(Multiply(left.node, right.node), left.cost + right.cost + 0.1)


def _powers(base: Node, cost: float) -> list[Shape]:
    one, root = Number(Fraction(1)), Apply("sqrt", (base,))
    return [
        Shape(base, cost),
        Shape(root, cost),
        Shape(Divide(one, base), cost + 0.5),
        Shape(Divide(one, root), cost + 0.5),
        Shape(Power(base, Number(Fraction(2))), cost + 0.7),
    ]


def value(node: Node, sizes: Mapping[str, int]) -> float:
    """What one of the trees above is worth."""
    match node:
        case Number(x):
            return float(x)
        case Pi():
            return math.pi
        case Symbol(name):
            return float(sizes[name])
        case Add(left, right):
            return value(left, sizes) + value(right, sizes)
        case Subtract(left, right):
            return value(left, sizes) - value(right, sizes)
        case Multiply(left, right):
            return value(left, sizes) * value(right, sizes)
        case Divide(left, right):
            bottom = value(right, sizes)
            return value(left, sizes) / bottom if bottom else math.inf
        case Power(base, exponent):
            return float(value(base, sizes) ** value(exponent, sizes))
        case Apply("sqrt", (arg,)):
            return math.sqrt(value(arg, sizes))
        case Apply("log", (arg,)):
            return math.log(value(arg, sizes))
        case Apply("exp", (arg,)):
            return math.exp(value(arg, sizes))
        case Apply("min", (left, right)):
            return min(value(left, sizes), value(right, sizes))
        case Apply("max", (left, right)):
            return max(value(left, sizes), value(right, sizes))
    raise AssertionError(f"no shape of sizes: {node}")
