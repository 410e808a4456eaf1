"""Which layer of how many: W[l] is in after(X, T) for 1 <= l <= T, and 0 is a number of layers too."""

from collections.abc import Mapping

import sympy as sp

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.symbols import IndexOf
from verifier.prove.scalars.bound_indices import at_least
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.symbol_ranges import Span, domain
from verifier.prove.scalars.tree_to_sympy import Translator


def require_layer(claim: Claim, index: n.Node, depth: n.Node) -> None:
    """1 <= index <= depth at every point of the claim."""
    translator = Translator(claim, domain(claim))
    place, last = translator.read(index), translator.read(depth)
    kind = claim.symbols[index.name].kind if isinstance(index, n.Symbol) else None
    most = translator.dim(kind.size) if isinstance(kind, IndexOf) else place
    inside = at_least(place, 1, translator.spans) and at_least(last - most, 0, translator.spans)
    if not inside:
        raise Refused("a layer that some depths do not have")


def require_powers(matrix: sp.Matrix, steps: sp.Expr, spans: Mapping[str, Span]) -> None:
    """M**0 is the identity: formulas in which 0**T stands are for T >= 1."""
    nodes = [matrix[k, k] for k in range(matrix.shape[0])]
    if any(node == 0 for node in nodes) and not at_least(steps, 1, spans):
        raise Refused("a power of a transfer matrix that may be its zeroth")
