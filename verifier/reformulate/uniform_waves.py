"""Means of waves whose phase is uniform, in closed form.

    E cos(a + k u) = (sin(a + k high) - sin(a + k low)) / (k (high - low))
    cos A cos B    = (cos(A - B) + cos(A + B))/2   and its kin

for u uniform on [low, high], k a number. Over whole turns a wave is 0 on average. Other random symbols stay
in a, and their mean is taken afterwards.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import pi
from typing import Literal

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.symbols import Uniform
from verifier.expr.walk import expand_lets, walk

MOST_TERMS = 32
MOST_FACTORS = 4
_WAVES = ("cos", "sin")
Shape = Literal["cos", "sin"]


class _NoMeanError(Exception):
    """No rule here gives it."""


@dataclass(frozen=True)
class _Wave:
    """shape(shift + speed u); a constant where the speed is 0."""

    shape: Shape
    shift: N.Node
    speed: Fraction


@dataclass(frozen=True)
class _Term:
    """weight times a product of waves; nothing in the weight sees u."""

    weight: N.Node
    waves: tuple[_Wave, ...] = ()


def mean_of_waves(claim: Claim, body: N.Node) -> N.Node | None:
    """E(body) without the uniform variables in it; None where none is inside a wave, or no rule applies."""
    body = expand_lets(body)
    waved = (part for part in walk(body) if isinstance(part, N.Apply) and part.function in _WAVES)
    if not any(_uniforms(claim, part) for part in waved):
        return None
    try:
        return _mean(claim, body)
    except _NoMeanError:
        return None


def _mean(claim: Claim, node: N.Node) -> N.Node:
    """E is linear; what is left of it is taken of each term."""
    if not claim.random_in(node):
        return node
    match node:
        case N.Add(left, right) | N.Subtract(left, right):
            return type(node)(_mean(claim, left), _mean(claim, right))
        case N.Negate(arg):
            return N.Negate(_mean(claim, arg))
        case N.Sum(inner, ranges, conditions):
            return N.Sum(_mean(claim, inner), ranges, conditions)
        case N.Divide(above, below) if not claim.random_in(below):
            return N.Divide(_mean(claim, above), below)
        case N.Multiply(left, right) if not claim.random_in(left):
            return N.Multiply(left, _mean(claim, right))
        case N.Multiply(left, right) if not claim.random_in(right):
            return N.Multiply(_mean(claim, left), right)
    places = _uniforms(claim, node)
    if not places:
        return N.Expectation(node)
    return _mean(claim, _integrated(claim, node, places[0]))


def _uniforms(claim: Claim, node: N.Node) -> list[N.Node]:
    """The uniform numbers that it sees, as symbols or entries."""
    found: dict[N.Node, None] = {}
    for part in walk(node):
        match part:
            case N.Symbol(name, shape) if shape.is_scalar and _is_uniform(claim, name):
                found[part] = None
            case N.Entry(N.Symbol(name)) if _is_uniform(claim, name):
                found[part] = None
    return list(found)


def _is_uniform(claim: Claim, name: str) -> bool:
    declared = claim.symbols.get(name)
    return declared is not None and declared.copies is None and isinstance(declared.kind, Uniform)


def _integrated(claim: Claim, node: N.Node, place: N.Node) -> N.Node:
    """The mean over one uniform number, the others held."""
    name = next(part.name for part in walk(place) if isinstance(part, N.Symbol))
    kind = claim.symbols[name].kind
    assert isinstance(kind, Uniform)

    def sees(part: N.Node) -> bool:
        return any(isinstance(x, N.Symbol) and x.name == name for x in walk(part))

    terms = list(_Reader(place, sees).terms(node))
    total: N.Node = N.Number(Fraction(0))
    for term in terms:
        for amount, wave in _products(term.waves):
            total = N.Add(total, N.Multiply(N.Multiply(N.Number(amount), term.weight), _average(wave, kind)))
    return total


@dataclass(frozen=True)
class _Reader:
    """An expression as a sum of terms in one uniform number."""

    place: N.Node
    sees: Callable[[N.Node], bool]

    def terms(self, node: N.Node) -> Iterator[_Term]:
        if not self.sees(node):
            yield _Term(node)
            return
        match node:
            case N.Add(left, right):
                yield from (*self.terms(left), *self.terms(right))
            case N.Subtract(left, right):
                yield from (*self.terms(left), *self.terms(N.Negate(right)))
            case N.Negate(arg):
                yield from (_Term(N.Negate(term.weight), term.waves) for term in self.terms(arg))
            case N.Divide(above, below) if not self.sees(below):
                yield from (_Term(N.Divide(term.weight, below), term.waves) for term in self.terms(above))
            case N.Multiply(left, right):
                yield from self._times((list(self.terms(left)), list(self.terms(right))))
            case N.Power(base, N.Number(k)) if k.denominator == 1 and 1 <= k <= MOST_FACTORS:
                yield from self._times((list(self.terms(base)),) * int(k))
            case N.Apply("cos" | "sin" as function, (arg,)):
                yield _Term(N.Number(Fraction(1)), (_Wave(function, *self._line(arg)),))
            case _:
                raise _NoMeanError

    def _times(self, factors: tuple[list[_Term], ...]) -> Iterator[_Term]:
        for at, choice in enumerate(product(*factors)):
            if at == MOST_TERMS:
                raise _NoMeanError
            weight = choice[0].weight
            for term in choice[1:]:
                weight = N.Multiply(weight, term.weight)
            yield _Term(weight, tuple(wave for term in choice for wave in term.waves))

    def _line(self, node: N.Node) -> tuple[N.Node, Fraction]:
        """shift and speed of shift + speed u"""
        if node == self.place:
            return N.Number(Fraction(0)), Fraction(1)
        if not self.sees(node):
            return node, Fraction(0)
        match node:
            case N.Add(left, right) | N.Subtract(left, right):
                (a, k), (b, m) = self._line(left), self._line(right)
                return type(node)(a, b), k + m if isinstance(node, N.Add) else k - m
            case N.Negate(arg):
                a, k = self._line(arg)
                return N.Negate(a), -k
            case N.Multiply(N.Number(c), arg) | N.Multiply(arg, N.Number(c)):
                a, k = self._line(arg)
                return N.Multiply(N.Number(c), a), c * k
            case N.Divide(arg, N.Number(c)) if c:
                a, k = self._line(arg)
                return N.Divide(a, N.Number(c)), k / c
        raise _NoMeanError


def _products(waves: tuple[_Wave, ...]) -> list[tuple[Fraction, _Wave]]:
    """A product of waves as a sum of single ones."""
    if not waves:
        return [(Fraction(1), _Wave("cos", N.Number(Fraction(0)), Fraction(0)))]
    total = [(Fraction(1), waves[0])]
    for wave in waves[1:]:
        total = [(amount * c, made) for amount, known in total for c, made in _product(known, wave)]
        if len(total) > MOST_TERMS:
            raise _NoMeanError
    return total


def _product(one: _Wave, two: _Wave) -> list[tuple[Fraction, _Wave]]:
    """2 cos A cos B = cos(A - B) + cos(A + B), 2 sin A sin B = cos(A - B) - cos(A + B),
    2 sin A cos B = sin(A + B) + sin(A - B)"""
    half = Fraction(1, 2)

    def made(shape: Shape, sign: int) -> _Wave:
        shift = N.Add(one.shift, two.shift) if sign > 0 else N.Subtract(one.shift, two.shift)
        return _Wave(shape, shift, one.speed + sign * two.speed)

    match one.shape, two.shape:
        case "cos", "cos":
            return [(half, made("cos", -1)), (half, made("cos", 1))]
        case "sin", "sin":
            return [(half, made("cos", -1)), (-half, made("cos", 1))]
        case "sin", "cos":
            return [(half, made("sin", 1)), (half, made("sin", -1))]
        case _:
            return _product(two, one)


def _average(wave: _Wave, kind: Uniform) -> N.Node:
    """The mean of one wave over [low, high]."""
    if wave.speed == 0:
        return N.Apply(wave.shape, (wave.shift,))
    width = _width(kind)
    if width is None:  # a law with free ends may be a single point, where the quotient has no value
        raise _NoMeanError
    if not width[0] and (width[1] * wave.speed) % 2 == 0:
        return N.Number(Fraction(0))
    speed = N.Number(wave.speed)
    high, low = (_antiderivative(wave.shape, N.Add(wave.shift, N.Multiply(speed, end)))
                 for end in (kind.high, kind.low))  # fmt: skip
    return N.Divide(N.Subtract(high, low), N.Multiply(speed, N.Subtract(kind.high, kind.low)))


def _antiderivative(shape: Shape, arg: N.Node) -> N.Node:
    match shape:
        case "cos":
            return N.Apply("sin", (arg,))
        case "sin":
            return N.Negate(N.Apply("cos", (arg,)))


def _width(kind: Uniform) -> tuple[Fraction, Fraction] | None:
    """high - low as r + q*pi, where it is a positive number."""
    ends = _constant(kind.low), _constant(kind.high)
    if ends[0] is None or ends[1] is None:
        return None
    rest, turns = ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]
    return (rest, turns) if rest + turns * Fraction(pi) > 0 else None


def _constant(node: N.Node) -> tuple[Fraction, Fraction] | None:
    """r and q of r + q*pi."""
    match node:
        case N.Number(value):
            return value, Fraction(0)
        case N.Pi():
            return Fraction(0), Fraction(1)
        case N.Negate(arg):
            return _scaled(Fraction(-1), _constant(arg))
        case N.Multiply(N.Number(c), arg) | N.Multiply(arg, N.Number(c)):
            return _scaled(c, _constant(arg))
        case N.Divide(arg, N.Number(c)) if c:
            return _scaled(1 / c, _constant(arg))
    return None


def _scaled(c: Fraction, known: tuple[Fraction, Fraction] | None) -> tuple[Fraction, Fraction] | None:
    return None if known is None else (c * known[0], c * known[1])
