"""Means of functions of one uniform variable, by a primitive of the function.

    E g(a + k u)      = (G(a + k high) - G(a + k low)) / (k (high - low)),   G' = g
    E u**p (1 - u)**q = p! q!/(p + q + 1)!                                   on [0, 1]
    E max_i |u_i|**k  = high**k n/(n + k)                         n of them on [0, high] or [-high, high]

for log, roots, powers and 1/(1 + t**2), where the argument stays where they are defined and have a mean.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.dims import Dim
from verifier.expr.symbols import Declared, Dimension, Uniform
from verifier.expr.walk import expand_lets, walk

ZERO, ONE, TWO = (N.Number(Fraction(k)) for k in range(3))
Primitive = Callable[[N.Node], N.Node]


def mean_by_primitive(claim: Claim, body: N.Node) -> N.Node | None:
    """E(body); None where it is no such function of one uniform variable."""
    body = expand_lets(body)
    names = claim.random_in(body)
    declared = claim.symbols.get(next(iter(names))) if len(names) == 1 else None
    if declared is None or declared.copies is not None or not isinstance(declared.kind, Uniform):
        return None
    low, high = _constant(declared.kind.low), _constant(declared.kind.high)
    facts = (item.fact for item in claim.assumptions)
    bound = any(isinstance(part, N.Symbol) and part.name in names for fact in facts for part in walk(fact))
    if bound or low is None or high is None or low >= high:
        return None
    largest = _largest(declared, body, low, high)
    if largest is not None:
        return largest
    places = {part for part in walk(body) if _is_place(part, declared)}
    whole = sum(isinstance(part, N.Symbol) and part.name == declared.name for part in walk(body))
    inside = sum(_is_place(part, declared) for part in walk(body))
    if len(places) != 1 or whole != inside:
        return None
    return _Variable(claim, places.pop(), low, high).mean(body)


def _is_place(node: N.Node, declared: Declared) -> bool:
    """The variable itself, or one entry of it at a place that is a number."""
    match node:
        case N.Entry(N.Symbol(name), N.Number(), N.Number()):
            return name == declared.name
        case N.Symbol(name) if node.shape.is_scalar:
            return name == declared.name
    return False


def _constant(node: N.Node) -> Fraction | None:
    match node:
        case N.Number(value):
            return value
        case N.Negate(N.Number(value)):
            return -value
        case N.Divide(N.Number(top), N.Number(bottom)) if bottom:
            return top / bottom
    return None


def _largest(declared: Declared, body: N.Node, low: Fraction, high: Fraction) -> N.Node | None:
    """E max_i |u_i|**k"""
    power, inner = ONE, body
    match body:
        case N.Power(base, N.Number(k) as power) if k.denominator == 1 and k >= 1:
            inner = base
    match inner:
        case N.Norm(N.Symbol(name), "oo") if name == declared.name and (low == 0 or low == -high):
            count = _count(declared.shape.rows) if declared.shape.is_vector else None
            if count is None:
                return None
            top = N.Number(high ** int(power.value))
            return N.Divide(N.Multiply(top, count), N.Add(count, power))
    return None


def _count(size: Dim) -> N.Node | None:
    if size.constant is not None:
        return N.Number(Fraction(size.constant))
    names = list(size.names)
    return N.Symbol(names[0]) if len(names) == 1 and size == Dim.of(names[0]) else None


@dataclass(frozen=True)
class _Variable:
    """The place u of a variable that is uniform on [low, high]."""

    claim: Claim
    place: N.Node
    low: Fraction
    high: Fraction

    def mean(self, body: N.Node) -> N.Node | None:
        match body:
            case N.Multiply(factor, rest) | N.Multiply(rest, factor) if not self._sees(factor):
                return _scaled(factor, self.mean(rest))
            case N.Divide(rest, factor) if not self._sees(factor):
                found = self.mean(rest)
                return None if found is None else N.Divide(found, factor)
            case N.Divide(factor, rest) if not self._sees(factor):
                return _scaled(factor, self._of_inverse(rest))
            case N.Negate(rest):
                found = self.mean(rest)
                return None if found is None else N.Negate(found)
            case N.Multiply(N.Power(first, p), N.Power(second, q)):
                return self._beta(first, p, second, q) or self._beta(second, q, first, p)
            case N.Apply("log", (arg,)):
                return self._between(arg, _of_log, at_zero=True)
            case N.Apply("sqrt", (arg,)):
                return self._power(arg, N.Number(Fraction(1, 2)))
            case N.Power(base, exponent) if not self._sees(exponent):
                return self._power(base, exponent)
        return None

    def _sees(self, node: N.Node) -> bool:
        return any(part == self.place for part in walk(node))

    def _of_inverse(self, below: N.Node) -> N.Node | None:
        """1/t, 1/sqrt(t), 1/(1 + t**2)"""
        match below:
            case N.Apply("sqrt", (arg,)):
                return self._power(arg, N.Number(Fraction(-1, 2)))
            case N.Add(N.Number(value), N.Power(arg, N.Number(k))) if value == 1 and k == 2:
                return self._between(arg, lambda t: N.Apply("atan", (t,)), anywhere=True)
            case N.Power(base, N.Number(k)):
                return self._power(base, N.Number(-k))
        return self._between(below, lambda t: N.Apply("log", (t,)))

    def _power(self, base: N.Node, exponent: N.Node) -> N.Node | None:
        """t**(p + 1)/(p + 1)"""
        match exponent:
            case N.Number(p):
                if p == -1:
                    return self._between(base, lambda t: N.Apply("log", (t,)))
                more, whole = N.Number(p + 1), p.denominator == 1 and p >= 0
                return self._between(base, lambda t: N.Divide(N.Power(t, more), more), p > -1, whole)
            case N.Symbol(name):
                declared = self.claim.symbols.get(name)
                if declared is not None and isinstance(declared.kind, Dimension):
                    raised = N.Add(exponent, ONE)
                    return self._between(base, lambda t: N.Divide(N.Power(t, raised), raised), anywhere=True)
        return None

    def _between(
        self, arg: N.Node, primitive: Primitive, at_zero: bool = False, anywhere: bool = False
    ) -> N.Node | None:
        """`at_zero`: the primitive is 0 at 0, and may be taken there; `anywhere`: at every number."""
        line = self._line(arg)
        if line is None:
            return None
        shift, slope = line
        ends = [_plus(shift, _times(slope, N.Number(end))) for end in (self.high, self.low)]
        known = self.claim.values.in_mean()
        allowed = anywhere or all(known(end).is_positive or (at_zero and end == ZERO) for end in ends)
        if not allowed or not known(slope).is_nonzero:
            return None
        above, below = (ZERO if at_zero and end == ZERO else primitive(end) for end in ends)
        width = _times(slope, N.Number(self.high - self.low))
        return N.Divide(N.Subtract(above, below), width)

    def _line(self, node: N.Node) -> tuple[N.Node, N.Node] | None:
        """a and k of a + k u."""
        if node == self.place:
            return ZERO, ONE
        if not self._sees(node):
            return node, ZERO
        match node:
            case N.Negate(arg) if (line := self._line(arg)) is not None:
                return _times(N.Number(Fraction(-1)), line[0]), _times(N.Number(Fraction(-1)), line[1])
            case N.Add(left, right) | N.Subtract(left, right):
                first, second = self._line(left), self._line(right)
                if first is None or second is None:
                    return None
                sign = N.Number(Fraction(1 if isinstance(node, N.Add) else -1))
                return _plus(first[0], _times(sign, second[0])), _plus(first[1], _times(sign, second[1]))
            case N.Multiply(c, arg) | N.Multiply(arg, c) if not self._sees(c):
                line = self._line(arg)
                return None if line is None else (_times(c, line[0]), _times(c, line[1]))
        return None

    def _beta(self, first: N.Node, p: N.Node, second: N.Node, q: N.Node) -> N.Node | None:
        """E u**p (1 - u)**q, whole p and q"""
        counts = [isinstance(k, N.Symbol) and k.name in self.claim.symbols for k in (p, q)]
        if not all(counts) or first != self.place or second != N.Subtract(ONE, self.place):
            return None
        kinds = {type(self.claim.symbols[k.name].kind) for k in (p, q) if isinstance(k, N.Symbol)}
        if kinds != {Dimension} or self.low != 0 or self.high != 1:
            return None
        above = N.Multiply(_factorial(p), _factorial(q))
        return N.Divide(above, _factorial(N.Add(N.Add(p, q), ONE)))


def _scaled(factor: N.Node, found: N.Node | None) -> N.Node | None:
    return None if found is None else N.Multiply(factor, found)


def _factorial(node: N.Node) -> N.Node:
    return N.Apply("factorial", (node,))


def _of_log(t: N.Node) -> N.Node:
    return N.Subtract(N.Multiply(t, N.Apply("log", (t,))), t)


def _plus(a: N.Node, b: N.Node) -> N.Node:
    match a, b:
        case N.Number(x), N.Number(y):
            return N.Number(x + y)
        case N.Number(x), _ if x == 0:
            return b
        case _, N.Number(y) if y == 0:
            return a
    return N.Add(a, b)


def _times(a: N.Node, b: N.Node) -> N.Node:
    match a, b:
        case N.Number(x), N.Number(y):
            return N.Number(x * y)
        case (N.Number(x), rest) | (rest, N.Number(x)) if x == 0:
            return ZERO
        case (N.Number(x), rest) | (rest, N.Number(x)) if x == 1:
            return rest
    return N.Multiply(a, b)
