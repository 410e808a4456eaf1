"""Totals: sums of powers against integrals, products against exponentials of sums."""

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.walk import free_indices
from verifier.kernel.context import Context
from verifier.kernel.normal.sign import is_nonnegative
from verifier.kernel.rules.norms import ONE, TWO, Pairs, root_of


def partial_sums(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{0 \le a}{\Gamma \vdash \frac{n^{a + 1}}{a + 1} \le \sum_{k=1}^n k^a \le n\,n^a} \qquad
    \frac{}{\Gamma \vdash \log(n + 1) \le \sum_{k=1}^n \frac1k \le \log n + 1} \qquad
    \frac{}{\Gamma \vdash \sqrt n \le \sum_{k=1}^n \frac{1}{\sqrt k} \le 2 \sqrt n}

    n is a size, so at least 1; the sign of a is computed, and a is the same for all terms. The sum of
    1/k**p is at most 2 for a number p from 2 on.
    """
    match atom:
        case N.Sum(body, (N.Range(name, low, N.Symbol(size) as n),), ()) if low == ONE:
            declared = context.symbols.get(size)
        case _:
            return
    if declared is None or not isinstance(declared.kind, K.Dimension):
        return
    k = N.Index(name)
    match body:
        case N.Power(base, a) if base == k and not free_indices(a) and is_nonnegative(context, a):
            above = N.Add(a, ONE)
            yield N.Divide(N.Power(n, above), above), atom
            yield atom, N.Multiply(n, N.Power(n, a))
        case N.Divide(one, below) if one == ONE and below == k:
            yield N.Apply("log", (N.Add(n, ONE),)), atom
            yield atom, N.Add(N.Apply("log", (n,)), ONE)
        case N.Divide(one, below) if one == ONE and below == root_of(k):
            yield root_of(n), atom
            yield atom, N.Multiply(TWO, root_of(n))
        case N.Divide(one, N.Power(base, N.Number(power))) if one == ONE and base == k and power >= 2:
            yield atom, TWO


def products(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{\Gamma \vdash 0 \le 1 + x_k}{\Gamma \vdash \prod_k (1 + x_k) \le e^{\sum_k x_k}}

    The sign of the factors is computed; 1 - p_k is not negative for the entries of a probability vector.
    """
    match atom:
        case N.Product(N.Add(one, x) as body, ranges, conditions) if one == ONE:
            exponent, chance = N.Sum(x, ranges, conditions), False
        case N.Product(N.Subtract(one, x) as body, ranges, conditions) if one == ONE:
            exponent, chance = N.Sum(N.Negate(x), ranges, conditions), _is_chance(context, x)
        case _:
            return
    if chance or is_nonnegative(context, body):
        yield atom, N.Apply("exp", (exponent,))


def _is_chance(context: Context, node: N.Node) -> bool:
    match node:
        case N.Entry(N.Symbol(name)) if name in context.symbols:
            return context.symbols[name].kind == K.FixedMatrix("simplex")
    return False
