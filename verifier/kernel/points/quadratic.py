"""Values of declared functions at a point: quadratic functions, which are differentiable everywhere."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from flint import fmpq

from verifier.expr import nodes as N
from verifier.expr.symbols import Declared, Function
from verifier.expr.walk import rebuild
from verifier.kernel.points.data import Raw, read_point
from verifier.kernel.rejected import Rejected

MOST_PLACES = 100
PARTS = frozenset({"value", "slope", "curve"})
Rows = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class Quadratic:
    """f(Y) = value + sum of slope[i, j]*Y[i, j] + curve[i, j]*Y[i, j]**2/2."""

    value: Fraction
    slope: Rows
    curve: Rows

    def at(self, arg: N.Node) -> N.Node:
        terms: list[N.Node] = [N.Number(self.value)]
        for i, (slopes, curves) in enumerate(zip(self.slope, self.curve, strict=True), 1):
            for j, (slope, curve) in enumerate(zip(slopes, curves, strict=True), 1):
                at = (N.Number(Fraction(number)) for number in (i, j))
                entry = arg if arg.shape.is_scalar else N.Entry(arg, *at)
                square = N.Power(entry, N.Number(Fraction(2)))
                terms.append(N.Multiply(N.Number(slope), entry))
                terms.append(N.Multiply(N.Number(curve / 2), square))
        return reduce(N.Add, terms)

    @property
    def size(self) -> tuple[int, int]:
        return len(self.slope), len(self.slope[0])


def read_functions(data: object, symbols: Mapping[str, Declared]) -> dict[str, Quadratic]:
    """Functions by their names, each by its value at 0, and its slope and curve there as lists of rows."""
    if not isinstance(data, Mapping):
        raise Rejected("data", "functions are a mapping of names")
    found = {}
    for name, parts in data.items():
        declared = symbols.get(name)
        if declared is None or not isinstance(declared.kind, Function):
            raise Rejected("data", f"{str(name)[:40]!r} is no function that is declared")
        if not isinstance(parts, Mapping) or parts.keys() != PARTS:
            raise Rejected("data", "a function has a value, a slope and a curve")
        raw = read_point(parts)
        slope, curve = _rows(raw["slope"]), _rows(raw["curve"])
        if [*map(len, slope)] != [*map(len, curve)] or len({*map(len, slope)}) != 1:
            raise Rejected("data", "a slope and a curve of one shape")
        if len(slope) * len(slope[0]) > MOST_PLACES:
            raise Rejected("too-large", f"a function of more than {MOST_PLACES} numbers")
        found[name] = Quadratic(_rational(raw["value"]), slope, curve)
    return found


def _rows(raw: Raw) -> Rows:
    if not isinstance(raw, tuple) or not raw or not all(isinstance(row, tuple) and row for row in raw):
        raise Rejected("data", "a slope and a curve are lists of rows")
    return tuple(tuple(map(_rational, row)) for row in raw)


def _rational(raw: Raw) -> Fraction:
    if not isinstance(raw, fmpq):
        raise Rejected("data", "the numbers of a function are rational")
    return Fraction(int(raw.p), int(raw.q))


def at_values(node: N.Node, functions: Mapping[str, Quadratic]) -> N.Node:
    """The tree with these functions in the place of declared ones."""
    inside = rebuild(node, lambda part: at_values(part, functions)) if functions else node
    match inside:
        case N.Called(name, arg) if name in functions:
            return functions[name].at(arg)
    return inside
