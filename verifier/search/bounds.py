"""A relation as one or two bounds `small <= large`."""

from dataclasses import dataclass, replace
from typing import Literal

from verifier.expr.nodes import Infinity, Negate, Node, Number, Relation, Within


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

    @property
    def is_zero(self) -> bool:
        """A constant 0 has no relative gap: it is tight if approached."""
        return isinstance(self.stated, Number) and self.stated.value == 0


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
