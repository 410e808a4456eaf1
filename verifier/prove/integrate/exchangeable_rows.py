"""Rows whose entries are exchangeable: by symmetry, each weight of their softmax has the same mean.

    E softmax(M)[r, c] = 1/n       where permuting the n columns of M does not change its law

The columns of M = A W + b 1' are exchangeable if the entries of W are independent with one law, the rest
being held. Those of W + W' or W W' are not: there a permutation of the columns of W is no permutation of the
columns of M alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from verifier.expr.symbols import Bernoulli, Iid, Kind, Normal, Rademacher, Uniform
from verifier.prove.forms.labels import slot
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.scalar_sums import inverse
from verifier.prove.forms.splice import Piece, spliced
from verifier.prove.forms.workspace import Workspace
from verifier.prove.integrate.held_factors import Integrator
from verifier.prove.networks import Sum
from verifier.prove.networks.network_sums import collect, flatten
from verifier.prove.networks.network_tensors import Label, Occurrence


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
        """1/n, where a permutation along the row is one of the random tensor along one of its axes."""
        opaque = self.space.opaque.get(factor[0])
        if opaque is None or opaque.function != "softmax" or opaque.row_axes != 1:
            raise Refusal(f"the expectation of a function of {self.tensor}")
        along = slot(len(opaque.spaces) - 1)
        terms = [flatten(monomial) for monomial in opaque.argument.terms]
        places = {place for factors in terms for place in _places(factors, along)}
        axis = next(iter(places))[1] if len(places) == 1 else None
        if axis is None or places != {(self.tensor, axis)}:
            raise Refusal(f"the expectation of softmax of {self.tensor}")
        if not all(self._is_carried_along(factors, along, axis) for factors in terms):
            raise Refusal(f"the expectation of softmax of entries of {self.tensor} that are tied")
        return inverse(self.space, self.space.scalar(self.space.frame.sizes[opaque.spaces[-1]]))

    def _is_carried_along(self, factors: list[Occurrence], along: Label, axis: int) -> bool:
        """Whether a permutation of the tensor along this axis does to the term what one of the index `along`
        does: the axis carries that index, or one that is summed and stands nowhere else."""
        for name, labels in factors:
            if name != self.tensor:
                if self._depends(name):
                    return False
                continue
            carried = labels[axis]
            summed = isinstance(carried, int) and set(_places(factors, carried)) == {(self.tensor, axis)}
            if carried != along and not summed:
                return False
        return True


def _places(factors: list[Occurrence], label: Label) -> Iterator[tuple[str, int]]:
    """The tensors and axes at which an index stands."""
    for name, labels in factors:
        yield from ((name, axis) for axis, found in enumerate(labels) if found == label)


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
