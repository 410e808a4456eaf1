"""Expansions of special functions of a large argument.

gamma(m L + a) ~ sqrt(2 pi) (m L)**(m L + a - 1/2) exp(-m L + sum of Bernoulli terms)
log gamma(x)   = (x - 1/2) log x - x + log(2 pi)/2 + sum of B_2k / (2k (2k - 1) x**(2k - 1))
1 + 1/2 + ... + 1/x = log x + gamma + 1/(2x) - sum of B_2k / (2k x**2k)
1 - erf(x)     = exp(-x**2)/(sqrt(pi) x) (1 - 1/(2 x**2) + 3/(2 x**2)**2 - ...)
"""

from typing import Protocol

import sympy as sp

from verifier.prove.limits.scale_sums import (
    ONE,
    ZERO,
    Comparison,
    Expansion,
    Part,
    Scale,
    Series,
    add,
    composed,
    constant,
    multiply,
)
from verifier.prove.scalars.scalar_refusal import Refused

HALF = sp.Rational(1, 2)


class Expanding(Protocol):
    """Expansions of sums, products, powers, exponentials and logarithms."""

    @property
    def variable(self) -> sp.Symbol: ...
    @property
    def comparison(self) -> Comparison: ...
    @property
    def order(self) -> int: ...
    def of(self, expr: sp.Expr) -> Expansion: ...
    def power(self, base: Expansion, exponent: sp.Expr) -> Expansion: ...
    def log(self, inner: Expansion) -> Expansion: ...
    def exp(self, inner: Expansion) -> Expansion: ...
    def leading(self, expansion: Expansion) -> tuple[Part, tuple[Scale, ...]]: ...


def gamma(expander: Expanding, argument: sp.Expr) -> Expansion:
    """Stirling's series of gamma(m L + a), m > 0, or of another argument that grows."""
    grown, variable = sp.expand(argument), expander.variable
    if not grown.is_polynomial(variable) or sp.degree(grown, variable) != 1:
        return _gamma_of(expander, expander.of(grown))
    m, a = sp.Poly(grown, variable).all_coeffs()
    if expander.comparison.sign(m) != "positive":
        raise Refused("the expansion of a factorial of this argument")
    terms = (
        sp.Integer(-1) ** (k + 1) * sp.bernoulli(k + 1, a) / (k * (k + 1) * m**k)
        for k in range(1, expander.order)
    )
    small: Series = (ZERO, *terms)
    series = composed(lambda k: 1 / sp.factorial(k), small)
    front = sp.sqrt(2 * sp.pi) * m ** (a - HALF)
    scale = Scale(s=m, r=m**m * sp.exp(-m), p=a - HALF)
    return Expansion((Part(scale, tuple(front * c for c in series)),))


def _gamma_of(expander: Expanding, x: Expansion) -> Expansion:
    """Through the logarithm of gamma."""
    _require_large(expander, x)
    shifted = add(x, constant(-HALF))
    total = add(multiply(shifted, expander.log(x)), _times(-ONE, x))
    total = add(total, constant(sp.log(2 * sp.pi) / 2))
    for k in range(1, expander.order):
        weight = sp.bernoulli(2 * k) / (2 * k * (2 * k - 1))
        power = expander.power(x, sp.Integer(1 - 2 * k))
        total = add(total, _times(weight, power))
    rest = expander.power(x, sp.Integer(1 - 2 * expander.order))
    return expander.exp(_upto(total, rest))


def harmonic(expander: Expanding, argument: sp.Expr) -> Expansion:
    inner = expander.of(argument)
    total = add(expander.log(inner), constant(sp.EulerGamma))
    for k in range(1, expander.order):
        weight = HALF if k == 1 else -sp.bernoulli(k) / k
        if weight != 0:
            total = add(total, _times(weight, expander.power(inner, sp.Integer(-k))))
    return _upto(total, expander.power(inner, sp.Integer(-expander.order)))


def erf(expander: Expanding, inner: Expansion) -> Expansion:
    """erf(f) where f grows: 1 less its tail, or minus that."""
    side = _require_large(expander, inner)
    square = multiply(inner, inner)
    tail, term = Expansion(), constant(ONE)
    below = expander.power(square, -ONE)
    for k in range(expander.order):
        tail = add(tail, term)
        term = _times(-sp.Rational(2 * k + 1, 2), multiply(term, below))
    tail = _upto(tail, term)
    front = multiply(expander.exp(_times(-ONE, square)), expander.power(inner, -ONE))
    # The tail has the sign of f, as 1/f has.
    return add(
        constant(side),
        _times(-1 / sp.sqrt(sp.pi), multiply(front, tail)),
    )


def _require_large(expander: Expanding, inner: Expansion) -> sp.Expr:
    """1 where the argument tends to oo, -1 where it tends to -oo; Refused elsewhere."""
    part, _ = expander.leading(inner)
    if not expander.comparison.larger(part.scale, Scale()):
        raise Refused("the expansion of a function whose argument does not grow")
    if expander.comparison.sign(part.scale.r) != "positive":
        raise Refused("terms that grow with alternating signs")
    return sp.Integer(expander.comparison.direction(part.series[0]))


def _times(weight: sp.Expr, expansion: Expansion) -> Expansion:
    return multiply(constant(weight), expansion)


def _upto(total: Expansion, rest: Expansion) -> Expansion:
    """The expansion, known up to what `rest` is."""
    beyond = (*total.beyond, *(part.scale for part in rest.parts), *rest.beyond)
    return Expansion(total.parts, tuple(dict.fromkeys(beyond)))
