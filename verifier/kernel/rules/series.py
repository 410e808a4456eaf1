"""Sums without end: whether they are finite, by how fast their terms vanish."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.dims import SCALAR
from verifier.expr.walk import substitute
from verifier.kernel.asymptotic.allowed import Instance
from verifier.kernel.asymptotic.forms import Asymptotics
from verifier.kernel.asymptotic.instance import LARGE, instance
from verifier.kernel.asymptotic.motion import motion
from verifier.kernel.asymptotic.scale import Scale, sign_of
from verifier.kernel.asymptotic.values import read_values
from verifier.kernel.context import Context
from verifier.kernel.judgement import Fails, Holds, Judgement
from verifier.kernel.normal.atoms import NOTHING, UNIT, Poly, total
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.proof import Data
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules import Rule
from verifier.kernel.rules.defined import Defined, unfolded
from verifier.kernel.rules.signs import ZERO

END = N.Symbol(LARGE, SCALAR)


def series(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{a_j = O(j^p \log^q j), \ p < -1}{\Gamma \vdash \sum_j a_j < \infty}
    \qquad
    \frac{x \models \Gamma \qquad a_j(x) \sim c\, j^p \log^q j, \ c > 0, \ p > -1 \text{ or } p = -1 \le q}
    {\Gamma \vdash \sum_j a_j < \infty \text{ fails}}

    The terms are compared by their normal forms as j grows; those that fall exponentially are summable too.
    To show that a sum is infinite the data hold values x of symbols, as for a family: declarations, laws and
    assumptions allow them, and all terms have values there.
    """
    if premises:
        raise Rejected("premises", "the terms of a sum need no premise")
    match goal:
        case Holds(N.Relation("<", N.Sum(body, (span,), ()), N.Infinity())) if _is_endless(span) and not data:
            found = instance(_with_end(context), frozenset({LARGE}), {})
            _is_finite(found, substitute(body, {N.Index(span.index): END}))
        case Fails(N.Relation("<", N.Sum(body, (span,), ()), N.Infinity())) if _is_endless(span):
            if not data.keys() <= {"values"}:
                raise Rejected("data", "the data are values")
            found = instance(_with_end(context), frozenset({LARGE}), read_values(data.get("values", {})))
            _is_infinite(found, substitute(body, {N.Index(span.index): END}))
            for first in (END, *((span.low,) if span.low == ZERO else ())):
                term = substitute(body, {N.Index(span.index): first})
                Defined(found.context, frozenset(), {}).node(unfolded(found.context, found.concrete(term)))
        case _:
            raise Rejected("statement", "whether a sum without end, over one index, is finite")


def _is_endless(span: N.Range) -> bool:
    """From 0 or 1 on, or from another whole number that is not negative."""
    low = span.low
    whole = isinstance(low, N.Number) and low.value.denominator == 1 and low.value >= 0
    return whole and isinstance(span.high, N.Infinity)


def _with_end(context: Context) -> Context:
    if LARGE in context.symbols or context.growing or context.layers is not None:
        raise Rejected("outside", "a sum without end beside something that grows, or beside layers")
    return replace(context, symbols={**context.symbols, LARGE: K.Declared(LARGE, K.Dimension(), SCALAR)})


def _scales(sizes: Asymptotics, poly: Poly) -> Iterator[Scale]:
    """What the terms of the numerator are like, over what leads in the denominator."""
    top, bottom = sizes.quotient(poly)
    lead, _ = sizes.leading(bottom)
    for form in sizes.forms(top):
        yield form.scale.over(lead.scale)


def _is_finite(found: Instance, term: N.Node) -> None:
    sizes = Asymptotics(ZeroTest(found.context), motion(found.context, found.growing))
    require_summable(sizes, found.normal(sizes.algebra, term), LARGE)


def require_summable(sizes: Asymptotics, poly: Poly, growing: str) -> None:
    """Rejects terms that are not known to be summable over a size."""
    for scale in _scales(sizes, poly):
        if scale.others or scale.bases:
            raise Rejected("outside", "terms of which too little is known")
        fastest = max((k for _, k in scale.rates), default=None)
        if fastest is not None and sign_of(sizes.algebra, scale.rates[growing, fastest]) == "<":
            continue
        power = total((scale.powers.get(growing, NOTHING), UNIT))
        if fastest is not None or sign_of(sizes.algebra, power) != "<":
            raise Rejected("differs", "terms that are not known to vanish fast enough")


def _is_infinite(found: Instance, term: N.Node) -> None:
    sizes = Asymptotics(ZeroTest(found.context), motion(found.context, found.growing))
    top, bottom = sizes.quotient(found.normal(sizes.algebra, term))
    (lead, sign), (below, other) = sizes.leading(top), sizes.leading(bottom)
    scale = lead.scale.over(below.scale)
    if sign != other or scale.rates or scale.bases or scale.others:
        raise Rejected(
            "not-false", "terms that are not known to be positive, or of which too little is known"
        )
    power = total((scale.powers.get(LARGE, NOTHING), UNIT))
    slow = sign_of(sizes.algebra, power)
    if slow != ">" and not (slow == "=" and scale.logs.get(LARGE, Fraction(0)) >= -1):
        raise Rejected("not-false", "terms that are not known to vanish slowly enough")


def as_limit(context: Context, fact: N.Relation | N.Within) -> tuple[Context, N.Relation | N.Within]:
    """A sum without end on the left as the limit of what it is up to a number."""
    match fact:
        case N.Relation(op, N.Sum(body, (span,), ()), right) if _is_endless(span):
            partial = N.Sum(body, (N.Range(span.index, span.low, END),))
            return _with_end(context), N.Relation(op, N.Limit(partial, END, N.Infinity()), right)
    return context, fact


RULES = (Rule("series", "limits", series),)
