"""How close a true bound comes: gap = inf (rhs - lhs)/|rhs|, mirrored for >=, enclosed."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, final

from flint import arb, fmpq

from verifier.claim.model import Claim
from verifier.evidence import Tightness
from verifier.exact.enclosures.branch_and_bound import prove_on_boxes
from verifier.exact.enclosures.closed_extremes import extreme_text
from verifier.exact.enclosures.domains import Domain
from verifier.exact.enclosures.range_enclosures import Extremum, infimum_of, supremum_of
from verifier.exact.enclosures.sign_on_domain import Sign
from verifier.exact.numbers import operations as ar
from verifier.exact.numbers.constants import TWO, enclose, is_zero, sign
from verifier.exact.numbers.guess_constants import rational_near
from verifier.exact.numbers.interval import INF
from verifier.exact.numbers.number_text import as_fraction, decimal, short_text
from verifier.exact.numbers.scalar_terms import Term, is_nonnegative
from verifier.expr import nodes as n
from verifier.expr.products import times as scaled
from verifier.expr.symbols import Dimension
from verifier.expr.text import to_text
from verifier.prove.ranges.least_points import least, value_at
from verifier.prove.ranges.problem import Entry, Problem
from verifier.prove.ranges.sos.over_domains import by_squares
from verifier.timer import worked

Place = dict[str, object]
ONE_PERCENT = fmpq(1, 100)
CLEARLY_LOOSE = fmpq(101, 10000)
NEARLY = fmpq(1, 10**6)
KNOWN = arb("0.001")
MAX_DENOMINATOR = 144
FEW = 12  # characters of a number that a person reads
WHOLE_POINTS = (*range(1, 41), 64, 100, 256, 1000, 10**4, 10**6)


@final
@dataclass(frozen=True)
class Bound:
    """A true bound, its variables, and the domains it is judged tight over (dimensions >= 2)."""

    fact: n.Relation
    problem: Problem
    entry: Entry
    domains: dict[str, Domain]
    deadline: float

    @property
    def upper(self) -> bool:
        return self.entry.op in ("<=", "<")

    @property
    def room(self) -> Any:
        left, right = self.entry.left, self.entry.right
        return right - left if self.upper else left - right

    @property
    def names(self) -> tuple[str, ...]:
        return self.problem.names(self.entry.left, self.entry.right)

    @property
    def narrowed(self) -> bool:
        """Whether tightness looks at fewer points than truth."""
        return any(self.domains[name] != self.problem.domains[name] for name in self.names)


@final
@dataclass(frozen=True)
class Gap:
    """low <= gap <= high, and where it is reached; None: not known."""

    low: arb | None
    high: arb | None
    where: Place
    exact: fmpq | None = None

    @property
    def tight(self) -> bool | None:
        if self.high is not None and self.high <= arb(ONE_PERCENT):
            return True
        return False if self.low is not None and self.low > arb(ONE_PERCENT) else None


def bound_tightness(
    claim: Claim, fact: n.Relation, problem: Problem, entry: Entry, found: Sign, deadline: float
) -> Tightness | None:
    """Tightness of one entry of a bound that is known to be true."""
    if not problem.complete:
        return None
    bound = Bound(fact, problem, entry, _wide(claim, problem), deadline)
    if is_zero(entry.right):
        return _at_zero(bound, found)
    single = len(bound.names) == 1 and not problem.constraints
    if single and not isinstance(entry.right, Term) and not bound.domains[bound.names[0]].integer:
        return _constant(bound, bound.names[0])
    gap = _gap(bound, bound.domains)
    return _tightness(gap, _better(bound, gap) if gap.tight is False else None)


def _wide(claim: Claim, problem: Problem) -> dict[str, Domain]:
    return {
        name: domain.cut(">=", TWO) if isinstance(claim.symbols[name].kind, Dimension) else domain
        for name, domain in problem.domains.items()
    }


def _tightness(gap: Gap, better: str | None) -> Tightness:
    place = ", ".join(f"{name} = {value}" for name, value in gap.where.items() if value != "everywhere")
    far = f"it comes closest at {place}" if place else "it is equally far off everywhere"
    notes = {True: f"it is reached to within 1%{place and ' at '}{place}", False: far, None: None}
    # The bound is known to be true, so a gap below zero is rounding.
    low = None if gap.low is None else max(gap.low, arb(0))
    ends = (_fraction(low), _fraction(gap.high))
    return Tightness(gap.tight, *ends, better, gap.where or None, notes[gap.tight], proved=True)


def _fraction(value: arb | None) -> Fraction | None:
    return as_fraction(value.mid().fmpq()) if value is not None and value.is_finite() else None


# --- a constant on the right ----------------------------------------------------------------------


def _constant(bound: Bound, name: str) -> Tightness | None:
    """The extreme of the left side tells the gap and the better constant at once."""
    left, domain = bound.entry.left, bound.domains[name]
    extreme = (supremum_of if bound.upper else infimum_of)(left, name, domain, bound.deadline)
    if extreme is None:
        return None
    gap = _from_extreme(bound, extreme, name)
    better = (
        extreme_text(left, name, domain, extreme, bound.upper, bound.deadline) if gap.tight is False else None
    )
    return _tightness(gap, better)


def _from_extreme(bound: Bound, extreme: Extremum, name: str) -> Gap:
    """(c - sup)/|c|, or (inf - c)/|c|."""
    place: Place = {name: extreme.place}
    if not extreme.low.is_finite() or not extreme.high.is_finite():
        return Gap(None, None, place)
    right = enclose(bound.entry.right)
    reached = extreme.low.union(extreme.high)
    gap = (right - reached if bound.upper else reached - right) / abs(right)
    return Gap(gap.lower(), gap.upper(), place)


def _at_zero(bound: Bound, found: Sign) -> Tightness | None:
    """A constant bound 0 is tight where it is approached."""
    places = found.zeros or found.approached
    if places:
        return Tightness(True, note=f"the bound is approached at {places[0]}")
    if not bound.names:
        return Tightness(False, better=_number_text(bound), proved=True)
    if len(bound.names) != 1 or bound.problem.constraints:
        return None
    name = bound.names[0]
    left, domain = bound.entry.left, bound.domains[name]
    extreme = (supremum_of if bound.upper else infimum_of)(left, name, domain, bound.deadline)
    if extreme is None or extreme.low <= 0 <= extreme.high:
        return None
    better = extreme_text(left, name, domain, extreme, bound.upper, bound.deadline)
    better = None if bound.narrowed else better
    return Tightness(False, better=better, note="the bound is never approached", proved=True)


# --- a function on the right ----------------------------------------------------------------------


def _gap(bound: Bound, domains: dict[str, Domain]) -> Gap:
    """The inf of room/|rhs| over the domains."""
    if not isinstance(bound.entry.right, Term) and sign(bound.entry.right) == 0:
        return Gap(None, None, {})
    ratio = bound.room * ar.inverse(_absolute(bound.entry.right))
    if not bound.names:
        ball = enclose(ratio)
        return Gap(ball.lower(), ball.upper(), {})
    if len(bound.names) > 1 or bound.problem.constraints:
        return _sampled(bound, ratio, domains)
    name = bound.names[0]
    inf = infimum_of(ratio, name, domains[name], bound.deadline)
    if inf is None:
        return Gap(None, None, {})
    return Gap(inf.low, _reached(inf, ratio, name, domains[name]), {name: inf.place})


def _absolute(value: Any) -> Any:
    if not isinstance(value, Term):
        return value if sign(value) > 0 else -value
    return value if is_nonnegative(value) else ar.kinked("abs", value)


def _reached(inf: Extremum, ratio: Any, name: str, domain: Domain) -> arb:
    """An upper bound on the inf: for integers, only whole points and the way to infinity count."""
    if not domain.integer or (inf.approached and inf.where in ("oo", "-oo")):
        return inf.high
    points = [fmpq(k) for k in (0, *WHOLE_POINTS)] + [fmpq(-k) for k in WHOLE_POINTS]
    return min((value_at(ratio, {name: point}) for point in points if domain.holds(point)), default=INF)


def _sampled(bound: Bound, ratio: Any, domains: dict[str, Domain]) -> Gap:
    """Several variables: the least value met at points. Where a short fraction is that value, and algebra
    shows it, the gap is known; else boxes may show that it is a little over 1%."""
    wide = replace(bound.problem, domains=domains)
    names = wide.names(ratio, *wide.constraints)
    best, point = least(ratio, wide, names, bound.deadline)
    own = bound.names
    place = Place({name: _few_digits(value) for name, value in point.items() if name in own})
    if best <= arb(ONE_PERCENT) or not best.is_finite():
        return Gap(None, best, place)
    short = rational_near(best.union(best * (1 - NEARLY)), MAX_DENOMINATOR)
    if short is not None and _is_gap(bound, short, domains):
        return Gap(arb(short).lower(), arb(short).upper(), place, short)
    if _is_gap(bound, CLEARLY_LOOSE, domains):
        return Gap(arb(CLEARLY_LOOSE).lower(), best, place)
    inner = {name: domains[name] for name in names}
    left_open = prove_on_boxes(ratio - CLEARLY_LOOSE, inner, wide.constraints, True, bound.deadline)
    return Gap(arb(CLEARLY_LOOSE).lower() if left_open is None else None, best, place)


def _few_digits(value: Any) -> str:
    text = str(value)
    return text if len(text) <= FEW else f"about {float(enclose(value).mid()):.4g}"


def _is_gap(bound: Bound, gap: fmpq, domains: dict[str, Domain]) -> bool:
    """room >= gap*|rhs| everywhere, by sums of squares."""
    room = bound.room - _absolute(bound.entry.right) * gap
    now = worked()
    return by_squares(room, domains, bound.problem.constraints, now + (bound.deadline - now) / 3) is not None


def _better(bound: Bound, gap: Gap) -> str | None:
    """A factor times the bound, true over the whole domain; the value itself where it is constant."""
    if not bound.names:
        return _number_text(bound)
    if bound.narrowed:
        gap = _gap(bound, bound.problem.domains)
    if gap.tight is not False or gap.low is None or not gap.low.is_finite():
        return None
    right = bound.entry.right
    below = _is_below_zero(right)
    if below is None:
        return None
    smaller = bound.upper != below  # a better bound is nearer to 0, or farther from it where it is negative
    if gap.exact is not None:
        times = 1 - gap.exact if smaller else 1 + gap.exact
        return str(times * right) if isinstance(right, fmpq) else _times(bound, as_fraction(times))
    if gap.high is not None and not gap.high - gap.low < KNOWN:
        return None  # what is shown is far from what is reached
    short = None if gap.high is None else rational_near(gap.low.union(gap.high), MAX_DENOMINATOR)
    if short is not None and _is_gap(bound, short, bound.problem.domains):
        return _times(bound, as_fraction(1 - short if smaller else 1 + short))
    return _times(bound, Fraction(decimal(1 - gap.low if smaller else 1 + gap.low, up=smaller)))


def _is_below_zero(value: Any) -> bool | None:
    """Whether it is never positive; None where its sign may change."""
    if not isinstance(value, Term):
        return sign(value) < 0
    if is_nonnegative(value):
        return False
    return True if is_nonnegative(-value) else None


def _times(bound: Bound, factor: Fraction) -> str:
    """A matrix is written with the factor in front."""
    right = bound.fact.right
    return to_text(scaled(factor, right) if right.shape.is_scalar else n.Multiply(n.Number(factor), right))


def _number_text(bound: Bound) -> str:
    return short_text(bound.entry.left) or decimal(enclose(bound.entry.left), bound.upper)
