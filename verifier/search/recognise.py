"""Numbers as closed forms: 0.70710678 is 1/sqrt(2), and 0.5, 0.7071, 0.8660 at N = 1, 2, 3 is sqrt(N)/2."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

from verifier.expr.nodes import Add, Apply, Divide, Multiply, Node, Number, Pi, Power, Subtract, Symbol

TOLERANCE = 2e-6
MAX_DENOMINATOR = 32
Table = Sequence[tuple[Mapping[str, int], float]]


@dataclass(frozen=True)
class Shape:
    """A function of the sizes, as a tree and as numbers; `cost` orders simple ones first."""

    node: Node | None
    cost: float

    def at(self, sizes: Mapping[str, int]) -> float:
        return 1.0 if self.node is None else value(self.node, sizes)


def number(x: float) -> Node | None:
    """A small rational, the root of one, or one times a constant of analysis."""
    if not math.isfinite(x) or abs(x) > 1e4:
        return None
    if abs(x) < 1e-9:
        return Number(Fraction(0))
    found = _rational(x)
    if found is not None:
        return Number(found)
    square = _rational(x * x)
    if square is not None and x > 0:
        return _root(square)
    for constant, node in _constants():
        found = _rational(x / constant, 12)
        if found is not None:
            return node if found == 1 else Multiply(Number(found), node)
    return None


def _rational(x: float, largest: int = MAX_DENOMINATOR) -> Fraction | None:
    found = Fraction(x).limit_denominator(largest)
    close = abs(float(found) - x) <= TOLERANCE * abs(x)
    return found if close and found != 0 and abs(found.numerator) <= 1000 else None


def _root(square: Fraction) -> Node:
    """sqrt(2)/2 for 1/2, sqrt(3) for 3: the denominator made rational."""
    inside, outside = square.numerator * square.denominator, Fraction(1, square.denominator)
    for factor in range(math.isqrt(inside), 1, -1):
        if inside % (factor * factor) == 0:
            inside, outside = inside // (factor * factor), outside * factor
            break
    root = Apply("sqrt", (Number(Fraction(inside)),))
    if outside == 1:
        return root
    scaled = root if outside.numerator == 1 else Multiply(Number(Fraction(outside.numerator)), root)
    return scaled if outside.denominator == 1 else Divide(scaled, Number(Fraction(outside.denominator)))


def _constants() -> Iterator[tuple[float, Node]]:
    one, two, pi = Number(Fraction(1)), Number(Fraction(2)), Pi()
    yield math.pi, pi
    yield 1 / math.pi, Divide(one, pi)
    yield math.sqrt(math.pi), Apply("sqrt", (pi,))
    yield math.sqrt(2 / math.pi), Apply("sqrt", (Divide(two, pi),))
    yield math.e, Apply("exp", (one,))
    yield 1 / math.e, Divide(one, Apply("exp", (one,)))
    yield math.log(2), Apply("log", (two,))


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


def times(constant: Node, factor: Node | None) -> Node:
    """constant * factor without a needless 1."""
    if factor is None:
        return constant
    match constant, factor:
        case Number(c), _ if c == 1:
            return factor
        case Number(c), _ if c.numerator == 1:
            return Divide(factor, Number(Fraction(c.denominator)))
        case Divide(top, bottom), _:
            return Divide(times(top, factor), bottom)
        case _, Multiply(left, right):
            return Multiply(times(constant, left), right)
        case _, Divide(top, bottom):
            return Divide(times(constant, top), bottom)
    return Multiply(constant, factor)


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
