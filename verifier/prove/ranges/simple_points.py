"""Find a simple point that breaks a relation, certified on the claim's own tree."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from itertools import islice, product
from random import Random

from flint import fmpq

from verifier.claim.model import Claim
from verifier.exact.enclosures.straight_line import enclosed
from verifier.exact.numbers.constants import Exact, enclose
from verifier.exact.numbers.guess_constants import SIMPLE, simplest_between
from verifier.exact.numbers.interval import Interval
from verifier.exact.numbers.number_text import as_fraction
from verifier.exact.numbers.refusals import Refusal
from verifier.exact.values.recheck import Rechecked, recheck
from verifier.expr import nodes as n
from verifier.expr.symbols import Kind
from verifier.expr.walk import walk
from verifier.prove.ranges.problem import Entry, Problem
from verifier.timer import past

Assignment = dict[str, fmpq]
PER_VARIABLE = {1: 120, 2: 14, 3: 7, 4: 5}
RANDOM_POINTS = 300


@dataclass(frozen=True)
class Target:
    """The relation to break, with values already given to some symbols."""

    claim: Claim
    fact: n.Relation | n.Within
    problem: Problem
    given: Mapping[str, int] = field(default_factory=dict)


def refute(target: Target, hints: list[Exact], deadline: float, seed: int) -> Rechecked | None:
    """The first point, simplest first, that is allowed and certainly breaks the relation."""
    problem = target.problem
    names = _names(problem)
    others = {name: next(_inside(problem, name), None) for name in _mentioned(target) - {*names}}
    idle = {name: value for name, value in others.items() if value is not None}
    for chosen in _points(problem, names, hints, seed):
        values = {**idle, **chosen}
        if past(deadline):
            return None
        if not allowed(problem, values) or not any(_may_break(entry, values) for entry in problem.entries):
            continue
        point = {**target.given, **{name: _plain(value) for name, value in values.items()}}
        found = recheck(target.claim, target.fact, point)
        if found.outcome == "false":
            return found
    return None


def _mentioned(target: Target) -> set[str]:
    """Scalars that the relation speaks of, though they may cancel: through substitutions and laws."""
    claim = target.claim
    pending: list[n.Fact | n.Node] = [target.fact]
    seen: set[str] = set()
    while pending:
        for node in walk(pending.pop()):
            if isinstance(node, n.Symbol | n.Member) and node.name not in seen:
                seen.add(node.name)
                pending += [a.fact for a in claim.assumptions if a.substitution and a.substitution[0] == node]
                if node.name in claim.symbols:
                    pending += _law(claim.symbols[node.name].kind)
    bound = {symbol.name for node in walk(target.fact) for symbol in _bound_by(node)}
    return {name for name in seen - bound if name in target.problem.domains and name not in target.given}


def _bound_by(node: n.Node) -> tuple[n.Symbol, ...]:
    match node:
        case n.Extreme(_, _, over):
            return over
        case n.Limit(_, variable, _):
            return (variable,)
    return ()


def _law(kind: Kind) -> list[n.Node]:
    """The expressions in a symbol's declaration."""
    parts = (getattr(kind, part.name) for part in fields(kind))
    return [part for part in parts if isinstance(part, n.Node)]


def sample_points(problem: Problem, names: tuple[str, ...], seed: int = 0) -> Iterator[Assignment]:
    """Allowed points, simplest first."""
    return (values for values in _points(problem, names, [], seed) if allowed(problem, values))


def _names(problem: Problem) -> tuple[str, ...]:
    """The variables of the relation, and those that constraints tie to them."""
    sides = [side for entry in problem.entries for side in (entry.left, entry.right)]
    return problem.names(*sides, *problem.constraints)


def _plain(value: fmpq) -> Fraction | int:
    return int(value.p) if value.q == 1 else as_fraction(value)


def _points(problem: Problem, names: tuple[str, ...], hints: list[Exact], seed: int) -> Iterator[Assignment]:
    if not names:
        yield {}
        return
    limit = PER_VARIABLE.get(len(names), 3)
    choices = [list(islice(_inside(problem, name), limit)) for name in names]
    for values in sorted(product(*(range(len(c)) for c in choices)), key=sum):
        yield {name: choice[i] for name, choice, i in zip(names, choices, values, strict=True)}
    if len(names) == 1:
        for hint in hints:
            yield from ({names[0]: value} for value in _near(hint))
        return
    random = Random(seed)
    for _ in range(RANDOM_POINTS):
        yield {name: _draw(random, problem.domains[name].integer) for name in names}


def _inside(problem: Problem, name: str) -> Iterator[fmpq]:
    domain = problem.domains[name]
    yield from (value for value in SIMPLE if domain.holds(value))
    if domain.low is not None and domain.high is not None:
        low, high = (enclose(end).mid().fmpq() for end in (domain.low, domain.high))
        inner = (low + (high - low) * fmpq(k, 8) for k in range(9))
        yield from (value for value in inner if domain.holds(value))


def _near(hint: Exact) -> Iterator[fmpq]:
    """Ever closer simple fractions, then the hint itself."""
    centre = as_fraction(enclose(hint).mid().fmpq())
    size = max(abs(centre), Fraction(1, 100))
    for k in range(1, 40, 2):
        found = simplest_between(centre - size / 2**k, centre + size / 2**k)
        yield fmpq(found.numerator, found.denominator)
    if isinstance(hint, fmpq):
        yield hint


def _draw(random: Random, integer: bool) -> fmpq:
    if integer:
        return fmpq(random.choice((1, 2, 3, 4, 5, 7, 10, 16, 33, 100)))
    size = Fraction(10) ** random.randint(-3, 3)
    value = size * random.randint(-99, 99) / 10
    return fmpq(value.numerator, value.denominator)


def allowed(problem: Problem, values: Assignment) -> bool:
    """Whether no domain and no constraint excludes the point."""
    if not all(problem.domains[name].holds(value) for name, value in values.items()):
        return False
    box = {name: Interval.of(value) for name, value in values.items()}
    try:
        return all(enclosed(constraint, box).hi >= 0 for constraint in problem.constraints)
    except Refusal:
        return False


def _may_break(entry: Entry, values: Assignment) -> bool:
    """A quick look: the enclosure of left - right does not settle the relation as true."""
    box = {name: Interval.of(value) for name, value in values.items()}
    try:
        gap = enclosed(entry.left, box) - enclosed(entry.right, box)
    except Refusal:
        return False
    match entry.op:
        case "==":
            return not gap.contains_zero()
        case "<=":
            return bool(gap.hi > 0)
        case "<":
            return bool(gap.hi >= 0)
        case ">=":
            return bool(gap.lo < 0)
        case ">":
            return bool(gap.lo <= 0)
    raise AssertionError(entry.op)
