"""Directions of normal rows: the length of a row and its direction are independent.

For w ~ N(0, s**2 I) of dimension D and p that is positively homogeneous of degree k, as polynomials, relu,
abs and steps are,

    E(p(w) |w|**(e - k)) = E(p(w)) E(|w|**e)/E(|w|**k),

which is how rows divided by their norm have moments. The row less its mean, c = w - mean(w), is such a
vector of dimension D - 1, with Cov(c_i, c_j) = s**2 (delta_ij - 1/D), and independent of mean(w).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from math import prod

from verifier.expr import nodes as N
from verifier.expr.symbols import Normal
from verifier.prove.forms.function_identities import settled
from verifier.prove.forms.labels import summed
from verifier.prove.forms.least_sizes import least
from verifier.prove.forms.matrix_forms import delta
from verifier.prove.forms.opaque_functions import Opaque
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.scalar_sums import inverse_coefficient
from verifier.prove.forms.workspace import Workspace, constant, is_constant
from verifier.prove.integrate.held_factors import Integrator, Named, held, named
from verifier.prove.integrate.homogeneous import DEGREES, rows_of
from verifier.prove.integrate.radii import Radius, length, radius
from verifier.prove.networks import Coefficient, Sum
from verifier.prove.networks.network_sums import flatten
from verifier.prove.networks.network_tensors import Occurrence

_MOST_BARE = 8
_MOST_ROWS = 4
Place = tuple[str, ...]


@dataclass(frozen=True)
class Rows:
    """Bare entries (their labels), and the total power of the length of each row."""

    bare: tuple[Place, ...]
    lengths: tuple[tuple[Place, int], ...]
    apart: frozenset[tuple[str, str]] = frozenset()

    def renamed(self, old: str, new: str) -> "Rows":
        def moved(labels: Place) -> Place:
            return tuple(new if x == old else x for x in labels)

        lengths = tuple((moved(place), power) for place, power in self.lengths)
        pairs = frozenset((new if a == old else a, new if b == old else b) for a, b in self.apart)
        return Rows(tuple(map(moved, self.bare)), lengths, pairs)


@dataclass(eq=False)
class Directions:
    """E over one normal tensor whose rows occur with their lengths."""

    integrator: Integrator
    tensor: str
    activated: Callable[[Sum], Sum]  # E of what holds no lengths
    _radii: dict[str, Radius] = field(default_factory=dict)
    _homogeneous: dict[str, Opaque] = field(default_factory=dict)
    _unknown: set[str] = field(default_factory=set)

    @property
    def space(self) -> Workspace:
        return self.integrator.space

    def expect(self, value: Sum) -> Sum:
        self._require_isotropic()
        for name in sorted(value.tensors()):
            opaque = self.space.opaque.get(name)
            if opaque is None or self.tensor not in opaque.depends:
                continue
            if opaque.function in DEGREES:
                self._homogeneous[name] = opaque
            else:
                self._radii[name] = radius(self.space, name, self.tensor)
        if len({(r.slots, r.centred) for r in self._radii.values()}) != 1:
            raise Refusal("the expectation of lengths of different parts of the same weights")
        total = self.space.scalar(0)
        for monomial, coefficient in value.terms.items():
            total = total + self._term(flatten(monomial), coefficient)
        if any(self._uses_unknown(coefficient) for coefficient in total.terms.values()):
            raise Refusal("a moment of the length of normal rows that is odd or may be infinite")
        return total

    def _uses_unknown(self, value: Coefficient) -> bool:
        names = self.space.ring.names
        return any(power and names[k] in self._unknown for e in value.to_dict() for k, power in enumerate(e))

    def _require_isotropic(self) -> None:
        match self.space.claim.symbols[self.tensor].kind:
            case Normal(N.Number(Fraction(numerator=0)), std, None, None) if std.shape.is_scalar:
                pass
            case _:
                raise Refusal("the expectation of directions that are not uniform")
        if any(a.independence is not None for a in self.space.claim.assumptions):
            raise Refusal("the expectation of directions under an assumed independence")

    @property
    def _kind(self) -> Radius:
        return next(iter(self._radii.values()))

    def _term(self, factors: list[Occurrence], coefficient: Coefficient) -> Sum:
        labelled, spaces = named(self.space, factors)
        functions = [f for f in labelled if f[0] in self._homogeneous]
        moving = {self.tensor, *self._radii, *self._homogeneous}
        still = [f for f in labelled if f[0] not in moving]
        bare = tuple(labels for name, labels in labelled if name == self.tensor)
        if len(bare) > _MOST_BARE:
            raise Refusal("the expectation of a product of fewer directions")
        lengths: dict[Place, int] = {}
        for name, labels in labelled:
            if name in self._radii:
                lengths[labels] = lengths.get(labels, 0) + self._radii[name].power
                coefficient = coefficient * self._radii[name].weight
        rows = Rows(bare, tuple(lengths.items()))
        mean = self._of_one_row(rows, functions) if functions else self._split(rows)
        found = held(self.space, still) * mean * coefficient
        return summed(found, spaces.keys(), spaces.values())

    # --- functions of one row ------------------------------------------------------------------

    def _of_one_row(self, rows: Rows, functions: list[Named]) -> Sum:
        """E of homogeneous functions and entries of a row, times a power of its length."""
        places = {*map(self._place, rows.bare), *(place for place, _ in rows.lengths)}
        degree, power = len(rows.bare), sum(p for _, p in rows.lengths)
        for name, labels in functions:
            opaque = self._homogeneous[name]
            places.add(tuple(labels[k] for k in rows_of(self.space, opaque, self.tensor, self._kind.slots)))
            degree += DEGREES[opaque.function]
            if self._kind.centred and not self._is_centred(opaque.argument):
                raise Refusal("the expectation of functions of rows that are not centred")
        if len(places) > 1 or (self._kind.centred and rows.bare):
            raise Refusal("the expectation of functions of several directions")
        factors = [*functions, *((self.tensor, labels) for labels in rows.bare)]
        return self.activated(held(self.space, factors)) * self._ratio(degree + power, degree)

    def _is_centred(self, form: Sum) -> bool:
        """Whether a linear form of the row is not correlated with the row's mean."""
        axes = self.space.frame.spaces(self.tensor)
        places = {f"_m{k}": space for k, space in enumerate(axes)}
        total = summed(self.space.factor(self.tensor, tuple(places)), places.keys(), places.values())
        return not settled(self.space, self.integrator.integrated(form * total, {self.tensor}))

    # --- rows that are equal or apart ---------------------------------------------------------

    def _place(self, labels: Place) -> Place:
        """The row that an entry stands in."""
        return tuple(labels[axis] for axis in self._kind.slots)

    def _split(self, rows: Rows) -> Sum:
        places = list(dict.fromkeys([*map(self._place, rows.bare), *(place for place, _ in rows.lengths)]))
        if len(places) > _MOST_ROWS:
            raise Refusal("the expectation of directions of fewer rows")
        for first, second in combinations(places, 2):
            pairs = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
            if not any(pair in rows.apart for pair in pairs):
                return self._either(rows, first, second, pairs[0])
        result = self.space.scalar(1)
        for place in places:
            power = sum(p for at, p in rows.lengths if at == place)
            result = result * self._row([b for b in rows.bare if self._place(b) == place], power)
        return result

    def _either(self, rows: Rows, first: Place, second: Place, pair: tuple[str, str]) -> Sum:
        axis = self._kind.slots[[a != b for a, b in zip(first, second, strict=True)].index(True)]
        space = self.space.frame.spaces(self.tensor)[axis]
        same = delta(self.space, [(pair[0].partition("@")[0], pair[1].partition("@")[0], space)])
        equal = self._split(rows.renamed(pair[1], pair[0]))
        differ = self._split(replace(rows, apart=rows.apart | {pair, pair[::-1]}))
        return equal * same + differ - differ * same

    # --- one row ------------------------------------------------------------------------------

    def _row(self, bare: list[Place], power: int) -> Sum:
        """E over the row's mean, where it is taken out, and over its direction and length."""
        total = self.space.scalar(0)
        for kept in self._choices(bare):
            rest = len(bare) - len(kept)
            if rest % 2 or len(kept) % 2:
                continue
            weight = self._mean_moment(rest) * self._ratio(len(kept) + power, len(kept))
            total = total + self._pairings(kept) * weight
        return total

    def _choices(self, bare: list[Place]) -> Iterator[list[Place]]:
        """w_i = c_i + mean: each entry by its centred part or by the mean."""
        if not self._kind.centred:
            yield bare
            return
        for size in range(len(bare) + 1):
            yield from (list(chosen) for chosen in combinations(bare, size))

    @property
    def _variance(self) -> Coefficient:
        count = len(self.space.frame.spaces(self.tensor))
        entry = self.space.factor(self.tensor, tuple(f"_v{k}" for k in range(count)))
        square = self.integrator.integrated(entry * entry, {self.tensor})
        if not is_constant(square):
            raise Refusal("the variance of the weights as a number")
        return constant(square)

    @property
    def _dimension(self) -> Coefficient:
        spaces = self.space.frame.spaces(self.tensor)
        size = self.space.ring(1)
        for axis, space in enumerate(spaces):
            if axis not in self._kind.slots:
                size = size * self.space.frame.sizes[space]
        return size

    def _mean_moment(self, order: int) -> Coefficient:
        """E(mean**(2 j)) = (2 j - 1)!! (s**2/D)**j"""
        share = self._variance * inverse_coefficient(self.space, self._dimension)
        return share ** (order // 2) * prod(range(order - 1, 0, -2))

    def _ratio(self, wanted: int, known: int) -> Coefficient:
        """E(|w|**wanted)/E(|w|**known)"""
        return self._length(wanted) * inverse_coefficient(self.space, self._length(known))

    def _length(self, order: int) -> Coefficient:
        """E(|w|**order); one that may be infinite is an unknown that has to cancel, and so is an odd one
        without functions beside, which rules for lengths alone know better."""
        size = self._dimension - (1 if self._kind.centred else 0)
        if self._least() + order > 0 and (order % 2 == 0 or self._homogeneous):
            return length(self.space, size, self._variance, order)
        shown = f"E(length**{order})"
        made = self.space.generator((shown, self.tensor, self._kind.slots), N.Symbol(shown))
        self._unknown.add(made)
        self.space.note(made, shown, self._variance)
        return self.space.ring[made]

    def _least(self) -> int:
        """The least dimension of the rows that the assumptions allow."""
        size = 1
        for axis, space in enumerate(self.space.frame.spaces(self.tensor)):
            if axis not in self._kind.slots:
                size *= least(self.space.claim, self.space.space_dims[space])
        return size - (1 if self._kind.centred else 0)

    def _pairings(self, places: list[Place]) -> Sum:
        """Isserlis: E(c_1 ... c_2k) = sum over pairings of products of covariances"""
        if not places:
            return self.space.scalar(1)
        first, *rest = places
        total = self.space.scalar(0)
        for k, other in enumerate(rest):
            total = total + self._tie(first, other) * self._pairings(rest[:k] + rest[k + 1 :])
        return total

    def _tie(self, first: Place, second: Place) -> Sum:
        spaces = self.space.frame.spaces(self.tensor)
        pairs = [
            (a.partition("@")[0], b.partition("@")[0], spaces[axis])
            for axis, (a, b) in enumerate(zip(first, second, strict=True))
            if axis not in self._kind.slots
        ]
        joint = delta(self.space, pairs) if pairs else self.space.scalar(1)
        if self._kind.centred:
            joint = joint - self.space.scalar(inverse_coefficient(self.space, self._dimension))
        return joint * self._variance
