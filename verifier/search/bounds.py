"""A relation as one or two bounds `small <= large`."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from verifier.expr.nodes import Infinity, Negate, Node, Relation, Symbol, Within, Zeros
from verifier.expr.walk import walk
from verifier.rigorous.closed import is_zero
from verifier.rigorous.evaluate import evaluate
from verifier.rigorous.refusals import Refusal


@dataclass(frozen=True)
class Bound:
    """small <= large; the gap (large - small)/|stated| is relative to the side that states the bound."""

    small: Node
    large: Node
    stated: Node
    side: Literal["upper", "lower"]
    strict: bool = False

    @property
    def bounded(self) -> Node:
        """The side that is being bounded."""
        return self.small if self.side == "upper" else self.large

    def restated(self, node: Node) -> "Bound":
        """The same bound with another right side."""
        if self.side == "upper":
            return replace(self, large=node, stated=node)
        return replace(self, small=node, stated=node)

    @cached_property
    def is_zero(self) -> bool:
        """A constant 0 has no relative gap: it is tight if approached."""
        if any(isinstance(node, Symbol) for node in walk(self.stated)) or not self.stated.shape.is_scalar:
            return isinstance(self.stated, Zeros)
        try:
            ((value,),) = evaluate(self.stated, {})
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
            below = () if is_infinite(low) else (Bound(low, arg, low, "lower"),)
            above = () if is_infinite(high) else (Bound(arg, high, high, "upper"),)
            return below + above
    return ()


def is_infinite(node: Node) -> bool:
    """oo or -oo."""
    return isinstance(node, Infinity) or (isinstance(node, Negate) and isinstance(node.arg, Infinity))
