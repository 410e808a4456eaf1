"""Where a polynomial of degree 2 in one number meets a number: from three of its values."""

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from verifier.expr import nodes as N
from verifier.expr.sizes import rational
from verifier.expr.walk import substitute, symbols_in
from verifier.facts.degree import degree


@dataclass(frozen=True)
class Parabola:
    """a*x**2 + b*x + c; a and b may be 0."""

    name: str
    a: Fraction
    b: Fraction
    c: Fraction

    @property
    def _discriminant(self) -> Fraction:
        return self.b**2 - 4 * self.a * self.c

    @property
    def is_zero(self) -> bool:
        return self.a == self.b == self.c == 0

    def never(self, op: N.Comparison) -> bool:
        """Whether no real number makes it == 0, < 0 or <= 0."""
        if self.a == 0:
            return self.b == 0 and not _stands(self.c, op)
        match op:
            case "==":
                return self._discriminant < 0
            case "<":
                return self.a > 0 and self._discriminant <= 0
            case "<=":
                return self.a > 0 and self._discriminant < 0
        return False

    @property
    def roots(self) -> tuple[Fraction, ...] | None:
        """All its real roots, if they are rational; None where they are not, or where every number is one."""
        if self.a == 0 and self.b == 0:
            return None if self.c == 0 else ()
        if self.a == 0:
            return (-self.c / self.b,)
        if self._discriminant < 0:
            return ()
        above, below = self._discriminant.numerator, self._discriminant.denominator
        root = Fraction(isqrt(above), isqrt(below))
        if root**2 != self._discriminant:
            return None
        return tuple({(-self.b + sign * root) / (2 * self.a) for sign in (1, -1)})


def _stands(value: Fraction, op: N.Comparison) -> bool:
    return (op != "<" and value == 0) or (op in ("<", "<=") and value < 0)


def parabola(node: N.Node) -> Parabola | None:
    """The tree as such a polynomial in the one symbol that it speaks of; None where it is seen to be none."""
    names = symbols_in(node)
    if len(names) != 1 or not node.shape.is_scalar:
        return None
    (name,) = names
    found = degree(node, {name})
    if found is None or found.most > 2:
        return None
    at = [rational(substitute(node, {N.Symbol(name): N.Number(Fraction(x))})) for x in (0, 1, -1)]
    if not all(isinstance(value, Fraction) for value in at):
        return None
    c, high, low = (Fraction(value or 0) for value in at)
    return Parabola(name, (high + low) / 2 - c, (high - low) / 2, c)
