"""Orders of magnitude as ranges: x is in order(10**a, 10**b) when 10**(a - 1/2) <= |x| < 10**(b + 1/2)."""

import math
from dataclasses import dataclass

from verifier.expr import nodes as N
from verifier.sample.draws import dependence as sources
from verifier.sample.unsupported import RefusedError

MOST = 300  # a double's own exponents end soon after


@dataclass(frozen=True)
class Span:
    """The exponents low..high; orders multiply and divide by these."""

    low: int
    high: int

    @property
    def text(self) -> str:
        ends = f"1e{self.low}" if self.low == self.high else f"1e{self.low}, 1e{self.high}"
        return f"order({ends})"

    @property
    def ends(self) -> tuple[float, float]:
        if max(abs(self.low), abs(self.high)) > MOST:
            raise RefusedError("an order of magnitude beyond double precision")
        return 10.0 ** (self.low - 0.5), 10.0 ** (self.high + 0.5)


def is_order(node: N.Node) -> bool:
    return any(isinstance(part, N.Order) for part in sources.nodes(node))


def span_of(node: N.Node) -> Span:
    """An expression made of orders alone."""
    match node:
        case N.Order(low, high):
            return Span(low, high)
        case N.Let(_, body):
            return span_of(body)
        case N.Multiply(left, right):
            a, b = span_of(left), span_of(right)
            return Span(a.low + b.low, a.high + b.high)
        case N.Divide(left, right):
            a, b = span_of(left), span_of(right)
            return Span(a.low - b.high, a.high - b.low)
        case N.Power(base, N.Number(value)) if value.denominator == 1 and value >= 0:
            a = span_of(base)
            return Span(a.low * int(value), a.high * int(value))
    raise RefusedError("an order combined with something that is not an order")


def measured(low: float, high: float) -> Span | None:
    """The exponents that an interval of positive numbers has."""
    if not 0 < low <= high < math.inf:
        return None
    return Span(math.floor(math.log10(low) + 0.5), math.floor(math.log10(high) + 0.5))
