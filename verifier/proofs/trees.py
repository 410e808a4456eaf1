"""Core terms of the kernel as trees of the language, to be read: sums over indices, entries, means.

Nothing rests on them. What the language has no words for (a slope of an unknown function, a state at a layer
that has no number) is `Rejected`, and then nothing is shown.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.dims import ONE, Dim
from verifier.expr.text import to_text
from verifier.kernel.context import Context
from verifier.kernel.core import terms as T
from verifier.kernel.rejected import Rejected

LETTERS = ("i", "j", "k", "l", "p", "q", "r", "s", "t", *(f"i{at}" for at in range(1, 40)))
MOST_NODES = 400
HALF = Fraction(1, 2)
ONE_NODE = N.Number(Fraction(1))
STEPS: Mapping[str, N.Comparison] = {"step": ">", "above": ">", "less": "<"}


@dataclass
class Trees:
    """Trees for the terms of one statement. Indices get letters that its claim does not use."""

    context: Context
    taken: Set[str] = frozenset()
    place: Sequence[str] = ()  # indices of the entry that is spoken of: they get the first letters
    letters: dict[str, str] = field(default_factory=dict)
    left: int = MOST_NODES

    def __post_init__(self) -> None:
        for name in self.place:
            self._letter(name)

    def of(self, term: T.Term) -> N.Node:
        self.left -= 1
        if self.left < 0:
            raise Rejected("too-large", "more than anybody reads")
        match term:
            case T.Num(value):
                return N.Number(value)
            case T.Var(name, at):
                return self._entry(name, at)
            case T.Plus(parts):
                return self._sum_of(parts)
            case T.Times():
                return self._product(T.factors_of(term))
            case T.Pow():
                return self._product((term,))
            case T.Sum():
                return self._sum(term)
            case T.Fn(name, args):
                return self._function(name, args)
            case T.Delta(left, right):
                sides = sorted(map(self.position, (left, right)), key=to_text)
                return N.Indicator(N.Relation("==", *sides))
            case T.Mean(draws, body):
                return self._mean(draws, body)
            case T.Call("", arg, None):
                return arg
            case T.Call(function, arg, None):
                return N.Called(function, arg)
        raise Rejected("outside", "a term without words")

    def position(self, dim: Dim) -> N.Node:
        return self.of(T.of_dim(dim))

    def _letter(self, name: str) -> str:
        """The letter of an index; one that is free again is not used again, so that none is bound twice."""
        if name not in self.letters:
            used = {*self.taken, *self.letters.values()}
            found = next((letter for letter in LETTERS if letter not in used), None)
            if found is None:
                raise Rejected("too-large", "more indices than letters")
            self.letters[name] = found
        return self.letters[name]

    def _entry(self, name: str, at: T.Positions) -> N.Node:
        if name.startswith("%") and not at:
            return N.Index(self._letter(name))
        symbol = self.context.symbols.get(name)
        if symbol is None or "@" in name:
            raise Rejected("outside", f"{name}, which has no name in the language")
        places = list(map(self.position, at))
        node: N.Node = N.Symbol(name, symbol.shape)
        if symbol.copies is not None and places:
            node = N.Member(name, symbol.shape, places.pop(0))
        if not places:
            return node
        if len(places) == 1:
            first = symbol.shape.rows == ONE
            places = [ONE_NODE, *places] if first else [*places, ONE_NODE]
        row, col = places
        return N.Entry(node, row, col)

    def _sum_of(self, parts: tuple[T.Term, ...]) -> N.Node:
        """Terms that are added come before those that are subtracted."""
        shown = [part for part in parts if _constant(T.factors_of(part))] or [T.ZERO]
        terms = sorted((self._signed(part) for part in shown), key=lambda item: item[1])
        total, negative = terms[0]
        total = N.Negate(total) if negative else total
        for tree, is_less in terms[1:]:
            total = N.Subtract(total, tree) if is_less else N.Add(total, tree)
        return total

    def _signed(self, term: T.Term) -> tuple[N.Node, bool]:
        """A term without its sign, and whether that is a minus."""
        factors = T.factors_of(term)
        value = _constant(factors)
        if value >= 0:
            return self.of(term), False
        rest = tuple(part for part in factors if not isinstance(part, T.Num))
        return self._product((T.Num(-value), *rest)), True

    def _product(self, factors: tuple[T.Term, ...]) -> N.Node:
        value = _constant(factors)
        if not value:  # times what may have no value
            return N.Number(value)
        above, below = [], []
        for part in factors:
            match part:
                case T.Num():
                    continue
                case T.Pow(base, T.Num(power)) if power < 0:
                    below.append(self._power(base, T.Num(-power)))
                case T.Pow(base, power):
                    above.append(self._power(base, power))
                case _:
                    above.append(self.of(part))
        above = [*_unless_one(abs(value.numerator)), *above]
        below = [*_unless_one(value.denominator), *below]
        found = _multiplied(above)
        if below:
            found = N.Divide(found, _multiplied(below))
        return N.Negate(found) if value < 0 else found

    def _power(self, base: T.Term, exponent: T.Term) -> N.Node:
        match base, exponent:
            case T.Pow(inner, T.Num(first)), T.Num(second) if first == HALF and second.denominator == 1:
                return self._power(inner, T.Num(first * second))
            case _, T.Num(value) if value.denominator == 2:
                root = N.Apply("sqrt", (self.of(base),))
                return root if value == HALF else N.Power(root, N.Number(Fraction(value.numerator)))
            case _, T.Num(value) if value == 1:
                return self.of(base)
        return N.Power(self.of(base), self.of(exponent))

    def _sum(self, term: T.Sum) -> N.Node:
        ranges = []
        body: T.Term = term
        while isinstance(body, T.Sum):
            low, high = self.position(body.low), self.position(body.high)
            ranges.append(N.Range(self._letter(body.index), low, high))
            body = body.body
        return N.Sum(self.of(body), tuple(ranges))

    def _function(self, name: str, args: tuple[T.Term, ...]) -> N.Node:
        if name == "pi":
            return N.Pi()
        if name in STEPS and len(args) == 1:
            return N.Indicator(N.Relation(STEPS[name], self.of(args[0]), N.Number(Fraction(0))))
        if name not in {*N.UNARY, *N.BINARY}:
            raise Rejected("outside", f"{name}, which is no function of the language")
        return N.Apply(name, tuple(map(self.of, args)))

    def _mean(self, draws: frozenset[str], body: T.Term) -> N.Node:
        """Of everything random inside that it does not integrate, the value is given."""
        kept = sorted(name for name in T.free(body) - draws if self.context.is_random(name))
        if any(self.context.symbols[name].copies is not None for name in kept):
            raise Rejected("outside", "a mean over some of a family")
        given = tuple(N.Symbol(name, self.context.symbols[name].shape) for name in kept)
        return N.Expectation(self.of(body), given)


def _constant(factors: tuple[T.Term, ...]) -> Fraction:
    found = Fraction(1)
    for part in factors:
        if isinstance(part, T.Num):
            found *= part.value
    return found


def _unless_one(value: int) -> Iterator[N.Node]:
    if value != 1:
        yield N.Number(Fraction(value))


def _multiplied(parts: list[N.Node]) -> N.Node:
    found, *others = parts or [ONE_NODE]
    for part in others:
        found = N.Multiply(found, part)
    return found
