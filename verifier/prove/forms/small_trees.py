"""Small trees: numbers, sums and products without needless ones and zeros."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING

from verifier.expr import nodes as N
from verifier.expr.dims import Dim
from verifier.prove.networks import Coefficient
from verifier.prove.networks.ring import to_fraction

if TYPE_CHECKING:
    from verifier.prove.forms.workspace import Workspace


def number(value: Fraction | int) -> N.Node:
    return N.Number(Fraction(value))


ONE = number(1)


def product(factors: Iterable[N.Node]) -> N.Node:
    """a*b*c, with a rational in front and no factor 1; a sign stands outside."""
    amount, rest = Fraction(1), []
    for factor in factors:
        while isinstance(factor, N.Negate):
            amount, factor = -amount, factor.arg
        if isinstance(factor, N.Number):
            amount *= factor.value
        else:
            rest.append(factor)
    if not rest or amount == 0:
        return number(amount)
    if abs(amount) != 1:
        rest.insert(0, number(abs(amount)))
    result = rest[0]
    for factor in rest[1:]:
        result = N.Multiply(result, factor)
    return N.Negate(result) if amount < 0 else result


def factors(node: N.Node) -> list[N.Node]:
    """The factors of a product of scalars, from left to right."""
    match node:
        case N.Multiply(left, right) if left.shape.is_scalar and right.shape.is_scalar:
            return [*factors(left), *factors(right)]
        case N.Divide(left, N.Number(value)) if left.shape.is_scalar and value:
            return [*factors(left), number(1 / value)]
    return [node]


def total(terms: Iterable[N.Node]) -> N.Node:
    """a + b - c, or 0; what is subtracted stands last."""
    added, taken = [], []
    for term in terms:
        match term:
            case N.Negate(arg):
                taken.append(arg)
            case N.Number(value) if value < 0:
                taken.append(number(-value))
            case _:
                added.append(term)
    if not added:
        if not taken:
            return number(0)
        return N.Negate(_sum(taken))
    result = _sum(added)
    for term in taken:
        result = N.Subtract(result, term)
    return result


def _sum(terms: list[N.Node]) -> N.Node:
    result = terms[0]
    for term in terms[1:]:
        result = N.Add(result, term)
    return result


def raised(base: N.Node, power: int) -> N.Node:
    return base if power == 1 else N.Power(base, number(power))


def size(dim: Dim) -> N.Node:
    """A dimension as a polynomial of its symbols."""
    return total(
        product([number(Fraction(count)), *(raised(N.Symbol(name), power) for name, power in monomial)])
        for monomial, count in dim.terms
    )


def quotient(top: N.Node, bottom: N.Node) -> N.Node:
    if bottom == ONE:
        return top
    match top:
        case N.Negate(arg):
            return N.Negate(N.Divide(arg, bottom))
        case N.Number(value) if value < 0:
            return N.Negate(N.Divide(number(-value), bottom))
    return N.Divide(top, bottom)


def minus_first(node: N.Node) -> N.Node:
    """-(a*b/c) as (-a)*b/c"""
    return _turned(node.arg) if isinstance(node, N.Negate) else node


def _turned(node: N.Node) -> N.Node:
    match node:
        case N.Number(value):
            return number(-value)
        case N.Multiply(left, right):
            return N.Multiply(_turned(left), right)
        case N.Divide(left, right):
            return N.Divide(_turned(left), right)
    return N.Negate(node)


def coefficient_tree(space: Workspace, value: Coefficient) -> N.Node:
    """A polynomial of the ring as it stands, generators by what they mean."""
    terms = []
    for exponents, coefficient in value.to_dict().items():
        factors = [number(to_fraction(coefficient))]
        for name, power in zip(space.ring.names, exponents, strict=True):
            if power:
                factors.append(raised(space.meaning[name], int(power)))
        terms.append(product(factors))
    return total(terms)


def scaled(coefficient: N.Node, bodies: list[N.Node]) -> N.Node:
    """c * (a + b - d)"""
    if len(bodies) == 1:
        return (
            product([coefficient, bodies[0]])
            if not isinstance(bodies[0], N.Negate)
            else N.Negate(product([coefficient, bodies[0].arg]))
        )
    if coefficient == number(1):
        return total(bodies)
    return N.Multiply(coefficient, total(bodies))


def turned(node: N.Node) -> N.Node:
    """The transpose of a product, written out: (A @ B.T).T = B @ A.T."""
    factors = [part.arg if isinstance(part, N.Transpose) else N.Transpose(part) for part in _factors(node)]
    return reduce(N.MatMul, reversed(factors))


def _factors(node: N.Node) -> list[N.Node]:
    if isinstance(node, N.MatMul):
        return [*_factors(node.left), *_factors(node.right)]
    return [node]
