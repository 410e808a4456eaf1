"""Means that depend on one scalar of a bounded interval: both sides enclosed over pieces of it.

    E f(s z) for all s of a piece is one integral whose coefficient is the piece itself,

and a relation that the enclosures show on every piece holds on the interval. A bound that is still shown
with a smaller right side is loose.
"""

from fractions import Fraction

from flint import arb, ctx, fmpq

from verifier.claim.model import Claim
from verifier.evidence import Finding, Tightness
from verifier.exact.numbers.refusals import Imprecise, Refusal
from verifier.exact.values.compare_at_point import relate
from verifier.exact.values.evaluate import Evaluator
from verifier.exact.values.point_context import Context
from verifier.expr import nodes as N
from verifier.expr.symbols import Interval, Positive, Real
from verifier.expr.text import to_text
from verifier.expr.walk import walk
from verifier.prove.equal.small_integer_points import needed
from verifier.prove.forms.small_trees import factors, number, product
from verifier.timer import past, worked

_BITS = 64
_NARROWEST = Fraction(1, 512)  # of the interval
_SHARES = (Fraction(1, 2), Fraction(3, 4), Fraction(9, 10), Fraction(19, 20), Fraction(49, 50))
Span = tuple[str, Fraction, Fraction]


def examine_stretch(claim: Claim, fact: N.Relation, seconds: float) -> Finding | None:
    """The relation by pieces of the one scalar that it depends on; None where that shows nothing."""
    averages = any(isinstance(x, N.Expectation | N.Variance | N.Covariance) for x in walk(fact))
    found = span(claim, fact) if averages else None
    if fact.op == "==" or found is None or not shown(claim, fact, found, worked() + seconds):
        return None
    name, low, high = found
    words = f"shown piece by piece for {name} over [{low}, {high}]"
    return Finding("symbolic", "true", "certified", words, tightness=looser(claim, fact, seconds))


def looser(claim: Claim, fact: N.Relation, seconds: float) -> Tightness | None:
    """How far a true bound can be moved, at least; None where not by 2%."""
    found, deadline = span(claim, fact), worked() + seconds
    if found is None or fact.op not in ("<=", ">="):
        return None
    for share in _SHARES:
        factor = share if fact.op == "<=" else 1 / share
        right = product([number(factor), *factors(fact.right)])
        positive = N.Relation(">", fact.right, number(0))
        if shown(claim, N.Relation(fact.op, fact.left, right), found, deadline):
            if not shown(claim, positive, found, deadline):
                return None
            gap = 1 - share if fact.op == "<=" else 1 / share - 1
            return Tightness(False, gap, better=to_text(right), proved=True)
    return None


def span(claim: Claim, fact: N.Relation) -> Span | None:
    """The only symbol that is free, where it is a scalar between two numbers."""
    names = needed(claim, fact)
    if claim.layers is not None or len(names) != 1 or any(a.constraint is None for a in claim.assumptions):
        return None
    (name,) = names
    low: Fraction | None = None
    high: Fraction | None = None
    match claim.symbols[name].kind:
        case Interval(N.Number(a), N.Number(b)):
            low, high = a, b
        case Positive():
            low = Fraction(0)
        case Real():
            pass
        case _:
            return None
    for constraint in claim.constraints:
        match constraint:
            case N.Relation("<" | "<=", N.Symbol(x), N.Number(end)) if x == name:
                high = end if high is None else min(high, end)
            case N.Relation(">" | ">=", N.Symbol(x), N.Number(end)) if x == name:
                low = end if low is None else max(low, end)
            case _ if any(isinstance(x, N.Symbol) and x.name == name for x in walk(constraint)):
                return None
    return None if low is None or high is None or low >= high else (name, low, high)


def shown(claim: Claim, fact: N.Relation, over: Span, deadline: float) -> bool:
    """Whether the relation is certain on every piece, pieces being halved where it is not."""
    name, low, high = over
    context, before = Context.of(claim), ctx.prec
    todo = [(low, high)]
    ctx.prec = _BITS
    try:
        while todo:
            a, b = todo.pop()
            if past(deadline):
                return False
            if _certain(context, fact, name, a, b):
                continue
            if b - a < (high - low) * _NARROWEST:
                return False
            middle = (a + b) / 2
            todo += [(middle, b), (a, middle)]
    except Refusal:
        return False
    finally:
        ctx.prec = before
    return True


def _certain(context: Context, fact: N.Relation, name: str, low: Fraction, high: Fraction) -> bool:
    ends = [arb(fmpq(x.numerator, x.denominator)) for x in (low, high)]
    point = {name: ends[0].union(ends[1])}
    try:
        evaluator = Evaluator(context, point)
        return relate(fact.op, evaluator.value(fact.left), evaluator.value(fact.right)).outcome == "true"
    except Imprecise:
        return False
