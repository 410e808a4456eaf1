"""Means of products of normal numbers and of steps of linear functions of them.

By parts, E(w*f) = E(w)*E(f) + sum of Cov(w, g)*E(slope of f by g) over all that f looks at. The slope of a
step is all weight where its argument is 0: the density there, times the mean given that, under which the
others are normal again. What is left is the chance that numbers are positive together:

    P(a > 0) = Phi(E(a)/std(a)),  P(a, b > 0) = 1/4 + asin(r)/(2*pi),
    P(a, b, c > 0) = 1/8 + sum of asin(r)/(4*pi)

of centred ones with correlations r. Phi(l) is the chance that l - u is positive, with a standard normal u of
its own. A step stands beside its own argument (relu, abs, max), and then all is continuous where that is 0
with certainty, or is a slope that has no value there; an event needs a variance that is positive.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from flint import fmpq

from verifier.expr.dims import Dim
from verifier.expr.nodes import Node
from verifier.expr.symbols import Normal
from verifier.kernel.normal.algebra import with_value
from verifier.kernel.normal.atoms import (
    NOTHING,
    UNIT,
    Atom,
    Entry,
    Exponent,
    Function,
    Monomial,
    Net,
    Poly,
    Same,
    constant,
    inner_atoms,
    monomial,
    of_atom,
    scaled,
    total,
)
from verifier.kernel.normal.drawn import degree_in
from verifier.kernel.normal.renaming import Ranges
from verifier.kernel.rejected import Rejected

if TYPE_CHECKING:
    from verifier.kernel.normal.means import Means

HALF = Fraction(1, 2)
PI = of_atom(Function("pi"))
KINDS = frozenset({"step", "above", "Phi", "erf"})
MOST_ITEMS, MOST_STEPS, MOST_SPLITS = 8, 3, 4
Names = frozenset[str]


@dataclass(frozen=True)
class Step:
    """1 where a linear function, less a standard normal number of its own if it is `blurred`, is positive."""

    form: Poly
    blurred: bool


def over_steps(algebra: "Means", powers: Monomial, draws: Names) -> Poly | None:
    """The mean over all draws of a product with steps of linear functions of normal draws in it: of these
    together, then of the others. None for other products, and where it is not known."""
    if not any(has_steps(atom, draws) for atom, _ in powers):
        return None
    whole = Poly({powers: fmpq(1)})
    normal = frozenset(name for name in draws & whole.names if is_normal(algebra, name))
    if beside := frozenset(name for name in normal if not _is_in_function(powers, name)):
        found = algebra.by_law(whole, beside)  # what stands there as entries alone
        return algebra.by_law(found, draws - beside)
    for names in _choices(normal):
        try:
            inner = _over(algebra, whole, names, ())
            mean = None if inner is None else algebra.by_law(inner, draws - names)
            if mean is not None and not names & mean.names:
                return algebra.solved(mean)
        except Rejected as rejected:
            if rejected.reason not in ("outside", "undefined"):
                raise
    return None


def has_steps(atom: Atom, draws: Names) -> bool:
    match atom:
        case Function(name) if name in KINDS:
            return bool(draws & atom.names)
        case Net(_, factors):
            return any(has_steps(part, draws) for part, _ in factors)
    return False


def _is_in_function(powers: Monomial, name: str) -> bool:
    for atom, _ in powers:
        match atom:
            case Net(_, factors) if _is_in_function(factors, name):
                return True
            case Entry() | Net():
                continue
        if name in atom.names:
            return True
    return False


def is_normal(algebra: "Means", name: str) -> bool:
    """A normal law that depends on no draw."""
    kind, context = algebra.context.symbols[name].kind, algebra.context
    values = (value for value in vars(kind).values() if isinstance(value, Node))
    fixed = not any(context.is_random(other) for value in values for other in context.reach(value))
    return isinstance(kind, Normal) and fixed


def _choices(names: Names) -> Iterator[Names]:
    """The draws that may be integrated first: all, all but one, one."""
    found = [names, *(names - {name} for name in sorted(names)), *(frozenset({n}) for n in sorted(names))]
    yield from dict.fromkeys(choice for choice in found if choice)


def _over(algebra: "Means", whole: Poly, names: Names, apart: tuple[Same, ...]) -> Poly | None:
    """The mean over these draws of a sum of such products. Two steps at places that may be one and the same
    are one where they are, and look at different places where they are not."""
    parts = []
    for powers, factor in whole.terms.items():
        bound: Ranges = {}
        inside = [(atom, power) for atom, power in powers if names & atom.names]
        beside = Poly({tuple(item for item in powers if item not in inside): factor})
        opened = list(algebra.opened_all(inside, "", bound))
        if (blurred := _without_erf(algebra, opened, names)) is not None:
            again = _over(algebra, blurred, names, apart)
            if again is None:
                return None
            parts.append(algebra.times(beside, algebra.close(bound, again)))
            continue
        read = _read(opened, names)
        if read is None:
            return None
        items, steps, others = read
        joint = Joint(algebra, names, apart)
        if (same := joint.meeting(steps)) is not None:
            again = _by_places(algebra, opened, names, apart, same)
        else:
            _require_spread(algebra, joint, opened, names)
            again = algebra.times(others, joint.mean_of(tuple(items), tuple(steps), ()))
        if again is None:
            return None
        parts.append(algebra.times(beside, algebra.close(bound, again)))
    return total(parts)


def _by_places(
    algebra: "Means", opened: list[tuple[Atom, Exponent]], names: Names, apart: tuple[Same, ...], same: Same
) -> Poly | None:
    first, second = sorted(
        (same.left, same.right), key=lambda at: (at == Dim.of(min(at.names, default="")), str(at))
    )
    index = min(second.names, default="")
    if second != Dim.of(index) or index in first.names or len(apart) >= MOST_SPLITS:
        raise Rejected("outside", "places that may be one and the same")
    whole = UNIT
    for atom, power in opened:
        whole = algebra.times(whole, Poly({((atom, power),): fmpq(1)}))
    together = _over(algebra, algebra.substituted(whole, index, first), names, apart)
    separate = _over(algebra, whole, names, (*apart, same))
    if together is None or separate is None:
        return None
    other = total((UNIT, scaled(of_atom(same), fmpq(-1))))
    return total((algebra.times(of_atom(same), together), algebra.times(other, separate)))


def _without_erf(algebra: "Means", opened: list[tuple[Atom, Exponent]], names: Names) -> Poly | None:
    """erf(l) = 2*Phi(sqrt(2)*l) - 1; None where there is none."""
    found, some = UNIT, False
    for atom, power in opened:
        match atom:
            case Function("erf", (arg,)) if names & arg.names and isinstance(power, int) and power > 0:
                grown = algebra.times(algebra.root(constant(2), HALF), arg)
                part = total((scaled(algebra.function("Phi", (grown,)), fmpq(2)), constant(-1)))
                found, some = algebra.times(found, algebra.power(part, power)), True
            case _:
                found = algebra.times(found, Poly({((atom, power),): fmpq(1)}))
    return found if some else None


def _read(opened: list[tuple[Atom, Exponent]], names: Names) -> tuple[list[Poly], list[Step], Poly] | None:
    """Entries, steps, and what does not depend on the draws; None where there is something else."""
    items: list[Poly] = []
    steps: list[Step] = []
    others: dict[Atom, Exponent] = {}
    for atom, power in opened:
        if not names & atom.names:
            others[atom] = others.get(atom, 0) + power
            continue
        if not isinstance(power, int) or power < 0:
            return None
        match atom:
            case Entry():
                items += [of_atom(atom)] * power
            case Function("step" | "above", (arg,)) if is_linear(arg, names):
                steps.append(Step(arg, False))
            case Function("Phi", (arg,)) if is_linear(arg, names):
                steps += [Step(arg, True)] * power
            case _:
                return None
    steps = [step for at, step in enumerate(steps) if step.blurred or step not in steps[:at]]
    if len(steps) > MOST_STEPS or len(items) > MOST_ITEMS:
        return None
    return items, steps, Poly({monomial(others): fmpq(1)})


def is_linear(arg: Poly, names: Names) -> bool:
    return all(degree_in(powers, names) in (0, 1) for powers in arg.terms)


def _require_spread(
    algebra: "Means", joint: "Joint", opened: list[tuple[Atom, Exponent]], names: Names
) -> None:
    """An event has another chance where what it is about does not vary at all."""
    for atom, _ in opened:
        match atom:
            case Function("above", (arg,)) if names & arg.names:
                if not algebra.is_positive(joint.variance(Step(arg, False), ())):
                    raise Rejected("outside", "an event about what may not vary")


@dataclass
class Joint:
    """The joint law of linear functions of normal draws, at places of which some are known to be apart.

    A mean is a continuous function of covariances, also where a variance that it is divided by is 0. So an
    equation with it is true there too, if it is one for all values of what covariances are made of: once
    these are known no assumed equation about them is used for it (`Means.edges`)."""

    algebra: "Means"
    names: Names
    apart: tuple[Same, ...]
    known: dict[tuple[object, ...], Poly] = field(default_factory=dict)

    def meeting(self, steps: list[Step]) -> Same | None:
        """Places that may be one and the same, at which two steps look."""
        for a, b in combinations(steps, 2):
            for atom in self.covariance(a.form, b.form, ()).atoms():
                if isinstance(atom, Same):
                    return atom
        return None

    def mean(self, form: Poly, given: tuple[Step, ...]) -> Poly:
        if not given:
            return self._by_law(form)
        *before, last = given
        less = self._moved(form, tuple(before), last, self.mean(last.form, tuple(before)))
        return total((self.mean(form, tuple(before)), scaled(less, fmpq(-1))))

    def covariance(self, first: Poly, second: Poly, given: tuple[Step, ...]) -> Poly:
        key = first.key, second.key, given
        if key not in self.known:
            if not given:
                times = self.algebra.times
                whole, split = (
                    self._by_law(times(first, second)),
                    times(self._by_law(first), self._by_law(second)),
                )
            else:
                *before, last = given
                whole = self.covariance(first, second, tuple(before))
                split = self._moved(
                    first, tuple(before), last, self.covariance(last.form, second, tuple(before))
                )
            self.known[key] = total((whole, scaled(split, fmpq(-1))))
        return self.known[key]

    def variance(self, step: Step, given: tuple[Step, ...]) -> Poly:
        """Of a step, to divide by it."""
        found = self.covariance(step.form, step.form, given)
        found = total((found, UNIT)) if step.blurred else found
        if not self.algebra.is_positive(found):
            self.algebra.edges |= set(inner_atoms(found))
        return found

    def _moved(self, form: Poly, before: tuple[Step, ...], last: Step, beside: Poly) -> Poly:
        slope = self.covariance(form, last.form, before)
        if not slope.terms or not beside.terms:
            return NOTHING
        return self.algebra.product(slope, self.algebra.inverse(self.variance(last, before)), beside)

    def _by_law(self, poly: Poly) -> Poly:
        found = self.algebra.by_law(poly, self.names)
        for same in self.apart:
            found = with_value(found, same, 0)
        return self.algebra.cancelled(self.algebra.solved(found))

    def mean_of(self, items: tuple[Poly, ...], steps: tuple[Step, ...], given: tuple[Step, ...]) -> Poly:
        """The mean of a product of numbers and of steps, given that other steps are at their edge."""
        self.algebra.budget.spend(1)
        if not items:
            return self._chance(steps, given)
        first, *rest = items
        parts = []
        if (centre := self.mean(first, given)).terms:
            parts.append(self.algebra.times(centre, self.mean_of(tuple(rest), steps, given)))
        for at, other in enumerate(rest):
            if (tie := self.covariance(first, other, given)).terms:
                left = (*rest[:at], *rest[at + 1 :])
                parts.append(self.algebra.times(tie, self.mean_of(left, steps, given)))
        for at, step in enumerate(steps):
            if (tie := self.covariance(first, step.form, given)).terms:
                inner = self.mean_of(tuple(rest), (*steps[:at], *steps[at + 1 :]), (*given, step))
                if inner.terms:
                    parts.append(self.algebra.product(tie, self._density(step, given), inner))
        return total(parts)

    def _density(self, step: Step, given: tuple[Step, ...]) -> Poly:
        """At 0."""
        algebra, spread = self.algebra, self.variance(step, given)
        found = algebra.root(scaled(algebra.times(PI, spread), fmpq(2)), -HALF)
        centre = self.mean(step.form, given)
        if not centre.terms:
            return found
        square = algebra.times(algebra.power(centre, 2), algebra.inverse(spread))
        return algebra.times(found, algebra.function("exp", (scaled(square, fmpq(-1, 2)),)))

    def _chance(self, steps: tuple[Step, ...], given: tuple[Step, ...]) -> Poly:
        algebra, many = self.algebra, len(steps)
        centres = [self.mean(step.form, given) for step in steps]
        if many == 1 and centres[0].terms:
            spread = algebra.root(self.variance(steps[0], given), -HALF)
            return algebra.function("Phi", (algebra.times(centres[0], spread),))
        if any(centre.terms for centre in centres):
            raise Rejected("outside", "several steps that are not centred")
        arcs = []
        for a, b in combinations(steps, 2):
            spread = algebra.times(self.variance(a, given), self.variance(b, given))
            ratio = algebra.times(self.covariance(a.form, b.form, given), algebra.root(spread, -HALF))
            arcs.append(algebra.function("asin", (ratio,)))
        sides = scaled(algebra.times(total(arcs), algebra.inverse(PI)), fmpq(1, 2 ** max(many - 1, 0)))
        return total((constant(Fraction(1, 2**many)), sides))
