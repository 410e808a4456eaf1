"""Exponentials of growing monomials, as growing symbols of their own beside the symbols in their exponents.

exp(-2*d + n) = E_d**-2 E_n,     E_d = exp(d) >= 1

E_f >= C u**k for every k      where f grows as some power of u
E_f >= C E_g**k for every k    where f/g grows
E_f >= E_g**c                  where c g <= f is assumed
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import mpmath

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.walk import walk
from verifier.prove.growth.cones import Cone, Vector
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.symbol_ranges import domain

EXP = "exp "  # no symbol of a claim has such a name
STEEP = Fraction(10**6)  # any power that a claim may name
MOST = 3


@dataclass(frozen=True)
class Monomial:
    """A product of powers of growing symbols; `times` names what stays fixed beside it."""

    exponents: Vector
    times: tuple[str, ...] = ()

    @property
    def is_constant(self) -> bool:
        return not any(self.exponents)


Terms = dict[Monomial, Fraction]


@dataclass(frozen=True)
class Towers:
    """Exponents of exponentials, as sums of monomials in the growing symbols with exact coefficients."""

    claim: Claim
    names: tuple[str, ...]

    def atoms(self, trees: Iterable[n.Node]) -> tuple[Monomial, ...]:
        """What is exponentiated, each growing by itself."""
        found: dict[Monomial, None] = {}
        for tree in trees:
            for part in walk(tree):
                if isinstance(part, n.Apply | n.Power) and self._grows(part):
                    found |= dict.fromkeys(self.exponent(part) or ())
        for monomial in found:
            if any(e < 0 for e in monomial.exponents):
                raise Refused("an exponent that need not grow")
        if len(found) > MOST:
            raise Refused("fewer different exponentials")
        return tuple(found)

    def exponent(self, node: n.Node) -> Terms | None:
        """The growing part of the exponent of exp(f), or of c**f for a number c > 0; None for other nodes."""
        match node:
            case n.Apply("exp", (arg,)):
                inside, scale = arg, Fraction(1)
            case n.Power(n.Number(base), arg) if base > 0 and not isinstance(arg, n.Number):
                inside, scale = arg, _logarithm(base)
            case _:
                return None
        terms = self.terms(inside)
        return {m: scale * c for m, c in terms.items() if not m.is_constant and scale * c}

    def _grows(self, node: n.Node) -> bool:
        given = {f[0].name for a in self.claim.assumptions if (f := a.substitution) is not None}
        return any(isinstance(p, n.Symbol) and p.name in given.union(self.names) for p in walk(node))

    def terms(self, node: n.Node) -> Terms:
        """A sum of monomials with rational coefficients."""
        one = Monomial((Fraction(0),) * len(self.names))
        match node:
            case n.Number(value):
                return {one: value} if value else {}
            case n.Symbol(name):
                return self._symbol(name)
            case n.Let(_, body):
                return self.terms(body)
            case n.Negate(arg):
                return {m: -c for m, c in self.terms(arg).items()}
            case n.Add(left, right):
                return _sum(self.terms(left), self.terms(right))
            case n.Subtract(left, right):
                return _sum(self.terms(left), {m: -c for m, c in self.terms(right).items()})
            case n.Multiply(left, right):
                return _product(self.terms(left), self.terms(right))
            case n.Divide(left, right):
                return _product(self.terms(left), self._power(right, Fraction(-1)))
            case n.Power(base, n.Number(exponent)):
                return self._power(base, exponent)
            case n.Apply("sqrt", (arg,)):
                return self._power(arg, Fraction(1, 2))
        raise Refused("an exponent that is no sum of monomials")

    def _symbol(self, name: str) -> Terms:
        for assumption in self.claim.assumptions:
            found = assumption.substitution
            if found is not None and found[0].name == name:
                return self.terms(found[1])
        flat = (Fraction(0),) * len(self.names)
        if name in self.names:
            return {Monomial(tuple(Fraction(int(name == other)) for other in self.names)): Fraction(1)}
        span = domain(self.claim, ()).get(name)
        if span is None or not span.assumptions.get("positive"):
            raise Refused("an exponent whose sign is not clear")
        return {Monomial(flat, (name,)): Fraction(1)}

    def _power(self, node: n.Node, exponent: Fraction) -> Terms:
        terms = self.terms(node)
        if len(terms) != 1:
            raise Refused("an exponent that is no sum of monomials")
        ((monomial, weight),) = terms.items()
        if (weight != 1 and exponent.denominator != 1) or (monomial.times and exponent != 1):
            raise Refused("an exponent that is no sum of monomials")
        value = weight if weight == 1 else weight ** int(exponent)
        return {Monomial(tuple(exponent * e for e in monomial.exponents), monomial.times): value}


def _sum(left: Terms, right: Terms) -> Terms:
    found = dict(left)
    for monomial, weight in right.items():
        found[monomial] = found.get(monomial, Fraction(0)) + weight
    return {monomial: weight for monomial, weight in found.items() if weight}


def _product(left: Terms, right: Terms) -> Terms:
    found: Terms = {}
    for m, a in left.items():
        for r, b in right.items():
            exponents = tuple(x + y for x, y in zip(m.exponents, r.exponents, strict=True))
            both = Monomial(exponents, tuple(sorted(m.times + r.times)))
            found = _sum(found, {both: a * b})
    return found


def _logarithm(base: Fraction) -> Fraction:
    """log(base) by those of its primes, so that 4**n is the square of 2**n; to 60 digits."""
    parts = [(p, 1) for p in _primes(base.numerator)] + [(p, -1) for p in _primes(base.denominator)]
    with mpmath.workdps(70):
        digits = {p: Fraction(int(mpmath.log(p) * mpmath.mpf(10) ** 60), 10**60) for p, _ in parts}
    return sum((sign * digits[p] for p, sign in parts), Fraction(0))


def _primes(number: int) -> Iterator[int]:
    if number > 10**6:
        raise Refused("a power of a large number")
    factor = 2
    while number > 1:
        while number % factor == 0:
            yield factor
            number //= factor
        factor += 1


def walls(claim: Claim, plain: Cone, names: tuple[str, ...], atoms: tuple[Monomial, ...]) -> Iterator[Vector]:
    """What is known of the exponentials, over all symbols, logarithms and exponentials."""
    count, width = len(names), len(plain.rays[0])

    def wall(high: int, low: int, times: Fraction) -> Vector:
        return tuple(Fraction(int(k == high)) - times * int(k == low) for k in range(width + len(atoms)))

    for place, atom in enumerate(atoms):
        rates = plain.exponents((*atom.exponents, *(Fraction(0),) * (width - count)))
        for k in range(width):
            if all(rate > 0 for rate, ray in zip(rates, plain.rays, strict=True) if ray[k]):
                yield wall(width + place, k, STEEP)
        for other, below in enumerate(atoms):
            if other == place:
                continue
            lower = plain.exponents((*below.exponents, *(Fraction(0),) * (width - count)))
            gaps = [a - b for a, b in zip(rates, lower, strict=True)]
            if all(gap >= 0 for gap in gaps) and plain.must_grow([gap > 0 for gap in gaps]):
                yield wall(width + place, width + other, STEEP)
    for high, low, times in _assumed(claim, names):
        if high in atoms and low in atoms:
            yield wall(width + atoms.index(high), width + atoms.index(low), times)


def _assumed(claim: Claim, names: tuple[str, ...]) -> Iterator[tuple[Monomial, Monomial, Fraction]]:
    """(f, g, c) for each assumption c g <= f between two monomials."""
    reader = Towers(claim, names)
    for fact in claim.constraints:
        if not isinstance(fact, n.Relation) or fact.op not in ("<", "<=", ">", ">="):
            continue
        try:
            left, right = reader.terms(fact.left), reader.terms(fact.right)
        except Refused:
            continue
        low, high = (left, right) if fact.op in ("<", "<=") else (right, left)
        if len(low) == len(high) == 1:
            ((below, a),), ((above, b),) = low.items(), high.items()
            if a > 0 and b > 0:
                yield above, below, a / b
