"""A relation where one symbol is small: both sides as power series in its scale.

Where no exact moments are at hand, as for a softmax inside an expectation, there are some to every order of a
small scale s. If the first power in which the two sides differ has the wrong sign, the relation is false for
all s > 0 that are small enough. Nothing is said of any one s: the remainder is not bounded in numbers.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from flint import ctx

from verifier.claim.model import Assumption, Claim
from verifier.evidence import Counterexample
from verifier.exact.numbers.constants import ONE, ZERO, enclose, is_zero
from verifier.exact.numbers.power_series import Series
from verifier.exact.numbers.refusals import Refusal
from verifier.exact.values.compare_at_point import pairs
from verifier.exact.values.evaluate import Evaluator
from verifier.exact.values.point_context import Context, Point, as_value
from verifier.exact.values.recheck import admissible, shown
from verifier.expr import nodes as n
from verifier.expr import symbols as kinds
from verifier.expr.walk import walk

BITS = 128
ORDERS = (2, 4, 6)
NONE, ONCE = n.Number(Fraction(0)), n.Number(Fraction(1))
TINY = (Fraction(1, 10**6), Fraction(1, 10**30))
WRONG = {"==": (-1, 1), "<=": (1,), "<": (1,), ">=": (-1,), ">": (-1,)}


@dataclass(frozen=True)
class Expanded:
    """Both sides at the first entry in which the relation fails for every small scale."""

    left: Series
    right: Series
    place: tuple[int, int]

    def example(self, point: Point, name: str) -> Counterexample:
        """For a reader: the small symbol is s, or s times its value in the point."""
        values = {other: shown(value) for other, value in point.items()}
        values[name] = _times_s(values[name]) if isinstance(values[name], list) else "s"
        place = f" at entry [{self.place[0] + 1}, {self.place[1] + 1}]" if self.place != (0, 0) else ""
        where = ", ".join(f"{other} = {value}" for other, value in values.items())
        words = f"with {where}{place}, for every s > 0 that is small enough: {self.left} against {self.right}"
        return Counterexample(values, None, None, str(self.left), str(self.right), (words,))


def scales(claim: Claim, point: Point) -> Iterator[str]:
    """Symbols of the point that may be small: no assumption speaks of them, but for values of names, and for
    another positive symbol that is the same."""
    facts = [a.fact for a in claim.assumptions if a.assumed_value is None and not _is_another_name(claim, a)]
    bound = {part.name for fact in facts for part in walk(fact) if isinstance(part, n.Symbol | n.Member)}
    for name in point:
        declared = claim.symbols.get(name)
        if declared is None or name in bound or name in claim.where or declared.copies is not None:
            continue
        match declared.kind:
            case kinds.Positive() | kinds.FixedMatrix("matrix" | "vector"):
                yield name


def _is_another_name(claim: Claim, assumption: Assumption) -> bool:
    """sigma == tau, both positive: whatever tau is, sigma may be."""
    match assumption.substitution:
        case (n.Symbol(name), n.Symbol(other)):
            return all(isinstance(claim.symbols[one].kind, kinds.Positive) for one in (name, other))
    return False


def broken_at_small_scale(claim: Claim, fact: n.Relation, point: Point, name: str) -> Expanded | None:
    """How the relation fails as the symbol shrinks to 0, the others as in the point; None where it does not,
    or that is not known."""
    before = ctx.prec
    ctx.prec = BITS
    try:
        if not all(is_allowed(claim, {**point, name: _times(tiny, point[name])}) for tiny in TINY):
            return None
        for order in ORDERS:
            evaluator = Evaluator(Context.of(claim), {**point, name: _shrinking(point[name], order)})
            found = list(pairs(evaluator.value(fact.left), evaluator.value(fact.right)))
            wrong = next(_wrong(fact.op, found), None)
            if wrong is not None or not any(_is_open(x - y) for _, _, x, y in found):
                return wrong
        return None
    except Refusal:
        return None
    finally:
        ctx.prec = before


def meets_at_small_scale(claim: Claim, fact: n.Relation, point: Point, name: str) -> bool:
    """Whether both sides tend to one value other than 0 as the symbol shrinks, the others as in the point."""
    return all(is_allowed(claim, {**point, name: _times(tiny, point[name])}) for tiny in TINY) and _meets(
        claim, fact, {**point, name: _shrinking(point[name], 1)}
    )


def meets_at_zero(claim: Claim, fact: n.Relation, point: Point, name: str) -> bool:
    """Whether both sides are one value other than 0 where the symbol is 0, the others as in the point."""
    if isinstance(claim.symbols[name].kind, kinds.Positive):
        return False
    at_zero = {**point, name: _times(Fraction(0), point[name])}
    return is_allowed(claim, at_zero) and _meets(claim, fact, at_zero)


def _meets(claim: Claim, fact: n.Relation, point: Point) -> bool:
    before = ctx.prec
    ctx.prec = BITS
    try:
        evaluator = Evaluator(Context.of(claim), point)
        left, right = (_series(evaluator.scalar(side)).head for side in (fact.left, fact.right))
        return is_zero(left - right) and bool(enclose(right) != 0)
    except (Refusal, ValueError, TypeError):  # no scalar, or a head that is random
        return False
    finally:
        ctx.prec = before


def with_known_laws(claim: Claim) -> Claim:
    """Normal laws for those of which at most two moments are stated: what fails for one law is false."""
    facts = [a.fact for a in claim.assumptions if a.assumed_value is None]
    spoken = {part.name for fact in facts for part in walk(fact) if isinstance(part, n.Symbol | n.Member)}
    symbols = {
        name: declared if name in spoken else _with_known_law(declared)
        for name, declared in claim.symbols.items()
    }
    layers = claim.layers and replace(claim.layers, symbols=tuple(map(_with_known_law, claim.layers.symbols)))
    return replace(claim, symbols=symbols, layers=layers)


def _with_known_law(declared: kinds.Declared) -> kinds.Declared:
    match declared.kind:
        case kinds.Iid(n.Node() as mean, n.Node() as variance):
            return replace(declared, kind=kinds.Normal(mean, _root(variance)))
        case kinds.Iid(mean, None) | kinds.AnyLaw(mean):
            return replace(declared, kind=kinds.Normal(mean or NONE, ONCE))
    return declared


def _root(variance: n.Node) -> n.Node:
    """A root of the variance, of either sign: a square need not be expanded."""
    match variance:
        case n.Power(base, n.Number(value)) if value == 2:
            return base
    return n.Apply("sqrt", (variance,))


def is_allowed(claim: Claim, point: Point) -> bool:
    return admissible(claim, point).outcome == "true"


def _wrong(op: str, found: list[tuple[int, int, Any, Any]]) -> Iterator[Expanded]:
    for i, j, x, y in found:
        gap = _series(x - y)
        if not gap.is_random and gap.sign in WRONG[op]:
            yield Expanded(_series(x), _series(y), (i, j))


def _is_open(gap: Any) -> bool:
    """Whether higher powers could tell: all that are known vanish."""
    return isinstance(gap, Series) and gap.leading is None


def _series(value: Any) -> Series:
    return value if isinstance(value, Series) else Series((value,))


def _times_s(value: Any) -> Any:
    if isinstance(value, list):
        return [_times_s(item) for item in value]
    return {"0": "0", "1": "s", "-1": "-s"}.get(str(value), f"{value}*s")


def _times(factor: Fraction, value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_times(factor, item) for item in value]
    return factor * value


def _shrinking(value: Any, order: int) -> Any:
    """The scale itself for a scalar, each entry times the scale for a matrix."""
    if isinstance(value, list | tuple):
        return [_entries(item, order) for item in value]
    return Series.scale(order)


def _entries(value: Any, order: int) -> Any:
    if isinstance(value, list | tuple):
        return [_entries(item, order) for item in value]
    factor = as_value(value)
    return ZERO if is_zero(factor) else Series.scale(order, factor * ONE)
