"""What is known of the factors of a product over an index, read off the tree.

Independent factors: f(i) sees the random symbols at position i alone, and positions are independent.
A centred Gaussian family: f(i) is linear in centred Gaussian symbols, so f(1), ..., f(n) are jointly
Gaussian with mean 0.
"""

from dataclasses import dataclass, field
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.walk import children, expand_lets, walk
from verifier.facts.degree import is_linear


def is_free(claim: Claim, names: set[str]) -> bool:
    """Whether no assumption speaks of these symbols: then they have their declared laws."""
    spoken = claim.spoken_of
    return not names & spoken


def are_independent(claim: Claim, body: N.Node, index: str) -> bool:
    """Whether body(1), body(2), ... are independent."""
    whole = expand_lets(body)
    return is_free(claim, claim.random_in(whole)) and _Positions(claim, N.Index(index)).fit(whole)


@dataclass
class _Positions:
    """Along which axis the index picks a part of each random symbol; two ways for one symbol overlap."""

    claim: Claim
    index: N.Index
    axes: dict[str, str] = field(default_factory=dict)

    def fit(self, node: N.Node) -> bool:
        match node:
            case N.Expectation(_, ()) | N.Variance() | N.Covariance():
                return True
            case N.Member(name, _, at) if name in self.claim.random:
                return at == self.index and self._along(name, "copy")
            case N.Symbol(name):
                return name not in self.claim.random
            case N.Entry(N.Symbol(name), row, col) if name in self.claim.random:
                at_row, at_col = row == self.index, col == self.index
                other = col if at_row else row
                return (
                    at_row != at_col
                    and self._is_fixed(other)
                    and self._along(name, "row" if at_row else "col")
                )
            case N.Row(N.Symbol(name), row) if name in self.claim.random:
                return row == self.index and self._along(name, "row")
        return all(self.fit(child) for child in children(node))

    def _is_fixed(self, node: N.Node) -> bool:
        return self.index not in set(walk(node)) and not self.claim.random_in(node)

    def _along(self, name: str, axis: str) -> bool:
        if self.axes.setdefault(name, axis) != axis:
            return False
        match self.claim.symbols[name].kind:
            case K.Normal(_, _, row_corr, cov):
                return axis == "copy" or (cov is None and (row_corr is None or axis == "col"))
            case K.Rademacher() | K.Bernoulli() | K.Uniform() | K.Iid():
                return True
        return False


def is_centred_gaussian(claim: Claim, body: N.Node) -> bool:
    """Whether the values of the tree, at all indices together, are jointly Gaussian with mean 0."""
    return is_free(claim, claim.random_in(body)) and is_linear_form(claim, body)


def is_linear_form(claim: Claim, node: N.Node) -> bool:
    """Linear in random symbols, all of them centred Gaussians, without a constant term."""
    names = claim.random_in(node)
    kinds = [claim.symbols[name].kind for name in names]
    centred = all(isinstance(kind, K.Normal) and kind.mean == N.Number(Fraction(0)) for kind in kinds)
    return centred and is_linear(node, names)
