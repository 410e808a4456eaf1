"""Inequalities between closed forms: proved where the difference is manifestly signed."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from verifier.claim.model import Claim
from verifier.evidence import Tightness
from verifier.expr import nodes as N
from verifier.expr.symbols import Dimension
from verifier.expr.text import to_text
from verifier.rigorous.recheck import admissible
from verifier.symbolic.clock import Clock
from verifier.symbolic.constraints import positive_components, scalar_bounds
from verifier.symbolic.decide import Sides
from verifier.symbolic.evaluation import Evaluation
from verifier.symbolic.lower import Lowering
from verifier.symbolic.network import Sum
from verifier.symbolic.points import points
from verifier.symbolic.positive import Signs
from verifier.symbolic.refusal import OutOfTime, Refusal
from verifier.symbolic.refute import as_shown
from verifier.symbolic.rules import settled
from verifier.symbolic.trees import factors, number, product
from verifier.symbolic.workspace import Workspace

_TIGHT = Fraction(1, 100)


def proves(lowering: Lowering, op: str, found: Sides) -> bool:
    """left op right for all values of the symbols."""
    signs = Signs(found.space, scalar_bounds(lowering), positive_components(lowering))
    small, large = _ordered(op, found)
    strict = op in ("<", ">")
    if signs.proves(large - small, strict):
        return True
    if not _has_root(found.space, small) and not _has_root(found.space, large):
        return False
    # 0 <= b and a**2 <= b**2 give a <= b.
    if not signs.proves(large):
        return False
    try:
        squares = settled(found.space, large * large) - settled(found.space, small * small)
    except OutOfTime:
        return False
    return signs.proves(squares, strict)


def _ordered(op: str, found: Sides) -> tuple[Sum, Sum]:
    left, right = found.left.value, found.right.value
    return (left, right) if op in ("<=", "<") else (right, left)


def _has_root(space: Workspace, value: Sum) -> bool:
    roots = any(space.opaque[x].function == "root" for x in value.tensors() if x in space.opaque)
    names = space.ring.names
    used = {names[k] for c in value.terms.values() for e in c.to_dict() for k, p in enumerate(e) if p}
    return roots or any((space.definition(x) or ("", None))[0] == "root" for x in used)


def tightness(
    lowering: Lowering, fact: N.Relation, found: Sides, clock: Clock, seed: int
) -> Tightness | None:
    """How close a proved bound comes: a point shows it near, a proof of a better constant shows it far."""
    if fact.op not in ("<=", ">=") or not found.left.is_scalar:
        return None
    claim = lowering.space.claim
    best: tuple[Fraction, dict[str, Any]] | None = None
    for point in points(claim, fact, found.space.dims, seed + 1):
        if clock.left < 0.4 * clock.seconds:
            break
        gap = _gap(claim, fact.op, found, point)
        if gap is not None and (best is None or gap < best[0]) and _is_allowed(claim, point):
            best = (gap, point)
            if gap <= _TIGHT / 10:
                break
    if best is None:
        return None
    gap, point = best
    shown = {name: as_shown(value) for name, value in point.items()}
    if gap <= _TIGHT:
        return Tightness(True, Fraction(0), gap, where=shown)
    factor = 1 - gap if fact.op == "<=" else 1 + gap
    if found.right.value and factor.denominator < 1000:
        scaled = replace(found.right, value=found.right.value * factor)
        if proves(lowering, fact.op, Sides(found.space, found.left, scaled)):
            better = to_text(product([number(factor), *factors(fact.right)]))
            return Tightness(False, gap, gap, better=better, where=shown)
    return None


def _gap(claim: Claim, op: str, found: Sides, point: dict[str, Any]) -> Fraction | None:
    """(rhs - lhs)/|rhs| at a point with every free dimension at least 2, mirrored for >="""
    for name, declared in claim.symbols.items():
        free = isinstance(declared.kind, Dimension) and name not in found.space.dims and name in point
        if free and point[name] < 2:
            return None
    evaluation = Evaluation(found.space, point)
    try:
        a = evaluation.value(found.left.value, {})
        b = evaluation.value(found.right.value, {})
    except (Refusal, KeyError, OverflowError):
        return None
    if b == 0 or not evaluation.exact:
        return None
    return ((b - a) if op == "<=" else (a - b)) / abs(b)


def _is_allowed(claim: Claim, point: dict[str, Any]) -> bool:
    return admissible(claim, point).outcome == "true"
