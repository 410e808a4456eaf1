"""Claims about a few numbers that are made of matrices, as claims about any such numbers.

    norm(x)**2 + c * sum(p[t], t, 1, n) <= ...     becomes     u**2 + c * v <= ...     for all u >= 0, v >= 0

with a letter for each scalar that is made of fixed matrices, in the relation and in what is assumed of these
scalars; assumptions that speak of anything else are dropped. What is true for all values of the letters is
true of the numbers that they stand for. The other way round nothing follows.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from verifier.claim.model import Assumption, Claim, Step
from verifier.expr import nodes as N
from verifier.expr.dims import SCALAR
from verifier.expr.symbols import Declared, Interval, Real
from verifier.expr.text import to_text
from verifier.expr.walk import children, expand_lets, rebuild, walk
from verifier.reformulate.function_families import Instance

ARITHMETIC = (N.Add, N.Subtract, N.Multiply, N.Divide, N.Negate, N.Power, N.Apply)
MADE = (N.Norm, N.Sum, N.Trace, N.Inner, N.Entry, N.MatMul)
MOST_LETTERS = 8
ZERO = N.Number(Fraction(0))


class _Opaque(Exception):
    """A part that is more than a number made of fixed matrices."""


def with_letters(claim: Claim, step: Step) -> Instance | None:
    """The inequality between letters; None where no assumption relates what they stand for."""
    fact = step.fact
    if not isinstance(fact, N.Relation) or fact.op == "==" or claim.layers is not None or claim.growing:
        return None
    if any(item.constraint is None for item in claim.assumptions):
        return None
    writer = _Writer(claim)
    try:
        told = writer.relation(fact)
    except _Opaque:
        return None
    assumptions = tuple(writer.kept())
    if not any(_speaks_of(item.fact, writer.made) for item in assumptions):
        return None
    facts = (told, *(item.fact for item in assumptions))
    used = {part.name for fact in facts for part in walk(fact) if isinstance(part, N.Symbol)}
    symbols = {name: known for name, known in {**claim.symbols, **writer.made}.items() if name in used}
    where = {name: value for name, value in claim.where.items() if name in used}
    changed = replace(claim, symbols=symbols, lets=(), assumptions=assumptions, where=where, sweep={})
    forms = tuple(f"{name} for {to_text(node)}" for node, name in writer.letters.items())
    return Instance(changed, replace(step, fact=told), forms, wider=True)


def _speaks_of(fact: N.Fact, names: dict[str, Declared]) -> bool:
    return any(isinstance(part, N.Symbol) and part.name in names for part in walk(fact))


@dataclass
class _Writer:
    claim: Claim
    letters: dict[N.Node, str] = field(default_factory=dict)
    made: dict[str, Declared] = field(default_factory=dict)

    def kept(self) -> Iterator[Assumption]:
        """The assumptions about the scalars of the relation, and no new ones."""
        for item in self.claim.assumptions:
            inner = _Writer(self.claim, dict(self.letters), dict(self.made))
            try:
                fact = inner.relation(item.fact)
            except _Opaque:
                continue
            if inner.letters == self.letters:
                yield replace(item, fact=fact, written=None)

    def relation(self, fact: N.Fact) -> N.Relation:
        if not isinstance(fact, N.Relation) or not fact.left.shape.is_scalar:
            raise _Opaque
        return replace(fact, left=self.scalar(fact.left), right=self.scalar(fact.right))

    def scalar(self, node: N.Node) -> N.Node:
        """Arithmetic stays; what it is made of becomes letters."""
        match node:
            case N.Number() | N.Pi():
                return node
            case N.Symbol() if node.shape.is_scalar and not self.claim.symbols[node.name].is_random:
                return node
            case N.Let(_, body):
                return self.scalar(body)
        if isinstance(node, ARITHMETIC) and all(child.shape.is_scalar for child in children(node)):
            return rebuild(node, self.scalar)
        if isinstance(node, MADE):
            return self._letter(expand_lets(node))
        raise _Opaque

    def _letter(self, node: N.Node) -> N.Node:
        if node not in self.letters:
            if len(self.letters) == MOST_LETTERS or not all(map(self._is_fixed, walk(node))):
                raise _Opaque
            name = f"letter_{len(self.letters) + 1}"
            while name in self.claim.symbols:
                name += "_"
            kind = Interval(ZERO, N.Infinity()) if self.claim.values(node).is_nonnegative else Real()
            self.letters[node], self.made[name] = name, Declared(name, kind, SCALAR)
        return N.Symbol(self.letters[node])

    def _is_fixed(self, part: object) -> bool:
        """Nothing random, no mean, limit or derivative, and no index that is bound outside."""
        if isinstance(part, N.Symbol | N.Member):
            return part.name in self.claim.symbols and not self.claim.symbols[part.name].is_random
        return not isinstance(
            part, N.Expectation | N.Variance | N.Covariance | N.Derivative | N.Limit | N.Extreme | N.Called
        )
