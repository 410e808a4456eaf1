"""Whether a normal form is 0."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from flint import fmpq

from verifier.expr.dims import Dim
from verifier.expr.nodes import Apply, Number, Relation
from verifier.expr.symbols import Interval, Positive, Real
from verifier.kernel.core.states import is_state
from verifier.kernel.core.terms import Mean, Num, Pow, Sum, Term, is_nonnegative, parts_of
from verifier.kernel.normal.atoms import (
    NOTHING,
    UNIT,
    Atom,
    Entry,
    Exponent,
    Function,
    Inverse,
    Monomial,
    Net,
    Poly,
    Root,
    Same,
    constant,
    monomial,
    inner_atoms,
    of_atom,
    plain,
    scaled,
    total,
    write_monomial,
)
from verifier.kernel.normal.centred import is_centred
from verifier.kernel.normal.factors import factors
from verifier.kernel.normal.gathered import Gathered
from verifier.kernel.normal.shift import is_signed
from verifier.kernel.rejected import Rejected

MOST_REDUCTIONS, MOST_RANGES = 64, 3


@dataclass
class ZeroTest(Gathered):
    """Normal forms that can be told from 0."""

    depth: int = 0  # of sums that are looked into
    known: list[tuple[Monomial, Poly]] | None = None  # assumed equations, once they are asked for

    def is_zero(self, poly: Poly) -> bool:
        """Whether a polynomial is 0 once every denominator is multiplied out; none of the author's own is 0
        where the text has a value."""
        poly = self.counted(self.in_one_mean(self._unified(poly)))
        poly = Poly({powers: c for powers, c in poly.terms.items() if not is_centred(self, powers)})
        if not self.edges and self._is_assumed(poly):
            return True
        equations = self._beside_edges(list(self._equations()))
        if self.apart:
            poly = self._without_inverses(poly)
            names = frozenset[str]().union(*(each.names for each in self.apart))
            equations = _without(equations, names)
            sides = (poly, *map(self._without_inverses, self.bases))
            if not all(map(self._varies, self.apart)) or not all(
                self._follows(side, names) for side in sides
            ):
                return False
        whole = poly
        while (poly := self._reduced_by(self._without_inverses(poly), equations)).terms:
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
            for name, *limits in _shared(atom) if power == 1 and isinstance(atom, Net) else ():
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

    def _without_inverses(self, poly: Poly) -> Poly:
        while inverses := sorted((a for a in poly.atoms() if isinstance(a, Inverse)), key=lambda a: a.key):
            poly = self._cleared(poly, inverses[0])
        return poly

    def _follows(self, poly: Poly, names: frozenset[str]) -> bool:
        """Whether a polynomial is a continuous function of these symbols."""
        return all(self._is_continuous(a, p) for m in poly.terms for a, p in m if names & a.names)

    # Assumed equations

    def _is_assumed(self, poly: Poly) -> bool:
        """Whether a polynomial is a multiple of one that is assumed to be 0, as that is written."""
        for fact in self.context.assumptions if not self.generic else ():
            if not isinstance(fact, Relation) or fact.op != "==" or not self._is_used(fact):
                continue
            with suppress(Rejected):
                gap = total((self.of_node(fact.left), scaled(self.of_node(fact.right), fmpq(-1))))
                lead = next(iter(gap.terms), None)
                if (
                    lead is not None
                    and lead in poly.terms
                    and poly == scaled(gap, poly.terms[lead] / gap.terms[lead])
                ):
                    return True
        return False

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

    def solved(self, poly: Poly) -> Poly:
        if self.known is None:
            self.known = []  # what an equation is itself made of is left as it is
            self.known = list(self._equations())
        return self._reduced_by(poly, self._beside_edges(self.known))

    def _beside_edges(self, equations: list[tuple[Monomial, Poly]]) -> list[tuple[Monomial, Poly]]:
        """Equations that say nothing of edges: each gives the value of something else, of which no other
        speaks, whatever the edges are."""
        if not self.edges:
            return equations
        found: list[tuple[Monomial, Poly]] = []
        for lead, value in equations:
            others = set(inner_atoms(value))
            leads = {part for known, _ in found for part, _ in known}
            beside = {part for _, known in found for part in inner_atoms(known)}
            if not {*dict(lead)} & (self.edges | leads | beside) and not others & leads:
                found.append((lead, value))
        return found

    def by_assumption(self, poly: Poly, growing: frozenset[str]) -> Poly:
        """The polynomial with what assumed equations replace, written in sizes that grow: d*s**2 == 1 says
        that s**2 is 1/d."""
        if self.edges:
            return poly
        equations = []
        for lead, value in self._equations():
            sizes = [item for item in lead if item[0].names <= growing]
            rest = tuple(item for item in lead if item not in sizes)
            less = self.power(Poly({tuple(sizes): fmpq(1)}), -1) if rest else UNIT
            equations.append((rest or lead, self.times(value, less)))
        return self._reduced_by(poly, equations)

    def know_signs(self) -> None:
        """Put down what assumed inequalities between numbers make positive: the larger side less the smaller,
        and their squares where the smaller is not negative."""
        for fact in self.context.assumptions:
            if not isinstance(fact, Relation) or fact.op not in ("<", "<=", ">", ">="):
                continue
            small, large = (fact.left, fact.right) if fact.op in ("<", "<=") else (fact.right, fact.left)
            if not (small.shape.is_scalar and large.shape.is_scalar):
                continue
            with suppress(Rejected):
                low, high = self.of_node(small), self.of_node(large)
                above = is_signed(self, low, False) or is_nonnegative(self.reader.scalar(small))
                gaps = [(low, high)]
                if above:
                    gaps.append((self.power(low, 2), self.power(high, 2)))
                if isinstance(small, Apply) and small.function == "abs":
                    inner = self.of_node(small.args[0])
                    gaps += ((inner, high), (scaled(inner, fmpq(-1)), high))
                for less, more in gaps:
                    gap = total((more, scaled(less, fmpq(-1))))
                    if self.by_cases((gap,), lambda case: case) is None:
                        self.assumed_signs.append((gap, fact.op in ("<", ">")))

    def know_divided(self, term: Term, moving: frozenset[str]) -> None:
        """Put down what a text divides by, wherever it has a value; not in sums, which may be empty, in means,
        or what moves."""
        match term:
            case Mean():
                return
            case Sum(index, low, high):
                if not self.is_regular(low + Dim.of(1), high):
                    return
                moving |= {index}
            case Pow(base, Num(power)) if power < 0:
                found = NOTHING
                with suppress(Rejected):
                    found = self.normal(base)
                if found.terms:
                    outer, inner = self.content(found)
                    ((powers, _),) = outer.terms.items()
                    parts = [of_atom(atom) for atom, _ in powers]
                    parts += [part for part, _ in factors(inner, self.is_nonnegative_poly)]
                    known = (part for part in parts if part.constant is None and not moving & part.names)
                    self.nonzero |= set(map(self.bare, known))
        for part in parts_of(term):
            self.know_divided(part, moving)

    def _is_used(self, fact: Relation) -> bool:
        """An equation of numbers that is not entered as a value already."""
        return not self.context.is_entered(fact) and fact.left.shape.is_scalar and fact.right.shape.is_scalar

    def _solved(self, poly: Poly) -> Iterator[tuple[Monomial, Poly]]:
        poly = self._without_nonzero_factors(poly)
        whole = [m for m in poly.terms if m and all(isinstance(p, int) and p > 0 for _, p in m)]
        if whole:
            lead = max(whole, key=_size_and_text)
            rest = {m: factor for m, factor in poly.terms.items() if m != lead}
            yield lead, scaled(Poly(rest), -1 / poly.terms[lead])

    def _without_nonzero_factors(self, poly: Poly) -> Poly:
        """What is 0 if this is: without denominators, and without factors that are not 0 or stand in one. The
        author's own denominators are not 0, since the assumption is true and so has a value."""
        if self.generic:  # denominators of its own, where an assumption has none
            return self._without_inverses(poly)
        bases = {atom.base for atom in poly.atoms() if isinstance(atom, Inverse)}
        apart = {part.key for base in bases for part, _ in factors(base, self.is_nonnegative_poly)}
        cleared = self._without_inverses(poly)
        if not cleared.terms:
            return cleared
        outer, inner = self.content(cleared)
        ((powers, _),) = outer.terms.items()
        found = Poly({tuple(item for item in powers if not self.is_positive_atom(item[0])): fmpq(1)})
        for part, times in factors(inner, self.is_nonnegative_poly):
            if part.key not in apart and not self.is_not_zero(part):
                found = self.times(found, self.power(part, times))
        return found

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
        for powers, factor in self._without_inverses(poly).terms.items():
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


def _size_and_text(powers: Monomial) -> tuple[Exponent, bool, str]:
    """Sums are solved for before numbers are."""
    has_sums = any(isinstance(atom, Net) for atom, _ in powers)
    return sum(power for _, power in powers), has_sums, write_monomial(powers, plain)


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


def _divides(lead: Monomial, found: Monomial) -> bool:
    powers = dict(found)
    return all(powers.get(atom, 0) >= power for atom, power in lead)
