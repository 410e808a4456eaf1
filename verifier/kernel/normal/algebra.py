"""Arithmetic of polynomials in atoms: products, powers and roots.

What an atom satisfies is used as soon as it meets itself: the square of a root is its base, the square of a
step the step, exp(a)*exp(b) = exp(a + b). Where a rule needs a sign, the sign is computed.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count

from flint import fmpq

from verifier.kernel.budget import Budget
from verifier.kernel.normal.atoms import (
    NOTHING,
    UNIT,
    Atom,
    Entry,
    Exponent,
    Function,
    Inverse,
    Monomial,
    Poly,
    Root,
    Same,
    constant,
    gathered,
    monomial,
    of_atom,
    plain,
    scaled,
    write_monomial,
)
from verifier.kernel.normal.factors import factors
from verifier.kernel.normal.rationals import factors_of, rational_power, rational_size
from verifier.kernel.normal.signs import Signs
from verifier.kernel.rejected import Rejected

LARGEST_POWER = 64
MOST_CASES = 3  # steps
STEPS = ("step", "above")
MINUS_ONE = constant(-1)


@dataclass
class Algebra(Signs):
    """Arithmetic under a context; it counts its work, and refuses to go on without end."""

    budget: Budget = field(default_factory=Budget)
    fresh: "count[int]" = field(default_factory=lambda: count(1))

    def sign(self, arg: Poly) -> Poly:
        """1 or -1, as arg is positive or negative."""
        raise NotImplementedError

    def symbolic_power(self, base: Poly, exponent: Poly) -> Poly:
        """base**exponent with symbols in the exponent."""
        raise NotImplementedError

    # Products and powers

    def times(self, left: Poly, right: Poly) -> Poly:
        if left is UNIT or right is UNIT:
            return right if left is UNIT else left
        self.budget.spend(len(left.terms) * len(right.terms))
        parts: list[tuple[Monomial, fmpq]] = []
        for a, x in left.terms.items():
            for b, y in right.terms.items():
                parts += self._product(a, b, x * y)
        return gathered(parts)

    def product(self, *polys: Poly) -> Poly:
        found = UNIT
        for poly in polys:
            found = self.times(found, poly)
            if not found.terms:
                return NOTHING
        return found

    def _product(self, a: Monomial, b: Monomial, factor: fmpq) -> list[tuple[Monomial, fmpq]]:
        if not a or not b:
            return [(a or b, factor)]
        powers = dict(a)
        met = []
        for atom, power in b:
            if atom in powers:
                powers[atom] += power
                met.append(atom)
            else:
                powers[atom] = power
        extra = [poly for atom in met if (poly := self._reduced(atom, powers)) is not None]
        rest = (monomial(powers), factor)
        if not extra:
            return [rest]
        return list(self.times(Poly({rest[0]: factor}), self.product(*extra)).terms.items())

    def _reduced(self, atom: Atom, powers: dict[Atom, Exponent]) -> Poly | None:
        """What an atom that met itself leaves beside the others."""
        power = powers[atom]
        match atom:
            case Root(base) if power >= 1:
                whole = int(power)
                powers[atom] = power - whole
                return self.power(base, whole)
            case Function("step") | Same() if power > 1:
                powers[atom] = 1
            case Function("sin", args) if isinstance(power, int) and power > 1:
                powers[atom] = power % 2
                return self.power(_square_of_sine(args), power // 2)
            case Function("power", (base, _)) if base == MINUS_ONE and isinstance(power, int):
                powers[atom] = power % 2
            case Function("power", (base, exponent)) if isinstance(power, int):
                root, order = _root_in(base)
                if root is not None and power % order == 0:
                    powers[atom] = 0
                    return self.power(self.symbolic_power(root.base, exponent), power // order)
        return None

    def power(self, base: Poly, exponent: int) -> Poly:
        """A power with a whole exponent."""
        if exponent < 0:
            return self.power(self.inverse(base), -exponent)
        if len(base.terms) == 1:
            return self._of_monomial(base, exponent)
        if exponent > LARGEST_POWER:
            raise Rejected("too-large", f"a power beyond {LARGEST_POWER}")
        found = UNIT
        for _ in range(exponent):
            found = self.times(found, base)
        return found

    def _of_monomial(self, base: Poly, exponent: int) -> Poly:
        """A whole power of one term; a negative one too, where its atoms allow it."""
        ((powers, factor),) = base.terms.items()
        found = constant(rational_power(factor, exponent))
        for atom, power in powers:
            found = self.times(found, self._atom_power(atom, power * exponent))
        return found

    def _atom_power(self, atom: Atom, power: Exponent) -> Poly:
        match atom:
            case Root(base) if not 0 < power < 1:
                whole = power.__floor__()
                rest = power - whole
                return self.times(self.power(base, whole), of_atom(atom, rest) if rest else UNIT)
            case Inverse(base) if power < 0:
                return self.power(base, int(-power))
            case Function("step") | Same() if power > 1:
                return of_atom(atom)
            case Function("sin", args) if isinstance(power, int) and power > 1:
                odd = of_atom(atom) if power % 2 else UNIT
                return self.times(odd, self.power(_square_of_sine(args), power // 2))
            case Function("power", (base, _)) if base == MINUS_ONE and isinstance(power, int):
                return of_atom(atom) if power % 2 else UNIT
            case Function("power", (base, exponent)) if isinstance(power, int):
                root, order = _root_in(base)
                if root is not None and power % order == 0:
                    return self.power(self.symbolic_power(root.base, exponent), power // order)
        return of_atom(atom, power) if power else UNIT

    def inverse(self, base: Poly) -> Poly:
        """1/base. Where the base is 0 the author's text has no value."""
        if not base.terms:
            raise Rejected("undefined", "a denominator is 0")
        if (found := self.by_cases((base,), self.inverse)) is not None:
            return found
        if len(base.terms) == 1:
            return self._of_monomial(base, -1)
        outer, inner = self.content(base)
        return self.times(self._of_monomial(outer, -1), of_atom(Inverse(inner)))

    def by_cases(self, args: tuple[Poly, ...], made: Callable[..., Poly]) -> Poly | None:
        """What is made of polynomials, as it is where two positions are equal and where they are not, or on
        either side of a step (at its edge the polynomials have a value only if both sides are the same); None
        where nothing is asked of positions, nor of few steps."""
        same: Atom | None = next((a for arg in args for a in arg.atoms() if isinstance(a, Same)), None)
        if same is None:
            steps = {a for arg in args for a in arg.atoms() if isinstance(a, Function) and a.name in STEPS}
            if not 0 < len(steps) <= MOST_CASES:
                return None
            same = min(steps, key=lambda atom: atom.key)
        equal, apart = (made(*(with_value(arg, same, value) for arg in args)) for value in (1, 0))
        gap = gathered((*equal.terms.items(), *scaled(apart, fmpq(-1)).terms.items()))
        return gathered((*self.times(of_atom(same), gap).terms.items(), *apart.terms.items()))

    def content(self, base: Poly) -> tuple[Poly, Poly]:
        """base = outer*inner, with what all terms share, and all denominators, in outer; the first
        coefficient of inner is 1."""
        terms = [dict(powers) for powers in base.terms]
        atoms = {atom for powers in terms for atom, power in powers.items() if _divides(atom, power)}
        least = {atom: min(powers.get(atom, 0) for powers in terms) for atom in atoms}
        shared = {atom: power for atom, power in least.items() if _divides(atom, power)}
        parts = {}
        for powers, factor in base.terms.items():
            left = dict(powers)
            for atom, power in shared.items():
                left[atom] = left.get(atom, 0) - power
            parts[monomial(left)] = factor
        lead = parts[min(parts, key=_place)]
        return Poly({monomial(shared): lead}), scaled(Poly(parts), 1 / lead)

    # Roots

    def root(self, base: Poly, exponent: Fraction) -> Poly:
        """A power with a fractional exponent, of a base that is not negative (else there is no value)."""
        whole = exponent.__floor__()
        rest = exponent - whole
        if (found := self.by_cases((base,), lambda case: self.root(case, exponent))) is not None:
            return found
        if len(base.terms) != 1:
            if not base.terms:
                return self._root_of_nothing(exponent)
            outer, inner = self._nonnegative_content(base)
            squares, inner = self._squares(inner, rest)
            kept = of_atom(Root(inner), rest) if len(inner.terms) > 1 else self.root(inner, rest)
            return self.product(squares, self.root(outer, rest), kept, self.power(base, whole))
        ((powers, factor),) = base.terms.items()
        found, left = self._root_of_number(factor, exponent), []
        for atom, power in powers:
            if self.is_nonnegative(atom, 1):
                found = self.times(found, self._rational_atom_power(atom, power * exponent))
            elif exponent.denominator == 2 and power % 2 == 0:
                half = int(power * exponent)  # a sign is its own inverse
                size = self.power(self.sign(of_atom(atom)), abs(half))
                found = self.product(found, of_atom(atom, half), size)
            else:
                left.append((atom, power))
        if left:
            inner = Poly({monomial(dict(left)): fmpq(1)})
            found = self.product(found, of_atom(Root(inner), rest), self.power(inner, whole))
        return found

    def _squares(self, base: Poly, exponent: Fraction) -> tuple[Poly, Poly]:
        """The factors whose power is whole and that are never negative, taken to it, and what is left."""
        found, left = UNIT, UNIT
        for part, times in factors(base, self.is_nonnegative_poly):
            power = times * exponent
            if power.denominator == 1 and self.is_nonnegative_poly(part):
                found = self.times(found, self.power(part, int(power)))
            else:
                left = self.times(left, self.power(part, times))
        return (found, left) if found != UNIT else (UNIT, base)

    def _rational_atom_power(self, atom: Atom, power: Exponent) -> Poly:
        if isinstance(power, Fraction) and power.denominator == 1:
            power = int(power)
        if isinstance(power, int) or _is_positive_scalar(atom):
            return self._atom_power(atom, power)
        if isinstance(atom, Inverse):
            return self.root(atom.base, Fraction(-power))
        if isinstance(atom, Root):
            return self._atom_power(atom, power)
        whole = power.__floor__()
        parts = [of_atom(atom, whole)] if whole else []
        return self.product(*parts, of_atom(Root(of_atom(atom)), power - whole))

    def _root_of_nothing(self, exponent: Fraction) -> Poly:
        if exponent < 0:
            raise Rejected("undefined", "a denominator is 0")
        return NOTHING

    def _root_of_number(self, factor: fmpq, exponent: Fraction) -> Poly:
        if factor <= 0:
            raise Rejected("undefined", "a root of a negative number")
        found = UNIT
        for base, sign in ((int(factor.p), 1), (int(factor.q), -1)):
            for prime, times in factors_of(base):
                power = sign * times * exponent
                whole = power.__floor__()
                found = self.times(found, constant(Fraction(prime) ** whole))
                if power != whole:
                    found = self.times(found, of_atom(Root(constant(prime)), power - whole))
        return found

    def _nonnegative_content(self, base: Poly) -> tuple[Poly, Poly]:
        """As `content`, with only what is never negative taken out."""
        outer, inner = self.content(base)
        ((powers, factor),) = outer.terms.items()
        good = {atom: power for atom, power in powers if self.is_nonnegative(atom, power)}
        size = rational_size(inner)
        kept = Poly({monomial(good): fmpq(abs(factor.p), factor.q) * size})
        rest = Poly({monomial({a: p for a, p in powers if a not in good}): fmpq(1 if factor > 0 else -1)})
        return kept, self.times(rest, scaled(inner, 1 / size))


def _root_in(base: Poly) -> tuple[Root | None, int]:
    """The root that a polynomial is, and of which order."""
    match list(base.terms.items()):
        case [(((Root() as root, Fraction(numerator=1, denominator=order)),), factor)] if factor == 1:
            return root, order
    return None, 1


def with_value(poly: Poly, atom: Atom, value: int) -> Poly:
    """The polynomial with 1 or 0 in the place of an atom."""
    kept = ((powers, factor) for powers, factor in poly.terms.items() if value or atom not in dict(powers))
    return gathered((tuple(item for item in powers if item[0] != atom), factor) for powers, factor in kept)


def _square_of_sine(args: tuple[Poly, ...]) -> Poly:
    """sin(x)**2 = 1 - cos(x)**2."""
    return Poly({(): fmpq(1), ((Function("cos", args), 2),): fmpq(-1)})


def _place(each: Monomial) -> tuple[str, str]:
    return write_monomial(each, _anonymous), write_monomial(each, plain)


def _anonymous(name: str) -> str:
    """Indices are not told apart, so that a choice does not depend on what they are called."""
    return "*" if name.startswith(("%", "$")) else name


def _is_positive_scalar(atom: Atom) -> bool:
    """Atoms whose fractional powers are powers of the atom itself."""
    return isinstance(atom, Entry) or (isinstance(atom, Function) and atom.name in ("exp", "power", "pi"))


def _divides(atom: Atom, power: Exponent) -> bool:
    """What may be taken out of a sum: whole powers, and no step, whose powers are all the same."""
    return isinstance(power, int) and not (isinstance(atom, Function) and atom.name == "step")
