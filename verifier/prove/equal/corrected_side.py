"""The right side that would be true, in the author's own terms where they suffice.

The terms of the right side as it was written, t_1 + t_2 + ..., are tried first: left = c_1 t_1 + ... with
scalars c_i; what they leave is written out in closed form.
"""

from dataclasses import dataclass, replace

from verifier.expr import nodes as N
from verifier.expr.text import to_text
from verifier.expr.walk import walk
from verifier.prove.equal.closed_relation import Sides
from verifier.prove.forms.coefficients import coefficient_node
from verifier.prove.forms.function_identities import settled
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.scalar_sums import inverse_coefficient
from verifier.prove.forms.small_trees import minus_first, number, product, quotient, total
from verifier.prove.forms.workspace import Workspace, constant, is_constant
from verifier.prove.lower.lower import Lowering
from verifier.prove.networks import Coefficient, Monomial, Sum
from verifier.prove.write.neat import neat
from verifier.prove.write.write_sums import Writer

_MOST_TERMS = 5
_MADE = (N.Expectation, N.Variance, N.Covariance, N.Derivative)


def correction(lowering: Lowering, fact: N.Relation, found: Sides) -> str | None:
    """A right side equal to the left, as text. For a bound none where that says nothing new: the left side
    as it stands, or one with nothing to work out. Nothing is less than itself."""
    if fact.op in ("<", ">"):
        return None
    if fact.op != "==" and not any(isinstance(node, _MADE) for node in walk(fact.left)):
        return None
    try:
        own = _in_own_terms(lowering, fact.right, found)
        text = to_text(minus_first(neat(Writer(found.space).form(found.left) if own is None else own)))
    except Refusal:
        return None
    return None if fact.op != "==" and _bare(text) == _bare(to_text(fact.left)) else text


def _bare(text: str) -> str:
    """Without brackets and spaces: what is equal to the left side and spelled alike says nothing new."""
    return text.translate(str.maketrans("", "", "() "))


def _in_own_terms(lowering: Lowering, right: N.Node, found: Sides) -> N.Node | None:
    """The terms as they are written; if these leave something over, those of c*(t_1 + t_2) one by one."""
    whole = _combined(lowering, _addends(right), found)
    if whole is not None and not whole[1]:
        return total(whole[0])
    parts = _combined(lowering, [part for term in _addends(right) for part in _spread(term)], found)
    best = min((x for x in (whole, parts) if x is not None), key=lambda x: len(x[1].terms), default=None)
    if best is None:
        return None
    own, left = best
    if not left:
        return total(own)
    writer = Writer(found.space)
    plain = writer.form(found.left)
    mixed = total([*own, writer.form(replace(found.left, value=left))])
    return mixed if len(to_text(mixed)) < len(to_text(plain)) else plain


def _combined(lowering: Lowering, nodes: list[N.Node], found: Sides) -> tuple[list[N.Node], Sum] | None:
    """left = what the nodes make of it + what they leave; None if they are of no use."""
    if not found.left.value or len(nodes) > _MOST_TERMS:
        return None
    terms = [_Term.of(lowering, node) for node in nodes]
    if any(is_constant(term.value) for term in terms) and len(terms) == 1:
        return None
    weights, left = combination(found.space, [term.value for term in terms], found.left.value)
    if left and len(left.terms) >= len(found.left.value.terms):
        return None
    pairs = zip(weights, terms, strict=True)
    return [term.scaled(found.space, weight) for weight, term in pairs if not weight.is_zero()], left


def _spread(node: N.Node) -> list[N.Node]:
    """c*(t_1 + t_2) as c*t_1 and c*t_2"""
    match node:
        case N.Multiply(left, right):
            return [N.Multiply(a, b) for a in _spread(left) for b in _spread(right)]
        case N.Divide(left, right):
            return [N.Divide(a, right) for a in _spread(left)]
        case N.Negate(arg):
            return [N.Negate(a) for a in _spread(arg)]
        case N.Add() | N.Subtract():
            return [part for term in _addends(node) for part in _spread(term)]
    return [node]


def _addends(node: N.Node) -> list[N.Node]:
    match node:
        case N.Add(left, right):
            return _addends(left) + _addends(right)
        case N.Subtract(left, right):
            return _addends(left) + [N.Negate(term) for term in _addends(right)]
        case N.Negate(N.Negate(arg)):
            return _addends(arg)
    return [node]


@dataclass(frozen=True, eq=False)
class _Term:
    """A term of the right side: a scalar coefficient, and what the author multiplies it with."""

    value: Sum
    scale: Coefficient
    above: tuple[N.Node, ...]
    below: tuple[N.Node, ...]

    @classmethod
    def of(cls, lowering: Lowering, node: N.Node) -> "_Term":
        above, below = _factors(node)
        scale = lowering.space.ring(1)
        kept: tuple[list[N.Node], list[N.Node]] = ([], [])
        for side, factors in enumerate((above, below)):
            for factor in factors:
                known = _scalar(lowering, factor)
                if known is None:
                    kept[side].append(factor)
                else:
                    scale = scale * (inverse_coefficient(lowering.space, known) if side else known)
        value = settled(lowering.space, lowering.value(node).value)
        return cls(value, lowering.space.ring.reduce(scale), tuple(kept[0]), tuple(kept[1]))

    def scaled(self, space: Workspace, weight: Coefficient) -> N.Node:
        """weight * (the term as it was written)"""
        factor = coefficient_node(space, space.ring.reduce(weight * self.scale))
        return quotient(product([factor, *self.above]), product(self.below))


def _factors(node: N.Node) -> tuple[list[N.Node], list[N.Node]]:
    """The factors above and below the line."""
    match node:
        case N.Multiply(left, right):
            (a, b), (c, d) = _factors(left), _factors(right)
            return a + c, b + d
        case N.Divide(left, right):
            (a, b), (c, d) = _factors(left), _factors(right)
            return a + d, b + c
        case N.Negate(arg):
            above, below = _factors(arg)
            return [number(-1), *above], below
        case N.MatMul(left, right):
            (a, b), (c, d) = _factors(left), _factors(right)
            first, second = ([x for x in side if not x.shape.is_scalar] for side in (a, c))
            if len(first) == len(second) == 1 and all(x.shape.is_scalar for x in b + d):
                scalars = [x for x in a + c if x.shape.is_scalar]
                return [*scalars, N.MatMul(first[0], second[0])], b + d
    return [node], []


def _scalar(lowering: Lowering, node: N.Node) -> Coefficient | None:
    """A plain scalar, and no expectation or let name that the author would miss."""
    if not node.shape.is_scalar or isinstance(node, N.Let | N.Expectation | N.Variance | N.Covariance):
        return None
    form = lowering.value(node)
    return constant(form.value) if is_constant(form.value) and form.value else None


def combination(space: Workspace, terms: list[Sum], target: Sum) -> tuple[list[Coefficient], Sum]:
    """c and what is left, with target = c_1 t_1 + c_2 t_2 + ... + what is left, by elimination."""
    rows: list[tuple[Monomial, Sum, list[Coefficient]]] = []
    zero, one = space.ring(0), space.ring(1)
    for k, term in enumerate(terms):
        made = [one if i == k else zero for i in range(len(terms))]
        term, made = _reduced(space, term, made, rows)
        if term:
            pivot = min(term.terms, key=lambda m: sorted(map(repr, m)))
            scale = inverse_coefficient(space, term.terms[pivot])
            rows.append((pivot, term * scale, [space.ring.reduce(c * scale) for c in made]))
    left, weights = _reduced(space, target, [zero] * len(terms), rows)
    return [space.ring.reduce(-w) for w in weights], left


def _reduced(
    space: Workspace, value: Sum, made: list[Coefficient], rows: list[tuple[Monomial, Sum, list[Coefficient]]]
) -> tuple[Sum, list[Coefficient]]:
    """value without the pivots of the rows, and how it was made of the terms."""
    for pivot, row, parts in rows:
        amount = value.terms.get(pivot)
        if amount is not None:
            value = value - row * amount
            made = [space.ring.reduce(a - amount * b) for a, b in zip(made, parts, strict=True)]
    return value, made
