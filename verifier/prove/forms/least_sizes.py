"""How small a size may be."""

from math import ceil, floor

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.dims import Dim


def least(claim: Claim, dim: Dim) -> int:
    """The least value of a dimension: a number, or a symbol that an assumption bounds from below."""
    if dim.constant is not None:
        return dim.constant
    bounds = [1]
    for fact in claim.constraints:
        match fact:
            case N.Relation(">=" | ">" as op, N.Symbol(name), N.Number(low)) if Dim.of(name) == dim:
                bounds.append(ceil(low) if op == ">=" else floor(low) + 1)
    return max(bounds)
