"""Functions of exp(k x) alone, rewritten in z = exp(k x) > 0.

tanh'' has its extremes where tanh(x) = 1/sqrt(3): no closed x that arithmetic can cancel, but
z = exp(2x) = 2 + sqrt(3) is one.
"""

from dataclasses import dataclass
from math import gcd, lcm
from typing import Any, final

from flint import fmpq

from verifier.exact.enclosures.domains import Domain
from verifier.exact.enclosures.term_calculus import fold, variables
from verifier.exact.numbers import operations as ar
from verifier.exact.numbers.constants import ONE, TWO, ZERO, Exact, enclose
from verifier.exact.numbers.refusals import Unsupported
from verifier.exact.numbers.scalar_terms import Term, Variable

Z = Variable("z", positive=True)


@final
@dataclass(frozen=True)
class Affine:
    """rate * x + offset: an argument that has met no function yet."""

    rate: fmpq
    offset: Exact


@final
@dataclass(frozen=True)
class Rewritten:
    """The term in z = exp(rate * x)."""

    term: Any
    rate: fmpq

    def domain(self, domain: Domain) -> Domain:
        low = ZERO if domain.low is None else _exp(self.rate * domain.low)
        high = None if domain.high is None else _exp(self.rate * domain.high)
        return Domain(low, high, domain.low is None or domain.low_open, domain.high_open)

    def place(self, name: str, z: str) -> str:
        """A place on the z axis in terms of x: z -> 0+ is x -> -oo, z = 1 is x = 0."""
        match z:
            case "0+":
                return "-oo"
            case "oo":
                return "oo"
            case "1" | "1-" | "1+":
                return f"0{z[1:]}"
        return f"exp({self.rate}*{name}) = {z}" if self.rate != 1 else f"exp({name}) = {z}"

    def back(self, z: Exact) -> fmpq:
        """A rational near log(z)/rate."""
        return (enclose(z).log() / self.rate).mid().fmpq()


def _exp(value: Any) -> Exact:
    found = ar.smooth("exp", value)
    if not isinstance(found, Exact):
        raise Unsupported("an end of the domain without a short exact form")
    return found


class _Rates:
    """An algebra that only collects the rates of exponentials; a bare variable is refused."""

    def __init__(self) -> None:
        self.rates: list[fmpq] = []

    def constant(self, value: Exact) -> Any:
        return value

    def add(self, left: Any, right: Any) -> Any:
        if isinstance(left, Affine) and isinstance(right, Affine):
            return Affine(left.rate + right.rate, left.offset + right.offset)
        if isinstance(left, Affine) or isinstance(right, Affine):
            line, other = (left, right) if isinstance(left, Affine) else (right, left)
            if isinstance(other, fmpq) or not isinstance(other, Term):
                return Affine(line.rate, line.offset + other)
            raise Unsupported("a variable outside an exponential")
        return left + right

    def multiply(self, left: Any, right: Any) -> Any:
        if isinstance(left, Affine) or isinstance(right, Affine):
            line, other = (left, right) if isinstance(left, Affine) else (right, left)
            if isinstance(other, fmpq):
                return Affine(line.rate * other, line.offset * other)
            raise Unsupported("a variable outside an exponential")
        return left * right

    def power(self, base: Any, exponent: fmpq) -> Any:
        if isinstance(base, Affine):
            raise Unsupported("a variable outside an exponential")
        return ar.power(base, exponent)

    def apply(self, name: str, x: Any) -> Any:
        if not isinstance(x, Affine):
            return ar.apply(name, x)
        self.rates.append(x.rate * (2 if name == "tanh" else 1))
        return self.exponential(name, x)

    def exponential(self, name: str, x: Affine) -> Any:
        if name not in ("exp", "sigmoid", "softplus", "tanh"):
            raise Unsupported("a variable outside an exponential")
        return Z


class _Rewrite(_Rates):
    """exp(rate k x + c) = e**c z**k, and the functions made of it."""

    def __init__(self, unit: fmpq) -> None:
        super().__init__()
        self.unit = unit

    def _power_of_z(self, x: Affine, times: fmpq) -> Any:
        return ar.smooth("exp", x.offset * times) * ar.power(Z, x.rate * times / self.unit)

    def exponential(self, name: str, x: Affine) -> Any:
        match name:
            case "exp":
                return self._power_of_z(x, ONE)
            case "sigmoid":
                return ar.inverse(ONE + self._power_of_z(x, -ONE))
            case "softplus":
                return ar.smooth("log", ONE + self._power_of_z(x, ONE))
            case "tanh":
                return ONE - TWO * ar.inverse(ONE + self._power_of_z(x, TWO))
        raise Unsupported("a variable outside an exponential")


def in_exponential(term: Any, name: str) -> Rewritten | None:
    """The term in z = exp(k x), or None where x occurs in another way."""
    if not isinstance(term, Term) or {v.name for v in variables(term)} != {name}:
        return None
    line = Affine(ONE, ZERO)
    rates = _Rates()
    try:
        fold(term, {name: line}, rates)
        if not rates.rates:
            return None
        unit = _common(rates.rates)
        found = fold(term, {name: line}, _Rewrite(unit))
        return Rewritten(found, unit) if isinstance(found, Term) else None
    except Unsupported:
        return None


def _common(rates: list[fmpq]) -> fmpq:
    """The largest rate of which all are whole multiples."""
    bottom = lcm(*(int(rate.q) for rate in rates))
    top = gcd(*(int((rate * bottom).p) for rate in rates))
    return fmpq(top, bottom)
