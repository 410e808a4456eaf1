"""left <= O(f), >= Omega(f), == Theta(f), as some symbols grow; constants may depend on the others."""

import sympy as sp

from verifier.evidence import Finding, Tightness
from verifier.prove.growth.bounded_ratios import Bound, bounded, is_nonnegative_far_out, plain
from verifier.prove.growth.polynomial_orders import leading, newton
from verifier.prove.growth.running_ratios import REASONS, Kind, runaway, runs_away
from verifier.prove.scalars.invariant_points import allowed
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.scalar_relation import Reading

POINTS = 24


def decide(reading: Reading, kind: Kind, sharp: bool, by_limits: bool = True) -> Finding:
    """`sharp`: the left side is known up to constants; otherwise only an upper bound of it is.
    `by_limits`: a limit for generic values of the other symbols may be taken."""
    growing = tuple(reading.translator.free(s.name) for s in reading.claim.growing)
    if not growing:
        raise Refused("growth over all values at once")
    left, right = reading.left, reading.right
    _require_still(reading)
    above = _direction(reading, left, right, growing, by_limits) if kind in ("O", "Theta") else Bound("true")
    if above.answer == "false" and sharp:
        return _fails(reading, above, left, growing, up=True)
    below = (
        _direction(reading, right, left, growing, by_limits) if kind in ("Omega", "Theta") else Bound("true")
    )
    if below.answer == "false" and sharp:
        return _fails(reading, below, left, growing, up=False)
    if not sharp:
        # Only left <= C * surrogate is known: an upper bound may be proved, nothing refuted.
        unclear = Bound("unknown", reason="only an upper bound of the left side is known")
        above = above if above.answer == "true" else unclear
        below = below if kind == "O" else unclear
    if kind == "Omega" and below.answer == "true" and not is_nonnegative_far_out(reading, left, growing):
        below = Bound("unknown", reason="a lower bound of what may be negative")
    if "unknown" in (above.answer, below.answer):
        reason = next(b.reason for b in (above, below) if b.answer == "unknown")
        return reading.finding("unknown", missing="the leading order of both sides", reason=reason)
    reason = REASONS[kind]
    tightness = _tightness(reading, kind, above, below, left, right, growing)
    if not sharp and tightness is not None and tightness.tight:  # what is at most o(f) is o(f)
        tightness = None
    return reading.finding("true", "proved", reason=reason, tightness=tightness)


def _require_still(reading: Reading) -> None:
    """An invariant that grows itself is no constant; it may stand on both sides."""
    names = {symbol.name for symbol in reading.claim.growing}
    if not reading.is_still and reading.translator.moving(sp.cancel(reading.left / reading.right), names):
        raise Refused("the growth of an invariant that grows itself")


def _direction(
    reading: Reading, over: sp.Expr, under: sp.Expr, growing: tuple[sp.Symbol, ...], by_limits: bool
) -> Bound:
    try:
        with reading.clock.guard(0.5):
            return bounded(reading, over, under, growing, by_limits)
    except Refused as refusal:
        return Bound("unknown", reason=refusal.reason)


# --- what to report -------------------------------------------------------------------------------------


def _fails(
    reading: Reading, bound: Bound, left: sp.Expr, growing: tuple[sp.Symbol, ...], up: bool
) -> Finding:
    """The sizes along which the ratio runs away, with the ratios there."""
    reason = "the ratio grows without bound" if up else "the ratio tends to 0"
    weights = bound.path or (1,) * len(growing)
    tried = [bound.at] if bound.at is not None else allowed(reading, growing, POINTS)
    at = next((point for point in tried if runs_away(reading, growing, weights, point, up)), None)
    if at is None:
        return reading.finding("unknown", missing="a point that the claim allows", reason=reason)
    return runaway(reading, growing, weights, at, reason, _corrected(reading, left, growing))


def _tightness(
    reading: Reading,
    kind: Kind,
    above: Bound,
    below: Bound,
    left: sp.Expr,
    right: sp.Expr,
    growing: tuple[sp.Symbol, ...],
) -> Tightness | None:
    if kind == "Theta":
        return None
    loose = above.strict if kind == "O" else below.strict
    if not loose:
        return Tightness(True)
    better = _corrected(reading, left, growing)
    return Tightness(False, better=None if better is None else f"{kind}({better})", proved=True)


def _corrected(reading: Reading, left: sp.Expr, growing: tuple[sp.Symbol, ...]) -> str | None:
    """The leading order of the left side, in the growing symbols alone."""
    try:
        terms = _leading_terms(reading, left, growing)
    except Refused:
        terms = None
    return None if terms is None else reading.text(terms)


def _leading_terms(reading: Reading, left: sp.Expr, growing: tuple[sp.Symbol, ...]) -> sp.Expr | None:
    for power in (1, 2, 4):
        above, below = sp.fraction(sp.together(sp.powdenest(sp.expand_power_base(plain(left) ** power))))
        if above.is_polynomial(*growing) and below.is_polynomial(*growing):
            shapes = [newton(sp.expand(part), growing, reading.translator.spans) for part in (above, below)]
            if shapes[0] is None or shapes[1] is None:
                return None
            tops, bottoms = leading(shapes[0].monomials), leading(shapes[1].monomials)
            if len(bottoms) != 1:
                return None
            monomials = [
                sp.Mul(
                    *(
                        s ** ((a - b) / sp.Integer(power))
                        for s, a, b in zip(growing, top, bottoms[0], strict=True)
                    )
                )
                for top in tops
            ]
            if power > 1 and len(monomials) > 1:
                return None
            return sp.Add(*monomials)
    return None
