"""Where a tree is evaluated: values of the symbols, and what the claim says of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from verifier.claim.model import Assumption, Claim, Layers
from verifier.exact.numbers.constants import Closed
from verifier.exact.numbers.jets import Jet
from verifier.exact.numbers.polynomial import Poly
from verifier.exact.numbers.power_series import Series
from verifier.exact.numbers.refusals import Unsupported
from verifier.exact.numbers.scalar_terms import Term
from verifier.exact.numbers.value_matrices import Matrix
from verifier.expr.symbols import Declared

Point = Mapping[str, Any]


@dataclass(frozen=True)
class Context:
    """What a point alone does not say: laws of random symbols, assumed values, layers."""

    symbols: Mapping[str, Declared] = field(default_factory=dict)
    assumptions: tuple[Assumption, ...] = ()
    layers: Layers | None = None
    where: Mapping[str, Fraction] = field(default_factory=dict)

    @staticmethod
    def of(claim: Claim) -> "Context":
        return Context(claim.symbols, claim.assumptions, claim.layers, claim.where)


def as_value(raw: Any) -> Any:
    """A scalar of a point as a value; floating point is refused."""
    match raw:
        case bool() | float():
            raise TypeError(f"a point holds exact values, not {raw!r}")
        case int():
            return fmpq(raw)
        case Fraction():
            return fmpq(raw.numerator, raw.denominator)
        case fmpq() | Closed() | arb() | Term() | Poly() | Series() | Jet():
            return raw
    raise TypeError(f"not a scalar of a point: {raw!r}")


def flat(raw: Any) -> Iterator[Any]:
    """The scalars of a value of a point, however they are nested."""
    if isinstance(raw, list | tuple):
        for item in raw:
            yield from flat(item)
    else:
        yield raw


def as_matrix(raw: Any) -> Matrix:
    """A scalar, a list of numbers (a column) or a list of rows, as a matrix."""
    if not isinstance(raw, list | tuple):
        return ((as_value(raw),),)
    rows = [row if isinstance(row, list | tuple) else (row,) for row in raw]
    return tuple(tuple(as_value(value) for value in row) for row in rows)


def lookup(point: Point, name: str, context: Context) -> Any:
    """The value of a symbol: the point's, or the one that the claim fixes."""
    if name in point:
        return point[name]
    if name in context.where:
        return context.where[name]
    raise Unsupported(f"{name}, which has no concrete value")
