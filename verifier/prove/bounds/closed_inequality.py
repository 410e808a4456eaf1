"""Inequalities between closed forms: proved where the difference is manifestly signed."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from verifier.claim.model import Claim
from verifier.evidence import Tightness
from verifier.exact.values.recheck import admissible
from verifier.expr import nodes as N
from verifier.expr.symbols import Dimension
from verifier.expr.text import to_text
from verifier.prove.bounds.closeness import Near, nearest
from verifier.prove.bounds.positive_sums import Signs
from verifier.prove.equal.closed_relation import Sides
from verifier.prove.equal.concrete_point import as_shown
from verifier.prove.equal.small_integer_points import points
from verifier.prove.forms.deadline import Clock
from verifier.prove.forms.function_identities import settled
from verifier.prove.forms.refusal import OutOfTime, Refusal
from verifier.prove.forms.small_trees import factors, number, product
from verifier.prove.forms.sum_values import Evaluation
from verifier.prove.forms.workspace import Workspace
from verifier.prove.lower.assumption_rules import Bound, positive_components, scalar_bounds
from verifier.prove.lower.lower import Lowering
from verifier.prove.networks import Sum
from verifier.prove.write.write_sums import Writer

_TIGHT = Fraction(1, 100)
_SIMPLE = 24  # the largest denominator of a factor that a limit suggests


def proves(lowering: Lowering, op: str, found: Sides, several: bool = False) -> bool:
    """left op right for all values of the symbols; `several`: with every free size at least 2."""
    bounds = scalar_bounds(lowering)
    if several:
        bounds |= {name: _two(bounds.get(name, Bound())) for name in _free(lowering.space.claim, found.space)}
    signs = Signs(found.space, bounds, positive_components(lowering))
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


def _free(claim: Claim, space: Workspace) -> list[str]:
    """The sizes that no assumption gives."""
    dims = (name for name, declared in claim.symbols.items() if isinstance(declared.kind, Dimension))
    return [name for name in dims if name not in space.dims]


def _two(bound: Bound) -> Bound:
    low = Fraction(2) if bound.low is None else max(bound.low, Fraction(2))
    return Bound(low, bound.high, bound.strict and low == bound.low)


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
    if best is not None and best[0] <= _TIGHT:
        shown = {name: as_shown(value) for name, value in best[1].items()}
        return Tightness(True, Fraction(0), best[0], where=shown)
    near = _among_blocks(found, fact, clock, seed)
    if near is not None and near.gap <= _TIGHT:
        return Tightness(True, Fraction(0), near.gap, where=near.shown)
    gaps = ([best[0]] if best is not None else []) + ([near.gap] if near is not None else [])
    return _improved(lowering, fact, found, min(gaps)) if gaps else None


def _among_blocks(found: Sides, fact: N.Relation, clock: Clock, seed: int) -> Near | None:
    try:
        left, right = (Writer(found.space).form(form) for form in (found.left, found.right))
        closed = N.Relation(fact.op, left, right)
        return nearest(
            found.space.claim, closed, found.space.dims, lambda: clock.left < 0.2 * clock.seconds, seed
        )
    except (Refusal, OutOfTime):
        return None


def _improved(lowering: Lowering, fact: N.Relation, found: Sides, least: Fraction) -> Tightness | None:
    """The bound times a simple number that the least gap found suggests, proved."""
    below = _sign(lowering, found)
    if below is None:
        return None
    for gap in dict.fromkeys((least, least.limit_denominator(_SIMPLE))):
        factor = 1 - gap if (fact.op == "<=") != below else 1 + gap
        if not found.right.value or factor.denominator > 1000 or gap <= _TIGHT:
            continue
        scaled = replace(found, right=replace(found.right, value=found.right.value * factor))
        if proves(lowering, fact.op, scaled, several=True):
            better = to_text(product([number(factor), *factors(fact.right)]))
            always = proves(lowering, fact.op, scaled)
            return Tightness(False, gap, least, better=better if always else None, proved=True)
    return None


def _sign(lowering: Lowering, found: Sides) -> bool | None:
    """Whether the right side is never positive; None if its sign is not known. A larger multiple of a
    negative bound from below says less."""
    nothing = replace(found.right, value=found.space.scalar(0))
    against = replace(found, left=found.right, right=nothing)
    if proves(lowering, ">=", against, several=True):
        return False
    return True if proves(lowering, "<=", against, several=True) else None


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
