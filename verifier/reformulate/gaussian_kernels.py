"""Means of Gaussian kernels of a Gaussian.

    E exp(a - k norm(w - x)**2) = exp(a - k norm(m - x)**2/q) q**(-n/2),        q = 1 + 2 k std**2,

for w of n independent N(m, std**2) entries, x and a that are not random, and k > 0: then q > 1.
"""

from fractions import Fraction

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.dims import Dim
from verifier.expr.symbols import Normal
from verifier.expr.walk import expand_lets, walk
from verifier.reformulate.independent_factors import is_weight

_ZERO, _ONE, _TWO = (N.Number(Fraction(k)) for k in (0, 1, 2))
Parts = tuple[N.Node, int, N.Node, N.Node]  # a, the sign of the square, k, and what is squared


def mean_of_kernel(claim: Claim, body: N.Node) -> N.Node | None:
    """E(body) for an exponential of minus a square of one Gaussian; None where it is no such thing."""
    match expand_lets(body):
        case N.Apply("exp", (exponent,)) if exponent.shape.is_scalar:
            found = _parts(claim, exponent)
        case _:
            return None
    if found is None or found[1] > 0:
        return None
    shift, _, weight, inside = found
    moved = _at_mean(claim, inside)
    if moved is None:
        return None
    (centre, std), count = moved, _count(inside.shape.size)
    if count is None:
        return None
    spread = N.Add(_ONE, N.Multiply(N.Multiply(_TWO, weight), N.Power(std, _TWO)))
    square = N.Divide(N.Multiply(weight, N.Power(N.Norm(centre), _TWO)), spread)
    power = N.Power(spread, N.Negate(N.Divide(count, _TWO)))
    return N.Multiply(power, N.Apply("exp", (N.Subtract(shift, square),)))


def _parts(claim: Claim, node: N.Node) -> Parts | None:
    """a +- k norm(f)**2, with nothing random in a and a positive k."""
    match node:
        case N.Power(N.Norm(inside, "fro"), N.Number(two)) if two == 2:
            return _ZERO, 1, _ONE, inside
        case N.Negate(arg) if (found := _parts(claim, arg)) is not None:
            return N.Negate(found[0]), -found[1], found[2], found[3]
        case N.Add(left, right) if not claim.random_in(left):
            left, right = right, left
        case N.Add(left, right):
            pass
        case N.Subtract(left, right) if not claim.random_in(left):
            return _parts(claim, N.Add(left, N.Negate(right)))
        case N.Subtract(left, right):
            right = N.Negate(right)
        case N.Multiply(left, right) if not claim.random_in(left):
            return _scaled(_parts(claim, right), claim, left, over=False)
        case N.Multiply(left, right):
            return _scaled(_parts(claim, left), claim, right, over=False)
        case N.Divide(left, right):
            return _scaled(_parts(claim, left), claim, right, over=True)
        case _:
            return None
    found = _parts(claim, left)
    if found is None or claim.random_in(right):
        return None
    return N.Add(found[0], right), found[1], found[2], found[3]


def _scaled(found: Parts | None, claim: Claim, factor: N.Node, over: bool) -> Parts | None:
    if isinstance(factor, N.Negate):
        turned = _scaled(found, claim, factor.arg, over)
        return None if turned is None else (N.Negate(turned[0]), -turned[1], turned[2], turned[3])
    if isinstance(factor, N.Number) and factor.value < 0:
        return _scaled(found, claim, N.Negate(N.Number(-factor.value)), over)
    if found is None or not is_weight(claim, factor):
        return None
    times = N.Divide if over else N.Multiply
    return times(found[0], factor), found[1], times(found[2], factor), found[3]


def _at_mean(claim: Claim, node: N.Node) -> tuple[N.Node, N.Node] | None:
    """+-w + x at the mean of w, and the deviation of w."""
    match node:
        case N.Symbol(name) if name in claim.symbols:
            return _law(claim, name)
        case N.Negate(arg) if (found := _at_mean(claim, arg)) is not None:
            return N.Negate(found[0]), found[1]
        case N.Add(left, right) | N.Subtract(left, right):
            drawn, still = (left, right) if claim.random_in(left) else (right, left)
            found = None if claim.random_in(still) else _at_mean(claim, drawn)
            if found is None:
                return None
            sides = (found[0], right) if drawn is left else (left, found[0])
            return type(node)(*sides), found[1]
    return None


def _law(claim: Claim, name: str) -> tuple[N.Node, N.Node] | None:
    """The mean, in the shape of the symbol, and the deviation."""
    declared = claim.symbols[name]
    spoken = any(isinstance(x, N.Symbol) and x.name == name for a in claim.assumptions for x in walk(a.fact))
    match declared.kind:
        case Normal(mean, std, None, None) if declared.copies is None and not spoken:
            if mean.shape != declared.shape:
                mean = N.Multiply(mean, N.Ones(declared.shape))
            return (mean, std) if not claim.random_in(mean) and not claim.random_in(std) else None
    return None


def _count(size: Dim) -> N.Node | None:
    if size.constant is not None:
        return N.Number(Fraction(size.constant))
    names = list(size.names)
    return N.Symbol(names[0]) if len(names) == 1 and size == Dim.of(names[0]) else None
