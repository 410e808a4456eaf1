"""A relation as one or two bounds `small <= large`."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from verifier.exact.numbers.constants import is_zero
from verifier.exact.numbers.refusals import Refusal
from verifier.exact.values.evaluate import evaluate
from verifier.expr.nodes import Infinity, Negate, Node, Relation, Subtract, Symbol, Within, Zeros
from verifier.expr.walk import walk


@dataclass(frozen=True)
class Bound:
    """small <= large; the gap (large - small)/|stated| is relative to the side that states the bound, for
    an end of a range to the width of that range."""

    small: Node
    large: Node
    stated: Node
    side: Literal["upper", "lower"]
    strict: bool = False
    width: Node | None = None

    @property
    def bounded(self) -> Node:
        """The side that is being bounded."""
        return self.small if self.side == "upper" else self.large

    @property
    def measure(self) -> Node:
        """What the gap is relative to."""
        return self.stated if self.width is None else self.width

    def restated(self, node: Node) -> "Bound":
        """The same bound with another right side."""
        if self.side == "upper":
            return replace(self, large=node, stated=node)
        return replace(self, small=node, stated=node)

    @cached_property
    def is_zero(self) -> bool:
        """A constant 0 has no relative gap: it is tight if approached."""
        if any(isinstance(node, Symbol) for node in walk(self.measure)) or not self.measure.shape.is_scalar:
            return isinstance(self.measure, Zeros)
        try:
            ((value,),) = evaluate(self.measure, {})
        except Refusal:
            return False
        return is_zero(value)


def bounds_of(fact: Relation | Within) -> tuple[Bound, ...]:
    """The bounds that a fact states; an infinite end states none, an equality neither."""
    match fact:
        case Relation("<=" | "<" as op, left, right):
            return (Bound(left, right, right, "upper", op == "<"),)
        case Relation(">=" | ">" as op, left, right):
            return (Bound(right, left, right, "lower", op == ">"),)
        case Within(arg, low, high):
            width = None if is_infinite(low) or is_infinite(high) else Subtract(high, low)
            below = () if is_infinite(low) else (Bound(low, arg, low, "lower", width=width),)
            above = () if is_infinite(high) else (Bound(arg, high, high, "upper", width=width),)
            return below + above
    return ()


def is_infinite(node: Node) -> bool:
    """oo or -oo."""
    return isinstance(node, Infinity) or (isinstance(node, Negate) and isinstance(node.arg, Infinity))
