"""Whether an expression takes negative values, where its form shows it.

Interval arithmetic is exact where every symbol stands once: a + x is any real for real x, and t + 3 is in
[2, 4] for t in [-1, 1]. What is not read so is left open.
"""

from collections import Counter
from collections.abc import Mapping
from math import inf

from verifier.expr import nodes as N
from verifier.expr.sizes import float_or_inf
from verifier.expr.symbols import Declared, Dimension, Integer, Interval, Positive, Real
from verifier.expr.walk import walk

Range = tuple[float, float]


def goes_below_zero(symbols: Mapping[str, Declared], node: N.Node) -> bool:
    """Whether it is negative somewhere, for certain."""
    counts = Counter(part.name for part in walk(node) if isinstance(part, N.Symbol | N.Member))
    if any(count > 1 for count in counts.values()):
        return False
    found = _range(symbols, node)
    return found is not None and found[0] < 0


def _range(symbols: Mapping[str, Declared], node: N.Node) -> Range | None:
    match node:
        case N.Number(value):
            return float_or_inf(value), float_or_inf(value)
        case N.Symbol(name) if name in symbols and node.shape.is_scalar:
            return _declared(symbols[name])
        case N.Let(_, body):
            return _range(symbols, body)
        case N.Inner(N.Symbol(first), N.Symbol(second)) if first != second:
            return _plain(symbols, first, second)
        case N.MatMul(N.Transpose(N.Symbol(first)), N.Symbol(second)) if (
            node.shape.is_scalar and first != second
        ):
            return _plain(symbols, first, second)
        case N.Entry(N.Symbol(name), _, _):
            return _plain(symbols, name)
        case N.Norm(N.Symbol(name)):
            return None if _plain(symbols, name) is None else (0.0, inf)
        case N.Negate(arg):
            found = _range(symbols, arg)
            return None if found is None else (-found[1], -found[0])
        case N.Add(left, right):
            return _sum(_range(symbols, left), _range(symbols, right))
        case N.Subtract(left, right):
            return _sum(_range(symbols, left), _range(symbols, N.Negate(right)))
        case N.Multiply(left, right):
            return _product(_range(symbols, left), _range(symbols, right))
        case N.Divide(left, N.Number(value)) if value > 0:
            found = _range(symbols, left)
            return None if found is None else (found[0] / float_or_inf(value), found[1] / float_or_inf(value))
    return None


def _declared(declared: Declared) -> Range | None:
    match declared.kind:
        case Real() | Integer():
            return -inf, inf
        case Positive():
            return 0.0, inf
        case Dimension():
            return 1.0, inf
        case Interval(N.Number(low), N.Number(high)):
            return float_or_inf(low), float_or_inf(high)
    return None


def _plain(symbols: Mapping[str, Declared], *names: str) -> Range | None:
    """Of matrices without a property every entry is any real."""
    free = all(getattr(symbols[name].kind, "family", "") in ("matrix", "vector") for name in names)
    return (-inf, inf) if free and all(symbols[name].copies is None for name in names) else None


def _sum(left: Range | None, right: Range | None) -> Range | None:
    return None if left is None or right is None else (left[0] + right[0], left[1] + right[1])


def _product(left: Range | None, right: Range | None) -> Range | None:
    if left is None or right is None:
        return None
    corners = [0.0 if 0 in (a, b) else a * b for a in left for b in right]
    return min(corners), max(corners)
