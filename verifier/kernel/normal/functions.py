"""Functions of polynomials: powers with symbolic exponents, exp, steps, counting functions, opaque means."""

from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq

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
from verifier.kernel.normal.powers import Powers
from verifier.kernel.normal.shift import is_signed

MOST_DIVISIONS, MOST_SIGNS = 32, 3


@dataclass
class Functions(Powers):
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
                return arg if is_signed(self, arg, False) else self.times(arg, self.sign(arg))
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
            case "asin", (arg,) if (share := _arc(arg)) is not None:
                return scaled(of_atom(Function("pi")), share)
            case "asin", (arg,):
                turned = scaled(self.function("acos", args), fmpq(-1))
                return total((scaled(of_atom(Function("pi")), fmpq(1, 2)), turned))
            case "acos", (arg,) if (share := _arc(arg)) is not None:
                return scaled(of_atom(Function("pi")), fmpq(1, 2) - share)
            case "acos", (arg,) if self._side(arg) < 0:
                other = of_atom(Function(name, (scaled(arg, fmpq(-1)),)))
                return total((of_atom(Function("pi")), scaled(other, fmpq(-1))))
            case (("sin" | "tanh" | "erf" | "atan"), (arg,)):
                return self._odd(name, arg)
            case "softplus", (arg,) if arg.terms and self._side(arg) < 0:
                return total((self.function(name, (scaled(arg, fmpq(-1)),)), arg))
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

    def step(self, arg: Poly) -> Poly:
        """1 where arg > 0, 0 where arg < 0; step(-x) = 1 - step(x)."""
        value = arg.constant
        if value is not None:
            if not value:
                return of_atom(Function("step", (arg,)))
            return UNIT if value > 0 else NOTHING
        outer, inner = (arg, UNIT) if len(arg.terms) == 1 else self.content(arg)
        ((powers, factor),) = outer.terms.items()
        # Where a factor is 0 so is the argument, and then a step is asked for beside a factor 0 alone.
        kept = [(atom, power) for atom, power in powers if not self.is_nonnegative(atom, power)]
        core = self.times(Poly({monomial(dict(kept)): fmpq(1)}), inner)
        if core == UNIT or self.is_positive(core):
            return UNIT if factor > 0 else NOTHING
        if not kept and (exponents := self._exponents_of(inner)) is not None:
            found = self.step(exponents)
            return found if factor > 0 else total((UNIT, scaled(found, fmpq(-1))))
        found = self._step_of_factors(kept, inner) or of_atom(Function("step", (core,)))
        return found if factor > 0 else total((UNIT, scaled(found, fmpq(-1))))

    def _exponents_of(self, poly: Poly) -> Poly | None:
        """exp(a) is larger than a positive c where a is larger than log(c)."""
        grown = [
            m for m in poly.terms if m and all(isinstance(a, Function) and a.name == "exp" for a, _ in m)
        ]
        for powers in grown:
            factor = poly.terms[powers]
            rest = Poly({m: -c / factor for m, c in poly.terms.items() if m != powers})
            if self.is_positive(rest):
                sizes = (
                    scaled(a.args[0], fmpq(*Fraction(p).as_integer_ratio()))
                    for a, p in powers
                    if isinstance(a, Function)
                )
                apart = total((*sizes, scaled(self._logarithm(rest), fmpq(-1))))
                return apart if factor > 0 else scaled(apart, fmpq(-1))
        return None

    def _step_of_factors(self, kept: list[tuple[Atom, Exponent]], inner: Poly) -> Poly | None:
        """The sign of a product is the product of the signs; None where there is but one factor."""
        odd = [of_atom(atom) for atom, power in kept if power % 2]
        parts = odd if inner == UNIT else [*odd, inner]
        if not all(isinstance(power, int) for _, power in kept) or not 1 < len(parts) <= MOST_SIGNS:
            return None
        whole = self.product(*map(self.sign, parts))
        return scaled(total((UNIT, whole)), fmpq(1, 2))

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


ARCS = {
    fmpq(0): fmpq(0),
    fmpq(1, 4): fmpq(1, 6),
    fmpq(1, 2): fmpq(1, 4),
    fmpq(3, 4): fmpq(1, 3),
    fmpq(1): fmpq(1, 2),
}


def _arc(arg: Poly) -> fmpq | None:
    """asin(arg)/pi of a number whose square is one of a few."""
    match list(arg.terms.items()):
        case []:
            return fmpq(0)
        case [(powers, factor)]:
            square = factor * factor
            for atom, power in powers:
                match atom:
                    case Root(base) if base.constant is not None and (2 * power) % 1 == 0:
                        square *= base.constant ** int(2 * power)
                    case _:
                        return None
            share = ARCS.get(square)
            return None if share is None else share if factor > 0 else -share
    return None


def _degree_and_text(powers: Monomial) -> tuple[Exponent, str]:
    return sum(power for _, power in powers), write_monomial(powers, plain)


def _is_divided(powers: Monomial, lead: Monomial, inverse: Inverse) -> bool:
    own = dict(powers)
    return own.get(inverse, 0) >= 1 and all(own.get(atom, 0) >= power for atom, power in lead)
