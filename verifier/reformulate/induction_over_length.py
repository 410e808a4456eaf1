"""Relations between sums of any length, by induction over the length.

    F(n) <= G(n) for n = 1, 2, ...     if     F(1) <= G(1)   and   F(n + 1) - F(n) <= G(n + 1) - G(n)

where a sum up to n grows by its last term: sum(f(i), i, 1, n + 1) - sum(f(i), i, 1, n) = f(n + 1). The second
relation has no sum left, and is asked for all reals n >= 1.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction

from verifier.claim.model import Claim, Step
from verifier.expr import nodes as N
from verifier.expr.dims import SCALAR
from verifier.expr.symbols import Declared, Dimension, IndexOf, Interval
from verifier.expr.text import to_text
from verifier.expr.walk import expand_lets, substitute, walk

_ZERO, _ONE = N.Number(Fraction(0)), N.Number(Fraction(1))
_ONWARD: dict[N.Comparison, N.Comparison] = {"<=": "<=", "<": "<=", ">=": ">=", ">": ">=", "==": "=="}


@dataclass(frozen=True)
class Induction:
    """The first length and each from the one before, which together show the claim.

    meets: what shows that the ratio of the sides tends to 1 (Stolz and Cesàro), where one side is no sum."""

    size: str
    first: Step
    claim: Claim
    onward: Step
    meets: tuple[Step, ...] = ()


class _NotAddedError(Exception):
    """Not a sum of sums up to n and of what has none."""


def inductions(claim: Claim, step: Step) -> Iterator[Induction]:
    """One for each size that a sum of the relation goes up to."""
    fact = step.fact
    if not isinstance(fact, N.Relation) or fact.op not in _ONWARD or claim.growing or claim.layers:
        return
    left, right = expand_lets(fact.left), expand_lets(fact.right)
    parts = [part for side in (left, right) for part in walk(side)]
    plain = all(part.shape.is_scalar and not isinstance(part, N.Expectation) for part in parts)
    if not plain or any(isinstance(part, N.Symbol) and part.name in claim.random for part in parts):
        return
    used = {part.name for part in parts if isinstance(part, N.Symbol)}
    ends = [span.high for part in parts if isinstance(part, N.Sum) for span in part.ranges]
    for name in dict.fromkeys(end.name for end in ends if isinstance(end, N.Symbol)):
        sized = {other for other, symbol in claim.symbols.items() if _is_sized_by(symbol, name)}
        if not _is_free_size(claim, name) or sized & used:
            continue
        try:
            onward = N.Relation(_ONWARD[fact.op], _growth(left, name), _growth(right, name))
        except _NotAddedError:
            continue
        start = N.Relation(fact.op, *(substitute(side, {N.Symbol(name): _ONE}) for side in (left, right)))
        symbols = {other: symbol for other, symbol in claim.symbols.items() if other not in sized}
        symbols[name] = Declared(name, Interval(_ONE, N.Infinity()), SCALAR)
        real = replace(claim, symbols=symbols, lets=())
        meets = tuple(
            replace(step, fact=part, text=to_text(part)) for part in _meeting(left, right, onward, name)
        )
        yield Induction(name, replace(step, fact=start), real, replace(step, fact=onward), meets)


def _meeting(left: N.Node, right: N.Node, onward: N.Relation, name: str) -> Iterator[N.Relation]:
    """F(n)/G(n) -> 1  if  G grows to infinity and  (F(n + 1) - F(n))/(G(n + 1) - G(n)) -> 1"""
    known = [(side, grown) for side, grown in ((right, onward.right), (left, onward.left))
             if not any(map(_is_long, walk(side)))]  # fmt: skip
    if known:
        whole, grown = known[0]
        yield N.Relation(">", grown, _ZERO)
        for ratio, value in ((N.Divide(_ONE, whole), _ZERO), (N.Divide(onward.left, onward.right), _ONE)):
            yield N.Relation("==", N.Limit(ratio, N.Symbol(name), N.Infinity()), value)


def _is_free_size(claim: Claim, name: str) -> bool:
    """A dimension of which nothing is assumed."""
    declared = claim.symbols.get(name)
    if declared is None or not isinstance(declared.kind, Dimension) or name in claim.where:
        return False
    spoken = (part for item in claim.assumptions for part in walk(item.fact))
    return all(not isinstance(part, N.Symbol) or part.name != name for part in spoken)


def _is_sized_by(symbol: Declared, name: str) -> bool:
    """A matrix of this size, an index up to it, or a number between ends that move with it."""
    ends = [end for item in fields(symbol.kind) if isinstance(end := getattr(symbol.kind, item.name), N.Node)]
    if any(_holds(end, name) for end in ends):
        return True
    sizes = [symbol.shape.rows, symbol.shape.cols]
    sizes += [symbol.kind.size] if isinstance(symbol.kind, IndexOf) else []
    sizes += [symbol.copies] if symbol.copies is not None else []
    return any(name in size.names for size in sizes)


def _growth(node: N.Node, name: str) -> N.Node:
    """node(n + 1) - node(n)"""
    following = N.Add(N.Symbol(name), _ONE)
    if not any(map(_is_long, walk(node))):
        return N.Subtract(substitute(node, {N.Symbol(name): following}), node)
    match node:
        case N.Sum(body, (N.Range(index, N.Number(low), N.Symbol(end)),), ()) if (
            end == name and low <= 1 and not _holds(body, name) and not any(map(_is_long, walk(body)))
        ):
            return substitute(body, {N.Index(index): following})
        case N.Add(left, right) | N.Subtract(left, right):
            return type(node)(_growth(left, name), _growth(right, name))
        case N.Negate(arg):
            return N.Negate(_growth(arg, name))
        case N.Multiply(weight, arg) if not _holds(weight, name):
            return N.Multiply(weight, _growth(arg, name))
        case N.Multiply(arg, weight) if not _holds(weight, name):
            return N.Multiply(_growth(arg, name), weight)
        case N.Divide(arg, weight) if not _holds(weight, name):
            return N.Divide(_growth(arg, name), weight)
    raise _NotAddedError


def _is_long(node: N.Node) -> bool:
    return isinstance(node, N.Sum | N.Product | N.SubsetSum)


def _holds(node: N.Node, name: str) -> bool:
    return any(isinstance(part, N.Symbol) and part.name == name for part in walk(node))
