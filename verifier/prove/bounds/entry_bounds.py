"""Inequalities from bounds that assumptions put on entries: each entry is replaced by its bound.

    low <= P(t, u) <= high for t != u,   w(t, u) >= 0
    sum_{t, u} w(t, u) P(t, u) <= high * (sum_{t, u} w(t, u) - sum_t w(t, t)) + sum_t w(t, t) P(t, t)

P is whatever an assumption speaks of: an entry, a row's squared norm, a second moment E(x[t] x[u]) of a law
of which nothing else is known. The second moments of any law are sums of squares over its draws, and obey
every inequality that such sums obey.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from verifier.expr import nodes as N
from verifier.prove.bounds.positive_sums import Signs
from verifier.prove.equal.closed_relation import Sides
from verifier.prove.forms.component_signs import is_nonnegative
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.splice import Piece
from verifier.prove.forms.workspace import constant, is_constant
from verifier.prove.lower.assumption_rules import Match, matches, positive_components, scalar_bounds
from verifier.prove.lower.lower import Lowering
from verifier.prove.networks import Coefficient, Monomial, Sum
from verifier.prove.networks.network_sums import arrange, axes, collect, flatten
from verifier.prove.networks.network_tensors import Flat, Label, Occurrence

_MOST_ROUNDS = 40
Sided = Callable[[N.Relation], Sides]
Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False)
class Bounded:
    """low <= pattern <= high for all values of the indices in `every`, the pairs listed being different."""

    pattern: Flat
    low: Coefficient | None
    high: Coefficient | None
    every: frozenset[Label]
    apart: Pairs = ()


def proves(lowering: Lowering, fact: N.Relation, sided: Sided) -> bool:
    """The relation, by bounds on entries; abs(f) <= g is -g <= f <= g, and f == g is f <= g <= f."""
    if fact.op == "==":
        ops: tuple[N.Comparison, ...] = ("<=", ">=")
        return all(proves(lowering, N.Relation(op, fact.left, fact.right), sided) for op in ops)
    signs = Signs(lowering.space, scalar_bounds(lowering), positive_components(lowering))
    known = list(_bounds(lowering, signs))
    strict = fact.op in ("<", ">")
    for half in _halves(fact):
        found = sided(half)
        left, right = found.left.value, found.right.value
        value = right - left if half.op in ("<", "<=") else left - right
        if not any(signs.proves(least, strict) for least in _lowered(signs, value, known)):
            return False
    return True


def _halves(fact: N.Relation) -> list[N.Relation]:
    match fact:
        case N.Relation("<=" | "<", N.Apply("abs", (arg,)), right):
            return [N.Relation(fact.op, arg, right), N.Relation(fact.op, N.Negate(arg), right)]
        case N.Relation(">=" | ">", left, N.Apply("abs", (arg,))):
            return [N.Relation(fact.op, left, arg), N.Relation(fact.op, left, N.Negate(arg))]
    return [fact]


# --- what assumptions say ------------------------------------------------------------------------------


def _bounds(lowering: Lowering, signs: Signs) -> Iterator[Bounded]:
    for fact in lowering.space.claim.constraints:
        try:
            yield from _read(_Said(lowering, signs), fact)
        except Refusal:
            continue


@dataclass(frozen=True, eq=False)
class _Said:
    """Where a bound is read: the indices that it is stated for, and the pairs of them that differ."""

    lowering: Lowering
    signs: Signs
    every: frozenset[Label] = frozenset()
    apart: Pairs = ()

    def of(self, *sides: N.Node) -> "_Said":
        """The same for a relation between matrices, which is stated for every row and column."""
        labels = (label for side in sides for label in self.lowering.value(side).labels)
        return replace(self, every=self.every.union(labels))


def _read(said: _Said, fact: N.Fact) -> Iterator[Bounded]:
    match fact:
        case N.ForAll(inner, ranges, conditions):
            inside, bound = said.lowering.binding(ranges)
            every = said.every | {label for label, _ in bound}
            apart = (*said.apart, *(_pair(inside, condition) for condition in conditions))
            yield from _read(replace(said, lowering=inside, every=every, apart=apart), inner)
        case N.Within(arg, low, high):
            yield from _read(said, N.Relation(">=", arg, low))
            yield from _read(said, N.Relation("<=", arg, high))
        case N.Relation("==", left, right):
            yield from _stated(said.of(left, right), right, left)
            yield from _stated(said.of(left, right), left, right)
        case N.Relation(">=" | ">", left, right):
            yield from _stated(said.of(left, right), right, left)
        case N.Relation("<=" | "<", left, right):
            yield from _stated(said.of(left, right), left, right)


def _pair(inside: Lowering, condition: N.Condition) -> tuple[str, str]:
    axis = inside.axis(condition.left) or inside.axis(condition.right)
    if axis is None or condition.op != "!=":
        raise Refusal("a bound under another condition")
    return inside.label(condition.left, axis), inside.label(condition.right, axis)


def _stated(said: _Said, small: N.Node, large: N.Node) -> Iterator[Bounded]:
    """small <= large, with one side a number for all indices."""
    lowering = said.lowering
    match small:
        case N.Apply("abs", (arg,)):
            yield from _stated(said, arg, large)
            yield from _stated(said, N.Negate(arg), large)
            return
        case N.Norm(_, "fro"):
            bound = lowering.value(large).value
            if is_constant(bound) and said.signs.nonnegative(constant(bound)):
                square = constant(bound) * constant(bound)
                yield from _solved(said, lowering.squared_norm(small), square)
            return
    left, right = lowering.value(small).value, lowering.value(large).value
    if is_constant(right) and not is_constant(left):
        yield from _solved(said, left, constant(right))
    elif is_constant(left) and not is_constant(right):
        yield from _solved(said, right * -1, constant(left) * -1)


def _solved(said: _Said, value: Sum, high: Coefficient) -> Iterator[Bounded]:
    """c * component <= high"""
    if len(value.terms) != 1:
        return
    ((monomial, coefficient),) = value.terms.items()
    if len(monomial) != 1:
        return
    ((component, power),) = monomial
    if power != 1 or component[0][0].startswith("delta:"):
        return
    ring = said.lowering.space.ring
    if coefficient == ring(1):
        yield Bounded(component, None, ring.reduce(high), said.every, said.apart)
    elif coefficient == ring(-1):
        yield Bounded(component, ring.reduce(high * -1), None, said.every, said.apart)


# --- replacing -----------------------------------------------------------------------------------------


def _lowered(signs: Signs, value: Sum, known: list[Bounded]) -> Iterator[Sum]:
    """Sums that are at most the value: with bounds where the sign is not plain, then with all of them."""
    yield value
    for everywhere in (False, True):
        least = value
        for _ in range(_MOST_ROUNDS):
            after = collect(value.frame, _once(signs, least, known, everywhere))
            if after == least:
                break
            least = after
        yield least


def _once(signs: Signs, value: Sum, known: list[Bounded], everywhere: bool) -> Iterator[Piece]:
    for monomial, coefficient in value.terms.items():
        plain = signs.nonnegative_monomial(monomial) and signs.nonnegative(coefficient)
        pieces = None
        if everywhere or not plain:
            pieces = next(_replaced(signs, value, monomial, coefficient, known), None)
        yield from [(monomial, coefficient)] if pieces is None else pieces


def _replaced(
    signs: Signs, value: Sum, monomial: Monomial, coefficient: Coefficient, known: list[Bounded]
) -> Iterator[list[Piece]]:
    """The term with one bounded pattern replaced: at most the term."""
    factors = flatten(monomial)
    for bounded in known:
        bound = _bound(signs, bounded, coefficient)
        if bound is None:
            continue
        others = _without(monomial, bounded.pattern)
        if others is not None and not bounded.apart and signs.nonnegative_monomial(others):
            yield [(others, coefficient * bound)]
        for match in matches(bounded.pattern, factors, bounded.every):
            rest = [f for p, f in enumerate(factors) if p not in match.positions]
            if all(is_nonnegative(signs.space, name) for name, _ in rest):
                pieces = _pieces(value, factors, rest, match, bounded, coefficient, bound)
                if pieces is not None:
                    yield pieces


def _without(monomial: Monomial, component: Flat) -> Monomial | None:
    """The monomial divided by one of its components; None if it is none of them."""
    powers = dict(monomial)
    if component not in powers:
        return None
    powers[component] -= 1
    return frozenset((c, p) for c, p in powers.items() if p)


def _bound(signs: Signs, bounded: Bounded, coefficient: Coefficient) -> Coefficient | None:
    """The end at which a term with this coefficient is least; None where nobody knows."""
    if bounded.low is not None and signs.nonnegative(coefficient):
        return bounded.low
    if bounded.high is not None and signs.nonnegative(coefficient * -1):
        return bounded.high
    return None


def _pieces(
    value: Sum,
    factors: list[Occurrence],
    rest: list[Occurrence],
    match: Match,
    bounded: Bounded,
    coefficient: Coefficient,
    bound: Coefficient,
) -> list[Piece] | None:
    alive: dict[Label, str] = {}
    for (_, wanted), p in zip(bounded.pattern, match.positions, strict=True):
        name, have = factors[p]
        spaces = zip(wanted, have, axes(value.frame, name, len(have)), strict=True)
        alive.update({x: space for want, x, space in spaces if isinstance(want, str)})
    pairs = [(match.images.get(a, a), match.images.get(b, b)) for a, b in bounded.apart]
    if len(pairs) > 1 or any(a == b or isinstance(a, str) or isinstance(b, str) for a, b in pairs):
        return None
    kept: dict[Label, str] = {x: space for x, space in alive.items() if not isinstance(x, str)}
    found = [(arrange(value.frame, rest, (), kept), coefficient * bound)]
    if pairs:
        found.append((arrange(value.frame, rest, pairs, kept), coefficient * bound * -1))
        found.append((arrange(value.frame, factors, pairs, kept), coefficient))
    return [(made[0], made[1] * weight) for made, weight in found if made is not None]
