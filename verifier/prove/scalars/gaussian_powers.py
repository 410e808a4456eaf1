"""Moments of any order, also a symbolic one, of what is Gaussian once the rest is known.

    f linear in a Gaussian w of mean 0, given the rest:  f ~ N(0, V),  V = E(f**2, given the rest)
    E f**(2m)    = (2m - 1)!! E V**m
    E norm(f)**r = 2**(r/2) gamma((k + r)/2)/gamma(k/2) E c**(r/2)   for k entries, E(f f', given ...) = c I
    E norm(relu(f))**r = sum_j binomial(k, j)/2**k of the same with j entries

What V is made of is raised in turn: (w.z)**(2m) becomes (2m - 1)!! E norm(w)**(2m).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.dims import ONE as DIM_ONE
from verifier.expr.dims import Dim
from verifier.expr.symbols import Normal
from verifier.expr.walk import walk
from verifier.facts.degree import is_linear
from verifier.facts.whole import is_whole
from verifier.prove.scalars.gaussian_lengths import ONE, TWO, gammas

ClosedForm = Callable[[Claim, n.Node], n.Node | None]
ZERO = n.Number(Fraction(0))
_MOST_SIGNS = 24


@dataclass(frozen=True)
class Raised:
    """base**power, one factor of what an expectation is taken of."""

    base: n.Node
    power: n.Node


def of_powers(claim: Claim, node: n.Node, close: ClosedForm) -> n.Node | None:
    """The mean of a product of powers without expectations; None where a factor is of another kind."""
    match node:
        case n.Expectation(body, ()) if body.shape.is_scalar and not _is_conditioned(claim, body):
            return _mean(claim, list(_factors(claim, body, ONE)), close)
    return None


def _is_conditioned(claim: Claim, body: n.Node) -> bool:
    """Whether assumptions say more of what is drawn, or of a name in it, than its law does."""
    drawn = claim.random_in(body)
    names = {part.name for part in walk(body) if isinstance(part, n.Let)}
    assumed = [a.assumed_value[0].name for a in claim.assumptions if a.assumed_value is not None]
    spoken = (claim.random_in(part) for a in claim.assumptions for part in walk(a.fact))
    families = any(isinstance(part, n.Member) for part in walk(body))
    return families or bool(names & set(assumed)) or any(drawn & those for those in spoken)


def _mean(claim: Claim, factors: list[Raised], close: ClosedForm) -> n.Node | None:
    """E of a product: what is fixed goes in front, and factors without a common symbol are independent."""
    drawn = [factor for factor in factors if claim.random_in(factor.base)]
    if any(claim.random_in(factor.power) for factor in factors):
        return None
    if any(claim.random_in(a.base) & claim.random_in(b.base) for a, b in combinations(drawn, 2)):
        return None
    total: n.Node = ONE
    for factor in factors:
        value = _moment(claim, factor, close) if factor in drawn else n.Power(factor.base, factor.power)
        if value is None:
            return None
        total = n.Multiply(total, value)
    return total


def _factors(claim: Claim, node: n.Node, power: n.Node, sizes: bool = False) -> Iterator[Raised]:
    """(a b**p)**q is a**q b**(p q); an entry of an entrywise power is a power.

    Where a power is not whole its base is not negative, so it is the product of the `sizes` |a|, |b|**p."""
    sizes = sizes or not is_whole(power, claim.symbols)
    match node:
        case n.Let(_, body):
            yield from _factors(claim, body, power, sizes)
        case n.Multiply(left, right) if left.shape.is_scalar and right.shape.is_scalar:
            yield from _factors(claim, left, power, sizes)
            yield from _factors(claim, right, power, sizes)
        case n.Divide(left, right) if left.shape.is_scalar and not claim.random_in(right):
            yield from _factors(claim, left, power, sizes)
            yield from _factors(claim, right, n.Negate(power), sizes)
        case n.Power(base, exponent) if base.shape.is_scalar:
            yield from _factors(claim, base, _times(exponent, power), sizes)
        case n.Entry(arg, row, col):
            while isinstance(arg, n.Let):
                arg = arg.body
            match arg:
                case n.Power(base, exponent) if not base.shape.is_scalar:
                    yield from _factors(claim, n.Entry(base, row, col), _times(exponent, power), sizes)
                case n.MatMul(left, right) if row == col and left == _transposed(right):
                    yield Raised(n.Norm(n.Row(left, row)), _times(TWO, power))
                case _:
                    yield Raised(_size(claim, node) if sizes else node, power)
        case _:
            yield Raised(_size(claim, node) if sizes else node, power)


def _transposed(node: n.Node) -> n.Node:
    return node.arg if isinstance(node, n.Transpose) else n.Transpose(node)


def _size(claim: Claim, node: n.Node) -> n.Node:
    return node if claim.values.in_mean()(node).is_nonnegative else n.Apply("abs", (node,))


def _times(left: n.Node, right: n.Node) -> n.Node:
    match left, right:
        case n.Number(a), n.Number(b):
            return n.Number(a * b)
    return right if left == ONE else left if right == ONE else n.Multiply(left, right)


# --- one factor -------------------------------------------------------------------------------------------


def _moment(claim: Claim, factor: Raised, close: ClosedForm) -> n.Node | None:
    base, power = factor.base, factor.power
    lowest = claim.values(power).low.at
    if lowest is None or lowest < 0:
        return None
    match base:
        case n.Norm(arg, "fro"):
            return _of_length(claim, arg, power, close)
        case n.Apply("abs", (arg,)):
            return _of_length(claim, arg, power, close)
    half = _half(claim, power)
    return None if half is None else _of_number(claim, base, half, close)


def _of_number(claim: Claim, f: n.Node, half: n.Node, close: ClosedForm) -> n.Node | None:
    """E f**(2m) = (2m - 1)!! E V**m."""
    inner = _spread(claim, n.Power(f, TWO), f, close)
    value = None if inner is None else _mean(claim, list(_factors(claim, inner, half)), close)
    odd = n.Apply("factorial2", (n.Subtract(n.Multiply(TWO, half), ONE),))
    return None if value is None else n.Multiply(odd, value)


def _of_length(claim: Claim, v: n.Node, power: n.Node, close: ClosedForm) -> n.Node | None:
    """E norm(v)**r = 2**(r/2) gamma((k + r)/2)/gamma(k/2) E c**(r/2)."""
    clipped = isinstance(v, n.Apply) and v.function == "relu"
    if isinstance(v, n.Apply) and clipped:
        v = v.args[0]
    half, inner = _halved(power), _variance(claim, v, close)
    value = None if inner is None else _mean(claim, list(_factors(claim, inner, half)), close)
    size = v.shape.rows * v.shape.cols
    shape = _clipped_gammas(claim, size, power, half) if clipped else gammas(size, half)
    if value is None or shape is None:
        return None
    return n.Multiply(n.Multiply(n.Power(TWO, half), shape), value)


def _clipped_gammas(claim: Claim, size: Dim, power: n.Node, half: n.Node) -> n.Node | None:
    """E norm(relu(v))**r: j of k entries are positive with chance binomial(k, j)/2**k."""
    count, lowest = size.constant, claim.values(power).low.at
    if count is None or count > _MOST_SIGNS or lowest is None or lowest <= 0:
        return None
    total: n.Node = ZERO
    for j in range(1, count + 1):
        chance = n.Number(Fraction(comb(count, j), 2**count))
        total = n.Add(total, n.Multiply(chance, gammas(Dim.of(j), half)))
    return total


def _variance(claim: Claim, v: n.Node, close: ClosedForm) -> n.Node | None:
    """c of E(v v', given the rest) = c I; for all entries of one symbol their own."""
    match v:
        case n.Transpose(arg):
            return _variance(claim, arg, close)
        case n.Symbol(name) if _is_centred_gaussian(claim, name):
            kind = claim.symbols[name].kind
            if isinstance(kind, Normal) and kind.cov is None and kind.row_corr is None:
                return n.Power(kind.std, TWO)
    if v.shape.is_scalar:
        return _spread(claim, n.Power(v, TWO), v, close)
    if not v.shape.is_vector and v.shape.rows != DIM_ONE:
        return None
    column = v if v.shape.is_vector else n.Transpose(v)
    found = _spread(claim, n.MatMul(column, n.Transpose(column)), v, close)
    return None if found is None else _of_identity(found)


def _spread(claim: Claim, square: n.Node, f: n.Node, close: ClosedForm) -> n.Node | None:
    """E(square, given the rest) for the first Gaussian that f is linear in."""
    for name in sorted(claim.random_in(f)):
        if _is_centred_gaussian(claim, name) and is_linear(f, {name}):
            parts = [part for part in walk(f) if isinstance(part, n.Symbol)]
            rest = {part.name: part for part in parts if part.name in claim.random - {name}}
            return close(claim, n.Expectation(square, tuple(rest[other] for other in sorted(rest))))
    return None


def _of_identity(node: n.Node) -> n.Node | None:
    """c of c*eye(k)."""
    match node:
        case n.Eye():
            return ONE
        case n.Multiply(left, right):
            if right.shape.is_scalar:
                left, right = right, left
            inner = _of_identity(right) if left.shape.is_scalar else None
            return None if inner is None else _times(left, inner)
    return None


# --- questions about trees ----------------------------------------------------------------------------------


def _is_centred_gaussian(claim: Claim, name: str) -> bool:
    kind = claim.symbols[name].kind
    return isinstance(kind, Normal) and kind.mean == ZERO


def _half(claim: Claim, node: n.Node) -> n.Node | None:
    """m of 2*m, m an integer whatever its symbols are."""
    match node:
        case n.Number(value):
            return n.Number(value / 2) if value.denominator == 1 and value % 2 == 0 else None
        case n.Multiply(left, right):
            for even, other in ((left, right), (right, left)):
                half = _half(claim, even)
                if half is not None and is_whole(other, claim.symbols):
                    return _times(half, other)
        case n.Add(left, right) | n.Subtract(left, right):
            first, second = _half(claim, left), _half(claim, right)
            return None if first is None or second is None else type(node)(first, second)
    return None


def _halved(node: n.Node) -> n.Node:
    match node:
        case n.Number(value):
            return n.Number(value / 2)
        case n.Multiply(n.Number(value), right):
            return _times(n.Number(value / 2), right)
    return n.Divide(node, TWO)
