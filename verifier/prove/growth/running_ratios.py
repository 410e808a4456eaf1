"""What a wrong order shows: the sizes along which the ratio of the sides runs away, and the ratios."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Literal

import sympy as sp

from verifier.claim.model import Claim
from verifier.evidence import Counterexample, Finding
from verifier.exact.values.recheck import admissible
from verifier.expr import nodes as n
from verifier.expr.walk import walk
from verifier.prove.growth.bounded_ratios import plain
from verifier.prove.growth.ratio_formula import formula
from verifier.prove.scalars.invariant_points import Concrete
from verifier.prove.scalars.many_digits import COUNTS, STEPS, added_up, evaluate
from verifier.prove.scalars.scalar_relation import Reading

Kind = Literal["O", "Omega", "Theta"]
# Why a claim of each kind is true.
REASONS: dict[Kind, str] = {
    "O": "the ratio stays bounded",
    "Omega": "the ratio stays away from 0",
    "Theta": "the ratio stays bounded, and away from 0",
}
LADDER = (10, 100, 1000, 10_000)
EPS = 1e-6  # what a ratio moves by at least


def stays_allowed(claim: Claim, point: Mapping[str, object], growing: Iterable[str]) -> bool:
    """Whether what is assumed of the growing symbols holds at these sizes too."""
    names = set(growing)
    for fact in claim.constraints:
        if not any(isinstance(part, n.Symbol) and part.name in names for part in walk(fact)):
            continue
        alone = [a for a in claim.assumptions if a.constraint is None or a.constraint == fact]
        if admissible(replace(claim, assumptions=tuple(alone)), point).outcome != "true":
            return False
    return True


def runs_away(
    reading: Reading, growing: tuple[sp.Symbol, ...], speeds: tuple[int, ...], at: Concrete, up: bool
) -> bool:
    """Whether the ratio of the sides leaves every bound at this point: a leading coefficient that is not 0 in
    general may be 0 here. Exact for quotients of polynomials; of others it is seen whether they move."""
    step = sp.Dummy("t", positive=True)
    path = {s: step**speed for s, speed in zip(growing, speeds, strict=True)}
    ratio = sp.cancel(sp.together(plain(at.of(reading.left / reading.right)).subs(path)))
    if ratio.is_rational_function(step):
        above, below = (sp.Poly(part, step).degree() for part in sp.fraction(ratio))
        return bool(above > below if up else above < below)
    found = [evaluate(added_up(ratio, {step: sp.Integer(t)}), {step: sp.Integer(t)}) for t in _steps(ratio)]
    numbers = [abs(number) for number in found if number is not None]
    return len(numbers) < 2 or max(numbers) > (1 + EPS) * min(numbers)


def _steps(ratio: sp.Expr) -> tuple[int, ...]:
    """Sizes at which numbers are within reach."""
    if ratio.has(sp.Sum):
        return COUNTS
    return STEPS if ratio.has(sp.erf) else LADDER


def runaway(
    reading: Reading,
    growing: tuple[sp.Symbol, ...],
    speeds: tuple[int, ...],
    at: Concrete,
    reason: str,
    corrected: str | None,
) -> Finding:
    """The order is wrong at this point: the growing symbols run at these speeds."""
    columns: dict[str, list[int]] = {s.name: [] for s in growing}
    ratios: list[float] = []
    ratio = plain(at.of(reading.left / reading.right))
    for size in _steps(ratio):
        sizes = {s: size**speed for s, speed in zip(growing, speeds, strict=True)}
        there = {**at.point, **{s.name: value for s, value in sizes.items()}}
        if not stays_allowed(reading.claim, there, columns):
            missing = "sizes that the assumptions allow"
            return reading.finding("unknown", missing=missing, reason=f"{reason}, at other sizes")
        values = {s: sp.Integer(value) for s, value in sizes.items()}
        number = evaluate(added_up(ratio, values), values)
        if number is None:
            continue
        for s, value in sizes.items():
            columns[s.name].append(value)
        ratios.append(float(number))
    values = {**at.shown(frozenset(columns)), **columns}
    example = Counterexample(values, None, None, arithmetic=formula(ratio), ratios=tuple(ratios))
    return reading.finding("false", "proved", reason=reason, counterexample=example, corrected=corrected)
