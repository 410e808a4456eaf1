"""Several symbols that grow at once: an order is wrong if it is wrong along one path.

On a path u = t**k or u = 2**(t**k) both sides are functions of t alone, and their leading terms decide.
"""

from collections.abc import Mapping

import sympy as sp

from verifier.evidence import Counterexample, Finding
from verifier.prove.growth.dominance import explicit, leads
from verifier.prove.growth.joint_growth import Path, paths
from verifier.prove.growth.ratio_formula import formula
from verifier.prove.growth.running_ratios import LADDER, Kind, stays_allowed
from verifier.prove.limits.limit_values import tends
from verifier.prove.scalars.invariant_points import Concrete, allowed
from verifier.prove.scalars.many_digits import STEPS, evaluate
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.scalar_relation import Reading

POINTS = 2


def refuted(reading: Reading, kind: Kind) -> Finding | None:
    """A path along which the order is wrong, at an allowed value of the other symbols."""
    growing = tuple(reading.translator.free(symbol.name) for symbol in reading.claim.growing)
    step = sp.Symbol("t", integer=True, positive=True)
    for at in allowed(reading, growing, POINTS):
        sides = at.of(reading.left), at.of(reading.right)
        for path in paths(len(growing)):
            reading.clock.check()
            along = {s: _value(path, k, step) for k, s in enumerate(growing)}
            left, right = (explicit(side.subs(along))[0] for side in sides)
            try:
                with reading.clock.guard(0.3):
                    found = leads(left, right, step, {}, kind=kind)
                    wanted = {1: sp.oo, 0: found.ratio, -1: sp.Integer(0)}[found.order]
                    is_clear = found.breaks(kind) and not found.conditions
                    is_clear = is_clear and tends(left / right, step, wanted, {})
            except Refused:
                continue
            example = _shown(reading, at, path, along, left / right, step) if is_clear else None
            if example is not None:
                return reading.finding("false", "proved", reason=found.words, counterexample=example)
    return None


def _value(path: Path, place: int, step: sp.Symbol) -> sp.Expr:
    grown = step ** path.speeds[place]
    return sp.Integer(2) ** grown if path.fast[place] else grown


def _shown(
    reading: Reading,
    at: Concrete,
    path: Path,
    along: Mapping[sp.Symbol, sp.Expr],
    ratio: sp.Expr,
    step: sp.Symbol,
) -> Counterexample | None:
    """The sizes and ratios on the path; None where an assumption forbids it."""
    names = [symbol.name for symbol in along]
    columns: dict[str, list[object]] = {name: [] for name in names}
    ratios: list[float] = []
    for size in STEPS if path.has_fast else LADDER:
        sizes = dict(zip(names, path.at(size), strict=True))
        if not stays_allowed(reading.claim, {**at.point, **sizes}, names):
            return None
        number = evaluate(ratio, {step: sp.Integer(size)})
        if number is None:
            continue
        ratios.append(float(number))
        for symbol, value in along.items():
            whole = sizes[symbol.name]
            columns[symbol.name].append(whole if whole < 10**15 else str(value).replace("t", str(size)))
    values = {**at.shown(frozenset(names)), **columns}
    return Counterexample(values, None, None, arithmetic=formula(ratio, along), ratios=tuple(ratios))
