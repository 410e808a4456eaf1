"""How close a true bound comes: gap = inf (rhs - lhs)/|rhs|, enclosed."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from verifier.claim.model import Claim
from verifier.evidence import Tightness
from verifier.expr import nodes as n
from verifier.expr.symbols import Dimension
from verifier.expr.text import to_text
from verifier.rigorous import arithmetic as ar
from verifier.rigorous.boxes import prove_on_boxes
from verifier.rigorous.closed import TWO, enclose, is_zero, sign
from verifier.rigorous.closing import closed_end
from verifier.rigorous.display import as_fraction, decimal, end_text, short_text
from verifier.rigorous.domain import Domain
from verifier.rigorous.interval import INF, Interval
from verifier.rigorous.problem import Entry, Problem
from verifier.rigorous.program import enclosed
from verifier.rigorous.ranges import Extremum, Range, infimum_of, range_of
from verifier.rigorous.refusals import Imprecise, Refusal
from verifier.rigorous.refute import sample_points
from verifier.rigorous.signs import Sign
from verifier.rigorous.terms import Term, is_nonnegative

Place = dict[str, object]
ONE_PERCENT = fmpq(1, 100)
CLEARLY_LOOSE = fmpq(101, 10000)


def bound_tightness(
    claim: Claim, fact: n.Relation, problem: Problem, entry: Entry, signs: list[Sign], deadline: float
) -> Tightness | None:
    """Tightness of lhs <= rhs (mirrored for >=), for one entry."""
    if not problem.complete:
        return None
    domains = _wide(claim, problem)
    room = entry.right - entry.left if entry.op in ("<=", "<") else entry.left - entry.right
    names = problem.names(room, entry.right)
    if is_zero(entry.right):
        return _at_zero(entry, room, names, domains, signs, deadline)
    if not isinstance(entry.right, Term) and sign(entry.right) == 0:
        return None
    size = _absolute(entry.right)
    gap = room * ar.inverse(size)
    low, high, where = _infimum(gap, names, domains, problem, deadline)
    return _judged(low, high, where, lambda: _better(entry, fact, room, names, domains, low, deadline))


def _wide(claim: Claim, problem: Problem) -> dict[str, Domain]:
    """Tightness looks at dimensions >= 2 only."""
    return {
        name: domain.cut(">=", TWO) if isinstance(claim.symbols[name].kind, Dimension) else domain
        for name, domain in problem.domains.items()
    }


def _absolute(value: Any) -> Any:
    if not isinstance(value, Term):
        return value if sign(value) > 0 else -value
    return value if is_nonnegative(value) else ar.kinked("abs", value)


def _infimum(
    gap: Any, names: tuple[str, ...], domains: dict[str, Domain], problem: Problem, deadline: float
) -> tuple[arb | None, arb | None, Place]:
    """Bounds on the inf, and where it lies."""
    if not names:
        ball = enclose(gap)
        return ball.lower(), ball.upper(), {}
    if len(names) == 1 and not problem.constraints:
        inf = infimum_of(gap, names[0], domains[names[0]], deadline)
        if inf is None:
            return None, None, {}
        high = _reached(inf, gap, names[0], domains[names[0]])
        return inf.low, high, {names[0]: inf.place}
    return _sampled(gap, names, domains, problem, deadline)


def _reached(inf: Extremum, gap: Any, name: str, domain: Domain) -> arb:
    """An upper bound on the inf: for integers, only whole points and the way to infinity count."""
    if not domain.integer or (inf.approached and inf.where in ("oo", "-oo")):
        return inf.high
    best = INF
    for k in [*range(1, 41), 64, 100, 256, 1000, 10**4, 10**6]:
        for value in (fmpq(k), fmpq(-k), fmpq(k - 1)):
            if domain.holds(value):
                best = min(best, _value(gap, {name: value}))
    return best


def _value(gap: Any, values: dict[str, fmpq]) -> arb:
    try:
        return enclosed(gap, {name: Interval.of(value) for name, value in values.items()}).hi
    except Refusal:
        return INF


def _sampled(
    gap: Any, names: tuple[str, ...], domains: dict[str, Domain], problem: Problem, deadline: float
) -> tuple[arb | None, arb | None, Place]:
    """Several variables: the least value met at points, and 1% from below where boxes show it."""
    wide = replace(problem, domains=domains)
    best, place = INF, Place()
    for values in sample_points(wide, names):
        value = _value(gap, values)
        if value < best:
            best, place = value, {name: str(v) for name, v in values.items()}
    if best <= arb(ONE_PERCENT):
        return None, best, place
    inner = {name: domains[name] for name in names}
    shown = prove_on_boxes(gap - CLEARLY_LOOSE, inner, problem.constraints, True, deadline)
    return (arb(CLEARLY_LOOSE).lower() if shown is None else None), best, place


def _judged(low: arb | None, high: arb | None, where: Place, better: Any) -> Tightness | None:
    threshold = arb(ONE_PERCENT)
    tight: bool | None = None
    if high is not None and high <= threshold:
        tight = True
    elif low is not None and low > threshold:
        tight = False
    return Tightness(
        tight,
        _fraction(None if low is None else max(low, arb(0))),  # the bound is already known to be true
        _fraction(high),
        better() if tight is False else None,
        where or None,
        None if tight is None else _note(tight, where),
    )


def _note(tight: bool, where: Place) -> str:
    place = " at " + ", ".join(f"{name} = {value}" for name, value in where.items()) if where else ""
    return f"the bound is reached to within 1%{place}" if tight else f"it comes closest{place}"


def _fraction(value: arb | None) -> Fraction | None:
    return as_fraction(value.mid().fmpq()) if value is not None and value.is_finite() else None


def _better(
    entry: Entry,
    fact: n.Relation,
    room: Any,
    names: tuple[str, ...],
    domains: dict[str, Domain],
    gap: arb | None,
    deadline: float,
) -> str | None:
    """A constant bound: the true extreme of the left side. Otherwise a factor times the bound."""
    upper = entry.op in ("<=", "<")
    if not isinstance(entry.right, Term):
        return _extreme_text(entry.left, names, domains, upper, deadline)
    if gap is None or not gap.is_finite() or not is_nonnegative(entry.right):
        return None
    factor = 1 - gap if upper else 1 + gap
    return f"{decimal(factor, up=upper)}*({to_text(fact.right)})"


def _extreme_text(
    value: Any, names: tuple[str, ...], domains: dict[str, Domain], upper: bool, deadline: float
) -> str | None:
    if not isinstance(value, Term):
        return short_text(value) or decimal(enclose(value), upper)
    if len(names) != 1:
        return None
    found = range_of(value, names[0], domains[names[0]], deadline)
    if found is None:
        return None
    return range_end(value, names[0], domains[names[0]], found, upper, deadline)


def range_end(value: Any, name: str, domain: Domain, found: Range, upper: bool, deadline: float) -> str:
    """The true end as text: a closed form where it is proven, else rounded outward."""
    extreme = found.sup if upper else found.inf
    exact = closed_end(value, name, domain, extreme, upper, deadline)
    return end_text(extreme.high if upper else extreme.low, exact, upper)


def _at_zero(
    entry: Entry,
    room: Any,
    names: tuple[str, ...],
    domains: dict[str, Domain],
    signs: list[Sign],
    deadline: float,
) -> Tightness | None:
    """A constant bound 0 is tight where it is approached."""
    for found in signs:
        places = found.zeros or found.approached
        if places:
            return Tightness(True, note=f"the bound is approached at {places[0]}")
    if len(names) == 1:
        inf = infimum_of(room, names[0], domains[names[0]], deadline)
        if inf is not None and inf.low > 0:
            better = _extreme_text(entry.left, names, domains, entry.op in ("<=", "<"), deadline)
            return Tightness(False, better=better, note="the bound is never approached")
        if inf is not None and inf.exact is not None and is_zero(inf.exact):
            return Tightness(True, where={names[0]: inf.place}, note="the bound is approached")
    if not names:
        side = sign(room)
        better = short_text(entry.left) or decimal(enclose(entry.left), entry.op in ("<=", "<"))
        return Tightness(side == 0, better=better if side else None)
    return None


def range_tightness(
    value: Any, low: Any | None, high: Any | None, name: str, domain: Domain, found: Range, deadline: float
) -> Tightness:
    """Each end within 1% of the true range's width; an infinite end is tight if the range is infinite."""
    ends = _both_ends(low, high, found)
    exact = found
    if None in ends or not all(ends):
        exact = _closed_range(value, name, domain, found, deadline)
        ends = _both_ends(low, high, exact)
    tight = None if None in ends else all(ends)
    left, right = (end_text(e, x.exact, up) for e, x, up in _outer_ends(exact))
    note = f"the true range is [{left}, {right}], at {name} = {found.inf.place} and {found.sup.place}"
    return Tightness(tight, better=None if tight else f"[{left}, {right}]", note=note)


def _outer_ends(found: Range) -> list[tuple[arb, Extremum, bool]]:
    return [(found.inf.low, found.inf, False), (found.sup.high, found.sup, True)]


def _closed_range(value: Any, name: str, domain: Domain, found: Range, deadline: float) -> Range:
    inf = replace(found.inf, exact=closed_end(value, name, domain, found.inf, False, deadline))
    sup = replace(found.sup, exact=closed_end(value, name, domain, found.sup, True, deadline))
    return replace(found, inf=inf, sup=sup)


def _both_ends(low: Any | None, high: Any | None, found: Range) -> list[bool | None]:
    width: Any = INF
    if found.sup.low.is_finite() and found.inf.high.is_finite():
        width = _number(found.sup) - _number(found.inf)
    return [_is_close(low, found.inf, width), _is_close(high, found.sup, width)]


def _number(extreme: Extremum) -> Any:
    """The closed form where it is known: an end that is off by exactly 1% is still tight."""
    return extreme.low.union(extreme.high) if extreme.exact is None else extreme.exact


def _is_close(end: Any | None, true: Extremum, width: Any) -> bool | None:
    if end is None or not true.low.is_finite() or not true.high.is_finite():
        return (end is None) != true.high.is_finite() if end is None else True
    if isinstance(width, arb) and not width.is_finite():
        return True
    off = ar.kinked("abs", end - _number(true))
    try:
        return sign(width * ONE_PERCENT - off) >= 0
    except Imprecise:
        return None
