"""Values along a family: numbers times powers of what grows, and matrices of numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from verifier.expr import nodes as N
from verifier.expr.dims import Dim
from verifier.kernel.context import Context
from verifier.kernel.points import values as v
from verifier.kernel.points.alike import Alike, single
from verifier.kernel.rejected import Rejected


@dataclass(frozen=True)
class Monomial:
    """factor * n**k * ...; of a matrix, the same at every entry, or on the diagonal alone."""

    factor: Fraction
    powers: Mapping[str, Fraction]
    diagonal: bool = False

    def node(self, context: Context, name: str) -> N.Node:
        found: N.Node = N.Number(self.factor)
        for other, power in self.powers.items():
            base = N.Symbol(other, context.symbols[other].shape)
            found = N.Multiply(found, N.Power(base, N.Number(power)))
        return N.Multiply(found, N.Eye(context.symbols[name].shape.rows)) if self.diagonal else found


@dataclass(frozen=True)
class Table:
    """A matrix by its rows; it does not move."""

    rows: tuple[tuple[Fraction, ...], ...]

    @property
    def powers(self) -> Mapping[str, Fraction]:
        return {}

    @property
    def size(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows[0])

    def node(self, context: Context, name: str) -> N.Node:
        """sum of x[i, j] * e_i @ e_j.T"""
        shape = context.symbols[name].shape
        parts: list[N.Node] = [
            N.Multiply(N.Number(value), N.MatMul(N.Transpose(_unit(shape.rows, i)), _unit(shape.cols, j)))
            for i, row in enumerate(self.rows, 1)
            for j, value in enumerate(row, 1)
            if value
        ]
        return reduce(N.Add, parts) if parts else N.Zeros(shape)

    def is_in(self, family: str) -> bool:
        height, width = self.size

        def entry(i: int, j: int) -> v.Value:
            return v.rational(self.rows[i - 1][j - 1])

        square = height == width or family in ("matrix", "vector", "simplex", "stochastic")
        return square and Alike(single(height), single(width), entry).is_in_family(family)


Value = Monomial | Table


def _unit(size: Dim, at: int) -> N.Node:
    return N.Row(N.Eye(size), N.Number(Fraction(at)))


def read_values(values: object) -> dict[str, Value]:
    """`{"x": ["2", {"n": "1/2"}], "Y": [["1", "0"]]}`: x = 2*sqrt(n), and the only row of Y is 1, 0."""
    if not isinstance(values, dict):
        raise Rejected("data", "a value for each name")
    try:
        return {name: _read(value) for name, value in values.items()}
    except (ValueError, ZeroDivisionError):
        raise Rejected("data", "factors, exponents and entries are rational numbers") from None


def _read(value: object) -> Value:
    match value:
        case [str() as factor, dict() as powers] if all(isinstance(k, str) for k in powers.values()):
            return Monomial(Fraction(factor), {other: Fraction(k) for other, k in powers.items()})
        case [str() as factor, dict() as powers, "eye"] if all(isinstance(k, str) for k in powers.values()):
            return Monomial(Fraction(factor), {other: Fraction(k) for other, k in powers.items()}, True)
        case [[_, *_], *_]:
            rows = tuple(tuple(map(_entry, row)) if isinstance(row, list) else () for row in value)
            if all(len(row) == len(rows[0]) for row in rows):
                return Table(rows)
    raise Rejected("data", "a value is a factor and the exponents of symbols that grow, or a list of rows")


def _entry(value: object) -> Fraction:
    if not isinstance(value, str):
        raise Rejected("data", "an entry is written as a rational number")
    return Fraction(value)
