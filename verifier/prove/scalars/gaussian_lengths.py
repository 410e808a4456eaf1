"""Moments of the length of a Gaussian vector, as functions of its size.

E norm(w)**r = (s sqrt(2))**r gamma((k + r)/2) / gamma(k/2),  k independent N(0, s**2) entries
Var f = E f**2 - (E f)**2
"""

from fractions import Fraction

import sympy as sp

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.dims import Dim
from verifier.expr.symbols import Normal
from verifier.expr.walk import walk
from verifier.prove.scalars.randomness import is_random
from verifier.prove.scalars.sympy_to_tree import from_sympy

ONE, TWO = n.Number(Fraction(1)), n.Number(Fraction(2))
MOST_WRITTEN_OUT = 200


def of_length(claim: Claim, node: n.Node) -> n.Node | None:
    """The mean or variance of a multiple of norm(w)**r as a tree without expectations of lengths."""
    match node:
        case n.Expectation(body, ()):
            return _mean(claim, body)
        case n.Variance(body) if body.shape.is_scalar and _mean(claim, body) is not None:
            square = n.Expectation(n.Power(body, TWO))
            return n.Subtract(square, n.Power(n.Expectation(body), TWO))
    return None


def _mean(claim: Claim, body: n.Node) -> n.Node | None:
    match body:
        case n.Let(_, inner):
            return _mean(claim, inner)
        case n.Divide(left, right) if not is_random(claim, right):
            found = _mean(claim, left)
            return found and n.Divide(found, right)
        case n.Multiply(left, right):
            for factor, other in ((left, right), (right, left)):
                if not is_random(claim, factor):
                    found = _mean(claim, other)
                    return found and n.Multiply(factor, found)
        case n.Norm(arg, "fro"):
            return _moment(claim, arg, ONE)
        case n.Power(n.Norm(arg, "fro"), n.Number(r) as exponent) if r > 0 and r % 2:
            return _moment(claim, arg, exponent)
        case n.Power(n.Power(n.Norm(arg, "fro"), n.Number(q)), n.Number(r)) if q * r > 0 and (q * r) % 2:
            return _moment(claim, arg, n.Number(q * r))
    return None


def _moment(claim: Claim, arg: n.Node, power: n.Number) -> n.Node | None:
    """For independent entries of one variance."""
    variance = _variance(claim, arg)
    if variance is None:
        return None
    spread = variance.base if isinstance(variance, n.Power) else n.Apply("sqrt", (variance,))
    scale = n.Power(n.Multiply(spread, n.Apply("sqrt", (TWO,))), power)
    return n.Multiply(scale, gammas(arg.shape.rows * arg.shape.cols, n.Number(power.value / 2)))


def _variance(claim: Claim, arg: n.Node) -> n.Node | None:
    """The variance of each entry, of one Gaussian symbol, of a row of it, or of a combination of several:
    Var(a v + b w) = a**2 Var(v) + b**2 Var(w) for different symbols v and w."""
    match arg:
        case n.Let(_, inner) | n.Transpose(inner) | n.Negate(inner):
            return _variance(claim, inner)
        case n.Add(left, right) | n.Subtract(left, right) if left.shape == right.shape:
            names = [{x.name for x in walk(side) if isinstance(x, n.Symbol)} for side in (left, right)]
            both = _variance(claim, left), _variance(claim, right)
            if both[0] is None or both[1] is None or names[0] & names[1] & claim.random:
                return None
            return n.Add(both[0], both[1])
        case n.Multiply(factor, inner) | n.Multiply(inner, factor) if (
            factor.shape.is_scalar and not inner.shape.is_scalar and not is_random(claim, factor)
        ):
            found = _variance(claim, inner)
            return found and n.Multiply(n.Power(factor, TWO), found)
        case n.Divide(inner, below) if below.shape.is_scalar and not is_random(claim, below):
            found = _variance(claim, inner)
            return found and n.Divide(found, n.Power(below, TWO))
        case n.Symbol(name) | n.Row(n.Symbol(name)) if name in claim.random:
            return _declared_variance(claim, name)
    return None


def _declared_variance(claim: Claim, name: str) -> n.Node | None:
    kind, shape = claim.symbols[name].kind, claim.symbols[name].shape
    if not isinstance(kind, Normal) or kind.cov is not None or kind.row_corr is not None:
        return None
    if kind.mean != n.Number(Fraction(0)) or claim.symbols[name].copies is not None:
        return None
    if any(n.Symbol(name, shape) in walk(a.fact) for a in claim.assumptions):
        return None
    return n.Power(kind.std, TWO)


def gammas(count: Dim, half: n.Node) -> n.Node:
    """gamma(k/2 + h) / gamma(k/2): powers of pi for a given k and h, else factorials of halves."""
    if count.constant is not None and count.constant <= MOST_WRITTEN_OUT and isinstance(half, n.Number):
        size, more = sp.Rational(count.constant, 2), sp.Rational(half.value.numerator, half.value.denominator)
        return from_sympy(sp.gamma(size + more) / sp.gamma(size), {})
    size_of = n.Divide(_count(count), TWO)
    above = n.Apply("factorial", (n.Subtract(n.Add(size_of, half), ONE),))
    return n.Divide(above, n.Apply("factorial", (n.Subtract(size_of, ONE),)))


def _count(size: Dim) -> n.Node:
    total: n.Node | None = None
    for monomial, coefficient in size.terms:
        term: n.Node = n.Number(Fraction(coefficient))
        for name, power in monomial:
            term = n.Multiply(term, n.Power(n.Symbol(name), n.Number(Fraction(power))))
        total = term if total is None else n.Add(total, term)
    return total if total is not None else n.Number(Fraction(0))
