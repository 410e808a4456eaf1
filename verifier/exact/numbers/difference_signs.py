"""Whether left - right op 0, for exact numbers and balls."""

from flint import arb

from verifier.exact.numbers.constants import enclose, is_zero
from verifier.exact.numbers.operations import Value


def decided(op: str, gap: Value) -> bool | None:
    """gap op 0; None where the enclosure holds both answers."""
    if is_zero(gap):
        return op in ("==", "<=", ">=")
    return _ball(op, enclose(gap))


def _ball(op: str, gap: arb) -> bool | None:
    below, above = bool(gap < 0), bool(gap > 0)
    match op:
        case "==":
            return False if below or above else None
        case "!=":
            return True if below or above else None
        case "<=":
            return True if gap <= 0 else (False if above else None)
        case ">=":
            return True if gap >= 0 else (False if below else None)
        case "<":
            return True if below else (False if gap >= 0 else None)
        case ">":
            return True if above else (False if gap <= 0 else None)
    raise AssertionError(op)
