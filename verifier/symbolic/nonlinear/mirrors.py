"""Rectified linear forms of weights whose law a change of sign leaves as it is.

With v -> -v, relu(v)**p and relu(-v)**p add up to |v|**p, and relu(v)**p - relu(-v)**p = v**p for odd p. So

    E(rest * relu(v)**p) = E(rest * v**p) / 2      where rest * v**p does not change with the signs, p >= 1

whatever the law is: normal, uniform around 0, or signs.
"""

from dataclasses import dataclass
from fractions import Fraction

from verifier.symbolic.labels import key, slot, summed
from verifier.symbolic.mirrored import is_mirrored
from verifier.symbolic.network import Coefficient, Sum
from verifier.symbolic.network.sums import flatten
from verifier.symbolic.network.tensors import Occurrence
from verifier.symbolic.nonlinear.held import Integrator, Named, held, named
from verifier.symbolic.nonlinear.recognise import Active, active
from verifier.symbolic.refusal import Refusal
from verifier.symbolic.workspace import Workspace


@dataclass(frozen=True, eq=False)
class Mirrors:
    """E over random tensors that change their signs together."""

    integrator: Integrator
    among: frozenset[str]

    @property
    def space(self) -> Workspace:
        return self.integrator.space

    def expect(self, value: Sum) -> Sum:
        claim = self.space.claim
        if any(a.independence is not None for a in claim.assumptions):
            raise Refusal("the expectation of activations under an assumed independence")
        if not all(is_mirrored(claim.symbols[name].kind) for name in self.among):
            raise Refusal("the expectation of functions of weights whose law has no symmetry")
        actives = {name: active(self.space, name, self.among) for name in value.tensors()}
        total = self.space.scalar(0)
        for monomial, coefficient in value.terms.items():
            total = total + self._term(flatten(monomial), coefficient, actives)
        return total

    def _term(
        self, factors: list[Occurrence], coefficient: Coefficient, actives: dict[str, Active | None]
    ) -> Sum:
        labelled, spaces = named(self.space, factors)
        functions = [f for f in labelled if actives[f[0]] is not None]
        bare = [f for f in labelled if f[0] in self.among]
        still = [f for f in labelled if f not in functions and f not in bare]
        half = Fraction(1, 2) if functions else Fraction(1)
        product = self.space.scalar(1)
        for factor in bare:
            product = product * self.space.factor(*_placed(factor))
        for form in self._rectified(functions, actives):
            product = product * form
        if functions and (len(bare) + len(functions)) % 2:
            raise Refusal("the expectation of a function that changes with the signs of its weights")
        found = self.integrator.integrated(product, set(self.among & product.tensors()))
        return summed(held(self.space, still) * found * coefficient * half, spaces.keys(), spaces.values())

    def _rectified(self, functions: list[Named], actives: dict[str, Active | None]) -> list[Sum]:
        """The forms v of a product of relu(v), all of them the same one, of the weights alone."""
        forms = []
        for name, labels in functions:
            found = actives[name]
            assert found is not None
            if found.atom.function != "relu" or found.atom.power != 1:
                raise Refusal(f"the expectation of {found.atom.function} of weights that are not normal")
            if not all(any(x in self.among for x, _ in flatten(m)) for m in found.form.terms):
                raise Refusal("the expectation of a function of weights and a constant")
            at = {slot(k): str(x).partition("@")[0] for k, x in enumerate(labels)}
            forms.append((found.form.rename(at) if at else found.form) * found.atom.scale)
        if len({key(form) for form in forms}) > 1:
            raise Refusal("the expectation of functions of several variables that are not normal")
        return forms


def _placed(factor: Named) -> Named:
    name, labels = factor
    return name, tuple(str(x).partition("@")[0] for x in labels)
