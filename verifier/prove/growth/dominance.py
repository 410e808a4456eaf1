"""Growth in one symbol from the leading terms of both sides, with the cases in which they change.

    left ~ c S(n),  right ~ e T(n),  S and T scales n**(s n) r**n n**p log(n)**q ...:
    left = O(right)  iff  S/T stays bounded

at every value of the other symbols where c and e are not 0. Where one of them vanishes, or the scales
depend on an open sign, the relation is judged again under that value, or under each sign.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, islice

import sympy as sp

from verifier.claim.model import Claim
from verifier.evidence import Finding, Tightness, weakest
from verifier.expr import nodes as n
from verifier.prove.growth.running_ratios import REASONS, Kind, runaway, runs_away
from verifier.prove.limits.expansions import Expander
from verifier.prove.limits.leading_terms import ORDERS, leading_conditions
from verifier.prove.limits.limit_values import tends
from verifier.prove.limits.scale_sums import Comparison, MoreTerms, Scale, Undecided
from verifier.prove.scalars.assumed_gaps import Gap
from verifier.prove.scalars.closed_scalars import Closing
from verifier.prove.scalars.identically_zero import by_exponentials, double_factorials, generic_case
from verifier.prove.scalars.invariant_points import Concrete, allowed
from verifier.prove.scalars.scalar_refusal import Refused, Undefined
from verifier.prove.scalars.scalar_relation import ENGINE, Reading, gaps_of, interpret
from verifier.prove.scalars.special_cases import Case, is_empty, sign_claims, special_claims
from verifier.prove.scalars.symbol_ranges import Span
from verifier.prove.scalars.zeros import sign_changes

MAX_NESTED = 3
POINTS, CHECKS = 24, 3


@dataclass(frozen=True)
class Leads:
    """The order of left/right: 1 grows, -1 vanishes, 0 tends to `ratio`; right where no condition is 0.

    `sign` is that of left/right, where it was asked for."""

    order: int
    ratio: sp.Expr
    left: sp.Expr
    conditions: tuple[sp.Expr, ...]
    sign: int = 1

    def breaks(self, kind: Kind) -> bool:
        """O and Theta speak of sizes; a lower bound of what is negative is none."""
        too_large, too_small = self.order > 0 and kind != "Omega", self.order < 0 and kind != "O"
        return too_large or too_small or (kind == "Omega" and self.sign < 0)

    @property
    def words(self) -> str:
        if self.order < 0:
            return "the ratio tends to 0"
        return "the ratio is negative" if self.sign < 0 else "the ratio grows without bound"


def leads(
    left: sp.Expr,
    right: sp.Expr,
    variable: sp.Symbol,
    spans: Mapping[str, Span],
    gaps: tuple[Gap, ...] = (),
    kind: Kind = "Theta",
) -> Leads:
    """The leading terms of both sides, compared. For an upper bound nothing is asked of the left one: where
    its coefficient is 0, the left side is smaller still. For a lower bound the sign of the ratio is."""
    late: Refused = MoreTerms("leading terms that cancel")
    (left, first), (right, second) = explicit(left), explicit(right)
    known = _generic(first + second, variable, spans)
    if right == 0:
        raise Refused("a right side that is 0")
    if left == 0:
        return Leads(-1, sp.Integer(0), left, known)
    for order in ORDERS:
        comparison = Comparison(spans, gaps)
        expander = Expander(variable, comparison, order)
        try:
            above, _ = expander.leading(expander.of(left))
            below, _ = expander.leading(expander.of(right))
        except MoreTerms as refusal:
            late = refusal
            continue
        found = _compared(comparison, above.scale, below.scale)
        for part in (below,) if kind == "O" else (above, below):
            comparison.nonzero(part.series[0])
        ratio = above.series[0] / below.series[0]
        sign = _sign(comparison, ratio, above.scale.r / below.scale.r) if kind == "Omega" else 1
        sized = _written(above.scale, variable, comparison)
        return Leads(found, ratio, sized, (*known, *comparison.conditions), sign)
    raise late


def _sign(comparison: Comparison, ratio: sp.Expr, rate: sp.Expr) -> int:
    if comparison.sign(rate) != "positive":
        raise Refused("a lower bound of terms with alternating signs")
    return comparison.direction(ratio)


def explicit(expr: sp.Expr) -> tuple[sp.Expr, list[sp.Expr]]:
    """Sums, double factorials and hyperbolic functions written out; right where no condition is 0.

    A sum that has a closed form in some cases only is left as it is."""
    conditions: list[sp.Expr] = []
    expr = double_factorials(expr)
    with suppress(Refused):
        expr, conditions = generic_case(expr)
    return (by_exponentials(expr) if expr.has(sp.tanh, sp.sinh, sp.cosh) else expr), conditions


def _generic(
    conditions: list[sp.Expr], variable: sp.Symbol, spans: Mapping[str, Span]
) -> tuple[sp.Expr, ...]:
    """Conditions of sums; one that speaks of the variable must hold for all large values of it."""
    found: list[sp.Expr] = []
    for condition in conditions:
        moving = variable in condition.free_symbols
        found += leading_conditions(condition, variable, spans) if moving else [condition]
    return tuple(found)


def _compared(comparison: Comparison, above: Scale, below: Scale) -> int:
    above, below = (_without_sign(scale, comparison) for scale in (above, below))
    if above.alike(below) and above.p == below.p:
        return 0
    return 1 if comparison.larger(above, below) else -1


def _without_sign(scale: Scale, comparison: Comparison) -> Scale:
    """|r**n| = |r|**n."""
    return replace(scale, r=-scale.r) if comparison.sign(scale.r) == "negative" else scale


def _written(scale: Scale, variable: sp.Symbol, comparison: Comparison) -> sp.Expr:
    base = scale.r if comparison.sign(scale.r) == "positive" else sp.Abs(scale.r)
    log = sp.log(variable)
    slow = variable**scale.p * log**scale.q * sp.log(log) ** scale.w
    stretched = sp.exp(sp.Add(*(c * variable**a * log**b for (a, b), c in scale.h)))
    return variable ** (scale.s * variable) * base**variable * stretched * slow


# --- one claim, in all its cases --------------------------------------------------------------------


@dataclass(frozen=True)
class Growing:
    """left <= O(right) and its kin as one symbol grows, in closed form."""

    fact: n.Relation
    closed: n.Relation
    closing: Closing
    kind: Kind
    variable: n.Symbol

    def judged(self, claim: Claim, nested: int = 0) -> Finding:
        reading = interpret(claim, self.fact, self.closed, self.closing)
        variable = reading.translator.free(self.variable.name)
        if not reading.is_still:
            raise Refused("the growth of an invariant that moves itself")
        if explicit(reading.left)[0] == 0 == explicit(reading.right)[0]:
            return reading.finding("true", "proved", reason="both sides are 0")
        try:
            with self.closing.clock.guard(0.4):
                spans = reading.translator.spans
                found = leads(reading.left, reading.right, variable, spans, gaps_of(claim, spans), self.kind)
        except Undecided as open_sign:
            turn = sign_changes(open_sign.expr, spans, gaps_of(claim, spans))
            if nested == MAX_NESTED or turn is None or turn[0].name not in claim.symbols:
                return self._refuted(reading, variable) or _unknown(open_sign.reason)
            return self._signs(sign_claims(claim, self.closed, open_sign.expr), nested)
        reading = replace(reading, conditions=(*reading.conditions, *found.conditions))
        return self._special(reading, self._generic(reading, variable, found), nested)

    def _generic(self, reading: Reading, variable: sp.Symbol, found: Leads) -> Finding:
        """The answer where no condition fails, confirmed by numbers at allowed points."""
        within = replace(reading, claim=reading.generic)
        ratio = explicit(reading.left)[0] / explicit(reading.right)[0]
        wanted = {1: sp.oo, 0: found.ratio, -1: sp.Integer(0)}[found.order]
        count = CHECKS if (ratio.free_symbols | wanted.free_symbols) - {variable} else 1
        near = islice(allowed(within, (variable,), POINTS), count)
        seen = [at for at in near if tends(ratio, variable, wanted, at.values)]
        if not seen:
            return _unknown("leading orders that numbers do not confirm")
        if found.breaks(self.kind):
            return self._false(within, variable, found, seen)
        loose = found.order != 0
        tightness = (
            None
            if self.kind == "Theta"
            else Tightness(not loose, better=self._better(reading, found), proved=True)
        )
        return reading.finding("true", "proved", reason=REASONS[self.kind], tightness=tightness)

    def _false(self, reading: Reading, variable: sp.Symbol, found: Leads, seen: list[Concrete]) -> Finding:
        """At a point where it shows: elsewhere what leads may be 0."""
        tried = chain(seen, allowed(reading, (variable,), POINTS))
        run = (at for at in tried if runs_away(reading, (variable,), (1,), at, found.order > 0))
        at = seen[0] if found.order == 0 else next(run, None)
        if at is None:
            return _unknown("a point at which the ratio runs away")
        # What leads at generic values may be 0 at others: an upper bound it is there as well, and no more.
        order = found.left if self.kind == "O" or not reading.conditions else reading.shortest(reading.left)
        corrected = None if found.sign < 0 else reading.text(order)
        return runaway(reading, (variable,), (1,), at, found.words, corrected)

    def _better(self, reading: Reading, found: Leads) -> str | None:
        words = None if found.order == 0 else reading.text(found.left)
        return None if words is None else f"{self.kind}({words})"

    def _refuted(self, reading: Reading, variable: sp.Symbol) -> Finding | None:
        """A choice of the other symbols at which the order is wrong: there every sign is known."""
        for at in allowed(reading, (variable,)):
            self.closing.clock.check()
            sides = (at.of(reading.left), at.of(reading.right))
            try:
                found = leads(*sides, variable, reading.translator.spans, kind=self.kind)
            except Refused:
                continue
            wanted = {1: sp.oo, 0: found.ratio, -1: sp.Integer(0)}[found.order]
            ratio = explicit(sides[0])[0] / explicit(sides[1])[0]
            if found.breaks(self.kind) and not found.conditions and tends(ratio, variable, wanted, {}):
                return self._false(reading, variable, found, [at])
        return None

    def _special(self, reading: Reading, found: Finding, nested: int) -> Finding:
        """The generic finding, unless it is another where a condition fails."""
        if found.truth == "false":
            return found
        try:
            special = special_claims(reading)
        except Refused as refusal:
            return _unknown(refusal.reason)
        if special and nested == MAX_NESTED:
            return _unknown("a decision of " + "; ".join(name for name, _ in special))
        return self._all(special, nested, found)

    def _signs(self, cases: list[Case], nested: int) -> Finding:
        """True if it is for each sign; tight if it is on an open set."""
        generic = Finding(ENGINE, "true", "proved", REASONS[self.kind])
        return self._all(cases, nested, generic)

    def _all(self, cases: list[Case], nested: int, generic: Finding) -> Finding:
        open_cases, gaps = [], [generic.tightness]
        for name, claim in cases:
            found = self._one(claim, nested)
            if found is None:
                continue
            if found.truth == "false":
                reason = f"{found.reason}, in the special case {name}"
                return replace(found, reason=reason, corrected=None)
            if found.truth == "unknown":
                open_cases.append(f"{name}: {found.missing}")
            else:
                if generic.truth == "true":
                    generic = replace(generic, grade=weakest(generic.grade, found.grade))
                gaps += [] if _is_thin(claim) else [found.tightness]
        if open_cases and generic.truth == "true":
            return _unknown("a decision of " + "; ".join(open_cases))
        known = [gap for gap in gaps if gap is not None]
        tight = next((gap for gap in known if gap.tight), known[0] if known else None)
        return replace(generic, tightness=tight)

    def _one(self, claim: Claim, nested: int) -> Finding | None:
        """The finding in one case; None where no point of the domain is in it."""
        try:
            if is_empty(claim, self.closed, self.closing):
                return None
            return self.judged(claim, nested + 1)
        except Undefined:
            return None
        except Refused as refusal:
            return _unknown(refusal.reason)


def _is_thin(claim: Claim) -> bool:
    """Whether the case is a single value of a symbol, at which nothing is generic."""
    fact = claim.assumptions[-1].fact
    return isinstance(fact, n.Relation) and fact.op == "=="


def _unknown(reason: str) -> Finding:
    return Finding(ENGINE, "unknown", reason=reason, missing=reason)


def decide(claim: Claim, fact: n.Relation, closing: Closing, kind: Kind) -> Finding:
    """Growth as one symbol grows, the left side known up to constants."""
    (variable,) = claim.growing
    closed = n.Relation(fact.op, closing.close(fact.left), closing.close(fact.right))
    return Growing(fact, closed, closing, kind, n.Symbol(variable.name)).judged(claim)
