"""What has to be proved for what is offered beside a verdict: that a bound is the best one, or could be
better; a correction; what an assumption buys; a condition that saves a false claim.

The goals follow from the author's claim and from what is offered alone, so that whoever checks a proof finds
them again. `ways` are tried in turn: one of them, with all of its goals, is enough.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from verifier.claim.model import Assumption, Claim, Step
from verifier.claim.problems import SpecError
from verifier.evidence import SideKind
from verifier.expr import nodes as N
from verifier.expr.symbols import Dimension
from verifier.expr.text import to_text
from verifier.expr.walk import walk
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules.defined import covered
from verifier.proofs.statement import context_of
from verifier.proofs.text import fact_of
from verifier.read.specs.make_claim import Draft, build

LONGEST = 20_000
AND = " and "  # between the conditions of a repair
ZERO, ONE, TWO = (N.Number(Fraction(number)) for number in (0, 1, 2))
CLOSE = N.Number(Fraction(1, 100))  # what counts as tight
# Of the width of a range that is claimed: then of the true one, which may be narrower by as much at each end.
CLOSE_END = N.Number(Fraction(98, 10_000))
_NO_NUMBERS = N.Growth | N.Order | N.Infinity | N.Limit
UP: Mapping[str, bool] = {"<=": True, "<": True, ">=": False, ">": False}


@dataclass(frozen=True)
class Goal:
    """A relation that is to be proved, or refuted, under what a claim declares and assumes."""

    claim: Claim
    fact: N.Relation | N.Within
    truth: bool = True

    @property
    def step(self) -> Step:
        return Step(self.fact, to_text(self.fact), self.claim.position)


Way = tuple[Goal, ...]


def ways(plan: Draft | None, claim: Claim, kind: SideKind, of: str, at: int) -> Iterator[Way]:
    """The ways of showing it; raises `Rejected` where what is offered is nothing that could be shown."""
    if not 0 <= at < len(claim.steps):
        raise Rejected("statement", f"the claim has no step {at + 1}")
    if len(of) > LONGEST:
        raise Rejected("too-large", "what is offered is longer than any claim")
    fact = claim.steps[at].fact
    match kind:
        case "corrected" | "better":
            yield (Goal(claim, _where_it_is(claim, _with_right(claim, fact, of), fact)),)
        case "instead":
            yield (Goal(claim, _where_it_is(claim, fact_of(of, claim), fact)),)
        case "attained":
            yield from _attained(claim, fact)
        case "loose":
            yield from _loose(claim, fact, of)
        case "needed":
            yield from _needed(_planned(plan), of)
        case "unneeded":
            less = _built(_planned(plan).without(of))
            yield tuple(Goal(less, step.fact) for step in less.steps)
        case "repair":
            yield _repaired(_planned(plan), of)


def _planned(plan: Draft | None) -> Draft:
    if plan is None:
        raise Rejected("statement", "it is about other assumptions than the claim's")
    return plan


def _built(plan: Draft) -> Claim:
    try:
        return build(plan)
    except SpecError as error:
        raise Rejected("statement", error.problem.message) from None


# --- assumptions and conditions -----------------------------------------------------------------------


def _needed(plan: Draft, name: str) -> Iterator[Way]:
    """A step is false without it; or nothing can be read without it."""
    if name not in plan.under:
        raise Rejected("statement", f"nothing is assumed under the name {name}")
    try:
        less = build(plan.without(name))
    except SpecError:
        yield ()
        return
    for step in less.steps:
        yield (Goal(less, step.fact, truth=False),)


def _repaired(plan: Draft, of: str) -> Way:
    """Every step is true under the conditions, and something meets them, at which the sides have values."""
    for condition in of.split(AND):
        plan = plan.assuming(condition)
    mended = _built(plan)
    return (
        *(Goal(mended, step.fact) for step in mended.steps),
        *(_meant(mended, s.fact) for s in mended.steps),
    )


def _meant(claim: Claim, fact: N.Relation | N.Within) -> Goal:
    """Somewhere it has a meaning: what is subtracted from itself is not 1 there."""
    sides = (fact.left, fact.right) if isinstance(fact, N.Relation) else (fact.arg, fact.low, fact.high)
    total: N.Node = ZERO
    for side in sides:
        if not any(isinstance(part, _NO_NUMBERS) for part in walk(side)):
            total = N.Add(total, N.Subtract(side, side))
    return Goal(claim, N.Relation("==", total, ONE), truth=False)


# --- how tight --------------------------------------------------------------------------------------


def _attained(claim: Claim, fact: N.Relation | N.Within) -> Iterator[Way]:
    """Somewhere, at sizes from two on, the sides are closer than 1%: the bound that is so much better fails
    there. A bound that is 0 is reached; an order is the right one from the other side too."""
    large = _from_two(claim, sizes_of(claim))
    match fact:
        case N.Within(value, low, high):
            room = N.Multiply(CLOSE_END, N.Subtract(high, low))
            below = N.Relation(">=", value, N.Add(low, room))
            above = N.Relation("<=", value, N.Subtract(high, room))
            yield Goal(large, below, truth=False), Goal(large, above, truth=False)
        case N.Relation(op, left, N.Growth(kind, body)) if kind != "Theta":
            other = N.Growth("Omega" if kind == "O" else "O", body)
            yield (Goal(claim, N.Relation(">=" if op in ("<=", "<") else "<=", left, other)),)
            if len(claim.growing) == 1 and kind == "O" and left.shape.is_scalar:
                ratio = N.Limit(N.Divide(left, body), claim.growing[0], N.Infinity())
                yield (Goal(replace(claim, growing=()), N.Relation("==", ratio, ZERO), truth=False),)
        case N.Relation(op, left, right) if op in UP and right == ZERO:
            yield (Goal(large, N.Relation("<" if UP[op] else ">", left, ZERO), truth=False),)
        case N.Relation(op, left, right) if op in UP:
            yield (Goal(large, _by_one_percent(op, left, right), truth=False),)


def _by_one_percent(op: str, left: N.Node, right: N.Node) -> N.Relation:
    """The bound that is better by 1% of what the right side is apart from its sign."""
    room = N.Multiply(CLOSE, N.Apply("abs", (right,)))
    if UP[op]:
        return N.Relation("<=", left, N.Subtract(right, room))
    return N.Relation(">=", left, N.Add(right, room))


def _loose(claim: Claim, fact: N.Relation | N.Within, of: str) -> Iterator[Way]:
    """A bound that is better by more than 1%, at all sizes from two on."""
    # A size that is assumed to be something may have to be 1: nothing is then said of others.
    spoken = {
        part.name for item in claim.assumptions for part in walk(item.fact) if isinstance(part, N.Symbol)
    }
    large = _from_two(claim, [name for name in sizes_of(claim) if name not in spoken])
    better = _where_it_is(claim, _with_right(claim, fact, of), fact) if of else None
    match fact, better:
        case N.Within(_, low, high), N.Within(_, nearer_low, nearer_high):
            room = N.Multiply(CLOSE, N.Subtract(nearer_high, nearer_low))
            for gain in (N.Subtract(nearer_low, low), N.Subtract(high, nearer_high)):
                yield Goal(claim, better), Goal(large, N.Relation(">", gain, room))
        case N.Relation(_, _, N.Growth(kind, body)), N.Relation(_, _, N.Growth(same, closer)):
            if kind == same and kind != "Theta" and len(claim.growing) == 1:
                ratio = N.Divide(closer, body) if kind == "O" else N.Divide(body, closer)
                vanishes = N.Relation("==", N.Limit(ratio, claim.growing[0], N.Infinity()), ZERO)
                yield Goal(claim, better), Goal(claim, vanishes)
        case N.Relation(op, _, right), N.Relation(_, _, N.Number(value)) if right == ZERO and op in UP:
            if value < 0 if UP[op] else value > 0:
                yield (Goal(claim, better),)
        case N.Relation(op, left, right), _ if op in UP and not isinstance(right, N.Growth | N.Order):
            if isinstance(better, N.Relation):
                yield from _by_a_factor(claim, large, fact, better)
            yield (Goal(large, _by_one_percent(op, left, right)),)


def _by_a_factor(claim: Claim, large: Claim, fact: N.Relation, better: N.Relation) -> Iterator[Way]:
    """The better right side is at most 0.99 times the other one, where that is not negative; 1.01 times where
    it is not positive. Of a lower bound the other way round."""
    below = N.Subtract(ONE, CLOSE), N.Add(ONE, CLOSE)
    for sign, factor in zip((">=", "<="), below if UP[fact.op] else below[::-1], strict=True):
        margin = N.Relation("<=" if UP[fact.op] else ">=", better.right, N.Multiply(factor, fact.right))
        signed = N.Relation(sign, fact.right, ZERO)  # type: ignore[arg-type]
        yield Goal(claim, better), Goal(large, signed), Goal(large, margin)


def sizes_of(claim: Claim) -> list[str]:
    """Sizes that are free."""
    free = claim.symbols.keys() - claim.where.keys()
    return [
        name for name in claim.symbols if name in free and isinstance(claim.symbols[name].kind, Dimension)
    ]


def _from_two(claim: Claim, names: list[str]) -> Claim:
    """The claim where tightness is measured."""
    taken = {item.name for item in claim.assumptions}
    added = []
    for name in names:
        fact = N.Relation(">=", N.Symbol(name), TWO)
        called = to_text(fact)
        while called in taken:  # a name that the author gave to something else
            called += "'"
        added.append(Assumption(called, fact, to_text(fact), claim.position))
    return replace(claim, assumptions=(*claim.assumptions, *added))


def _where_it_is(
    claim: Claim, offered: N.Relation | N.Within, fact: N.Relation | N.Within
) -> N.Relation | N.Within:
    """What is offered, if it has a meaning wherever the claim's own relation has: what has none is true of
    nothing."""
    if not any(isinstance(part, _NO_NUMBERS) for part in (*walk(offered), *walk(fact))):
        covered(context_of(claim), [offered], fact)
    return offered


# --- what is offered as text --------------------------------------------------------------------------


def _with_right(claim: Claim, fact: N.Relation | N.Within, right: str) -> N.Relation | N.Within:
    """The relation with another right side, or another range."""
    if isinstance(fact, N.Within):
        found = fact_of(f"{to_text(fact.arg)} in {right}", claim)
        if isinstance(found, N.Within):
            return replace(fact, low=found.low, high=found.high)
    else:
        found = fact_of(f"{to_text(fact.left)} {fact.op} {right}", claim)
        if isinstance(found, N.Relation) and found.op == fact.op:
            return N.Relation(fact.op, fact.left, found.right)
    raise Rejected("statement", f"{right} is no right side of the claim's relation")
