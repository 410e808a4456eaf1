"""Means, contracted by the law: the mean of a product is a sum over partitions of its factors into blocks, of
products of cumulants. For a normal law the blocks are single entries and pairs (Wick, Isserlis).

Functions of draws are integrated where `drawn` knows how. Every law here whose cumulants are all known has
all moments; of a law with only some moments known nothing beyond these is used: a mean that needs more stays
whole, as one number.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from flint import fmpq

from verifier.expr.nodes import Fact, Independent, Let, Node, Relation
from verifier.expr.symbols import Bernoulli, Normal, Rademacher, Uniform
from verifier.expr.walk import children
from verifier.kernel.core.draws import draws as drawn
from verifier.kernel.core.states import is_state
from verifier.kernel.core.terms import Term
from verifier.kernel.normal.atoms import (
    UNIT,
    Atom,
    Entry,
    Exponent,
    Monomial,
    Net,
    Poly,
    monomial,
    total,
)
from verifier.kernel.normal.drawn import integral
from verifier.kernel.normal.laws import At, Law
from verifier.kernel.normal.renaming import Ranges
from verifier.kernel.normal.sums import Sums
from verifier.kernel.rejected import Rejected

MOST_FACTORS = 12
POWERS = [(a, b) for a in range(3) for b in range(3) if a + b]  # of what is assumed independent


@dataclass
class Means(Sums):
    """Arithmetic with means."""

    def of_node(self, node: Node, row: At = (), col: At = ()) -> Poly:
        """The normal form of a parameter of a law."""
        raise NotImplementedError

    def term_of(self, poly: Poly) -> Term:
        """A normal form as a term again."""
        raise NotImplementedError

    def at_number(self, poly: Poly, entry: Entry, value: int) -> Poly:
        """The normal form where an entry has this value."""
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
        return self.by_law(poly, draws)

    def conditioned(self) -> frozenset[str]:
        """Draws of whose values, and not only of whose means, an assumption speaks."""
        facts = [fact for fact in self.context.assumptions if not isinstance(fact, Independent)]
        parts = [part for fact in facts if not _is_held(fact) for part in children(fact)]
        return frozenset[str]().union(*(drawn(self.context, part) for part in parts))

    def by_law(self, poly: Poly, draws: frozenset[str]) -> Poly:
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
        kind = self.context.symbols[name].kind
        return not isinstance(kind, Normal | Rademacher | Bernoulli | Uniform), name

    def _mean(self, powers: Monomial, factor: fmpq, name: str, law: Law) -> Poly:
        inside = [(atom, power) for atom, power in powers if name in atom.names]
        outside = Poly({monomial({a: p for a, p in powers if name not in a.names}): factor})
        if not inside:
            return outside
        bound: Ranges = {}
        entries: list[At] = []
        others = UNIT
        functions: list[tuple[Atom, Exponent]] = []
        for atom, power in self._opened_all(inside, name, bound):
            if isinstance(atom, Entry) and atom.name == name:
                entries += [atom.at] * _whole(power)
            elif name in atom.names:
                functions.append((atom, power))
            else:
                others = self.times(others, Poly({((atom, power),): fmpq(1)}))
        if len(entries) > MOST_FACTORS:
            raise Rejected("too-large", f"a product of more than {MOST_FACTORS} entries of one symbol")
        contracted = integral(self, name, law, entries, functions)
        return self.times(outside, self.close(bound, self.times(others, contracted)))

    def _opened_all(
        self, inside: list[tuple[Atom, Exponent]], name: str, bound: Ranges
    ) -> Iterator[tuple[Atom, Exponent]]:
        """The factors, sums that the draw stands in opened."""
        for atom, power in inside:
            if not isinstance(atom, Net):
                yield atom, power
                continue
            for _ in range(_whole(power)):
                own, part = self.open(atom)
                bound |= own
                ((factors, _),) = part.terms.items()
                yield from factors


def _is_held(fact: Fact) -> bool:
    """An assumed value of a name, which enters in its place."""
    return isinstance(fact, Relation) and fact.op == "==" and isinstance(fact.left, Let)


def _whole(power: Exponent) -> int:
    if not isinstance(power, int) or power < 0:
        raise Rejected("outside", "the mean of a quotient or a root")
    return power
