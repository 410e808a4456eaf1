"""Whether a normal form is 0."""

from collections.abc import Iterator
from dataclasses import dataclass

from flint import fmpq

from verifier.expr.dims import Dim
from verifier.expr.nodes import Number
from verifier.expr.symbols import Interval, Positive, Real
from verifier.kernel.core.states import is_state
from verifier.kernel.normal.atoms import (
    UNIT,
    Atom,
    Entry,
    Exponent,
    Function,
    Monomial,
    Net,
    Poly,
    Root,
    Same,
    constant,
    of_atom,
    scaled,
    total,
)
from verifier.kernel.normal.centred import is_centred
from verifier.kernel.normal.shift import is_signed
from verifier.kernel.normal.solving import Solving

MOST_REDUCTIONS, MOST_RANGES = 64, 3


@dataclass
class ZeroTest(Solving):
    """Normal forms that can be told from 0."""

    depth: int = 0  # of sums that are looked into

    def is_zero(self, poly: Poly) -> bool:
        """Whether a polynomial is 0 once every denominator is multiplied out; none of the author's own is 0
        where the text has a value."""
        poly = self.counted(self.in_one_mean(self._unified(poly)))
        poly = Poly({powers: c for powers, c in poly.terms.items() if not is_centred(self, powers)})
        if not self.edges and self.is_assumed(poly):
            return True
        equations = self.beside_edges(list(self.equations()))
        if self.apart:
            poly = self.without_inverses(poly)
            names = frozenset[str]().union(*(each.names for each in self.apart))
            equations = _without(equations, names)
            sides = (poly, *map(self.without_inverses, self.bases))
            if not all(map(self._varies, self.apart)) or not all(
                self._follows(side, names) for side in sides
            ):
                return False
        whole = poly
        while (poly := self.reduced_by(self.without_inverses(poly), equations)).terms:
            if (found := self._telescoped(poly)) is None:
                return self._is_zero_inside(whole)
            poly, names = found
            equations = _without(equations, names)
        return True

    def _is_zero_inside(self, poly: Poly) -> bool:
        """Whether a polynomial is the sum of a polynomial that is 0 at every place of a range."""
        places = dict.fromkeys(place[1:] for atom in poly.atoms() for place in _shared(atom))
        for low, high in list(places)[:MOST_RANGES] if self.depth < MOST_RANGES else ():
            if not self.is_regular(low + Dim.of(1), high):
                continue  # it may be empty
            index = f"%w{next(self.fresh)}"
            self.ranges[index] = low, high
            inside = total(self._inside(Poly({m: c}), index) for m, c in poly.terms.items())
            self.depth += 1
            try:
                if self.is_zero(inside):
                    return True
            finally:
                self.depth -= 1
        return False

    def _inside(self, term: Poly, index: str) -> Poly:
        """The summand at a place, of a sum over the range of the index; what is none is spread evenly."""
        ((powers, factor),) = term.terms.items()
        for atom, power in powers:
            if power != 1 or not isinstance(atom, Net):
                continue
            for name, *limits in _shared(atom):
                if tuple(limits) != self.ranges[index]:
                    continue
                rest = Poly({tuple(item for item in powers if item[0] is not atom): factor})
                at = [each for each, _, _ in atom.bound].index(name)
                bound, inner = self.open(atom)
                own = list(bound)[at]
                inner = self.substituted(inner, own, Dim.of(index))
                others = {each: span for each, span in bound.items() if each != own}
                return self.times(rest, self.close(others, inner))
        return self.times(term, self.inverse(self.count(index)))

    def _follows(self, poly: Poly, names: frozenset[str]) -> bool:
        """Whether a polynomial is a continuous function of these symbols."""
        return all(self._is_continuous(a, p) for m in poly.terms for a, p in m if names & a.names)

    # Assumed equations

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

    def _telescoped(self, poly: Poly) -> tuple[Poly, frozenset[str]] | None:
        """(b - 1)*poly with (b - 1)*sum(b**k, k, l, h) = b**(h + 1) - b**l used, and what b depends on; None
        where there is no such sum. What is 0 times b - 1 is 0 where b is not 1, and by continuity everywhere:
        no assumption about b may be used for it."""
        for atom in sorted(set(poly.atoms()), key=lambda each: each.key):
            if (parts := self.geometric(atom)) is None:
                continue
            ratio, first, beyond = parts
            less = total((ratio, constant(-1)))
            if not self._varies(less) or not self._follows(poly, less.names):
                continue
            found = []
            for powers, factor in poly.terms.items():
                rest = Poly({tuple(item for item in powers if item[0] != atom): factor})
                times = dict(powers).get(atom, 0)
                if times not in (0, 1):
                    return None
                ends = total((beyond, scaled(first, fmpq(-1))))
                found.append(self.times(rest, ends if times else less))
            return total(found), less.names
        return None

    def geometric(self, atom: Atom) -> tuple[Poly, Poly, Poly] | None:
        """Of sum(b**(c*k), k, l, h): b**c, b**(c*l) and b**(c*(h + 1))."""
        match atom:
            case Net(((index, low, high),), powers) if self.is_regular(low, high):
                ratio, first, beyond = UNIT, UNIT, UNIT
                for atom_of_it, c in powers:
                    match atom_of_it:
                        case Function("power", (base, exponent)) if isinstance(c, int):
                            rises = c > 0 and low.constant is not None and low.constant >= 0
                            if exponent != of_atom(Entry(index)) or index in base.names:
                                return None
                            if not rises and not self.is_positive(base):
                                return None
                        case _:
                            return None
                    ratio = self.times(ratio, self.power(base, c))
                    first = self.times(first, self._power_at(base, low, c))
                    beyond = self.times(beyond, self._power_at(base, high + Dim.of(1), c))
                return ratio, first, beyond
        return None

    def _power_at(self, base: Poly, at: Dim, times: int) -> Poly:
        return self._power(base, scaled(self.of_dim(at), fmpq(times)))

    def _varies(self, poly: Poly) -> bool:
        """A polynomial in real symbols is 0 on no open set if one of its coefficients is not 0, whatever the
        sizes in it are."""
        found: dict[Monomial, list[Poly]] = {}
        for powers, factor in self.without_inverses(poly).terms.items():
            real = tuple((a, p) for a, p in powers if isinstance(a, Entry) and self._is_free(a.name))
            rest = tuple(item for item in powers if item not in real)
            found.setdefault(real, []).append(Poly({rest: factor}))
        sizes = all(isinstance(atom, Entry) for parts in found.values() for p in parts for atom in p.atoms())
        return sizes and any(self.is_not_zero(total(parts)) for parts in found.values())

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
            case Entry(name):
                return not is_state(self.context, name)  # a quotient, where it has a value
            case Root(base):
                return is_signed(self, base, False)
            case Net(_, factors):
                return power > 0 and all(self._is_continuous(part, each) for part, each in factors)
            case Function("power", (base, exponent)):
                return self.is_positive(base) or all(map(self.is_whole, exponent.terms))
        return isinstance(atom, Same)


def _shared(atom: Atom) -> Iterator[tuple[str, Dim, Dim]]:
    """The indices of a sum that stand in something else than entries: in denominators, roots, functions."""
    if isinstance(atom, Net):
        inside = [part.names for part, _ in atom.factors if not isinstance(part, Entry)]
        places = sorted(atom.bound, key=lambda each: -sum(each[0] in names for names in inside))
        yield from (each for each in places if any(each[0] in names for names in inside))


def _without(equations: list[tuple[Monomial, Poly]], names: frozenset[str]) -> list[tuple[Monomial, Poly]]:
    """Those that do not speak of these symbols."""
    return [
        (lead, value) for lead, value in equations if not names & (Poly({lead: fmpq(1)}).names | value.names)
    ]
