"""Powers with symbolic exponents, exponentials and logarithms; factors that are not 0."""

from dataclasses import dataclass, field
from fractions import Fraction

from flint import fmpq

from verifier.kernel.normal.algebra import MINUS_ONE
from verifier.kernel.normal.atoms import (
    NOTHING,
    UNIT,
    Atom,
    Exponent,
    Function,
    Inverse,
    Monomial,
    Poly,
    Root,
    constant,
    monomial,
    of_atom,
    plain,
    scaled,
    total,
    write_monomial,
)
from verifier.kernel.normal.counting import Counting
from verifier.kernel.normal.factors import factors
from verifier.kernel.normal.rationals import exponent_of, factors_of
from verifier.kernel.normal.shift import is_signed
from verifier.kernel.rejected import Rejected

MOST_DIVISIONS, MOST_SIGNS = 32, 3
ARCS = {
    fmpq(0): fmpq(0),
    fmpq(1, 4): fmpq(1, 6),
    fmpq(1, 2): fmpq(1, 4),
    fmpq(3, 4): fmpq(1, 3),
    fmpq(1): fmpq(1, 2),
}


@dataclass
class Powers(Counting):
    """Arithmetic with powers and logarithms."""

    nonzero: set[str] = field(default_factory=set)  # what the author divides by, see `bare`

    def function(self, name: str, args: tuple[Poly, ...]) -> Poly:
        """A function of polynomials."""
        raise NotImplementedError

    def _logarithm(self, arg: Poly) -> Poly:
        """The logarithm of a product is the sum of those of its positive factors and of the rest, which is
        positive where there is a value at all; log(sigmoid(x)) = x - softplus(x)."""
        if not arg.terms:
            raise Rejected("undefined", "a logarithm of 0")
        match list(total((UNIT, scaled(arg, fmpq(-1)))).terms.items()):
            case [(((Function("sigmoid", (inner,)), 1),), factor)] if factor == 1:  # it is sigmoid(-x)
                return scaled(self.function("softplus", (inner,)), fmpq(-1))
        outer, inner = (arg, UNIT) if len(arg.terms) == 1 else self.content(arg)
        ((powers, factor),) = outer.terms.items()
        parts = [self._log_of(atom, power) for atom, power in powers if self.is_positive_atom(atom)]
        for number, side in ((abs(int(factor.p)), 1), (int(factor.q), -1)):
            for prime, times in factors_of(number):
                parts.append(scaled(of_atom(Function("log", (constant(prime),))), fmpq(side * times)))
        left = {atom: power for atom, power in powers if not self.is_positive_atom(atom)}
        rest = self.times(Poly({monomial(left): fmpq(1 if factor > 0 else -1)}), inner)
        if rest.constant is not None and rest.constant < 0:
            raise Rejected("undefined", "a logarithm of a negative number")
        return total((*parts, *(() if rest == UNIT else (of_atom(Function("log", (rest,))),))))

    def _log_of(self, atom: Atom, power: Exponent) -> Poly:
        """power*log(atom) of a positive atom; log(exp(a)) = a, log(b**c) = c*log(b)."""
        times = fmpq(power.numerator, power.denominator)
        match atom:
            case Function("exp", (arg,)):
                return scaled(arg, times)
            case Function("power", (base, exponent)):
                return scaled(self.times(exponent, self._logarithm(base)), times)
            case Inverse(base):
                return scaled(self._logarithm(base), -times)
            case Root(base):
                return scaled(self._logarithm(base), times)
            case Function("sigmoid", (arg,)):
                less = scaled(self.function("softplus", (arg,)), fmpq(-1))
                return scaled(total((arg, less)), times)
        return scaled(of_atom(Function("log", (of_atom(atom),))), times)

    def _exponential(self, arg: Poly) -> Poly:
        """exp(c*m + ...) is a product of powers, one for each monomial; exp(c*log(p)) = p**c where p > 0."""
        return self.product(*(self._power_of_e(m, exponent_of(c)) for m, c in arg.terms.items()))

    def _power_of_e(self, powers: Monomial, times: Exponent) -> Poly:
        logarithms = [atom for atom, power in powers if isinstance(atom, Function) and atom.name == "log"]
        match logarithms:
            case [Function("log", (base,)) as log] if dict(powers)[log] == 1 and is_signed(self, base, True):
                rest = Poly({tuple(item for item in powers if item[0] != log): fmpq(1)})
                if rest != UNIT:
                    scale = fmpq(*Fraction(times).as_integer_ratio())
                    return self.symbolic_power(base, scaled(rest, scale))
                return self.power(base, times) if isinstance(times, int) else self.root(base, times)
        return of_atom(Function("exp", (Poly({powers: fmpq(1)}),)), times)

    def symbolic_power(self, base: Poly, exponent: Poly) -> Poly:
        """base**(c*m + ...) is a product of powers, where the base is positive or the exponents are whole."""
        if (found := self.by_cases((base, exponent), self.symbolic_power)) is not None:
            return found
        if not base.terms:
            if not is_signed(self, exponent, True):
                raise Rejected("outside", "a symbolic power of 0")
            return NOTHING
        found = UNIT
        for powers, factor in exponent.terms.items():
            if not powers:
                whole = factor.q == 1
                power = Fraction(int(factor.p), int(factor.q))
                part = self.power(base, int(power)) if whole else self.root(base, power)
                found = self.times(found, part)
                continue
            if not (factor.q == 1 and self.is_whole(powers)) and not is_signed(self, base, True):
                raise Rejected("condition", "a symbolic power of what may be negative")
            found = self.times(found, self._powers_of(base, Poly({powers: fmpq(1)}), exponent_of(factor)))
        return found

    def _powers_of(self, base: Poly, exponent: Poly, times: Exponent) -> Poly:
        """base**(times*exponent), the factors of the base apart."""
        if len(base.terms) == 1:
            ((powers, factor),) = base.terms.items()
            if base == MINUS_ONE:  # the exponent is whole
                return of_atom(Function("power", (base, exponent))) if int(times) % 2 else UNIT
            if factor < 0 and isinstance(times, int) and all(map(self.is_whole, exponent.terms)):
                sign = self._powers_of(MINUS_ONE, exponent, times)
                return self.times(sign, self._powers_of(Poly({powers: -factor}), exponent, times))
            if factor < 0:
                return of_atom(Function("power", (base, exponent)), times)
            parts = [self._power_of_atom(atom, power, exponent, times) for atom, power in powers]
            for number, side in ((int(factor.p), 1), (int(factor.q), -1)):
                for prime, how_often in factors_of(number):
                    prime_power = Function("power", (constant(prime), exponent))
                    parts.append(of_atom(prime_power, times * side * how_often))
            return self.product(*parts)
        return self._of_factors(base, exponent, times)

    def _power_of_atom(self, atom: Atom, power: Exponent, exponent: Poly, times: Exponent) -> Poly:
        """atom**(power*times*exponent); the base of a root is not negative."""
        if isinstance(atom, Root) and Fraction(power * times).denominator == 1:
            return self._powers_of(atom.base, exponent, int(power * times))
        if isinstance(atom, Root):
            part = Fraction(1, Fraction(power).denominator)
            return of_atom(Function("power", (of_atom(atom, part), exponent)), times * power / part)
        return of_atom(Function("power", (of_atom(atom), exponent)), times * power)

    def _of_factors(self, base: Poly, exponent: Poly, times: Exponent) -> Poly:
        """The powers of the irreducible factors of a sum: they are positive, or the exponent is whole."""
        outer, inner = self.content(base)
        beneath = (atom for powers in outer.terms for atom, power in powers if power < 0)
        if any(self.is_whole(((atom, 1),)) for atom in beneath):  # (1 + a/n)**n is known as it is
            return of_atom(Function("power", (base, exponent)), times)
        parts = factors(inner, self._is_good)
        whole = isinstance(times, int) and all(map(self.is_whole, exponent.terms))
        pieces = [outer, *(part for part, _ in parts)]
        if not whole and not all(map(self.is_positive, pieces)):
            return of_atom(Function("power", (base, exponent)), times)
        found = UNIT if outer == UNIT else self._powers_of(outer, exponent, times)
        for part, often in parts:
            if len(part.terms) == 1:
                found = self.times(found, self._powers_of(part, exponent, times * often))
            else:
                found = self.times(found, of_atom(Function("power", (part, exponent)), times * often))
        return found

    def _is_good(self, poly: Poly) -> bool:
        return is_signed(self, poly, False)

    def is_not_zero(self, poly: Poly) -> bool:
        """A product of factors that are positive, negative, or assumed not to be 0."""
        if not poly.terms:
            return False
        outer, inner = self.content(poly)
        ((powers, _),) = outer.terms.items()
        parts = [of_atom(atom) for atom, _ in powers] + [part for part, _ in factors(inner, self._is_good)]
        return all(self._is_apart(part) for part in parts if part.constant is None)

    def bare(self, factor: Poly) -> str:
        """An irreducible polynomial, whatever it is multiplied with."""
        least = factor.terms[min(factor.terms, key=lambda powers: write_monomial(powers, plain))]
        return scaled(factor, 1 / least).key

    def _is_apart(self, poly: Poly) -> bool:
        known = bool(self.nonzero and poly.terms) and self.bare(poly) in self.nonzero
        return known or any(self.is_positive(scaled(poly, fmpq(side))) for side in (1, -1))
