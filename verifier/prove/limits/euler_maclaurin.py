"""The expansion of f(a) + f(a + 1) + ... + f(x) for a large x, from that of f (Euler and Maclaurin).

    sum of k**p        = C + x**(p + 1)/(p + 1) + x**p/2 + sum of B_2j p (p - 1) ... x**(p - 2j + 1) / (2j)!
    sum of 1/k         = C + log(x) + ...
    sum of log(k)**q k**p ~ x**(p + 1) log(x)**q / (p + 1),  of log(k)**q / k ~ log(x)**(q + 1) / (q + 1)
    sum of r**k k**p   ~ r**x x**p r/(r - 1) where |r| > 1
    a sum that converges tends to its value, up to a tail of the order of x f(x), or of f(x) if |r| < 1

The constants C are not needed where the sum grows.
"""

from typing import Protocol

import sympy as sp

from verifier.prove.limits.scale_sums import (
    ONE,
    ZERO,
    Expansion,
    Part,
    Scale,
    add,
    constant,
    multiply,
    power_of,
)
from verifier.prove.limits.stirling import HALF, Expanding
from verifier.prove.scalars.scalar_refusal import Refused


class Summing(Expanding, Protocol):
    """An expander that can be had for another variable."""

    def along(self, variable: sp.Symbol) -> "Summing": ...
    def stripped(self, expansion: Expansion) -> Expansion: ...


def total(expander: Summing, body: sp.Expr, index: sp.Symbol, low: sp.Expr, high: sp.Expr) -> Expansion:
    """The sum of the body over the index from `low` to `high`, of which only `high` grows."""
    step = sp.Dummy("k", integer=True, positive=True)
    summand = body.subs(index, step)
    if expander.variable in summand.free_symbols | low.free_symbols or not low.is_Integer:
        raise Refused("the growth of a sum whose terms change with its length")
    count = high - expander.variable
    if expander.variable in count.free_symbols:
        raise Refused("the growth of a sum of this length")
    inner = expander.along(step)
    expansion = inner.stripped(inner.of(summand))
    lead, _ = inner.leading(expansion)
    if _converges(expander, lead.scale):
        value = _value(expander, summand, step, low)
        return Expansion(constant(value).parts, (_tail(lead.scale),))
    x = expander.of(high)
    found, beyond = Expansion(), [Scale()]
    for part in expansion.parts:
        found = add(found, _part(expander, x, count, part))
        if not part.exact:
            beyond.append(_summed_scale(expander, part.scale.lowered(len(part.series))))
    beyond += [_summed_scale(expander, scale) for scale in expansion.beyond]
    return Expansion(found.parts, tuple(dict.fromkeys((*found.beyond, *beyond))))


def _kind(expander: Expanding, scale: Scale) -> tuple[int, int, int]:
    """The signs of log|r|, p + 1 and q + 1 of r**k k**p log(k)**q; Refused for other scales."""
    if scale.s != 0 or scale.h or scale.w != 0 or expander.comparison.sign(scale.r) != "positive":
        raise Refused("the growth of a sum of such terms")
    order = expander.comparison.direction
    return order(scale.r - 1), order(scale.p + 1), order(scale.q + 1)


def _converges(expander: Expanding, scale: Scale) -> bool:
    return _kind(expander, scale) < (0, 0, 0)


def _tail(scale: Scale) -> Scale:
    """What is left out of a sum that converges."""
    return scale if scale.r != 1 else scale.lowered(-1)


def _summed_scale(expander: Expanding, scale: Scale) -> Scale:
    """A bound of the sum of terms of this scale, up to a constant."""
    match _kind(expander, scale):
        case (1, _, _):
            return scale
        case (0, 1, _):
            return scale.lowered(-1)
        case (0, 0, 1):
            return Scale(q=scale.q + 1)
        case (0, 0, 0):
            return Scale(w=ONE)
    return Scale()


def _value(expander: Expanding, summand: sp.Expr, step: sp.Symbol, low: sp.Expr) -> sp.Expr:
    """The value of an infinite sum of positive terms."""
    whole = sp.Sum(summand, (step, low, sp.oo))
    found = whole.doit()
    if not found.has(sp.Sum, sp.Piecewise, sp.zoo, sp.nan):
        return found
    if low < 1 or not summand.is_positive:
        raise Refused("the value of an infinite sum")
    expander.comparison.known[whole] = "positive"
    return whole


def _part(expander: Summing, x: Expansion, count: sp.Expr, part: Part) -> Expansion:
    scale = part.scale
    rate, _, _ = _kind(expander, scale)
    if rate > 0:
        weight = part.series[0] * scale.r ** (count + 1) / (scale.r - 1)
        return Expansion((Part(scale, (weight,)),))
    if rate < 0:
        return Expansion()
    found = Expansion()
    for k, coefficient in enumerate(part.series):
        if coefficient != 0:
            term = (
                _power(expander, x, scale.p - k) if scale.q == 0 else _logarithmic(expander, scale.lowered(k))
            )
            found = add(found, multiply(constant(coefficient), term))
    return found


def _power(expander: Summing, x: Expansion, p: sp.Expr) -> Expansion:
    """The sum of k**p, without its constant."""
    direction = expander.comparison.direction(p + 1)
    found = expander.log(x) if direction == 0 else _scaled(1 / (p + 1), expander.power(x, p + 1))
    if direction < 0:
        return Expansion()  # all of it is a constant and what tends to 0
    found = add(found, _scaled(HALF, expander.power(x, p)))
    for j in range(1, expander.order):
        weight = sp.bernoulli(2 * j) * sp.ff(p, 2 * j - 1) / sp.factorial(2 * j)
        if weight == 0:
            return found
        found = add(found, _scaled(weight, expander.power(x, p - 2 * j + 1)))
    return found


def _logarithmic(expander: Summing, scale: Scale) -> Expansion:
    """The leading term of the sum of k**p log(k)**q."""
    _, above, log = _kind(expander, scale)
    if above > 0:
        made = Scale(p=scale.p + 1, q=scale.q)
        rest = (Scale(p=scale.p + 1, q=scale.q - 1), scale)
        return Expansion(power_of(1 / (scale.p + 1), made).parts, rest)
    if above == 0 and log > 0:
        return power_of(1 / (scale.q + 1), Scale(q=scale.q + 1))
    return power_of(ONE, Scale(w=ONE)) if above == 0 == log else Expansion()


def _scaled(weight: sp.Expr, expansion: Expansion) -> Expansion:
    return multiply(constant(weight), expansion) if weight != ZERO else Expansion()
