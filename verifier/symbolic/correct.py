"""The right side that would be true, in the author's own terms where they suffice."""

from verifier.expr import nodes as N
from verifier.expr.text import to_text
from verifier.symbolic.coefficients import fraction, node_of_fraction
from verifier.symbolic.decide import Sides, vanishes
from verifier.symbolic.refusal import Refusal
from verifier.symbolic.trees import product
from verifier.symbolic.write import Writer


def correction(fact: N.Relation, found: Sides) -> str | None:
    """The left side's closed form: a multiple of the right side, or written out."""
    scaled = _multiple(fact, found)
    if scaled is not None:
        return to_text(scaled)
    try:
        return to_text(Writer(found.space).form(found.left))
    except Refusal:
        return None


def _multiple(fact: N.Relation, found: Sides) -> N.Node | None:
    """left = c * right with c free of matrices: c * (the right side as it was written)."""
    space, left, right = found.space, found.left.value, found.right.value
    if not left or not right or all(not m for m in right.terms):
        return None
    first = min(right.terms, key=lambda m: sorted(map(repr, m)))
    if first not in left.terms:
        return None
    top, bottom = left.terms[first], right.terms[first]
    if not vanishes(space, left * bottom - right * top):
        return None
    upper, under = fraction(space, top)
    lower, over = fraction(space, bottom)
    for base, power in over.values():
        upper = upper * base**power
    under = {**under}
    _, before = under.get(str(lower), (lower, 0))
    under[str(lower)] = (lower, before + 1)
    factor = node_of_fraction(space, upper, under)
    return product([factor, fact.right])


