"""Is a sum >= 0 for all values of its symbols?

coefficients   n = 1 + u for dimensions, (a + b t)/(1 + t) for scalars in [a, b]: all signs +
components     sums of squares, products of factors that are not negative
bounds         norm(A B)**2 <= norm(A)**2 norm(B)**2, (v'w)**2 <= norm(v)**2 norm(w)**2,
               weights in [0, 1]: what is subtracted is paid by a larger term
means          2 abs(f g) <= t f**2 + g**2/t: what is subtracted is paid by two terms
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice

from verifier.expr import nodes as N
from verifier.expr.symbols import Dimension, Interval
from verifier.prove.bounds.monomial_majorants import absolute, majorants
from verifier.prove.forms.coefficients import fraction
from verifier.prove.forms.component_signs import is_positive, is_square
from verifier.prove.forms.workspace import Workspace
from verifier.prove.lower.assumption_rules import Bound
from verifier.prove.networks import Coefficient, Monomial, Sum
from verifier.prove.networks.network_tensors import Flat

_MOST_TERMS = 60
_DEPTH = 3
_MOST_BOUNDS = 100
_MOST_TRIES = 300


@dataclass(eq=False)
class Signs:
    """What is known of signs: bounds of scalars, components that are positive by assumption."""

    space: Workspace
    bounds: dict[str, Bound] = field(default_factory=dict)
    positive: set[Flat] = field(default_factory=set)
    _tries: int = 0
    _found: dict[tuple[Monomial, int], list[Sum]] = field(default_factory=dict)

    def proves(self, value: Sum, strict: bool = False) -> bool:
        """value >= 0 (or > 0) wherever it is defined."""
        if len(value.terms) > _MOST_TERMS:
            return False
        good = {m: c for m, c in value.terms.items() if self._signed_term(m, c)}
        self._tries = _MOST_TRIES
        bad = [self._owed(m, c) for m, c in value.terms.items() if m not in good]
        paid = self._paid(good, bad, _DEPTH)
        if paid is None:
            return False
        return not strict or any(self._positive_term(m, c) for m, c in paid.items())

    def _owed(self, monomial: Monomial, coefficient: Coefficient) -> tuple[Monomial, Coefficient]:
        """A monomial of either sign is at least -abs of it."""
        if not self.nonnegative_monomial(monomial) and self.nonnegative(coefficient):
            return monomial, coefficient * -1
        return monomial, coefficient

    def _signed_term(self, monomial: Monomial, coefficient: Coefficient) -> bool:
        return self.nonnegative_monomial(monomial) and self.nonnegative(coefficient)

    def _positive_term(self, monomial: Monomial, coefficient: Coefficient) -> bool:
        signed = all(c in self.positive or is_positive(self.space, c) for c, _ in monomial)
        return signed and self.nonnegative(coefficient, strict=True)

    def nonnegative_monomial(self, monomial: Monomial) -> bool:
        return all(p % 2 == 0 or c in self.positive or is_square(self.space, c) for c, p in monomial)

    def _paid(
        self, good: dict[Monomial, Coefficient], bad: list[tuple[Monomial, Coefficient]], depth: int
    ) -> dict[Monomial, Coefficient] | None:
        """good - sum of what is subtracted >= 0, each bounded by a multiple of a term of good."""
        if not bad:
            return good
        (monomial, coefficient), *rest = bad
        if not self.nonnegative_monomial(monomial) and not self.nonnegative(coefficient * -1):
            return None
        for left in self._payments(good, monomial, coefficient, depth):
            self._tries -= 1
            if self._tries < 0:
                return None
            found = self._paid({m: c for m, c in left.items() if not c.is_zero()}, rest, depth)
            if found is not None:
                return found
        return None

    def _payments(
        self, good: dict[Monomial, Coefficient], monomial: Monomial, coefficient: Coefficient, depth: int
    ) -> Iterator[dict[Monomial, Coefficient]]:
        """What may be left of good once coefficient * monomial is paid, coefficient <= 0.

        Of a coefficient of either sign the payer keeps nothing: where it is positive, the bound is none.
        """
        reduce, zero = self.space.ring.reduce, self.space.ring(0)
        signed = self.nonnegative(coefficient * -1)
        for bound in self._bounds(monomial, depth):
            left = {m: good.get(m, zero) + coefficient * weight for m, weight in bound.terms.items()}
            if all(self._signed_term(m, reduce(c)) for m, c in left.items()):
                yield {**good, **{m: reduce(c) if signed else zero for m, c in left.items()}}
        for p, q, weight in self._products(good, monomial):
            if p != q and self.nonnegative(reduce(4 * good[p] * good[q] - weight * coefficient**2)):
                yield {m: c for m, c in good.items() if m not in (p, q)}

    def _products(
        self, good: dict[Monomial, Coefficient], monomial: Monomial
    ) -> Iterator[tuple[Monomial, Monomial, Coefficient]]:
        """Terms p, q of good with monomial**2 <= weight * p * q: then g p + h q >= 2 sqrt(g h p q)"""
        square = frozenset((component, 2 * power) for component, power in monomial)
        alone = Sum(self.space.frame, {square: self.space.ring(1)})
        for bound in (alone, *self._bounds(square, 2)):
            if len(bound.terms) == 1:
                ((product, weight),) = bound.terms.items()
                for p in good:
                    q = _quotient(product, p)
                    if q is not None and q in good:
                        yield p, q, weight

    def _bounds(self, monomial: Monomial, depth: int) -> list[Sum]:
        """Sums that are at least the monomial and its absolute value, nearest first."""
        found = self._found.get((monomial, depth))
        if found is None:
            distinct: dict[frozenset[tuple[Monomial, str]], Sum] = {}
            for bound in islice(self._searched(monomial, depth), _MOST_BOUNDS):
                distinct.setdefault(frozenset((m, str(c)) for m, c in bound.terms.items()), bound)
            found = self._found[monomial, depth] = list(distinct.values())
        return found

    def _searched(self, monomial: Monomial, depth: int) -> Iterator[Sum]:
        queue = [Sum(self.space.frame, {monomial: self.space.ring(1)})]
        if not self.nonnegative_monomial(monomial):
            queue = list(absolute(self.space, monomial))
            yield from queue
        for _ in range(depth):
            following = []
            for value in queue:
                for m, c in value.terms.items():
                    rest = Sum(self.space.frame, {k: v for k, v in value.terms.items() if k != m})
                    for bound in majorants(self.space, m):
                        larger = rest + bound * c
                        yield larger
                        following.append(larger)
            queue = following[:24]

    # --- coefficients -------------------------------------------------------------------------

    def nonnegative(self, value: Coefficient, strict: bool = False) -> bool:
        """The sign of an element of the ring over the ranges of its generators."""
        if value.is_zero():
            return not strict
        top, bottom = fraction(self.space, value)
        sign = 1
        for base, power in bottom.values():
            if power % 2 and not self._factor(base, True):
                if not self._factor(base * -1, True):
                    return False
                sign = -sign
        unit, factors = top.factor()
        sign = sign if unit > 0 else -sign
        for base, power in factors:
            if power % 2 == 0:
                if strict and not (self._factor(base, True) or self._factor(base * -1, True)):
                    return False
            elif self._factor(base, strict):
                continue
            elif self._factor(base * -1, strict):
                sign = -sign
            else:
                return False
        return sign > 0

    def _factor(self, value: Coefficient, strict: bool) -> bool:
        """All coefficients are positive once every generator runs over [0, oo)."""
        moved, odd = value, False
        for k, name in enumerate(self.space.ring.names):
            powers = [e[k] for e in moved.to_dict()]
            if not any(powers):
                continue
            low, high = self._range(name)
            if low is None and high is None:
                odd = odd or any(p % 2 for p in powers)
                strict_zero = strict and all(powers)
                if odd or strict_zero:
                    return False
                continue
            if strict and low is not None and high is not None:
                end = moved.subs({name: high.numerator}) if high.denominator == 1 else None
                if end is None or not self._factor(end, True):
                    return False
            moved = _moved(self.space, moved, k, low, high)
        terms = moved.to_dict()
        if any(c < 0 for c in terms.values()):
            return False
        return not strict or self._has_positive_term(value, terms)

    def _has_positive_term(self, value: Coefficient, terms: Mapping[tuple[int, ...], object]) -> bool:
        """A term without generators, or one whose generators are all positive."""
        if (0,) * len(self.space.ring.names) in terms:
            return True
        names = self.space.ring.names
        known = [name in self.space.positive or self._above_zero(name) for name in names]
        signed = any(all(good or not p for good, p in zip(known, e, strict=True)) for e in terms)
        return signed and self.space.is_positive(value)

    def _above_zero(self, name: str) -> bool:
        bound = self.bounds.get(name)
        return bound is not None and bound.strict and bound.low is not None and bound.low >= 0

    def _range(self, name: str) -> tuple[Fraction | None, Fraction | None]:
        """The interval that a generator runs over."""
        low, high = (Fraction(0) if name in self.space.nonnegative else None), None
        declared = self.space.claim.symbols.get(name)
        if declared is not None and isinstance(declared.kind, Dimension):
            low = Fraction(1)
        if declared is not None and isinstance(declared.kind, Interval):
            if isinstance(declared.kind.low, N.Number):
                low = declared.kind.low.value
            if isinstance(declared.kind.high, N.Number):
                high = declared.kind.high.value
        bound = self.bounds.get(name)
        if bound is not None:
            if bound.low is not None and (low is None or bound.low > low):
                low = bound.low
                if bound.strict and declared is not None and isinstance(declared.kind, Dimension):
                    low = Fraction(int(bound.low) + 1)
            if bound.high is not None and (high is None or bound.high < high):
                high = bound.high
        return low, high


def _quotient(product: Monomial, divisor: Monomial) -> Monomial | None:
    powers = dict(product)
    for component, power in divisor:
        powers[component] = powers.get(component, 0) - power
    if any(power < 0 for power in powers.values()):
        return None
    return frozenset((component, power) for component, power in powers.items() if power)


def _moved(
    space: Workspace, value: Coefficient, k: int, low: Fraction | None, high: Fraction | None
) -> Coefficient:
    """x = low + t, or high - t, or (low + high t)/(1 + t) times (1 + t)**degree, for t >= 0"""
    t = space.ring[space.ring.names[k]]
    degree = max(int(e[k]) for e in value.to_dict())
    total = space.context_zero()
    for exponents, coefficient in value.to_dict().items():
        power = int(exponents[k])
        rest = tuple(0 if i == k else e for i, e in enumerate(exponents))
        term = space.ring.context.from_dict({rest: coefficient})
        if low is not None and high is not None:
            a, b = space.ring(low), space.ring(high)
            term = term * (a + b * t) ** power * (1 + t) ** (degree - power)
        elif low is not None:
            term = term * (space.ring(low) + t) ** power
        else:
            assert high is not None
            term = term * (space.ring(high) - t) ** power
        total = total + term
    return total
