"""Laws of random symbols at a point: their moments, where they exist, and their supports."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Protocol

from verifier.expr.nodes import Node
from verifier.expr.symbols import AnyLaw, Bernoulli, Declared, Iid, Normal, Rademacher, Uniform
from verifier.kernel.budget import Budget
from verifier.kernel.points import values as v
from verifier.kernel.points.alike import is_psd
from verifier.kernel.points.tables import Place, places
from verifier.kernel.points.values import Value
from verifier.kernel.rejected import Rejected

MOST_OUTCOMES = 2**12
Powers = tuple[tuple[Place, int], ...]
Chosen = tuple[tuple[Value, Mapping[Place, Value]], ...]  # chances, and values of all entries


class Numbers(Protocol):
    """What a law needs of the point: numbers of declared shapes, and entries of parameters."""

    budget: Budget

    def parameter(self, node: Node, row: int, col: int) -> Value: ...
    def size(self, declared: Declared) -> tuple[int | None, int, int]: ...


@dataclass
class Law:
    """One random symbol: entries are places (copy, row, column). Where its declaration leaves the law open,
    the point may choose one with finitely many outcomes: of all entries jointly, or of each entry alike."""

    declared: Declared
    numbers: Numbers
    chosen: Chosen | None = None
    known: dict[Powers, Value] = field(default_factory=dict)

    def moment(self, powers: Powers) -> Value:
        """The mean of a product of powers of entries; distinct copies are independent."""
        copies: dict[int, list[tuple[Place, int]]] = {}
        for place, exponent in powers:
            copies.setdefault(place[0], []).append((place, exponent))
        if isinstance(self.declared.kind, AnyLaw) and self.chosen is not None:
            return self._over_outcomes(powers)
        if isinstance(self.declared.kind, AnyLaw) and sum(exponent for _, exponent in powers) > 1:
            raise Rejected("outside", f"a moment of {self.declared.name} that is not stated")
        total = v.ONE
        for items in copies.values():
            total = v.times(total, self._of_copy(tuple(items)))
        return total

    def _over_outcomes(self, powers: Powers) -> Value:
        total = v.ZERO
        for chance, values in self.chosen or ():
            part = chance
            for place, exponent in powers:
                part = v.times(part, v.power(values[place], v.rational(exponent)))
            total = v.plus(total, part)
        return total

    def _of_copy(self, powers: Powers) -> Value:
        kind = self.declared.kind
        if isinstance(kind, Normal) and (kind.cov is not None or kind.row_corr is not None):
            return self._gaussian(powers)
        total = v.ONE
        for place, exponent in powers:
            total = v.times(total, self._of_entry(place, exponent))
        return total

    def _of_entry(self, place: Place, k: int) -> Value:
        """E(x**k) of one entry."""
        if self.chosen is not None:
            return self._over_outcomes((((1, 1, 1), k),))
        match self.declared.kind:
            case Normal():
                return self._gaussian(((place, k),))
            case Rademacher():
                return v.ZERO if k % 2 else v.ONE
            case Bernoulli(chance):
                return self._at(chance, place)
            case Uniform():  # sum of low**i * high**(k - i) over k + 1
                a, b = self.ends(place)
                total = v.ZERO
                for i in range(k + 1):
                    total = v.plus(total, v.times(v.power(a, v.rational(i)), v.power(b, v.rational(k - i))))
                return v.times(total, v.inverse(v.rational(k + 1)))
            case Iid(mean, _) | AnyLaw(mean) if k == 1 and mean is not None:
                return self._at(mean, place)
            case Iid(mean, var) if k == 2 and mean is not None and var is not None:
                return v.plus(self._at(var, place), v.power(self._at(mean, place), v.TWO))
        raise Rejected("outside", f"a moment of {self.declared.name} that is not stated")

    def _gaussian(self, powers: Powers) -> Value:
        """Stein: E(x_a m) = mean_a E(m) + sum over b of cov(a, b) E(dm/dx_b)."""
        if not powers:
            return v.ONE
        if powers not in self.known:
            self.numbers.budget.spend(len(powers))
            first = powers[0][0]
            rest = _lowered(powers, first)
            total = v.times(self.mean(first), self._gaussian(rest))
            for place, exponent in rest:
                joint = self.covariance(first, place)
                if not v.is_zero(joint):
                    part = v.times(joint, self._gaussian(_lowered(rest, place)))
                    total = v.plus(total, v.times(v.rational(exponent), part))
            self.known[powers] = total
        return self.known[powers]

    def mean(self, place: Place) -> Value:
        kind = self.declared.kind
        assert isinstance(kind, Normal)
        return self._at(kind.mean, place)

    def ends(self, place: Place) -> tuple[Value, Value]:
        kind = self.declared.kind
        assert isinstance(kind, Uniform)
        return self._at(kind.low, place), self._at(kind.high, place)

    def covariance(self, first: Place, second: Place) -> Value:
        kind = self.declared.kind
        assert isinstance(kind, Normal)
        if first[0] != second[0]:
            return v.ZERO
        if kind.cov is not None:
            return self.numbers.parameter(kind.cov, first[1], second[1])
        if first[2] != second[2] or (first != second and kind.row_corr is None):
            return v.ZERO
        joint = v.times(self._at(kind.std, first), self._at(kind.std, second))
        if first == second or kind.row_corr is None:
            return joint
        return v.times(joint, self._at(kind.row_corr, first))

    def _at(self, node: Node, place: Place) -> Value:
        return self.numbers.parameter(node, place[1], place[2])

    # Discrete laws

    @property
    def is_discrete(self) -> bool:
        return self.chosen is not None or isinstance(self.declared.kind, Rademacher | Bernoulli)

    def places(self) -> list[Place]:
        return list(places(*self.numbers.size(self.declared)))

    def outcomes(self) -> Iterator[tuple[dict[Place, Value], Value]]:
        """Every value of all entries that has a chance, and its chance."""
        if self.chosen is not None and isinstance(self.declared.kind, AnyLaw):
            yield from ((dict(values), chance) for chance, values in self.chosen)
            return
        found = self.places()
        if max(2, len(self.chosen or ())) ** min(len(found), 64) > MOST_OUTCOMES:
            raise Rejected("too-large", f"more than {MOST_OUTCOMES} outcomes of {self.declared.name}")
        for choice in product(*(self._chances(place) for place in found)):
            chance = v.ONE
            for _, each in choice:
                chance = v.times(chance, each)
            if not v.is_zero(chance):
                yield {place: value for place, (value, _) in zip(found, choice, strict=True)}, chance

    def _chances(self, place: Place) -> list[tuple[Value, Value]]:
        if self.chosen is not None:
            return [(values[1, 1, 1], chance) for chance, values in self.chosen]
        match self.declared.kind:
            case Rademacher():
                return [(v.ONE, v.HALF), (-v.ONE, v.HALF)]
            case Bernoulli(chance):
                share = self._at(chance, place)
                return [(v.ONE, share), (v.ZERO, v.minus(v.ONE, share))]
        raise Rejected("outside", f"the outcomes of {self.declared.name}")

    # Existence and support

    def check_exists(self) -> None:
        """Std and variance are not negative, chances in [0, 1], covariances positive semidefinite."""
        match self.declared.kind:
            case Normal(cov=cov) if cov is not None:
                _, rows, _ = self.numbers.size(self.declared)
                span = range(1, rows + 1)
                matrix = [[self.numbers.parameter(cov, i, j) for j in span] for i in span]
                self._require(is_psd(matrix), "a covariance that is not positive semidefinite")
            case Normal(std=std, row_corr=row_corr):
                self._each(std, lambda x: v.sign_of(x) >= 0, "a negative std")
                if row_corr is not None:
                    self._check_correlation(row_corr)
            case Bernoulli(chance):
                self._each(chance, lambda x: _between(x, v.ZERO, v.ONE), "a chance outside of [0, 1]")
            case Uniform(low, high):
                for place in self._distinct(low, high):
                    ordered = v.compared(self._at(low, place), self._at(high, place)) <= 0
                    self._require(ordered, "an interval whose ends are the wrong way round")
            case Iid(_, var) if var is not None:
                self._each(var, lambda x: v.sign_of(x) >= 0, "a negative variance")

    def check_chosen(self) -> None:
        """The chances are positive and sum to 1; the moments are those that are stated."""
        total = v.ZERO
        for chance, _ in self.chosen or ():
            self._require(v.sign_of(chance) > 0, "an outcome without a chance")
            total = v.plus(total, chance)
        self._require(v.compared(total, v.ONE) == 0, "chances that do not sum to 1")
        kind = self.declared.kind
        assert isinstance(kind, AnyLaw | Iid)
        if kind.mean is not None:
            for place in self.places():
                same = v.compared(self.moment(((place, 1),)), self._at(kind.mean, place)) == 0
                self._require(same, "another mean than the one stated")
        if isinstance(kind, Iid) and kind.var is not None:
            first, second = self._of_entry((1, 1, 1), 1), self._of_entry((1, 1, 1), 2)
            spread = v.minus(second, v.power(first, v.TWO))
            for place in self._distinct(kind.var):
                same = v.compared(spread, self._at(kind.var, place)) == 0
                self._require(same, "another variance than the one stated")

    def _check_correlation(self, row_corr: Node) -> None:
        """(1 - rho) I + rho 1 1^T has the eigenvalues 1 - rho and 1 + (rows - 1) rho."""
        _, rows, _ = self.numbers.size(self.declared)
        rho = self.numbers.parameter(row_corr, 1, 1)
        least = v.plus(v.ONE, v.times(v.rational(rows - 1), rho))
        fits = rows == 1 or (v.compared(rho, v.ONE) <= 0 and v.sign_of(least) >= 0)
        self._require(fits, "a correlation that no rows can have")

    def check_supports(self, place: Place, value: Value) -> None:
        """Whether the law allows an entry this value."""
        if self.chosen is not None:
            raise Rejected("outside", f"a value of {self.declared.name} beside its law")
        match self.declared.kind:
            case Normal(cov=cov, row_corr=row_corr) if cov is not None or row_corr is not None:
                raise Rejected("outside", f"a value of {self.declared.name}, whose entries are correlated")
            case Normal(mean, std):
                spread = v.sign_of(self._at(std, place)) > 0
                fits = spread or v.compared(value, self._at(mean, place)) == 0
            case Rademacher() | Bernoulli():
                chances = self._chances(place)
                fits = any(v.compared(value, x) == 0 and v.sign_of(chance) > 0 for x, chance in chances)
            case Uniform(low, high):
                fits = _between(value, self._at(low, place), self._at(high, place))
            case Iid(_, var) if var is not None and v.sign_of(self._at(var, place)) == 0:
                raise Rejected("outside", f"a value of {self.declared.name}, which does not vary")
            case Iid() | AnyLaw():
                fits = True
            case _:
                raise Rejected("outside", f"a value of {self.declared.name} at a point")
        self._require(fits, "a value that it never takes")

    def _each(self, node: Node, fits: "Fits", words: str) -> None:
        for place in self._distinct(node):
            self._require(fits(self._at(node, place)), words)

    def _distinct(self, *nodes: Node) -> list[Place]:
        """The places at which parameters are looked at: one, where they are the same for all."""
        return [(1, 1, 1)] if all(node.shape.is_scalar for node in nodes) else self.places()

    def _require(self, fits: bool, words: str) -> None:
        if not fits:
            raise Rejected("not-allowed", f"{self.declared.name} has {words}")


class Fits(Protocol):
    def __call__(self, value: Value, /) -> bool: ...


def _between(value: Value, low: Value, high: Value) -> bool:
    return v.compared(value, low) >= 0 and v.compared(value, high) <= 0


def _lowered(powers: Powers, place: Place) -> Powers:
    return tuple((at, k - (at == place)) for at, k in powers if k > 1 or at != place)
