"""Means over draws with two values, outcome by outcome.

A sign is 1 or -1 with chance 1/2, a Bernoulli draw 1 or 0. A function of a few such entries has the mean that
its values at the outcomes give, weighted by their chances; each of them must exist.
"""

from dataclasses import dataclass, field, replace

from verifier.expr.symbols import Bernoulli, Declared, Rademacher
from verifier.kernel.core import terms as T
from verifier.kernel.core.read import Reader
from verifier.kernel.normal.atoms import Poly
from verifier.kernel.normal.values import Values
from verifier.kernel.rejected import Rejected

MOST_ENTRIES = 6


@dataclass
class Outcomes(Values):
    """Arithmetic with means over finitely many outcomes."""

    reader: Reader = field(init=False)

    def by_outcomes(self, mean: T.Mean) -> Poly | None:
        """The mean over draws with two values, each put in; None where others are integrated too."""
        draws = mean.draws & T.free(mean.body)
        tied = [self.context.reach(f) | self.context.reach(g) for f, g in self.context.tied()]
        if draws & self.conditioned().union(*tied):
            return None
        if not draws or not all(has_two_values(self.context.symbols.get(name)) for name in draws):
            return None
        return self.normal(self._written_out(spread(T.Mean(draws, mean.body))))

    def _written_out(self, term: T.Term) -> T.Term:
        """A term with each of its means written out."""
        if not isinstance(term, T.Mean):
            return T.rebuilt(term, self._written_out)
        weighted: list[tuple[T.Term, T.Term]] = [(T.UNIT, term.body)]
        for name in sorted(term.draws):
            values = self._values(self.context.symbols[name])
            for at in entries_of(name, term.body):
                weighted = [
                    (T.times(weight, chance), at_value(body, name, at, value))
                    for weight, body in weighted
                    for chance, value in values
                ]
                self.budget.spend(len(weighted))
        for _, body in weighted:
            self.require_values(body)
        return T.plus(*(T.times(weight, body) for weight, body in weighted))

    def _values(self, declared: Declared) -> list[tuple[T.Term, int]]:
        """The chance of each value, and the value."""
        match declared.kind:
            case Rademacher():
                return [(T.HALF, 1), (T.HALF, -1)]
            case Bernoulli(chance):
                p = self.reader.scalar(chance)
                return [(p, 1), (T.minus(T.UNIT, p), 0)]
        raise Rejected("outside", "a law with more than two values")


def has_two_values(declared: Declared | None) -> bool:
    """Signs, and Bernoulli draws with one chance for all entries."""
    kind = declared.kind if declared is not None else None
    return isinstance(kind, Rademacher) or (isinstance(kind, Bernoulli) and kind.chance.shape.is_scalar)


def spread(mean: T.Mean) -> T.Term:
    """The mean of a sum as the sum of means, factors that it does not integrate outside. Only for draws with
    finitely many values: then each part has a mean if it has values."""
    body = mean.body
    match body:
        case T.Plus(parts):
            return T.plus(*(spread(T.Mean(mean.draws, part)) for part in parts))
        case T.Sum(index, low, high, inner):
            return T.Sum(index, low, high, spread(T.Mean(mean.draws, inner)))
        case T.Times(parts):
            outside = [part for part in parts if not mean.draws & T.free(part)]
            inside = [part for part in parts if mean.draws & T.free(part)]
            if outside and inside:
                return T.times(*outside, spread(T.Mean(mean.draws, T.times(*inside))))
    draws = mean.draws & T.free(body)
    return T.Mean(draws, body) if draws else body


def entries_of(name: str, body: T.Term) -> list[T.Positions]:
    """The entries of a draw that a term depends on, each once. They are few, and known to be different."""
    found: dict[T.Positions, None] = {}
    bound: set[str] = set()
    for part in T.walk(body):
        match part:
            case T.Mean():
                raise Rejected("outside", "a mean inside a mean")
            case T.Call() if name in T.free(part):
                raise Rejected("outside", "an unknown function of a draw with two values")
            case T.Var(other, at) if other == name:
                found[at] = None
            case T.Sum(index):
                bound.add(index)
    if any(position.names & bound for at in found for position in at):
        raise Rejected("outside", "a function of a symbolic number of draws")
    if len(found) > 1 and any(position.constant is None for at in found for position in at):
        raise Rejected("outside", "entries that may be one and the same")
    if len(found) > MOST_ENTRIES:
        raise Rejected("too-large", f"a function of more than {MOST_ENTRIES} draws with two values")
    return list(found)


def at_value(body: T.Term, name: str, at: T.Positions, value: int) -> T.Term:
    """The term with one entry of a draw put in. Nothing is left out, so that what has no value is seen."""

    def put(part: T.Term) -> T.Term:
        return at_value(part, name, at, value)

    match body:
        case T.Var(other, place):
            return T.number(value) if (other, place) == (name, at) else body
        case T.Plus(parts) | T.Times(parts):
            return replace(body, parts=tuple(map(put, parts)))
    return T.rebuilt(body, put)
