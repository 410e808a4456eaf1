"""Growth without `as`: one constant for all values of the real symbols.

Bounded: |left| <= C |right| for some C of a short list, certified by interval arithmetic over the
whole line. Not bounded: the ratio tends to infinity (or, for a lower bound, to 0) as one symbol goes to an
end of its line or to 0, the others at a point, all the way where the assumptions hold.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Literal

import sympy as sp

from verifier.claim.model import Step
from verifier.evidence import Budget, Counterexample, Finding, Tightness
from verifier.expr import nodes as n
from verifier.expr.text import to_text
from verifier.expr.walk import walk
from verifier.prove.growth.ratio_formula import formula
from verifier.prove.limits.limit_values import symbolic_limit
from verifier.prove.ranges import engine as rigorous
from verifier.prove.scalars.invariant_points import allowed
from verifier.prove.scalars.many_digits import evaluate
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.scalar_relation import Reading
from verifier.prove.scalars.symbol_ranges import Span

CONSTANTS = (Fraction(10), Fraction(10**3), Fraction(10**6))
STEPS = (1, 2, 5, 10, 20)
NEAR, FAR = 10, (40, 10**4)
POINTS, LINES = 12, 2


def decide(reading: Reading, kind: Literal["O", "Omega", "Theta"]) -> Finding:
    """Uniform growth in symbols that range over half-lines or whole lines."""
    free = reading.left.free_symbols | reading.right.free_symbols
    if not free or reading.translator.atoms or 0 in (reading.left, reading.right):
        raise Refused("growth over all values of invariants at once")
    wanted = {"O": ("above",), "Omega": ("below",), "Theta": ("above", "below")}[kind]
    for side in wanted:
        broken = _at_a_zero(reading, side, kind == "Omega") or _escape(reading, side)
        if broken is not None:
            return broken
    if all(_certified(reading, side, kind == "Omega") for side in wanted):
        reason = "one constant serves the whole line, by interval arithmetic"
        # At any fixed point the ratio is a number: no smaller order serves unless the left side is 0.
        tightness = None if kind == "Theta" else Tightness(True)
        return reading.finding("true", "certified", reason=reason, tightness=tightness)
    return reading.finding(
        "unknown", missing="a constant that serves all values", reason="none of a few does"
    )


def _at_a_zero(reading: Reading, side: str, signed: bool) -> Finding | None:
    """A value at which one side is 0 and the other is not: no constant serves there. A lower bound of what
    is negative is none either."""
    over, under = (reading.left, reading.right) if side == "above" else (reading.right, reading.left)
    for at in allowed(reading, (), POINTS):
        high, low = at.of(over), at.of(under)
        words = ", ".join(f"{symbol.name} = {value}" for symbol, value in at.values.items())
        if low.is_zero and high.is_nonzero:
            reason = f"one side is 0 at {words}, and the other is not"
        elif signed and low.is_negative and high.is_positive:
            reason = f"the left side is negative at {words}"
        else:
            continue
        example = Counterexample({symbol.name: str(value) for symbol, value in at.values.items()}, None, None)
        return reading.finding("false", "proved", reason=reason, counterexample=example)
    return None


def _escape(reading: Reading, side: str) -> Finding | None:
    """A line along which the ratio leaves every bound, by limit and by numbers."""
    bad = sp.oo if side == "above" else sp.Integer(0)
    large = sp.Dummy("y", positive=True)
    for at in islice(allowed(reading, (), POINTS), LINES):
        for variable in sorted(at.values, key=str):
            others = {s: v for s, v in at.values.items() if s != variable}
            ratio = (reading.left / reading.right).subs(others)
            if variable not in ratio.free_symbols:
                continue
            for end in _ends(reading.translator.spans[variable.name], large):
                try:
                    limit = symbolic_limit(ratio.subs(variable, end), large, sp.oo)
                except (Refused, ValueError):
                    continue
                value = sp.oo if limit in (sp.oo, -sp.oo) else limit
                size = sp.Abs(ratio).subs(variable, end)
                if value == bad and _tends(size, large, side) and _stays(reading, {**others, variable: end}):
                    places = [end.subs(large, step) for step in STEPS]
                    return _fails(reading, variable, others, sp.Abs(ratio), places, side)
    return None


def _ends(span: Span, large: sp.Symbol) -> list[sp.Expr]:
    """Where a symbol may go as `large` tends to infinity: without end, to an end of its line, to 0."""
    ends = [direction * large for direction, end in ((1, span.high), (-1, span.low)) if end is None]
    if span.integer:
        return ends
    ends += [_number(span.low) + 1 / large] if span.low is not None else []
    ends += [_number(span.high) - 1 / large] if span.high is not None else []
    if (span.low is None or span.low < 0) and (span.high is None or span.high > 0):
        ends += [1 / large, -1 / large]
    return ends


def _number(value: Fraction) -> sp.Rational:
    return sp.Rational(value.numerator, value.denominator)


def _stays(reading: Reading, path: Mapping[sp.Symbol, sp.Expr]) -> bool:
    """Whether every assumption holds along the path, from some place on."""
    large = next(iter(set().union(*(value.free_symbols for value in path.values()))))
    for fact in reading.claim.constraints:
        names = {part.name for part in walk(fact) if isinstance(part, n.Symbol)}
        if not names & {symbol.name for symbol in path}:
            continue
        for gap in _gaps(reading, fact):
            along = gap.subs(path)
            if along.free_symbols - {large}:
                return False
            with suppress(Refused, ValueError):
                if along.is_positive or symbolic_limit(along, large, sp.oo).is_extended_positive:
                    continue
            return False
    return True


def _gaps(reading: Reading, fact: n.Fact) -> list[sp.Expr]:
    """What is positive only where the fact holds."""
    read = reading.translator.read
    match fact:
        case n.Relation("<=" | "<", left, right) | n.Relation(">=" | ">", right, left):
            return [read(right) - read(left)]
        case n.Relation("!=", left, right):
            return [(read(right) - read(left)) ** 2]
        case n.Within(arg, low, high):
            return [read(arg) - read(low), read(high) - read(arg)]
    raise Refused("an assumption that is no inequality")


def _tends(ratio: sp.Expr, large: sp.Symbol, side: str) -> bool:
    """Numbers agree: further out, at least three times further gone."""
    near = evaluate(ratio, {large: sp.Integer(NEAR)})
    if not near:
        return False
    numbers = (evaluate(ratio, {large: sp.Integer(place)}) for place in FAR)  # the last one takes long
    known = (far for far in numbers if far is not None)
    return any(far > 3 * near if side == "above" else 3 * far < near for far in known)


def _fails(
    reading: Reading,
    variable: sp.Symbol,
    others: Mapping[sp.Symbol, sp.Expr],
    ratio: sp.Expr,
    places: list[sp.Expr],
    side: str,
) -> Finding:
    numbers = [evaluate(ratio, {variable: place}) for place in places]
    values = [int(place) if place.is_Integer else str(place) for place in places]
    held = {symbol.name: str(value) for symbol, value in others.items()}
    shown = {**held, variable.name: values}
    ratios = tuple(None if v is None else float(v) for v in numbers)
    reason = "the ratio grows without bound" if side == "above" else "the ratio tends to 0"
    return reading.finding(
        "false",
        "proved",
        reason=f"{reason} along {variable.name}",
        counterexample=Counterexample(shown, None, None, arithmetic=formula(ratio), ratios=ratios),
    )


def _certified(reading: Reading, side: str, signed: bool) -> bool:
    """A lower bound is one of the left side itself, which must not be negative; others are of its size."""
    right: n.Node = n.Apply("abs", (reading.fact.right,))
    left: n.Node = reading.fact.left if signed else n.Apply("abs", (reading.fact.left,))
    for constant in CONSTANTS:
        scaled = n.Multiply(n.Number(constant), right if side == "above" else left)
        fact = n.Relation("<=", left if side == "above" else right, scaled)
        step = Step(fact, to_text(fact), reading.claim.position)
        budget = Budget(max(0.2 * reading.clock.left, 0.1))
        if rigorous.examine(replace(reading.claim, growing=()), step, budget).truth == "true":
            return True
    return False
