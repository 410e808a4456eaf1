"""Exact constants beyond the rationals: sqrt(3), log(2), pi, e**(-1/2), erf(1), and their sums.

A constant is a sum of rational * product of atom**exponent. Primes have exponents in [0, 1), pi and
e any rational ones, so 4/(3*sqrt(3)) and 4*sqrt(3)/9 have one form. Where two forms are equal the
numbers are equal; the converse is not claimed: unequal forms are told apart by enclosures alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

from flint import arb, ctx, fmpq, fmpz

from verifier.exact.numbers.balls import enclose_function
from verifier.exact.numbers.constant_notation import sum_text
from verifier.exact.numbers.refusals import Imprecise, Undefined

MAX_TERMS = 48
MAX_FACTORED_BITS = 96
MAX_POWER_BITS = 1 << 16
# Odd functions are kept at positive arguments, their sign in front.
POSITIVE_KINDS = frozenset(
    {"prime", "pi", "e", "exp", "sum", "sigmoid", "softplus", "tanh", "erf", "asin", "atan"}
)
ZERO, ONE, TWO, HALF = fmpq(0), fmpq(1), fmpq(2), fmpq(1, 2)


@final
@dataclass(frozen=True)
class Atom:
    """prime p | pi | e | log p | sum (a whole constant as a factor) | a function of a constant."""

    kind: str
    arg: "int | Closed | None" = None

    @cached_property
    def key(self) -> str:
        return f"{self.kind}({'' if self.arg is None else self.arg})"

    @property
    def is_positive(self) -> bool:
        """Known positive, so that fractional powers distribute over it."""
        if self.kind == "log":
            return isinstance(self.arg, int)
        return self.kind in POSITIVE_KINDS

    def enclosure(self) -> arb:
        match self.kind, self.arg:
            case "prime", int(p):
                return arb(p)
            case "pi", None:
                return arb.pi()
            case "e", None:
                return arb(1).exp()
            case "log", int(p):
                return arb(p).log()
            case "sum", Closed() as inner:
                return inner.enclosure()
            case name, Closed() as inner:
                return enclose_function(name, inner.enclosure())
            case name, int(p):
                return enclose_function(name, arb(p))
        raise AssertionError(self)


Monomial = tuple[tuple[Atom, fmpq], ...]
PI, E = Atom("pi"), Atom("e")


@final
@dataclass(frozen=True)
class Closed:
    """A sum of rational * monomial: never a plain rational, that is `fmpq`."""

    terms: tuple[tuple[Monomial, fmpq], ...]

    def enclosure(self) -> arb:
        """A ball that holds this number, at the precision of the moment."""
        total = arb(0)
        for monomial, coefficient in self.terms:
            product = arb(coefficient)
            for atom, exponent in monomial:
                product *= atom.enclosure() ** exponent
            total += product
        if not total.is_finite():
            raise Imprecise(f"no finite enclosure of {self}")
        return total

    def __add__(self, other: Any) -> Any:
        if isinstance(other, fmpq | Closed):
            return _sum(_items(self), _items(other))
        return self.enclosure() + other if isinstance(other, arb) else NotImplemented

    __radd__ = __add__

    def __neg__(self) -> "Closed":
        return Closed(tuple((monomial, -coefficient) for monomial, coefficient in self.terms))

    def __sub__(self, other: Any) -> Any:
        return self + (-other) if isinstance(other, fmpq | Closed | arb) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return (-self) + other if isinstance(other, fmpq | Closed | arb) else NotImplemented

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, fmpq | Closed):
            return _product(self, other)
        return self.enclosure() * other if isinstance(other, arb) else NotImplemented

    __rmul__ = __mul__

    def __str__(self) -> str:
        """In the claim language: 1/2 - exp(-1)/sqrt(pi)."""
        return sum_text(self.terms)


Exact = fmpq | Closed


def enclose(value: "Exact | arb") -> arb:
    """The value as a ball."""
    if isinstance(value, Closed):
        return value.enclosure()
    return arb(value)


def sign(value: "Exact | arb") -> int:
    """-1, 0 or 1, certain; raises Imprecise where the enclosures do not tell."""
    if isinstance(value, fmpq):
        return int(value > 0) - int(value < 0)
    if isinstance(value, arb):
        if value.is_zero():
            return 0
        if value > 0 or value < 0:
            return 1 if value > 0 else -1
        raise Imprecise("a sign that the enclosure does not tell")
    before = ctx.prec
    try:
        for bits in (64, 256, 1024):
            ctx.prec = max(before, bits)
            ball = value.enclosure()
            if ball > 0 or ball < 0:
                return 1 if ball > 0 else -1
    finally:
        ctx.prec = before
    raise Imprecise(f"the sign of {value}")


def is_zero(value: Any) -> bool:
    """Exactly zero; an enclosure of zero is not."""
    return (isinstance(value, fmpq) and not value) or (isinstance(value, arb) and value.is_zero())


def rank(value: Any) -> int:
    """Which operand decides: numbers 0, then terms, polynomials in random entries, series, jets."""
    return getattr(value, "rank", 0)


def _items(value: Exact) -> tuple[tuple[Monomial, fmpq], ...]:
    if isinstance(value, fmpq):
        return (((), value),) if value else ()
    return value.terms


def _sum(*groups: tuple[tuple[Monomial, fmpq], ...]) -> "Exact | arb":
    sums: dict[Monomial, fmpq] = {}
    for group in groups:
        for monomial, coefficient in group:
            sums[monomial] = sums.get(monomial, ZERO) + coefficient
    kept = tuple((monomial, value) for monomial, value in sums.items() if value)
    if all(not monomial for monomial, _ in kept):
        return kept[0][1] if kept else ZERO
    ordered = Closed(tuple(sorted(kept, key=lambda term: [(a.key, str(x)) for a, x in term[0]])))
    return ordered if len(kept) <= MAX_TERMS else ordered.enclosure()


def _product(left: Exact, right: Exact) -> "Exact | arb":
    total: Any = ZERO
    plain: list[tuple[Monomial, fmpq]] = []
    for first, a in _items(left):
        for second, b in _items(right):
            factor, monomial, whole = _join(first, second)
            if whole:  # a factor such as sqrt(1 + sqrt(2)) met itself: multiply the inner sum out
                total = total + _multiplied_out(_sum(((monomial, a * b * factor),)), whole)
            else:
                plain.append((monomial, a * b * factor))
    collected = _sum(tuple(plain))
    return collected if isinstance(total, fmpq) and not total else total + collected


def _join(first: Monomial, second: Monomial) -> tuple[fmpq, Monomial, list[tuple[Closed, int]]]:
    exponents: dict[Atom, fmpq] = dict(first)
    for atom, exponent in second:
        exponents[atom] = exponents.get(atom, ZERO) + exponent
    factor, whole = ONE, []
    for atom, exponent in list(exponents.items()):
        steps = int(exponent.floor())
        if atom.kind == "prime" and steps:
            assert isinstance(atom.arg, int)
            factor *= fmpq(atom.arg) ** steps
            exponents[atom] = exponent - steps
        if atom.kind == "sum" and steps > 0:
            assert isinstance(atom.arg, Closed)
            whole.append((atom.arg, steps))
            exponents[atom] = exponent - steps
    kept = [(atom, exponent) for atom, exponent in exponents.items() if exponent]
    return factor, tuple(sorted(kept, key=lambda item: item[0].key)), whole


def _multiplied_out(value: Any, whole: list[tuple[Closed, int]]) -> "Exact | arb":
    """The value times the whole powers of sums that `_join` set apart."""
    for inner, times in whole:
        value = value * integer_power(inner, times)
    return value  # type: ignore[no-any-return]


def integer_power(base: Any, exponent: int) -> Any:
    """base ** exponent for exponent >= 0, by squaring; any value with a product."""
    result: Any = None
    while exponent:
        if exponent & 1:
            result = base if result is None else result * base
        exponent >>= 1
        if exponent:
            base = base * base
    return ONE if result is None else result


def constant(atom: Atom, exponent: fmpq = ONE) -> Exact:
    return Closed(((((atom, exponent),), ONE),))


def inverse(value: Exact) -> "Exact | arb":
    """1 / value; value is known not to be zero only once an enclosure says so."""
    if isinstance(value, fmpq):
        if not value:
            raise Undefined("a division by zero")
        return 1 / value
    sign(value)
    if len(value.terms) == 1:
        ((monomial, coefficient),) = value.terms
        flipped = tuple((atom, -exponent) for atom, exponent in monomial)
        factor, monomial, whole = _join(flipped, ())
        return _multiplied_out(_sum(((monomial, factor / coefficient),)), whole)
    if len(value.terms) == 2:  # 1/(a + b) = (a - b)/(a**2 - b**2), when that is rational
        first, second = value.terms
        conjugate = Closed((first, (second[0], -second[1])))
        norm = _product(value, conjugate)
        if isinstance(norm, fmpq) and norm:
            return _product(conjugate, 1 / norm)
    return _whole(value, fmpq(-1))


def _whole(value: Closed, exponent: fmpq) -> Exact:
    """value ** exponent as one factor, made positive with its leading coefficient taken out."""
    lead = abs(value.terms[0][1]) * sign(value)
    if exponent.q == 1 and lead != 1:
        inner = _product(value, 1 / lead)
        assert isinstance(inner, Closed)
        return Closed(((((Atom("sum", inner), exponent),), lead ** int(exponent.p)),))
    return constant(Atom("sum", value), exponent)


def power(base: Exact, exponent: fmpq) -> "Exact | arb":
    """base ** exponent for a rational exponent."""
    if exponent.q == 1:
        steps = int(exponent.p)
        large = _bits(base) * abs(steps) > MAX_POWER_BITS if isinstance(base, fmpq) else abs(steps) > 64
        if large and sign(base):
            return enclose(base) ** arb(steps)
        return _lift(base, steps) if steps >= 0 else _lift(inverse(base), -steps)
    direction = sign(base)
    if direction == 0:
        if exponent > 0:
            return ZERO
        raise Undefined("a negative power of zero")
    if direction < 0:
        raise Undefined("a fractional power of a negative number")
    if isinstance(base, fmpq):
        return _rational_root(base, exponent)
    if len(base.terms) == 1:
        ((monomial, coefficient),) = base.terms
        if coefficient > 0 and all(atom.is_positive for atom, _ in monomial):
            scaled = tuple((atom, value * exponent) for atom, value in monomial)
            factor, joined, whole = _join(scaled, ())
            return _multiplied_out(_rational_root(coefficient, exponent) * _sum(((joined, factor),)), whole)
    return _whole(base, exponent)


def _lift(value: "Exact | arb", steps: int) -> "Exact | arb":
    return integer_power(value, steps)  # type: ignore[no-any-return]


def _bits(value: fmpq) -> int:
    return max(int(value.p).bit_length(), int(value.q).bit_length())


def _rational_root(base: fmpq, exponent: fmpq) -> "Exact | arb":
    """(2**a 3**b ...) ** (p/q), prime by prime; too large to factor: a ball."""
    if abs(exponent) > 64:
        return arb(base) ** exponent
    if _bits(base) > MAX_FACTORED_BITS:
        if exponent.q == 2:
            square = base ** abs(int(exponent.p))
            roots = int(square.p.isqrt()), int(square.q.isqrt())
            if fmpq(*roots) ** 2 == square:
                return fmpq(*roots) if exponent > 0 else fmpq(roots[1], roots[0])
        return arb(base) ** exponent
    exponents = {Atom("prime", p): exponent * times for p, times in primes(base)}
    factor, monomial, _ = _join(tuple(exponents.items()), ())
    return _sum(((monomial, factor),))


def primes(value: fmpq) -> Iterator[tuple[int, int]]:
    """The primes of a positive rational with their (possibly negative) multiplicities."""
    for part, direction in ((value.p, 1), (value.q, -1)):
        for prime, times in fmpz(part).factor():
            yield int(prime), direction * int(times)
