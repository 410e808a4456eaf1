"""Claims about a symbol of any law, as claims about laws with a few values.

    one value      V = M, surely
    two values     V = M + R or M - R, each with probability 1/2
    four values    V = M + R + S, M + R - S, M - R + S or M - R - S, each with probability 1/4

with M the stated mean (any, if none is stated) and R, S any fixed matrices. Under such a law

    E f(V) = sum_a w_a f(V_a),     Cov(f, g) = sum_{a < b} w_a w_b (f_a - f_b) (g_a - g_b).T

so that nothing of the law is left in the relation, nor in the assumptions about it. E(f, given=g) is E f for
those of the laws under which g takes one value. What is false under one law that the assumptions allow is
false for any law.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial, reduce
from itertools import combinations, product

from verifier.claim.model import Assumption, Claim, Step
from verifier.expr import nodes as N
from verifier.expr.dims import Shape
from verifier.expr.symbols import AnyLaw, Declared, FixedMatrix, Real
from verifier.expr.text import to_text
from verifier.expr.walk import rebuild, symbols_in, walk
from verifier.reformulate.function_families import Instance

FAMILIES: dict[str, tuple[str, ...]] = {
    "one value": (),
    "two values": ("step",),
    "four values": ("step", "turn"),
}
_AVERAGES = (N.Expectation, N.Variance, N.Covariance)
_REFUSED = (N.Limit, N.Growth, N.Order, N.After, N.Extreme, N.Called)
MOST_SYMBOLS = 2
Times = Callable[[N.Node, N.Node], N.Node]


def of_any_law(claim: Claim, step: Step) -> tuple[str, ...]:
    """The symbols of unknown law that the relation speaks of."""
    used = symbols_in(step.fact)
    return tuple(
        x for x, declared in claim.symbols.items() if x in used and isinstance(declared.kind, AnyLaw)
    )


def in_law(claim: Claim, step: Step, family: str) -> Instance | None:
    """The claim for the laws of the family; None where it cannot be written out."""
    names = of_any_law(claim, step)
    if not names or not _is_plain(claim, step, frozenset(names)):
        return None
    made: dict[str, Declared] = {}
    laws = {name: _law(claim, claim.symbols[name], FAMILIES[family], made) for name in names}
    writer = _Writer(claim, laws)
    fact = rebuild(step.fact, writer.outside)
    assumptions = tuple(made for item in claim.assumptions for made in _rewritten(item, writer))
    assumptions += tuple(_held(claim, relation) for relation in writer.held(step, claim))
    kept = {name: declared for name, declared in claim.symbols.items() if name not in names}
    lets = tuple(let for let in claim.lets if not symbols_in(let) & laws.keys())
    changed = replace(claim, symbols={**kept, **made}, assumptions=assumptions, lets=lets)
    forms = tuple(f"{name} = {law.words}" for name, law in laws.items())
    return Instance(changed, replace(step, fact=fact), forms)


@dataclass(frozen=True)
class _Law:
    """Values that are equally probable."""

    values: tuple[N.Node, ...]
    words: str


def _law(claim: Claim, declared: Declared, parts: tuple[str, ...], made: dict[str, Declared]) -> _Law:
    def symbol(part: str) -> N.Symbol:
        found = f"{declared.name}_{part}"
        while found in claim.symbols or any(let.name == found for let in claim.lets):
            found += "_"
        kind = Real() if declared.shape.is_scalar else FixedMatrix("matrix")
        made[found] = Declared(found, kind, declared.shape)
        return N.Symbol(found, declared.shape)

    assert isinstance(declared.kind, AnyLaw)
    mean = declared.kind.mean
    centre = symbol("centre") if mean is None else None if parts and _is_zero(mean) else mean
    steps = [symbol(part) for part in parts]
    values = [reduce(_signed, zip(signs, steps, strict=True), centre) for signs in _signs(len(steps))]
    shown = " +- ".join(to_text(x) for x in ([] if centre is None else [centre]) + steps)
    each = f"each with probability 1/{len(values)}" if len(values) > 1 else "surely"
    assert all(value is not None for value in values)
    filled = tuple(_filled(value, declared.shape) for value in values if value is not None)
    return _Law(filled, f"{'+-' if centre is None else ''}{shown}, {each}")


def _signs(count: int) -> Iterable[tuple[bool, ...]]:
    return product((True, False), repeat=count)


def _signed(total: N.Node | None, term: tuple[bool, N.Node]) -> N.Node:
    added, node = term
    if total is None:
        return node if added else N.Negate(node)
    return N.Add(total, node) if added else N.Subtract(total, node)


def _filled(node: N.Node, shape: Shape) -> N.Node:
    """A matrix stays one where its mean is written as a number."""
    return node if node.shape == shape else N.Add(node, N.Zeros(shape))


def _is_zero(node: N.Node) -> bool:
    return isinstance(node, N.Zeros) or (isinstance(node, N.Number) and node.value == 0)


# --- what can be written out ---------------------------------------------------------------------------


def _is_plain(claim: Claim, step: Step, names: frozenset[str]) -> bool:
    """Nothing is conditioned, differentiated, grown or assumed in a way that single values do not show."""
    if claim.layers is not None or claim.growing or len(names) > MOST_SYMBOLS:
        return False
    if any(claim.symbols[name].copies is not None for name in names):
        return False
    for item in claim.assumptions:
        given = item.assumed_value or item.substitution
        if given is not None and symbols_in(given[0]) & names:
            return False
        if item.independence is not None and symbols_in(item.fact) & names:
            return False
    facts: list[N.Fact] = [step.fact, *(item.fact for item in claim.assumptions)]
    fixed = frozenset(claim.symbols) - claim.random
    return all(_is_written_out(node, names, fixed) for fact in facts for node in walk(fact))


def _is_written_out(node: N.Node, names: frozenset[str], fixed: frozenset[str]) -> bool:
    if isinstance(node, _REFUSED):
        return not symbols_in(node) & names
    if isinstance(node, N.Derivative):
        return not symbols_in(node.by) & names
    if isinstance(node, N.Expectation) and node.given and symbols_in(node) & names:
        return all(symbols_in(given) and symbols_in(given) <= names | fixed for given in node.given)
    return True


def _rewritten(item: Assumption, writer: "_Writer") -> Iterable[Assumption]:
    """What is assumed of a symbol outside of averages bounds its support: it is true at every value."""
    for fact in writer.everywhere(item.fact):
        yield item if fact == item.fact else replace(item, fact=fact, text=to_text(fact))


def _held(claim: Claim, relation: N.Relation) -> Assumption:
    return Assumption("what is given takes one value", relation, to_text(relation), claim.position)


# --- writing out ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Writer:
    """Averages as sums over the values of the laws."""

    claim: Claim
    laws: dict[str, _Law]

    def outside(self, node: N.Node) -> N.Node:
        """Outside of every average a symbol is one of its values, the first: the others are like it."""
        if not symbols_in(node) & self.laws.keys():
            return node
        match node:
            case N.Expectation(body):
                return self._mean(body)
            case N.Variance(body):
                return self._spread(body, body, N.Multiply)
            case N.Covariance(left, right):
                return self._spread(left, right, lambda a, b: N.MatMul(a, N.Transpose(b)))
            case N.Symbol(name):
                return self.laws[name].values[0]
            case N.Let(_, body):
                return self.outside(body)
        return rebuild(node, self.outside)

    def everywhere(self, fact: N.Fact) -> Iterable[N.Fact]:
        """The fact at all values of its symbols; once, where they stand inside of averages alone."""
        names = [name for name in self.laws if name in symbols_in(fact)]
        choices = product(*(self.laws[name].values for name in names))
        points = (dict(zip(names, values, strict=True)) for values in choices)
        return dict.fromkeys(rebuild(fact, partial(self._at, values=point)) for point in points)

    def held(self, step: Step, claim: Claim) -> Iterable[N.Relation]:
        """What is given somewhere has the same value at all values of the symbols."""
        facts: list[N.Fact] = [step.fact, *(item.fact for item in claim.assumptions)]
        averages = [x for fact in facts for x in walk(fact) if isinstance(x, N.Expectation)]
        for given in dict.fromkeys(given for average in averages for given in average.given):
            names = [name for name in self.laws if name in symbols_in(given)]
            first, *others = self._values(given, names)
            for other in others:
                yield N.Relation("==", other, first)

    def _mean(self, body: N.Node) -> N.Node:
        """E f = sum_a w_a f_a"""
        parts = self._values(body, [name for name in self.laws if name in symbols_in(body)])
        total = reduce(N.Add, (self._averaged(part) for part in parts))
        return total if len(parts) == 1 else N.Multiply(N.Number(Fraction(1, len(parts))), total)

    def _spread(self, left: N.Node, right: N.Node, times: Times) -> N.Node:
        """Cov(f, g) = sum_{a < b} w_a w_b (f_a - f_b) (g_a - g_b).T, with nothing else random in f and g;
        E f g.T - E f E g.T otherwise"""
        if self._is_random(left) or self._is_random(right):
            return N.Subtract(self._mean(times(left, right)), times(self._mean(left), self._mean(right)))
        names = [name for name in self.laws if name in symbols_in(left) | symbols_in(right)]
        first, second = self._values(left, names), self._values(right, names)
        if len(first) == 1:
            return N.Zeros(times(left, right).shape)
        weight = N.Number(Fraction(1, len(first) ** 2))
        terms = (
            times(N.Subtract(first[a], first[b]), N.Subtract(second[a], second[b]))
            for a, b in combinations(range(len(first)), 2)
        )
        return N.Multiply(weight, reduce(N.Add, terms))

    def _averaged(self, body: N.Node) -> N.Node:
        return N.Expectation(body) if self._is_random(body) else body

    def _is_random(self, body: N.Node) -> bool:
        return bool(symbols_in(body) & (self.claim.random - self.laws.keys()))

    def _values(self, body: N.Node, names: list[str]) -> list[N.Node]:
        choices = product(*(self.laws[name].values for name in names))
        return [self._at(body, dict(zip(names, values, strict=True))) for values in choices]

    def _at(self, node: N.Node, values: dict[str, N.Node]) -> N.Node:
        """The tree at one value of each symbol; an average inside is one over fresh draws."""
        if not symbols_in(node) & values.keys():
            return node
        match node:
            case N.Symbol(name):
                return values[name]
            case N.Let(_, body):
                return self._at(body, values)
        if isinstance(node, _AVERAGES):
            return self.outside(node)
        return rebuild(node, lambda child: self._at(child, values))
