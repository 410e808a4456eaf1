"""Growth without `as`: one constant for all sizes >= 1 and all positive reals at once, from monomials alone.

f <= C g for all u >= 1  iff  every monomial of f is at most a mean of those of g in every exponent.
"""

from collections.abc import Mapping
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.evidence import Counterexample, Finding, Tightness
from verifier.expr import nodes as n
from verifier.expr.symbols import Dimension, Positive
from verifier.expr.walk import symbols_in
from verifier.prove.growth.asymptotics import LADDER, number_at
from verifier.prove.growth.order_text import as_text
from verifier.prove.growth.running_ratios import REASONS, Kind
from verifier.prove.growth.tropical_sizes import Size, size_everywhere
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.scalar_relation import ENGINE


def decide(claim: Claim, closed: n.Relation, kind: Kind, sharp: bool) -> Finding | None:
    """None where this method has no answer. `sharp`: the left side is known up to constants, else above."""
    names = _names(claim, closed)
    sizes = tuple(k for k in names if isinstance(claim.symbols[k].kind, Dimension))
    scales = tuple(k for k in names if isinstance(claim.symbols[k].kind, Positive))
    if len(sizes) + len(scales) < len(names):
        return None
    try:
        left, right = (size_everywhere(claim, side, sizes, scales) for side in (closed.left, closed.right))
    except Refused:
        return None
    if not left.above or not right.above:
        return None
    above = left.is_within(right) or kind == "Omega"
    below = right.is_within(left) or kind == "O"
    if not sharp and not (kind == "O" and above):
        return None
    if above and below:
        tightness = _tightness(sizes, kind, left, right) if sharp and kind != "Theta" else None
        return Finding(
            ENGINE, "true", "proved", REASONS[kind], lhs=closed.left, rhs=closed.right, tightness=tightness
        )
    path = left.escape(right) if not above else right.escape(left)
    if path is None or claim.constraints:
        return None
    reason = "the ratio grows without bound" if not above else "the ratio tends to 0"
    example = _along(claim, closed, sizes, scales, path)
    return Finding(
        ENGINE, "false", "proved", reason, lhs=closed.left, rhs=closed.right, counterexample=example
    )


def _names(claim: Claim, closed: n.Relation) -> list[str]:
    """The symbols that occur, those that stand in substitutions included."""
    given = {found[0].name: found[1] for a in claim.assumptions if (found := a.substitution) is not None}
    names: set[str] = set()
    waiting = [closed.left, closed.right]
    while waiting:
        fresh = symbols_in(waiting.pop()) - names
        names |= fresh
        waiting += [given[name] for name in fresh if name in given]
    return [name for name in claim.symbols if name in names - given.keys()]


def _tightness(sizes: tuple[str, ...], kind: Kind, left: Size, right: Size) -> Tightness:
    """Loose where one side is of a smaller order as all sizes grow."""
    low, high = (left, right) if kind == "O" else (right, left)
    if not low.vanishes_against(high):
        return Tightness(True)
    better = as_text(sizes, left)
    return Tightness(False, better=None if better is None else f"{kind}({better})", proved=True)


def _along(
    claim: Claim, closed: n.Relation, sizes: tuple[str, ...], scales: tuple[str, ...], path: tuple[int, ...]
) -> Counterexample:
    """The values along which the ratio runs away, and the ratios there."""
    count = len(sizes) + len(scales)
    speeds = dict(zip((*sizes, *scales), path[:count], strict=True))
    for name, down in zip(scales, path[count:], strict=True):
        speeds[name] -= down
    columns: dict[str, list[object]] = {name: [] for name in speeds}
    ratios: list[float] = []
    for step in LADDER:
        at: Mapping[str, object] = {name: Fraction(step) ** speed for name, speed in speeds.items()}
        ratios.append(float(number_at(claim, closed.left, at) / number_at(claim, closed.right, at)))
        for name, number in at.items():
            columns[name].append(str(number))
    return Counterexample(columns, None, None, ratios=tuple(ratios))
