"""The means of a statement: which have no value, where they have one, and of which that is open."""

from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from fractions import Fraction

from verifier.claim.integrability.answer import FINITE, Answer
from verifier.claim.integrability.defined_values import has_value
from verifier.claim.integrability.finite_means import finite
from verifier.claim.integrability.tree_growth import Scene
from verifier.claim.model import Claim
from verifier.claim.sequences import speaks_of_sequences
from verifier.expr import nodes as N
from verifier.expr.sizes import rational
from verifier.expr.symbols import (
    AnyLaw,
    Bernoulli,
    Iid,
    JointWith,
    Kind,
    Normal,
    Rademacher,
    Sequence,
    Uniform,
)
from verifier.expr.text import to_text
from verifier.expr.walk import children, substitute, walk
from verifier.facts.degree import degree

Mean = N.Expectation | N.Variance | N.Covariance
_OPPOSITE: dict[N.Comparison, N.Comparison] = {"<": ">=", ">": "<="}


@dataclass(frozen=True)
class Standing:
    """`undefined`: why a mean has no value, whatever the symbols are. `missing`: a mean of which it is open
    whether it exists. `conditions`: under which all exist, and only then. `enough`: conditions that are
    enough for the others."""

    undefined: str | None = None
    missing: str | None = None
    conditions: tuple[N.Relation, ...] = ()
    enough: tuple[N.Relation, ...] = ()

    @property
    def excluded(self) -> tuple[str, ...]:
        """Where a mean is infinite, in words: such points are left out."""
        return tuple(to_text(N.Relation(_OPPOSITE[c.op], c.left, c.right)) for c in self.conditions)


@dataclass(frozen=True)
class _Around:
    """The names that limits and extremes around a mean bind, those of them that grow without end, and the
    indices of the sums around it."""

    bound: frozenset[str] = frozenset()
    growing: frozenset[str] = frozenset()
    ranges: tuple[N.Range, ...] = ()


@dataclass(frozen=True)
class _Placed:
    mean: Mean
    around: _Around


def standing(claim: Claim, fact: N.Fact) -> Standing:
    """What is known of the means in a relation and in the assumptions under which it is judged."""
    if (told := _of_another_law(claim, fact)) is not None:
        return Standing(missing=f"the law of {told} under what is assumed of its values")
    missing: str | None = None
    conditions: dict[bool, dict[N.Relation, None]] = {True: {}, False: {}}
    for placed in _placed(claim, fact):
        for body, answer in _answers(claim, placed):
            text = to_text(body)
            if answer.known == "infinite":
                return Standing(undefined=f"the mean of abs({text}) is infinite: {answer.why}")
            if answer.known == "undefined":
                return Standing(undefined=f"{text} has no value: {answer.why}")
            if answer.known == "open":
                missing = missing or f"that the mean of abs({text}) is finite ({answer.why})"
            for condition in answer.conditions:
                match _decided(claim, condition, placed):
                    case False if answer.exact:
                        return Standing(
                            undefined=f"the mean of abs({text}) is infinite unless {to_text(condition)}"
                        )
                    case None if _names(condition) & placed.around.bound or not _names(condition):
                        missing = (
                            missing or f"{to_text(condition)}, without which abs({text}) has no finite mean"
                        )
                    case None:
                        conditions[answer.exact][condition] = None
                    case False:
                        missing = missing or f"that the mean of abs({text}) is finite"
    if missing is not None:
        return Standing(missing=missing)
    return Standing(conditions=tuple(conditions[True]), enough=tuple(conditions[False]))


def is_finite(claim: Claim, fact: N.Fact) -> bool | None:
    """Whether E(f) < oo is true of an f that is not negative; None where that is open, or something else is
    said."""
    match fact:
        case N.Relation("<", N.Expectation(body, ()) | N.Variance(body) as mean, N.Infinity()):
            answers = [answer for _, answer in _answers(claim, _Placed(mean, _Around()))]
            if all(answer.known == "finite" and not answer.conditions for answer in answers):
                return True if _is_stated(claim, mean) else None
            above = isinstance(mean, N.Variance) or Scene(claim).size(body).low >= 0
            return False if above and any(answer.known == "infinite" for answer in answers) else None
    return None


def _of_another_law(claim: Claim, fact: N.Fact) -> str | None:
    """A draw in a mean, of whose values an assumption speaks: its law is not the declared one.
    Of a law of which moments alone are declared the assumption says more."""
    facts = (
        item.fact
        for item in claim.assumptions
        if item.assumed_value is None and item.substitution is None and item.independence is None
    )
    waiting: list[N.Node | N.Fact] = list(facts)
    spoken: set[str] = set()
    while waiting:
        part = waiting.pop()
        if isinstance(part, N.Symbol | N.Member):
            spoken.add(part.name)
        if not isinstance(part, Mean):
            waiting += children(part)
    whole = {name for name in spoken & claim.symbols.keys() if _has_law(claim.symbols[name].kind)}
    means = (part for part in walk(fact) if isinstance(part, Mean)) if whole else ()
    drawn = {part.name for mean in means for part in walk(mean) if isinstance(part, N.Symbol | N.Member)}
    return min(whole & drawn, default=None)


def _has_law(kind: Kind) -> bool:
    return isinstance(kind, Normal | Rademacher | Bernoulli | Uniform)


def _is_stated(claim: Claim, mean: N.Expectation | N.Variance) -> bool:
    """Whether it is of what is bounded, under laws with all moments, or of a moment that is stated. Elsewhere
    a mean that an author writes down is taken to exist; a claim that it does is not."""
    scene = Scene(claim)
    stated = {name: _stated_moments(claim.symbols[name].kind) for name in scene.random(mean.body)}
    most = {name: count for name, count in stated.items() if count is not None}
    span = scene.span(mean.body)
    if not most or (span.low.at is not None and span.high.at is not None):
        return True
    found = _order(mean.body, most.keys())
    times = 2 if isinstance(mean, N.Variance) else 1
    return found is not None and times * found <= min(most.values())


def _order(body: N.Node, names: Set[str]) -> int | None:
    """The k for which |body| is at most c*(1 + |draws|**k)."""
    match body:
        case N.Apply("abs", (arg,)) | N.Norm(arg):
            return _order(arg, names)
        case N.Power(base, N.Number(k)) if k.denominator == 1 and k > 0:
            inside = _order(base, names)
            return None if inside is None else inside * int(k)
    found = degree(body, names)
    return None if found is None else found.most


def _stated_moments(kind: Kind) -> int | None:
    """The highest moment that is stated; None where all exist."""
    match kind:
        case Iid(mean, var):
            return 2 if var is not None else int(mean is not None)
        case AnyLaw(mean):
            return int(mean is not None)
        case Sequence() | JointWith():
            return 0
    return None


def _placed(claim: Claim, fact: N.Fact) -> Iterator[_Placed]:
    facts = [fact, *(item.fact for item in claim.assumptions)]
    for part in facts:
        if not speaks_of_sequences(claim, part):
            yield from _means(part, _Around(), set())


def _means(part: N.Node | N.Fact, around: _Around, seen: set[tuple[int, _Around]]) -> Iterator[_Placed]:
    if (id(part), around) in seen:
        return
    seen.add((id(part), around))
    match part:
        case N.Expectation() | N.Variance() | N.Covariance():
            yield _Placed(part, around)
        case N.Limit(_, variable, target):
            growing = {variable.name} if isinstance(target, N.Infinity) else frozenset[str]()
            around = replace(around, bound=around.bound | {variable.name}, growing=around.growing | growing)
        case N.Extreme(_, _, over) | N.Every(_, over):
            around = replace(around, bound=around.bound | {symbol.name for symbol in over})
        case N.ForAll() | N.Sum() | N.Product() | N.BlockDiag() | N.SubsetSum():
            ranges = (part.range,) if isinstance(part, N.BlockDiag | N.SubsetSum) else part.ranges
            around = replace(around, ranges=around.ranges + ranges)
    for child in children(part):
        yield from _means(child, around, seen)


def _answers(claim: Claim, placed: _Placed) -> Iterator[tuple[N.Node, Answer]]:
    mean = placed.mean
    given = mean.given if isinstance(mean, N.Expectation) else ()
    scene = Scene(claim, frozenset(x.name for x in given if isinstance(x, N.Symbol | N.Member)))
    scene.start(placed.around.ranges)
    for body in _bodies(mean):
        answer = finite(scene, body)
        if answer.known != "infinite" and (value := has_value(scene, body)) != FINITE:
            answer = value
        if answer.known != "finite" and not all(isinstance(x, N.Symbol | N.Member) for x in given):
            answer = Answer("open", answer.why)
        yield body, answer


def _bodies(mean: Mean) -> list[N.Node]:
    """What must have a mean: for a variance the square too."""
    match mean:
        case N.Expectation(body):
            return [body]
        case N.Variance(body):
            return [N.Power(body, N.Number(Fraction(2)))]
        case N.Covariance(left, right):
            if left.shape == right.shape:
                return [left, right, N.Multiply(left, right)]
            return [left, right, N.MatMul(left, N.Transpose(right))]


def _names(fact: N.Relation) -> frozenset[str]:
    return frozenset(x.name for x in walk(fact) if isinstance(x, N.Symbol | N.Member | N.Index))


def _decided(claim: Claim, condition: N.Relation, placed: _Placed) -> bool | None:
    """Whether the condition is true at the values that the claim fixes, or far out in a limit."""
    if any(isinstance(x, N.Index) for x in walk(condition)):
        return None
    if condition.op == ">" and _names(condition) & placed.around.growing:
        return True  # a number of entries that grows
    fixed: dict[N.Node, N.Node] = {
        pair[0]: pair[1] for item in claim.assumptions if (pair := item.substitution) is not None
    }
    fixed |= {N.Symbol(name): N.Number(value) for name, value in claim.where.items()}
    at = substitute(condition, fixed)
    left, right = rational(at.left), rational(at.right)
    if left is None or right is None:
        return True if condition in claim.constraints else None
    return left < right if condition.op == "<" else left > right
