"""Scalar functions of named real variables, in a form fit for calculus and intervals.

Matrices are gone: the evaluator runs a claim's tree with symbols bound to `Variable`s and returns
one of these. A `Linear` is constant + sum of coefficient * term, a `Power` product of term**rational,
a `Call` a function. Like terms are merged on construction (x*x is x**2, x - x is 0), because an
interval that meets a variable once is sharp.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, final

from flint import fmpq

from verifier.exact.numbers.constants import ONE, ZERO, Closed, Exact, is_zero, power, rank, sign
from verifier.exact.numbers.refusals import Unsupported


@dataclass(frozen=True)
class Term:
    """A function of the variables."""

    rank: ClassVar[int] = 1

    def __add__(self, other: Any) -> Any:
        return NotImplemented if rank(other) > self.rank else linear((_split(self), _split(other)))

    __radd__ = __add__

    def __neg__(self) -> Any:
        return self * fmpq(-1)

    def __sub__(self, other: Any) -> Any:
        return NotImplemented if rank(other) > self.rank else self + (-other)

    def __rsub__(self, other: Any) -> Any:
        return (-self) + other

    def __mul__(self, other: Any) -> Any:
        if rank(other) > self.rank:
            return NotImplemented
        return _times(self, other)

    __rmul__ = __mul__


@final
@dataclass(frozen=True)
class Variable(Term):
    """A real variable; `positive` lets its fractional powers merge."""

    name: str
    positive: bool = False

    @cached_property
    def key(self) -> str:
        return self.name


@final
@dataclass(frozen=True)
class Linear(Term):
    """constant + sum of coefficient * term."""

    constant: Exact
    parts: tuple[tuple["Variable | Product | Call", Exact], ...]

    @cached_property
    def key(self) -> str:
        return f"({self.constant}" + "".join(f"+{c}*{t.key}" for t, c in self.parts) + ")"

    def __hash__(self) -> int:
        return hash(self.key)


@final
@dataclass(frozen=True)
class Product(Term):
    """product of term**exponent, no coefficient."""

    factors: tuple[tuple["Variable | Linear | Call", fmpq], ...]

    @cached_property
    def key(self) -> str:
        return "*".join(f"{t.key}^{e}" for t, e in self.factors)

    def __hash__(self) -> int:
        return hash(self.key)


@final
@dataclass(frozen=True)
class Call(Term):
    """A function of one or two terms (constants stand as `Linear` with no parts)."""

    function: str
    args: tuple["Variable | Linear | Product | Call", ...]

    @cached_property
    def key(self) -> str:
        return f"{self.function}[{','.join(a.key for a in self.args)}]"

    def __hash__(self) -> int:
        return hash(self.key)


Expression = Variable | Linear | Product | Call
Split = tuple[Exact, tuple[tuple[Any, Exact], ...]]


def _split(value: Any) -> Split:
    """A value as constant + parts."""
    if isinstance(value, Linear):
        return value.constant, value.parts
    if isinstance(value, Term):
        return ZERO, ((value, ONE),)
    return _exact(value), ()


def _exact(value: Any) -> Exact:
    if isinstance(value, fmpq | Closed):
        return value
    raise Unsupported("a constant that has no short exact form inside a function of a variable")


def linear(groups: Iterable[Split]) -> Any:
    """The sum of the groups, like terms merged."""
    constant: Any = ZERO
    parts: dict[Any, Any] = {}
    for offset, items in groups:
        constant = constant + offset
        for term, coefficient in items:
            parts[term] = parts[term] + coefficient if term in parts else coefficient
    kept = [(term, _exact(c)) for term, c in parts.items() if not is_zero(c)]
    if not kept:
        return constant
    kept.sort(key=lambda part: part[0].key)
    if is_zero(constant) and len(kept) == 1 and kept[0][1] == ONE:
        return kept[0][0]
    return Linear(_exact(constant), tuple(kept))


def _times(left: Any, right: Any) -> Any:
    if not isinstance(left, Term) or not isinstance(right, Term):
        term, factor = (left, right) if isinstance(left, Term) else (right, left)
        constant, parts = _split(term)
        return linear([(constant * factor, tuple((t, _exact(c * factor)) for t, c in parts))])
    # A single scaled term gives up its coefficient, so that (2*x)*(3*x) becomes 6*x**2.
    (a, first), (b, second) = _scaled(left), _scaled(right)
    product = _merge(_factors(first) + _factors(second))
    return product * (a * b) if isinstance(product, Term) else a * b * product


def _scaled(term: Any) -> tuple[Exact, Any]:
    if isinstance(term, Linear) and is_zero(term.constant) and len(term.parts) == 1:
        return term.parts[0][1], term.parts[0][0]
    return ONE, term


def _factors(term: Any) -> tuple[tuple[Any, fmpq], ...]:
    return term.factors if isinstance(term, Product) else ((term, ONE),)


def _merge(factors: Iterable[tuple[Any, fmpq]]) -> Any:
    """Equal bases add their exponents: integer ones, and fractional ones of a positive base.

    sqrt(x)*sqrt(x) stays as it is: merged into x it would be defined where it is not."""
    exponents: dict[Any, fmpq] = {}
    kept: list[tuple[Any, fmpq]] = []
    for base, exponent in factors:
        if exponent.q != 1 and not is_positive(base):
            kept.append((base, exponent))
        else:
            exponents[base] = exponents.get(base, ZERO) + exponent
    kept += [(base, exponent) for base, exponent in exponents.items() if exponent]
    if not kept:
        return ONE
    if len(kept) == 1 and kept[0][1] == 1:
        return kept[0][0]
    kept.sort(key=lambda item: (item[0].key, str(item[1])))
    return Product(tuple(kept))


def is_positive(term: Any) -> bool:
    """Positive wherever it is defined, seen from its form."""
    match term:
        case Variable():
            return term.positive
        case Call(name, _):
            return name in ("exp", "sigmoid", "softplus", "erfc")
        case Product(factors):
            return all(is_positive(base) for base, _ in factors)
        case Linear(constant, parts):
            some = constant != ZERO or any(is_positive(part) for part, _ in parts)
            return some and is_nonnegative(term)
    return False


def is_nonnegative(term: Any) -> bool:
    """Never negative where it is defined, seen from its form."""
    match term:
        case Call("abs" | "relu", _):
            return True
        case Product(factors):
            return all(exponent.p % 2 == 0 or is_nonnegative(base) for base, exponent in factors)
        case Linear(constant, parts):
            coefficients = [constant] + [c for _, c in parts]
            signs = all(isinstance(c, fmpq) and c >= 0 for c in coefficients)
            return signs and all(is_nonnegative(part) for part, _ in parts)
    return is_positive(term)


def raise_to(term: Any, exponent: fmpq) -> Any:
    """term ** exponent for a rational exponent."""
    coefficient, body = _scaled(term)
    if exponent.q == 1 or sign(coefficient) > 0:
        return power(coefficient, exponent) * _raise(body, exponent)
    return _raise(term, exponent)


def _raise(term: Any, exponent: fmpq) -> Any:
    """(f*g)**k = f**k * g**k for integers k, and for every k where f, g > 0."""
    if isinstance(term, Product) and (exponent.q == 1 or is_positive(term)):
        return _merge([(base, old * exponent) for base, old in term.factors])
    return _merge([(term, exponent)])


def call(function: str, *args: Any) -> Any:
    """A function of terms and constants."""
    return Call(function, tuple(a if isinstance(a, Term) else Linear(_exact(a), ()) for a in args))  # type: ignore[misc]
