"""E of a product of entries and of functions of normal entries, group by group.

A group of entries that some factor joins, or that are correlated, is integrated together. Its functions are
of one linear form u of the entries, or of two:

    one form     E f(u)        = int f(s z) phi(z) dz
    two forms    E f(u) g(v)   by the series of Mehler
    an entry w beside them is w = a u + b v + e, with a normal e that is independent of u and v
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from flint import arb, fmpq

from verifier.exact.means import quadrature
from verifier.exact.means.linear_forms import Form, expression, form_of, is_multiple
from verifier.exact.means.mehler import correlation, joint_mean
from verifier.exact.means.quadrature import Expression, Product
from verifier.exact.numbers.constants import HALF, ONE, ZERO, is_zero
from verifier.exact.numbers.operations import Value, inverse, power
from verifier.exact.numbers.polynomial import Poly, Powers
from verifier.exact.numbers.refusals import Unsupported

MOST_BESIDE = 6
Functions = Mapping[int, tuple[str, Poly]]
Covariance = Callable[[int, int], Value]
Moment = Callable[[Powers], Value]


def entries(number: int, functions: Functions) -> frozenset[int]:
    """The random entries that a function is a function of."""
    if number >= 0:
        return frozenset({number})
    _, argument = functions[number]
    inner = (entries(n, functions) for powers in argument.terms for n, _ in powers)
    return frozenset().union(*inner)


def activated(product: Poly, covariance: Covariance, moment: Moment) -> Value:
    """E of one monomial, group by group."""
    ((powers, _),) = product.terms.items()
    result: Value = ONE
    for group in _groups(powers, product.functions, covariance):
        if any(number < 0 for number, _ in group):
            result = result * _sorted(group, product.functions, covariance).mean()
        else:
            result = result * moment(group)
        if is_zero(result):
            return result
    return result


def _groups(powers: Powers, functions: Functions, covariance: Covariance) -> Iterator[Powers]:
    left = [(item, entries(item[0], functions)) for item in powers]
    while left:
        item, reached = left.pop(0)
        group = [item]
        while True:
            near = [part for part in left if _meet(reached, part[1], covariance)]
            if not near:
                break
            left = [part for part in left if part not in near]
            group += [part[0] for part in near]
            reached = reached.union(*(part[1] for part in near))
        yield tuple(sorted(group))


def _meet(first: frozenset[int], second: frozenset[int], covariance: Covariance) -> bool:
    return bool(first & second) or any(not is_zero(covariance(a, b)) for a in first for b in second)


def _sorted(group: Powers, functions: Functions, covariance: Covariance) -> "Group":
    """The factors by the linear form that they are functions of; entries that are none stand beside."""
    forms: list[Form] = []
    factors: list[list[tuple[int, int]]] = []
    beside: list[int] = []
    for number, k in sorted(group):  # functions come first
        form = form_of(number, functions)
        which = next((i for i, known in enumerate(forms) if is_multiple(form, known)), None)
        if which is None and number >= 0:
            beside += [number] * k
        elif which is None:
            forms.append(form)
            factors.append([(number, k)])
        else:
            factors[which].append((number, k))
    if len(forms) > 2:
        raise Unsupported("an expectation of functions of several random quantities")
    if len(beside) > MOST_BESIDE:
        raise Unsupported("an expectation of a function times many random quantities")
    return Group(forms, [tuple(part) for part in factors], tuple(beside), functions, covariance)


@dataclass(frozen=True)
class Group:
    """E( prod of functions of each form * prod of entries beside )"""

    forms: list[Form]
    factors: list[Powers]
    beside: tuple[int, ...]
    functions: Functions
    covariance: Covariance

    def mean(self) -> Value:
        return self._regressed(self.beside, (0,) * len(self.forms))

    def _joint(self, first: Form, second: Form) -> Value:
        total: Value = ZERO
        for a, x in first.items():
            for b, y in second.items():
                total = total + x * y * self.covariance(a, b)
        return total

    @cached_property
    def _ties(self) -> list[list[Value]]:
        return [[self._joint(first, second) for second in self.forms] for first in self.forms]

    @cached_property
    def _spreads(self) -> list[Value]:
        squares = [self._ties[i][i] for i in range(len(self.forms))]
        return [_root(square) if isinstance(square, arb) else power(square, HALF) for square in squares]

    def _weights(self, entry: int) -> list[Value]:
        """a and b of w = a u + b v + e"""
        joint = [self._joint({entry: ONE}, form) for form in self.forms]
        if len(self.forms) == 1:
            return [joint[0] * self._inverse(self._ties[0][0])]
        (p, q), (_, s) = self._ties
        scale = self._inverse(p * s - q * q)
        return [(joint[0] * s - joint[1] * q) * scale, (joint[1] * p - joint[0] * q) * scale]

    def _inverse(self, square: Value) -> Value:
        if is_zero(square):
            raise Unsupported("an expectation of a function of variables that determine each other")
        return inverse(square)

    def _regressed(self, beside: tuple[int, ...], raised: tuple[int, ...]) -> Value:
        """E(w R) = sum_u a_u E(u R) + sum_{w'} Cov(e, e') E(R/w'), over the other entries w' of R"""
        if not beside:
            return self._moment(raised)
        first, *rest = beside
        weights = self._weights(first)
        total: Value = ZERO
        for i, weight in enumerate(weights):
            if not is_zero(weight):
                more = (*raised[:i], raised[i] + 1, *raised[i + 1 :])
                total = total + weight * self._regressed(tuple(rest), more)
        for k, other in enumerate(rest):
            left = self.covariance(first, other)
            for weight, form in zip(weights, self.forms, strict=True):
                left = left - weight * self._joint(form, {other: ONE})
            if not is_zero(left):
                total = total + left * self._regressed(tuple(rest[:k] + rest[k + 1 :]), raised)
        return total

    def _require_spread(self) -> None:
        """A jump at a variable that is constant has no mean that an integral could find."""
        for which, part in enumerate(self.factors):
            jumps = any(number < 0 and self.functions[number][0] == "sign" for number, _ in part)
            if jumps and is_zero(self._ties[which][which]):
                raise Unsupported("the sign of a random quantity that is constant")

    def _moment(self, raised: tuple[int, ...]) -> Value:
        self._require_spread()
        parts = [self._expression(i, times) for i, times in enumerate(raised)]
        if len(parts) == 1:
            return quadrature.mean(parts[0])
        tie = correlation(self._ties[0][1], *self._spreads)
        return joint_mean(parts[0], parts[1], tie)

    def _expression(self, which: int, times: int) -> Expression:
        """u**times and the functions of the form u, in terms of z = u/sd(u)"""
        whole = Poly({self.factors[which]: ONE}, self.functions)
        spread = self._spreads[which]
        found = expression(whole, self.forms[which], spread, self.functions)
        scale = power(spread, fmpq(times))
        return tuple(Product(p.coefficient * scale, p.power + times, p.calls) for p in found)


def _root(square: arb) -> arb:
    """The root of a variance, which is not negative whatever its enclosure holds."""
    low = square.lower()
    return (low.sqrt() if low > 0 else arb(0)).union(square.upper().sqrt())
