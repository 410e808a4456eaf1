"""E f(x) g(y) for two standard normal variables of correlation r, enclosed by integrals over one variable.

With h_k the Hermite polynomials, E h_j(z) h_k(z) = [j = k], and f_k = E f(z) h_k(z):

    mehler     E f(x) g(y) = sum_k r**k f_k g_k
    the rest   |sum_{k >= K} r**k f_k g_k| <= |r|**K sqrt(E f**2 - sum_{k < K} f_k**2)
                                                    sqrt(E g**2 - sum_{k < K} g_k**2)

by the identity of Parseval and the inequality of Cauchy.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from math import factorial
from typing import Any

from flint import arb, ctx

from verifier.exact.means.quadrature import Call, Expression, Product, mean
from verifier.exact.numbers.constants import enclose

MOST = 24  # terms of an expansion
BITS = 96  # the rest of the series is wider than what more would give
ENOUGH = 44  # bits after which no further term is looked for
ODD = frozenset({"tanh", "erf", "sin", "atan", "sign"})
EVEN = frozenset({"cos", "abs"})


def joint_mean(f: Expression, g: Expression, correlation: arb) -> arb:
    """E f(x) g(y), x and y standard normal."""
    before = ctx.prec
    ctx.prec = min(before, BITS)
    try:
        return _series(f, g, correlation)
    finally:
        ctx.prec = before


def _series(f: Expression, g: Expression, r: arb) -> arb:
    total, power = arb(0), arb(1)
    left, right = _square_mean(f), _square_mean(g)
    for a, b in islice(zip(_coefficients(f), _coefficients(g), strict=False), MOST):
        total += power * a * b
        power *= r
        left, right = left - a * a, right - b * b
        rest = abs(power) * _root(left) * _root(right)
        if rest < abs(total) * arb(2) ** -ENOUGH:
            break
    return total + arb(0, rest.upper())


def _root(square: arb) -> arb:
    """An upper bound of the root of what is not negative."""
    top = square.upper()
    return top.sqrt() if top > 0 else arb(0)


def _square_mean(f: Expression) -> arb:
    """E f(z)**2"""
    squares = (
        Product(a.coefficient * b.coefficient, a.power + b.power, (*a.calls, *b.calls)) for a in f for b in f
    )
    return mean(tuple(squares))


def _coefficients(f: Expression) -> Iterator[arb]:
    """f_0, f_1, ..., the powers of z integrated one by one as they are needed."""
    powers: list[arb] = []
    parity = _parity(f)
    for k in range(MOST):
        vanishes = parity == (-1) ** (k + 1)
        raised = (Product(p.coefficient, p.power + k, p.calls) for p in f)
        powers.append(arb(0) if vanishes else mean(tuple(raised)))
        terms = (c * powers[j] for j, c in hermite(k))
        yield arb(0) if vanishes else sum(terms, arb(0)) / arb(factorial(k)).sqrt()


@lru_cache(maxsize=MOST)
def hermite(k: int) -> tuple[tuple[int, int], ...]:
    """He_k(z) = sum_m (-1)**m k!/(m! (k - 2 m)! 2**m) z**(k - 2 m), as powers and coefficients"""
    return tuple(
        (k - 2 * m, (-1) ** m * factorial(k) // (factorial(m) * factorial(k - 2 * m) * 2**m))
        for m in range(k // 2 + 1)
    )


def _parity(f: Expression) -> int:
    """1 for an even expression, -1 for an odd one, 0 where neither is seen."""
    found = {_product_parity(product) for product in f}
    return found.pop() if len(found) == 1 else 0


def _product_parity(product: Product) -> int:
    result = -1 if product.power % 2 else 1
    for call, times in product.calls:
        result = result * _call_parity(call) if times % 2 else result * _call_parity(call) ** 2
    return result


def _call_parity(call: Call) -> int:
    inside = _parity(call.argument)
    if inside == 1 or (inside == -1 and call.function in EVEN):
        return 1
    return -1 if inside == -1 and call.function in ODD else 0


def correlation(joint: Any, first: Any, second: Any) -> arb:
    """Cov(u, v)/(sd(u) sd(v)), which is between -1 and 1 whatever the enclosures hold"""
    if enclose(first).contains(arb(0)) or enclose(second).contains(arb(0)):
        return arb(0, 1)
    found = enclose(joint) / (enclose(first) * enclose(second))
    return found.max(-arb(1)).min(arb(1))
