"""E through functions: which rule takes which random tensor, the outermost first."""

from verifier.expr.symbols import Kind, Normal
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.workspace import Workspace
from verifier.prove.integrate.activated_factors import candidates
from verifier.prove.integrate.exchangeable_rows import Exchange
from verifier.prove.integrate.held_factors import Integrator
from verifier.prove.integrate.homogeneous import scaled
from verifier.prove.integrate.integrate_activations import Activations
from verifier.prove.integrate.sign_symmetry import Mirrors
from verifier.prove.integrate.single_entries import Alone, is_alone
from verifier.prove.integrate.sphere import Directions
from verifier.prove.integrate.unfolded_kinks import unfolded
from verifier.prove.networks import Sum


def through_functions(integrator: Integrator, value: Sum, random: frozenset[str]) -> Sum:
    """E over the random tensors that stand inside activations; a refusal where none can be integrated."""
    space = integrator.space
    refused: Refusal | None = None
    while inside := space.depends(value) & random:
        if any(_is_kept(space, tensor) for tensor in value.tensors()):
            return value  # what is averaged is compared given the rest
        refused = None
        bare = {x for x in inside if not any(_holds(space, t, x) for t in value.tensors())}
        if bare:
            value = integrator.integrated(value, bare)
            continue
        value = scaled(space, unfolded(space, value, frozenset(inside)), frozenset(inside))
        rules: list[Activations | Directions | Exchange | Mirrors]
        rules = [Activations(integrator, among) for among in candidates(space, value, frozenset(inside))]
        rules += [Alone(integrator, frozenset({x})) for x in sorted(inside) if is_alone(_law(space, x))]
        for name in sorted(inside):
            rules.append(Directions(integrator, name, Activations(integrator, frozenset({name})).expect))
        rules += [Exchange(integrator, name) for name in sorted(inside)]
        mirrors = Mirrors(integrator, frozenset(inside))
        # Beside weights of other laws, means over the normal ones alone lead nowhere.
        normal = all(isinstance(_law(space, name), Normal) for name in inside)
        rules = [*rules, mirrors] if normal else [mirrors, *rules]
        for rule in rules:
            try:
                value = rule.expect(value)
                break
            except Refusal as refusal:
                refused = refused or refusal
        else:
            raise refused or Refusal("the expectation of a function that is no activation of normal weights")
    return value


def _is_kept(space: Workspace, tensor: str) -> bool:
    return tensor in space.opaque and space.opaque[tensor].function in (space.means or ())


def _holds(space: Workspace, tensor: str, name: str) -> bool:
    return tensor in space.opaque and name in space.opaque[tensor].depends


def _law(space: Workspace, name: str) -> Kind:
    return space.claim.symbols[name].kind
