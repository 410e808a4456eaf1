"""Means, contracted by the law: the mean of a product is a sum over partitions of its factors into blocks, of
products of cumulants. For a normal law the blocks are single entries and pairs (Wick, Isserlis).

Functions of draws are integrated where `drawn` knows how. Every law here whose cumulants are all known has
all moments; of a law with only some moments known nothing beyond these is used: a mean that needs more stays
whole, as one number.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction

from flint import fmpq

from verifier.expr.nodes import Fact, Independent, Let, Node, Relation
from verifier.expr.symbols import Bernoulli, Normal, Rademacher, Uniform
from verifier.expr.walk import children
from verifier.kernel.core.draws import draws as drawn
from verifier.kernel.core.states import is_state
from verifier.kernel.core.terms import Term, Var, rebuilt, walk
from verifier.kernel.normal.atoms import (
    UNIT,
    Atom,
    Entry,
    Exponent,
    Moment,
    Monomial,
    Net,
    Poly,
    monomial,
    of_atom,
    scaled,
    total,
)
from verifier.kernel.normal.centred import mean_told
from verifier.kernel.normal.directions import over_directions
from verifier.kernel.normal.drawn import Factors, integral
from verifier.kernel.normal.exchange import exchanged
from verifier.kernel.normal.laws import At, Law
from verifier.kernel.normal.orthants import has_steps, over_steps
from verifier.kernel.normal.renaming import Ranges
from verifier.kernel.normal.slopes import by_slopes
from verifier.kernel.normal.sums import Sums
from verifier.kernel.normal.waves import over_waves
from verifier.kernel.rejected import Rejected

MOST_FACTORS = 12
POWERS = [(a, b) for a in range(3) for b in range(3) if a + b]  # of what is assumed independent


@dataclass
class Means(Sums):
    """Arithmetic with means. `stays`: a mean that nobody integrates is a number of its own. `edges`: what
    variances are made of that may be 0 and that a closed form is divided by."""

    stays: bool = False
    edges: set[Atom] = field(default_factory=set)

    def of_node(self, node: Node, row: At = (), col: At = ()) -> Poly:
        """The normal form of a parameter of a law."""
        raise NotImplementedError

    def at_number(self, poly: Poly, entry: Entry, value: int | Fraction) -> Poly:
        """The normal form where an entry has this value."""
        raise NotImplementedError

    def cancelled(self, poly: Poly) -> Poly:
        """The polynomial without the denominators that divide it."""
        raise NotImplementedError

    def is_known_positive(self, poly: Poly) -> bool:
        """By declarations and assumptions."""
        raise NotImplementedError

    def solved(self, poly: Poly) -> Poly:
        """The polynomial with what assumed equations replace."""
        raise NotImplementedError

    def over_layers(self, poly: Poly) -> Poly:
        """The mean over what layers make of their input."""
        raise NotImplementedError

    def mean(self, poly: Poly, draws: frozenset[str]) -> Poly:
        """The mean over independent draws, one symbol after the other. An assumption about the values of a
        draw makes its law another than the declared one."""
        if any(is_state(self.context, name) for name in draws & poly.names):
            poly = self.over_layers(poly)
        if draws & poly.names & self.conditioned():
            raise Rejected("condition", "an assumption about what a mean integrates")
        for f, g in self.context.tied():
            both = draws & (self.context.reach(f) | self.context.reach(g))
            if both & poly.names:
                return self._factorised(self.by_law(poly, draws - both), both, f, g)
        if self._has_copies(poly, draws):
            with suppress(Rejected):
                apart = self.normal(self.told_apart(self.term_of(poly)))
                own = frozenset(name for name in apart.names if name.partition("#")[0] in draws)
                return self.by_law(apart, draws | own)
        return self.by_law(poly, draws)

    def _has_copies(self, poly: Poly, draws: frozenset[str]) -> bool:
        """Whether several copies of a draw stand in a product with steps, all of them numbers."""
        if not any(has_steps(atom, draws) for atom in poly.atoms()):
            return False
        found: dict[str, set[int | None]] = {}
        for part in walk(self.term_of(poly)):
            if isinstance(part, Var) and part.name in draws and self.context.symbols[part.name].copies:
                found.setdefault(part.name, set()).add(part.at[0].constant)
        numbers = found.values()
        return any(len(each) > 1 for each in numbers) and not any(None in each for each in numbers)

    def told_apart(self, term: Term) -> Term:
        """The same with symbols of their own for copies that are numbers: they are independent."""
        match term:
            case Var(name, (first, *place)) if (number := first.constant) is not None:
                single = self.context.symbols.get(name)
                if single is not None and single.copies is not None and self.has_all_moments(name):
                    own = f"{name}#{number}"
                    symbols = {**self.context.symbols, own: replace(single, name=own, copies=None)}
                    self.context = replace(self.context, symbols=symbols)
                    return Var(own, tuple(place))
                return term
        return rebuilt(term, self.told_apart)

    def contracted(self, poly: Poly, draws: frozenset[str]) -> Poly:
        """The mean of what is integrable. What nobody integrates stays a mean, if the laws have all moments:
        then the mean of a sum is that of its terms, and draws may be integrated one by one (Fubini)."""
        try:
            return self.mean(poly, draws)
        except Rejected as rejected:
            if rejected.reason != "outside" or not self._may_stay(poly, draws):
                raise
        if not all(self.has_all_moments(name) for name in draws & poly.names):
            return self.moment(poly, draws & poly.names)
        before, self.stays = self.stays, True
        try:
            return self.by_law(poly, draws)
        finally:
            self.stays = before

    def integrated(self, name: str, law: Law, entries: list[At], functions: Factors) -> Poly:
        """The mean over one symbol of a product of its entries and of functions of them."""
        try:
            return integral(self, name, law, entries, functions)
        except Rejected as rejected:
            if rejected.reason != "outside" or not self.stays:
                raise
        if (moved := by_slopes(self, name, law, entries, functions)) is not None:
            return moved
        found = Poly({monomial(dict(functions)): fmpq(1)})
        for at in entries:
            found = self.times(found, of_atom(Entry(name, at)))
        return self.moment(found, frozenset({name}))

    def uncontracted(self, poly: Poly, draws: frozenset[str]) -> Poly:
        """The mean of what is integrable, as it is."""
        if not self._may_stay(poly, draws):
            raise Rejected("condition", "a mean under another law than the declared one")
        names = draws & poly.names
        if not all(map(self.has_all_moments, names)):
            return self.moment(poly, names)
        return total(self.moment(Poly({powers: factor}), names) for powers, factor in poly.terms.items())

    def _may_stay(self, poly: Poly, draws: frozenset[str]) -> bool:
        """Whether the draws have their declared laws, and are independent."""
        names = draws & poly.names
        bound = (self.context.reach(part) for pair in self.context.tied() for part in pair)
        other = self.conditioned().union(*bound)
        return not names & other and not any(is_state(self.context, name) for name in names)

    def moment(self, poly: Poly, draws: frozenset[str]) -> Poly:
        """As it is, with a mean in it as one; what looks at one of many places that are alike is written by
        the first of them."""
        if len(poly.terms) == 1:
            ((powers, factor),) = poly.terms.items()
            free = tuple(item for item in powers if not draws & item[0].names)
            if free:
                rest = Poly({tuple(item for item in powers if item not in free): fmpq(1)})
                return self.times(Poly({free: factor}), self.moment(rest, draws))
            inner = [atom for atom, power in powers if isinstance(atom, Moment) and power == 1]
            if len(inner) == 1 and draws & inner[0].names and not draws & inner[0].draws:
                rest = Poly({tuple(item for item in powers if item[0] is not inner[0]): factor})
                if not inner[0].draws & rest.names:
                    return self.moment(self.times(rest, inner[0].body), draws | inner[0].draws)
        found = exchanged(self, poly, draws)
        return super().moment(found, draws) if draws & found.names else found

    def conditioned(self) -> frozenset[str]:
        """Draws of whose values, and not only of whose means, an assumption speaks."""
        facts = [fact for fact in self.context.assumptions if not isinstance(fact, Independent)]
        facts = [fact for fact in facts if not self._is_of_law(fact)]
        parts = [part for fact in facts if not _is_held(fact) for part in children(fact)]
        return frozenset[str]().union(*(drawn(self.context, part) for part in parts))

    def _is_of_law(self, fact: Fact) -> bool:
        """Whether an assumption about a conditional mean says nothing of the values of draws, but something
        of their law, or of what is fixed: E(A, given=B) is a number."""
        told = mean_told(fact)
        return told is not None and not drawn(self.context, told[2])

    def by_law(self, poly: Poly, draws: frozenset[str]) -> Poly:
        poly = total(self._over_steps(powers, factor, draws) for powers, factor in poly.terms.items())
        waiting = sorted(draws & poly.names, key=self._is_unknown)
        while waiting:
            for name in waiting:
                law = Law(self, self.context.symbols[name])
                try:
                    poly = total(
                        self._mean(powers, factor, name, law) for powers, factor in poly.terms.items()
                    )
                except Rejected as rejected:
                    if rejected.reason == "no-mean":
                        return self.moment(poly, draws & poly.names)
                    if rejected.reason != "outside" or name == waiting[-1]:
                        raise
                    continue
                waiting.remove(name)  # another order may do where this symbol cannot be the first
                break
        if draws & poly.names:
            raise Rejected("outside", "a law whose parameters are random")
        return poly

    def _over_steps(self, powers: Monomial, factor: fmpq, draws: frozenset[str]) -> Poly:
        before, self.stays = self.stays, False
        try:
            found = over_steps(self, powers, draws)
            found = over_waves(self, powers, draws) if found is None else found
            found = over_directions(self, powers, draws) if found is None else found
        except Rejected as rejected:
            if rejected.reason not in ("outside", "no-mean"):
                raise
            found = None
        finally:
            self.stays = before
        return Poly({powers: factor}) if found is None else scaled(found, factor)

    def _factorised(self, poly: Poly, draws: frozenset[str], f: Node, g: Node) -> Poly:
        """E(c*f**a*g**b) = c*E(f**a)*E(g**b), as assumed; of anything else nobody knows what it would be."""
        if not f.shape.is_scalar or not g.shape.is_scalar:
            raise Rejected("condition", "a mean under assumed independence of matrices")
        first, second = self.of_node(f), self.of_node(g)
        for a, b in POWERS:
            parts = self.power(first, a), self.power(second, b)
            if (factor := self._multiple(poly, self.times(*parts), draws)) is not None:
                return self.product(factor, *(self.by_law(part, draws) for part in parts))
        raise Rejected("condition", "a mean of something else than powers of what is assumed independent")

    def _multiple(self, poly: Poly, other: Poly, draws: frozenset[str]) -> Poly | None:
        """The factor, free of the draws, by which one polynomial is a multiple of another."""
        (outer, inner), (base, core) = self.content(poly), self.content(other)
        ratio = self.times(outer, self.inverse(base))
        return ratio if inner == core and not draws & ratio.names else None

    def _is_unknown(self, name: str) -> tuple[bool, str]:
        """Laws of which all is known come first."""
        return not self.has_all_moments(name), name

    def has_all_moments(self, name: str) -> bool:
        return isinstance(self.context.symbols[name].kind, Normal | Rademacher | Bernoulli | Uniform)

    def _mean(self, powers: Monomial, factor: fmpq, name: str, law: Law) -> Poly:
        inside = [(atom, power) for atom, power in powers if name in atom.names]
        outside = Poly({monomial({a: p for a, p in powers if name not in a.names}): factor})
        if not inside:
            return outside
        bound: Ranges = {}
        entries: list[At] = []
        others = UNIT
        functions: list[tuple[Atom, Exponent]] = []
        for atom, power in self.opened_all(inside, name, bound):
            if isinstance(atom, Entry) and atom.name == name and isinstance(power, int) and power > 0:
                entries += [atom.at] * power
            elif name in atom.names:
                functions.append((atom, power))
            else:
                others = self.times(others, Poly({((atom, power),): fmpq(1)}))
        if len(entries) > MOST_FACTORS:
            raise Rejected("too-large", f"a product of more than {MOST_FACTORS} entries of one symbol")
        contracted = self.integrated(name, law, entries, functions)
        return self.times(outside, self.close(bound, self.times(others, contracted)))

    def opened_all(
        self, inside: list[tuple[Atom, Exponent]], name: str, bound: Ranges
    ) -> Iterator[tuple[Atom, Exponent]]:
        """The factors, sums that the draw stands in opened, but for those in a quotient or a root."""
        for atom, power in inside:
            if not isinstance(atom, Net) or not isinstance(power, int) or power < 0:
                yield atom, power
                continue
            for _ in range(power):
                own, part = self.open(atom)
                bound |= own
                ((factors, _),) = part.terms.items()
                yield from factors


def _is_held(fact: Fact) -> bool:
    """An assumed value of a name, which enters in its place."""
    return isinstance(fact, Relation) and fact.op == "==" and isinstance(fact.left, Let)
