"""Layers that map one number: iterates of x -> f(x), and where they end.

    towards     f(c) = c,  x < f(x) <= c for x < c,  c <= f(x) < x for x > c,  f continuous:
                the iterates move monotonically, and c is the only point where they can end
    shrinking   f(c) = c,  |f'(x)| <= 99/100 everywhere on an interval that f maps into itself
    each step   f(x) <= c for every x that occurs: then every state is <= c;
                x <= f(x) for every x that occurs: then no state is below the input

The correlation of two inputs in a wide network with relu is such a number, with fixed point 1.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from verifier.claim.model import Assumption, Claim
from verifier.evidence import Counterexample, Finding
from verifier.exact.values.recheck import admissible
from verifier.expr import nodes as N
from verifier.expr.symbols import Declared, Interval, Positive, Real
from verifier.expr.text import to_text
from verifier.expr.walk import substitute, walk

Judge = Callable[[Claim, N.Relation], Finding]
_CONTINUOUS = frozenset(
    {"sqrt", "sin", "cos", "asin", "acos", "atan", "tanh", "sigmoid", "relu", "gelu", "silu", "softplus"}
    | {"abs", "erf", "min", "max", "Phi", "phi", "exp"}
)
_PLAIN = (N.Number, N.Pi, N.Symbol, N.Let, N.Add, N.Subtract, N.Multiply, N.Negate, N.Expectation)
_ZERO, _ONE, _NEARLY = N.Number(Fraction(0)), N.Number(Fraction(1)), N.Number(Fraction(99, 100))


def examine_iterates(claim: Claim, fact: N.Relation | N.Within, judge: Judge) -> Finding | None:
    """A limit of the state over the depth, or a bound at every depth; None where nothing is shown."""
    found = _map(claim, judge) if isinstance(fact, N.Relation) else None
    if found is None:
        return None
    match fact:
        case N.Relation("==", N.Limit(N.After(_, depth), variable, N.Infinity()), right) if depth == variable:
            return _limit(found, right) if found.is_free(right) else None
        case N.Relation("<=" | ">=" as op, N.After(_, N.Symbol()), right):
            return found.at_each_step(op, right)
    return None


def _map(claim: Claim, judge: Judge) -> "Map | None":
    """The layers as a continuous map of one number, if they are one."""
    layers = claim.layers
    if layers is None or not layers.state.shape.is_scalar or layers.state.name in claim.random:
        return None
    averaged = {x for e in walk(layers.next) if isinstance(e, N.Expectation) for x in walk(e)}
    drawn = {s.name for s in layers.symbols if s.is_random} | claim.random
    outside = [x for x in walk(layers.next) if isinstance(x, N.Symbol | N.Member) and x.name in drawn]
    if any(x not in averaged for x in outside):
        return None
    for assumption in claim.assumptions:
        if layers.state in walk(assumption.fact) and not _is_an_end(assumption, layers.state):
            return None
    symbols = {**claim.symbols, **{s.name: s for s in layers.symbols}}
    symbols.pop(layers.depth.name, None)
    kept = tuple(a for a in claim.assumptions if layers.depth not in walk(a.fact))
    made = Map(
        replace(claim, symbols=symbols, assumptions=kept, layers=None), layers.state, layers.next, judge
    )
    return made if made.is_continuous() else None


def _is_an_end(assumption: Assumption, state: N.Symbol) -> bool:
    match assumption.fact:
        case N.Relation("<" | "<=" | ">" | ">=", left, right):
            return (left == state and isinstance(right, N.Number)) or (
                right == state and isinstance(left, N.Number)
            )
    return False


@dataclass(frozen=True)
class Map:
    """state -> next, for the values of the input that the claim allows: an interval."""

    claim: Claim
    state: N.Symbol
    next: N.Node
    judge: Judge

    def is_free(self, node: N.Node) -> bool:
        return not any(isinstance(x, N.Symbol | N.After) for x in walk(node))

    def is_continuous(self) -> bool:
        return all(self._is_continuous(part) for part in walk(self.next))

    def _is_continuous(self, node: N.Node) -> bool:
        match node:
            case N.Apply(function, _):
                return function in _CONTINUOUS
            case N.Power(_, N.Number(k)):
                return k > 0
            case N.Divide(_, below):
                return self.state not in walk(below) or self._says(N.Relation(">", below, _ZERO))
        return isinstance(node, _PLAIN)

    def _says(self, fact: N.Relation, *given: N.Relation) -> bool:
        """Whether the fact is shown for every value of the input that the given facts allow as well."""
        extra = tuple(
            Assumption(f"_given_{k}", g, to_text(g), self.claim.position) for k, g in enumerate(given)
        )
        known = replace(self.claim, assumptions=self.claim.assumptions + extra)
        if extra and self.judge(known, N.Relation("<=", self.state, self.state)).vacuous is not None:
            return True
        said = self.judge(known, fact)
        return said.truth == "true" and said.grade in ("proved", "certified")

    def rests(self, point: N.Node) -> bool:
        """f(c) = c"""
        moved = substitute(self.next, {self.state: point})
        free = replace(self.claim, assumptions=(), symbols=self._without_state())
        said = self.judge(free, N.Relation("==", moved, point))
        return said.truth == "true" and said.grade in ("proved", "certified")

    def _without_state(self) -> dict[str, Declared]:
        return {name: s for name, s in self.claim.symbols.items() if name != self.state.name}

    def ends_at(self, point: N.Node) -> str | None:
        """In words, why the iterates of every input end at the point."""
        if not self.rests(point):
            return None
        if self._moves_towards(point):
            return f"each layer moves the state towards the fixed point {to_text(point)}"
        return f"each layer shrinks distances, and {to_text(point)} stays" if self._shrinks() else None

    def _moves_towards(self, point: N.Node) -> bool:
        ways: list[tuple[N.Comparison, N.Comparison]] = [("<", "<="), (">", ">=")]
        for op, weak in ways:
            side, onward = N.Relation(op, self.state, point), N.Relation(op, self.state, self.next)
            short = N.Relation(weak, self.next, point)
            if not self._says(onward, side) or not self._says(short, side):
                return False
        return True

    def stays(self) -> bool:
        """Whether f maps the values of the input into themselves, nothing being assumed of them."""
        match self.claim.symbols[self.state.name].kind:
            case _ if self.claim.assumptions:
                return False
            case Interval(low, high):
                ends: list[tuple[N.Comparison, N.Node]] = [(">=", low), ("<=", high)]
                return all(_is_infinite(e) or self._says(N.Relation(op, self.next, e)) for op, e in ends)
            case Positive():
                return self._says(N.Relation(">", self.next, _ZERO))
        return isinstance(self.claim.symbols[self.state.name].kind, Real)

    def _shrinks(self) -> bool:
        """|f'| <= 99/100 on a closed interval, or the line, that f maps into itself."""
        if isinstance(self.claim.symbols[self.state.name].kind, Positive) or not self.stays():
            return False
        slope = N.Apply("abs", (N.Derivative(self.next, self.state),))
        averages = any(isinstance(x, N.Expectation) for x in walk(self.next))
        return not averages and self._says(N.Relation("<=", slope, _NEARLY))

    def candidates(self, claimed: N.Node) -> Iterator[N.Node]:
        """Points where the iterates may end: the claimed one, the ends of the interval, 0 and 1."""
        found = [claimed]
        match self.claim.symbols[self.state.name].kind:
            case Interval(low, high):
                found += [end for end in (high, low) if self.is_free(end) and not _is_infinite(end)]
            case Positive() | Real():
                pass
        yield from dict.fromkeys([*found, _ZERO, _ONE])

    def at_each_step(self, op: N.Comparison, right: N.Node) -> Finding | None:
        """A bound on every state, from one on every step."""
        if not (self.is_free(right) or right == self.state) or not self.stays():
            return None
        if not self._says(N.Relation(op, self.next, right)):
            return None
        return Finding("symbolic", "true", "certified", "shown for one layer, and by induction for all")

    def allows(self, value: N.Number) -> bool:
        """Whether the claim allows this input, and nothing else is free."""
        free = {x.name for x in walk(self.next) if isinstance(x, N.Symbol)} - self.claim.random
        alone = free <= {self.state.name}
        return alone and admissible(self.claim, {self.state.name: value.value}).outcome == "true"

    def some_input(self) -> N.Number | None:
        values = map(N.Number, (Fraction(1, 2), Fraction(0), Fraction(1), Fraction(2), Fraction(-1)))
        return next((value for value in values if self.allows(value)), None)


def _is_infinite(node: N.Node) -> bool:
    return any(isinstance(x, N.Infinity) for x in walk(node))


def _limit(found: Map, right: N.Node) -> Finding | None:
    """Where the iterates of every input end; or an input that stays elsewhere."""
    for point in found.candidates(right):
        words = found.ends_at(point)
        if words is None:
            continue
        made = Finding("symbolic", "true", "certified", words, lhs=to_text(point), rhs=to_text(right))
        said = found.judge(replace(found.claim, assumptions=()), N.Relation("==", point, right))
        if point == right or said.truth == "true":
            return made
        return _apart(found, made, replace(said, corrected=to_text(point)), found.some_input())
    for point in found.candidates(right):
        if point != right and isinstance(point, N.Number) and found.allows(point) and found.rests(point):
            said = found.judge(replace(found.claim, assumptions=()), N.Relation("==", point, right))
            made = Finding("symbolic", "true", "certified", f"{to_text(point)} stays where it is")
            return _apart(found, made, replace(said, corrected=None), point)
    return None


def _apart(found: Map, made: Finding, said: Finding, value: N.Node | None) -> Finding | None:
    """The iterates of this input end elsewhere."""
    numbers = said.counterexample
    if said.truth != "false" or numbers is None or value is None:
        return None
    ends = (numbers.lhs, numbers.rhs, numbers.lhs_exact, numbers.rhs_exact)
    example = Counterexample({found.state.name: to_text(value)}, *ends)
    return replace(made, truth="false", corrected=said.corrected, counterexample=example)
