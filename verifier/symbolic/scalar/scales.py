"""Functions of a large L as sums of scales, each times a series in 1/L.

    f(L) = sum of  L**(s*L) * r**L * L**p * log(L)**q * (c_0 + c_1/L + c_2/L**2 + ...)

with s, r, p, q, c_k free of L. Such sums are closed under + and *, and the scale that wins is found
by comparing s, |r|, p, q in this order.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

import sympy as sp

from verifier.symbolic.scalar.domain import Span
from verifier.symbolic.scalar.gaps import Gap, sign_given
from verifier.symbolic.scalar.refuse import Refused
from verifier.symbolic.scalar.signs import Sign

ZERO, ONE = sp.Integer(0), sp.Integer(1)
Series = tuple[sp.Expr, ...]


class Undecided(Refused):
    """The answer depends on the sign of `expr`, which the domain leaves open."""

    def __init__(self, expr: sp.Expr) -> None:
        super().__init__(f"the sign of {expr}")
        self.expr = expr


class MoreTerms(Refused):
    """Every known term cancels."""


def one_root(expr: sp.Expr) -> sp.Expr:
    """sqrt(1 + 1/d**2) = sqrt(d**2 + 1)/d for positive d: roots of fractions in one form."""
    if not any(p.exp.is_Rational and not p.exp.is_Integer for p in expr.atoms(sp.Pow)):
        return expr

    def plain(base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
        if not base.is_Add or not exponent.is_Rational:
            return base**exponent
        return sp.expand_power_base(sp.factor(sp.together(base)) ** exponent)

    return expr.replace(sp.Pow, plain)


@dataclass(frozen=True)
class Scale:
    """L**(s*L) * r**L * L**p * log(L)**q."""

    s: sp.Expr = ZERO
    r: sp.Expr = ONE
    p: sp.Expr = ZERO
    q: int = 0

    def __mul__(self, other: "Scale") -> "Scale":
        return Scale(self.s + other.s, self.r * other.r, sp.expand(self.p + other.p), self.q + other.q)

    def __truediv__(self, other: "Scale") -> "Scale":
        return Scale(self.s - other.s, self.r / other.r, sp.expand(self.p - other.p), self.q - other.q)

    def lowered(self, steps: int) -> "Scale":
        return replace(self, p=self.p - steps)

    def alike(self, other: "Scale") -> bool:
        """Whether the two differ by a whole power of L."""
        if (self.s, self.q) != (other.s, other.q) or not (self.p - other.p).is_Integer:
            return False
        return bool(self.r == other.r or sp.cancel(one_root(self.r) - one_root(other.r)) == 0)


@dataclass(frozen=True)
class Part:
    """A scale times the first terms of a series; what follows is of the scale lowered by their number."""

    scale: Scale
    series: Series


@dataclass(frozen=True)
class Expansion:
    """A sum of parts of distinct scales, up to terms no larger than those of `beyond`."""

    parts: tuple[Part, ...] = ()
    beyond: tuple[Scale, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """Which of two scales wins over one domain; `conditions` collects what must not be 0 for that."""

    spans: Mapping[str, Span]
    gaps: tuple[Gap, ...] = ()
    conditions: list[sp.Expr] = field(default_factory=list)
    known: dict[sp.Expr, Sign | None] = field(default_factory=dict)

    def sign(self, expr: sp.Expr) -> Sign | None:
        if expr not in self.known:
            self.known[expr] = sign_given(expr, self.spans, self.gaps)
        return self.known[expr]

    def direction(self, expr: sp.Expr) -> int:
        """1, 0 or -1; where the expression is >= 0 and may be 0, a condition says that it is not."""
        match self.sign(expr):
            case "zero":
                return 0
            case "positive":
                return 1
            case "negative":
                return -1
            case "nonnegative" | "nonpositive" as weak:
                self.nonzero(expr)
                return 1 if weak == "nonnegative" else -1
        raise Undecided(expr)

    def nonzero(self, expr: sp.Expr) -> None:
        """The expression is taken to differ from 0."""
        if self.sign(expr) not in ("positive", "negative") and expr not in self.conditions:
            self.conditions.append(expr)

    def larger(self, left: Scale, right: Scale) -> bool:
        """Whether left/right grows without bound; Refused if neither of them wins."""
        if left.alike(right):
            return bool(left.p - right.p > 0)
        ratio = left / right
        for part in ("s", "r", "p"):  # one by one: where an earlier one decides, later signs may be open
            value = getattr(ratio, part)
            found = self.direction(self._magnitude(value) if part == "r" else value)
            if found:
                return found > 0
        if ratio.q:
            return ratio.q > 0
        raise Refused("terms of one size whose signs alternate")

    def _magnitude(self, ratio: sp.Expr) -> sp.Expr:
        """An expression with the sign of |ratio| - 1."""
        match self.sign(ratio):
            case "positive":
                return ratio - 1
            case "negative":
                return -ratio - 1
        return ratio**2 - 1


def constant(value: sp.Expr, order: int) -> Expansion:
    return power_of(value, Scale(), order) if value != 0 else Expansion()


def power_of(value: sp.Expr, scale: Scale, order: int) -> Expansion:
    return Expansion((Part(scale, (value,) + (ZERO,) * (order - 1)),))


def add(left: Expansion, right: Expansion) -> Expansion:
    """Parts that differ by a whole power of L become one."""
    parts = list(left.parts)
    for part in right.parts:
        for k, other in enumerate(parts):
            if part.scale.alike(other.scale):
                parts[k] = _aligned(other, part)
                break
        else:
            parts.append(part)
    return Expansion(tuple(parts), left.beyond + right.beyond)


def _aligned(left: Part, right: Part) -> Part:
    """c L**p (...) + d L**(p-k) (...), known as far as both are."""
    if right.scale.p - left.scale.p > 0:
        left, right = right, left
    gap = int(left.scale.p - right.scale.p)
    length = min(len(left.series), gap + len(right.series))
    moved = (ZERO,) * gap + right.series
    return Part(left.scale, tuple(left.series[k] + moved[k] for k in range(length)))


def multiply(left: Expansion, right: Expansion) -> Expansion:
    total = Expansion()
    for a in left.parts:
        for b in right.parts:
            total = add(total, Expansion((Part(a.scale * b.scale, product(a.series, b.series)),)))
    beyond = [x * y for x in left.beyond for y in (*_scales(right), *right.beyond)]
    beyond += [x * y for x in _scales(left) for y in right.beyond]
    return Expansion(total.parts, tuple(dict.fromkeys(beyond)))


def _scales(expansion: Expansion) -> Iterable[Scale]:
    return (part.scale for part in expansion.parts)


def product(left: Series, right: Series) -> Series:
    """Cauchy's product, as long as both are known."""
    length = min(len(left), len(right))
    return tuple(sp.Add(*(left[i] * right[k - i] for i in range(k + 1))) for k in range(length))


def composed(coefficients: Callable[[int], sp.Expr], inner: Series) -> Series:
    """f(u) = sum of f_k u**k for a series u without constant term."""
    assert inner[0] == 0
    total: Series = (coefficients(0),) + (ZERO,) * (len(inner) - 1)
    power: Series = (ONE,) + (ZERO,) * (len(inner) - 1)
    for k in range(1, len(inner)):
        power = product(power, inner)
        weight = coefficients(k)
        total = tuple(a + weight * b for a, b in zip(total, power, strict=True))
    return total
