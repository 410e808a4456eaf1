"""Derivatives of core terms, node by node."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from verifier.expr.nodes import Let, Member, Node, Symbol
from verifier.expr.walk import walk as walk_tree
from verifier.kernel.budget import Budget
from verifier.kernel.core.functions import SLOPES
from verifier.kernel.core.terms import (
    UNIT,
    ZERO,
    Call,
    Delta,
    Fn,
    Mean,
    Num,
    Plus,
    Positions,
    Pow,
    Sum,
    Term,
    Times,
    Var,
    chained,
    deltas,
    minus,
    number,
    plus,
    times,
    walk,
)
from verifier.kernel.rejected import Rejected


@dataclass(frozen=True)
class Slope:
    """The derivative by one entry. `held` gives that of a name which has an assumed value, `close` the closed
    form of a mean, whose law may depend on the variable, `inside` the chain rule for a declared function."""

    name: str
    at: Positions
    held: Mapping[str, Callable[["Slope", Positions], Term]]
    close: Callable[[Term], Term]
    inside: Callable[["Slope", Call], Term]
    budget: Budget

    def of(self, term: Term) -> Term:
        self.budget.spend()
        match term:
            case Num() | Delta():
                return ZERO
            case Var(name, at):
                return self._of_variable(name, at)
            case Plus(parts):
                return plus(*map(self.of, parts))
            case Times(parts):
                each = (times(*parts[:k], self.of(part), *parts[k + 1 :]) for k, part in enumerate(parts))
                return plus(*each)
            case Pow(base, exponent):
                return self._of_power(base, exponent)
            case Fn(name, args):
                return self._of_function(name, args)
            case Sum(index, low, high, body):
                if self.name in low.names | high.names:
                    raise Rejected("outside", f"a derivative by {self.name}, which counts terms")
                slope = self.of(body)
                return ZERO if slope == ZERO else Sum(index, low, high, slope)
            case Mean(draws):
                return ZERO if self.name in draws else self._of_mean(term)
            case Call():
                return self.inside(self, term)
        raise TypeError(term)

    def _of_variable(self, name: str, at: Positions) -> Term:
        if name in self.held:
            return self.held[name](self, at)
        return deltas(at, self.at) if name == self.name else ZERO

    def _of_mean(self, mean: Mean) -> Term:
        closed = self.close(mean)
        if any(isinstance(part, Mean) for part in walk(closed)):
            raise Rejected("outside", "the derivative of a mean without a closed form")
        return self.of(closed)

    def _of_power(self, base: Term, exponent: Term) -> Term:
        inner = self.of(base)
        outer = self.of(exponent)
        first: Term = ZERO
        if inner != ZERO:
            first = times(exponent, Pow(base, minus(exponent, UNIT)), inner)
            if isinstance(exponent, Num):
                first = times(exponent, Pow(base, number(exponent.value - 1)), inner)
        second = ZERO if outer == ZERO else times(Pow(base, exponent), Fn("log", (base,)), outer)
        return plus(first, second)

    def _of_function(self, name: str, args: tuple[Term, ...]) -> Term:
        inner = tuple(map(self.of, args))
        if all(part == ZERO for part in inner):
            return ZERO
        if name not in SLOPES:
            raise Rejected("outside", f"the derivative of {name}")
        return (chained if name == "relu" else times)(SLOPES[name](args[0]), inner[0])


def names_in(node: Node) -> frozenset[str]:
    """Symbols and `let` names that a tree speaks of."""
    return frozenset(part.name for part in walk_tree(node) if isinstance(part, Symbol | Member | Let))
