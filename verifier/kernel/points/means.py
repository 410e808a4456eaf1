"""Means at a point: polynomials by moments of the laws, functions of what has a density by integrals, and
anything else by all outcomes of discrete draws."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
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
        self._coarsely = False

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

    @contextmanager
    def coarsely(self, scope: Scope) -> Iterator[Scope]:
        """The same scope, where means are enclosed by no more than what shows that they exist."""
        self._coarsely = True
        try:
            yield Scope(scope.bound, scope.outcome)
        finally:
            self._coarsely = False

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
        """A polynomial, monomial by monomial; distinct symbols are independent. Functions of the same draws
        are integrated together."""
        if not isinstance(value, poly.Poly):
            return value
        total: dict[Monomial, Value] = {}
        together: dict[tuple[Monomial, frozenset[Unit]], dict[Monomial, Value]] = {}
        for monomial, coefficient in value.terms.items():
            self.evaluator.budget.spend(len(monomial))
            rest, part, functions = self._split(monomial, coefficient, draws)
            around = tuple(item for item in monomial if item in rest)
            if len(functions) == 1:
                (factors,) = functions
                units = frozenset(map(self._unit, poly.entries_of(poly.Poly({factors: v.ONE}))))
                _add(together.setdefault((around, units), {}), factors, part)
                continue
            for factors in functions:
                part = v.times(part, self._of_functions({factors: v.ONE}))
            _add(total, around, part)
        for (around, _), terms in together.items():
            _add(total, around, self._of_functions(terms))
        return poly.made(total)

    def _split(
        self, monomial: Monomial, part: Value, draws: frozenset[str]
    ) -> tuple[list[tuple[Factor, Any]], Value, list[Monomial]]:
        """What the draws do not reach; the number times the means of powers; functions, in independent
        groups."""
        rest: list[tuple[Factor, Any]] = []
        functions: list[Monomial] = []
        for factors in self._apart(monomial):
            names = {name for factor, _ in factors for name, _ in poly.entries_in(factor)}
            if not names & draws:
                rest += factors
            elif not names <= draws:
                raise NotPolynomial("the mean of a function of something that another mean draws")
            elif any(isinstance(factor, Composite) for factor, _ in factors):
                functions.append(tuple(factors))
            else:
                powers: Powers = tuple((self.evaluator.place(*entry), k) for entry, k in factors)  # type: ignore[misc]
                part = v.times(part, self.evaluator.law(factors[0][0][0]).moment(powers))  # type: ignore[index]
        return rest, part, functions

    def _of_functions(self, terms: Mapping[Monomial, Value]) -> Value:
        """The mean of functions of draws, by an enclosed integral."""
        (first, size), *others = terms.items()
        if self._coarsely or others:
            return integral(self.evaluator, poly.Poly(terms), self._coarsely)
        if first not in self._known:
            self._known[first] = integral(self.evaluator, poly.Poly({first: v.ONE}))
        return v.times(size, self._known[first])

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


def _add(total: dict[Monomial, Value], monomial: Monomial, part: Value) -> None:
    total[monomial] = v.plus(total[monomial], part) if monomial in total else part
