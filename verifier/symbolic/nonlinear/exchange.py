"""Rows whose entries are exchangeable: by symmetry, each weight of their softmax has the same mean.

    E softmax(M)[r, c] = 1/n       where permuting the n columns of M does not change its law

The columns of M = A W + b 1' are exchangeable if the entries of W are independent with one law, the rest
being held.
"""

from dataclasses import dataclass

from verifier.expr.symbols import Bernoulli, Iid, Kind, Normal, Rademacher, Uniform
from verifier.symbolic.labels import slot
from verifier.symbolic.network import Sum
from verifier.symbolic.network.sums import collect, flatten
from verifier.symbolic.network.tensors import Occurrence
from verifier.symbolic.nonlinear.held import Integrator
from verifier.symbolic.refusal import Refusal
from verifier.symbolic.scalars import inverse
from verifier.symbolic.splice import Piece, spliced
from verifier.symbolic.workspace import Workspace


@dataclass(frozen=True, eq=False)
class Exchange:
    """E over one random tensor that stands in one softmax of each term."""

    integrator: Integrator
    tensor: str

    @property
    def space(self) -> Workspace:
        return self.integrator.space

    def expect(self, value: Sum) -> Sum:
        if any(a.independence is not None for a in self.space.claim.assumptions):
            raise Refusal("the expectation of a softmax under an assumed independence")
        if not is_identical(self.space.claim.symbols[self.tensor].kind):
            raise Refusal(f"the expectation of softmax of {self.tensor}")
        pieces: list[Piece] = []
        for monomial, coefficient in value.terms.items():
            factors = flatten(monomial)
            inside = [k for k, (name, _) in enumerate(factors) if self._depends(name)]
            if not inside:
                pieces.append((monomial, coefficient))
                continue
            if len(inside) > 1:
                raise Refusal("the expectation of a product with a softmax")
            share = self._share(factors[inside[0]])
            pieces += spliced(value.frame, factors, inside[0], share, coefficient)
        return collect(value.frame, pieces)

    def _depends(self, name: str) -> bool:
        opaque = self.space.opaque.get(name)
        return name == self.tensor or (opaque is not None and self.tensor in opaque.depends)

    def _share(self, factor: Occurrence) -> Sum:
        """1/n, where the index along the row stands on the random tensor alone."""
        opaque = self.space.opaque.get(factor[0])
        if opaque is None or opaque.function != "softmax" or opaque.row_axes != 1:
            raise Refusal(f"the expectation of a function of {self.tensor}")
        along = slot(len(opaque.spaces) - 1)
        for monomial in opaque.argument.terms:
            holders = [name for name, labels in flatten(monomial) if along in labels]
            if any(name != self.tensor for name in holders):
                raise Refusal(f"the expectation of softmax of {self.tensor}")
        return inverse(self.space, self.space.scalar(self.space.frame.sizes[opaque.spaces[-1]]))


def is_identical(kind: Kind) -> bool:
    """Whether the entries are independent with one law."""
    match kind:
        case Normal(mean, std, None, None):
            return mean.shape.is_scalar and std.shape.is_scalar
        case Rademacher() | Uniform() | Iid():
            return True
        case Bernoulli(chance):
            return chance.shape.is_scalar
    return False
