"""Means of piecewise polynomials of a few uniform variables, exactly.

    E max(u, v) = 2/3,   E |u - v| = 1/3,   P(u + v <= 1) = 1/2        for u, v uniform on [0, 1]

The kinks are hyperplanes. Between two neighbouring values of x at which hyperplanes and faces of the box meet
in a point, the integral over the other variables is one polynomial in x: it is worked out at as many
values of x as its degree asks for, each time the same way with one variable less.
"""

import operator
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.symbols import Uniform
from verifier.expr.walk import children, expand_lets, walk

MOST_VARIABLES, MOST_FORMS, MOST_DEGREE = 3, 10, 8
_COMPARE = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
Form = tuple[Fraction, ...]  # a_0 + a_1 x_1 + ... + a_k x_k, a_0 last
Span = tuple[Fraction, Fraction]


class _NoMeanError(Exception):
    """No rule here gives it."""


def mean_over_box(claim: Claim, body: N.Node) -> N.Node | None:
    """E(body), a number; None where it is not made of kinks and polynomials of a few uniform variables."""
    body = expand_lets(body)
    if not any(_is_kink(part) for part in walk(body)):
        return None
    try:
        spans = _variables(claim, body)
        box = _Box(tuple(spans), tuple(spans.values()))
        forms = tuple(dict.fromkeys(box.kinks(body)))
        degree = _degree(body)
        if len(forms) > MOST_FORMS or degree > MOST_DEGREE:
            return None
        total = box.integral(body, forms, degree, {})
    except (_NoMeanError, ZeroDivisionError):
        return None
    for low, high in spans.values():
        total /= high - low
    return N.Number(total)


def _is_kink(node: N.Node) -> bool:
    return isinstance(node, N.Indicator) or (
        isinstance(node, N.Apply) and node.function in ("max", "min", "abs", "relu")
    )


def _variables(claim: Claim, body: N.Node) -> dict[N.Node, Span]:
    """The uniform scalars and entries in the body, with the ends of their ranges."""
    facts = (item.fact for item in claim.assumptions)
    assumed = {part.name for fact in facts for part in walk(fact) if isinstance(part, N.Symbol)}
    found: dict[N.Node, Span] = {}
    for node in _leaves(body):
        (name,) = (part.name for part in walk(node) if isinstance(part, N.Symbol))
        declared = claim.symbols.get(name)
        if declared is None or declared.copies is not None or name in assumed:
            raise _NoMeanError
        if not isinstance(declared.kind, Uniform):
            raise _NoMeanError
        low, high = _value(declared.kind.low, {}), _value(declared.kind.high, {})
        if low >= high:
            raise _NoMeanError
        found[node] = low, high
    if not 0 < len(found) <= MOST_VARIABLES:
        raise _NoMeanError
    return found


def _leaves(node: N.Node) -> Iterator[N.Node]:
    """Scalar symbols, and entries of symbols at places that are numbers; nothing else may stand for a
    number that is not written out."""
    match node:
        case N.Entry(N.Symbol(), N.Number(), N.Number()):
            yield node
        case N.Symbol() if node.shape.is_scalar:
            yield node
        case N.Number():
            return
        case N.Add() | N.Subtract() | N.Multiply() | N.Divide() | N.Negate() | N.Power() | N.Apply():
            for child in children(node):
                yield from _leaves(child)
        case N.Indicator(N.Relation(_, left, right)):
            yield from _leaves(left)
            yield from _leaves(right)
        case _:
            raise _NoMeanError


def _degree(node: N.Node) -> int:
    """Of the polynomial that it is on each piece, at most."""
    match node:
        case N.Number() | N.Indicator():
            return 0
        case N.Symbol() | N.Entry():
            return 1
        case N.Add(left, right) | N.Subtract(left, right) | N.Apply("max" | "min", (left, right)):
            return max(_degree(left), _degree(right))
        case N.Multiply(left, right):
            return _degree(left) + _degree(right)
        case N.Divide(left, N.Number()):
            return _degree(left)
        case N.Negate(arg) | N.Apply("abs" | "relu", (arg,)):
            return _degree(arg)
        case N.Power(base, N.Number(k)) if k.denominator == 1 and 0 <= k <= MOST_DEGREE:
            return int(k) * _degree(base)
    raise _NoMeanError


@dataclass(frozen=True)
class _Box:
    """The variables that are still to be integrated over, with their ranges."""

    names: tuple[N.Node, ...]
    spans: tuple[Span, ...]

    def integral(
        self, body: N.Node, forms: tuple[Form, ...], degree: int, at: Mapping[N.Node, Fraction]
    ) -> Fraction:
        """`forms`: where the body has its kinks, in these variables; `at`: the values of the others."""
        if not self.names:
            return _value(body, at)
        rest, name = _Box(self.names[1:], self.spans[1:]), self.names[0]
        total = Fraction(0)
        for low, high in pairwise(self._meetings(forms)):
            count = degree + len(self.names)  # the degree in x, and one more
            places = [low + (high - low) * Fraction(2 * k + 1, 2 * count) for k in range(count)]
            values = [
                rest.integral(body, tuple(_fixed(form, x) for form in forms), degree, {**at, name: x})
                for x in places
            ]
            total += _area(places, values, low, high)
        return total

    def _meetings(self, forms: tuple[Form, ...]) -> list[Fraction]:
        """The values of the first variable at points in which hyperplanes and faces meet, and its ends."""
        width = len(self.names)
        low, high = self.spans[0]
        planes = [form for form in forms if any(form[:width])]
        for k, ends in enumerate(self.spans):
            unit = tuple(Fraction(int(j == k)) for j in range(width))
            planes += [(*unit, -end) for end in ends]
        found = {low, high}
        for chosen in combinations(dict.fromkeys(planes), width):
            point = _solved([list(form) for form in chosen])
            if point is not None and low < point[0] < high:
                found.add(point[0])
        return sorted(found)

    # --- where the kinks are ------------------------------------------------------------------------------

    def kinks(self, node: N.Node) -> Iterator[Form]:
        """What changes its sign where the body has a kink or jumps."""
        match node:
            case N.Apply("max" | "min", (left, right)) | N.Indicator(N.Relation(_, left, right)):
                pairs = [(a, b) for a in self.pieces(left) for b in self.pieces(right)]
                yield from (tuple(x - y for x, y in zip(a, b, strict=True)) for a, b in pairs)
            case N.Apply("abs" | "relu", (arg,)):
                yield from self.pieces(arg)
        for child in children(node):
            yield from self.kinks(child)

    def pieces(self, node: N.Node) -> set[Form]:
        """The linear functions that it is, one on each piece."""
        zero = (Fraction(0),) * len(self.names)
        match node:
            case N.Number(value):
                return {(*zero, value)}
            case N.Symbol() | N.Entry():
                return {(*(Fraction(int(node == name)) for name in self.names), Fraction(0))}
            case N.Negate(arg):
                return {tuple(-x for x in form) for form in self.pieces(arg)}
            case N.Add(left, right):
                return {_sum(a, b, 1) for a in self.pieces(left) for b in self.pieces(right)}
            case N.Subtract(left, right):
                return {_sum(a, b, -1) for a in self.pieces(left) for b in self.pieces(right)}
            case N.Multiply(N.Number(c), arg) | N.Multiply(arg, N.Number(c)):
                return {tuple(c * x for x in form) for form in self.pieces(arg)}
            case N.Divide(arg, N.Number(c)):
                return {tuple(x / c for x in form) for form in self.pieces(arg)}
            case N.Apply("max" | "min", (left, right)):
                return self.pieces(left) | self.pieces(right)
            case N.Apply("abs", (arg,)):
                found = self.pieces(arg)
                return found | {tuple(-x for x in form) for form in found}
            case N.Apply("relu", (arg,)):
                return self.pieces(arg) | {(*zero, Fraction(0))}
        raise _NoMeanError


def _sum(a: Form, b: Form, sign: int) -> Form:
    return tuple(x + sign * y for x, y in zip(a, b, strict=True))


def _fixed(form: Form, x: Fraction) -> Form:
    """The form in the other variables, where the first one is x."""
    return (*form[1:-1], form[-1] + form[0] * x)


def _solved(rows: list[list[Fraction]]) -> list[Fraction] | None:
    """The one point at which all forms are 0; None where there is none, or more."""
    width = len(rows)
    for k in range(width):
        pivot = next((r for r in range(k, width) if rows[r][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for r in range(width):
            if r != k and rows[r][k]:
                rows[r] = [x - rows[r][k] * y for x, y in zip(rows[r], rows[k], strict=True)]
    return [-row[-1] for row in rows]


def _area(places: list[Fraction], values: list[Fraction], low: Fraction, high: Fraction) -> Fraction:
    """The integral of the polynomial through these points."""
    total = Fraction(0)
    for i, (place, value) in enumerate(zip(places, values, strict=True)):
        basis = [Fraction(1)]  # the coefficients of prod (x - x_j)/(x_i - x_j), constant first
        for j, other in enumerate(places):
            if j != i:
                scale = place - other
                lower, raised = [*basis, Fraction(0)], [Fraction(0), *basis]
                basis = [(r - other * b) / scale for r, b in zip(raised, lower, strict=True)]
        total += value * sum(c * (high ** (k + 1) - low ** (k + 1)) / (k + 1) for k, c in enumerate(basis))
    return total


def _value(node: N.Node, at: Mapping[N.Node, Fraction]) -> Fraction:
    if node in at:
        return at[node]
    match node:
        case N.Number(value):
            return value
        case N.Negate(arg):
            return -_value(arg, at)
        case N.Add(left, right):
            return _value(left, at) + _value(right, at)
        case N.Subtract(left, right):
            return _value(left, at) - _value(right, at)
        case N.Multiply(left, right):
            return _value(left, at) * _value(right, at)
        case N.Divide(left, right):
            return _value(left, at) / _value(right, at)
        case N.Power(base, N.Number(k)):
            return _value(base, at) ** int(k)
        case N.Apply("max", (left, right)):
            return max(_value(left, at), _value(right, at))
        case N.Apply("min", (left, right)):
            return min(_value(left, at), _value(right, at))
        case N.Apply("abs", (arg,)):
            return abs(_value(arg, at))
        case N.Apply("relu", (arg,)):
            return max(_value(arg, at), Fraction(0))
        case N.Indicator(N.Relation(op, left, right)) if op in _COMPARE:
            return Fraction(_COMPARE[op](_value(left, at), _value(right, at)))
    raise _NoMeanError
