"""Polynomials in what a mean draws; their coefficients are numbers at the point. Beside entries there stand
functions of them, as factors that are not taken apart: exponentials of monomials, with their coefficients as
powers, and others with what they are applied to."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any, final

from flint import fmpq

from verifier.kernel.budget import Budget
from verifier.kernel.points import functions
from verifier.kernel.points import values as v
from verifier.kernel.points.outcomes import NotPolynomial
from verifier.kernel.points.values import Value

Entry = tuple[str, tuple[int, ...]]  # a drawn symbol and a place in it
MOST_DEGREE = 64
_fresh = count()


@final
@dataclass(frozen=True, eq=False)
class Composite:
    """A function of scalars of which one at least is drawn. Two of them are the same if they are written with
    the same exact numbers; with enclosures each is one of its own."""

    name: str
    args: tuple["Scalar", ...]

    @cached_property
    def key(self) -> str:
        written = [_written(arg) for arg in self.args]
        if None in written:
            return f"#{next(_fresh):012}"
        return f"{self.name}({','.join(map(str, written))})"

    @cached_property
    def entries(self) -> frozenset[Entry]:
        return frozenset[Entry]().union(*map(entries_of, self.args))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Composite) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


Factor = Entry | Composite
Monomial = tuple[tuple[Factor, Any], ...]  # whole powers, of exponentials rational ones; sorted


@final
@dataclass(frozen=True)
class Poly:
    """sum of coefficient * monomial; no coefficient is exactly zero, and some monomial is not 1."""

    terms: Mapping[Monomial, Value]


Scalar = Any  # a Value or a Poly


def drawn(entry: Factor, power: Any = 1) -> Poly:
    return Poly({((entry, power),): v.ONE})


def terms_of(scalar: Scalar) -> Mapping[Monomial, Value]:
    return scalar.terms if isinstance(scalar, Poly) else {(): scalar}


def entries_of(scalar: Scalar) -> frozenset[Entry]:
    """All entries that a scalar depends on."""
    factors = (factor for monomial in terms_of(scalar) for factor, _ in monomial)
    return frozenset[Entry]().union(*map(entries_in, factors))


def entries_in(factor: Factor) -> frozenset[Entry]:
    return factor.entries if isinstance(factor, Composite) else frozenset({factor})


def _written(scalar: Scalar) -> str | None:
    parts = []
    for monomial, value in terms_of(scalar).items():
        if not v.is_exact(value):
            return None
        named = [f"{_named(factor)}^{power}" for factor, power in monomial]
        parts.append("*".join((str(value), *named)))
    return "+".join(sorted(parts))


def _named(factor: Factor) -> str:
    return factor.key if isinstance(factor, Composite) else f"{factor[0]}{list(factor[1])}"


def made(terms: Mapping[Monomial, Value]) -> Scalar:
    kept = {monomial: value for monomial, value in terms.items() if not v.is_zero(value)}
    if not kept:
        return v.ZERO
    return kept[()] if len(kept) == 1 and () in kept else Poly(kept)


def number(scalar: Scalar, what: str) -> Value:
    """The scalar, which must not depend on what is drawn."""
    if isinstance(scalar, Poly):
        raise NotPolynomial(f"the mean of {what} of something drawn")
    return scalar


def plus(left: Scalar, right: Scalar, budget: Budget) -> Scalar:
    if not isinstance(left, Poly) and not isinstance(right, Poly):
        return v.plus(left, right)
    total = dict(terms_of(left))
    budget.spend(len(terms_of(right)))
    for monomial, value in terms_of(right).items():
        total[monomial] = v.plus(total[monomial], value) if monomial in total else value
    return made(total)


def minus(left: Scalar, right: Scalar, budget: Budget) -> Scalar:
    return plus(left, times(v.MINUS_ONE, right, budget), budget)


def times(left: Scalar, right: Scalar, budget: Budget) -> Scalar:
    if not isinstance(left, Poly) and not isinstance(right, Poly):
        return v.times(left, right)
    first, second = terms_of(left), terms_of(right)
    budget.spend(2 * len(first) * len(second))
    total: dict[Monomial, Value] = {}
    for a, x in first.items():
        for b, y in second.items():
            monomial, value = _joined(a, b), v.times(x, y)
            total[monomial] = v.plus(total[monomial], value) if monomial in total else value
    return made(total)


def _joined(left: Monomial, right: Monomial) -> Monomial:
    if not left or not right:
        return left or right
    powers = dict(left)
    for factor, exponent in right:
        powers[factor] = powers.get(factor, 0) + exponent
    return _sorted(powers)


def _sorted(powers: Mapping[Factor, Any]) -> Monomial:
    return tuple(sorted(((f, k) for f, k in powers.items() if k), key=lambda item: _named(item[0])))


# Functions


def power(base: Scalar, exponent: Value, budget: Budget) -> Scalar:
    """base ** exponent; a power of one monomial is one where its factors tell."""
    if not isinstance(base, Poly):
        return v.power(base, exponent)
    whole = v.whole(exponent)
    if whole is not None and 0 <= whole <= MOST_DEGREE:
        result: Scalar = v.ONE
        for _ in range(whole):
            result = times(result, base, budget)
        return result
    if not isinstance(exponent, fmpq):
        raise NotPolynomial("the mean of a power of something drawn with an exponent that is not rational")
    found = _monomial_power(base, exponent)
    return found if found is not None else drawn(Composite("power", (base, exponent)))


def _monomial_power(base: Poly, exponent: Value) -> Poly | None:
    """(c * exp(m)**a * f**(2*k)) ** q = c**q * exp(m)**(a*q) * abs(f)**(2*k*q), of a positive c."""
    if len(base.terms) > 1:
        return None
    ((monomial, value),) = base.terms.items()
    if v.whole(exponent) is None and v.sign_of(value) <= 0:
        return None
    powers: dict[Factor, Any] = {}
    for factor, k in monomial:
        if is_exponential(factor):
            powers[factor] = k * exponent
            continue
        raised = v.whole(exponent * k)
        if k % 2 or raised is None or raised < 0:
            return None
        powers[factor if raised % 2 == 0 else Composite("abs", (drawn(factor),))] = raised
    return Poly({_sorted(powers): v.power(value, exponent)})


def is_exponential(factor: Factor) -> bool:
    """exp of one monomial without a coefficient, whose powers are rational."""
    return isinstance(factor, Composite) and factor.name == "exp" and _is_plain(factor.args[0])


def _is_plain(scalar: Scalar) -> bool:
    values = list(terms_of(scalar).values())
    return len(values) == 1 and isinstance(values[0], fmpq) and values[0] == 1


def applied(name: str, args: tuple[Scalar, ...], budget: Budget) -> Scalar:
    """A function of numbers, or of what is drawn."""
    if not any(isinstance(arg, Poly) for arg in args):
        return functions.applied(name, args)
    if name in functions.OF_WHOLE_NUMBERS:
        raise NotPolynomial(f"the mean of {name} of something drawn")
    if name == "exp":
        return _exponential(args[0], budget)
    if name in ("log", "abs") and len(args[0].terms) == 1:
        found = _logarithm(args[0], budget) if name == "log" else _size(args[0])
        if found is not None:
            return found
    return drawn(Composite(name, args))


def _exponential(arg: Poly, budget: Budget) -> Scalar:
    """exp(sum c*m) = product of exp(m)**c."""
    total: Scalar = v.ONE
    for monomial, value in arg.terms.items():
        if not monomial:
            part: Scalar = functions.applied("exp", (value,))
        elif isinstance(value, fmpq):
            part = drawn(Composite("exp", (Poly({monomial: v.ONE}),)), value)
        else:
            part = drawn(Composite("exp", (Poly({monomial: value}),)))
        total = times(total, part, budget)
    return total


def _logarithm(arg: Poly, budget: Budget) -> Scalar | None:
    """log(c * exp(m)**a) = log(c) + a*m, of a positive c."""
    ((monomial, value),) = arg.terms.items()
    if v.sign_of(value) <= 0 or not all(is_exponential(factor) for factor, _ in monomial):
        return None
    total: Scalar = functions.applied("log", (value,))
    for factor, k in monomial:
        assert isinstance(factor, Composite)
        total = plus(total, times(k, factor.args[0], budget), budget)
    return total


def _size(arg: Poly) -> Scalar:
    """abs(c * f**k * ...) = abs(c) * abs(f)**k * ...; exponentials and even powers are their own sizes."""
    ((monomial, value),) = arg.terms.items()
    powers: dict[Factor, Any] = {}
    for factor, k in monomial:
        own = is_exponential(factor) or k % 2 == 0 or _named(factor).startswith("abs(")
        powers[factor if own else Composite("abs", (drawn(factor),))] = k
    return Poly({_sorted(powers): functions.applied("abs", (value,))})
