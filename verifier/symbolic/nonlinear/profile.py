"""A relation between means of one normal variable, as a relation between what is averaged.

Where both sides are one and the same positive sum T over entries u_i of variance v_i,

    left  = T(E f(u)),                       right = T(E p(u)),
    E |u|**k = v**(k/2) E |z|**k,            z ~ N(0, 1),

so that powers of the variances become powers of |u|, the relation follows from f(u) <= p(u) for every u,
or, for centred u, from f(u) + f(-u) <= p(u) + p(-u).
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import prod

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.walk import walk
from verifier.symbolic.clock import Clock
from verifier.symbolic.constraints import positive_components, scalar_bounds
from verifier.symbolic.decide import sides
from verifier.symbolic.forms import scalar
from verifier.symbolic.labels import key, slot
from verifier.symbolic.lower import Lowering
from verifier.symbolic.network import Coefficient, Monomial, Sum, Tensor
from verifier.symbolic.network.ring import to_fraction
from verifier.symbolic.network.sums import flatten
from verifier.symbolic.opaque import U
from verifier.symbolic.positive import Signs
from verifier.symbolic.reading import read
from verifier.symbolic.refusal import OutOfTime, Refusal
from verifier.symbolic.scalars import root
from verifier.symbolic.splice import replaced
from verifier.symbolic.trees import coefficient_tree, number, product, raised, total
from verifier.symbolic.workspace import Workspace
from verifier.symbolic.write import Writer

_HIGHEST = 6
Template = Callable[[Sum], Sum]
Basis = list[tuple[Sum, N.Node]]


@dataclass(frozen=True)
class Profile:
    """left(u) and right(u), to be compared under u ~ N(centre, variance); None: the variance as a tree of
    the language is not known."""

    left: N.Node
    right: N.Node
    centred: bool
    variance: N.Node | None


def profile(claim: Claim, fact: N.Relation, clock: Clock) -> Profile | None:
    """What is averaged on both sides; None where they are not means of one variable alone."""

    def use(lowering: Lowering) -> Profile:
        lowering.space.means = {}
        found = sides(lowering, fact)
        return _Reading(lowering, found.left.value, found.right.value).profile()

    try:
        return read(claim, [fact.left, fact.right], clock, use)
    except (Refusal, OutOfTime):
        return None


@dataclass(frozen=True, eq=False)
class _Reading:
    lowering: Lowering
    left: Sum
    right: Sum

    @property
    def space(self) -> Workspace:
        return self.lowering.space

    def profile(self) -> Profile:
        first = next(
            (t for s in (self.left, self.right) for t in sorted(s.tensors()) if self._is_mean(t)), None
        )
        if first is None:
            raise Refusal("a mean of one variable")
        which = self.left if first in self.left.tensors() else self.right
        part = self._parts(which)[first]
        opaque = self.space.opaque[first]
        variance, centre = opaque.argument, self._centre(first)

        def template(entry: Sum) -> Sum:
            return replaced(part, first, entry)

        self._require_positive(template, opaque.spaces)
        basis = self._powers(variance) if not centre else self._shifted(variance, centre)
        bodies = [self._body(side, template, basis, first) for side in (self.left, self.right)]
        return Profile(bodies[0], bodies[1], not centre, self._tree(variance, opaque.spaces))

    def _is_mean(self, tensor: str) -> bool:
        opaque = self.space.opaque.get(tensor)
        return opaque is not None and opaque.function in (self.space.means or ())

    def _centre(self, tensor: str) -> Sum:
        assert self.space.means is not None
        return self.space.means[self.space.opaque[tensor].function].centre

    def _parts(self, value: Sum) -> dict[str | None, Sum]:
        """The terms of a sum by the one mean that stands in them."""
        found: dict[str | None, dict[Monomial, Coefficient]] = {}
        for monomial, coefficient in value.terms.items():
            means = [name for name, _ in flatten(monomial) if self._is_mean(name)]
            if len(means) > 1:
                raise Refusal("a product of means")
            found.setdefault(means[0] if means else None, {})[monomial] = coefficient
        return {name: Sum(value.frame, terms) for name, terms in found.items()}

    def _require_positive(self, template: Template, spaces: tuple[str, ...]) -> None:
        """The template is a sum with weights that are not negative: it is, of a nonnegative function."""
        entry = self.space.scalar(1)
        if spaces:
            entry = self.space.function("softplus", self._probe(spaces))
        known = Signs(self.space, scalar_bounds(self.lowering), positive_components(self.lowering))
        if not known.proves(template(entry)):
            raise Refusal("the sign of what means are multiplied with")

    def _probe(self, spaces: tuple[str, ...]) -> Sum:
        name = self.space.declare(Tensor("_probe_" + "_".join(spaces), spaces))
        return self.space.factor(name, tuple(slot(k) for k in range(len(spaces))))

    def _powers(self, variance: Sum) -> Basis:
        """v**(k/2) is the mean of |u|**k/E|z|**k."""
        spread = root(self.space, variance)
        found: Basis = []
        for k in range(_HIGHEST, -1, -1):
            size = variance ** (k // 2) if k % 2 == 0 else spread * variance ** (k // 2)
            base: N.Node = U if k % 2 == 0 else N.Apply("abs", (U,))
            found.append((size, N.Divide(raised(base, k), _absolute_moment(k)) if k else number(1)))
        return found

    def _shifted(self, variance: Sum, centre: Sum) -> Basis:
        """E u = m, E u**2 = m**2 + v"""
        one = self.space.scalar(1)
        return [(centre * centre + variance, raised(U, 2)), (centre, U), (one, number(1))]

    # --- what is averaged ---------------------------------------------------------------------

    def _body(self, side: Sum, template: Template, basis: Basis, first: str) -> N.Node:
        assert self.space.means is not None
        terms: list[N.Node] = []
        opaque = self.space.opaque[first]
        for tensor, part in self._parts(side).items():
            if tensor is None:
                terms += self._combination(part, [(template(size), body) for size, body in basis])
                continue
            other = self.space.opaque[tensor]
            same = key(other.argument) == key(opaque.argument)
            if not same or key(self._centre(tensor)) != key(self._centre(first)):
                raise Refusal("means of variables of different laws")
            entry = self.space.factor(tensor, tuple(slot(k) for k in range(len(other.spaces))))
            terms += self._combination(part, [(template(entry), self.space.means[other.function].body)])
        return total(terms)

    def _combination(self, value: Sum, basis: Basis) -> list[N.Node]:
        """value = sum of numbers times the basis."""
        terms: list[N.Node] = []
        for base, body in basis:
            if not value or not base:
                continue
            weight = self._ratio(value, base)
            if weight is not None:
                value = value - base * weight
                terms.append(product([coefficient_tree(self.space, weight), body]))
        if value:
            raise Refusal("a side that is no combination of means of one variable")
        return terms

    def _ratio(self, value: Sum, base: Sum) -> Coefficient | None:
        """The number c for which a term of value is c times the largest one of the base."""
        monomial = max(base.terms, key=lambda m: (sum(p for _, p in m), sorted(map(repr, m))))
        have = value.terms.get(monomial)
        if have is None:
            return None
        split, wanted = self._split(have), self._split(base.terms[monomial])
        exponents = max(wanted)
        if exponents not in split or not wanted[exponents].is_constant():
            return None
        lead = to_fraction(wanted[exponents].leading_coefficient())
        return split[exponents] * self.space.ring(1 / lead)

    def _split(self, value: Coefficient) -> dict[tuple[int, ...], Coefficient]:
        """A coefficient by the powers of what is no number: generators that stand for numbers stay inside."""
        names = self.space.ring.names
        meaning = self.space.meaning
        symbolic = [n in meaning and any(isinstance(x, N.Symbol) for x in walk(meaning[n])) for n in names]
        found: dict[tuple[int, ...], Coefficient] = {}
        for exponents, amount in value.to_dict().items():
            outside = tuple(int(p) if s else 0 for p, s in zip(exponents, symbolic, strict=True))
            inside = self.space.ring(to_fraction(amount))
            for name, power, s in zip(names, exponents, symbolic, strict=True):
                if power and not s:
                    inside = inside * self.space.ring[name] ** int(power)
            found[outside] = found.get(outside, self.space.ring(0)) + inside
        return found

    def _tree(self, variance: Sum, spaces: tuple[str, ...]) -> N.Node | None:
        if spaces:
            return None
        try:
            return Writer(self.space).form(scalar(variance))
        except Refusal:
            return None


def _absolute_moment(k: int) -> N.Node:
    """E|z|**k = (k - 1)!!, times sqrt(2/pi) for odd k"""
    double = number(prod(range(k - 1, 0, -2)))
    return double if k % 2 == 0 else product([double, N.Apply("sqrt", (N.Divide(number(2), N.Pi()),))])
