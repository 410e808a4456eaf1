"""Growth against a right side that is 0, everywhere or at one point: O(0) and Theta(0) are 0 alone."""

import mpmath
import sympy as sp

from verifier.evidence import Counterexample, Finding
from verifier.prove.growth.running_ratios import LADDER, Kind
from verifier.prove.scalars.invariant_points import allowed
from verifier.prove.scalars.many_digits import DIGITS, evaluate
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.scalar_relation import Reading

POINTS = 24
ROUNDING = mpmath.mpf(10) ** (-DIGITS // 2)  # terms that cancel leave as much


def decide(reading: Reading, kind: Kind) -> Finding | None:
    """None where the right side is not always 0, or is only a lower bound."""
    if sp.expand(reading.right) != 0 or kind == "Omega":
        return None
    if sp.expand(reading.left) == 0:
        return reading.finding("true", "proved", reason="both sides are 0")
    found = at_a_point(reading, kind)
    if found is None:
        raise Refused("a right side that is 0")
    return found


def at_a_point(reading: Reading, kind: Kind) -> Finding | None:
    """A value of the other symbols at which the right side is 0 at all sizes, and the left side at none."""
    if kind == "Omega":
        return None
    growing = tuple(reading.translator.free(symbol.name) for symbol in reading.claim.growing)
    ladder = LADDER if growing else (1,)
    for at in allowed(reading, growing, POINTS):
        if sp.expand(at.of(reading.right)) != 0:
            continue
        left = at.of(reading.left)
        found = [evaluate(left, dict.fromkeys(growing, sp.Integer(size))) for size in ladder]
        if all(number is not None and abs(number) > ROUNDING for number in found):
            sizes = {symbol.name: list(ladder) for symbol in growing}
            shown = {**at.shown(frozenset(sizes)), **sizes}
            reason = "the right side is 0 at an allowed point, and the left side is not"
            example = Counterexample(shown, None, 0.0, ratios=(None,) * len(ladder))
            return reading.finding("false", "proved", reason=reason, counterexample=example)
    return None
