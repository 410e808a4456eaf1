"""Equalities that agreement to rounding on every draw speaks for, and those in which something may hide."""

import math
from collections.abc import Iterator

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.sizes import float_or_inf
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.draw_scope import World
from verifier.sample.tails.watched_functions import LIMITS

LONG = 6  # digits
FAR = 5.0  # where a function is as good as at its limit, to a few digits
INSIDE = 6  # powers that a small number of a law may be raised to, inside of an expectation


def decidable(claim: Claim, fact: N.Fact, integrated: bool = False) -> bool:
    """An equality that cannot change in a place too small to be met: no event's indicator in it, and no
    number that rounding may hide, as in 1 + 1e-12: in a side, a law, an assumption, or given to a symbol.

    `integrated`: draws are those of the laws, so that a law's small numbers are met in powers."""
    if not isinstance(fact, N.Relation) or fact.op != "==":
        return False
    for node in sources.nodes(fact):
        if isinstance(node, N.Indicator) or _is_long(node) or _turns_back(node):
            return False
    if any(_is_long(N.Number(value)) for value in claim.where.values()):
        return False
    times = INSIDE if integrated else 1
    if any(times * _digits(node) > LONG for node in _of_laws(claim, fact, integrated)):
        return False
    return not any(_is_long(node) for item in claim.assumptions for node in sources.nodes(item.fact))


def _of_laws(claim: Claim, fact: N.Fact, integrated: bool) -> Iterator[N.Node]:
    """What the laws of the symbols that it reaches are stated with; single draws of a plain normal law are
    any numbers, whatever its scale."""
    layered = claim.layers.symbols if claim.layers is not None else ()
    declared = {**claim.symbols, **{sources.LAYER + symbol.name: symbol for symbol in layered}}
    for name in sources.relevant(claim, fact, World.of(claim, {})) & declared.keys():
        kind = declared[name].kind
        if not declared[name].is_random or (not integrated and _is_plain(kind)):
            continue
        for part in vars(kind).values():
            yield from sources.nodes(part) if isinstance(part, N.Node) else ()


def _is_plain(kind: K.Kind) -> bool:
    return isinstance(kind, K.Normal) and kind.row_corr is None and kind.cov is None


def _turns_back(node: N.Node) -> bool:
    """asin(sin(x)), which is x on one arc of the circle."""
    if not isinstance(node, N.Apply) or node.function not in ("asin", "acos"):
        return False
    return any(isinstance(part, N.Apply) and part.function in ("sin", "cos") for part in sources.nodes(node))


def _is_long(node: N.Node) -> bool:
    """Numbers of more than six digits, above or below their line, in one product."""
    return isinstance(node, N.Number | N.Multiply | N.Divide | N.Power | N.Apply) and _digits(node) > LONG


def _digits(node: N.Node) -> float:
    match node:
        case N.Number(value):
            return math.log10(max(abs(value.numerator), value.denominator))
        case N.Apply("factorial", (arg,)) if (number := _constant(arg)) is not None and number > 0:
            return math.lgamma(number + 1) / math.log(10)
        case N.Apply("exp", (arg,)) if (exponent := _constant(arg)) is not None:
            return abs(exponent) / math.log(10)
        case N.Apply(function, (arg,)) if function in LIMITS and (at := _constant(arg)) is not None:
            return math.inf if abs(at) > FAR else 0.0
        case N.Power(base, exponent) if (times := _constant(exponent)) is not None:
            return _digits(base) * abs(times)
        case N.Multiply(left, right) | N.Divide(left, right):
            return _digits(left) + _digits(right)
        case N.Negate(arg) | N.Let(_, arg):
            return _digits(arg)
    return 0.0


def _constant(node: N.Node) -> float | None:
    """What numbers alone make."""
    match node:
        case N.Number(value):
            return float_or_inf(value)
        case N.Negate(arg) | N.Let(_, arg):
            inner = _constant(arg)
            return inner if inner is None or isinstance(node, N.Let) else -inner
        case N.Add(left, right) | N.Subtract(left, right) | N.Multiply(left, right) | N.Divide(left, right):
            return _joined(node, _constant(left), _constant(right))
        case N.Power(left, right):
            return _joined(node, _constant(left), _constant(right))
    return None


def _joined(node: N.Node, left: float | None, right: float | None) -> float | None:
    if left is None or right is None:
        return None
    try:
        match node:
            case N.Add():
                return left + right
            case N.Subtract():
                return left - right
            case N.Multiply():
                return left * right
            case N.Divide():
                return left / right
        return math.pow(left, right)
    except OverflowError:
        return math.inf
    except (ZeroDivisionError, ValueError):
        return None
