"""Functions of a large L as sums of scales, each times a series in 1/L.

    f(L) = sum of  L**(s*L) * r**L * L**p * log(L)**q * log(log(L))**w * exp(h(L)) * (c_0 + c_1/L + ...)

with s, r, p, q, w, c_k free of L, and h a sum of other growing powers of L and log(L), as L**2 or
log(L)**2. Such sums are closed under + and *, and the scale that wins is found by comparing exponents, those
of what grows fastest first: s is that of L*log(L), log|r| of L, p of log(L).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import sympy as sp

from verifier.prove.scalars.assumed_gaps import Gap, sign_given
from verifier.prove.scalars.coefficient_signs import Sign
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.symbol_ranges import Span

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


Key = tuple[sp.Rational, sp.Rational]  # (a, b) of L**a log(L)**b
Exponents = tuple[tuple[Key, sp.Expr], ...]
ENTROPY, RATE, POWER = (ONE, ONE), (ONE, ZERO), (ZERO, ONE)


@dataclass(frozen=True)
class Scale:
    """L**(s*L) * r**L * L**p * log(L)**q * log(log(L))**w * exp(h); `h` holds the terms of the exponent."""

    s: sp.Expr = ZERO
    r: sp.Expr = ONE
    p: sp.Expr = ZERO
    q: sp.Expr = ZERO
    w: sp.Expr = ZERO
    h: Exponents = ()

    def __mul__(self, other: "Scale") -> "Scale":
        return Scale(
            self.s + other.s,
            self.r * other.r,
            sp.expand(self.p + other.p),
            self.q + other.q,
            self.w + other.w,
            exponents((*self.h, *other.h)),
        )

    def __truediv__(self, other: "Scale") -> "Scale":
        return self * other.power(-ONE)

    def power(self, exponent: sp.Expr) -> "Scale":
        return Scale(
            self.s * exponent,
            self.r**exponent,
            sp.expand(self.p * exponent),
            self.q * exponent,
            self.w * exponent,
            exponents((key, c * exponent) for key, c in self.h),
        )

    @property
    def key(self) -> Key | None:
        """(a, b) of a scale L**a log(L)**b; None of another one."""
        plain = self.s == 0 and self.r == 1 and self.w == 0 and not self.h
        return (self.p, self.q) if plain and self.p.is_Rational and self.q.is_Rational else None

    def lowered(self, steps: int) -> "Scale":
        return replace(self, p=self.p - steps)

    def alike(self, other: "Scale") -> bool:
        """Whether the two differ by a whole power of L."""
        mine, others = (self.s, self.q, self.w, self.h), (other.s, other.q, other.w, other.h)
        if mine != others or not (self.p - other.p).is_Integer:
            return False
        return bool(self.r == other.r or sp.cancel(one_root(self.r) - one_root(other.r)) == 0)


@dataclass(frozen=True)
class Part:
    """A scale times the first terms of a series; what follows is 0 where the part is `exact`, else of the
    scale lowered by their number."""

    scale: Scale
    series: Series
    exact: bool = False

    def padded(self, order: int) -> Series:
        """At least `order` terms of an exact part, else those that are known."""
        return self.series + (ZERO,) * (order - len(self.series)) if self.exact else self.series


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
            rest = [f for f in sp.Mul.make_args(expr) if self.known.get(f) != "positive"]
            self.known[expr] = sign_given(sp.Mul(*rest), self.spans, self.gaps)
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
        for value in ratio_exponents(ratio, self._magnitude):
            found = self.direction(value())  # one by one: where an earlier one decides, later may be open
            if found:
                return found > 0
        raise Refused("terms of one size whose signs alternate")

    def _magnitude(self, ratio: sp.Expr) -> sp.Expr:
        """An expression with the sign of |ratio| - 1."""
        match self.sign(ratio):
            case "positive":
                return ratio - 1
            case "negative":
                return -ratio - 1
        return ratio**2 - 1


def exponents(terms: Iterable[tuple[Key, sp.Expr]]) -> Exponents:
    """The sum of the terms, the largest first."""
    total: dict[Key, sp.Expr] = {}
    for key, coefficient in terms:
        total[key] = sp.expand(total.get(key, ZERO) + coefficient)
    return tuple((key, total[key]) for key in sorted(total, reverse=True) if total[key] != 0)


def ratio_exponents(scale: Scale, magnitude: Callable[[sp.Expr], sp.Expr]) -> Iterator[Callable[[], sp.Expr]]:
    """What has the sign of each exponent, that of what grows fastest first."""
    values: dict[Key, Callable[[], sp.Expr]] = {
        ENTROPY: lambda: scale.s,
        RATE: lambda: magnitude(scale.r),
        POWER: lambda: scale.p,
    }
    values |= {key: lambda c=coefficient: c for key, coefficient in scale.h}
    yield from (values[key] for key in sorted(values, reverse=True))
    yield from (lambda: scale.q, lambda: scale.w)


def constant(value: sp.Expr) -> Expansion:
    return power_of(value, Scale()) if value != 0 else Expansion()


def power_of(value: sp.Expr, scale: Scale) -> Expansion:
    return Expansion((Part(scale, (value,), exact=True),))


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
    known = [len(left.series)] if not left.exact else []
    known += [gap + len(right.series)] if not right.exact else []
    length = min(known, default=max(len(left.series), gap + len(right.series)))
    moved = (ZERO,) * gap + right.padded(length - gap)
    stayed = left.padded(length)
    return Part(left.scale, tuple(stayed[k] + moved[k] for k in range(length)), not known)


def multiply(left: Expansion, right: Expansion) -> Expansion:
    total = Expansion()
    for a in left.parts:
        for b in right.parts:
            total = add(total, Expansion((_times(a, b),)))
    beyond = [x * y for x in left.beyond for y in (*_scales(right), *right.beyond)]
    beyond += [x * y for x in _scales(left) for y in right.beyond]
    return Expansion(total.parts, tuple(dict.fromkeys(beyond)))


def _times(left: Part, right: Part) -> Part:
    """As many terms as both are known to have."""
    known = [len(part.series) for part in (left, right) if not part.exact]
    length = min(known, default=len(left.series) + len(right.series) - 1)
    series = product(left.padded(length), right.padded(length))
    return Part(left.scale * right.scale, series[:length], not known)


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
