"""How many times better a bound could be: the slack that a report shows.

With gap = inf (rhs - lhs)/|rhs|, an upper bound could be 1/(1 - gap) times smaller. For `>=` the gap is
mirrored, inf (lhs - rhs)/|rhs|, and the bound could be 1 + gap times larger: with the sides exchanged, as
rhs <= lhs relative to lhs, that is 1/(1 - gap) again. A negative right side has no such number.
"""

from math import inf, isfinite

from verifier.evidence import Tightness
from verifier.expr.nodes import (
    Add,
    Apply,
    Divide,
    MatMul,
    Multiply,
    Negate,
    Node,
    Number,
    Relation,
    Subtract,
    Within,
)
from verifier.expr.sizes import float_or_inf


def slack(fact: Relation | Within, tightness: Tightness | None) -> float | None:
    """The factor; None where nothing is known of it, beyond floats, and for ranges, which have two ends."""
    if tightness is None or isinstance(fact, Within) or is_negative(fact.right):
        return None
    gap = tightness.gap_high if tightness.gap_high is not None else tightness.gap_low
    if gap is None:
        return None
    if fact.op in (">=", ">"):
        factor = float_or_inf(1 + gap)
    else:
        factor = inf if gap >= 1 else float_or_inf(1 / (1 - gap))
    return factor if isfinite(factor) else None


def is_negative(node: Node) -> bool:
    """Seen from the signs that are written: -norm(v), -2*n, -(a + b)/3."""
    match node:
        case Number(value):
            return value < 0
        case Negate(arg):
            return not is_negative(arg)
        case Multiply(left, right) | Divide(left, right) | MatMul(left, right):
            return is_negative(left) != is_negative(right)
        case Add(left, right):
            return is_negative(left) and is_negative(right)
        case Subtract(left, right):
            return is_negative(left) and not is_negative(right)
        case Apply("log", (Number(value),)):
            return value < 1
    return False
