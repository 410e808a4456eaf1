"""What assumptions say of values: rewriting rules, signs of components, bounds of scalars.

norm(x) == 1                     x[a] x[a], summed over a, is 1
all(norm(X[i]) == 1, i, 1, n)    X[i, a] X[i, a], summed over a, is 1, for every i
X.T @ ones(n) == zeros(d)        X[i, a], summed over i, is 0, for every a
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.symbolic.functions import reapplied
from verifier.symbolic.lower import Lowering
from verifier.symbolic.network import Coefficient, Sum
from verifier.symbolic.network.sums import arrange, collect, flatten
from verifier.symbolic.network.tensors import Flat, Label, Occurrence
from verifier.symbolic.refusal import Refusal
from verifier.symbolic.scalars import inverse_coefficient
from verifier.symbolic.splice import Piece, replaced
from verifier.symbolic.workspace import Workspace, is_constant


@dataclass(frozen=True, eq=False)
class Rule:
    """pattern = value, for every value of the pattern's open indices."""

    pattern: Flat
    value: Coefficient


def rules(lowering: Lowering) -> list[Rule]:
    """The assumed equalities that fix one component."""
    found = []
    for fact in lowering.space.claim.constraints:
        try:
            rule = _rule(lowering, fact)
        except Refusal:
            continue
        if rule is not None:
            found.append(rule)
    return found


def _rule(lowering: Lowering, fact: N.Fact) -> Rule | None:
    match fact:
        case N.ForAll(N.Relation() as inner, ranges, ()):
            inside, _ = lowering.binding(ranges)
            return _rule(inside, inner)
        case N.Relation("==", N.Norm(_, "fro") as norm, right):
            form = lowering.value(right)
            if not form.is_scalar or not is_constant(form.value):
                return None
            return _solved(lowering.space, lowering.squared_norm(norm) - form.value * form.value)
        case N.Relation("==", left, right) if left.shape.is_scalar and right.shape.is_scalar:
            return _solved(lowering.space, lowering.value(left).value - lowering.value(right).value)
        case N.Relation("==", left, right) if left.shape == right.shape:
            one, other = lowering.same(lowering.value(left), lowering.value(right))
            return _solved(lowering.space, one.value - other.value)
    return None


def _solved(space: Workspace, zero: Sum) -> Rule | None:
    """c * component + rest == 0"""
    tensors = [m for m in zero.terms if m]
    if len(tensors) != 1 or len(tensors[0]) != 1:
        return None
    ((component, power),) = tensors[0]
    if power != 1 or component[0][0] in space.opaque or component[0][0].startswith("delta:"):
        return None
    rest = zero.terms.get(frozenset(), space.ring(0))
    value = space.ring.reduce(rest * inverse_coefficient(space, zero.terms[tensors[0]]) * -1)
    return Rule(component, value)


def rewritten(space: Workspace, value: Sum, found: list[Rule]) -> Sum:
    """Every match of a pattern replaced by its value, inside functions too, until there is none."""
    if not found:
        return value
    for name in sorted(value.tensors() & space.opaque.keys()):
        opaque = space.opaque[name]
        inner = rewritten(space, opaque.argument, found)
        if inner != opaque.argument:
            value = replaced(value, name, reapplied(space, opaque, inner))
    for rule in found:
        for _ in range(64):
            after = collect(value.frame, _once(value, rule))
            if after == value:
                break
            value = after
    return value


def _once(value: Sum, rule: Rule) -> Iterator[Piece]:
    for monomial, coefficient in value.terms.items():
        factors = flatten(monomial)
        match = next(matches(rule.pattern, factors, {}, ()), None)
        if match is None:
            yield monomial, coefficient
            continue
        rest = [f for p, f in enumerate(factors) if p not in match]
        alive: dict[Label, str] = {}
        for name, labels in (factors[p] for p in match):
            alive.update(zip(labels, value.frame.spaces(name), strict=True))
        held = {x for _, labels in rest for x in labels}
        kept = {x: s for x, s in alive.items() if x in held or x in _outer(rule.pattern, factors, match)}
        arranged = arrange(value.frame, rest, (), kept)
        if arranged is not None:
            yield arranged[0], arranged[1] * coefficient * rule.value


def _outer(pattern: Flat, factors: list[Occurrence], match: tuple[int, ...]) -> set[Label]:
    """The indices that stand where the pattern is open: what is left without factors is summed."""
    found: set[Label] = set()
    for (_, wanted), p in zip(pattern, match, strict=True):
        for want, have in zip(wanted, factors[p][1], strict=True):
            if isinstance(want, str):
                found.add(have)
    return found


def matches(
    pattern: Flat, factors: list[Occurrence], images: dict[Label, Label], chosen: tuple[int, ...]
) -> Iterator[tuple[int, ...]]:
    """Positions whose factors are the pattern, its summed indices held by nothing else."""
    if len(chosen) == len(pattern):
        inner = {images[x] for _, labels in pattern for x in labels if isinstance(x, int)}
        outside = {x for p, (_, labels) in enumerate(factors) if p not in chosen for x in labels}
        if not inner & outside and all(isinstance(x, int) for x in inner):
            yield chosen
        return
    name, labels = pattern[len(chosen)]
    for p, (found, have) in enumerate(factors):
        if p in chosen or found != name:
            continue
        joined = dict(images)
        if all(joined.setdefault(x, y) == y for x, y in zip(labels, have, strict=True)):
            taken = [joined[x] for x in joined if isinstance(x, int)]
            if len(set(taken)) == len(taken):
                yield from matches(pattern, factors, joined, (*chosen, p))


@dataclass(frozen=True)
class Bound:
    """low <= scalar (strictly, if open) and scalar <= high; None: unbounded."""

    low: Fraction | None = None
    high: Fraction | None = None
    strict: bool = False


def scalar_bounds(lowering: Lowering) -> dict[str, Bound]:
    """Bounds that assumptions state between a scalar symbol and a number."""
    found: dict[str, Bound] = {}
    for fact in lowering.space.claim.constraints:
        match fact:
            case N.Relation(op, N.Symbol(name), N.Number(value)):
                _tighten(found, name, op, value)
            case N.Relation(op, N.Number(value), N.Symbol(name)):
                _tighten(found, name, {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(op, op), value)
            case N.Within(N.Symbol(name), N.Number(low), N.Number(high)):
                _tighten(found, name, ">=", low)
                _tighten(found, name, "<=", high)
    return found


def _tighten(found: dict[str, Bound], name: str, op: str, value: Fraction) -> None:
    before = found.get(name, Bound())
    if op in (">", ">=") and (before.low is None or value >= before.low):
        found[name] = Bound(value, before.high, op == ">")
    if op in ("<", "<=") and (before.high is None or value <= before.high):
        found[name] = Bound(before.low, value, before.strict)


def positive_components(lowering: Lowering) -> set[Flat]:
    """Components that an assumption such as norm(x) > 0 makes positive."""
    found: set[Flat] = set()
    for fact in lowering.space.claim.constraints:
        match fact:
            case N.Relation(">", N.Norm(_, "fro") as norm, N.Number(value)) if value >= 0:
                try:
                    square = lowering.squared_norm(norm)
                except Refusal:
                    continue
                if len(square.terms) == 1:
                    found |= {component for component, _ in next(iter(square.terms))}
    return found
