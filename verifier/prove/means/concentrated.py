"""Markov's bound on a quantity that concentrates comes as close as one likes.

    P(Y >= (1 - a) E Y) >= 1 - v/a**2,     v = Var(Y)/(E Y)**2      (Chebyshev)

while E Y / ((1 - a) E Y) = 1/(1 - a): at that threshold the bound is above the chance by a factor of
1/((1 - a) (1 - v/a**2)), which is within 1% of 1 for a = 1/250 and v <= 10**-8. So small is v at large sizes.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.evidence import Tightness
from verifier.expr import nodes as N
from verifier.expr.symbols import Dimension, Positive
from verifier.expr.walk import walk

Close = Callable[[N.Node], N.Node | None]
_LARGE, _OTHERS = Fraction(10**10), Fraction(2)
_SPREAD = Fraction(1, 10**8)
_MOST_POWER = 16


def concentrates(claim: Claim, quantity: N.Node, close: Close) -> Tightness | None:
    """That E Y/t comes within 1% of P(Y >= t) at some sizes and some t, for this Y >= 0."""
    mean, variance = close(N.Expectation(quantity)), close(N.Variance(quantity))
    if mean is None or variance is None or claim.assumptions:
        return None
    names = {x.name for tree in (mean, variance) for x in walk(tree) if isinstance(x, N.Symbol)}
    kinds = {x: symbol.kind for x, symbol in claim.symbols.items() if x in names}
    sizes = [x for x, kind in kinds.items() if isinstance(kind, Dimension) and x not in claim.where]
    others = {x: Fraction(1) for x, kind in kinds.items() if isinstance(kind, Positive)}
    for grown in sizes:
        point = {**others, **dict.fromkeys(sizes, _OTHERS), grown: _LARGE, **claim.where}
        centre, spread = _value(mean, point), _value(variance, point)
        if centre is not None and spread is not None and centre > 0 and spread <= _SPREAD * centre**2:
            note = f"the quantity concentrates as {grown} grows"
            return Tightness(True, Fraction(0), Fraction(1, 100), note=note)
    return None


def _value(node: N.Node, point: Mapping[str, Fraction]) -> Fraction | None:
    """A rational function of scalars at a point; None for anything else."""
    match node:
        case N.Number(value):
            return value
        case N.Symbol(name):
            return point.get(name)
        case N.Negate(arg):
            inner = _value(arg, point)
            return None if inner is None else -inner
        case N.Power(base, N.Number(k)) if k.denominator == 1 and 0 <= k <= _MOST_POWER:
            inner = _value(base, point)
            return None if inner is None else inner ** int(k)
        case N.Add(left, right) | N.Subtract(left, right) | N.Multiply(left, right) | N.Divide(left, right):
            a, b = _value(left, point), _value(right, point)
            return None if a is None or b is None else _joined(node, a, b)
    return None


def _joined(
    node: N.Add | N.Subtract | N.Multiply | N.Divide, left: Fraction, right: Fraction
) -> Fraction | None:
    match node:
        case N.Add():
            return left + right
        case N.Subtract():
            return left - right
        case N.Multiply():
            return left * right
        case N.Divide():
            return left / right if right else None
