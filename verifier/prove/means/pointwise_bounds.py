"""Bounds on expectations of activations by bounds on the activations.

    E f(u) <= E p(u)     if  f(u) <= p(u) for every u,   or  f(u) + f(-u) <= p(u) + p(-u),

the latter for u and -u of one law. What is averaged on both sides is read off their networks (`profile`).
Where that is not enough, both means are functions of the spread of u: closed forms are compared for every
spread, and single numbers are enclosed. How close a bound comes is evaluated at spreads that the claim
allows (`spreads`); the gap between f and p at every u is at most the gap between their means.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.evidence import Finding, Tightness
from verifier.expr import nodes as N
from verifier.expr.symbols import Declared, Interval, Kind, Normal, Positive, Real
from verifier.expr.text import to_text
from verifier.expr.walk import substitute, walk
from verifier.prove.forms.deadline import Clock
from verifier.prove.forms.opaque_functions import U
from verifier.prove.forms.small_trees import factors, number, product
from verifier.prove.integrate.activations import CLOSED, OPEN
from verifier.prove.means.integrand_profile import Profile, profile
from verifier.prove.means.scalar_pieces import looser
from verifier.prove.means.spread_points import closeness

Judge = Callable[[Claim, N.Relation], Finding]
Close = Callable[[Claim, N.Node], N.Node | None]
_WEAK: dict[str, N.Comparison] = {"<": "<=", ">": ">="}
_RATIONAL = re.compile(r"\d+(/\d+)?")
_ONE_PERCENT = Fraction(1, 100)
_SPREAD = N.Symbol("__spread")
_TOTAL = CLOSED | OPEN | {"min", "max", "sqrt", "log"}


def examine_pointwise(
    claim: Claim, fact: N.Relation, clock: Clock, close: Close, judge: Judge, seed: int
) -> Finding | None:
    """The bound by one at every value of the variable, or at every spread; None where that shows nothing."""
    if fact.op == "==" or claim.layers is not None:
        return None
    found = profile(claim, fact, Clock(clock.left / 4))
    if found is not None and fact.op in _WEAK:
        return _strictly(claim, fact, found, judge)
    if found is None or not all(_is_total(part) for side in (found.left, found.right) for part in walk(side)):
        return None
    shown = _at_every_value(claim, fact, found, judge)
    shown = shown or _at_every_spread(claim, fact, found, close, judge)
    if shown is None:
        return None
    tightness = closeness(claim, fact, Clock(clock.left / 2), seed)
    if tightness is None and _is_even_and_positive(found):
        tightness = _apart(fact, shown) or _apart_on_both_sides(claim, fact, found, judge)
    if tightness is None:
        spread = _at_every_spread(claim, fact, found, close, judge)
        tightness = None if spread is None else _apart(fact, spread)
    return replace(shown, tightness=tightness or looser(claim, fact, clock.left / 4))


def _about(claim: Claim, *symbols: Declared) -> Claim:
    """A claim about these symbols alone."""
    return replace(claim, symbols={s.name: s for s in symbols}, assumptions=(), lets=(), where={})


def _is_total(node: N.Node) -> bool:
    """Whether this part of a function of u is defined for every u."""
    match node:
        case N.Apply("sqrt" | "log", (arg,)):
            return U not in walk(arg)
        case N.Apply(function, _):
            return function in _TOTAL
        case N.Power(base, N.Number(k)):
            return (k.denominator == 1 and k >= 0) or U not in walk(base)
        case N.Divide(_, below):
            return U not in walk(below)
        case N.Derivative(_, by):
            return by == U
    return isinstance(node, N.Symbol | N.Number | N.Pi | N.Add | N.Subtract | N.Multiply | N.Negate)


def _at_every_value(claim: Claim, fact: N.Relation, found: Profile, judge: Judge) -> Finding | None:
    for kind, left, right in _forms(found):
        alone = _about(claim, Declared(U.name, kind, U.shape))
        said = judge(alone, N.Relation(fact.op, left, right))
        if said.truth == "true" and said.grade in ("proved", "certified"):
            words = "at every value of the variable" + ("" if left == found.left else " and its opposite")
            return Finding(
                "symbolic", "true", "certified", f"the bound holds {words}", tightness=said.tightness
            )
    return None


def _strictly(claim: Claim, fact: N.Relation, found: Profile, judge: Judge) -> Finding | None:
    """f <= p everywhere and f(1) < p(1), for analytic f and p: they are equal at single points only."""
    bodies = (found.left, found.right)
    analytic = all(_is_analytic(part) for body in bodies for part in walk(body))
    if not found.positive or not analytic or not all(_is_total(x) for body in bodies for x in walk(body)):
        return None
    there = [substitute(body, {U: number(1)}) for body in bodies]
    apart = judge(_about(claim), N.Relation(fact.op, there[0], there[1]))
    if apart.truth != "true" or apart.grade not in ("proved", "certified"):
        return None
    return _at_every_value(claim, N.Relation(_WEAK[fact.op], fact.left, fact.right), found, judge)


def _is_analytic(node: N.Node) -> bool:
    """No kink: not a part of a function that has one."""
    return not isinstance(node, N.Derivative) and not (
        isinstance(node, N.Apply) and node.function in ("abs", "relu", "min", "max", "sqrt", "log")
    )


def _forms(found: Profile) -> Iterator[tuple[Kind, N.Node, N.Node]]:
    """f(u) and p(u) for real u; (f(u) + f(-u))/2 and (p(u) + p(-u))/2 for u >= 0."""
    yield Real(), found.left, found.right
    bodies = (found.left, found.right)
    if not found.centred or any(isinstance(part, N.Derivative) for body in bodies for part in walk(body)):
        return
    half = number(Fraction(1, 2))
    even = [N.Multiply(half, N.Add(body, substitute(body, {U: N.Negate(U)}))) for body in bodies]
    yield Interval(number(0), N.Infinity()), even[0], even[1]


def _at_every_spread(
    claim: Claim, fact: N.Relation, found: Profile, close: Close, judge: Judge
) -> Finding | None:
    """E f(u) and E p(u) as functions of the spread of u: one number, or any positive one."""
    if not found.centred:
        return None
    spread: N.Node = _SPREAD
    symbols = [Declared(_SPREAD.name, Positive(), _SPREAD.shape)]
    if found.variance is not None and not any(isinstance(x, N.Symbol) for x in walk(found.variance)):
        spread, symbols = N.Apply("sqrt", (found.variance,)), []
    law = Declared(U.name, Normal(number(0), spread), U.shape)
    alone = _about(claim, *symbols, law)
    means = [N.Expectation(found.left), N.Expectation(found.right)]
    closed = [close(alone, mean) or mean for mean in means]
    said = judge(alone, N.Relation(fact.op, closed[0], closed[1]))
    if said.truth != "true" or said.grade not in ("proved", "certified"):
        return None
    words = "the bound holds at every spread of the variable" if symbols else said.reason
    return Finding("symbolic", "true", "certified", words, tightness=said.tightness)


# --- how tight --------------------------------------------------------------------------------


def _apart(fact: N.Relation, said: Finding) -> Tightness | None:
    """Both sides are apart by more than 1% wherever they were compared, and so are the means."""
    gap = None if said.tightness is None else said.tightness.gap_low
    if gap is None or gap <= _ONE_PERCENT:
        return None
    factor = 1 - gap if fact.op == "<=" else 1 + gap
    better = None
    if isinstance(factor, Fraction) and factor.denominator < 1000:
        better = to_text(product([number(factor), *factors(fact.right)]))
    return Tightness(False, gap, better=better, proved=True)


def _apart_on_both_sides(claim: Claim, fact: N.Relation, found: Profile, judge: Judge) -> Tightness | None:
    """The gap between the means of f(u), f(-u) and of p(u), p(-u)."""
    for kind, left, right in list(_forms(found))[1:]:
        alone = _about(claim, Declared(U.name, kind, U.shape))
        said = judge(alone, N.Relation(fact.op, left, right))
        if said.truth == "true" and said.grade in ("proved", "certified"):
            return _apart(fact, said)
    return None


def _is_even_and_positive(found: Profile) -> bool:
    """Whether f <= q p at every u makes E f <= q E p: p is not negative."""
    return found.centred and all(_is_nonnegative(part) for part in walk(found.right))


def _is_nonnegative(node: N.Node) -> bool:
    """Whether no sign stands in this part of a polynomial."""
    match node:
        case N.Number(value):
            return value >= 0
        case N.Apply("sqrt" | "abs"):
            return True
    return not isinstance(node, N.Negate | N.Subtract | N.Apply)


# --- what would be right ----------------------------------------------------------------------


def best_constant(claim: Claim, fact: N.Relation, clock: Clock, judge: Judge, seed: int) -> str | None:
    """The right side times the number that makes a false bound true and tight, if it is rational:

    E f(u) <= c E |u|**k for the supremum c of f(u)/|u|**k over u > 0, f being even or symmetrised.
    """
    if fact.op not in ("<=", ">=") or claim.layers is not None:
        return None
    found = profile(claim, fact, Clock(clock.left / 4))
    split = None if found is None or not found.centred else _monomial(found.right)
    if found is None or split is None or any(isinstance(x, N.Derivative) for x in walk(found.left)):
        return None
    weight, power = split
    *_, (_, even, _) = _forms(found)
    alone = _about(claim, Declared(U.name, Positive(), U.shape))
    ratio = even if power == 0 else N.Divide(even, N.Power(U, number(power)))
    said = judge(alone, N.Relation(fact.op, ratio, number(weight)))
    if said.truth != "false" or said.corrected is None or not _RATIONAL.fullmatch(said.corrected):
        return None
    right = product([number(Fraction(said.corrected) / weight), *factors(fact.right)])
    mended = N.Relation(fact.op, fact.left, right)
    near = closeness(claim, mended, Clock(clock.left / 2), seed)
    return to_text(right) if near is not None and near.tight else None


def _monomial(body: N.Node) -> tuple[Fraction, int] | None:
    """c |u|**k as (c, k), for a rational c > 0"""
    match body:
        case N.Number(value) if value > 0:
            return value, 0
        case N.Multiply(N.Number(value), rest) if value > 0 and (inner := _monomial(rest)) is not None:
            return value * inner[0], inner[1]
        case N.Divide(rest, N.Number(value)) if value > 0 and (inner := _monomial(rest)) is not None:
            return inner[0] / value, inner[1]
        case N.Power(base, N.Number(k)) if base == U and k.denominator == 1 and k > 0:
            return Fraction(1), int(k)
    return None
