"""Whether one expression is bounded by a constant times another as sizes grow."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Literal

import sympy as sp

from verifier.claim.model import Assumption
from verifier.expr import nodes as n
from verifier.expr.text import to_text
from verifier.expr.walk import walk
from verifier.prove.growth.polynomial_orders import dominated, escaping_path, newton, vanishing
from verifier.prove.limits.limit_values import SIZES, symbolic_limit
from verifier.prove.limits.power_quotients import one_fraction
from verifier.prove.scalars.coefficient_signs import sign
from verifier.prove.scalars.identically_zero import generic_branch
from verifier.prove.scalars.invariant_points import Concrete, allowed
from verifier.prove.scalars.many_digits import evaluate
from verifier.prove.scalars.scalar_relation import Reading
from verifier.prove.scalars.symbol_ranges import Span, symbol
from verifier.prove.scalars.zeros import zeros

Answer = Literal["true", "false", "unknown"]


@dataclass(frozen=True)
class Bound:
    """One direction: is upper = O(lower)? `path` says along what sizes it fails, `at` where."""

    answer: Answer
    strict: bool = False
    path: tuple[int, ...] = ()
    at: Concrete | None = None
    reason: str = ""


def plain(expr: sp.Expr) -> sp.Expr:
    expr = generic_branch(expr)
    return sp.expand_func(sp.combsimp(expr)) if expr.has(sp.binomial, sp.factorial) else expr


def bounded(
    reading: Reading,
    over: sp.Expr,
    under: sp.Expr,
    growing: tuple[sp.Symbol, ...],
    by_limits: bool = True,
) -> Bound:
    """Whether |over| <= C |under| once the growing symbols are large, for every value of the rest."""
    reading.clock.check()
    if over == 0:
        return Bound("true", strict=True)
    high, low = _without_common_powers(plain(over), plain(under), growing)
    found = _by_monomials(reading, high, low, growing)
    if found.answer != "unknown":
        return found
    larger = _by_monomials(reading, _majorant(high), low, growing)
    if larger.answer == "true":
        return larger
    for at in allowed(reading, growing):
        special = _by_monomials(reading, at.of(high), at.of(low), growing)
        if special.answer == "false":
            return replace(special, at=at)
    if len(growing) > 1 or not by_limits:
        return found
    found = _by_limit(reading, high, low, growing[0])
    return found if found.answer != "true" else _special(reading, over, under, growing[0]) or found


def _majorant(expr: sp.Expr) -> sp.Expr:
    """|a - b| <= |a| + |b|; for generic sizes one monomial is larger than all others, so little is lost."""
    return sp.Add(*(sp.Abs(term) for term in sp.Add.make_args(sp.expand(expr))))


def _without_common_powers(
    over: sp.Expr, under: sp.Expr, growing: tuple[sp.Symbol, ...]
) -> tuple[sp.Expr, sp.Expr]:
    """n r**L against m r**L is n against m: where r**L is 0, so are both."""
    raised = [p for p in (over * under).atoms(sp.Pow) if p.exp.free_symbols & set(growing)]
    if len(growing) == 1 or not raised:
        return over, under
    above, below = sp.fraction(sp.cancel(over / under))
    return (above, below) if not (above * below).atoms(sp.Pow) & set(raised) else (over, under)


def _by_monomials(reading: Reading, over: sp.Expr, under: sp.Expr, growing: tuple[sp.Symbol, ...]) -> Bound:
    """over <= C under  iff  P = O(R) for (over/under)**k = P/R, polynomials in the roots of the sizes."""
    spans = reading.translator.spans
    exponents = {p.exp for side in (over, under) for p in side.atoms(sp.Pow, sp.exp)}
    if any(e.free_symbols & set(growing) for e in exponents):
        return Bound("unknown", reason="not a ratio of polynomials in the growing symbols")
    if not all(_is_nonnegative(side, spans) for side in (over, under)):
        over, under = _grown(over, growing), _grown(under, growing)
        if not all(_is_nonnegative(side, spans) for side in (over, under)):
            return Bound("unknown", reason="a side whose sign is not clear")
    ratio = sp.powsimp(over / under)
    roots = {s: sp.Dummy(s.name, positive=True) for s in growing}
    for power in (1, 2, 4):
        parts = sp.fraction(sp.together(sp.powdenest(sp.expand_power_base(ratio**power))))
        raised = [sp.expand(part.subs({s: r**2 for s, r in roots.items()})) for part in parts]
        if all(part.is_polynomial(*roots.values()) for part in raised):
            break
    else:
        return Bound("unknown", reason="not a ratio of polynomials in the growing symbols")
    high, low = (newton(part, tuple(roots.values()), spans) for part in raised)
    if high is None or low is None:
        return Bound("unknown", reason="terms of unclear sign")
    if dominated(high.monomials, low.sure):
        return Bound("true", strict=vanishing(high.monomials, low.monomials))
    weights = escaping_path(high.sure, low.monomials)
    if weights is not None:
        return Bound("false", path=weights, reason="the ratio grows without bound")
    return Bound("unknown", reason="a coefficient that may vanish decides")


def _is_nonnegative(side: sp.Expr, spans: Mapping[str, Span]) -> bool:
    return bool(side.is_nonnegative) or sign(side, spans) in ("positive", "nonnegative")


def is_nonnegative_far_out(reading: Reading, side: sp.Expr, growing: tuple[sp.Symbol, ...]) -> bool:
    """Whether it is never negative, at least at large sizes."""
    spans, expr = reading.translator.spans, plain(side)
    return _is_nonnegative(expr, spans) or _is_nonnegative(_grown(expr, growing), spans)


def _grown(expr: sp.Expr, growing: tuple[sp.Symbol, ...]) -> sp.Expr:
    """The expression beyond size 64, where a leading term has overcome the others."""
    return expr.subs({s: 64 + s for s in growing}, simultaneous=True)


def _by_limit(reading: Reading, over: sp.Expr, under: sp.Expr, growing: sp.Symbol) -> Bound:
    """The limit of the ratio, where it exists for every value of the parameters."""
    ratio = one_fraction(over / under, growing)
    if growing not in ratio.free_symbols:
        value = ratio
    else:
        escape = _escapes(reading, ratio, growing)
        if escape is not None:
            return escape
        value = reading.translator.limiter(ratio, growing, sp.oo)
    if value in (sp.oo, -sp.oo):
        return Bound("unknown", reason="a ratio without bound that numbers do not show")
    spans = reading.translator.spans
    for part in (ratio, value):
        below = sp.fraction(sp.together(part))[1]
        clear = sign(below, spans) in ("positive", "negative") or _zeros_match(reading, over, below)
        clear = clear or _is_assumed_positive(reading, below)
        if not clear and not _vanishes_in(_zero_cases(part, spans), below, spans):
            return Bound("unknown", reason="a denominator that may vanish")
    return Bound("true", strict=value == 0)


def _vanishes_in(cases: list[dict[sp.Symbol, sp.Integer]], below: sp.Expr, spans: Mapping[str, Span]) -> bool:
    """Whether the denominator is 0 in these cases alone, which are looked at by themselves."""
    found = zeros(below, spans)
    return found is not None and all(case in cases for case in found)


def _zero_cases(expr: sp.Expr, spans: Mapping[str, Span]) -> list[dict[sp.Symbol, sp.Integer]]:
    """The parameters that may be 0, each by itself and all together: limits often fail exactly there."""
    known = {symbol(name, span): span for name, span in spans.items()}
    names = sorted(expr.free_symbols & known.keys(), key=sp.default_sort_key)
    loose = [s for s in names if known[s].holds(Fraction(0))]
    single = [{s: sp.Integer(0)} for s in loose]
    return [*single, {s: sp.Integer(0) for s in loose}] if len(loose) > 1 else single


def _special(reading: Reading, over: sp.Expr, under: sp.Expr, growing: sp.Symbol) -> Bound | None:
    """The same question where a parameter is 0; None if the answer is `true` there too."""
    for at in _zero_cases(over / under, reading.translator.spans):
        sides = over.subs(at), under.subs(at)
        if any(side.has(sp.nan, sp.zoo) for side in sides):
            continue
        if sides[1] == 0 and sides[0] != 0:
            return Bound("unknown", reason="the right side is 0 where a parameter is")
        inside = _under(reading, at)
        found = bounded(inside, *sides, (growing,))
        if found.answer == "false" and found.at is None:
            return replace(found, at=next(allowed(inside, (growing,)), None))
        if found.answer != "true":
            return found
    return None


def _under(reading: Reading, zeros: Mapping[sp.Symbol, sp.Integer]) -> Reading:
    """The reading whose points have these parameters at 0."""
    facts = [n.Relation("==", n.Symbol(s.name), n.Number(Fraction(0))) for s in zeros]
    added = [Assumption("special case", fact, to_text(fact), reading.claim.position) for fact in facts]
    claim = replace(reading.claim, assumptions=(*reading.claim.assumptions, *added))
    return replace(reading, claim=claim)


def _escapes(reading: Reading, ratio: sp.Expr, growing: sp.Symbol) -> Bound | None:
    """An allowed point at which the ratio tends to infinity, seen by limit and by numbers."""
    for at in allowed(reading, (growing,)):
        reading.clock.check()
        here = at.of(ratio)
        found = [evaluate(here, {growing: sp.Integer(size)}) for size in SIZES]
        sizes = [abs(value) for value in found if value is not None]
        rising = len(sizes) == len(SIZES) and all(a < b for a, b in pairwise(sizes))
        if rising and sizes[-1] > 2 * sizes[0]:
            with reading.clock.guard(0.4):
                limit = symbolic_limit(sp.powsimp(here), growing, sp.oo)
            if limit in (sp.oo, -sp.oo):
                return Bound("false", at=at, reason="the ratio grows without bound")
    return None


def _is_assumed_positive(reading: Reading, below: sp.Expr) -> bool:
    """Whether every factor that may vanish is a quantity of which an assumption says that it does not."""
    facts = [fact for fact in reading.claim.constraints if isinstance(fact, n.Relation)]
    known = [fact.left for fact in facts if fact.op in (">", "!=") and fact.right == n.Number(Fraction(0))]
    for base in sp.factor(below).as_powers_dict():
        if sign(base, reading.translator.spans) in ("positive", "negative"):
            continue
        if reading.translator.atoms.get(base) not in known:
            return False
    return True


def _zeros_match(reading: Reading, over: sp.Expr, below: sp.Expr) -> bool:
    """Where norm(X) = 0 in the denominator, X = 0: then every invariant of X must make `over` 0."""
    atoms = reading.translator.atoms
    zero_of: set[str] = set()
    for base in sp.factor(below).as_powers_dict():
        known = sign(base, reading.translator.spans)
        if known in ("positive", "negative"):
            continue
        match atoms.get(base):
            case n.Norm(n.Symbol(name)):
                zero_of.add(name)
            case _:
                return False
    for name in zero_of:
        gone = {a: 0 for a, node in atoms.items() if _mentions(node, name)}
        if sp.simplify(over.subs(gone)) != 0:
            return False
    return bool(zero_of)


def _mentions(node: n.Node, name: str) -> bool:
    return any(isinstance(part, n.Symbol) and part.name == name for part in walk(node))
