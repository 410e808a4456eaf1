"""Growth without `as`: one constant for all values of one real symbol.

Bounded: |left| <= C |right| for some C of a short list, certified by interval arithmetic over the
whole line. Not bounded: the ratio tends to infinity (or, for a lower bound, to 0) at an end of it.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Literal

import sympy as sp

from verifier.claim.model import Step
from verifier.evidence import Budget, Counterexample, Finding, Tightness
from verifier.expr import nodes as n
from verifier.expr.text import to_text
from verifier.rigorous import engine as rigorous
from verifier.symbolic.scalar.concrete import allowed
from verifier.symbolic.scalar.formula import formula
from verifier.symbolic.scalar.limits import symbolic_limit
from verifier.symbolic.scalar.reading import Reading
from verifier.symbolic.scalar.refuse import Refused
from verifier.symbolic.scalar.values import evaluate

CONSTANTS = (Fraction(10), Fraction(10**3), Fraction(10**6))
STEPS = (1, 2, 5, 10, 20)
POINTS = 12


def decide(reading: Reading, kind: Literal["O", "Omega", "Theta"]) -> Finding:
    """Uniform growth in one symbol that ranges over a half-line or the whole line."""
    free = reading.left.free_symbols | reading.right.free_symbols
    if len(free) != 1 or reading.translator.atoms or 0 in (reading.left, reading.right):
        raise Refused("growth over all values of several symbols at once")
    (variable,) = free
    wanted = {"O": ("above",), "Omega": ("below",), "Theta": ("above", "below")}[kind]
    for side in wanted:
        broken = _at_a_zero(reading, variable, side) or _escape(reading, variable, side)
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


def _at_a_zero(reading: Reading, variable: sp.Symbol, side: str) -> Finding | None:
    """A value at which one side is 0 and the other is not: no constant serves there."""
    over, under = (reading.left, reading.right) if side == "above" else (reading.right, reading.left)
    for at in allowed(reading, (), POINTS):
        values = {s: v for s, v in at.values.items() if s == variable}
        high, low = over.subs(values), under.subs(values)
        if low.is_zero and high.is_nonzero:
            shown = {variable.name: str(values[variable])}
            reason = f"one side is 0 at {variable.name} = {values[variable]}, and the other is not"
            example = Counterexample(shown, None, None)
            return reading.finding("false", "proved", reason=reason, counterexample=example)
    return None


def _escape(reading: Reading, variable: sp.Symbol, side: str) -> Finding | None:
    """An end of the line at which the ratio leaves every bound, by limit and by numbers."""
    ratio = sp.Abs(reading.left / reading.right)
    span = reading.translator.spans[variable.name]
    large = sp.Dummy("y", positive=True)
    ends = [direction * large for direction, end in ((1, span.high), (-1, span.low)) if end is None]
    ends += [1 / large] if span.low == 0 else []
    bad = sp.oo if side == "above" else sp.Integer(0)
    for end in ends:
        try:
            limit = symbolic_limit((reading.left / reading.right).subs(variable, end), large, sp.oo)
        except (Refused, ValueError):
            continue
        value = sp.oo if limit in (sp.oo, -sp.oo) else limit
        if value == bad and _tends(ratio.subs(variable, end), large, side):
            places = [end.subs(large, step) for step in STEPS]
            return _fails(reading, variable, ratio, places, side)
    return None


def _tends(ratio: sp.Expr, large: sp.Symbol, side: str) -> bool:
    """Numbers agree: four times further out, at least three times further gone."""
    near, far = (evaluate(ratio, {large: sp.Integer(place)}) for place in (10, 40))
    if near is None or far is None:
        return False
    return bool(far > 3 * near if side == "above" else far < near / 3)


def _fails(
    reading: Reading, variable: sp.Symbol, ratio: sp.Expr, places: list[sp.Expr], side: str
) -> Finding:
    numbers = [evaluate(ratio, {variable: place}) for place in places]
    values = [int(place) if place.is_Integer else str(place) for place in places]
    shown = {variable.name: values, "ratio": [None if v is None else float(v) for v in numbers]}
    reason = "the ratio grows without bound" if side == "above" else "the ratio tends to 0"
    return reading.finding(
        "false",
        "proved",
        reason=f"{reason} along {variable.name}",
        counterexample=Counterexample(shown, None, None, arithmetic=formula(ratio)),
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
