"""How close a true bound comes: gap = inf (right - left)/|right|, every free dimension >= 2.

The infimum is looked for at the corners of the domain (each symbol at its low end, or grown without
bound, or shrunk to it); that a corner is the infimum is then proved by signs.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice, product

import sympy as sp

from verifier.evidence import Tightness
from verifier.expr import nodes as n
from verifier.expr.symbols import Dimension, IndexOf
from verifier.prove.limits.approached_values import approached
from verifier.prove.scalars.coefficient_signs import sign
from verifier.prove.scalars.identically_zero import expand_sums, simplest
from verifier.prove.scalars.many_digits import evaluate
from verifier.prove.scalars.real_roots import is_inside, sign_on_line
from verifier.prove.scalars.scalar_relation import Reading
from verifier.prove.scalars.symbol_ranges import Span, rational, symbol

PERCENT = sp.Rational(1, 100)
MAX_CORNERS = 64
SMALL = tuple(sp.Rational(v) for v in ("1", "2", "3", "-1", "1/2", "-2", "0"))


def tightness(reading: Reading) -> Tightness | None:
    """The gap of a true `<=` or `>=`, its exact value where it is found."""
    left, right = expand_sums(reading.left), expand_sums(reading.right)
    found = _by_corners(reading, left, right)
    if found is None or found.tight is not None:
        return found
    # The slack is never negative, so dividing by the right side and not its size changes signs only.
    gap = left if right == 0 else (left - right) / right
    for value in approached(reading, gap):
        if abs(value) <= (0 if right == 0 else PERCENT):
            return Tightness(True, None, None if right == 0 else _fraction(abs(value)))
    return found


def _by_corners(reading: Reading, left: sp.Expr, right: sp.Expr) -> Tightness | None:
    """Where the symbols range independently: at the corners of their ranges."""
    spans = _from_two(reading)
    if right == 0:
        return _approached(left, spans) if _leaves_corners(reading) else Tightness(None)
    if right.has(sp.oo):
        return None
    slack = right - left if reading.fact.op in ("<=", "<") else left - right
    direction = sign(right, spans)
    if direction in ("positive", "nonnegative"):
        size = right
    elif direction in ("negative", "nonpositive"):
        size = -right
    else:
        return Tightness(None, note="the right side changes its sign")
    gap = _renamed(sp.cancel(sp.together(slack / size)), spans)
    values = sorted({*_corner_values(gap, spans), *_inner_values(gap, spans)})
    upper = reading.fact.op in ("<=", "<")
    if not _is_box(reading, gap):
        known = (value for value in (*values, PERCENT) if value >= PERCENT and _at_least(gap - value, spans))
        low = next(known, None)
        if low is None:
            return Tightness(None)
        if low == PERCENT:
            return Tightness(False, proved=True)
        better = simplest(right - low * size if upper else right + low * size)
        return Tightness(False, _fraction(low), better=reading.text(better), proved=True)
    if not values:
        return Tightness(None, note="no point of the domain has a gap")
    least = values[0]
    exact = _at_least(gap - least, spans)
    if least <= PERCENT:
        return Tightness(True, 0 if least == 0 else None, _fraction(least))
    if not exact and not _at_least(gap - PERCENT, spans):
        return Tightness(
            None, None, _fraction(least), note="the least gap found is not known to be the least"
        )
    low = least if exact else PERCENT
    better = simplest(right - least * size if upper else right + least * size)
    text = reading.text(better) if exact else None
    return Tightness(False, _fraction(low), _fraction(least), better=text, proved=True)


def _is_box(reading: Reading, gap: sp.Expr) -> bool:
    """Whether the symbols of the gap range independently of each other over their spans."""
    kinds = {symbol.name: reading.claim.symbols.get(symbol.name) for symbol in gap.free_symbols}
    if any(declared is None or isinstance(declared.kind, IndexOf) for declared in kinds.values()):
        return False
    return all(isinstance(fact, n.Relation) and _is_simple(fact) for fact in reading.claim.constraints)


def _leaves_corners(reading: Reading) -> bool:
    """Whether no assumption keeps the symbols from corners at which they are all 0 in the limit."""
    facts = [fact for fact in reading.claim.constraints if isinstance(fact, n.Relation)]
    simple = all(_is_simple(fact) or _is_not_nothing(fact) for fact in facts)
    return simple and len(facts) == len(reading.claim.constraints)


def _is_not_nothing(fact: n.Relation) -> bool:
    """norm(X) > 0, which leaves out no neighbourhood."""
    match fact:
        case n.Relation(">" | ">=" | "!=", n.Norm(), right):
            return rational(right) == 0
    return False


def _is_simple(fact: n.Relation) -> bool:
    """A bound of one symbol by a number, which the spans know."""
    sides = (fact.left, fact.right)
    return any(isinstance(side, n.Symbol) for side in sides) and any(
        rational(side) is not None for side in sides
    )


def _inner_values(gap: sp.Expr, spans: Mapping[str, Span]) -> Iterator[sp.Expr]:
    """The gap at small points inside, and where it is stationary if it has one variable."""
    free = sorted(gap.free_symbols, key=sp.default_sort_key)
    known = {symbol(name, span): span for name, span in spans.items()}
    if not free or len(free) > 3:
        return
    ranges = [known.get(s, Span(low=Fraction(0) if s.is_nonnegative else None)) for s in free]
    choices = [[v for v in SMALL if span.holds(Fraction(int(v.p), int(v.q)))] for span in ranges]
    places = list(islice(product(*choices), 200))
    if len(free) == 1 and gap.is_rational_function(free[0]):
        slope = sp.Poly(sp.fraction(sp.together(sp.diff(gap, free[0])))[0], free[0])
        stationary = (
            slope.real_roots() if slope.degree() > 0 and all(c.is_Rational for c in slope.coeffs()) else []
        )
        span = ranges[0]
        places += [(r,) for r in stationary if not span.integer and is_inside(r, span)]
    for place in places:
        value = gap.subs(dict(zip(free, place, strict=True)), simultaneous=True)  # 0/0 is no value
        if value.is_real and not value.has(sp.nan, sp.zoo, sp.oo):
            yield value


def _fraction(value: sp.Expr) -> Fraction | float:
    return Fraction(int(value.p), int(value.q)) if value.is_Rational else float(value)


def _from_two(reading: Reading) -> Mapping[str, Span]:
    """Tightness is judged where every free dimension is at least 2."""
    kinds = {name: item.kind for name, item in reading.claim.symbols.items()}
    return {
        name: span.above(Fraction(2), strict=False) if isinstance(kinds.get(name), Dimension) else span
        for name, span in reading.translator.spans.items()
    }


def _approached(left: sp.Expr, spans: Mapping[str, Span]) -> Tightness:
    values = list(_corner_values(left, spans))
    return Tightness(True) if any(value == 0 for value in values) else Tightness(None)


def _at_least(expr: sp.Expr, spans: Mapping[str, Span]) -> bool:
    """Whether the expression is >= 0 on the domain."""
    expr = _renamed(expr, spans)
    found = sign(expr, spans)
    if found is None and len(expr.free_symbols) == 1:
        found = sign_on_line(expr, spans)
    return found in ("positive", "nonnegative", "zero")


def _corner_values(gap: sp.Expr, spans: Mapping[str, Span]) -> Iterator[sp.Expr]:
    """Limits of the gap at corners: real numbers only."""
    gap = _renamed(gap, spans)
    stack = [gap]
    for _ in range(MAX_CORNERS):
        if not stack:
            return
        here = stack.pop()
        free = sorted(here.free_symbols, key=sp.default_sort_key)
        if not free:
            if here.is_real and evaluate(here) is not None:
                yield here
            continue
        known = {symbol(name, span): span for name, span in spans.items()}
        span = known.get(free[0], Span(low=Fraction(0) if free[0].is_nonnegative else None))
        stack += list(_ends(here, free[0], span))


def _renamed(expr: sp.Expr, spans: Mapping[str, Span]) -> sp.Expr:
    """Symbols with the assumptions of these spans."""
    by_name = {name: symbol(name, span) for name, span in spans.items()}
    return expr.xreplace({s: by_name[s.name] for s in expr.free_symbols if s.name in by_name})


def _ends(expr: sp.Expr, variable: sp.Symbol, span: Span) -> Iterator[sp.Expr]:
    """The expression at the two ends of a variable; a rational function at infinity is its quotient."""
    for end, outward in ((span.low, -sp.oo), (span.high, sp.oo)):
        target = outward if end is None else sp.Rational(end.numerator, end.denominator)
        if end is None or span.open_low:
            value = _limit(expr, variable, target)
        else:
            value = expr.subs(variable, target)
        if value is not None and not value.has(sp.nan, sp.zoo, sp.oo):
            yield value


def _limit(expr: sp.Expr, variable: sp.Symbol, target: sp.Expr) -> sp.Expr | None:
    if not expr.is_rational_function(variable):
        return None
    moved = (
        expr.subs(variable, 1 / variable)
        if target == 0
        else expr.subs(variable, -variable)
        if target == -sp.oo
        else expr
    )
    if target not in (0, sp.oo, -sp.oo):
        return sp.cancel(sp.together(expr)).subs(variable, target)
    above, below = (sp.Poly(part, variable) for part in sp.fraction(sp.cancel(sp.together(moved))))
    if above.degree() > below.degree():
        return None
    return sp.cancel(above.coeff_monomial(variable ** below.degree()) / below.LC())
