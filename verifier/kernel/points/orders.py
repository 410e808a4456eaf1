"""Orders of magnitude at a point: which power of ten a number is, its exponent rounded."""

from dataclasses import dataclass

from flint import fmpq

from verifier.expr import nodes as N
from verifier.expr.walk import walk
from verifier.kernel.points import polynomials as poly
from verifier.kernel.points import values as v
from verifier.kernel.points.domain import Domain
from verifier.kernel.points.evaluate import Evaluator, Indices
from verifier.kernel.points.outcomes import Undecided
from verifier.kernel.points.values import Value
from verifier.kernel.rejected import Rejected

LARGEST = 400  # an exponent


@dataclass(frozen=True)
class Span:
    """Exponents low..high."""

    low: int
    high: int

    @property
    def text(self) -> str:
        return f"order(1e{self.low})" if self.low == self.high else f"order(1e{self.low}, 1e{self.high})"


def speaks_of_orders(part: N.Fact | N.Node) -> bool:
    return any(isinstance(node, N.Order) for node in walk(part))


class Orders:
    """`left == order`: the left side lies inside; `<=` and `>=`: it is at most or at least of that size."""

    def __init__(self, evaluator: Evaluator, domain: Domain) -> None:
        self.evaluator, self.domain = evaluator, domain

    def apart(self, fact: N.Relation, indices: Indices) -> tuple[Span, Span] | None:
        """The spans of both sides, where the relation is false."""
        if not speaks_of_orders(fact.right) or fact.op not in ("==", "<=", ">="):
            raise Rejected("outside", "an order elsewhere than on the right of ==, <= or >=")
        left, right = self.span(fact.left, indices), self.span(fact.right, indices)
        above, below = left.high > right.high, left.low < right.low
        return (left, right) if {"==": above or below, "<=": above, ">=": below}[fact.op] else None

    def span(self, node: N.Node, indices: Indices) -> Span:
        """Orders multiply and divide by their exponents; a number has its own."""
        if not speaks_of_orders(node):
            if not node.shape.is_scalar:
                raise Rejected("outside", "the order of magnitude of a matrix")
            self.domain.check(node, indices, self.evaluator.root)
            value = self.evaluator.entry(node, 1, 1, indices, self.evaluator.root)
            return _span_of(poly.number(value, "an order"))
        match node:
            case N.Order(low, high):
                return Span(low, high)
            case N.Let(_, body):
                return self.span(body, {})
            case N.Multiply(left, right):
                a, b = self.span(left, indices), self.span(right, indices)
                return Span(a.low + b.low, a.high + b.high)
            case N.Divide(left, right):
                a, b = self.span(left, indices), self.span(right, indices)
                return Span(a.low - b.high, a.high - b.low)
            case N.Power(base, N.Number(value)) if value.denominator == 1 and 0 <= value <= LARGEST:
                a = self.span(base, indices)
                return Span(a.low * int(value), a.high * int(value))
        raise Rejected("outside", "an order combined with something that is not an order")


def _span_of(value: Value) -> Span:
    """10**(2e - 1) <= value**2 < 10**(2e + 1)."""
    if not v.sign_of(value):
        raise Rejected("undefined", "zero has no order of magnitude")
    square = v.power(value, v.TWO)
    guess = _digits(square) // 2
    for exponent in (guess - 1, guess, guess + 1):
        low, high = (fmpq(10) ** (2 * exponent + step) for step in (-1, 1))
        if v.compared(square, low) >= 0 and v.compared(square, high) < 0:
            return Span(exponent, exponent)
    raise Undecided("an exponent close to a half")


def _digits(square: Value) -> int:
    """log10 of a positive number, give or take 1."""
    if not isinstance(square, fmpq):
        if not abs(square.log()) < 5 * LARGEST:
            raise Rejected("too-large", "an order of magnitude beyond all bounds")
        square = square.mid().fmpq()
    return len(str(square.p)) - len(str(square.q))
