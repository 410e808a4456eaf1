"""Moments of activations of one or a few jointly normal variables, as functions of their covariances.

    moment = E( d^k/du^k prod_i h_i(u_i) ),   u ~ N(m, C)

in the symbols m_i (zero where the variable is centred) and c_ij of `mean` and `tie`.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import sympy as sp

from verifier.symbolic.nonlinear.activations import Atom, Term, expanded
from verifier.symbolic.nonlinear.gauss import Integrand, Law, Polynomial, Vector, expect, products, slopes
from verifier.symbolic.refusal import Refusal

ZERO, ONE = sp.Integer(0), sp.Integer(1)
_MOST_TERMS = 64
Tilted = tuple[Integrand, Vector]


@dataclass(frozen=True)
class Block:
    """What is asked about jointly normal variables u_0, u_1, ...: atoms of each, how often the product is
    differentiated by each, and which have a mean that is not zero."""

    atoms: tuple[tuple[Atom, ...], ...]
    orders: tuple[int, ...]
    shifted: tuple[bool, ...]

    @property
    def size(self) -> int:
        return len(self.atoms)


def tie(i: int, j: int) -> sp.Symbol:
    """The symbol of Cov(u_i, u_j); variances are positive."""
    low, high = sorted((i, j))
    return sp.Symbol(f"c{low}_{high}", real=True, positive=True if i == j else None)


def mean(i: int) -> sp.Symbol:
    """The symbol of E(u_i)."""
    return sp.Symbol(f"m{i}", real=True)


@lru_cache(maxsize=1024)
def moment(block: Block) -> sp.Expr:
    """The moment in closed form, or a refusal."""
    choices = list(product(*(expanded(atoms) for atoms in block.atoms)))
    if len(choices) > _MOST_TERMS:
        raise Refusal("a product of fewer activations")
    result = sp.Add(*(_of_terms(block, terms) for terms in choices))
    return tidy(_real(result))


def _of_terms(block: Block, terms: tuple[Term, ...]) -> sp.Expr:
    """E of a product of one term of each variable."""
    law, integrand, tilt = _joined(block, terms)
    try:
        parts = _differentiated([(integrand, tilt)], block.orders)
    except Refusal:
        parts = [(_weighted(law, integrand, block.orders), tilt)]
    weight = sp.Mul(*(term.coefficient for term in terms))
    return weight * sp.Add(*(tilted(law, part, by) for part, by in parts))


def tilted(law: Law, integrand: Integrand, by: Vector) -> sp.Expr:
    """E(exp(t . y) f(y)) = exp(t . mean + t' cov t/2) E(f(y + cov t))"""
    if all(t == 0 for t in by):
        return expect(law, integrand)
    if any(sp.im(t) != 0 for t in by) and (integrand.steps or integrand.densities):
        raise Refusal("the expectation of a sine times a function with a kink")
    shift = law.with_each(by)
    weight = sp.exp(law.centre(by) + sp.expand(sum((t * s for t, s in zip(by, shift, strict=True)), ZERO)) / 2)
    moved = Law(tuple(m + s for m, s in zip(law.mean, shift, strict=True)), law.cov)
    return weight * expect(moved, integrand)


def _joined(block: Block, terms: tuple[Term, ...]) -> tuple[Law, Integrand, Vector]:
    """The variables u and all the z of the terms, in this order."""
    count = block.size
    blurs = [(i, a) for i, term in enumerate(terms) for a in term.blurred]
    dense = [(i, a) for i, term in enumerate(terms) for a in term.dense]
    size = count + len(blurs) + len(dense)

    def form(i: int, a: sp.Expr, z: int | None) -> Vector:
        return tuple(a if k == i else ONE if k == z else ZERO for k in range(size))

    steps = [form(i, sp.Integer(t.side), None) for i, t in enumerate(terms) if t.side]
    steps += [form(i, a, count + k) for k, (i, a) in enumerate(blurs)]
    densities = [form(i, a, count + len(blurs) + k) for k, (i, a) in enumerate(dense)]
    powers = tuple(terms[k].power if k < count else 0 for k in range(size))
    centre = tuple(mean(k) if k < count and block.shifted[k] else ZERO for k in range(size))
    law = Law(centre, tuple(tuple(_entry(i, j, count) for j in range(size)) for i in range(size)))
    tilt = tuple(terms[k].tilt if k < count else ZERO for k in range(size))
    return law, Integrand(((powers, ONE),), tuple(densities), tuple(steps)), tilt


def _entry(i: int, j: int, count: int) -> sp.Expr:
    if i < count and j < count:
        return tie(i, j)
    return ONE if i == j else ZERO


def _differentiated(parts: list[Tilted], orders: tuple[int, ...]) -> list[Tilted]:
    """The derivative by the product rule, exp(t . y) included."""
    for which, order in enumerate(orders):
        for _ in range(order):
            found: list[Tilted] = []
            for integrand, tilt in parts:
                found += [(slope, tilt) for slope in slopes(integrand, which)]
                if tilt[which] != 0:
                    scaled = tuple((p, c * tilt[which]) for p, c in integrand.polynomial)
                    found.append((Integrand(scaled, integrand.densities, integrand.steps), tilt))
            parts = found
    return parts


def _weighted(law: Law, integrand: Integrand, orders: tuple[int, ...]) -> Integrand:
    """E(dg/du_i) = E(g (C^-1 (u - m))_i), so E(p dg/du_i) = E(g (p (C^-1 (u - m))_i - dp/du_i))"""
    count, size = len(orders), len(law.mean)
    inverse = sp.Matrix(count, count, lambda i, j: law.cov[i][j]).inv()
    weight: Polynomial = {(0,) * size: ONE}
    for which, order in enumerate(orders):
        score = {_unit(size, j): inverse[which, j] for j in range(count)}
        score[(0,) * size] = -sum((inverse[which, j] * law.mean[j] for j in range(count)), ZERO)
        for _ in range(order):
            raised = products(weight, score)
            for powers, c in weight.items():
                if powers[which]:
                    lowered = (*powers[:which], powers[which] - 1, *powers[which + 1 :])
                    raised[lowered] = raised.get(lowered, ZERO) - c * powers[which]
            weight = {p: sp.factor(c) for p, c in raised.items() if c != 0}
    return Integrand(
        tuple(products(dict(integrand.polynomial), weight).items()), integrand.densities, integrand.steps
    )


def _unit(size: int, which: int) -> tuple[int, ...]:
    return tuple(int(k == which) for k in range(size))


def _real(value: sp.Expr) -> sp.Expr:
    """exp(a + i b) = exp(a) (cos(b) + i sin(b)); what is imaginary has cancelled."""
    if not value.has(sp.I):
        return value
    return sp.re(sp.expand(sp.expand_complex(value)))


def tidy(value: sp.Expr) -> sp.Expr:
    """Rational coefficients of each product of roots, arcs and exponentials, in lowest terms."""
    groups: dict[sp.Expr, sp.Expr] = {}
    for term in sp.Add.make_args(sp.expand(value)):
        rational, rest = ONE, ONE
        for factor in sp.Mul.make_args(term):
            base, exponent = factor.as_base_exp()
            if factor.is_Rational or (factor.is_Symbol and not factor.is_number):
                rational *= factor
            elif exponent.is_Rational and not factor.is_number and not base.has(sp.Function):
                whole = sp.floor(exponent)
                rational *= base**whole
                rest *= base ** (exponent - whole)
            else:
                rest *= factor
        groups[rest] = groups.get(rest, ZERO) + rational
    return sp.Add(*(_lowest(c, rest) for rest, c in groups.items()))


def _lowest(coefficient: sp.Expr, rest: sp.Expr) -> sp.Expr:
    return sp.factor(coefficient) * rest
