"""Moments of steps and densities of normal variables, in closed form.

    E( p(y) * prod_i delta(a_i . y) * prod_j step(b_j . y) ),   y ~ N(mean, cov),

with a polynomial p. Each rule below removes something: Stein's identity a factor of p, conditioning a
density; what remains is the probability that a few normal variables are all positive.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isqrt

import sympy as sp

from verifier.prove.forms.refusal import Refusal

Vector = tuple[sp.Expr, ...]
Polynomial = Mapping[tuple[int, ...], sp.Expr]  # powers of y -> coefficient
Terms = tuple[tuple[tuple[int, ...], sp.Expr], ...]


class Phi(sp.Function):  # type: ignore[misc]
    """The distribution function of a standard normal variable, kept as it is; Phi' = phi"""

    nargs = 1
    is_real = True

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        return sp.exp(-(self.args[0] ** 2) / 2) / sp.sqrt(2 * sp.pi)


@dataclass(frozen=True)
class Law:
    """y ~ N(mean, cov)"""

    mean: Vector
    cov: tuple[Vector, ...]

    def centre(self, form: Vector) -> sp.Expr:
        """E(a . y) = a . mean"""
        return _simple(sum((a * m for a, m in zip(form, self.mean, strict=True)), sp.Integer(0)))

    def joint(self, form: Vector, other: Vector) -> sp.Expr:
        """Cov(a . y, b . y) = a' cov b"""
        return _simple(sum((a * c for a, c in zip(form, self.with_each(other), strict=True)), sp.Integer(0)))

    def with_each(self, form: Vector) -> Vector:
        """Cov(y_i, a . y) for each i"""
        return tuple(sum((c * a for c, a in zip(row, form, strict=True)), sp.Integer(0)) for row in self.cov)


@dataclass(frozen=True)
class Integrand:
    """polynomial * prod delta(density) * prod step(step)

    noise: from this position on, the variables are independent N(0, 1), each in one form only.
    """

    polynomial: Terms
    densities: tuple[Vector, ...] = ()
    steps: tuple[Vector, ...] = ()
    noise: int = 1_000


def expect(law: Law, integrand: Integrand) -> sp.Expr:
    """E of the integrand, or a refusal where no rule applies."""
    if not integrand.polynomial:
        return sp.Integer(0)
    if integrand.densities:
        return conditioned(law, integrand)
    if any(any(powers) for powers, _ in integrand.polynomial):
        return stein(law, integrand)
    ((_, constant),) = integrand.polynomial
    return constant * orthant(law, integrand.steps)


def conditioned(law: Law, integrand: Integrand) -> sp.Expr:
    """E(delta(a . y) f(y)) = phi(m/s)/s * E(f(y) | a . y = 0),   a . y ~ N(m, s**2),

    where given a . y = 0 the variables are N(mean - k m/s**2, cov - k k'/s**2), k = cov a.
    """
    form, *rest = integrand.densities
    centre, square = law.centre(form), law.joint(form, form)
    if square == 0 and centre.is_nonzero:
        return sp.Integer(0)
    if square == 0:
        raise Refusal("the density of a variable that is constant")
    ties = law.with_each(form)
    mean = tuple(_less(m, k, centre, square) for m, k in zip(law.mean, ties, strict=True))
    cov = tuple(
        tuple(_less(c, k, j, square) for c, j in zip(row, ties, strict=True))
        for row, k in zip(law.cov, ties, strict=True)
    )
    density = sp.exp(-(centre**2) / (2 * square)) / sp.sqrt(2 * sp.pi * square)
    return density * expect(Law(mean, cov), replace(integrand, densities=tuple(rest)))


def stein(law: Law, integrand: Integrand) -> sp.Expr:
    """E(y_i f(y)) = mean_i E(f) + sum_j cov_ij E(df/dy_j)"""
    polynomial = dict(integrand.polynomial)
    powers = max(polynomial, key=lambda p: (sum(p), p))
    coefficient = polynomial.pop(powers)
    which = next(i for i, power in enumerate(powers) if power)
    lowered = _lower(powers, which)
    alone = replace(integrand, polynomial=((lowered, coefficient),))
    total = expect(law, replace(integrand, polynomial=tuple(polynomial.items())))
    total += law.mean[which] * expect(law, alone) if law.mean[which] != 0 else 0
    for other, tie in enumerate(law.cov[which]):
        if tie != 0:
            total += tie * sum((expect(law, part) for part in slopes(alone, other)), sp.Integer(0))
    return total


def slopes(integrand: Integrand, by: int) -> list[Integrand]:
    """The terms of d(integrand)/dy_by, by the product rule:

    d step(b . y)/dy_j   = b_j delta(b . y)
    d delta(a . y)/dy_j  = a_j/a_z z delta(a . y) inside E, where z ~ N(0, 1) stands in a . y alone
    """
    found = []
    terms = _derivative(integrand.polynomial, by)
    if terms:
        found.append(replace(integrand, polynomial=terms))
    for k, step in enumerate(integrand.steps):
        if step[by] != 0:
            rest = integrand.steps[:k] + integrand.steps[k + 1 :]
            scaled = _scaled(integrand.polynomial, step[by])
            found.append(Integrand(scaled, (*integrand.densities, step), rest, integrand.noise))
    for density in integrand.densities:
        if density[by] != 0:
            own = next((z for z in range(integrand.noise, len(density)) if density[z] != 0), None)
            if own is None:
                raise Refusal("the slope of a density")
            parts = _by_parts(integrand.polynomial, own, density[by] / density[own])
            found.append(replace(integrand, polynomial=parts))
    return found


def _by_parts(polynomial: Terms, own: int, weight: sp.Expr) -> Terms:
    """E(delta'(z) p(z)) = E(delta(z) (z p(z) - p'(z)))"""
    unit = tuple(int(k == own) for k in range(len(polynomial[0][0])))
    raised = products(dict(polynomial), {unit: weight})
    for powers, c in _scaled(_derivative(polynomial, own), -weight):
        raised[powers] = raised.get(powers, sp.Integer(0)) + c
    return tuple(raised.items())


def _derivative(polynomial: Terms, by: int) -> Terms:
    return tuple((_lower(p, by), c * p[by]) for p, c in polynomial if p[by])


def _scaled(polynomial: Terms, weight: sp.Expr) -> Terms:
    return tuple((p, c * weight) for p, c in polynomial)


def orthant(law: Law, steps: tuple[Vector, ...]) -> sp.Expr:
    """P(b_j . y > 0 for all j), with r_jk the correlations:

    one     Phi(m/s), which is 1/2 at m = 0
    apart   the product over groups that are not correlated
    two     1/4 + asin(r_12)/(2 pi)                                  centred
    three   1/8 + (asin(r_12) + asin(r_13) + asin(r_23))/(4 pi)      centred
    more    1/(k + 1) for k centred variables with all r_jk = 1/2: each of k + 1 is as likely the largest
    strip   P(y + a > 0, -y - b > 0) = Phi(a/s) + Phi(-b/s) - 1 for a > b, else 0
    """
    found = distinct(law, steps)
    if found is None:
        return sp.Integer(0)
    steps = tuple(found)
    squares = [law.joint(step, step) for step in steps]
    ties = {(i, j): law.joint(steps[i], steps[j]) for i in range(len(steps)) for j in range(i)}
    chances = []
    for group in _groups(len(steps), ties):
        centres = [law.centre(steps[i]) for i in group]
        if len(group) == 1:
            chances.append(_upper(centres[0], squares[group[0]]))
        elif len(group) == 2 and all(_simple(ties[group[1], group[0]] + squares[i]) == 0 for i in group):
            chances.append(_strip(centres, squares[group[0]]))
        elif any(m != 0 for m in centres):
            raise Refusal("the probability that several correlated variables are positive")
        else:
            pairs = [(i, j) for i in group for j in group if j < i]
            chances.append(_centred([_root_ratio(ties[i, j], squares[i], squares[j]) for i, j in pairs]))
    return sp.Mul(*chances)


def distinct(law: Law, steps: tuple[Vector, ...]) -> list[Vector] | None:
    """The steps without those that others imply; None where they cannot all be 1.

    step(c) = 1 or 0 for a constant c,    step(y + a) step(y + b) = step(y + a)  for a < b
    """
    kept: list[Vector] = []
    for step in steps:
        if law.joint(step, step) == 0:
            sign = law.centre(step)
            if sign.is_negative:
                return None
            if not sign.is_positive:
                raise Refusal("the sign of a variable that is constant")
            continue
        twin = next((k for k, other in enumerate(kept) if _is_shifted(law, step, other)), None)
        if twin is None:
            kept.append(step)
        elif (above := _simple(law.centre(step) - law.centre(kept[twin]))).is_negative:
            kept[twin] = step
        elif above != 0 and not above.is_positive:
            raise Refusal("which of two steps comes first")
    return kept


def _is_shifted(law: Law, step: Vector, other: Vector) -> bool:
    """Whether two forms differ by a constant."""
    square = law.joint(step, step)
    return bool(
        _simple(law.joint(step, other) - square) == 0 and _simple(law.joint(other, other) - square) == 0
    )


def _strip(centres: list[sp.Expr], square: sp.Expr) -> sp.Expr:
    width = _simple(centres[0] + centres[1])
    if width.is_negative or width == 0:
        return sp.Integer(0)
    if not width.is_positive:
        raise Refusal("which of two steps comes first")
    return _upper(centres[0], square) + _upper(centres[1], square) - 1


def _groups(count: int, ties: Mapping[tuple[int, int], sp.Expr]) -> list[list[int]]:
    """Variables that are joined by correlations."""
    group = list(range(count))
    for (i, j), tie in ties.items():
        if tie != 0:
            group = [group[j] if g == group[i] else g for g in group]
    return [[i for i in range(count) if group[i] == g] for g in dict.fromkeys(group)]


def _centred(ratios: list[sp.Expr]) -> sp.Expr:
    """The chance that all of two, three or more centred variables with these correlations are positive."""
    if len(ratios) == 1:
        return sp.Rational(1, 4) + sp.asin(ratios[0]) / (2 * sp.pi)
    if len(ratios) == 3:
        return sp.Rational(1, 8) + sp.Add(*map(sp.asin, ratios)) / (4 * sp.pi)
    if all(ratio == sp.Rational(1, 2) for ratio in ratios):
        count = (1 + isqrt(1 + 8 * len(ratios))) // 2
        return sp.Rational(1, count + 1)
    raise Refusal("the probability that several correlated variables are positive")


def _upper(centre: sp.Expr, square: sp.Expr) -> sp.Expr:
    return sp.Rational(1, 2) if centre == 0 else Phi(centre / sp.sqrt(square))


def _root_ratio(tie: sp.Expr, first: sp.Expr, second: sp.Expr) -> sp.Expr:
    """r = c/sqrt(a b), without the root where a = b"""
    return _simple(tie / first) if _simple(first - second) == 0 else tie / (sp.sqrt(first) * sp.sqrt(second))


def _lower(powers: tuple[int, ...], which: int) -> tuple[int, ...]:
    return (*powers[:which], powers[which] - 1, *powers[which + 1 :])


def _less(value: sp.Expr, k: sp.Expr, j: sp.Expr, square: sp.Expr) -> sp.Expr:
    """value - k j/square"""
    return value if k == 0 or j == 0 else _simple(value - k * j / square)


@lru_cache(maxsize=4096)
def _simple(value: sp.Expr) -> sp.Expr:
    return value if value.is_Number or value.is_Symbol else sp.factor(value)


def products(first: Polynomial, second: Polynomial) -> dict[tuple[int, ...], sp.Expr]:
    """The product of two polynomials."""
    found: dict[tuple[int, ...], sp.Expr] = {}
    for p, a in first.items():
        for q, b in second.items():
            powers = tuple(i + j for i, j in zip(p, q, strict=True))
            found[powers] = found.get(powers, sp.Integer(0)) + a * b
    return {powers: c for powers, c in found.items() if c != 0}
