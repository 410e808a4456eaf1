"""Bounds on expectations of activations by bounds on the activations.

    E f(u) <= E p(u)     if  f(u) <= p(u) for every u,   or  f(u) + f(-u) <= p(u) + p(-u),

for u and -u of one law. For the entries u of a matrix A of centred normal entries, E(norm(f(A))**2) is the
sum over the entries of E f(u)**2, and a right side that is

    alpha * E(norm(A)**2) + beta * size      is the same sum of E(alpha u**2 + beta);

for one variable, E(u**(2 k)) = (2 k - 1)!! Var(u)**k. The gap between f and p at every u is at most the gap
between their means, which is what is known of it from below; from above, it is evaluated at variances that
are small and large.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod

import sympy as sp

from verifier.claim.model import Claim
from verifier.evidence import Finding, Tightness
from verifier.expr import nodes as N
from verifier.expr.dims import Dim
from verifier.expr.symbols import Declared, FixedMatrix, Interval, Kind, Normal, Positive, Real
from verifier.expr.walk import rebuild, substitute, walk
from verifier.symbolic.nonlinear.activations import CLOSED, OPEN
from verifier.symbolic.scalar.back import from_sympy
from verifier.symbolic.scalar.domain import domain
from verifier.symbolic.scalar.refuse import Refused
from verifier.symbolic.scalar.translate import Translator

Judge = Callable[[Claim, N.Relation], Finding]
Close = Callable[[N.Node], N.Node | None]
_SPREADS = (Fraction(1, 64), Fraction(1024))
_MOST = 3
_ONE_PERCENT = Fraction(1, 100)
_U = N.Symbol("u")
_ONE, _TWO = N.Number(Fraction(1)), N.Number(Fraction(2))
_TOTAL = CLOSED | OPEN | {"min", "max"}


@dataclass(frozen=True)
class Mean:
    """weight * sum over `size` entries u of E body(u); square: the sum of E u**2."""

    body: N.Node
    size: N.Node
    square: N.Node
    weight: N.Node


def examine_pointwise(claim: Claim, fact: N.Relation, close: Close, judge: Judge) -> Finding | None:
    """The bound by a bound at every value of the variable; None where that shows nothing."""
    if fact.op not in ("<=", ">=") or claim.layers is not None or _U.name in claim.symbols:
        return None
    if any(a.constraint is None for a in claim.assumptions):  # they say what the tree stands for
        return None
    asked = _mean(claim, fact.left, close)
    if asked is None or not all(_is_total(part) for part in walk(asked.body)):
        return None
    bound = _bound(claim, asked, fact.right, close)
    if bound is None:
        return None
    for kind, body, other in _forms(asked.body, bound):
        alone = _about_u(claim, kind)
        found = judge(alone, N.Relation(fact.op, body, other))
        if found.truth == "true" and found.grade in ("proved", "certified"):
            shown = "at every value of the variable" + ("" if body == asked.body else " and its opposite")
            return Finding(
                "symbolic",
                "true",
                grade="certified",
                reason=f"the bound holds {shown}",
                tightness=_tightness(claim, fact.op, asked, bound, found, close, judge),
            )
    return None


def _about_u(claim: Claim, kind: Kind) -> Claim:
    """A claim about one number alone."""
    return replace(
        claim, symbols={_U.name: Declared(_U.name, kind, _U.shape)}, assumptions=(), lets=(), where={}
    )


def _is_total(node: N.Node) -> bool:
    """Whether this part of a function of u is defined for every u."""
    match node:
        case N.Apply(function, _):
            return function in _TOTAL
        case N.Power(_, N.Number(k)):
            return k.denominator == 1 and k >= 0
        case N.Divide(_, N.Number()):
            return True
        case N.Derivative(_, by):
            return by == _U
    return isinstance(node, N.Symbol | N.Number | N.Add | N.Subtract | N.Multiply | N.Negate)


def _forms(body: N.Node, bound: N.Node) -> Iterator[tuple[Kind, N.Node, N.Node]]:
    """f(u) and p(u) for real u; (f(u) + f(-u))/2 and p(u) for u >= 0, p being even."""
    yield Real(), body, bound
    if any(isinstance(part, N.Derivative) for part in walk(body)):
        return
    both = N.Add(body, substitute(body, {_U: N.Negate(_U)}))
    upward = Interval(N.Number(Fraction(0)), N.Infinity())
    yield upward, N.Multiply(N.Number(Fraction(1, 2)), both), bound


# --- the left side ----------------------------------------------------------------------------


def _mean(claim: Claim, node: N.Node, close: Close) -> Mean | None:
    match node:
        case N.Expectation(N.Power(N.Norm(inner, "fro"), N.Number(Fraction(numerator=2, denominator=1))), ()):
            weight, inner = _peeled(claim, inner)
            found = _entrywise(claim, inner)
            if found is None:
                return None
            entry, whole = found
            rows, cols = _size(whole.shape.rows), _size(whole.shape.cols)
            if rows is None or cols is None or weight is None:
                return None
            square = N.Expectation(N.Power(N.Norm(whole), _TWO))
            return Mean(N.Power(entry, _TWO), N.Multiply(rows, cols), square, weight)
        case N.Expectation(body, ()) if body.shape.is_scalar:
            return _of_one(claim, body)
        case N.Variance(body) if body.shape.is_scalar:
            centre = close(N.Expectation(body))
            if centre is not None and not any(isinstance(x, N.Symbol) for x in walk(centre)):
                return _of_one(claim, N.Power(N.Subtract(body, centre), _TWO))
    return None


def _peeled(claim: Claim, node: N.Node) -> tuple[N.Node | None, N.Node]:
    """E(norm(U @ F)**2) = k t**2 E(norm(F)**2) for U of k rows of N(0, t**2), independent of F."""
    match node:
        case N.MatMul(N.Symbol() as outer, inner) if _is_apart(claim, outer, inner):
            return _gain(claim, outer, outer.shape.rows), inner
        case N.MatMul(inner, N.Symbol() as outer) if _is_apart(claim, outer, inner):
            return _gain(claim, outer, outer.shape.cols), inner
        case N.MatMul(inner, N.Transpose(N.Symbol() as outer)) if _is_apart(claim, outer, inner):
            return _gain(claim, outer, outer.shape.rows), inner
    return _ONE, node


def _is_apart(claim: Claim, outer: N.Symbol, inner: N.Node) -> bool:
    """Whether the inner factor holds an activation of other weights."""
    active = any(isinstance(x, N.Apply) and not x.shape.is_scalar for x in walk(inner))
    return active and outer.name in claim.random and outer not in walk(inner)


def _gain(claim: Claim, outer: N.Symbol, count: Dim) -> N.Node | None:
    size = _size(count)
    match claim.symbols[outer.name].kind:
        case Normal(N.Number(Fraction(numerator=0)), std, None, None) if (
            size is not None and std.shape.is_scalar
        ):
            return N.Multiply(size, N.Power(std, _TWO))
    return None


def _size(dim: Dim) -> N.Node | None:
    """A dimension that is a number or a symbol."""
    if dim.constant is not None:
        return N.Number(Fraction(dim.constant))
    name = min(dim.names)
    return N.Symbol(name) if dim == Dim.of(name) else None


def _of_one(claim: Claim, body: N.Node) -> Mean | None:
    """A function of one centred normal variable g, or of s*g."""
    random = {x for x in walk(body) if isinstance(x, N.Symbol) and x.name in claim.random}
    if len(random) != 1 or any(isinstance(x, N.Expectation | N.Member) for x in walk(body)):
        return None
    (g,) = random
    if not g.shape.is_scalar or not _is_centred(claim, g):
        return None
    for scale in (None, *(x for x in dict.fromkeys(walk(body)) if isinstance(x, N.Symbol) and x != g)):
        forms: list[N.Node] = [g] if scale is None else [N.Multiply(scale, g), N.Multiply(g, scale)]
        whole = forms[0]
        entry = substitute(body, dict.fromkeys(forms, _U))
        if all(x == _U for x in walk(entry) if isinstance(x, N.Symbol)):
            return Mean(entry, _ONE, N.Expectation(N.Power(whole, _TWO)), _ONE)
    return None


def _entrywise(claim: Claim, node: N.Node) -> tuple[N.Node, N.Node] | None:
    """The function of an entry, and the one matrix whose entries it is of."""
    leaves: set[N.Node] = set()

    def change(part: N.Node) -> N.Node:
        if part.shape.is_scalar:
            return part
        match part:
            case N.Apply() | N.Negate() | N.Add() | N.Subtract():
                return rebuild(part, change)
            case N.Multiply() | N.Divide() | N.Power():
                return rebuild(part, change)
        leaves.add(part)
        return _U

    entry = change(node)
    if len(leaves) != 1 or any(x != _U for x in walk(entry) if isinstance(x, N.Symbol | N.Let)):
        return None
    (whole,) = leaves
    return (entry, whole) if _is_symmetric(claim, whole) else None


def _is_symmetric(claim: Claim, node: N.Node) -> bool:
    """A product of matrices in which one centred normal matrix stands once, so that -A has the law of A."""
    match node:
        case N.MatMul() | N.Transpose() | N.Multiply() | N.Negate() | N.Symbol():
            pass
        case _:
            return False
    random = [x for x in walk(node) if isinstance(x, N.Symbol) and x.name in claim.random]
    plain = (N.MatMul, N.Transpose, N.Multiply, N.Negate, N.Symbol, N.Number, N.Divide)
    simple = all(isinstance(x, plain) for x in walk(node))
    products = [x for x in walk(node) if isinstance(x, N.Multiply | N.Divide)]
    scaled = all(x.left.shape.is_scalar or x.right.shape.is_scalar for x in products)
    return simple and scaled and len(random) == 1 and _is_centred(claim, random[0])


def _is_centred(claim: Claim, symbol: N.Symbol) -> bool:
    match claim.symbols[symbol.name].kind:
        case Normal(N.Number(Fraction(numerator=0))):
            return True
    return False


# --- the right side ---------------------------------------------------------------------------


def _bound(claim: Claim, asked: Mean, right: N.Node, close: Close) -> N.Node | None:
    """The even polynomial p(u) whose mean, summed over the entries, is the right side."""
    if any(isinstance(x, N.Symbol) and x.name in claim.random for x in walk(right)):
        return None
    trees = [close(node) for node in (right, asked.square, asked.size, asked.weight)]
    if any(tree is None for tree in trees):
        return None
    try:
        known = [tree for tree in trees if tree is not None]
        translator = Translator(claim, domain(claim, known))
        value, square, size, weight = (translator.read(tree) for tree in known)
    except Refused:
        return None
    total: N.Node | None = None
    for term in sp.Add.make_args(sp.expand(value)):
        part = _power_of(term / weight, square, size)
        if part is None:
            return None
        total = part if total is None else N.Add(total, part)
    return total


def _power_of(term: sp.Expr, square: sp.Expr, size: sp.Expr) -> N.Node | None:
    """c * size is c; c * square**k, for one variable where k > 1, is c u**(2 k)/(2 k - 1)!!"""
    for k in range(_MOST + 1 if size == 1 else 2):
        ratio = sp.cancel(term / (square**k if k else size))
        if ratio.is_number and ratio.is_real:
            weight = from_sympy(ratio / prod(range(2 * k - 1, 0, -2)), {})
            return N.Multiply(weight, N.Power(_U, N.Number(Fraction(2 * k)))) if k else weight
    return None


# --- how tight --------------------------------------------------------------------------------


def _tightness(
    claim: Claim, op: str, asked: Mean, bound: N.Node, found: Finding, close: Close, judge: Judge
) -> Tightness | None:
    """Within 1% at one variance: tight. Apart by more at every value of the variable: loose."""
    share = 1 - _ONE_PERCENT if op == "<=" else 1 + _ONE_PERCENT
    for spread in _SPREADS if _takes_any_value(claim, close(asked.square)) else ():
        at = _about_u(claim, Normal(N.Number(Fraction(0)), N.Number(spread)))
        near = N.Multiply(N.Number(share), N.Expectation(bound))
        reached = judge(at, N.Relation(">=" if op == "<=" else "<=", N.Expectation(asked.body), near))
        if reached.truth == "true" and reached.grade in ("proved", "certified"):
            return Tightness(True, Fraction(0), _ONE_PERCENT)
    apart = None if found.tightness is None else found.tightness.gap_low
    if apart is None or apart <= _ONE_PERCENT or not all(_is_nonnegative(part) for part in walk(bound)):
        return None
    return Tightness(False, apart)


def _is_nonnegative(node: N.Node) -> bool:
    """Whether no sign stands in this part of a polynomial."""
    match node:
        case N.Number(value):
            return value >= 0
    return not isinstance(node, N.Negate | N.Subtract | N.Apply)


def _takes_any_value(claim: Claim, variance: N.Node | None) -> bool:
    """Whether the variance is any positive number: something that scales it is free."""
    assumed = {x for a in claim.assumptions for x in walk(a.fact)}
    found = [] if variance is None else [x for x in walk(variance) if isinstance(x, N.Symbol)]
    return any(
        x not in assumed and x.name not in claim.where and _is_free(claim.symbols[x.name].kind) for x in found
    )


def _is_free(kind: Kind) -> bool:
    match kind:
        case FixedMatrix(family):
            return family in ("matrix", "vector")
    return isinstance(kind, Positive | Real)
