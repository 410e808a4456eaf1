"""Moments of activations of one or a few jointly normal variables, as functions of their covariances.

    moment = E( d^k/du^k prod_i h_i(u_i) ),   u ~ N(m, C)

in the symbols m_i (zero where the variable is centred) and c_ij of `mean` and `tie`.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

import sympy as sp

from verifier.prove.forms.refusal import Refusal
from verifier.prove.integrate.activations import Atom, Term, expanded
from verifier.prove.integrate.gaussian_steps import Integrand, Law, Vector, expect, slopes

ZERO, ONE = sp.Integer(0), sp.Integer(1)
_MOST_TERMS = 64
Tilted = tuple[Integrand, Vector]


@dataclass(frozen=True)
class Block:
    """What is asked about jointly normal variables u_0, u_1, ...: atoms of each, how often the product is
    differentiated by each, and which have a mean that is not zero; numbers: their covariances, if known;
    below: for u_j = u_i + c with a constant c > 0, the position i of the next such variable."""

    atoms: tuple[tuple[Atom, ...], ...]
    orders: tuple[int, ...]
    shifted: tuple[bool, ...]
    numbers: tuple[tuple[sp.Rational, ...], ...] = ()
    below: tuple[int | None, ...] = ()

    @property
    def size(self) -> int:
        return len(self.atoms)

    def lowest(self, i: int) -> int:
        """The lowest of the variables that differ from u_i by a constant."""
        under = self.below[i] if self.below else None
        return i if under is None else self.lowest(under)

    def centre(self, i: int) -> sp.Expr:
        """E(u_i) in the symbols of `mean` and `gap`."""
        under = self.below[i] if self.below else None
        if under is not None:
            return self.centre(under) + gap(i)
        return mean(i) if self.shifted[i] else ZERO


def tie(i: int, j: int) -> sp.Symbol:
    """The symbol of Cov(u_i, u_j); variances are positive."""
    low, high = sorted((i, j))
    return sp.Symbol(f"c{low}_{high}", real=True, positive=True if i == j else None)


def mean(i: int) -> sp.Symbol:
    """The symbol of E(u_i)."""
    return sp.Symbol(f"m{i}", real=True)


def gap(i: int) -> sp.Symbol:
    """The symbol of u_i - u_j, a positive constant, for the next u_j below u_i."""
    return sp.Symbol(f"gap{i}", positive=True)


@lru_cache(maxsize=1024)
def moment(block: Block) -> sp.Expr:
    """The moment in closed form, or a refusal."""
    choices = list(product(*(expanded(atoms) for atoms in block.atoms)))
    if len(choices) > _MOST_TERMS:
        raise Refusal("a product of fewer activations")
    try:
        found = sp.Add(*(_of_terms(block, terms) for terms in choices))
    except Refusal:
        if sum(block.orders) < 2 or block.numbers or any(i is not None for i in block.below):
            raise
        return price(block)
    return tidy(real(found))


def _of_terms(block: Block, terms: tuple[Term, ...]) -> sp.Expr:
    """E of a product of one term of each variable."""
    law, integrand, tilt = _joined(block, terms)
    weight = sp.Mul(*(term.coefficient for term in terms))
    parts = _differentiated([(integrand, tilt)], block.orders)
    return weight * sp.Add(*(tilted(law, part, by) for part, by in parts))


def price(block: Block) -> sp.Expr:
    """E(d2h/du_i du_j) = dE(h)/dc_ij,   E(d2h/du_i2) = 2 dE(h)/dc_ii"""
    which = [i for i, order in enumerate(block.orders) for _ in range(order)]
    twice = next((i for i in which if block.orders[i] > 1), None)
    first, second = (twice, twice) if twice is not None else (which[0], which[1])
    orders = list(block.orders)
    orders[first] -= 1
    orders[second] -= 1
    inner = moment(replace(block, orders=tuple(orders)))
    return tidy(sp.diff(inner, tie(first, second)) * (2 if first == second else 1))


def tilted(law: Law, integrand: Integrand, by: Vector) -> sp.Expr:
    """E(exp(t . y) f(y)) = exp(t . mean + t' cov t/2) E(f(y + cov t))"""
    if all(t == 0 for t in by):
        return expect(law, integrand)
    if any(sp.im(t) != 0 for t in by) and (integrand.steps or integrand.densities):
        raise Refusal("the expectation of a sine times a function with a kink")
    shift = law.with_each(by)
    weight = sp.exp(
        law.centre(by) + sp.expand(sum((t * s for t, s in zip(by, shift, strict=True)), ZERO)) / 2
    )
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
    centre = tuple(block.centre(k) if k < count else ZERO for k in range(size))
    law = Law(centre, tuple(tuple(_entry(block, i, j) for j in range(size)) for i in range(size)))
    tilt = tuple(terms[k].tilt if k < count else ZERO for k in range(size))
    return law, Integrand(((powers, ONE),), tuple(densities), tuple(steps), count), tilt


def _entry(block: Block, i: int, j: int) -> sp.Expr:
    if i < block.size and j < block.size:
        return block.numbers[i][j] if block.numbers else tie(block.lowest(i), block.lowest(j))
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
                    found.append((replace(integrand, polynomial=scaled), tilt))
            parts = found
    return parts


def real(value: sp.Expr) -> sp.Expr:
    """exp(a + i b) = exp(a) (cos(b) + i sin(b)); what is imaginary has cancelled."""
    if not value.has(sp.I):
        return value
    return sp.re(sp.expand(sp.expand_complex(value)))


def tidy(value: sp.Expr) -> sp.Expr:
    """Rational coefficients of each product of roots, arcs and exponentials, in lowest terms."""
    groups: dict[sp.Expr, sp.Expr] = {}
    for term in _terms(value):
        rational, rest = ONE, ONE
        for factor in sp.Mul.make_args(_rooted(term)):
            base, exponent = factor.as_base_exp()
            if factor.is_Rational or factor.is_Symbol:
                rational *= factor
            elif exponent.is_Rational and not factor.is_number and not base.has(sp.Function):
                whole = sp.floor(exponent)
                rational *= base**whole
                rest *= base ** (exponent - whole)
            else:
                rest *= factor
        groups[rest] = groups.get(rest, ZERO) + rational
    return sp.Add(*(sp.factor(c) * rest for rest, c in groups.items()))


def _terms(value: sp.Expr) -> list[sp.Expr]:
    """The products that a value is a sum of; denominators and roots stay whole."""
    if isinstance(value, sp.Add):
        return [term for part in value.args for term in _terms(part)]
    if isinstance(value, sp.Mul):
        found = [ONE]
        for factor in value.args:
            found = [a * b for a in found for b in _terms(factor)]
        return found
    return [value]


def _rooted(term: sp.Expr) -> sp.Expr:
    """sqrt(1 - a**2/(b c)) = sqrt(b c - a**2)/(sqrt(b) sqrt(c)), for positive b, c"""
    return term.replace(
        lambda part: isinstance(part, sp.Pow) and part.exp.is_Rational and not part.exp.is_Integer,
        lambda part: sp.factor(part.base) ** part.exp if part.free_symbols else part,
    )
