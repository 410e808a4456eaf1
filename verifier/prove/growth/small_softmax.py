"""Softmax of random logits that tend to zero: how far it is from the uniform weights, in mean square.

    |softmax(z) - softmax(0)| <= |z| / 2                    the Jacobian's spectral norm is at most 1/2
    |J(z) - J(0)| <= 3 |z| / 2,  J = diag(p) - p p'         since |J(p) - J(q)| <= (1 + |p| + |q|) |p - q|
    |softmax(z) - softmax(0) - J(0) z| <= |z|**2 / 2        the second derivative is at most 1

So for F that vanishes at zero logits M and is L times as steep, E|F|**2 <= L**2 E|M|**2; and for
F = softmax(M) - 1/n the two are of one order where E|M|**4 = o(E|J(0) M|**2).
"""

from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

import sympy as sp

from verifier.claim.model import Assumption, Claim
from verifier.evidence import Finding, Tightness
from verifier.expr import nodes as n
from verifier.expr.dims import Shape
from verifier.expr.text import to_text
from verifier.expr.walk import symbols_in, walk
from verifier.prove.blocks.block_points import NUMERIC
from verifier.prove.bounds.norm_inequalities import Ceilings
from verifier.prove.forms.refusal import Refusal
from verifier.prove.growth import suprema
from verifier.prove.scalars.closed_scalars import Closing
from verifier.prove.scalars.randomness import is_scale
from verifier.prove.scalars.scalar_relation import ENGINE

ONE, TWO, FOUR = (n.Number(Fraction(value)) for value in (1, 2, 4))
STEEP_WEIGHTS, STEEP_JACOBIAN = Fraction(1, 2), Fraction(3, 2)
MOST_DIGITS, NEGLIGIBLE = 40, 1e-3
WORDS = "a softmax of small logits is within half their norm of the uniform weights"


@dataclass(frozen=True)
class Near:
    """front * E(norm(F)**2), or its root: F vanishes at zero logits and is `steep` times as steep."""

    front: n.Node
    logits: n.Node
    steep: Fraction
    rooted: bool
    lowest: n.Node | None

    def bound(self, inner: n.Node) -> n.Node:
        """front times the size of E|inner|**2."""
        square: n.Node = n.Expectation(n.Power(n.Norm(inner), TWO))
        root = n.Apply("sqrt", (square,)) if self.rooted else square
        return n.Multiply(self.front, root)

    @property
    def upper(self) -> n.Node:
        power = self.steep if self.rooted else self.steep**2
        return n.Multiply(n.Number(power), self.bound(self.logits))


def near(claim: Claim, node: n.Node, closing: Closing) -> Near | None:
    """Recognises the quantity; None if it is no such thing."""
    match node:
        case n.Let(_, body):
            return near(claim, body, closing)
        case n.Multiply(left, right):
            front, rest = (left, right) if is_scale(claim, left) else (right, left)
            found = near(claim, rest, closing) if is_scale(claim, front) else None
            return found and replace(found, front=n.Multiply(front, found.front))
        case n.Divide(left, right) if is_scale(claim, right):
            found = near(claim, left, closing)
            return found and replace(found, front=n.Divide(found.front, right))
        case n.Expectation(n.Norm(arg, "fro"), ()):
            return _deviation(claim, arg, True, closing)
        case n.Expectation(n.Power(n.Norm(arg, "fro"), n.Number(k)), ()) if k == 2:
            return _deviation(claim, arg, False, closing)
    return None


def _deviation(claim: Claim, node: n.Node, rooted: bool, closing: Closing) -> Near | None:
    lets = {part for part in walk(node) if isinstance(part, n.Let) and isinstance(part.body, n.RowWise)}
    if len(lets) != 1:
        return None
    (weights,) = lets
    rows = weights.body
    if not isinstance(rows, n.RowWise) or rows.function != "softmax":
        return None
    steep = _steepness(claim, node, weights)
    if steep is None or not _vanishes(claim, node, weights, closing):
        return None
    return Near(ONE, rows.arg, steep, rooted, _lowest(node, weights, rows.arg))


def _steepness(claim: Claim, node: n.Node, weights: n.Let) -> Fraction | None:
    """How steep sums of the weights, of their Jacobian and of constants are in the logits."""
    match node:
        case n.Let() if node == weights:
            return STEEP_WEIGHTS
        case n.Derivative(of, by) if of == weights and isinstance(weights.body, n.RowWise):
            return STEEP_JACOBIAN if by == weights.body.arg else None
        case n.Add(left, right) | n.Subtract(left, right):
            a, b = _steepness(claim, left, weights), _steepness(claim, right, weights)
            return None if a is None or b is None else a + b
        case n.Negate(arg) | n.Transpose(arg) | n.Let(_, arg):
            return _steepness(claim, arg, weights)
    names = symbols_in(node)
    return None if names & claim.random else Fraction(0)


def _lowest(node: n.Node, weights: n.Let, logits: n.Node) -> n.Node | None:
    """Something linear in the logits M that F exceeds up to O(|M|**2): J(0) M for the weights, and for
    the Jacobian its diagonal, (1 - 2/n) J(0) M."""
    match node:
        case n.Subtract(left, right) if left == weights and weights not in walk(right):
            return _first(logits)
        case n.Subtract(n.Derivative(of, by), right) if (
            of == weights and by == logits and weights not in walk(right)
        ):
            share = n.Subtract(ONE, n.Divide(TWO, _count(logits.shape)))
            return n.Multiply(share, _first(logits))
    return None


def _vanishes(claim: Claim, node: n.Node, weights: n.Let, closing: Closing) -> bool:
    """F is 0 where the weights are uniform, with the derivative taken there."""
    uniform = n.Divide(n.Ones(weights.shape), _count(weights.shape))
    fact = n.Relation("==", weights, uniform)
    added = Assumption("uniform weights", fact, to_text(fact), claim.position)
    there = replace(claim, assumptions=(*claim.assumptions, added))
    value = closing.closed_form(there, n.Power(n.Norm(node), TWO))
    return value == n.Number(Fraction(0))


def _count(shape: Shape) -> n.Node:
    if shape.cols.constant is not None:
        return n.Number(Fraction(shape.cols.constant))
    (name,) = shape.cols.names
    return n.Symbol(name)


def _first(logits: n.Node) -> n.Node:
    """J(0) of every row: M (I - 11'/n) / n."""
    count = _count(logits.shape)
    centred = n.Subtract(
        n.Eye(logits.shape.cols), n.Divide(n.Ones(Shape(logits.shape.cols, logits.shape.cols)), count)
    )
    return n.Divide(n.MatMul(logits, centred), count)


def decide(
    claim: Claim, left: n.Node, right: n.Node, kind: Literal["O", "Omega", "Theta"], closing: Closing
) -> Finding | None:
    """Growth of such a quantity; None where nothing follows."""
    found = near(claim, left, closing)
    if found is None:
        return None
    with suppress(Refusal, *NUMERIC):
        return _growth(claim, found, right, kind, closing)
    return None


def _growth(
    claim: Claim, found: Near, right: n.Node, kind: Literal["O", "Omega", "Theta"], closing: Closing
) -> Finding | None:
    upper = closing.close(found.upper)
    question = suprema.Question(claim, upper, right, closing.clock)
    if kind in ("Omega", "Theta"):
        return suprema.vanishes(question)
    if not suprema.is_bounded(question):
        trend = _leading(claim, found, right, closing)
        if trend is None or trend.limit != sp.oo:
            return None
        return suprema.along(trend, "the ratio grows without bound", _far_out(claim, found, trend, closing))
    tightness = None
    if suprema.is_bounded(question, strictly=True):
        order = suprema.order(question)
        sharp = order is not None and _is_reached(claim, found, order, closing)
        better = f"O({to_text(order)})" if order is not None and sharp else None
        tightness = Tightness(False, better=better, proved=True)
    elif _is_reached(claim, found, right, closing):
        tightness = Tightness(True)
    return Finding(ENGINE, "true", "proved", f"{WORDS}; {suprema.BOUNDED}", tightness=tightness)


def _is_reached(claim: Claim, found: Near, right: n.Node, closing: Closing) -> bool:
    """Whether the ratio stays away from 0 along a family of inputs."""
    trend = _leading(claim, found, right, closing)
    return trend is not None and trend.limit is not None and bool(trend.limit.is_positive)


def _leading(claim: Claim, found: Near, right: n.Node, closing: Closing) -> suprema.Trend | None:
    """A family of inputs along which the rest is of a smaller order than the first order term, with the
    limit of that term over the right side: that of the quantity itself."""
    if found.lowest is None:
        return None
    first, rest = _terms(found, closing)
    question = suprema.Question(claim, first, right, closing.clock)
    trend = suprema.trend(question, 1)
    if trend is None or suprema.limit_at(suprema.Question(claim, rest, first, closing.clock), trend) != 0:
        return None
    return trend


def _terms(found: Near, closing: Closing) -> tuple[n.Node, n.Node]:
    """The size of the first order term, and a bound of that of the rest."""
    assert found.lowest is not None
    fourth: n.Node = n.Expectation(n.Power(n.Norm(found.logits), FOUR))
    rest = n.Multiply(found.front, n.Apply("sqrt", (fourth,)) if found.rooted else fourth)
    return closing.close(found.bound(found.lowest)), closing.close(rest)


def _far_out(claim: Claim, found: Near, trend: suprema.Trend, closing: Closing) -> tuple[int, ...]:
    """Sizes at which the rest is small beside the first order term."""
    first, rest = _terms(found, closing)
    share = suprema.ratio_at(suprema.Question(claim, rest, first, closing.clock), trend)
    small = (k for k in range(1, MOST_DIGITS) if float(share.subs(trend.symbol, 10**k)) < NEGLIGIBLE)
    start = next(small, MOST_DIGITS)
    return tuple(10 ** (start + k) for k in range(4))


def tends_to_zero(claim: Claim, body: n.Node, variable: str, closing: Closing) -> bool:
    """Whether an upper bound of something that is never negative tends to 0."""
    found = near(claim, body, closing)
    if found is not None:
        upper: n.Node = closing.close(found.upper)
    elif isinstance(body, n.Expectation):
        return False
    else:
        upper = body
    ceilings = Ceilings(claim)
    try:
        bound = ceilings.scalar(upper)
    except Refusal:
        return False
    grown = sp.Symbol(variable, positive=True)
    for choice in suprema.without_minima(bound):
        kept = choice.free_symbols & ceilings.atoms.keys()
        shapes = [ceilings.atoms[symbol].arg.shape for symbol in kept]  # type: ignore[attr-defined]
        if any(variable in shape.rows.names | shape.cols.names for shape in shapes):
            continue
        if sp.limit(choice, grown, sp.oo) == 0:
            return True
    return False
