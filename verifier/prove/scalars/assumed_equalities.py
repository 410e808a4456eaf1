"""Equalities that a claim assumes between invariants, as rules that rewrite atoms.

norm(x) == 1                              norm(x) -> 1
all(norm(X[k]) == norm(x), k, 1, n)       (X @ X.T)[k, k] -> norm(x)**2 for every k, and, summed,
                                          norm(X) -> sqrt(n)*norm(x)
X.T @ ones(n) == zeros(d)                 norm(X.T @ ones(n)) -> 0
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.dims import SCALAR, Dim
from verifier.expr.symbols import Declared, IndexOf
from verifier.expr.walk import substitute, walk
from verifier.prove.scalars.closed_scalars import ClosedForm

ZERO, TWO = n.Number(Fraction(0)), n.Number(Fraction(2))


@dataclass(frozen=True)
class Rule:
    """pattern -> value; `holes` are index names that stand for any index."""

    pattern: n.Node
    value: n.Node
    holes: frozenset[str] = frozenset()

    def applied(self, node: n.Node) -> n.Node | None:
        found: dict[str, n.Node] = {}
        if not _unify(self.pattern, node, self.holes, found):
            return None
        return substitute(self.value, {n.Symbol(name): part for name, part in found.items()})


def rules(claim: Claim, closed_form: ClosedForm) -> tuple[Rule, ...]:
    """The rules of all assumed equalities whose left side is one atom."""
    found: list[Rule] = []
    for fact in claim.constraints:
        match fact:
            case n.Relation("==", left, right) if left.shape.is_scalar:
                found += _rules(claim, left, right, (), closed_form)
            case n.Relation("==", left, right) if left.shape == right.shape:
                apart = n.Power(n.Norm(n.Subtract(left, right)), TWO)
                found += _rule(claim, apart, ZERO, frozenset(), closed_form)
            case n.ForAll(n.Relation("==", left, right), ranges, ()) if left.shape.is_scalar:
                found += _rules(claim, left, right, ranges, closed_form)
    return tuple(found)


def _rules(
    claim: Claim, left: n.Node, right: n.Node, ranges: tuple[n.Range, ...], closed_form: ClosedForm
) -> Iterator[Rule]:
    inner = with_indices(claim, ranges)
    if inner is None:
        return
    named: dict[n.Node, n.Node] = {n.Index(span.index): n.Symbol(span.index) for span in ranges}
    holes = frozenset(span.index for span in ranges)
    square = n.Power(substitute(left, named), TWO) if isinstance(left, n.Norm) else substitute(left, named)
    value = substitute(right, named)
    value = n.Power(value, TWO) if isinstance(left, n.Norm) else value
    yield from _rule(inner, square, value, holes, closed_form)
    if len(ranges) == 1 and not any(isinstance(part, n.Index) for part in walk(right)):
        body = n.Power(left, TWO) if isinstance(left, n.Norm) else left
        summed = n.Sum(body, ranges)
        yield from _rule(claim, summed, n.Multiply(ranges[0].high, value), frozenset(), closed_form)


def _rule(
    claim: Claim, square: n.Node, value: n.Node, holes: frozenset[str], closed_form: ClosedForm
) -> Iterator[Rule]:
    pattern, result = closed_form(claim, square), closed_form(claim, value)
    if pattern is None:
        return
    result = value if result is None else result
    match pattern:
        case n.Power(n.Norm() as norm, n.Number(k)) if k == 2:
            rule = Rule(norm, n.Apply("sqrt", (result,)), holes)
        case n.Norm() | n.Entry() | n.Trace():
            rule = Rule(pattern, result, holes)
        case _:
            return
    # A value that the rule would rewrite again never ends.
    if all(rule.applied(part) is None for part in walk(result)):
        yield rule


def with_indices(claim: Claim, ranges: tuple[n.Range, ...]) -> Claim | None:
    """The claim with each bound index declared as a symbol of its own; None if a range is no 1..n."""
    symbols = dict(claim.symbols)
    for span in ranges:
        size = _dim(span.high)
        if span.low != n.Number(Fraction(1)) or size is None or span.index in symbols:
            return None
        symbols[span.index] = Declared(span.index, IndexOf(size), SCALAR)
    return replace(claim, symbols=symbols)


def _dim(node: n.Node) -> Dim | None:
    match node:
        case n.Symbol(name):
            return Dim.of(name)
        case n.Number(value) if value.denominator == 1:
            return Dim.of(int(value))
        case n.Add(left, right) | n.Subtract(left, right):
            first, second = _dim(left), _dim(right)
            if first is not None and second is not None:
                return first + second if isinstance(node, n.Add) else first - second
    return None


def _unify(pattern: object, node: object, holes: frozenset[str], found: dict[str, n.Node]) -> bool:
    if isinstance(pattern, n.Symbol) and pattern.name in holes and isinstance(node, n.Node):
        return found.setdefault(pattern.name, node) == node
    if isinstance(pattern, n.Node):
        if type(pattern) is not type(node):
            return False
        return all(
            _unify(getattr(pattern, f.name), getattr(node, f.name), holes, found) for f in fields(pattern)
        )
    return pattern == node
