"""Sums over an index: what settles it, what does not depend on it, and what it connects."""

from dataclasses import dataclass, field

from flint import fmpq

from verifier.expr.dims import Dim
from verifier.kernel.core.terms import TOTAL, Term
from verifier.kernel.normal.assumed import EntryLaw, SumLaw, assumed_entry, assumed_sum
from verifier.kernel.normal.atoms import (
    NOTHING,
    UNIT,
    Atom,
    Entry,
    Exponent,
    Function,
    Inverse,
    Moment,
    Monomial,
    Net,
    Poly,
    Root,
    Same,
    Value,
    monomial,
    of_atom,
    scaled,
    total,
)
from verifier.kernel.normal.canonical import canonical_order
from verifier.kernel.normal.closed_sums import binomial_sum, sum_of_powers
from verifier.kernel.normal.ranged import Ranged
from verifier.kernel.normal.renaming import Ranges, raw_text, renamed
from verifier.kernel.rejected import Rejected

MOST_OPENED, SHORT = 8, 6
ONE = fmpq(1)


@dataclass
class Sums(Ranged):
    """Arithmetic with sums."""

    texts: dict[str, Net] = field(default_factory=dict)
    laws: list[SumLaw] = field(default_factory=list)  # sums that assumptions give a value
    entered: list[SumLaw] = field(default_factory=list)  # those whose values are being entered
    entries: list[EntryLaw] = field(default_factory=list)  # entries that assumptions give a value
    entering: list[EntryLaw] = field(default_factory=list)
    distinct: set[Dim] = field(default_factory=set)  # differences of positions that assumptions make not 0

    # Sums

    def summed(self, poly: Poly, index: str, low: Dim, high: Dim) -> Poly:
        """The sum of a polynomial for index = low..high."""
        self.ranges[index] = low, high
        return total(self._summed(powers, index) for powers in _terms(poly))

    def _summed(self, term: Poly, index: str) -> Poly:
        ((powers, factor),) = term.terms.items()
        self.budget.spend(1)
        touching = [(atom, power) for atom, power in powers if index in atom.names]
        outside = Poly({monomial({a: p for a, p in powers if index not in a.names}): factor})
        if not touching:
            return self.times(outside, self.count(index))
        for atom, _ in touching:
            if isinstance(atom, Same) and (at := self._settles(atom, index)) is not None:
                rest = Poly({monomial({a: p for a, p in touching if a is not atom}): ONE})
                return self.times(outside, self.substituted(rest, index, at))
        if (known := self._known_sum(touching, index)) is not None:
            return self.times(outside, known)
        opened = self._opened(touching, index)
        if opened is None:
            return self.times(outside, self.net({index: self.ranges[index]}, tuple(touching)))
        bound, inner = opened
        return self.times(outside, self.close({**bound, index: self.ranges[index]}, inner))

    def close(self, bound: Ranges, inner: Poly) -> Poly:
        """The sum over several indices, all sums inside of which are open."""
        return total(self._closed(bound, term) for term in _terms(inner))

    def _closed(self, bound: Ranges, term: Poly) -> Poly:
        """Settle what deltas settle, count what nothing depends on, and name the rest."""
        for index in bound:
            ((powers, factor),) = term.terms.items()
            for atom, _ in powers:
                if isinstance(atom, Same) and (at := self._settles(atom, index)) is not None:
                    others = {name: limits for name, limits in bound.items() if name != index}
                    rest = Poly({monomial({a: p for a, p in powers if a is not atom}): factor})
                    return self.close(others, self.substituted(rest, index, at))
        ((powers, factor),) = term.terms.items()
        for index in bound:
            touching = [(atom, power) for atom, power in powers if index in atom.names]
            known = self.count(index) if not touching else self._known_sum(touching, index)
            if known is not None:
                others = {name: limits for name, limits in bound.items() if name != index}
                left = Poly({monomial({a: p for a, p in powers if index not in a.names}): factor})
                return self.close(others, self.times(left, known))
        return self._components(bound, powers, factor)

    def _components(self, bound: Ranges, powers: Monomial, factor: fmpq) -> Poly:
        """The product of the sums over what hangs together."""
        found = Poly({monomial({a: p for a, p in powers if not bound.keys() & a.names}): factor})
        left = [(atom, power) for atom, power in powers if bound.keys() & atom.names]
        while left:
            reach, part = set(left[0][0].names & bound.keys()), [left.pop(0)]
            grown = True
            while grown:
                grown = False
                for item in list(left):
                    if reach & item[0].names:
                        left.remove(item)
                        part.append(item)
                        reach |= item[0].names & bound.keys()
                        grown = True
            # A limit may name another index, which then has to stay outside.
            found = self.times(found, self.net({name: bound[name] for name in reach}, tuple(part)))
        return found

    def net(self, bound: Ranges, factors: Monomial) -> Poly:
        limits = frozenset[str]().union(*(low.names | high.names for low, high in bound.values()))
        if limits & bound.keys():
            raise Rejected("outside", "sums whose limits depend on each other")
        raw = raw_text(bound, factors)
        if raw not in self.texts:
            self.budget.spend(len(factors) * len(bound))
            order = canonical_order(bound, factors)
            depth = Net((), factors).depth
            names = {name: f"${depth}:{at}" for at, name in enumerate(order)}
            ranges = tuple((names[name], *bound[name]) for name in order)
            self.texts[raw] = Net(ranges, monomial(dict(renamed(factors, names))))
        return of_atom(self.texts[raw])

    # What is known of a sum

    def _settles(self, same: Same, index: str) -> Dim | None:
        """The position that an index must have, if it is one of those that it takes."""
        for own, other in ((same.left, same.right), (same.right, same.left)):
            if own == Dim.of(index) and index not in other.names and self.is_among(other, index):
                return other
        return None

    def _known_sum(self, touching: list[tuple[Atom, Exponent]], index: str) -> Poly | None:
        """Rows of a stochastic matrix sum to 1; rows and columns of an orthogonal one are orthonormal."""
        if (assumed := assumed_sum(self, touching, index)) is not None:
            return assumed
        match touching:
            case [(Entry(name, ()), int(power))] if name == index and 0 < power <= MOST_OPENED:
                return sum_of_powers(self, index, power)
        if (found := binomial_sum(self, touching, index)) is not None:
            return found
        entries = [(atom, power) for atom, power in touching if isinstance(atom, Entry)]
        if len(entries) != len(touching) or sum(power for _, power in touching) > 2:
            return None
        families = {self.family(atom) for atom, _ in entries}
        match entries:
            case [(Entry(_, at), 1)] if families == {"stochastic"} and at[-1] == Dim.of(index):
                whole = len(at) == 2 and index not in at[0].names
                return UNIT if whole and self.is_whole_axis(entries[0][0], 1, index) else None
            case [(Entry(_, (at,)), 1)] if families == {"simplex"} and at == Dim.of(index):
                return UNIT if self.is_whole_axis(entries[0][0], 0, index) else None
            case [(Entry(a, p), 1), (Entry(b, q), 1)] if families == {"orthogonal"} and a == b:
                return self._orthonormal(entries[0][0], p, q, index)
            case [(Entry(_, p), 2)] if families == {"orthogonal"}:
                return self._orthonormal(entries[0][0], p, p, index)
        return None

    def _orthonormal(self, atom: Entry, p: tuple[Dim, ...], q: tuple[Dim, ...], index: str) -> Poly | None:
        for axis in (0, 1):
            other = 1 - axis
            met = len(p) == len(q) == 2 and p[axis] == q[axis] == Dim.of(index)
            if met and index not in p[other].names | q[other].names and self.is_whole_axis(atom, axis, index):
                return self.same(p[other], q[other])
        return None

    def same(self, left: Dim, right: Dim) -> Poly:
        apart = left - right
        if apart.constant is not None:
            return NOTHING if apart.constant else UNIT
        if apart in self.distinct or right - left in self.distinct:
            return NOTHING
        return of_atom(Same(left, right))

    # Ends of ranges

    def is_anywhere(self, atom: Atom, power: Exponent, index: str) -> bool:
        """Whether it has a value at an index a little beyond its range, but not below 1; entries that there
        are none of may have any."""
        low = self.ranges[index][0].constant
        if atom == Entry(index):
            return power > 0 or (low is not None and low >= 1)
        if index not in atom.names or self.is_positive_atom(atom):
            return True
        match atom:
            case Root(base) | Inverse(base):
                return self._is_positive_from(base, index, low)
            case Function("log", (base,)) if power > 0:  # it may be 0
                return self._is_positive_from(base, index, low)
            case Function("power" | "factorial", (*_, count)) if isinstance(power, int):
                return self._is_count_from(count, low) and (power > 0 or atom.name == "factorial")
        total_ = isinstance(atom, Entry | Same | Net) or (isinstance(atom, Function) and atom.name in TOTAL)
        return total_ and isinstance(power, int) and power > 0

    def _is_positive_from(self, poly: Poly, index: str, low: int | None) -> bool:
        """Whether a polynomial in an index is positive from its least value on, and so beyond its range."""
        if low is None or low < 0:
            return False

        def rises(atom: Atom) -> bool:
            counts = isinstance(atom, Function) and atom.name == "factorial"
            return (
                atom == Entry(index)
                or self.is_positive_atom(atom)
                or (counts and self.is_anywhere(atom, 1, index))
            )

        rising = all(factor > 0 and all(rises(a) for a, _ in powers) for powers, factor in poly.terms.items())
        return rising and (low >= 1 or any(Entry(index) not in dict(powers) for powers in poly.terms))

    def _is_count_from(self, poly: Poly, low: int | None) -> bool:
        """Whether a polynomial is a whole number that is not negative, at no index below 0."""
        counts = (factor > 0 and factor.q == 1 and self.is_whole(m) for m, factor in poly.terms.items())
        return low is not None and low >= 0 and all(counts)

    def from_end_to_end(self, inner: Poly, index: str, low: Dim, high: Dim) -> Poly:
        """A sum to n + 1 is a sum to n and one more term, and one from 2 a sum from 1 less a term, if no sum
        is shorter than empty."""
        number, first = dict(high.terms).get((), 0), low.constant
        end = high - Dim.of(number)
        if not self.is_regular(low, high) or not end.names:
            return self.summed(inner, index, low, high)
        terms: list[Poly] = []
        if 0 < abs(number) <= SHORT and self.is_regular(low, end):
            beyond = range(1, number + 1) if number > 0 else range(number + 1, 1)
            side = fmpq(1 if number > 0 else -1)
            terms += (scaled(self.substituted(inner, index, end + Dim.of(k)), side) for k in beyond)
            high = end
        if first is not None and 1 < first <= SHORT and self.is_regular(low, high):
            terms += (scaled(self.substituted(inner, index, Dim.of(k)), -ONE) for k in range(1, first))
            low = Dim.of(1)
        return total((self.summed(inner, index, low, high), *terms))

    # Opening and substituting

    def _opened(self, touching: list[tuple[Atom, Exponent]], index: str) -> tuple[Ranges, Poly] | None:
        """The sums among the factors that an index reaches, opened; None where there is none."""
        if not any(isinstance(atom, Net) for atom, _ in touching):
            return None
        bound: Ranges = {}
        inner: Poly = UNIT
        for atom, power in touching:
            if isinstance(atom, Net) and isinstance(power, int) and 0 < power <= MOST_OPENED:
                for _ in range(power):
                    own, part = self.open(atom)
                    bound |= own
                    inner = self.times(inner, part)
            else:
                inner = self.times(inner, Poly({((atom, power),): ONE}))
        return bound, inner

    def open(self, net: Net) -> tuple[Ranges, Poly]:
        """A sum's indices under fresh names, and its summand."""
        names = {name: f"%n{next(self.fresh)}" for name, _, _ in net.bound}
        bound = {names[name]: (low, high) for name, low, high in net.bound}
        self.ranges |= bound
        return bound, Poly({monomial(dict(renamed(net.factors, names))): ONE})

    def entry(self, name: str, at: tuple[Dim, ...], symmetric: bool) -> Poly:
        """An entry of a symbol, or what an assumption says that it is."""
        found = Entry(name, at, symmetric)
        assumed = assumed_entry(self, found) if self.entries else None
        return of_atom(found) if assumed is None else assumed

    def normal(self, term: Term) -> Poly:
        """The normal form of a term."""
        raise NotImplementedError

    def term_of(self, poly: Poly) -> Term:
        """A normal form as a term again."""
        raise NotImplementedError

    def substituted(self, poly: Poly, index: str, position: Dim) -> Poly:
        """The polynomial with a position in the place of an index."""
        if index not in poly.names:
            return poly
        found = []
        for powers, factor in poly.terms.items():
            kept = Poly({monomial({a: p for a, p in powers if index not in a.names}): factor})
            for atom, power in powers:
                if index in atom.names:
                    kept = self.times(kept, self._replaced(atom, power, index, position))
            found.append(kept)
        return total(found)

    def _replaced(self, atom: Atom, power: Exponent, index: str, position: Dim) -> Poly:
        put = {index: position}
        match atom:
            case Entry(name, (), _):
                assert name == index
                return self._to(self.of_dim(position), power)
            case Entry(name, at, symmetric):
                return self._to(self.entry(name, tuple(p.replace(put) for p in at), symmetric), power)
            case Same(left, right):
                return self.same(left.replace(put), right.replace(put))
            case Value(function, arg, at, inside):
                moved = None if at is None else tuple(p.replace(put) for p in at)
                return of_atom(Value(function, arg, moved, inside), power)
            case Function("exp", (arg,)):
                return self._to(self.function("exp", (self.substituted(arg, index, position),)), power)
            case Function("power", (base, exponent)):
                new = self.symbolic_power(
                    self.substituted(base, index, position), self.substituted(exponent, index, position)
                )
                return self._to(new, power)
            case Function(name, args):
                new = self.function(name, tuple(self.substituted(arg, index, position) for arg in args))
                return self._to(new, power)
            case Inverse(base):
                return self._to(self.inverse(self.substituted(base, index, position)), power)
            case Root(base):
                return self._to(self.substituted(base, index, position), power)
            case Moment(draws, body):
                return self._to(self.moment(self.substituted(body, index, position), draws), power)
            case Net():
                bound, inner = self.open(atom)
                return self._to(self.close(bound, self.substituted(inner, index, position)), power)
        raise TypeError(atom)

    def _to(self, base: Poly, power: Exponent) -> Poly:
        return self.power(base, power) if isinstance(power, int) else self.root(base, power)


def _terms(poly: Poly) -> list[Poly]:
    return [Poly({powers: factor}) for powers, factor in poly.terms.items()]
