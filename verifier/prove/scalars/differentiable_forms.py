"""When a closed form in which assumed values stand already may be differentiated.

D(E(f), t) = E(D(f, t)) has for each name A with an assumed value the term E(D(f, A) dA), where dA is the
derivative at that value of what made A; a closed form has d(value) in its place. Both are the same where

    A = relu(u) == u          on that branch dA = du, which is d(value);
    neither moves             dA = 0 = d(value);
    the value does not move   and A = f(u) with u odd in a W of a symmetric law that is nowhere else:
                              E(D(f, A) f' du) = 0, as W -> -W changes the sign of du and of nothing else.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from verifier.claim.model import Assumption, Claim
from verifier.expr import nodes as n
from verifier.expr.symbols import Dimension
from verifier.expr.walk import distinct, rebuild
from verifier.prove.lower.interchange import is_touched, names_in
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.vanishing_means import changes_sign


def differentiable(claim: Claim, of: n.Node, by: n.Node) -> Claim:
    """The claim in which `of` may be put into closed form before D by a scalar is taken.

    Substitutions that move with it are left out here; they enter once the derivative is taken."""
    kept = tuple(a for a in claim.assumptions if not _moves_a_scalar(claim, a, of, by))
    made = replace(claim, assumptions=kept)
    moving = names_in(by)
    if claim.layers is not None and names_in(claim.layers.next) & moving:
        moving |= {claim.layers.state.name}
    for assumption in kept:
        if assumption.substitution is not None and names_in(assumption.substitution[1]) & names_in(by):
            raise Refused("a derivative by a symbol that an assumption substitutes")
    seen = Seen(made, of, moving)
    for let, value in seen.given:
        if not seen.is_steady(let, value):
            raise Refused(f"a derivative through {let.name}, which has an assumed value")
    return made


def _moves_a_scalar(claim: Claim, assumption: Assumption, of: n.Node, by: n.Node) -> bool:
    found = assumption.substitution
    if found is None or not found[0].shape.is_scalar:
        return False
    if isinstance(claim.symbols[found[0].name].kind, Dimension):
        return False
    return is_touched(replace(claim, assumptions=(assumption,)), n.Add(found[0], by), by)


@dataclass(frozen=True)
class Seen:
    """An expression and the names in it that move."""

    claim: Claim
    of: n.Node
    moving: frozenset[str]

    @property
    def trees(self) -> tuple[n.Node, ...]:
        layers = self.claim.layers
        return (self.of,) if layers is None else (self.of, layers.next)

    @property
    def given(self) -> tuple[tuple[n.Let, n.Node], ...]:
        """The names with assumed values that occur."""
        found = [pair for a in self.claim.assumptions if (pair := a.assumed_value) is not None]
        inside = frozenset().union(*map(names_in, self.trees))
        return tuple(pair for pair in found if pair[0].name in inside)

    def is_steady(self, let: n.Let, value: n.Node) -> bool:
        """Whether the closed form moves as the derivative does, on average."""
        match let.body:
            case n.Apply("relu" | "abs", (arg,)) if arg == value:
                return True
        if names_in(value) & self.moving:
            return False
        if not names_in(let.body) & self.moving:
            return True
        match let.body:
            case n.RowWise("softmax", arg) | n.Apply(_, (arg,)):
                return any(changes_sign(self._drawn, arg, name) for name in self._alone(let))
        return False

    @property
    def _drawn(self) -> Claim:
        """The claim with the symbols that a layer draws among its own."""
        layers = self.claim.layers
        if layers is None:
            return self.claim
        return replace(self.claim, symbols={**self.claim.symbols, **{x.name: x for x in layers.symbols}})

    def _alone(self, let: n.Let) -> Iterator[str]:
        """Random symbols that are in what made this name, and nowhere else once all values have entered."""
        if any(isinstance(part, n.Expectation) and part.given for part in distinct(self.of)):
            return
        values = {pair[0].name: pair[1] for pair in self.given}
        elsewhere = frozenset().union(*(names_in(_entered(tree, values)) for tree in self.trees))
        for other, value in self.given:
            elsewhere |= names_in(_entered(value, values))
            if other.name != let.name:
                elsewhere |= names_in(_entered(other.body, values))
        yield from sorted((names_in(let.body) & self._drawn.random) - elsewhere)


def _entered(tree: n.Node, values: dict[str, n.Node]) -> n.Node:
    """The tree with the assumed values in it."""

    def change(node: n.Node) -> n.Node:
        if isinstance(node, n.Let) and node.name in values:
            rest = {name: value for name, value in values.items() if name != node.name}
            return _entered(values[node.name], rest)
        return rebuild(node, change)

    return change(tree)
