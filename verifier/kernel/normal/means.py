"""Means, contracted by the law: the mean of a product is a sum over partitions of its factors into blocks, of
products of cumulants. For a normal law the blocks are single entries and pairs (Wick, Isserlis).

Only polynomials in the draws are contracted. Every law here whose cumulants are all known has all moments, so
that each such mean exists; of a law with only some moments known nothing beyond these is used: a mean that
needs more stays whole, as one number.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import comb

from flint import fmpq

from verifier.expr.dims import ONE, Dim
from verifier.expr.nodes import Fact, Independent, Let, Node, Relation
from verifier.expr.symbols import AnyLaw, Bernoulli, Declared, Iid, Normal, Rademacher, Uniform
from verifier.expr.walk import children
from verifier.kernel.core.draws import draws as drawn
from verifier.kernel.normal.atoms import (
    NOTHING,
    UNIT,
    Atom,
    Entry,
    Exponent,
    Monomial,
    Net,
    Poly,
    constant,
    monomial,
    scaled,
    total,
)
from verifier.kernel.normal.functions import step_at
from verifier.kernel.normal.renaming import Ranges
from verifier.kernel.normal.sums import Sums
from verifier.kernel.rejected import Rejected

At = tuple[Dim, ...]
Block = Callable[[tuple[At, ...]], Poly]  # the joint cumulant of the entries at these positions
MOST_FACTORS = 12
POWERS = [(a, b) for a in range(3) for b in range(3) if a + b]  # of what is assumed independent


@dataclass
class Means(Sums):
    """Arithmetic with means."""

    def of_node(self, node: Node, row: At = (), col: At = ()) -> Poly:
        """The normal form of a parameter of a law."""
        raise NotImplementedError

    def mean(self, poly: Poly, draws: frozenset[str]) -> Poly:
        """The mean over independent draws, one symbol after the other. An assumption about the values of a
        draw makes its law another than the declared one."""
        if draws & poly.names & self._conditioned():
            raise Rejected("condition", "an assumption about what a mean integrates")
        for f, g in self.context.tied():
            both = draws & (self.context.reach(f) | self.context.reach(g))
            if both & poly.names:
                return self._factorised(self._by_law(poly, draws - both), both, f, g)
        return self._by_law(poly, draws)

    def _conditioned(self) -> frozenset[str]:
        """Draws of whose values, and not only of whose means, an assumption speaks."""
        facts = [fact for fact in self.context.assumptions if not isinstance(fact, Independent)]
        parts = [part for fact in facts if not _is_held(fact) for part in children(fact)]
        return frozenset[str]().union(*(drawn(self.context, part) for part in parts))

    def _by_law(self, poly: Poly, draws: frozenset[str]) -> Poly:
        for name in sorted(draws & poly.names, key=self._is_unknown):
            law = Law(self, self.context.symbols[name])
            try:
                poly = total(self._mean(powers, factor, name, law) for powers, factor in poly.terms.items())
            except Rejected as rejected:
                if rejected.reason != "no-mean":
                    raise
                return self.moment(poly, draws & poly.names)
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
                return self.product(factor, *(self._by_law(part, draws) for part in parts))
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

    def _mean(self, powers: Monomial, factor: fmpq, name: str, law: "Law") -> Poly:
        inside = [(atom, power) for atom, power in powers if name in atom.names]
        outside = Poly({monomial({a: p for a, p in powers if name not in a.names}): factor})
        if not inside:
            return outside
        bound: Ranges = {}
        entries: list[At] = []
        steps: list[At] = []
        others = UNIT
        for atom, power in self._opened_all(inside, name, bound):
            if isinstance(atom, Entry) and atom.name == name:
                entries += [atom.at] * _whole(power)
            elif (at := step_at(atom, name)) is not None:
                steps.append(at)
            elif name in atom.names:
                raise Rejected("outside", f"the mean of a function of {name} that is no polynomial")
            else:
                others = self.times(others, Poly({((atom, power),): fmpq(1)}))
        if len(entries) > MOST_FACTORS:
            raise Rejected("too-large", f"a product of more than {MOST_FACTORS} entries of one symbol")
        contracted = law.half(entries, steps) if steps else total(law.partitions(entries))
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


class Law:
    """The joint cumulants of a random symbol's entries."""

    def __init__(self, algebra: Means, declared: Declared) -> None:
        self.algebra, self.declared = algebra, declared
        self.known: dict[int, Poly] = {}

    def partitions(self, entries: list[At]) -> Iterator[Poly]:
        """All products of cumulants over the partitions of the entries."""
        if not entries:
            yield UNIT
            return
        kind = self.declared.kind
        if isinstance(kind, AnyLaw):
            if len(entries) > 1:
                raise Rejected("no-mean", f"a moment of {self.declared.name} that is not stated")
            yield self._mean_of(kind.mean, entries[0])
            return
        first, rest = entries[0], entries[1:]
        for chosen, left in _subsets(rest, self._largest_block(len(entries))):
            block = self.cumulant((first, *chosen))
            if block.terms:
                for other in self.partitions(left):
                    yield self.algebra.times(block, other)

    def half(self, entries: list[At], steps: list[At]) -> Poly:
        """E(g**k*step(g)) of one centred normal entry: half of the moment for even k, and s**k*(k - 1)!!
        divided by sqrt(2*pi) for odd k."""
        kind, algebra = self.declared.kind, self.algebra
        if not isinstance(kind, Normal) or kind.cov is not None or len({*entries, *steps}) != 1:
            raise Rejected("outside", "the mean of steps of several entries, or under another law")
        if self._mean_of(kind.mean, steps[0]).terms:
            raise Rejected("outside", "the mean of a step of what is not centred")
        order, deviation = len(entries), algebra.of_node(kind.std)
        if not algebra.is_positive(deviation):
            raise Rejected("outside", "the mean of a step of what may not be random")
        product = 1
        for factor in range(order - 1, 0, -2):
            product *= factor
        root = algebra.root(scaled(algebra.function("pi", ()), fmpq(2)), Fraction(-1, 2))
        share = root if order % 2 else constant(Fraction(1, 2))
        return algebra.product(constant(product), algebra.power(deviation, order), share)

    def _largest_block(self, size: int) -> int:
        return min(size, 2) if isinstance(self.declared.kind, Normal) else size

    def cumulant(self, block: tuple[At, ...]) -> Poly:
        """0 unless all entries of the block are one and the same; entries of a row or of a vector with a
        covariance matrix are joint."""
        kind, size = self.declared.kind, len(block)
        if isinstance(kind, Normal):
            return self._normal(kind, block)
        together = UNIT
        for at, other in pairwise(block):
            for p, q in zip(at, other, strict=True):
                together = self.algebra.times(together, self.algebra.same(p, q))
        if not together.terms:
            return NOTHING
        if isinstance(kind, Iid) and size == 1:
            return self._mean_of(kind.mean, block[0])
        return self.algebra.times(together, self._of_order(size))

    def _normal(self, kind: Normal, block: tuple[At, ...]) -> Poly:
        if len(block) == 1:
            return self._mean_of(kind.mean, block[0])
        (p, q) = block
        same, algebra = self.algebra.same, self.algebra
        if kind.cov is not None:
            ahead = len(p) - 1
            copies = algebra.product(*(same(a, b) for a, b in zip(p[:ahead], q[:ahead], strict=True)))
            return algebra.times(copies, algebra.of_node(kind.cov, p[ahead:], q[ahead:]))
        variance = algebra.power(algebra.of_node(kind.std), 2)
        together = UNIT
        row = self._row_position() if kind.row_corr is not None else None
        for at, (a, b) in enumerate(zip(p, q, strict=True)):
            part = same(a, b)
            if at == row and kind.row_corr is not None:
                shared = algebra.of_node(kind.row_corr)
                apart = algebra.times(shared, total((UNIT, scaled(part, fmpq(-1)))))
                part = total((part, apart))
            together = algebra.times(together, part)
        return algebra.times(together, variance)

    def _row_position(self) -> int | None:
        """Where the row stands among the positions of an entry."""
        if self.declared.shape.rows == ONE:
            return None
        return 0 if self.declared.copies is None else 1

    def _mean_of(self, mean: Node | None, at: At) -> Poly:
        if mean is None:
            raise Rejected("no-mean", f"the mean of {self.declared.name} is not stated")
        if mean.shape.is_scalar:
            return self.algebra.of_node(mean)
        own = at[1:] if self.declared.copies is not None else at
        down = 0 if self.declared.shape.rows == ONE else 1
        return self.algebra.of_node(mean, own[:down], own[down:])

    def _of_order(self, order: int) -> Poly:
        """The cumulant of an entry of this order, from its moments."""
        if order not in self.known:
            found = self._moment(order)
            for k in range(1, order):
                part = self.algebra.times(self._of_order(k), self._moment(order - k))
                found = total((found, scaled(part, fmpq(-comb(order - 1, k - 1)))))
            self.known[order] = found
        return self.known[order]

    def _moment(self, order: int) -> Poly:
        algebra = self.algebra
        match self.declared.kind:
            case Rademacher():
                return NOTHING if order % 2 else UNIT
            case Bernoulli(chance):
                return algebra.of_node(chance)
            case Uniform(low, high):
                a, b = algebra.of_node(low), algebra.of_node(high)
                parts = (
                    algebra.times(algebra.power(a, k), algebra.power(b, order - k)) for k in range(order + 1)
                )
                return scaled(total(parts), fmpq(1, order + 1))
            case Iid(mean, var) if order <= 2:
                if mean is None or (order == 2 and var is None):
                    raise Rejected("no-mean", f"a moment of {self.declared.name} that is not stated")
                first = algebra.of_node(mean)
                if order == 1:
                    return first
                assert var is not None
                return total((algebra.of_node(var), algebra.power(first, 2)))
        raise Rejected("no-mean", f"a moment of {self.declared.name} that is not stated")


def _subsets(entries: list[At], size: int) -> Iterator[tuple[tuple[At, ...], list[At]]]:
    """The ways to choose fewer than `size` entries, with those that are left."""

    def choose(at: int, chosen: tuple[At, ...], left: list[At]) -> Iterator[tuple[tuple[At, ...], list[At]]]:
        if at == len(entries):
            yield chosen, left
            return
        yield from choose(at + 1, chosen, [*left, entries[at]])
        if len(chosen) + 1 < size:
            yield from choose(at + 1, (*chosen, entries[at]), left)

    return choose(0, (), [])
