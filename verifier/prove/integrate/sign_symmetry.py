"""Functions of linear forms of weights whose law a change of sign leaves as it is.

With v -> -v, and rest * F(v) for a rest that is even (s = 1) or odd (s = -1) in the weights,

    E(rest * F(v)) = E(rest * (F(v) + s F(-v))) / 2,

which has no function left where F(v) + s F(-v) is a power of v:

    kinks      F(v) = c v**p for v > 0 and d v**p for v < 0:     (c + d) v**p where s (-1)**p = 1,
               and 0 where s (-1)**p = -1 and c = d
    halves     f(v) - f(-v) = v     gelu, silu, softplus;        f(v) + f(-v) = 1     sigmoid, Phi
    parity     f(v) + f(-v) = 0     tanh, erf, sin;              f(v) - f(-v) = 0     cos, phi

whatever the law is: normal, uniform around 0, or signs. Slopes of kinks alone need a law without atoms.
"""

from dataclasses import dataclass
from fractions import Fraction

from verifier.expr.symbols import Normal, Uniform
from verifier.prove.forms.labels import key, slot, summed
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.symmetric_laws import is_mirrored
from verifier.prove.forms.workspace import Workspace
from verifier.prove.integrate.activated_factors import Active, active
from verifier.prove.integrate.activations import Atom
from verifier.prove.integrate.held_factors import Integrator, Named, held, named
from verifier.prove.networks import Coefficient, Sum
from verifier.prove.networks.network_sums import flatten
from verifier.prove.networks.network_tensors import Occurrence

# What stands before x, or before 1 for a slope, where x > 0 and where x < 0.
_KINKS = {"relu": (1, 0), "abs": (1, -1), "relu_slope": (1, 0), "abs_slope": (1, -1)}


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
        product = self.space.scalar(1)
        for factor in bare:
            product = product * self.space.factor(*_placed(factor))
        if functions:
            form, atoms = self._variable(functions, actives)
            half = mirrored(atoms, -1 if len(bare) % 2 else 1)
            if half.power == 0 and half.is_kinked and not self._is_spread:
                raise Refusal("the expectation of a jump of weights that may be 0 together")
            for _ in range(half.power):
                product = product * form
            product = product * (half.factor / 2)
        found = self.integrator.integrated(product, set(self.among & product.tensors()))
        return summed(held(self.space, still) * found * coefficient, spaces.keys(), spaces.values())

    @property
    def _is_spread(self) -> bool:
        """No single value has a chance of its own."""
        kinds = [self.space.claim.symbols[name].kind for name in self.among]
        return all(isinstance(kind, Normal | Uniform) for kind in kinds)

    def _variable(
        self, functions: list[Named], actives: dict[str, Active | None]
    ) -> tuple[Sum, tuple[Atom, ...]]:
        """The one form of the weights alone that all functions are of, and what they do with it."""
        forms, atoms = [], []
        for name, labels in functions:
            found = actives[name]
            assert found is not None
            if not all(any(x in self.among for x, _ in flatten(m)) for m in found.form.terms):
                raise Refusal("the expectation of a function of weights and a constant")
            at = {slot(k): str(x).partition("@")[0] for k, x in enumerate(labels)}
            forms.append(found.form.rename(at) if at else found.form)
            atoms.append(found.atom)
        if len({key(form) for form in forms}) > 1:
            raise Refusal("the expectation of functions of several variables that are not normal")
        return forms[0], tuple(atoms)


@dataclass(frozen=True)
class Half:
    """F(u) + s F(-u) = factor * u**power"""

    factor: Fraction
    power: int
    is_kinked: bool = False


def mirrored(atoms: tuple[Atom, ...], s: int) -> Half:
    """Of the product of the atoms, by the rules above; refused where it is no power."""
    if all(atom.function in _KINKS and atom.power == 1 for atom in atoms):
        return _kinked(atoms, s)
    names = ", ".join(sorted({atom.function for atom in atoms}))
    if len(atoms) == 1 and atoms[0].power == 1:
        match atoms[0].function, s:
            case "gelu" | "silu" | "softplus", -1:
                return Half(atoms[0].scale, 1)
            case "sigmoid" | "Phi", 1:
                return Half(Fraction(1), 0)
            case ("tanh" | "erf" | "sin", 1) | ("cos" | "phi", -1):
                return Half(Fraction(0), 0)
    raise Refusal(f"the expectation of {names} of weights that are not normal")


def _kinked(atoms: tuple[Atom, ...], s: int) -> Half:
    above, below, power = Fraction(1), Fraction(1), 0
    for atom in atoms:
        up, down = _KINKS[atom.function]
        # f(r u) of u > 0 is that of a positive number for r > 0, of a negative one else.
        up, down = (up, down) if atom.scale > 0 else (down, up)
        moves = atom.function in ("relu", "abs")
        above, below = above * up, below * down
        if moves:
            above, below, power = above * atom.scale, below * atom.scale, power + 1
    sign = s * (-1) ** power
    total = above + sign * below
    if sign != 1 and total:
        raise Refusal("the expectation of a function that changes with the signs of its weights")
    return Half(total, power, is_kinked=True)


def _placed(factor: Named) -> Named:
    name, labels = factor
    return name, tuple(str(x).partition("@")[0] for x in labels)
