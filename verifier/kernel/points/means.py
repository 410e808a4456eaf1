"""Means at a point: polynomials by moments of the laws, functions of what has a density by integrals, and
anything else by all outcomes of discrete draws."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from verifier.expr.symbols import Bernoulli, Iid, Normal, Rademacher, Uniform
from verifier.kernel.core.terms import Term
from verifier.kernel.points import polynomials as poly
from verifier.kernel.points import values as v
from verifier.kernel.points.integrals import integral
from verifier.kernel.points.laws import MOST_OUTCOMES, Powers
from verifier.kernel.points.outcomes import NotPolynomial
from verifier.kernel.points.polynomials import Composite, Entry, Factor, Monomial, Scalar
from verifier.kernel.points.tables import Place
from verifier.kernel.points.values import Value
from verifier.kernel.rejected import Rejected

if TYPE_CHECKING:
    from verifier.kernel.points.evaluate import Evaluator


Unit = tuple[str, tuple[int, ...]]  # an entry, or no place for all of a symbol


@dataclass
class Scope:
    """What the means around have drawn: `bound` stay variables, those in `outcome` have values."""

    bound: frozenset[str] = frozenset()
    outcome: Mapping[str, Mapping[Place, Value]] = field(default_factory=dict)
    memo: dict[Any, Scalar] = field(default_factory=dict)
    inner: dict[frozenset[str], "Scope"] = field(default_factory=dict)
    outcomes: dict[frozenset[str], list[tuple["Scope", Value]]] = field(default_factory=dict)


class Means:
    """Means over the laws that an evaluator knows."""

    def __init__(self, evaluator: "Evaluator") -> None:
        self.evaluator = evaluator
        self.integrated: set[str] = set()
        self._known: dict[Monomial, Value] = {}

    def mean(self, draws: frozenset[str], body: Term, indices: Mapping[str, int], scope: Scope) -> Scalar:
        """The mean of the body over these draws."""
        self.integrated |= draws
        try:
            return self._integral(self.evaluator.value(body, indices, self.drawing(scope, draws)), draws)
        except NotPolynomial:
            if not self.discrete(draws):
                raise
        total: Scalar = v.ZERO
        rest = draws - self.discrete(draws)
        for inner, chance in self.outcomes(scope, draws):
            part = self._integral(self.evaluator.value(body, indices, inner), rest)
            part = poly.times(chance, part, self.evaluator.budget)
            total = poly.plus(total, part, self.evaluator.budget)
        return total

    def drawing(self, scope: Scope, draws: frozenset[str]) -> Scope:
        """Inside a mean over these draws."""
        if draws not in scope.inner:
            outcome = {name: value for name, value in scope.outcome.items() if name not in draws}
            scope.inner[draws] = Scope(scope.bound | draws, outcome)
        return scope.inner[draws]

    def discrete(self, draws: frozenset[str]) -> frozenset[str]:
        return frozenset(name for name in draws if self.evaluator.law(name).is_discrete)

    def outcomes(self, scope: Scope, draws: frozenset[str]) -> list[tuple[Scope, Value]]:
        """Inside such a mean, one scope for each outcome of the discrete draws, with its chance."""
        if draws not in scope.outcomes:
            kept = {name: value for name, value in scope.outcome.items() if name not in draws}
            bound = (scope.bound | draws) - self.discrete(draws)
            found: list[tuple[dict[str, Mapping[Place, Value]], Value]] = [({}, v.ONE)]
            for name in sorted(self.discrete(draws)):
                each = list(self.evaluator.law(name).outcomes())
                if len(found) * len(each) > MOST_OUTCOMES:
                    raise Rejected("too-large", f"a mean over more than {MOST_OUTCOMES} outcomes")
                found = [
                    ({**before, name: value}, v.times(chance, share))
                    for before, chance in found
                    for value, share in each
                ]
            scope.outcomes[draws] = [(Scope(bound, {**kept, **value}), chance) for value, chance in found]
        return scope.outcomes[draws]

    def _integral(self, value: Scalar, draws: frozenset[str]) -> Scalar:
        """A polynomial, monomial by monomial; distinct symbols are independent."""
        if not isinstance(value, poly.Poly):
            return value
        total: dict[Monomial, Value] = {}
        for monomial, coefficient in value.terms.items():
            self.evaluator.budget.spend(len(monomial))
            rest: list[tuple[Factor, Any]] = []
            part = coefficient
            for factors in self._apart(monomial):
                names = {name for factor, _ in factors for name, _ in poly.entries_in(factor)}
                if not names & draws:
                    rest += factors
                elif names <= draws:
                    part = v.times(part, self._mean_of(factors))
                else:
                    raise NotPolynomial("the mean of a function of something that another mean draws")
            around = tuple(item for item in monomial if item in rest)
            total[around] = v.plus(total[around], part) if around in total else part
        return poly.made(total)

    def _apart(self, monomial: Monomial) -> list[list[tuple[Factor, Any]]]:
        """The factors in groups that are independent of each other."""
        groups: list[tuple[set[Unit], list[tuple[Factor, Any]]]] = []
        for item in monomial:
            units = {self._unit(entry) for entry in poly.entries_in(item[0])}
            together = [group for group in groups if group[0] & units]
            groups = [group for group in groups if not group[0] & units]
            merged = [item for _, items in together for item in items]
            groups.append((units.union(*(own for own, _ in together)), [*merged, item]))
        return [sorted(items, key=monomial.index) for _, items in groups]

    def _unit(self, entry: Entry) -> Unit:
        """What an entry depends on: itself alone, or all that is drawn with it."""
        kind = self.evaluator.law(entry[0]).declared.kind
        alone = isinstance(kind, Uniform | Rademacher | Bernoulli | Iid) or (
            isinstance(kind, Normal) and kind.cov is None and kind.row_corr is None
        )
        return entry if alone else (entry[0], ())

    def _mean_of(self, factors: list[tuple[Factor, Any]]) -> Value:
        """The mean of a product, by moments of the law or by an enclosed integral."""
        powers = [(factor, k) for factor, k in factors if not isinstance(factor, Composite)]
        key = tuple(factors)
        if len(powers) < len(factors):
            if key not in self._known:
                self._known[key] = integral(self.evaluator, key)
            return self._known[key]
        mine: Powers = tuple((self.evaluator.place(*entry), k) for entry, k in powers)
        return self.evaluator.law(powers[0][0][0]).moment(mine)
