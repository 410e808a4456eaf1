"""A relation between means of one normal variable, as a relation between what is averaged.

Where both sides are one and the same positive sum T over entries u_i of variance v_i, given weights of
other layers that may be random themselves,

    left  = T(E f(u)),                       right = T(E p(u)),
    E |u|**k = v**(k/2) E |z|**k,            z ~ N(0, 1),

so that powers of the variances become powers of |u|, the relation follows from f(u) <= p(u) for every u,
or, for centred u, from f(u) + f(-u) <= p(u) + p(-u).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import prod

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.walk import walk
from verifier.prove.bounds.positive_sums import Signs
from verifier.prove.equal.closed_relation import sides
from verifier.prove.equal.small_integer_points import needed
from verifier.prove.forms.deadline import Clock
from verifier.prove.forms.labels import key, slot
from verifier.prove.forms.matrix_forms import scalar
from verifier.prove.forms.opaque_functions import Mean, U
from verifier.prove.forms.refusal import OutOfTime, Refusal
from verifier.prove.forms.scalar_sums import root
from verifier.prove.forms.small_trees import coefficient_tree, number, product, raised, total
from verifier.prove.forms.splice import replaced
from verifier.prove.forms.workspace import Workspace
from verifier.prove.lower.assumption_rules import positive_components, scalar_bounds
from verifier.prove.lower.both_sides import read
from verifier.prove.lower.lower import Lowering
from verifier.prove.networks import Coefficient, Monomial, Sum, Tensor
from verifier.prove.networks.network_sums import flatten
from verifier.prove.networks.ring import to_fraction
from verifier.prove.write.write_sums import Writer

_HIGHEST = 6
Template = Callable[[Sum], Sum]
Basis = list[tuple[Sum, N.Node]]


@dataclass(frozen=True)
class Profile:
    """left(u) and right(u), to be compared under u ~ N(centre, variance); None: the variance as a tree of
    the language is not known. positive: the variance and the weight of the means are not zero."""

    left: N.Node
    right: N.Node
    centred: bool
    variance: N.Node | None
    positive: bool


def profile(claim: Claim, fact: N.Relation, clock: Clock) -> Profile | None:
    """What is averaged on both sides; None where they are not means of one variable alone.

    What is random outside a mean, or given in one, is any fixed value there, and not averaged over."""
    averages = any(isinstance(x, N.Expectation | N.Variance | N.Covariance) for x in walk(fact))
    if not averages or claim.random.intersection(needed(claim, fact)):
        return None

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
    """constants_only: the sides may differ by nothing but numbers times the same weights."""

    lowering: Lowering
    left: Sum
    right: Sum
    constants_only: bool = False

    @property
    def space(self) -> Workspace:
        return self.lowering.space

    def profile(self) -> Profile:
        flat = self._flattened()
        if flat is not None:
            return flat.profile()
        first = next((t for s in self._both for t in sorted(s.tensors()) if self._is_mean(t)), None)
        if first is None:
            raise Refusal("a mean of one variable")
        which = self.left if first in self.left.tensors() else self.right
        opaque = self.space.opaque[first]
        variance, centre = opaque.argument, self._centre(first)
        self._require_plain()
        part = self._positive(self._parts(which)[first], first)

        def template(entry: Sum) -> Sum:
            return part if first in entry.tensors() else replaced(part, first, entry)

        basis = self._powers(variance) if not centre else self._shifted(variance, centre)
        if self.constants_only:
            basis = [(self.space.scalar(1), number(1))]
        bodies = [self._body(side, template, basis, first) for side in self._both]
        weights = (variance, template(self.space.scalar(1)))
        positive = not opaque.spaces and all(self._signs.proves(w, strict=True) for w in weights)
        return Profile(bodies[0], bodies[1], not centre, self._tree(variance, opaque.spaces), positive)

    def _positive(self, part: Sum, mean: str) -> Sum:
        """T(E f) or -T(E f), whichever is positive where E f is."""
        entry = self._entry(self.space.opaque[mean].spaces)
        for signed in (part, part * -1):
            if self._signs.proves(replaced(signed, mean, entry)):
                return signed
        raise Refusal("the sign of what means are multiplied with")

    def _flattened(self) -> "_Reading | None":
        """Without second derivatives, where only constants are compared with:

        a E g + b E g'' = (a - b/v) E g + b/v**2 E(u**2 g) lies in a [inf g, sup g]   for 0 <= b <= a v
        """
        parts, others = self._parts(self.left), self._parts(self.right)
        if self.constants_only or set(others) - {None} or len(set(parts) - {None}) != 2:
            return None  # of several such pairs, each is averaged with weights of its own
        left, used = self.left, False
        for tensor, part in parts.items():
            plain = None if tensor is None else self._twice_integrated(tensor, parts)
            if tensor is None or plain is None:
                continue
            opaque = self.space.opaque[tensor]
            entry = self._entry(opaque.spaces)
            bend, base = replaced(part, tensor, entry), replaced(parts[plain], plain, opaque.argument * entry)
            if self._signs.proves(bend) and self._signs.proves(base - bend):
                left, used = left - part, True
        return replace(self, left=left, constants_only=True) if used else None

    def _twice_integrated(self, tensor: str, parts: dict[str | None, Sum]) -> str | None:
        """The mean of g of the same variable beside one of g''."""
        match self._mean(tensor).body:
            case N.Derivative(N.Derivative(body, _), _):
                for other in parts:
                    if other is not None and self._mean(other).body == body and self._same_law(tensor, other):
                        return other
        return None

    @property
    def _both(self) -> tuple[Sum, Sum]:
        return self.left, self.right

    @property
    def _signs(self) -> Signs:
        return Signs(self.space, scalar_bounds(self.lowering), positive_components(self.lowering))

    def _entry(self, spaces: tuple[str, ...]) -> Sum:
        """Any numbers that are not negative, one for each variable."""
        if not spaces:
            return self.space.scalar(1)
        name = self.space.declare(Tensor("_probe_" + "_".join(spaces), spaces))
        at = self.space.factor(name, tuple(slot(k) for k in range(len(spaces))))
        return self.space.function("softplus", at)

    def _mean(self, tensor: str) -> Mean:
        assert self.space.means is not None
        return self.space.means[self.space.opaque[tensor].function]

    def _same_law(self, first: str, second: str) -> bool:
        a, b = self.space.opaque[first], self.space.opaque[second]
        centres = [key(self._centre(name)) for name in (first, second)]
        return key(a.argument) == key(b.argument) and centres[0] == centres[1]

    def _require_plain(self) -> None:
        """What is still random, given which a mean was taken, stands in no function but the means."""
        for tensor in self.left.tensors() | self.right.tensors():
            opaque = self.space.opaque.get(tensor)
            if opaque is not None and not self._is_mean(tensor) and opaque.depends & self.space.claim.random:
                raise Refusal("a function of means")

    def _expected(self, value: Sum) -> Sum:
        """E over what is still random, in closed form."""
        kept, self.space.means = self.space.means, None
        try:
            return self.lowering.integrator.expect(value, frozenset())
        finally:
            self.space.means = kept

    def _is_mean(self, tensor: str) -> bool:
        opaque = self.space.opaque.get(tensor)
        return opaque is not None and opaque.function in (self.space.means or ())

    def _centre(self, tensor: str) -> Sum:
        return self._mean(tensor).centre

    def _parts(self, value: Sum) -> dict[str | None, Sum]:
        """The terms of a sum by the one mean that stands in them."""
        found: dict[str | None, dict[Monomial, Coefficient]] = {}
        for monomial, coefficient in value.terms.items():
            means = [name for name, _ in flatten(monomial) if self._is_mean(name)]
            if len(means) > 1:
                raise Refusal("a product of means")
            found.setdefault(means[0] if means else None, {})[monomial] = coefficient
        return {name: Sum(value.frame, terms) for name, terms in found.items()}

    def _powers(self, variance: Sum) -> Basis:
        """v**(k/2) is the mean of |u|**k/E|z|**k."""
        found: Basis = []
        random = self.space.depends(variance) & self.space.claim.random
        for k in (2, 0) if random else range(_HIGHEST, -1, -1):
            size = variance ** (k // 2) * (root(self.space, variance) if k % 2 else self.space.scalar(1))
            base: N.Node = U if k % 2 == 0 else N.Apply("abs", (U,))
            found.append((size, N.Divide(raised(base, k), _absolute_moment(k)) if k else number(1)))
        return found

    def _shifted(self, variance: Sum, centre: Sum) -> Basis:
        """E u = m, E u**2 = m**2 + v"""
        one = self.space.scalar(1)
        return [(centre * centre + variance, raised(U, 2)), (centre, U), (one, number(1))]

    # --- what is averaged ---------------------------------------------------------------------

    def _body(self, side: Sum, template: Template, basis: Basis, first: str) -> N.Node:
        terms: list[N.Node] = []
        for tensor, part in self._parts(side).items():
            if tensor is None:
                means = [(self._expected(template(size)), body) for size, body in basis]
                terms += self._combination(part, means)
                continue
            other = self.space.opaque[tensor]
            if not self._same_law(tensor, first):
                raise Refusal("means of variables of different laws")
            entry = self.space.factor(tensor, tuple(slot(k) for k in range(len(other.spaces))))
            terms += self._combination(part, [(template(entry), self._mean(tensor).body)])
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
