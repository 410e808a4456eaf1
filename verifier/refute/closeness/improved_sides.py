"""What the stated side of a loose bound could be, in closed form, judged as a bound of its own."""

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from verifier.evidence import Curve
from verifier.expr.nodes import (
    Add,
    Apply,
    Divide,
    Multiply,
    Negate,
    Node,
    Number,
    Pi,
    Power,
    Subtract,
    Symbol,
)
from verifier.expr.text import to_text
from verifier.expr.walk import walk
from verifier.prove.rules.bound_form import Bound
from verifier.refute.ascent.worst_points import Hunt, Objective, Worst
from verifier.refute.closeness.closed_form_numbers import number, times
from verifier.refute.closeness.closed_form_tables import fit, value
from verifier.timer import worked

ATTAINED = 1e-5


def text_of(node: Node | None) -> str | None:
    return None if node is None else to_text(node)


def improved(hunt: Hunt, large: list[Worst]) -> Node | None:
    """What the stated side could be: c * shape(sizes) * what is left of it without sizes and constants.

    Smaller cells are searched better than larger ones, so the fit goes through as many as it can
    from the smallest on, three at least; the others may stay below it, and none may lie above."""
    bound, domain = hunt.bound, hunt.domain
    ordered = sorted(large, key=lambda w: (w.objective.cell.width, sum(w.sizes.values())))
    known = [(w, _ratio(w, bound)) for w in ordered]
    sized, rest = split(bound.stated, frozenset(domain.dimensions))
    table = [(w.sizes, ratio * value(sized, w.sizes)) for w, ratio in known if ratio is not None]
    for count in range(len(table), min(2, len(table) - 1), -1):
        shape = fit(table[:count], domain.dimensions)
        if shape is not None:
            found = times(shape, rest)
            return found if stands(hunt, found, ordered[:count]) else None
    return _scaled(hunt, [(w, ratio) for w, ratio in known if ratio is not None])


def _scaled(hunt: Hunt, known: list[tuple[Worst, float]]) -> Node | None:
    """A constant times the stated side, where that is attained at some sizes only."""
    if not known or hunt.bound.is_zero:
        return None
    pick = max if hunt.bound.side == "upper" else min
    best, ratio = pick(known, key=lambda item: item[1])
    factor = number(ratio)
    found = None if factor is None else times(factor, hunt.bound.stated)
    return found if found is not None and stands(hunt, found, [best]) else None


def _ratio(worst: Worst, bound: Bound) -> float | None:
    """bounded/stated at the worst point: 1 + excess for an upper bound of positive sign, and so on."""
    plain = Bound(bound.stated, Number(Fraction(0)), Number(Fraction(0)), "upper")
    stated = float(Objective(worst.objective.cell, plain).excess(worst.points[:1])[0])
    if not math.isfinite(stated) or stated == 0 or not math.isfinite(worst.best):
        return None
    sign = 1.0 if stated > 0 else -1.0
    return 1 + sign * worst.best if bound.side == "upper" else 1 - sign * worst.best


def ratios(hunt: Hunt) -> Iterator[Curve]:
    """The largest (for >= the smallest) ratio of the sides that was found at each size, for a picture."""
    if hunt.bound.is_zero:
        return
    pick = max if hunt.bound.side == "upper" else min
    for name in hunt.domain.dimensions:
        by_size: dict[int, float] = {}
        for worst in hunt.found:
            ratio, size = _ratio(worst, hunt.bound) if len(worst.points) else None, worst.sizes[name]
            if ratio is not None:
                by_size[size] = pick(ratio, by_size.get(size, ratio))
        if len(by_size) >= 3:
            sizes = sorted(by_size)
            line = tuple(by_size[size] for size in sizes)
            held = "all other symbols at the worst that was found"
            yield Curve("ratio", name, tuple(map(float, sizes)), {"left side": line}, held=held)


def split(node: Node, sizes: frozenset[str]) -> tuple[Node, Node | None]:
    """The factors that only sizes determine, and the rest: 2*sqrt(n)*norm(A)/5 = (2*sqrt(n)/5) * norm(A)."""
    if _is_plain(node, sizes):
        return node, None
    match node:
        case Multiply(left, right):
            (a, x), (b, y) = split(left, sizes), split(right, sizes)
            return Multiply(a, b), y if x is None else x if y is None else Multiply(x, y)
        case Divide(left, right):
            (a, x), (b, y) = split(left, sizes), split(right, sizes)
            return Divide(a, b), x if y is None else Divide(x or Number(Fraction(1)), y)
        case Negate(arg):
            a, x = split(arg, sizes)
            return Multiply(Number(Fraction(-1)), a), x
    return Number(Fraction(1)), node


def _is_plain(node: Node, sizes: frozenset[str]) -> bool:
    """A tree of sizes and constants that `recognise.value` can read."""
    return all(
        isinstance(part, Number | Pi | Add | Subtract | Multiply | Divide | Power)
        or (isinstance(part, Symbol) and part.name in sizes)
        or (isinstance(part, Apply) and part.function in ("sqrt", "exp", "log", "min", "max"))
        for part in walk(node)
    )


def stands(hunt: Hunt, better: Node, attained: list[Worst]) -> bool:
    """The improved bound judged as one of its own: attained at the sizes searched well, crossed at none, and
    nowhere a weaker one than what is stated."""
    bound = hunt.bound
    tighter = bound.restated(better)
    sides = (better, bound.stated) if bound.side == "upper" else (bound.stated, better)
    for found in hunt.found:
        weaker = Objective(found.objective.cell, Bound(*sides, bound.stated, "upper")).excess(found.points)
        if bool((weaker[weaker.isfinite()] > ATTAINED).any()):
            return False
        excess = Objective(found.objective.cell, tighter).excess(found.points)
        top = float(excess.max()) if len(excess) else -math.inf
        known = any(found.objective is worst.objective for worst in attained)
        if top > ATTAINED or (known and top < -ATTAINED):
            return False
    again = Hunt(hunt.domain, tighter, np.random.default_rng(7), worked() + 0.3)
    small = sorted(hunt.found, key=lambda w: w.objective.cell.width)[:3]
    return all(again.at(w.objective.cell, worked() + 0.1).best <= ATTAINED for w in small)
