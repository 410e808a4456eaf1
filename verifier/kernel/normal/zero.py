"""Whether a normal form is 0."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from flint import fmpq

from verifier.expr.dims import Dim
from verifier.expr.nodes import Let, Number, Relation, Symbol
from verifier.expr.symbols import Interval, Positive, Real
from verifier.kernel.normal.atoms import (
    UNIT,
    Atom,
    Entry,
    Exponent,
    Function,
    Inverse,
    Monomial,
    Net,
    Poly,
    Same,
    constant,
    monomial,
    of_atom,
    plain,
    scaled,
    total,
    write_monomial,
)
from verifier.kernel.normal.normalise import Normaliser
from verifier.kernel.rejected import Rejected

MOST_REDUCTIONS = 64


@dataclass
class ZeroTest(Normaliser):
    """Normal forms that can be told from 0."""

    def is_zero(self, poly: Poly) -> bool:
        """Whether a polynomial is 0 once every denominator is multiplied out; none of the author's own is 0
        where the text has a value."""
        poly = self._unified(poly)
        equations = [*self._equations(), *_squares_of_sines(poly)]
        while (poly := self._reduced_by(poly, equations)).terms:
            inverses = sorted({a for a in poly.atoms() if isinstance(a, Inverse)}, key=lambda each: each.key)
            if inverses:
                poly = self._cleared(poly, inverses[0])
            elif (telescoped := self._telescoped(poly)) is not None:
                poly = telescoped
            else:
                return False
        return True

    # Assumed equations

    def _equations(self) -> Iterator[tuple[Monomial, Poly]]:
        """Assumed equations between numbers, each solved for its greatest term: a monomial that may be
        replaced wherever it stands. Of an equation of norms or roots the squares are equal too."""
        for fact in self.context.assumptions:
            if not isinstance(fact, Relation) or fact.op != "==" or not self._is_used(fact):
                continue
            with suppress(Rejected):
                left, right = self.of_node(fact.left), self.of_node(fact.right)
                for power in (1, 2):
                    sides = self.power(left, power), scaled(self.power(right, power), fmpq(-1))
                    yield from self._solved(total(sides))

    def _is_used(self, fact: Relation) -> bool:
        """An equation of numbers that is not entered as a value already."""
        entered = isinstance(fact.left, Let | Symbol)
        return not entered and fact.left.shape.is_scalar and fact.right.shape.is_scalar

    def _solved(self, poly: Poly) -> Iterator[tuple[Monomial, Poly]]:
        while inverses := sorted((a for a in poly.atoms() if isinstance(a, Inverse)), key=lambda a: a.key):
            poly = self._cleared(poly, inverses[0])
        whole = [m for m in poly.terms if m and all(isinstance(p, int) and p > 0 for _, p in m)]
        if whole:
            lead = max(whole, key=lambda m: (sum(p for _, p in m), write_monomial(m, plain)))
            rest = {m: factor for m, factor in poly.terms.items() if m != lead}
            yield lead, scaled(Poly(rest), -1 / poly.terms[lead])

    def _reduced_by(self, poly: Poly, equations: list[tuple[Monomial, Poly]]) -> Poly:
        """The polynomial less multiples of what is assumed to be 0."""
        for _ in range(MOST_REDUCTIONS if equations else 0):
            step = next(
                ((m, lead, value) for m in poly.terms for lead, value in equations if _divides(lead, m)), None
            )
            if step is None:
                break
            found, lead, value = step
            powers = dict(found)
            for atom, power in lead:
                powers[atom] -= power
            quotient = Poly({monomial(powers): poly.terms[found]})
            rest = Poly({m: factor for m, factor in poly.terms.items() if m != found})
            poly = total((rest, self.times(quotient, value)))
        return poly

    def _unified(self, poly: Poly) -> Poly:
        """Beside a factor that is 0 unless two indices are equal, only one of them stands."""
        found = []
        for powers, factor in poly.terms.items():
            term = Poly({powers: factor})
            for atom, _ in powers:
                if isinstance(atom, Same):
                    first, second = sorted((atom.left, atom.right), key=str)
                    names = sorted(second.names)
                    if len(names) == 1 and second == Dim.of(names[0]) and names[0] not in first.names:
                        rest = Poly({tuple(item for item in powers if item[0] is not atom): factor})
                        moved = self._unified(self.substituted(rest, names[0], first))
                        term = self.times(of_atom(atom), moved)
                        break
            found.append(term)
        return total(found)

    def _cleared(self, poly: Poly, inverse: Inverse) -> Poly:
        most = max(int(dict(powers).get(inverse, 0)) for powers in poly.terms)
        found = []
        for powers, factor in poly.terms.items():
            rest = Poly({tuple(item for item in powers if item[0] != inverse): factor})
            missing = most - int(dict(powers).get(inverse, 0))
            found.append(self.times(rest, self.power(inverse.base, missing)))
        return total(found)

    def _telescoped(self, poly: Poly) -> Poly | None:
        """(b - 1)*poly with (b - 1)*sum(b**k, k, l, h) = b**(h + 1) - b**l used; None where there is no such
        sum. What is 0 times b - 1 is 0 where b is not 1, and by continuity everywhere."""
        for atom in sorted(set(poly.atoms()), key=lambda each: each.key):
            if (parts := self.geometric(atom)) is None:
                continue
            ratio, first, beyond = parts
            less = total((ratio, constant(-1)))
            if not self._varies(less) or not all(self._is_continuous(a, p) for m in poly.terms for a, p in m):
                continue
            found = []
            for powers, factor in poly.terms.items():
                rest = Poly({tuple(item for item in powers if item[0] != atom): factor})
                times = dict(powers).get(atom, 0)
                if times not in (0, 1):
                    return None
                ends = total((beyond, scaled(first, fmpq(-1))))
                found.append(self.times(rest, ends if times else less))
            return total(found)
        return None

    def geometric(self, atom: Atom) -> tuple[Poly, Poly, Poly] | None:
        """Of sum(b**(c*k), k, l, h): b**c, b**(c*l) and b**(c*(h + 1))."""
        match atom:
            case Net(((index, low, high),), ((Function("power", (base, exponent)), int(c)),)):
                if exponent != of_atom(Entry(index)) or index in base.names or not self.is_positive(base):
                    return None
                if not self.is_regular(low, high):
                    return None
                first = self.symbolic_power(base, scaled(self.of_dim(low), fmpq(c)))
                beyond = self.symbolic_power(base, scaled(self.of_dim(high + Dim.of(1)), fmpq(c)))
                return self.power(base, c), first if low.terms else UNIT, beyond
        return None

    def _varies(self, poly: Poly) -> bool:
        """A polynomial in real symbols that is no constant is 0 on no open set."""
        real = all(isinstance(atom, Entry) and self._is_free(atom.name) for atom in poly.atoms())
        return real and poly.constant is None and all(p > 0 for m in poly.terms for _, p in m)

    def _is_free(self, name: str) -> bool:
        """A symbol that takes all values of some interval."""
        declared = self.context.symbols.get(name)
        match declared.kind if declared is not None else None:
            case Real() | Positive():
                return True
            case Interval(Number(low), Number(high)):
                return low < high
        return False

    def _is_continuous(self, atom: Atom, power: Exponent) -> bool:
        match atom:
            case Entry():
                return power > 0 or self.is_positive_atom(atom)
            case Net(_, factors):
                return power > 0 and all(self._is_continuous(part, each) for part, each in factors)
            case Function("power", (base, _)):
                return self.is_positive(base)
        return isinstance(atom, Same)


def _squares_of_sines(poly: Poly) -> Iterator[tuple[Monomial, Poly]]:
    """sin(x)**2 = 1 - cos(x)**2."""
    for atom in sorted(set(poly.atoms()), key=lambda each: each.key):
        if isinstance(atom, Function) and atom.name == "sin":
            cosine = of_atom(Function("cos", atom.args), 2)
            yield ((atom, 2),), total((UNIT, scaled(cosine, fmpq(-1))))


def _divides(lead: Monomial, found: Monomial) -> bool:
    powers = dict(found)
    return all(powers.get(atom, 0) >= power for atom, power in lead)
