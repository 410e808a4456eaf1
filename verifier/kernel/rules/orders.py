"""Orders of magnitude: a number is of the order 10**e when its exponent, rounded, is e."""

from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.nodes import Relation
from verifier.kernel.context import Context
from verifier.kernel.judgement import Holds, Judgement
from verifier.kernel.points.orders import LARGEST, Span, speaks_of_orders
from verifier.kernel.proof import Data
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules import Rule
from verifier.kernel.rules.defined import unfolded
from verifier.kernel.rules.signs import ordered


def magnitude(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash l \le a \le h \qquad 10^{2p - 1} \le l^2 \qquad h^2 < 10^{2q + 1} \qquad l > 0}
    {\Gamma \vdash a \text{ is in } \mathrm{order}(10^p, 10^q)}

    The ends are rational. `a <= order` needs the upper end alone, and that a is not below its negative;
    `a >= order` the lower end alone. Orders multiply and divide by their exponents, and one that lies within
    another needs no premise.
    """
    match goal:
        case Holds(Relation("==" | "<=" | ">=" as op, left, right)) if speaks_of_orders(right):
            span = span_of(right)
        case _:
            raise Rejected("statement", "an order on the right of ==, <= or >=")
    if speaks_of_orders(left):
        if premises:
            raise Rejected("premises", "orders are compared without premises")
        found = span_of(left)
        if {"<=": False, "==": True, ">=": True}[op] and found.low < span.low:
            raise Rejected("differs", "the order on the left reaches below that on the right")
        if {">=": False, "==": True, "<=": True}[op] and found.high > span.high:
            raise Rejected("differs", "the order on the left reaches beyond that on the right")
        return
    if not left.shape.is_scalar:
        raise Rejected("outside", "the order of magnitude of a matrix")
    low, high = _ends(context, left, premises)
    if op in ("<=", "==") and not (high is not None and low is not None and _is_below(max(high, -low), span)):
        raise Rejected("condition", "not known to stay below the order")
    if op in (">=", "==") and not (low is not None and low > 0 and _is_above(low, span)):
        raise Rejected("condition", "not known to stay above the order")


def _is_below(size: Fraction, span: Span) -> bool:
    return size**2 < Fraction(10) ** (2 * span.high + 1)


def _is_above(size: Fraction, span: Span) -> bool:
    return Fraction(10) ** (2 * span.low - 1) <= size**2


def _ends(
    context: Context, side: N.Node, premises: tuple[Judgement, ...]
) -> tuple[Fraction | None, Fraction | None]:
    """The numbers that premises put around the left side."""
    low: Fraction | None = None
    high: Fraction | None = None
    tree = unfolded(context, side)
    for premise in premises:
        try:
            small, large, _ = ordered(premise)
        except Rejected:
            raise Rejected("premises", "a premise that is no inequality") from None
        match unfolded(context, small), unfolded(context, large):
            case N.Number(value), other if other == tree:
                low = value
            case other, N.Number(value) if other == tree:
                high = value
            case _:
                raise Rejected("premises", "a premise puts the left side on one side of a number")
    return low, high


def span_of(node: N.Node) -> Span:
    """The exponents of a product or quotient of orders."""
    match node:
        case N.Order(low, high):
            found = Span(low, high)
        case N.Let(_, body):
            found = span_of(body)
        case N.Multiply(left, right):
            a, b = span_of(left), span_of(right)
            found = Span(a.low + b.low, a.high + b.high)
        case N.Divide(left, right):
            a, b = span_of(left), span_of(right)
            found = Span(a.low - b.high, a.high - b.low)
        case N.Power(base, N.Number(value)) if value.denominator == 1 and 0 <= value <= LARGEST:
            a = span_of(base)
            found = Span(a.low * int(value), a.high * int(value))
        case _:
            raise Rejected("outside", "an order combined with something that is not an order")
    if max(abs(found.low), abs(found.high)) > LARGEST:
        raise Rejected("too-large", "an order of magnitude beyond all bounds")
    return found


RULES = (Rule("magnitude", "order", magnitude),)
