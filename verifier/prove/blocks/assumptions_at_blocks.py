"""Whether an assumption is true at a point of blocks: exactly where it matters, roughly while searching."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp
from flint import arb

from verifier.exact.numbers.refusals import Refusal as Rigorous
from verifier.expr import nodes as n
from verifier.expr.walk import substitute
from verifier.prove.blocks.evaluate import At, counts_alone
from verifier.prove.forms.refusal import Refusal
from verifier.prove.ranges.orders_of_magnitude import exponent_of, span

ROUNDING = 1e-9
DIGITS = 40
LATER = 3  # every index from 2 on is like this one


def holds(at: At, fact: n.Fact) -> bool:
    """The fact at the point. Floats are rough; balls and expressions are sure of a `True`."""
    match fact:
        case n.Relation(op, left, right):
            return _relation(at, op, left, right)
        case n.Within(arg, low, high):
            return _relation(at, ">=", arg, low) and _relation(at, "<=", arg, high)
        case n.ForAll(inner, ranges, conditions):
            return all(holds(at, made) for made in instances(at, inner, ranges, conditions))
    raise Refusal("an assumption of this kind, in blocks")


def instances(
    at: At,
    fact: n.Relation | n.Within,
    ranges: tuple[n.Range, ...],
    conditions: tuple[n.Condition, ...],
) -> Iterator[n.Relation | n.Within]:
    """The fact at indices 1, 2 and 3: on blocks, the others are like one of these, if only their entries
    count and the ranges begin there."""
    indices = [n.Index(r.index) for r in ranges]
    begins = all(isinstance(r.low, n.Number) and r.low.value <= LATER for r in ranges)
    related = all(c.op == "!=" or (c.left in indices and c.right in indices) for c in conditions)
    if not begins or not related or not all(counts_alone(fact, index) for index in indices):
        raise Refusal("an assumption about indices with numbers of their own, in blocks")
    for values in product((1, 2, 3), repeat=len(ranges)):
        chosen: dict[n.Node, n.Node] = {
            n.Index(item.index): n.Number(Fraction(value)) for item, value in zip(ranges, values, strict=True)
        }
        inside = all(
            _relation(at, ">=", chosen[n.Index(r.index)], r.low)
            and _relation(at, "<=", chosen[n.Index(r.index)], r.high)
            for r in ranges
        )
        kept = all(
            _relation(at, c.op, substitute(c.left, chosen), substitute(c.right, chosen)) for c in conditions
        )
        if inside and kept:
            yield substitute(fact, chosen)


def _relation(at: At, op: str, left: n.Node, right: n.Node) -> bool:
    if isinstance(right, n.Order):
        return _in_order(at, op, left, right)
    if left.shape.is_scalar and right.shape.is_scalar:
        return compare(op, at.scalar(left) - at.scalar(right))
    if op == "!=":
        raise Refusal("matrices that differ somewhere, in blocks")
    difference = at.value(left) - at.value(right)
    entries = [value for row in difference.value for value in row]
    entries += [difference.diagonal(r) for r in range(len(difference.rows))] if difference.shift else []
    return all(compare(op, entry) for entry in entries)


def compare(op: str, difference: Any) -> bool:
    """difference op 0."""
    sign = _sign(difference)
    if sign is None:
        return False
    allowed = {"==": (0,), "!=": (-1, 1), "<=": (-1, 0), ">=": (0, 1), "<": (-1,), ">": (1,)}
    return sign in allowed[op]


def _sign(value: Any) -> int | None:
    """-1, 0 or 1; None where it is not known. Floats count as 0 within rounding."""
    if isinstance(value, arb):
        return 1 if value > 0 else -1 if value < 0 else 0 if value == 0 else None
    if isinstance(value, sp.Expr):
        return _exact_sign(value)
    number = float(value)
    return 0 if abs(number) < ROUNDING else 1 if number > 0 else -1


def _exact_sign(value: sp.Expr) -> int | None:
    simple = sp.simplify(value)
    if simple == 0:
        return 0
    if simple.is_positive or simple.is_negative:
        return 1 if simple.is_positive else -1
    if simple.free_symbols:
        return None
    number = simple.evalf(DIGITS)
    if not number.is_Float or abs(number) < sp.Float(10) ** (-DIGITS // 2):
        return None
    return int(sp.sign(number))


def _in_order(at: At, op: str, left: n.Node, right: n.Node) -> bool:
    found = exponent(at.scalar(left))
    wanted = span(right)
    if found is None:
        return False
    return {
        "==": wanted.low <= found <= wanted.high,
        "<=": found <= wanted.high,
        ">=": found >= wanted.low,
    }.get(op, False)


def exponent(value: Any) -> int | None:
    """log10|x| rounded; None for 0 and where the rounding is not sure."""
    if isinstance(value, sp.Expr):
        if value.free_symbols:
            return None
        number = value.evalf(DIGITS)
        value = arb(str(number), f"1e-{DIGITS // 2}") if number.is_Float or number.is_Rational else None
    if value is None:
        return None
    try:
        return exponent_of(value if isinstance(value, arb) else arb(float(value)))
    except Rigorous:
        return None
