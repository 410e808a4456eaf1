"""E under an assumed independence: E(f**a g**b) = E(f**a) E(g**b), whatever the declared laws say.

What f and g share no random symbol of is so anyway. Roots are met by their squares: powers of norm(q) that
have a closed form are those of norm(q)**2. A weight may hold what neither f nor g depends on.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.scalar_sums import inverse_coefficient
from verifier.prove.forms.subduction import in_terms_of, leading, shifted, tied
from verifier.prove.forms.workspace import Workspace
from verifier.prove.networks import Coefficient, Monomial, Sum

Mean = Callable[[Sum], Sum]


@dataclass(frozen=True, eq=False)
class Apart:
    """Two scalars that are assumed independent, and the random symbols inside them."""

    f: Sum
    g: Sum
    together: frozenset[str]

    @classmethod
    def of(cls, space: Workspace, fact: N.Independent, lower: Callable[[N.Node], Sum]) -> "Apart | None":
        """None where the declared symbols are independent already."""
        f, g = (lower(_squared(side)) for side in (fact.left, fact.right))
        left, right = (space.depends(side) & space.claim.random for side in (f, g))
        if not left & right:
            return None
        if not fact.left.shape.is_scalar or not fact.right.shape.is_scalar:
            raise Refusal("independence of matrices")
        return cls(f, g, left | right)

    def mean(self, space: Workspace, value: Sum, mean: Mean) -> Sum | None:
        """The value as sum_k w_k f**a_k g**b_k, expected factor by factor; None where it is no such sum, or
        may be several: where f is a multiple of g, as for matrices of one entry, no law is as assumed."""
        reduced = self._reduced(space)
        if reduced is None:
            return None
        total = space.scalar(0)
        for weight, part in self._weighed(space, value).items():
            powers = in_terms_of(space, part, self.f, reduced[0])
            if powers is None:
                return None
            powers = shifted(space, powers, reduced[1])
            if len(powers) > len(part.terms):
                return None  # u = (2*f + g)/3 has powers of its own: nobody wrote it as f and g
            outside = Sum(space.frame, {weight: space.ring(1)})
            for (a, b), share in powers.items():
                total = total + outside * mean(self.f**a) * mean(self.g**b) * share
        return total

    def _reduced(self, space: Workspace) -> tuple[Sum, Coefficient] | None:
        """h = g - c f, and c, with a leading term that is no power of f's: u - 2*w and u + w share theirs."""
        found, c = self.g, space.ring(0)
        if self.f and self.g and leading(self.f) == leading(self.g):
            inverse = inverse_coefficient(space, self.f.terms[leading(self.f)])
            c = space.ring.reduce(self.g.terms[leading(self.g)] * inverse)
            found = self.g - self.f * c
        if not self.f or not found:
            return None
        first, second = (self._inside(space, leading(x)) for x in (self.f, found))
        return None if tied(first, second) else (found, c)

    def _weighed(self, space: Workspace, value: Sum) -> dict[Monomial, Sum]:
        """The value by what its monomials hold besides f and g."""
        parts: defaultdict[Monomial, dict[Monomial, Coefficient]] = defaultdict(dict)
        for monomial, coefficient in value.terms.items():
            inside = self._inside(space, monomial)
            parts[monomial - inside][inside] = coefficient
        return {weight: Sum(space.frame, terms) for weight, terms in parts.items()}

    def _inside(self, space: Workspace, monomial: Monomial) -> Monomial:
        return frozenset(item for item in monomial if self._reaches(space, item[0]))

    def _reaches(self, space: Workspace, component: tuple[tuple[str, object], ...]) -> bool:
        names = {name for name, _ in component}
        held = {x for name in names for x in (space.opaque[name].depends if name in space.opaque else {name})}
        return bool(held & self.together)


def _squared(node: N.Node) -> N.Node:
    """norm(A) and abs(a) by their squares, sqrt(a) by a: powers of one are powers of the other."""
    match node:
        case N.Let(_, body):
            return _squared(body)
        case N.Norm(_, "fro") | N.Apply("abs", _):
            return N.Power(node, N.Number(Fraction(2)))
        case N.Apply("sqrt", (arg,)):
            return _squared(arg)
    return node
