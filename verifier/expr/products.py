"""Products that read well: 2*a by 1/2 is a, n/10 by 1/10 is n/100, sqrt(n)*sqrt(n) is n.

A scalar product is a number times powers of its other factors. Factors keep their order; only powers of
symbols are put together, since these are what a factor of sizes meets.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from verifier.expr.nodes import Add, Apply, Divide, Multiply, Negate, Node, Number, Power, Subtract, Symbol

ONE = Fraction(1)
HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Product:
    """number * product of base**exponent."""

    number: Fraction
    powers: tuple[tuple[Node, Fraction], ...] = ()

    def __mul__(self, other: "Product") -> "Product":
        found = dict(self.powers)
        for base, exponent in other.powers:
            found[base] = found.get(base, Fraction(0)) + exponent
        return Product(self.number * other.number, tuple((b, e) for b, e in found.items() if e != 0))

    @property
    def inverse(self) -> "Product":
        return Product(1 / self.number, tuple((base, -exponent) for base, exponent in self.powers))

    @property
    def node(self) -> Node:
        """Numerators over denominators, the number in front."""
        above = [_raised(base, exponent) for base, exponent in self.powers if exponent > 0]
        below = [_raised(base, -exponent) for base, exponent in self.powers if exponent < 0]
        lead = self.number
        if lead.denominator != 1 and (above or below):
            below.insert(0, Number(Fraction(lead.denominator)))
            lead = Fraction(lead.numerator)
        signed = lead == -1 and bool(above)
        if not above or abs(lead) != 1:
            above.insert(0, Number(lead))
        top = Negate(_joined(above)) if signed else _joined(above)
        return Divide(top, _joined(below)) if below else top


def times(factor: Fraction, node: Node) -> Node:
    """factor * node; a sum takes the factor in where all of its terms stay whole."""
    if factor == 0:
        return Number(factor)
    taken = _distributed(factor, node)
    return (Product(factor) * product_of(node)).node if taken is None else taken


def multiplied(left: Node, right: Node) -> Node:
    """The product of two scalars."""
    return (product_of(left) * product_of(right)).node


def divided(left: Node, right: Node) -> Node:
    """The quotient of two scalars."""
    return (product_of(left) * product_of(right).inverse).node


def product_of(node: Node) -> Product:
    """A scalar as a product; what is none is a factor of its own."""
    match node:
        case Number(value) if value != 0:
            return Product(value)
        case Negate(arg):
            return Product(-ONE) * product_of(arg)
        case Multiply(left, right):
            return product_of(left) * product_of(right)
        case Divide(left, right) if right != Number(Fraction(0)):
            return product_of(left) * product_of(right).inverse
        case Power(Symbol() as base, Number(exponent)):
            return Product(ONE, ((base, exponent),) if exponent else ())
        case Apply("sqrt", (Symbol() as base,)):
            return Product(ONE, ((base, HALF),))
    return Product(ONE, ((node, ONE),))


def _raised(base: Node, exponent: Fraction) -> Node:
    if exponent == 1:
        return base
    return Apply("sqrt", (base,)) if exponent == HALF else Power(base, Number(exponent))


def _joined(factors: list[Node]) -> Node:
    found, *rest = factors
    for factor in rest:
        found = Multiply(found, factor)
    return found


def _distributed(factor: Fraction, node: Node) -> Node | None:
    """2*a + 4*b by 1/2 is a + 2*b."""
    if not isinstance(node, Add | Subtract) or not all(_stays_whole(factor, term) for term in _terms(node)):
        return None
    left, right = times(factor, node.left), times(factor, node.right)
    return Add(left, right) if isinstance(node, Add) else Subtract(left, right)


def _terms(node: Node) -> Iterator[Node]:
    if isinstance(node, Add | Subtract):
        yield from _terms(node.left)
        yield from _terms(node.right)
    else:
        yield node


def _stays_whole(factor: Fraction, term: Node) -> bool:
    return (product_of(term).number * factor).denominator == 1
