"""Dimensions: integer polynomials in the claim's dimension symbols.

A matrix is `n` by `2*d + 1`; a Jacobian is `n*d` by `d**2`. Two shapes are equal when these
polynomials are, so dimensions need a normal form of their own, cheap enough to build for every
node: a sorted tuple of (monomial, coefficient).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from verifier.expr.errors import ShapeError

Monomial = tuple[tuple[str, int], ...]

MAX_TERMS = 200
MAX_DEGREE = 64
MAX_COEFFICIENT = 10**60


@dataclass(frozen=True, slots=True)
class Dim:
    """A polynomial with integer coefficients: sum of coefficient * product of name**power."""

    terms: tuple[tuple[Monomial, int], ...]

    @staticmethod
    def of(value: "int | str | Dim") -> "Dim":
        """The constant 3, the symbol `n`, or a dimension as it is."""
        if isinstance(value, Dim):
            return value
        if isinstance(value, str):
            return Dim(((((value, 1),), 1),))
        return Dim((((), value),)) if value else Dim(())

    def __add__(self, other: "Dim") -> "Dim":
        sums = dict(self.terms)
        for monomial, coefficient in other.terms:
            sums[monomial] = sums.get(monomial, 0) + coefficient
        return _normal(sums)

    def __mul__(self, other: "Dim") -> "Dim":
        if len(self.terms) * len(other.terms) > MAX_TERMS:
            raise ShapeError(f"a size that is a sum of more than {MAX_TERMS} terms")
        products: dict[Monomial, int] = {}
        for left, a in self.terms:
            for right, b in other.terms:
                monomial = _times(left, right)
                products[monomial] = products.get(monomial, 0) + a * b
        return _normal(products)

    def __sub__(self, other: "Dim") -> "Dim":
        return self + other * Dim.of(-1)

    @property
    def constant(self) -> int | None:
        """The integer this is, or None where a symbol remains."""
        if not self.terms:
            return 0
        (monomial, coefficient), *rest = self.terms
        return coefficient if not monomial and not rest else None

    @property
    def names(self) -> frozenset[str]:
        return frozenset(name for monomial, _ in self.terms for name, _ in monomial)

    def at(self, values: Mapping[str, int]) -> int:
        """The size once every symbol has a value."""
        total = 0
        for monomial, coefficient in self.terms:
            product = coefficient
            for name, power in monomial:
                product *= values[name] ** power
            total += product
        return total

    def replace(self, values: Mapping[str, "Dim"]) -> "Dim":
        """This polynomial with some symbols replaced by others."""
        total = Dim(())
        for monomial, coefficient in self.terms:
            product = Dim.of(coefficient)
            for name, power in monomial:
                for _ in range(power):
                    product = product * values.get(name, Dim.of(name))
            total = total + product
        return total

    def __str__(self) -> str:
        if not self.terms:
            return "0"
        parts = []
        for monomial, coefficient in self.terms:
            factors = [name if power == 1 else f"{name}**{power}" for name, power in monomial]
            if abs(coefficient) != 1 or not factors:
                factors.insert(0, str(abs(coefficient)))
            parts.append(("-" if coefficient < 0 else "+", "*".join(factors)))
        head = ("-" if parts[0][0] == "-" else "") + parts[0][1]
        return head + "".join(f" {sign} {body}" for sign, body in parts[1:])


def _times(left: Monomial, right: Monomial) -> Monomial:
    powers = dict(left)
    for name, power in right:
        powers[name] = powers.get(name, 0) + power
    return tuple(sorted(powers.items()))


def _normal(terms: Mapping[Monomial, int]) -> Dim:
    kept = [(monomial, value) for monomial, value in terms.items() if value]
    for monomial, value in kept:
        if abs(value) > MAX_COEFFICIENT or sum(power for _, power in monomial) > MAX_DEGREE:
            raise ShapeError("a size beyond all bounds")
    # Highest degree first, so that "n*d + 1" does not print as "1 + d*n".
    kept.sort(key=lambda term: (-sum(power for _, power in term[0]), term[0]))
    return Dim(tuple(kept))


ONE = Dim.of(1)


@dataclass(frozen=True, slots=True)
class Shape:
    """Rows by columns. A vector is n by 1, a scalar 1 by 1."""

    rows: Dim = ONE
    cols: Dim = ONE

    @property
    def is_scalar(self) -> bool:
        return self is SCALAR or (self.rows == ONE and self.cols == ONE)

    @property
    def is_vector(self) -> bool:
        """A column: n by 1, the scalar included."""
        return self.cols == ONE

    @property
    def is_square(self) -> bool:
        return self.rows == self.cols

    @property
    def size(self) -> Dim:
        return self.rows * self.cols

    @property
    def transposed(self) -> "Shape":
        return Shape(self.cols, self.rows)

    def __str__(self) -> str:
        return f"{self.rows}-by-{self.cols}"


SCALAR = Shape()
