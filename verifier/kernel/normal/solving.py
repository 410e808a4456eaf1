"""What assumptions say of numbers: equations, each solved for its greatest term, and signs; and what a text
divides by, which is not 0."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from flint import fmpq

from verifier.expr.dims import Dim
from verifier.expr.nodes import Apply, Relation
from verifier.kernel.asymptotic.scale import sign_of
from verifier.kernel.core.terms import Mean, Num, Pow, Sum, Term, is_nonnegative, parts_of
from verifier.kernel.normal.atoms import (
    NOTHING,
    UNIT,
    Exponent,
    Inverse,
    Monomial,
    Net,
    Poly,
    inner_atoms,
    monomial,
    of_atom,
    plain,
    scaled,
    total,
    write_monomial,
)
from verifier.kernel.normal.factors import factors
from verifier.kernel.normal.gathered import Gathered
from verifier.kernel.normal.shift import is_signed
from verifier.kernel.rejected import Rejected

MOST_REDUCTIONS, MOST_RANGES = 64, 3


@dataclass
class Solving(Gathered):
    """Normal forms under assumptions."""

    known: list[tuple[Monomial, Poly]] | None = None  # assumed equations, once they are asked for

    def without_inverses(self, poly: Poly) -> Poly:
        while inverses := sorted((a for a in poly.atoms() if isinstance(a, Inverse)), key=lambda a: a.key):
            poly = self._cleared(poly, inverses[0])
        return poly

    def is_assumed(self, poly: Poly) -> bool:
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

    def equations(self) -> Iterator[tuple[Monomial, Poly]]:
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
            self.known = list(self.equations())
        return self.reduced_by(poly, self.beside_edges(self.known))

    def beside_edges(self, equations: list[tuple[Monomial, Poly]]) -> list[tuple[Monomial, Poly]]:
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
        for lead, value in self.equations():
            sizes = [item for item in lead if item[0].names <= growing]
            rest = tuple(item for item in lead if item not in sizes)
            less = self.power(Poly({tuple(sizes): fmpq(1)}), -1) if rest else UNIT
            equations.append((rest or lead, self.times(value, less)))
        return self.reduced_by(poly, equations)

    def is_known_positive(self, poly: Poly) -> bool:
        if not self.assumed_signs:
            self.know_signs()
        return sign_of(self, poly) == ">"

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
        """Put down what a text divides by, wherever it has a value; not in sums that may be empty, in means,
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
            return self.without_inverses(poly)
        bases = {atom.base for atom in poly.atoms() if isinstance(atom, Inverse)}
        apart = {part.key for base in bases for part, _ in factors(base, self.is_nonnegative_poly)}
        cleared = self.without_inverses(poly)
        if not cleared.terms:
            return cleared
        outer, inner = self.content(cleared)
        ((powers, _),) = outer.terms.items()
        found = Poly({tuple(item for item in powers if not self.is_positive_atom(item[0])): fmpq(1)})
        for part, times in factors(inner, self.is_nonnegative_poly):
            if part.key not in apart and not self.is_not_zero(part):
                found = self.times(found, self.power(part, times))
        return found

    def reduced_by(self, poly: Poly, equations: list[tuple[Monomial, Poly]]) -> Poly:
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

    def cancelled(self, poly: Poly) -> Poly:
        """The polynomial without the denominators that divide it."""
        inverses = sorted({a for a in poly.atoms() if isinstance(a, Inverse)}, key=lambda each: each.key)
        if not inverses or len(poly.terms) < 2:
            return poly
        times = {a: max(int(dict(powers).get(a, 0)) for powers in poly.terms) for a in inverses}
        top = poly
        for inverse in inverses:
            top = self._cleared(top, inverse)
        if any(isinstance(atom, Inverse) for atom in top.atoms()) or not top.terms:
            return poly if top.terms else top
        outer, inner = self.content(top)
        found = outer
        for part, often in factors(inner, self.is_nonnegative_poly):
            for inverse in inverses:
                if len(part.terms) > 1 and self.bare(part) == self.bare(inverse.base):
                    shared = min(often, times[inverse])
                    scale = part.terms[next(iter(part.terms))] / inverse.base.terms[next(iter(part.terms))]
                    found = scaled(found, scale**shared)
                    often, times[inverse] = often - shared, times[inverse] - shared
            found = self.times(found, self.power(part, often))
        left = (of_atom(inverse, power) for inverse, power in times.items() if power)
        return self.product(found, *left)

    def _cleared(self, poly: Poly, inverse: Inverse) -> Poly:
        most = max(int(dict(powers).get(inverse, 0)) for powers in poly.terms)
        found = []
        for powers, factor in poly.terms.items():
            rest = Poly({tuple(item for item in powers if item[0] != inverse): factor})
            missing = most - int(dict(powers).get(inverse, 0))
            found.append(self.times(rest, self.power(inverse.base, missing)))
        return total(found)


def _size_and_text(powers: Monomial) -> tuple[Exponent, bool, str]:
    """Sums are solved for before numbers are."""
    has_sums = any(isinstance(atom, Net) for atom, _ in powers)
    return sum(power for _, power in powers), has_sums, write_monomial(powers, plain)


def _divides(lead: Monomial, found: Monomial) -> bool:
    powers = dict(found)
    return all(powers.get(atom, 0) >= power for atom, power in lead)
