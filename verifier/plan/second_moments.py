"""The mean of a norm has no closed form, and its square is at most the mean of the square, which has one.

E(f)**2 <= E(f**2)      so E(f) == r is false where r >= 0 and E(f**2) < r**2
f >= 0, E(f**2) > 0     so E(f) == 0 is false
"""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import islice

from verifier.claim.model import Claim
from verifier.evidence import Counterexample, Finding
from verifier.expr.nodes import Apply, Expectation, Node, Norm, Number, Power, Relation
from verifier.expr.text import to_text
from verifier.plan.asking import Case
from verifier.reformulate.bounded_supports import unmet
from verifier.timer import Overran, at_most

MOST_POINTS = 60
ZERO, TWO = Number(Fraction(0)), Number(Fraction(2))


def by_second_moments(case: Case, seconds: float) -> None:
    """Tell a small point at which the mean of a norm cannot be what it is said to be."""
    fact = case.step.fact
    if not isinstance(fact, Relation) or squared(fact.left) is None or unmet(case.claim) is not None:
        return
    try:
        with at_most(seconds):
            found = _refuted(case.claim, fact)
    except (Overran, Exception):
        return
    if found is not None:
        case.hear(Finding("rigorous", "false", "proved", "by the mean of the square", counterexample=found))


def squared(side: Node) -> Node | None:
    """E(f**2) of E(f), for a norm or an absolute value."""
    match side:
        case Expectation(Norm(_, "fro") | Apply("abs", _) as body, ()) if body.shape.is_scalar:
            return Expectation(Power(body, TWO))
    return None


def _refuted(claim: Claim, fact: Relation) -> Counterexample | None:
    # Loaded in the worker alone, like the engines: the parent process never needs SymPy.
    from verifier.exact.values.recheck import recheck
    from verifier.prove.equal.small_integer_points import points

    square = squared(fact.left)
    assert square is not None
    above = fact.op in ("==", ">=", ">")
    if fact.right == ZERO and fact.op in ("==", "<="):
        asked = Relation("<=", square, ZERO)
    elif above:
        asked = Relation(">=", square, Power(fact.right, TWO))
    else:
        return None
    for point in islice(points(claim, asked, {}, 0), MOST_POINTS):
        if recheck(claim, Relation(">=", fact.right, ZERO), point).outcome != "true":
            continue
        found = recheck(claim, asked, point)
        if found.outcome == "false" and found.grade == "proved" and found.counterexample is not None:
            return _shown(fact, square, found.counterexample)
    return None


def _shown(fact: Relation, square: Node, found: Counterexample) -> Counterexample:
    """What is known of the left side there, and why."""
    mean, right = found.lhs_exact, to_text(fact.right)
    line = f"{to_text(square)} = {mean}"
    if fact.right == ZERO:
        return replace(found, lhs=None, lhs_exact="positive", arithmetic=(f"{line} is not 0",))
    return replace(
        found,
        lhs=None,
        rhs=None if found.rhs is None else math.sqrt(found.rhs),
        lhs_exact=f"at most {_root(mean)}",
        rhs_exact=_root(found.rhs_exact),
        arithmetic=(line, f"({right})**2 = {found.rhs_exact}, which is more"),
    )


def _root(square: str | None) -> str:
    """sqrt(9/4) as 3/2, sqrt(2) as it is."""
    value = Fraction(square or "0")
    above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
    exact = (above * above, below * below) == (value.numerator, value.denominator)
    return str(Fraction(above, below)) if exact else f"sqrt({value})"
