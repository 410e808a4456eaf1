"""Functions of polynomials: powers with symbolic exponents, exp, steps, counting functions."""

from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq

from verifier.expr.dims import Dim
from verifier.kernel.normal.algebra import Algebra, exponent_of, factors_of
from verifier.kernel.normal.atoms import (
    NOTHING,
    UNIT,
    Atom,
    Entry,
    Exponent,
    Function,
    Poly,
    constant,
    monomial,
    of_atom,
    scaled,
    total,
)
from verifier.kernel.rejected import Rejected


@dataclass
class Functions(Algebra):
    """Arithmetic with functions."""

    def function(self, name: str, args: tuple[Poly, ...]) -> Poly:
        match name, args:
            case "exp", (arg,):
                return self._exponential(arg)
            case "relu", (arg,):
                return self.times(arg, self.step(arg))
            case "abs", (arg,):
                return self.times(arg, self.sign(arg))
            case "sign", (arg,):
                return self.sign(arg)
            case "step", (arg,):
                return self.step(arg)
            case "log", (Poly() as arg,) if arg == UNIT:
                return NOTHING
            case (("factorial" | "factorial2" | "binomial"), _):
                return self._counting(name, args)
            case (("min" | "max"), (left, right)):
                # The greater of two is half of their sum and their distance.
                apart = self.function("abs", (total((left, scaled(right, fmpq(-1)))),))
                side = fmpq(1 if name == "max" else -1)
                return scaled(total((left, right, scaled(apart, side))), fmpq(1, 2))
            case (("sin" | "tanh" | "erf" | "atan" | "asin"), (arg,)) if not arg.terms:
                return NOTHING
        return of_atom(Function(name, args))

    def _exponential(self, arg: Poly) -> Poly:
        """exp(c*m + ...) is a product of powers, one for each monomial."""
        parts = (
            of_atom(Function("exp", (Poly({m: fmpq(1)}),)), exponent_of(c)) for m, c in arg.terms.items()
        )
        return self.product(*parts)

    def symbolic_power(self, base: Poly, exponent: Poly) -> Poly:
        """base**(c*m + ...) is a product of powers, where the base is positive or the exponents are whole."""
        if not base.terms:
            raise Rejected("outside", "a symbolic power of 0")
        found = UNIT
        for powers, factor in exponent.terms.items():
            if not powers:
                whole = factor.q == 1
                power = Fraction(int(factor.p), int(factor.q))
                part = self.power(base, int(power)) if whole else self.root(base, power)
                found = self.times(found, part)
                continue
            if not (factor.q == 1 and self.is_whole(powers)) and not self.is_positive(base):
                raise Rejected("condition", "a symbolic power of what may be negative")
            found = self.times(found, self._powers_of(base, Poly({powers: fmpq(1)}), exponent_of(factor)))
        return found

    def _powers_of(self, base: Poly, exponent: Poly, times: Exponent) -> Poly:
        """base**(times*exponent), the factors of the base apart."""
        if len(base.terms) == 1:
            ((powers, factor),) = base.terms.items()
            if factor < 0 or any(power.denominator != 1 for _, power in powers):
                return of_atom(Function("power", (base, exponent)), times)
            parts = [
                of_atom(Function("power", (of_atom(atom), exponent)), times * power) for atom, power in powers
            ]
            for number, sign in ((int(factor.p), 1), (int(factor.q), -1)):
                for prime, how_often in factors_of(number):
                    atom = Function("power", (constant(prime), exponent))
                    parts.append(of_atom(atom, times * sign * how_often))
            return self.product(*parts)
        return of_atom(Function("power", (base, exponent)), times)

    def _counting(self, name: str, args: tuple[Poly, ...]) -> Poly:
        """Factorials of numbers; of symbols they stay."""
        if name == "binomial":
            top, bottom = args
            size = bottom.constant
            if size is not None and size.q == 1 and 0 <= size <= 20:
                found = UNIT
                for k in range(int(size.p)):
                    part = total((top, constant(-k)))
                    found = self.times(found, scaled(part, fmpq(1, k + 1)))
                return found
            return of_atom(Function(name, args))
        value = args[0].constant
        if value is None and name == "factorial":
            return self._factorial(args[0])
        if value is None or value.q != 1 or not -1 <= value <= 200:
            return of_atom(Function(name, args))
        if value < 0 and name == "factorial":
            raise Rejected("undefined", "a factorial of a negative number")
        step = 1 if name == "factorial" else 2
        product = 1
        for k in range(int(value.p), 0, -step):
            product *= k
        return constant(product)

    def _factorial(self, arg: Poly) -> Poly:
        """(m - k)! is m! divided by m*(m - 1)*...*(m - k + 1), and (m + k)! is a multiple of m!, where m is
        never negative."""
        number = exponent_of(arg.terms.get((), fmpq(0)))
        rest = total((arg, constant(-number)))
        if not isinstance(number, int) or abs(number) > 20 or (number > 0 and not self.is_positive(rest)):
            return of_atom(Function("factorial", (arg,)))
        steps = range(1, number + 1) if number > 0 else range(number + 1, 1)
        product = self.product(*(total((rest, constant(k))) for k in steps))
        base = of_atom(Function("factorial", (rest,)))
        return self.times(base, product if number > 0 else self.inverse(product))

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


def step_at(atom: Atom, name: str) -> tuple[Dim, ...] | None:
    """Where an entry stands whose step an atom is."""
    match atom:
        case Function("step", (arg,)) if len(arg.terms) == 1:
            ((powers, factor),) = arg.terms.items()
            if factor == 1 and len(powers) == 1 and powers[0][1] == 1:
                entry = powers[0][0]
                return entry.at if isinstance(entry, Entry) and entry.name == name else None
    return None
