"""Small trees: numbers, sums and products without needless ones and zeros."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

from verifier.expr import nodes as N
from verifier.symbolic.network import Coefficient
from verifier.symbolic.network.ring import to_fraction

if TYPE_CHECKING:
    from verifier.symbolic.workspace import Workspace


def number(value: Fraction | int) -> N.Node:
    return N.Number(Fraction(value))


ONE = number(1)


def product(factors: Iterable[N.Node]) -> N.Node:
    """a*b*c, with a rational in front and no factor 1."""
    amount, rest = Fraction(1), []
    for factor in factors:
        if isinstance(factor, N.Number):
            amount *= factor.value
        else:
            rest.append(factor)
    if not rest or amount == 0:
        return number(amount)
    if amount not in (1, -1):
        rest.insert(0, number(abs(amount)))
    result = rest[0]
    for factor in rest[1:]:
        result = N.Multiply(result, factor)
    return N.Negate(result) if amount < 0 else result


def total(terms: Iterable[N.Node]) -> N.Node:
    """a + b - c, or 0."""
    result: N.Node | None = None
    for term in terms:
        if result is None:
            result = term
        elif isinstance(term, N.Negate):
            result = N.Subtract(result, term.arg)
        else:
            result = N.Add(result, term)
    return number(0) if result is None else result


def raised(base: N.Node, power: int) -> N.Node:
    return base if power == 1 else N.Power(base, number(power))


def quotient(top: N.Node, bottom: N.Node) -> N.Node:
    if bottom == ONE:
        return top
    if isinstance(top, N.Negate):
        return N.Negate(N.Divide(top.arg, bottom))
    return N.Divide(top, bottom)


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
