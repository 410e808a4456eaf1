"""Growth decided from sizes alone: both sides positive, no algebra, an exact answer in milliseconds.

left = O(right)  iff  the size of left is within that of right; where it is not, there are paths along
which the ratio runs away at every value of the other symbols, and any allowed point shows it.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from types import ModuleType
from typing import Any, Literal

import mpmath
import sympy as sp

from verifier.claim.model import Claim
from verifier.evidence import Counterexample, Finding, Tightness
from verifier.exact.values.recheck import admissible
from verifier.expr import nodes as n
from verifier.expr.walk import Part, walk
from verifier.prove.growth.exponential_towers import EXP, Monomial, Towers
from verifier.prove.growth.joint_growth import Ground, Path, ground, with_logarithms
from verifier.prove.growth.order_text import as_text
from verifier.prove.growth.ratio_formula import formula
from verifier.prove.growth.running_ratios import REASONS, stays_allowed
from verifier.prove.growth.tropical_sizes import Size, size_of, symbolic_power
from verifier.prove.scalars.exact_points import Point, points
from verifier.prove.scalars.invariant_points import for_people
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.scalar_relation import ENGINE

Kind = Literal["O", "Omega", "Theta"]
LADDER = (10, 100, 1000, 10_000)
FAST = (4, 8, 16, 32)
POINTS = 24
EPS = 1e-6  # what a ratio moves by at least from one rung to the next
SHOWN = 10**15  # beyond this a size is written as a power


def decide(claim: Claim, closed: n.Relation, kind: Kind, sharp: bool) -> Finding | None:
    """`sharp`: the left side is known up to constants; otherwise only an upper bound of it is.

    None where this method has no answer."""
    names = tuple(symbol.name for symbol in claim.growing)
    try:
        sides = (closed.left, closed.right)
        atoms = Towers(claim, names).atoms(sides) if len(names) > 1 else ()
        power = None if atoms else symbolic_power(claim, sides)
        known = names if power is not None or not _has_logarithms(claim, closed) else with_logarithms(names)
        known += tuple(f"{EXP}{k}" for k in range(len(atoms)))
        left, right = (size_of(claim, side, known, power, atoms) for side in sides)
    except Refused:
        return None
    if not right.above:
        return None
    try:
        place = None if power is not None else ground(claim, names, known, atoms)
        return _compared(claim, closed, kind, sharp, known, place, left, right, atoms)
    except Refused:
        return None


def _compared(
    claim: Claim,
    closed: n.Relation,
    kind: Kind,
    sharp: bool,
    known: tuple[str, ...],
    place: Ground | None,
    left: Size,
    right: Size,
    atoms: tuple[Monomial, ...],
) -> Finding | None:
    above = _within(place, left, right) or kind == "Omega"
    below = _within(place, right, left) or kind == "O"
    if not sharp:
        if kind == "O" and above:
            gap = _tightness(known, kind, left, right, place, atoms)
            loose = gap if gap is not None and not gap.tight else None  # what is at most o(f) is o(f)
            return _true(closed, "the ratio stays bounded", loose)
        return None
    if above and below:
        return _true(closed, REASONS[kind], _tightness(known, kind, left, right, place, atoms))
    if place is None or atoms:  # these are no free symbols: others have an answer for each power and path
        return None
    reason = "the ratio grows without bound" if not above else "the ratio tends to 0"
    example = _runaway(
        claim, closed, known[: place.count], place, *((left, right) if not above else (right, left))
    )
    if example is None:
        return None
    corrected = as_text(known, place.reduced(left))
    return Finding(
        ENGINE, "false", "proved", reason, lhs=closed.left, rhs=closed.right, corrected=corrected,
        counterexample=example,
    )  # fmt: skip


def _has_logarithms(claim: Claim, closed: n.Relation) -> bool:
    given: list[Part] = [a.fact for a in claim.assumptions if a.assumed_value is None]
    parts = (part for tree in (closed.left, closed.right, *given) for part in walk(tree))
    return any(isinstance(part, n.Apply) and part.function == "log" for part in parts)


def _within(place: Ground | None, low: Size, high: Size) -> bool:
    return low.is_within(high) if place is None else place.within(low, high)


def _true(closed: n.Relation, reason: str, tightness: Tightness | None) -> Finding:
    return Finding(ENGINE, "true", "proved", reason, lhs=closed.left, rhs=closed.right, tightness=tightness)


def _tightness(
    names: tuple[str, ...],
    kind: Kind,
    left: Size,
    right: Size,
    place: Ground | None,
    atoms: tuple[Monomial, ...],
) -> Tightness | None:
    """O(f) is loose where the left side is o(f), Omega(f) where f is o of the left side.

    With a symbol q in exponents, u**q grows with u wherever q is not 0, which is what is generic."""
    if kind == "Theta":
        return None
    low, high = (left, right) if kind == "O" else (right, left)
    try:
        loose = low.vanishes_against(high) if place is None else place.vanishes(low, high)
    except Refused:
        return None
    if not loose:
        return Tightness(True) if place is not None or high.is_within(low) else None
    better = as_text(names, left if place is None else place.reduced(left), atoms)
    return Tightness(False, better=None if better is None else f"{kind}({better})", proved=True)


# --- what to report -------------------------------------------------------------------------------------


def _runaway(
    claim: Claim, closed: n.Relation, names: tuple[str, ...], place: Ground, high: Size, low: Size
) -> Counterexample | None:
    """Along a path on which `high` outgrows `low` and that keeps what is assumed of the sizes."""
    for path in _paths(place, high, low):
        example = _along(claim, closed, names, path)
        if example is not None:
            return example
    return None


def _paths(place: Ground, high: Size, low: Size) -> Iterator[Path]:
    width = {len(monomial) for monomial in high.above | low.above}
    found = high.escape(low) if width == {place.count} else None
    if found is not None:
        yield Path(found, (False,) * place.count)
    yield from place.runaways(high, low)


def _along(claim: Claim, closed: n.Relation, names: tuple[str, ...], path: Path) -> Counterexample | None:
    """The sizes along which the ratio runs away, and the ratios there."""
    steps = FAST if path.has_fast else LADDER
    for point in points(claim, (closed,), POINTS):
        start = dict(zip(names, path.at(steps[0]), strict=True))
        if all(admissible(claim, at).outcome != "true" for at in (point, {**point, **start})):
            continue
        columns: dict[str, list[int | str]] = {name: [] for name in names}
        ratios: list[float] = []
        for step in steps:
            sizes = dict(zip(names, path.at(step), strict=True))
            if not stays_allowed(claim, {**point, **sizes}, names):
                break
            try:
                ratio = number_at(claim, closed.left, {**point, **sizes}) / number_at(
                    claim, closed.right, {**point, **sizes}
                )
            except (Refused, ZeroDivisionError):
                break
            for name, value in sizes.items():
                columns[name].append(value if value < SHOWN else f"about 2**{value.bit_length() - 1}")
            ratios.append(float(ratio))
        if len(ratios) == len(steps) and _is_moving(ratios):
            shown = {name: for_people(value) for name, value in point.items() if name not in columns}
            lines = _formula(claim, closed, point, names)
            return Counterexample({**shown, **columns}, None, None, arithmetic=lines, ratios=tuple(ratios))
    return None


def _formula(claim: Claim, closed: n.Relation, point: Point, names: tuple[str, ...]) -> tuple[str, ...]:
    at = {**point, **{name: sp.Symbol(name, positive=True) for name in names}}
    try:
        left, right = (number_at(claim, side, at, sp) for side in (closed.left, closed.right))
        return formula(left / right)
    except (Refused, ArithmeticError, TypeError, ValueError):
        return ()


def _is_moving(ratios: list[float]) -> bool:
    """All the way up or down: what is positive in general may be 0 at a point, and show nothing there."""
    changes = [b / a - 1 for a, b in pairwise(map(abs, ratios)) if a]
    return all(change > EPS for change in changes) or all(change < -EPS for change in changes)


def number_at(
    claim: Claim, node: n.Node, at: Point | Mapping[str, object], numbers: ModuleType = mpmath
) -> Any:
    """A closed scalar tree as a number of mpmath's, or as an expression of SymPy's where sizes are symbols;
    for display, never for a decision."""

    def value(part: n.Node) -> Any:
        return number_at(claim, part, at, numbers)

    match node:
        case n.Number(number):
            return _rational(number, numbers)
        case n.Pi():
            return +numbers.pi
        case n.Symbol(name):
            for assumption in claim.assumptions:
                found = assumption.substitution
                if found is not None and found[0].name == name:
                    return value(found[1])
            known = at.get(name)
            if isinstance(known, sp.Symbol):
                return known
            if not isinstance(known, int | Fraction):
                raise Refused(f"no value of {name}")
            return _rational(known, numbers)
        case n.Let(_, arg) | n.Transpose(arg) | n.Trace(arg) if arg.shape.is_scalar:
            return value(arg)
        case n.Add(left, right):
            return value(left) + value(right)
        case n.Subtract(left, right):
            return value(left) - value(right)
        case n.Multiply(left, right) | n.MatMul(left, right):
            return value(left) * value(right)
        case n.Divide(left, right):
            return value(left) / value(right)
        case n.Power(base, exponent):
            return value(base) ** value(exponent)
        case n.Apply("sqrt", (arg,)):
            return numbers.sqrt(value(arg))
        case n.Apply("abs", (arg,)) | n.Norm(arg) if arg.shape.is_scalar:
            return abs(value(arg))
        case n.Apply("exp", (arg,)):
            return numbers.exp(value(arg))
        case n.Apply("log", (arg,)):
            return numbers.log(value(arg))
        case n.Apply("max" | "min" as function, (left, right)) if numbers is mpmath:
            return (max if function == "max" else min)(value(left), value(right))
    raise Refused("a number for this expression")


def _rational(number: int | Fraction, numbers: ModuleType) -> Any:
    if numbers is sp:
        return sp.Rational(number.numerator, number.denominator)
    return mpmath.mpf(number.numerator) / number.denominator
