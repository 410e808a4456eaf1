"""What is said of finitely many members of a sequence, as said of a random vector of any law:

Y[0], Y[3] and X of any joint law  =  R[1], R[2] and R[3] for R: random(3)

Members at different numbers are different; a member Y[i] stands alone, since another may be the same.
Assumptions come along that compare means of such members.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from verifier.claim.model import Assumption, Claim, Step
from verifier.claim.sequences import beyond_points, speaks_of_sequences, without_sequences
from verifier.expr import nodes as N
from verifier.expr.dims import ONE, Dim, Shape
from verifier.expr.symbols import AnyLaw, Declared, JointWith, Sequence
from verifier.expr.text import to_text
from verifier.expr.walk import children, distinct, substitute
from verifier.reformulate.function_families import Instance

Part = N.Member | N.Symbol
_MEANS = N.Expectation | N.Variance | N.Covariance


def of_finitely_many(claim: Claim, step: Step) -> Instance | None:
    """The claim about vectors; None where an index of a member moves, or two may be the same."""
    beyond = beyond_points(claim)
    laws = [item for item in claim.assumptions if item.name in beyond and _is_of_means(claim, item.fact)]
    return _with(claim, step, laws) or (_with(claim, step, []) if laws else None)


def _with(claim: Claim, step: Step, laws: list[Assumption]) -> Instance | None:
    """The same under these assumptions, and under those that do not speak of sequences."""
    facts = [step.fact, *(item.fact for item in laws)]
    moving = {symbol.name for symbol in claim.growing}
    moving |= {node.variable.name for x in facts for node in distinct(x) if isinstance(node, N.Limit)}
    groups = _groups(claim, facts)
    if any(group.may_meet or group.moves(moving) for group in groups):
        return None
    plain, values = without_sequences(claim), dict[N.Node, N.Node]()
    for group in groups:
        values |= group.entries
    asked = replace(step, fact=substitute(step.fact, values))
    lets = {let.name: let for let in plain.lets}
    lets |= {node.name: node for node in distinct(asked.fact) if isinstance(node, N.Let)}
    made = replace(
        plain,
        symbols={**plain.symbols, **{group.vector.name: group.vector for group in groups}},
        lets=tuple(lets.values()),
        assumptions=(*plain.assumptions, *(replace(x, fact=substitute(x.fact, values)) for x in laws)),
        steps=(asked,),
    )
    return Instance(made, asked, tuple(group.form for group in groups if group.form))


@dataclass(frozen=True)
class _Group:
    """The members of one sequence, and what has a joint law with it."""

    name: str
    parts: tuple[Part, ...]

    @property
    def may_meet(self) -> bool:
        """Whether two of them may be the same, or they do not make a vector."""
        places = [part.index for part in self.parts if isinstance(part, N.Member)]
        known = len(places) == 1 or all(isinstance(place, N.Number) for place in places)
        return not known or (len(self.parts) > 1 and not all(part.shape.is_scalar for part in self.parts))

    def moves(self, names: set[str]) -> bool:
        """Whether an index is bound by a sum, or is one of these."""
        places = (part.index for part in self.parts if isinstance(part, N.Member))
        nodes = (node for place in places for node in distinct(place))
        return any(isinstance(x, N.Index) or (isinstance(x, N.Symbol) and x.name in names) for x in nodes)

    @property
    def vector(self) -> Declared:
        """All of them; one alone keeps its name."""
        first, *rest = self.parts
        if not rest:
            return Declared(first.name, AnyLaw(None), first.shape)
        return Declared(self.name, AnyLaw(None), Shape(Dim.of(len(self.parts)), ONE))

    @property
    def entries(self) -> dict[N.Node, N.Node]:
        whole, first = N.Symbol(self.vector.name, self.vector.shape), N.Number(Fraction(1))
        if len(self.parts) == 1:
            return {self.parts[0]: whole}
        places = enumerate(self.parts, start=1)
        return {part: N.Entry(whole, N.Number(Fraction(place)), first) for place, part in places}

    @property
    def form(self) -> str:
        """What the vector stands for; nothing where that is clear."""
        texts = ", ".join(map(to_text, self.parts))
        if len(self.parts) == 1:
            return f"{self.name} = {texts}" if isinstance(self.parts[0], N.Member) else ""
        return f"{self.name} = ({texts})"


def _groups(claim: Claim, facts: list[N.Fact]) -> list[_Group]:
    found: dict[str, dict[Part, None]] = {}
    for fact in facts:
        for name, part in sorted(_parts(claim, fact), key=lambda item: to_text(item[1])):
            found.setdefault(name, {})[part] = None
    return [_Group(name, tuple(parts)) for name, parts in found.items()]


def _parts(claim: Claim, fact: N.Fact) -> Iterator[tuple[str, Part]]:
    """Members, and what has a joint law with a sequence, each with the name of the sequence."""
    for node in distinct(fact):
        if isinstance(node, Part) and node.name in claim.symbols:
            kind = claim.symbols[node.name].kind
            if isinstance(kind, Sequence | JointWith):
                yield kind.sequence if isinstance(kind, JointWith) else node.name, node


def _is_of_means(claim: Claim, fact: N.Fact) -> bool:
    """Whether it compares means: nothing of a sequence is outside of them."""
    if not isinstance(fact, N.Relation | N.Within):
        return False
    todo: list[N.Node] = children(fact)
    while todo:
        node = todo.pop()
        if isinstance(node, Part) and speaks_of_sequences(claim, node):
            return False
        todo += [] if isinstance(node, _MEANS) else children(node)
    return True
