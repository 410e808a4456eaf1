"""Means of products whose factors see different independent entries.

E prod_i f(i)             = prod_i E f(i)                where f(i) sees entries with the index i alone
E exp(sum_i t(i))         = prod_i E exp(t(i))           likewise, for entries that are not normal
E a**(sum_i t(i))         = prod_i E a**t(i)             likewise, for a > 0 that is not random
"""

from collections.abc import Iterator
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.symbols import Bernoulli, Dimension, Iid, Normal, Rademacher, Uniform
from verifier.expr.walk import children, expand_lets, substitute, walk

_ONE = N.Number(Fraction(1))
_INDEX = "entry_"


def factored(claim: Claim, body: N.Node) -> N.Product | None:
    """The body of E as a product of independent factors; None where it is not seen to be one."""
    body = expand_lets(body)
    match body:
        case N.Product(inner, (N.Range(index),), ()) if body.shape.is_scalar:
            return body if _is_apart(claim, inner, index) else None
        case N.Apply("exp", (exponent,)) if exponent.shape.is_scalar and not _has_normal(claim, exponent):
            total = _total(claim, exponent)
            if total is not None and _is_apart(claim, total.body, total.ranges[0].index):
                return N.Product(N.Apply("exp", (total.body,)), total.ranges)
        case N.Power(base, exponent) if is_weight(claim, base) and not _has_normal(claim, exponent):
            total = _total(claim, exponent)
            if total is not None and _is_apart(claim, total.body, total.ranges[0].index):
                return N.Product(N.Power(base, total.body), total.ranges)
    return None


def is_weight(claim: Claim, node: N.Node) -> bool:
    """Whether a scalar is positive by its form, and not random."""
    return claim.values(node).is_positive and not claim.random_in(node)


def alike(claim: Claim, product: N.Product) -> N.Node | None:
    """The first factor, where all have one law: the index picks entries, and nothing else."""
    (span,) = product.ranges
    first = substitute(product.body, {N.Index(span.index): _ONE})
    laws = [claim.symbols[name].kind for name in claim.random_in(product.body)]
    if (
        span.low != _ONE
        or not _is_length(claim, span.high)
        or not all(getattr(law, "mean", _ONE).shape.is_scalar for law in laws)
    ):
        return None
    at_random = {x for x in walk(product.body) if isinstance(x, N.Entry | N.Row) and claim.random_in(x.arg)}
    bare = substitute(product.body, {x: N.Zeros(x.shape) for x in at_random})
    return None if N.Index(span.index) in walk(bare) else first


def _is_length(claim: Claim, high: N.Node) -> bool:
    """Whether 1..high has `high` members, none if it is 0: an end below that has no members either."""
    match high:
        case N.Number(value):
            return value >= 0
        case N.Symbol(name):
            return isinstance(claim.symbols[name].kind, Dimension)
        case N.Subtract(N.Symbol() as size, N.Number(value)):
            return value <= 1 and _is_length(claim, size)
        case N.Add(left, right) | N.Multiply(left, right):
            return _is_length(claim, left) and _is_length(claim, right)
    return False


def _has_normal(claim: Claim, node: N.Node) -> bool:
    return any(isinstance(claim.symbols[x].kind, Normal) for x in claim.random_in(node))


def _total(claim: Claim, node: N.Node) -> N.Sum | None:
    """The node as one sum over an index, fixed factors inside of it."""
    match node:
        case N.Sum(_, (_,), ()):
            return node
        case N.MatMul(N.Negate(left), right):
            return _total(claim, N.Negate(N.MatMul(left, right)))
        case N.Inner(left, right) | N.MatMul(N.Transpose(left), right) if left.shape.is_vector:
            index, length = N.Index(_INDEX), _length(left)
            term = N.Multiply(_entry(left, index), _entry(right, index))
            return None if length is None else N.Sum(term, (N.Range(_INDEX, _ONE, length),))
        case N.Negate(arg):
            found = _total(claim, arg)
            return found and N.Sum(N.Negate(found.body), found.ranges)
        case N.Multiply(factor, arg) | N.Multiply(arg, factor) if not claim.random_in(factor):
            found = _total(claim, arg)
            return found and N.Sum(N.Multiply(factor, found.body), found.ranges)
        case N.Divide(arg, below) if not claim.random_in(below):
            found = _total(claim, arg)
            return found and N.Sum(N.Divide(found.body, below), found.ranges)
    return None


def _entry(vector: N.Node, index: N.Index) -> N.Node:
    return _ONE if isinstance(vector, N.Ones) else N.Entry(vector, index, _ONE)


def _length(vector: N.Node) -> N.Node | None:
    """The number of entries, where it is a number or a dimension itself."""
    size = vector.shape.rows
    if size.constant is not None:
        return N.Number(Fraction(size.constant))
    match size.terms:
        case ((((name, 1),), 1),):
            return N.Symbol(name)
    return None


def _is_apart(claim: Claim, body: N.Node, index: str) -> bool:
    """Whether each index sees entries that no other one does, of symbols with independent entries."""
    seen = list(_seen(claim, body))
    names = {name for name, _ in seen}
    for name in names:
        kind, places = claim.symbols[name].kind, [place for other, place in seen if other == name]
        free = isinstance(kind, Rademacher | Bernoulli | Uniform | Iid) or (
            isinstance(kind, Normal) and kind.cov is None and kind.row_corr is None
        )
        if not free or claim.symbols[name].copies is not None:
            return False
        if not any(all(place[side] == N.Index(index) for place in places) for side in (0, 1)):
            return False
    return bool(names)


def _seen(claim: Claim, node: N.Node) -> Iterator[tuple[str, tuple[N.Node | None, N.Node | None]]]:
    """Each random symbol with the row and the column at which it is seen; None: at all of them."""
    match node:
        case N.Entry(N.Symbol(name), row, col) if name in claim.random:
            yield name, (row, col)
        case N.Row(N.Symbol(name), row) if name in claim.random:
            yield name, (row, None)
        case N.Symbol(name) | N.Member(name) if name in claim.random:
            yield name, (None, None)
    if not isinstance(node, N.Entry | N.Row):
        for child in children(node):
            yield from _seen(claim, child)
    elif not isinstance(node.arg, N.Symbol):
        yield from _seen(claim, node.arg)
