"""Orders of magnitude over fixed matrices: refuted at a point of blocks, proved by norm inequalities."""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial

import sympy as sp
from flint import ctx

from verifier.claim.model import Claim
from verifier.evidence import Counterexample, Finding, Tightness
from verifier.exact.numbers.refusals import Refusal as Rigorous
from verifier.expr import nodes as n
from verifier.expr.text import to_text
from verifier.expr.walk import symbols_in
from verifier.prove.blocks.assumptions_at_blocks import exponent, holds
from verifier.prove.blocks.block_numbers import BALLS, EXPRESSIONS
from verifier.prove.blocks.block_points import NUMERIC, Goal, Point, Search, free_sizes
from verifier.prove.blocks.evaluate import At
from verifier.prove.blocks.simpler_blocks import simpler
from verifier.prove.blocks.worked_blocks import worked as on_paper
from verifier.prove.bounds.entry_assumptions import bounds as entry_bounds
from verifier.prove.bounds.norm_inequalities import Ceilings
from verifier.prove.forms.refusal import Refusal
from verifier.prove.ranges.orders_of_magnitude import Span, span, speaks_of_orders
from verifier.prove.scalars.scalar_refusal import Clock
from verifier.prove.scalars.scalar_relation import ENGINE
from verifier.timer import past, worked

PLANS = (3, 200, 2, 5)
BITS = 200
LAST, MOST_KEPT = 0.3, 0.5  # seconds that are kept for the exact check, and a share at most
SIMPLER = 0.3  # seconds in which a point may become simpler


def decide(claim: Claim, fact: n.Relation, clock: Clock) -> Finding | None:
    """Proved, refuted, or None; for ==, <= and >= with an order on the right of matrices."""
    if fact.op not in ("==", "<=", ">=") or speaks_of_orders(fact.left) or not fact.left.shape.is_scalar:
        return None
    try:
        if isinstance(fact.left, n.Extreme):
            return prove(claim, fact) or of_a_supremum(claim, fact, fact.left, clock)
        return prove(claim, fact) or refute(claim, fact, clock)
    except Rigorous:
        return None


def of_a_supremum(claim: Claim, fact: n.Relation, left: n.Extreme, clock: Clock) -> Finding | None:
    """One number, where all sizes are given: at least its body at a point, at most what norms bound it by."""
    parts, wanted = (left.body,), span(fact.right)
    names = symbols_in(left.body)
    over = {symbol.name for symbol in left.over}
    if left.kind != "sup" or free_sizes(claim, parts) or not names - claim.where.keys() <= over:
        return None
    (sizes,) = plans(claim, parts)
    late = partial(_is_late, clock, clock.spent + _searching(clock) / 2)
    point = Search(claim, parts, sizes, _upwards(left.body), math.inf, late).run()
    if point is None or not allowed(claim, point) or not point.at(BALLS).scalar(left.body) > 0:
        return None
    least, most = _exponent(point, left.body), _bounds(claim, left.body)[1]
    if least is None or most is None:
        return None
    found = Span(least, most)
    if least > wanted.high and fact.op != ">=":
        return replace(_fails(fact, point, found, wanted), corrected=found.text)
    if most < wanted.low and fact.op != "<=":
        return replace(_fails(fact, point, found, wanted), corrected=found.text)
    if fact.op == "<=" or least < wanted.low or (fact.op == "==" and most > wanted.high):
        return None
    reason = f"the left side is {found.text}: at least what it is at a point, at most what norms bound it by"
    made = Finding(ENGINE, "true", "certified", reason, lhs=found.text, rhs=wanted.text)
    return replace(made, tightness=_tightness(fact.op, wanted, least, most) if least == most else None)


def _upwards(body: n.Node) -> Goal:
    def goal(at: At) -> float | None:
        return float(at.scalar(body))

    return goal


def refute(claim: Claim, fact: n.Relation, clock: Clock) -> Finding | None:
    """A point that the assumptions allow and at which the left side has another size."""
    wanted = span(fact.right)
    signs = {"<=": (1,), ">=": (-1,), "==": (-1, 1)}[fact.op]
    tasks = [(sizes, sign) for sizes in plans(claim, (fact.left,)) for sign in signs]
    for k, (sizes, sign) in enumerate(tasks):
        until = clock.spent + _searching(clock) / (len(tasks) - k)
        goal, enough = _towards(fact.left, sign), (wanted.high if sign > 0 else -wanted.low) + 0.51
        late = partial(_is_late, clock, until)
        search = Search(claim, (fact.left,), sizes, goal, enough, late)
        point = search.run()
        if point is None or not _is_broken(claim, fact, point, wanted):
            continue
        plain = simpler(replace(search, out_of_time=_for_a_while()), point, free_sizes(claim, (fact.left,)))
        point = plain if _is_broken(claim, fact, plain, wanted) else point
        found = _exponent(point, fact.left)
        assert found is not None
        return _with_what_is_true(claim, fact, found, _fails(fact, point, Span(found, found), wanted))
    return None


def _for_a_while() -> Callable[[], bool]:
    until = worked() + SIMPLER
    return lambda: past(until)


def _is_broken(claim: Claim, fact: n.Relation, point: Point, wanted: Span) -> bool:
    found = _exponent(point, fact.left)
    return found is not None and _breaks(fact.op, found, wanted) and allowed(claim, point)


def _with_what_is_true(claim: Claim, fact: n.Relation, attained: int, made: Finding) -> Finding:
    """The order that the left side has by inequalities between norms: a correction where a point has that
    order, so that nothing smaller will do, else a weaker statement."""
    low, high = _bounds(claim, fact.left)
    if fact.op == "==" and low is not None and high is not None:
        return replace(made, corrected=Span(low, high).text)
    if attained == {"<=": high, ">=": low}.get(fact.op):
        return replace(made, corrected=Span(attained, attained).text)
    ends: list[tuple[n.Comparison, int | None]] = [("<=", high), (">=", low)]
    known = [(op, end) for op, end in ends if end is not None and fact.op in (op, "==")]
    if not known:
        return made
    ((op, end), *_) = known
    return replace(made, instead=to_text(n.Relation(op, fact.left, n.Order(end, end))))


def _searching(clock: Clock) -> float:
    return clock.left - min(LAST, MOST_KEPT * clock.left)


def _is_late(clock: Clock, until: float) -> bool:
    return clock.spent > until


def prove(claim: Claim, fact: n.Relation) -> Finding | None:
    """The left side between bounds whose orders are inside."""
    wanted = span(fact.right)
    low, high = _bounds(claim, fact.left)
    if fact.op in ("==", "<=") and (high is None or high > wanted.high):
        return None
    if fact.op in ("==", ">=") and (low is None or low < wanted.low):
        return None
    ends = [(word, end) for word, end in (("at most", high), ("at least", low)) if end is not None]
    said = " and ".join(f"{word} {Span(end, end).text}" for word, end in ends)
    reason = f"the left side is {said}, by inequalities between norms"
    made = Finding(ENGINE, "true", "certified", reason, rhs=wanted.text)
    return replace(made, tightness=_tightness(fact.op, wanted, low, high))


def _tightness(op: n.Comparison, wanted: Span, low: int | None, high: int | None) -> Tightness | None:
    """What is at most order(1e1) need not be bounded by order(1e2)."""
    end = {"<=": high, ">=": low}.get(op)
    powers = 0 if end is None else wanted.high - end if op == "<=" else end - wanted.low
    if end is None or powers <= 0:
        return None
    gap = 1 - Fraction(1, 10**powers) if op == "<=" else Fraction(10**powers - 1)
    return Tightness(False, gap, better=Span(end, end).text, proved=True)


def _bounds(claim: Claim, left: n.Node) -> tuple[int | None, int | None]:
    """The exponents of a lower and an upper bound."""
    low: sp.Expr | None = None
    high: sp.Expr | None = None
    with suppress(Refusal):
        found = entry_bounds(claim, left)
        low, high = found.low, found.high
    if high is None:
        with suppress(Refusal):
            high = Ceilings(claim).scalar(left)
    return tuple(None if end is None else exponent(end) for end in (low, high))  # type: ignore[return-value]


def plans(claim: Claim, parts: tuple[n.Node | n.Fact, ...]) -> Iterator[Mapping[str, int]]:
    """Sizes to look at: the fixed ones as they are, the free ones small and large."""
    fixed = {name: int(value) for name, value in claim.where.items() if value.denominator == 1}
    sizes = free_sizes(claim, parts)
    free = [name for name in claim.symbols if name in sizes]
    for size in PLANS if free else PLANS[:1]:
        yield {**fixed, **dict.fromkeys(free, size)}


def _towards(left: n.Node, sign: int) -> Goal:
    def goal(at: At) -> float | None:
        value = abs(float(at.scalar(left)))
        return sign * math.log10(value) if 0 < value < math.inf else None

    return goal


def _exponent(point: Point, left: n.Node) -> int | None:
    """The order of the left side at the point, by ball arithmetic."""
    before = ctx.prec
    ctx.prec = BITS
    try:
        return exponent(point.at(BALLS).scalar(left))
    except (Refusal, *NUMERIC):
        return None
    finally:
        ctx.prec = before


def allowed(claim: Claim, point: Point) -> bool:
    """Every assumption at the point, without rounding."""
    if not point.has_meaning:
        return False
    try:
        at = point.at(EXPRESSIONS)
        return all(holds(at, fact) for fact in claim.constraints)
    except (Refusal, *NUMERIC):
        return False


def _breaks(op: str, found: int, wanted: Span) -> bool:
    low, high = found < wanted.low, found > wanted.high
    return {"<=": high, ">=": low, "==": low or high}[op]


def _fails(fact: n.Relation, point: Point, left: Span, right: Span) -> Finding:
    reason = f"at an allowed point the left side is {left.text}, the right side {right.text}"
    body = fact.left.body if isinstance(fact.left, n.Extreme) else fact.left
    lines = (*on_paper(point, body), reason)
    example = Counterexample(
        {**point.shown(), "lhs": left.text, "rhs": right.text}, None, None, left.text, right.text, lines
    )
    return Finding(ENGINE, "false", "certified", reason, rhs=right.text, counterexample=example)
