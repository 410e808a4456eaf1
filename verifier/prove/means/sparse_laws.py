"""Sums of products of independent entries under sparse laws.

With entries that are 0 with probability 1 - p and +-s/sqrt(p) otherwise, a product of k different entries is
not 0 with probability p**k, and two different products at once with probability O(p**(k+1)).
"""

from typing import Any

from flint import ctx

from verifier.claim.model import Claim
from verifier.exact.means.entry_moments import Draw
from verifier.exact.numbers.constants import is_zero
from verifier.exact.numbers.polynomial import Poly
from verifier.exact.numbers.refusals import Refusal
from verifier.exact.numbers.value_matrices import Matrix
from verifier.exact.values.evaluate import Evaluator
from verifier.exact.values.point_context import Context
from verifier.exact.values.point_environment import Name
from verifier.exact.values.recheck import admissible
from verifier.expr import nodes as N
from verifier.expr.symbols import Dimension, FixedMatrix, Iid, IndexOf, Positive, Real
from verifier.expr.walk import walk

_SIZE = 2


def is_sparse(claim: Claim, node: N.Node) -> bool:
    """Whether, at a point with every size 2, the node is a sum of products of as many different entries
    each, with coefficients that are equal up to sign."""
    point = _point(claim)
    if point is None or admissible(claim, point).outcome != "true":
        return False
    try:
        value = _polynomial(claim, node, point)
    except Refusal:
        return False
    if not isinstance(value, Poly) or value.functions:
        return False
    if any(power != 1 for powers in value.terms for _, power in powers):
        return False
    squares = [coefficient * coefficient for coefficient in value.terms.values()]
    return len({len(powers) for powers in value.terms}) == 1 and all(is_zero(x - squares[0]) for x in squares)


def _polynomial(claim: Claim, node: N.Node, point: dict[str, Any]) -> Any:
    before, ctx.prec = ctx.prec, 256
    try:
        outer = Evaluator(Context.of(claim), point)
        draw = Draw()
        bound: dict[Name, Matrix] = {}
        used = {part.name for part in walk(node) if isinstance(part, N.Symbol)}
        for name, declared in claim.symbols.items():
            if name in used and isinstance(declared.kind, Iid) and declared.copies is None:
                mean = declared.kind.mean
                if not (isinstance(mean, N.Number) and mean.value == 0):
                    return None
                rows, cols = outer.dim(declared.shape.rows), outer.dim(declared.shape.cols)
                bound[name, None] = draw.entries(declared.kind, rows, cols, outer.value)
        ((value,),) = outer.bind(bound).value(node)
        return value
    finally:
        ctx.prec = before


def _point(claim: Claim) -> dict[str, Any] | None:
    """Sizes 2, indices and numbers 1, matrices with a 1 in the corner; None where there are others."""
    point: dict[str, Any] = {}
    replaced = {a.substitution[0].name for a in claim.assumptions if a.substitution is not None}
    for name, declared in claim.symbols.items():
        if name in replaced or name in claim.where or declared.is_random:
            continue
        match declared.kind:
            case Dimension():
                point[name] = _SIZE
            case IndexOf() | Positive() | Real():
                point[name] = 1
            case FixedMatrix("matrix" | "vector"):
                shape = declared.shape
                sizes = dict.fromkeys(shape.rows.names | shape.cols.names, _SIZE)
                rows, cols = shape.rows.at(sizes), shape.cols.at(sizes)
                point[name] = [[int(i == j == 0) for j in range(cols)] for i in range(rows)]
            case _:
                return None
    return point
