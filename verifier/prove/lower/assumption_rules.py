"""What assumptions say of values: rewriting rules, signs of components, bounds of scalars.

norm(x) == 1                     x[a] x[a], summed over a, is 1
all(norm(X[i]) == 1, i, 1, n)    X[i, a] X[i, a], summed over a, is 1, for every i
X.T @ ones(n) == zeros(d)        X[i, a], summed over i, is 0, for every a
U.T @ U == eye(r)                U[i, a] U[i, b], summed over i, is delta(a, b)
P @ P == P                       P[i, j] P[j, k], summed over j, is P[i, k]
A @ v == lam * v                 A[i, j] v[j], summed over j, is lam v[i]
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.prove.forms.component_signs import is_square
from verifier.prove.forms.functions_of_sums import reapplied
from verifier.prove.forms.labels import renamed, slot
from verifier.prove.forms.opaque_functions import Opaque
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.scalar_sums import inverse_coefficient
from verifier.prove.forms.splice import Piece, replaced, spliced
from verifier.prove.forms.workspace import Workspace, is_constant
from verifier.prove.lower.lower import Lowering
from verifier.prove.networks import Sum
from verifier.prove.networks.network_sums import arrange, collect, flatten
from verifier.prove.networks.network_tensors import Flat, Label, Monomial, Occurrence


@dataclass(frozen=True, eq=False)
class Rule:
    """pattern = value, for every value of the indices in `every`; its other open indices are one position
    each, as in x[1] == y[1]. The value has fewer factors, or as many whose names come earlier: rewriting
    ends."""

    pattern: Flat
    value: Sum
    every: frozenset[Label]

    @property
    def positions(self) -> frozenset[Label]:
        """The open indices of the pattern that stand for themselves alone."""
        open_ = (x for _, labels in self.pattern for x in labels if isinstance(x, str))
        return frozenset[Label](open_) - self.every


def rules(lowering: Lowering) -> list[Rule]:
    """The assumed equalities that fix one component."""
    found = []
    for fact in lowering.space.claim.constraints:
        for said in (fact, _other_way_round(fact)):
            try:
                rule = None if said is None else _rule(lowering, said, frozenset())
            except Refusal:
                continue
            if rule is not None:
                found.append(rule)
    return found


def _other_way_round(fact: N.Fact) -> N.Fact | None:
    """A @ B == 1 for square matrices says that B @ A == 1."""
    match fact:
        case N.Relation("==", N.MatMul(left, right), N.Eye() as one) if (
            left.shape == right.shape == one.shape
        ):
            return N.Relation("==", N.MatMul(right, left), one)
    return None


def _rule(lowering: Lowering, fact: N.Fact, every: frozenset[Label]) -> Rule | None:
    match fact:
        case N.ForAll(N.Relation() as inner, ranges, ()):
            inside, bound = lowering.binding(ranges)
            return _rule(inside, inner, every | {label for label, _ in bound})
        case N.Relation("==", N.Norm(_, "fro") as norm, right):
            form = lowering.value(right)
            if not form.is_scalar or not is_constant(form.value):
                return None
            return _solved(lowering.space, lowering.squared_norm(norm) - form.value * form.value, every)
        case N.Relation("==", left, right) if left.shape.is_scalar and right.shape.is_scalar:
            return _solved(lowering.space, lowering.value(left).value - lowering.value(right).value, every)
        case N.Relation("==", left, right) if left.shape == right.shape:
            one, other = lowering.same(lowering.value(left), lowering.value(right))
            return _solved(lowering.space, one.value - other.value, every.union(one.labels, other.labels))
    return None


def _solved(space: Workspace, zero: Sum, every: frozenset[Label]) -> Rule | None:
    """c * component + rest == 0, the component with the most factors"""
    if not zero.terms:
        return None
    *others, largest = sorted(zero.terms, key=_weight)
    if len(largest) != 1 or (others and _weight(others[-1]) == _weight(largest)):
        return None
    ((component, power),) = largest
    if power != 1 or component[0][0].startswith("delta:"):
        return None
    if any(name in space.opaque for monomial in zero.terms for name, _ in flatten(monomial)):
        return None
    if not set().union(*map(_open_labels, others)) & every <= _open_labels(largest):
        return None
    inverse = inverse_coefficient(space, zero.terms[largest]) * -1
    return Rule(component, collect(zero.frame, [(m, zero.terms[m] * inverse) for m in others]), every)


def _weight(monomial: Monomial) -> tuple[int, list[str]]:
    names = sorted(name for name, _ in flatten(monomial) if not name.startswith("delta:"))
    return len(names), names


def _open_labels(monomial: Monomial) -> set[Label]:
    return {x for _, labels in flatten(monomial) for x in labels if isinstance(x, str)}


def rewritten(space: Workspace, value: Sum, found: list[Rule]) -> Sum:
    """Every match of a pattern replaced by its value, inside functions too, until there is none."""
    if not found:
        return value
    for name in sorted(value.tensors() & space.opaque.keys()):
        opaque = space.opaque[name]
        inner = rewritten(space, opaque.argument, found)
        if inner != opaque.argument:
            value = replaced(value, name, reapplied(space, opaque, inner))
    value = _at_positions(space, value, found)
    for rule in found:
        for _ in range(64):
            after = collect(value.frame, _once(value, rule))
            if after == value:
                break
            value = after
    return value


def _at_positions(space: Workspace, value: Sum, found: list[Rule]) -> Sum:
    """The same inside functions that stand at a position a rule speaks of: exp(x[1]), where x[1] = 0."""
    spoken = frozenset[Label]().union(*(rule.positions for rule in found))
    pieces: list[Piece] = []
    for monomial, coefficient in value.terms.items():
        factors = flatten(monomial)
        for p, (name, labels) in enumerate(factors):
            opaque = space.opaque.get(name)
            by = None if opaque is None else _at_position(space, opaque, labels, spoken, found)
            if by is not None:
                pieces += spliced(value.frame, factors, p, by, coefficient)
                break
        else:
            pieces.append((monomial, coefficient))
    after = collect(value.frame, pieces)
    return value if after == value else _at_positions(space, after, found)


def _at_position(
    space: Workspace, opaque: Opaque, labels: tuple[Label, ...], spoken: frozenset[Label], found: list[Rule]
) -> Sum | None:
    """The function with its argument rewritten where it stands; None if that changes nothing."""
    head = labels[: len(labels) - opaque.row_axes]
    at = {slot(k): x.partition("@")[0] for k, x in enumerate(head) if isinstance(x, str) and x in spoken}
    if not at:
        return None
    argument = renamed(opaque.argument, at)
    after = rewritten(space, argument, found)
    return None if after == argument else reapplied(space, opaque, after)


def _once(value: Sum, rule: Rule) -> Iterator[Piece]:
    frame = value.frame
    mirrored = frozenset(name for name, _ in rule.pattern if frame.is_symmetric(name))
    for monomial, coefficient in value.terms.items():
        factors = flatten(monomial)
        match = next(matches(rule.pattern, factors, rule.every, mirrored), None)
        if match is None:
            yield monomial, coefficient
            continue
        rest = [f for p, f in enumerate(factors) if p not in match.positions]
        alive: dict[Label, str] = {}
        for name, labels in (factors[p] for p in match.positions):
            alive.update(zip(labels, frame.spaces(name), strict=True))
        held = {x for _, labels in rest for x in labels} | match.outer
        kept = {x: s for x, s in alive.items() if x in held}
        width = 1 + max((x for _, labels in factors for x in labels if isinstance(x, int)), default=-1)
        for inner, weight in rule.value.terms.items():
            made = [(n, tuple([_placed(x, match.images, width) for x in xs])) for n, xs in flatten(inner)]
            arranged = arrange(frame, rest + made, (), kept)
            if arranged is not None:
                yield arranged[0], arranged[1] * coefficient * weight


def _placed(label: Label, images: Mapping[Label, Label], width: int) -> Label:
    """An index of the rule's value: open ones stand where the pattern has them or are one position, summed
    ones are new."""
    return label + width if isinstance(label, int) else images.get(label, label)


@dataclass(frozen=True)
class Match:
    """Positions whose factors are the pattern, and what stands for each of its indices."""

    positions: tuple[int, ...]
    images: Mapping[Label, Label]

    @property
    def outer(self) -> set[Label]:
        """The indices that stand where the pattern is open: what is left without factors is summed."""
        return {have for want, have in self.images.items() if isinstance(want, str)}


def matches(
    pattern: Flat,
    factors: list[Occurrence],
    every: frozenset[Label],
    mirrored: frozenset[str] = frozenset(),
) -> Iterator[Match]:
    """Factors that are the pattern, its summed indices held by nothing else and by no open one of it.

    An open index of the pattern stands for any index where it is one of `every`, else for itself alone. A
    factor that is `mirrored`, a symmetric matrix, is matched in both directions."""
    open_ = (x for _, labels in pattern for x in labels if isinstance(x, str))
    fixed: dict[Label, Label] = {x: x for x in open_ if x not in every}
    for found in _matched(pattern, factors, mirrored, Match((), fixed)):
        inner = [y for x, y in found.images.items() if isinstance(x, int)]
        outside = {x for p, (_, labels) in enumerate(factors) if p not in found.positions for x in labels}
        apart = len(set(inner)) == len(inner) and not set(inner) & (outside | found.outer)
        if apart and all(isinstance(x, int) for x in inner):
            yield found


def _matched(
    pattern: Flat, factors: list[Occurrence], mirrored: frozenset[str], before: Match
) -> Iterator[Match]:
    if len(before.positions) == len(pattern):
        yield before
        return
    name, labels = pattern[len(before.positions)]
    for p, (found, have) in enumerate(factors):
        if p in before.positions or found != name:
            continue
        for way in (have, have[::-1]) if name in mirrored else (have,):
            images = dict(before.images)
            if all(images.setdefault(x, y) == y for x, y in zip(labels, way, strict=True)):
                yield from _matched(pattern, factors, mirrored, Match((*before.positions, p), images))


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
    """Components that an assumption such as norm(x) > 0 makes positive; of inner(x, y)*z it makes z'z so, and
    inner(x, y), which may be negative, just no zero."""
    found: set[Flat] = set()
    for fact in lowering.space.claim.constraints:
        match fact:
            case N.Relation(">", N.Norm(_, "fro") as norm, N.Number(value)) if value >= 0:
                try:
                    square = lowering.squared_norm(norm)
                except Refusal:
                    continue
                if len(square.terms) == 1:
                    (monomial,) = square.terms
                    found |= {component for component, _ in monomial if is_square(lowering.space, component)}
    return found
