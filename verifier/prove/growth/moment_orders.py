"""Moments of polynomials in Gaussians up to constants, for powers that may be symbols.

For polynomials f, g of degree at most k in independent Gaussians, with constants that depend on k and the
powers alone:

    E(f**(2e))        ~ E(f**2)**e              Jensen; hypercontractivity
    E(f**(2e) |g|**2) ~ E(f**2)**e E(|g|**2)    above: Cauchy and Schwarz with the line before; below:
                                                neither factor is small, except with small probability
                                                (Carbery and Wright)
    E(norm(f)**r)     ~ E(norm(f)**2)**(r/2)

The entries of a matrix made of matrices with i.i.d. entries have, by exchangeability, one law on the
diagonal and one off it, so

    E(norm(F**e)**2)       ~ sum of count * E(F_ij**2)**e over these two classes, and
    E(norm(D(F**e, W))**2) ~ sum of count * E(F_ij**2)**(e - 1) * E(norm(D(F_ij, W))**2)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.dims import Dim
from verifier.expr.symbols import Kind, Normal
from verifier.expr.walk import symbols_in, walk
from verifier.facts.whole import is_whole
from verifier.prove.growth.norm_moments import Surrogate, degree
from verifier.prove.scalars.randomness import is_random

ONE, TWO = n.Number(Fraction(1)), n.Number(Fraction(2))
WORDS = (
    "moments of polynomials in Gaussians agree up to constants of the degree: E f**(2e) ~ (E f**2)**e, "
    "E f**2 g**2 ~ E f**2 * E g**2; entries on and off the diagonal have one law each"
)


def through_powers(claim: Claim, node: n.Node) -> Surrogate | None:
    """E(norm(F**p)**r), E(norm(D(F**p, W))**r) or E(f**p) by second moments of F; None if it is none."""
    match node:
        case n.Let(_, body):
            return through_powers(claim, body)
        case n.Expectation(body, ()):
            found = _moment(claim, body)
            return None if found is None else Surrogate(found, True, (WORDS,))
        case n.Divide(left, right) if not is_random(claim, right):
            inner = through_powers(claim, left)
            return inner and Surrogate(n.Divide(inner.tree, right), True, inner.notes)
        case n.Multiply(left, right):
            for factor, other in ((left, right), (right, left)):
                inner = None if is_random(claim, factor) else through_powers(claim, other)
                if inner is not None:
                    return Surrogate(n.Multiply(factor, inner.tree), True, inner.notes)
        case n.Apply("sqrt", (arg,)):
            inner = through_powers(claim, arg)
            return inner and Surrogate(n.Apply("sqrt", (inner.tree,)), True, inner.notes)
        case n.Power(base, n.Number(k)) if k > 0:
            inner = through_powers(claim, base)
            return inner and Surrogate(n.Power(inner.tree, node.exponent), True, inner.notes)
    return None


def _moment(claim: Claim, body: n.Node) -> n.Node | None:
    """E(norm(G)**r) ~ E(norm(G)**2)**(r/2), and E(f**m) for an even m likewise."""
    found: n.Node | None = None
    match body:
        case n.Let(_, inner):
            return _moment(claim, inner)
        case n.Divide(left, right) if not is_random(claim, right):
            found = _moment(claim, left)
            return None if found is None else n.Divide(found, n.Apply("abs", (right,)))
        case n.Multiply(left, right) if not (is_random(claim, left) and is_random(claim, right)):
            factor, other = (left, right) if not is_random(claim, left) else (right, left)
            found = _moment(claim, other)
            return None if found is None else n.Multiply(n.Apply("abs", (factor,)), found)
        case n.Norm(arg, "fro"):
            found = _second(claim, arg)
            return None if found is None else n.Apply("sqrt", (found,))
        case n.Norm(arg, "1") if _is_polynomial(claim, arg) and _is_exchangeable(claim, arg):
            (count, entry), *_ = _classes(arg)
            return n.Multiply(count, n.Apply("sqrt", (n.Expectation(n.Power(entry, TWO)),)))
        case n.Power(base, n.Number(r)) if r > 0 and (inside := _normed(base)) is not None:
            found = _second(claim, inside)
            return None if found is None else n.Power(found, n.Number(r / 2))
        case n.Power(base, exponent) if (inside := _normed(base)) is not None and _is_power(claim, exponent):
            if not _is_polynomial(claim, inside):
                return None
            return n.Power(n.Expectation(n.Power(n.Norm(inside), TWO)), n.Divide(exponent, TWO))
        case n.Power(base, n.Number(r)) if r > 0 and r % 2 == 0 and base.shape.is_scalar:
            found = _second(claim, base)
            return None if found is None else n.Power(found, n.Number(r / 2))
        case n.Power(n.Power(), _) | n.Power() if body.shape.is_scalar:
            half = _halved(body.exponent)
            if half is not None and _is_polynomial(claim, body.base) and _is_power(claim, half):
                return n.Power(n.Expectation(n.Power(body.base, TWO)), half)
    return None


def _normed(node: n.Node) -> n.Node | None:
    match node:
        case n.Let(_, body):
            return _normed(body)
        case n.Norm(arg, "fro"):
            return arg
    return None


def _second(claim: Claim, node: n.Node) -> n.Node | None:
    """The size of E(norm(node)**2)."""
    match node:
        case n.Let(_, body) if not _is_assumed(claim, node):
            return _second(claim, body)
        case n.Transpose(arg) | n.Negate(arg):
            return _second(claim, arg)
        case n.Divide(left, right) if right.shape.is_scalar and not is_random(claim, right):
            found = _second(claim, left)
            return found and n.Divide(found, n.Power(right, TWO))
        case n.Multiply(left, right):
            for factor, other in ((left, right), (right, left)):
                if factor.shape.is_scalar and not is_random(claim, factor):
                    found = _second(claim, other)
                    return found and n.Multiply(n.Power(factor, TWO), found)
        case n.Entry(arg, n.Number() as row, n.Number() as col):
            power = _power(claim, arg)
            if power is not None:
                square = n.Power(n.Expectation(n.Power(n.Entry(power.base, row, col), TWO)), power.exponent)
                return _scaled(power, square)
        case n.Derivative(of, n.Symbol() as by):
            power = _power(claim, of)
            if power is not None and by.name in claim.symbols:
                return _over_classes(claim, power, by)
        case n.Power():
            power = _power(claim, node)
            return None if power is None else _over_classes(claim, power, None)
    return None


@dataclass(frozen=True)
class _Power:
    """scale * base**exponent, entrywise."""

    base: n.Node
    exponent: n.Node
    scale: n.Node | None = None


def _power(claim: Claim, node: n.Node) -> _Power | None:
    match node:
        case n.Let(_, body) if not _is_assumed(claim, node):
            return _power(claim, body)
        case n.Power(base, exponent) if _is_power(claim, exponent) and _is_polynomial(claim, base):
            return _Power(base, exponent)
        case n.Divide(left, right) if right.shape.is_scalar and not is_random(claim, right):
            return _rescaled(_power(claim, left), n.Divide(ONE, right))
        case n.Multiply(left, right):
            for factor, other in ((left, right), (right, left)):
                if factor.shape.is_scalar and not is_random(claim, factor):
                    return _rescaled(_power(claim, other), factor)
    return None


def _rescaled(found: _Power | None, factor: n.Node) -> _Power | None:
    if found is None:
        return None
    scale = factor if found.scale is None else n.Multiply(found.scale, factor)
    return _Power(found.base, found.exponent, scale)


def _scaled(power: _Power, square: n.Node) -> n.Node:
    return square if power.scale is None else n.Multiply(n.Power(power.scale, TWO), square)


def _over_classes(claim: Claim, power: _Power, by: n.Symbol | None) -> n.Node | None:
    """count * E(F_ij**2)**e, or with e - 1 and the derivative's square, added over the classes of entries."""
    if not _is_exchangeable(claim, power.base):
        return None
    total: n.Node | None = None
    for count, entry in _classes(power.base):
        square = n.Expectation(n.Power(entry, TWO))
        if by is None:
            value: n.Node = n.Power(square, power.exponent)
        else:
            slope = n.Expectation(n.Power(n.Norm(n.Derivative(entry, by)), TWO))
            value = n.Multiply(n.Power(square, n.Subtract(power.exponent, ONE)), slope)
        term = n.Multiply(count, value)
        total = term if total is None else n.Add(total, term)
    return None if total is None else _scaled(power, total)


def _classes(base: n.Node) -> Iterator[tuple[n.Node, n.Node]]:
    """How many entries have the same law, and one of them."""
    rows, cols = base.shape.rows, base.shape.cols
    if base.shape.is_scalar:
        yield ONE, base
        return
    if rows == cols:
        size = _size(rows)
        yield size, n.Entry(base, ONE, ONE)
        yield n.Multiply(size, n.Subtract(size, ONE)), n.Entry(base, ONE, TWO)
        return
    yield n.Multiply(_size(rows), _size(cols)), n.Entry(base, ONE, ONE)


def _size(dim: Dim) -> n.Node:
    if dim.constant is not None:
        return n.Number(Fraction(dim.constant))
    (name,) = dim.names
    return n.Symbol(name)


def _is_exchangeable(claim: Claim, node: n.Node) -> bool:
    """Whether permuting the indices of any size leaves the joint law as it is: i.i.d. entries, and
    matrices that no permutation changes. Sizes are single symbols."""
    for part in walk(node):
        if not all(map(_is_single, (part.shape.rows, part.shape.cols))):
            return False
        match part:
            case n.Symbol(name) | n.Member(name):
                declared = claim.symbols.get(name)
                fixed = declared is not None and not declared.is_random and declared.shape.is_scalar
                if not fixed and (declared is None or not _is_iid(declared.kind)):
                    return False
            case n.Entry() | n.Row() | n.Sum() | n.Product():
                return False
    return True


def _is_single(dim: Dim) -> bool:
    return dim.constant is not None or (len(dim.names) == 1 and dim == Dim.of(*dim.names))


def _is_iid(kind: Kind) -> bool:
    if not isinstance(kind, Normal) or kind.cov is not None or kind.row_corr is not None:
        return False
    return kind.mean.shape.is_scalar


def _is_polynomial(claim: Claim, base: n.Node) -> bool:
    """A polynomial in Gaussians alone: for signs the product rule is false ((1 + e)(1 - e) = 0)."""
    names = claim.random_in(base)
    return all(isinstance(claim.symbols[name].kind, Normal) for name in names) and bool(degree(claim, base))


def _is_power(claim: Claim, exponent: n.Node) -> bool:
    """p, 2*p, 2*p - 1, 3: an integer that is at least 1 whatever the integers in it are."""
    grows = symbols_in(exponent) & {symbol.name for symbol in claim.growing}
    least = claim.values(exponent).low.at
    return not grows and is_whole(exponent, claim.symbols) and least is not None and least >= 1


def _halved(exponent: n.Node) -> n.Node | None:
    match exponent:
        case n.Multiply(n.Number(value), arg) | n.Multiply(arg, n.Number(value)) if value % 2 == 0:
            return arg if value == 2 else n.Multiply(n.Number(value / 2), arg)
        case n.Number(value) if value % 2 == 0:
            return n.Number(value / 2)
    return None


def _is_assumed(claim: Claim, let: n.Let) -> bool:
    found = (assumption.assumed_value for assumption in claim.assumptions)
    return any(pair is not None and pair[0].name == let.name for pair in found)
