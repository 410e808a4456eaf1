"""Functions of polynomials: powers with symbolic exponents, exp, steps, counting functions, opaque means."""

from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq

from verifier.kernel.normal.algebra import MINUS_ONE, exponent_of, factors_of
from verifier.kernel.normal.atoms import (
    NOTHING,
    UNIT,
    Atom,
    Exponent,
    Function,
    Inverse,
    Moment,
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
from verifier.kernel.normal.shift import is_signed
from verifier.kernel.rejected import Rejected

MOST_DIVISIONS = 32


@dataclass
class Functions(Counting):
    """Arithmetic with functions. `elementary`: tanh, sigmoid and softplus are written by exp and log."""

    elementary: bool = False

    def function(self, name: str, args: tuple[Poly, ...]) -> Poly:
        if (found := self.by_cases(args, lambda *cases: self.function(name, cases))) is not None:
            return found
        args = tuple(map(self._divided, args))
        if self.elementary and name in ("tanh", "sigmoid", "softplus"):
            return self._by_exponentials(name, args[0])
        match name, args:
            case "exp", (arg,):
                return self._exponential(arg)
            case (("relu" | "abs"), (arg,)) if self.is_nonnegative_poly(arg):
                return arg
            case "relu", (arg,):
                return self.times(arg, self.step(arg))
            case "abs", (arg,):
                return self.times(arg, self.sign(arg))
            case "sign", (arg,):
                return self.sign(arg)
            case "step", (arg,):
                return self.step(arg)
            case "above", (arg,) if arg.constant is not None:
                return UNIT if arg.constant > 0 else NOTHING
            case "log", (arg,):
                return self._logarithm(arg)
            case (("factorial" | "factorial2" | "binomial"), _):
                return self.counting(name, args)
            case (("min" | "max"), (left, right)):
                # The greater of two is half of their sum and their distance.
                apart = self.function("abs", (total((left, scaled(right, fmpq(-1)))),))
                side = fmpq(1 if name == "max" else -1)
                return scaled(total((left, right, scaled(apart, side))), fmpq(1, 2))
            case "atan", (arg,) if arg == UNIT:
                return scaled(of_atom(Function("pi")), fmpq(1, 4))
            case (("sin" | "tanh" | "erf" | "atan" | "asin"), (arg,)):
                return self._odd(name, arg)
            case (("sigmoid" | "Phi"), (arg,)):
                # Around 1/2 they are odd.
                return self._reflected(name, arg)
            case "cos", (arg,):
                return of_atom(Function(name, (scaled(arg, fmpq(self._side(arg))),))) if arg.terms else UNIT
        return of_atom(Function(name, args))

    def _divided(self, poly: Poly) -> Poly:
        """With s**2/(1 + s**2) as 1 - 1/(1 + s**2): what the first term of a denominator divides."""
        inverses = sorted({atom for atom in poly.atoms() if isinstance(atom, Inverse)}, key=lambda a: a.key)
        for inverse in inverses:
            lead = max(inverse.base.terms, key=_degree_and_text)
            if not lead or not all(isinstance(power, int) and power > 0 for _, power in lead):
                continue
            rest = Poly({m: factor for m, factor in inverse.base.terms.items() if m != lead})
            for _ in range(MOST_DIVISIONS):
                found = next((m for m in poly.terms if _is_divided(m, lead, inverse)), None)
                if found is None:
                    break
                powers = dict(found)
                for atom, power in ((inverse, 1), *lead):
                    powers[atom] -= power
                scale = poly.terms[found] / inverse.base.terms[lead]
                beside = scaled(Poly({monomial(powers): fmpq(1)}), scale)
                less = self.product(beside, rest, of_atom(inverse))
                others = Poly({m: factor for m, factor in poly.terms.items() if m != found})
                poly = total((others, beside, scaled(less, fmpq(-1))))
        return poly

    def _side(self, arg: Poly) -> int:
        """A sign that an argument and its negative have in opposition: the one that its first term has."""
        ((_, factor),) = self.content(arg)[0].terms.items()
        return 1 if factor > 0 else -1

    def _odd(self, name: str, arg: Poly) -> Poly:
        """f(-x) = -f(x)."""
        if not arg.terms:
            return NOTHING
        side = fmpq(self._side(arg))
        return scaled(of_atom(Function(name, (scaled(arg, side),))), side)

    def _reflected(self, name: str, arg: Poly) -> Poly:
        """f(-x) = 1 - f(x)."""
        if not arg.terms:
            return constant(Fraction(1, 2))
        if self._side(arg) > 0:
            return of_atom(Function(name, (arg,)))
        return total((UNIT, scaled(of_atom(Function(name, (scaled(arg, fmpq(-1)),))), fmpq(-1))))

    def _by_exponentials(self, name: str, arg: Poly) -> Poly:
        """tanh(x) = (exp(2*x) - 1)/(exp(2*x) + 1), sigmoid(x) = exp(x)/(exp(x) + 1), softplus(x) =
        log(exp(x) + 1)."""
        grown = self._exponential(scaled(arg, fmpq(2 if name == "tanh" else 1)))
        above = total((grown, UNIT))
        if name == "softplus":
            return self._logarithm(above)
        top = total((grown, constant(-1))) if name == "tanh" else grown
        return self.times(top, self.inverse(above))

    def _logarithm(self, arg: Poly) -> Poly:
        """The logarithm of a product is the sum of those of its positive factors and of the rest, which is
        positive where there is a value at all."""
        if not arg.terms:
            raise Rejected("undefined", "a logarithm of 0")
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
        if any(power < 0 for powers in outer.terms for _, power in powers):
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

    def _is_apart(self, poly: Poly) -> bool:
        return any(self.is_positive(scaled(poly, fmpq(side))) for side in (1, -1))

    def step(self, arg: Poly) -> Poly:
        """1 where arg > 0, 0 where arg < 0; step(-x) = 1 - step(x)."""
        value = arg.constant
        if value is not None:
            if not value:
                return of_atom(Function("step", (arg,)))
            return UNIT if value > 0 else NOTHING
        outer, inner = self.content(arg)
        ((powers, factor),) = outer.terms.items()
        kept = [(atom, power) for atom, power in powers if not self.is_positive_atom(atom)]
        core = self.times(Poly({monomial(dict(kept)): fmpq(1)}), inner)
        if self.is_positive(core):
            return UNIT if factor > 0 else NOTHING
        found = of_atom(Function("step", (core,)))
        return found if factor > 0 else total((UNIT, scaled(found, fmpq(-1))))

    def sign(self, arg: Poly) -> Poly:
        """2*step - 1; only ever beside arg itself, or as a slope that has no value at 0."""
        return total((scaled(self.step(arg), fmpq(2)), constant(-1)))

    def moment(self, poly: Poly, draws: frozenset[str]) -> Poly:
        """The mean of a polynomial in draws of whose law too little is known: what does not depend on them is
        taken out, and nothing else, since a sum may have a mean where its terms have none."""
        free = [(m, factor) for m, factor in poly.terms.items() if not any(draws & a.names for a, _ in m)]
        rest = Poly({m: factor for m, factor in poly.terms.items() if any(draws & a.names for a, _ in m)})
        if not rest.terms:
            return poly
        outer, inner = self.content(rest)
        ((powers, factor),) = outer.terms.items()
        known = Poly({monomial({a: p for a, p in powers if not draws & a.names}): factor})
        drawn = Poly({monomial({a: p for a, p in powers if draws & a.names}): fmpq(1)})
        mean = of_atom(Moment(draws, self.times(drawn, inner)))
        return total((Poly(dict(free)), self.times(known, mean)))


def _degree_and_text(powers: Monomial) -> tuple[Exponent, str]:
    return sum(power for _, power in powers), write_monomial(powers, plain)


def _is_divided(powers: Monomial, lead: Monomial, inverse: Inverse) -> bool:
    own = dict(powers)
    return own.get(inverse, 0) >= 1 and all(own.get(atom, 0) >= power for atom, power in lead)
