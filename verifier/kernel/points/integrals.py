"""Means of functions of draws, enclosed: integrals over at most two variables by python-flint's rigorous
quadrature, with what lies beyond a bounded region added to the radius."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

from flint import acb, arb, ctx, fmpq

from verifier.expr.symbols import Declared, Normal, Uniform
from verifier.kernel.budget import Budget
from verifier.kernel.points import polynomials as poly
from verifier.kernel.points import values as v
from verifier.kernel.points.laws import Law
from verifier.kernel.points.majorants import Bounds, Drawn
from verifier.kernel.points.outcomes import NotPolynomial
from verifier.kernel.points.polynomials import Composite, Entry, Factor, Scalar
from verifier.kernel.points.tables import Place
from verifier.kernel.points.values import Ball, Value
from verifier.kernel.rejected import Rejected

MOST_VARIABLES = 2
MOST_ENTRIES = 12
FARTHEST = 400
STEPS = 4  # that one value of a function costs
MOST_VALUES = {0: 1, 1: 4000, 2: 300}  # by the number of variables
MOST_BITS = 120, 10  # of an integral over one variable, and over two
Function = Callable[[Ball, bool], Ball]
NOWHERE = acb(arb.nan())


class Point(Protocol):
    """What is needed of the point."""

    budget: Budget

    def law(self, name: str) -> Law: ...
    def place(self, name: str, at: tuple[int, ...]) -> Place: ...


def entries_as_drawn(point: Point, entries: Iterable[Entry]) -> tuple[Bounds, int, int]:
    """The entries as linear functions of normal variables, numbered first, and of uniform ones; how many
    there are of each."""
    listed = sorted(entries)
    if len(listed) > MOST_ENTRIES:
        raise Rejected("too-large", f"a function of more than {MOST_ENTRIES} entries")
    normal = [entry for entry in listed if isinstance(_kind(point, entry), Normal)]
    uniform = [entry for entry in listed if isinstance(_kind(point, entry), Uniform)]
    if len(normal) + len(uniform) < len(listed):
        raise NotPolynomial("a function of something drawn whose law has no density that is known")
    found: dict[Entry, Drawn] = {}
    rows = _factor([[_covariance(point, a, b) for b in normal] for a in normal])
    used = [k for k in range(len(normal)) if any(not v.is_zero(row[k]) for row in rows)]
    for entry, row in zip(normal, rows, strict=True):
        start = point.law(entry[0]).mean(point.place(*entry))
        slopes = {at: v.enclose(row[k]) for at, k in enumerate(used) if not v.is_zero(row[k])}
        found[entry] = Drawn(v.enclose(start), slopes, True)
    count = len(used)
    for entry in uniform:
        low, high = point.law(entry[0]).ends(point.place(*entry))
        width = v.minus(high, low)
        slopes = {} if v.is_zero(width) else {count: v.enclose(width)}
        found[entry] = Drawn(v.enclose(low), slopes, False)
        count += len(slopes)
    return Bounds(found), len(used), count - len(used)


def _kind(point: Point, entry: Entry) -> object:
    declared: Declared = point.law(entry[0]).declared
    return declared.kind


def _covariance(point: Point, first: Entry, second: Entry) -> Value:
    if first[0] != second[0]:
        return v.ZERO
    return point.law(first[0]).covariance(point.place(*first), point.place(*second))


def _factor(matrix: list[list[Value]]) -> list[list[Value]]:
    """The lower triangle L with L L^T = C; a pivot 0 has a column of zeros, since the law exists."""
    size = range(len(matrix))
    lower = [[v.ZERO for _ in size] for _ in size]
    for j in size:
        pivot = matrix[j][j]
        for k in range(j):
            pivot = v.minus(pivot, v.power(lower[j][k], v.TWO))
        if not v.sign_of(pivot):
            continue
        lower[j][j] = v.power(pivot, v.HALF)
        for i in range(j + 1, len(matrix)):
            rest = matrix[i][j]
            for k in range(j):
                rest = v.minus(rest, v.times(lower[i][k], lower[j][k]))
            lower[i][j] = v.times(rest, v.inverse(lower[j][j]))
    return lower


def integral(point: Point, product: poly.Poly, coarsely: bool = False) -> Value:
    """The mean of functions over all that they depend on; coarsely: by their majorant alone, which shows
    that it exists."""
    bounds, normal, uniform = entries_as_drawn(point, poly.entries_of(product))
    majorant = bounds.majorant(product)
    if coarsely:
        return v.finite(arb(0, majorant.total.upper()))
    if normal + uniform > MOST_VARIABLES:
        raise Rejected("outside", f"the mean of a function of more than {MOST_VARIABLES} variables")
    alone = normal + uniform < 2
    bits = min(ctx.prec - 8, MOST_BITS[0]) if alone else min(ctx.prec // 10, MOST_BITS[1])
    small = arb(2) ** -bits
    end = 4
    while normal and not majorant.beyond(end, normal) < small:
        end += 2
        if end > FARTHEST:
            raise Rejected("too-large", "a mean whose greater part is far out")
    quadrature = _Quadrature(point.budget, Evaluation(bounds.entries), product, normal, uniform, end, bits)
    inside = quadrature.over((), False).real
    beyond = majorant.beyond(end, normal).upper() if normal else arb(0)
    return v.finite(inside + arb(0, beyond))


@dataclass(frozen=True)
class _Quadrature:
    """Nested integrals: normal variables from -end to end, uniform ones from 0 to 1."""

    budget: Budget
    evaluation: "Evaluation"
    body: Scalar
    normal: int
    uniform: int
    end: int
    bits: int

    def over(self, chosen: tuple[Ball, ...], analytic: bool) -> Ball:
        """The integral over the variables that have no value yet, times the density of all."""
        at = len(chosen)
        if at == self.normal + self.uniform:
            self.budget.spend(STEPS * len(self.body.terms))
            return self.evaluation.of(self.body, chosen, analytic)

        failed: list[BaseException] = []

        def inner(z: Ball, smooth: bool) -> Ball:
            """python-flint does not hand on what is raised in a function that it calls."""
            if failed:
                return NOWHERE
            try:
                found = self.over((*chosen, z), analytic or smooth)
            except BaseException as raised:
                failed.append(raised)
                return NOWHERE
            return found * (-z * z / 2).exp() if at < self.normal else found

        # What is looked for inside is a little finer than what is looked for outside.
        small = arb(2) ** -(self.bits + 2 * at)
        most = MOST_VALUES[self.normal + self.uniform]
        ends = (-self.end, 0, self.end) if at < self.normal else (0, 1)
        total = acb(0)
        for low, high in pairwise(ends):
            total += acb.integral(inner, low, high, abs_tol=small, rel_tol=small, eval_limit=most)
            if failed:
                raise failed[0]
        return total / (2 * arb.pi()).sqrt() if at < self.normal else total


@dataclass(frozen=True)
class Evaluation:
    """Scalars at complex values of the variables. Where `analytic`, a result is finite only if the scalar is
    analytic all over the ball; else the variables are real and every value of the scalar is in the result."""

    entries: Mapping[Entry, Drawn]

    def of(self, scalar: Scalar, z: tuple[Ball, ...], analytic: bool) -> Ball:
        return self._of(scalar, _Place(z, analytic, {}))

    def _of(self, scalar: Scalar, at: "_Place") -> Ball:
        total = acb(0)
        for monomial, value in poly.terms_of(scalar).items():
            part = acb(v.enclose(value))
            for factor, power in monomial:
                key = id(factor), power
                if key not in at.known:
                    at.known[key] = self._factor(factor, power, at)
                part *= at.known[key]
            total += part
        return total

    def _factor(self, factor: Factor, power: int | fmpq, at: "_Place") -> Ball:
        if not isinstance(factor, Composite):
            entry = self.entries[factor]
            found = acb(entry.start)
            for name, slope in entry.slopes.items():
                found += slope * at.z[name]
            return found ** int(power)
        if poly.is_exponential(factor):
            return (self._of(factor.args[0], at) * arb(fmpq(power))).exp()
        if factor.name == "power":
            inside = self._of(factor.args[0], at)
            return _root(inside, factor.args[1], at.analytic) ** int(power)
        if factor.name not in FUNCTIONS:
            raise Rejected("outside", f"the mean of {factor.name} of something drawn")
        args = (self._of(arg, at) for arg in factor.args)
        return FUNCTIONS[factor.name](*args, at.analytic) ** int(power)


@dataclass(frozen=True)
class _Place:
    """Values of the variables, and what is known of the factors there."""

    z: tuple[Ball, ...]
    analytic: bool
    known: dict[tuple[int, Any], Ball]


def _root(base: Ball, exponent: fmpq, analytic: bool) -> Ball:
    if exponent.q == 1:
        return base ** int(exponent.p)
    if analytic:
        return (base.log(analytic=True) * arb(exponent)).exp()
    # What has a value at all is not negative, almost surely.
    real = base.real
    if real > 0 or exponent < 0:
        return acb((real.log() * arb(exponent)).exp())
    high = real.upper()
    return acb(arb(0).union((high.log() * arb(exponent)).exp())) if high > 0 else NOWHERE


def _side(below: int, above: int) -> Callable[[Ball, bool], Ball]:
    """One number for negative real parts, another for positive ones; all between for what may be either."""

    def function(x: Ball, analytic: bool) -> Ball:
        if x.real > 0:
            return acb(above)
        if x.real < 0:
            return acb(below)
        return NOWHERE if analytic else acb(arb(below).union(arb(above)))

    return function


def _smooth(function: Callable[[Ball], Ball]) -> Callable[[Ball, bool], Ball]:
    return lambda x, analytic: function(x)


_ABOVE = _side(0, 1)
FUNCTIONS: dict[str, Callable[..., Ball]] = {
    "exp": _smooth(lambda x: x.exp()),
    "sin": _smooth(lambda x: x.sin()),
    "cos": _smooth(lambda x: x.cos()),
    "tanh": _smooth(lambda x: x.tanh()),
    "erf": _smooth(lambda x: x.erf()),
    "sigmoid": _smooth(lambda x: 1 / (1 + (-x).exp())),
    "Phi": _smooth(lambda x: (-x / arb(2).sqrt()).erfc() / 2),
    "softplus": lambda x, analytic: (1 + x.exp()).log(analytic=analytic),
    "log": lambda x, analytic: x.log(analytic=analytic),
    "abs": lambda x, analytic: x.real_abs(analytic=analytic),
    "relu": lambda x, analytic: x.real_max(acb(0), analytic=analytic),
    "max": lambda x, y, analytic: x.real_max(y, analytic=analytic),
    "min": lambda x, y, analytic: x.real_min(y, analytic=analytic),
    "step": _ABOVE,
    "above": _ABOVE,
    "sign": _side(-1, 1),
    "less": lambda x, y, analytic: _ABOVE(y - x, analytic),
}
