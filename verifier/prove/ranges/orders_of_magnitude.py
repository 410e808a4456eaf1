"""Orders of magnitude: which power of ten, rounded.

A number is in order(10**low, 10**high) when its exponent log10|x|, rounded to an integer, lies in
low..high. Orders multiply and divide by their exponents.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, final

from flint import arb, ctx

from verifier.claim.model import Claim
from verifier.evidence import Counterexample, Finding, Tightness
from verifier.exact.enclosures.range_enclosures import Range, range_of
from verifier.exact.numbers.constants import enclose
from verifier.exact.numbers.refusals import Imprecise, Refusal, Undefined, Unsupported
from verifier.exact.numbers.scalar_terms import Term
from verifier.exact.values.compare_at_point import BITS
from verifier.expr import nodes as n
from verifier.expr.text import to_text
from verifier.expr.walk import walk
from verifier.prove.ranges.problem import evaluator, ranged

MAX_ENTRIES = 50_000  # beyond, the time ends before the first product is done


@final
@dataclass(frozen=True)
class Span:
    """Exponents low..high."""

    low: int
    high: int

    @property
    def text(self) -> str:
        ends = f"1e{self.low}" if self.low == self.high else f"1e{self.low}, 1e{self.high}"
        return f"order({ends})"


def speaks_of_orders(part: n.Fact | n.Node) -> bool:
    return any(isinstance(node, n.Order) for node in walk(part))


def examine_order(claim: Claim, fact: n.Relation | n.Within, deadline: float) -> Finding:
    """left == order: inside it; <= and >=: at most or at least of that size."""
    if not isinstance(fact, n.Relation) or fact.op not in ("==", "<=", ">="):
        return Finding("rigorous", "unknown", missing="a relation ==, <= or >= with an order on the right")
    try:
        right = span(fact.right, claim)
        left, region = _left(claim, fact.left, deadline)
    except Undefined as refusal:
        return Finding("rigorous", "unknown", reason=refusal.reason)
    except Refusal as refusal:
        return Finding("rigorous", "unknown", reason=refusal.reason, missing=refusal.reason)
    return _with_number(claim, fact.left, _finding(fact, left, right, region))


def _with_number(claim: Claim, node: n.Node, found: Finding) -> Finding:
    """The number behind the span, where the left side is one: 1/sqrt(768) = 0.0360844."""
    example = found.counterexample
    if example is None or speaks_of_orders(node):
        return found
    value = evaluator(claim).scalar(node)
    if isinstance(value, Term):
        return found
    number = float(enclose(value).mid())
    line = f"left side = {to_text(node)} ≈ {number:.6g}"
    return replace(found, counterexample=replace(example, arithmetic=(line, *example.arithmetic)))


@final
@dataclass(frozen=True)
class Sizes:
    """All sizes from one exponent to another; without an end, arbitrarily small or large ones.

    Not `sharp`: an assumption that ties symbols to each other may leave out some of them."""

    low: int | None
    high: int | None
    sharp: bool = True

    @property
    def text(self) -> str:
        match self.low, self.high:
            case int(low), int(high):
                return Span(low, high).text
            case None, int(high):
                return f"at most {Span(high, high).text}"
            case int(low), None:
                return f"at least {Span(low, low).text}"
        return "of every order"

    @property
    def right_side(self) -> str | None:
        """What may stand on the right of ==."""
        return None if self.low is None or self.high is None else self.text


def _finding(fact: n.Relation, left: Sizes, right: Span, region: str | None) -> Finding:
    above = left.high is None or left.high > right.high
    below = left.low is None or left.low < right.low
    inside = not {"==": above or below, "<=": above, ">=": below}[fact.op]
    reason = f"the left side is {left.text}, the right side {right.text}"
    if not inside and not left.sharp:
        missing = "the range of the left side under the assumptions"
        return Finding("rigorous", "unknown", reason=f"without the assumptions {reason}", missing=missing)
    if inside:
        made = Finding("rigorous", "true", "certified", reason, region, lhs=left.right_side, rhs=right.text)
        return replace(made, tightness=_tightness(fact.op, left, right)) if left.sharp else made
    example = Counterexample(
        {"lhs": left.text, "rhs": right.text}, None, None, left.text, right.text, (reason,)
    )
    return Finding(
        "rigorous",
        "false",
        "certified",
        reason,
        region,
        lhs=left.right_side,
        rhs=right.text,
        corrected=_right_side(fact.op, left),
        counterexample=example,
    )


def _right_side(op: n.Comparison, left: Sizes) -> str | None:
    """What would be true: the order of the left side, for a bound its largest or least one."""
    end = {"<=": left.high, ">=": left.low}.get(op)
    return left.right_side if end is None else Span(end, end).text


def _tightness(op: n.Comparison, left: Sizes, right: Span) -> Tightness | None:
    """<= order(1e-1) of what is order(1e-2) can be improved, by a factor 10."""
    end = {"<=": left.high, ">=": left.low}.get(op)
    powers = 0 if end is None else abs(end - (right.high if op == "<=" else right.low))
    if end is None or not powers:
        return None
    gap = 1 - Fraction(1, 10**powers) if op == "<=" else Fraction(10**powers - 1)
    better = left.right_side or Span(end, end).text
    return Tightness(False, gap, gap, better=better, proved=True)


def span(node: n.Node, claim: Claim | None = None) -> Span:
    """An expression made of orders, and of numbers as their orders, as a span of exponents."""
    match node:
        case n.Order(low, high):
            return Span(low, high)
        case n.Let(_, body):
            return span(body, claim)
        case n.Multiply(left, right):
            a, b = span(left, claim), span(right, claim)
            return Span(a.low + b.low, a.high + b.high)
        case n.Divide(left, right):
            a, b = span(left, claim), span(right, claim)
            return Span(a.low - b.high, a.high - b.low)
        case n.Power(base, n.Number(value)) if value.denominator == 1 and value >= 0:
            a = span(base, claim)
            return Span(a.low * int(value), a.high * int(value))
    if claim is None or speaks_of_orders(node) or isinstance(evaluator(claim).scalar(node), Term):
        raise Unsupported("an order combined with something that is not an order")
    exponent = _settled(claim, node)
    return Span(exponent, exponent)


def _left(claim: Claim, node: n.Node, deadline: float) -> tuple[Sizes, str | None]:
    if speaks_of_orders(node):
        found = span(node, claim)
        return Sizes(found.low, found.high), None
    if _entries(claim, node) > MAX_ENTRIES:
        raise Unsupported(f"more than {MAX_ENTRIES} entries, one by one")
    env = evaluator(claim)
    value = env.scalar(node) if node.shape.is_scalar else None
    if value is None:
        raise Unsupported("the order of magnitude of a matrix")
    if not isinstance(value, Term):
        exponent = _settled(claim, node)
        return Sizes(exponent, exponent), None
    return _over_domain(claim, value, deadline)


def _entries(claim: Claim, node: n.Node) -> int:
    """How many numbers the symbols that are reached hold, at the sizes that are fixed."""
    sizes = {name: int(value) for name, value in claim.where.items() if value.denominator == 1}
    reached = {part.name: part.shape.size for part in walk(node) if isinstance(part, n.Symbol | n.Member)}
    return sum(size.at(sizes) for size in reached.values() if size.names <= sizes.keys())


def _settled(claim: Claim, node: n.Node) -> int:
    before = ctx.prec
    try:
        for bits in BITS:
            ctx.prec = bits
            try:
                return exponent_of(enclose(evaluator(claim).scalar(node)))
            except Imprecise:
                continue
    finally:
        ctx.prec = before
    raise Imprecise("the exponent lies too close to a half")


def exponent_of(value: arb) -> int:
    """log10|x| rounded to the nearest integer."""
    size = abs(value)
    if size.is_zero():
        raise Undefined("zero has no order of magnitude")
    if not size > 0:
        raise Imprecise("a number too close to zero")
    found = (size.log() / arb(10).log() + arb(1) / 2).floor().unique_fmpz()
    if found is None:
        raise Imprecise("the exponent lies too close to a half")
    return int(found)


def _over_domain(claim: Claim, value: Any, deadline: float) -> tuple[Sizes, str]:
    problem = ranged(claim, value)
    names, domains = problem.names(value), problem.domains
    if len(names) != 1:
        raise Unsupported("the order of magnitude of a function of several symbols")
    name, sharp = names[0], problem.complete and not problem.constraints
    found = range_of(value, name, domains[name], deadline)
    if found is None or not (found.inf.converged and found.sup.converged):
        raise Unsupported("a certified range of the left side")
    ends = [extreme.low.union(extreme.high) for extreme in (found.inf, found.sup)]
    bounded = all(end.is_finite() for end in ends)
    if bounded and (ends[0] > 0 or ends[1] < 0):
        low, high = sorted(exponent_of(end) for end in ends)
        return Sizes(low, high, sharp), domains[name].text(name)
    ending = (found.inf, found.sup)
    near_zero = [extreme for extreme in ending if extreme.low.is_zero() or extreme.high.is_zero()]
    jumps = domains[name].integer and (ends[0] < 0 < ends[1] or not all(x.approached for x in near_zero))
    if jumps or found.holes:
        raise Unsupported("an order of magnitude of a quantity that spans all sizes")
    return replace(_of_an_interval(found), sharp=sharp), domains[name].text(name)


def _of_an_interval(found: Range) -> Sizes:
    """What moves continuously from its lower end to its upper one takes every value between them."""
    ends = [extreme.low.union(extreme.high) for extreme in (found.inf, found.sup)]
    large = [end for end in ends if not end.is_finite()]
    sizes = [abs(end) for end in ends if end.is_finite()]
    if any(not (size > 0) and not size.is_zero() for size in sizes):
        raise Imprecise("a number too close to zero")
    if len(sizes) == 2 and all(size.is_zero() for size in sizes):
        raise Undefined("zero has no order of magnitude")
    reaches = ends[0] <= 0 and ends[1] >= 0
    high = None if large else max(exponent_of(size) for size in sizes if size > 0)
    low = None if reaches else min(exponent_of(size) for size in sizes)
    return Sizes(low, high)
