"""Means at a point: polynomials by moments of the laws, anything else by all outcomes of discrete draws."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from verifier.kernel.core.terms import Term
from verifier.kernel.points import polynomials as poly
from verifier.kernel.points import values as v
from verifier.kernel.points.laws import MOST_OUTCOMES, Powers
from verifier.kernel.points.outcomes import NotPolynomial
from verifier.kernel.points.polynomials import Entry, Monomial, Scalar
from verifier.kernel.points.tables import Place
from verifier.kernel.points.values import Value
from verifier.kernel.rejected import Rejected

if TYPE_CHECKING:
    from verifier.kernel.points.evaluate import Evaluator


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
            rest = tuple(item for item in monomial if item[0][0] not in draws)
            part = coefficient
            for name in sorted({entry[0] for entry, _ in monomial} & draws):
                part = v.times(part, self._moment(name, monomial))
            total[rest] = v.plus(total[rest], part) if rest in total else part
        return poly.made(total)

    def _moment(self, name: str, monomial: Monomial) -> Value:
        mine: Powers = tuple((self._place(entry), k) for entry, k in monomial if entry[0] == name)
        return self.evaluator.law(name).moment(mine)

    def _place(self, entry: Entry) -> Place:
        return self.evaluator.place(*entry)
