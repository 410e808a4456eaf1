"""Means of one normal variable kept as they are: E body(u), u ~ N(centre, v), as a function of v.

Where bounds are judged, what is averaged says more than its mean. With x = r u:

    tanh'(x) = 1 - tanh(x)**2            sigmoid'(x) = sigmoid(x) (1 - sigmoid(x))
    gelu'(x) = Phi(x) + x phi(x)         silu'(x) = sigmoid(x) + x sigmoid(x) (1 - sigmoid(x))
    Phi'(x) = phi(x)                     erf'(x) = 2 exp(-x**2)/sqrt(pi)
"""

from collections.abc import Sequence
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.walk import substitute, walk
from verifier.prove.forms.labels import key
from verifier.prove.forms.opaque_functions import Mean, U
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.small_trees import ONE, number, product, raised
from verifier.prove.forms.workspace import Workspace, constant, is_constant
from verifier.prove.integrate.activations import Atom
from verifier.prove.integrate.inverse_sums import divided
from verifier.prove.networks import Sum
from verifier.prove.networks.ring import to_fraction

_PI = N.Pi()


def kept(space: Workspace, atoms: tuple[Atom, ...], order: int, variance: Sum, centre: Sum) -> Sum:
    """E of the product of the atoms, differentiated `order` times, as a function of the variance."""
    if not is_constant(centre):  # it may hold what is still to be integrated, and only the variance says so
        raise Refusal("a mean around a centre that is no scalar")
    variance = divided(space, variance)  # the points where it is not defined are left out
    body = _body(atoms)
    amount = amount_of(centre)
    if amount and not any(isinstance(part, N.Derivative) for part in walk(body)):
        body, centre = substitute(body, {U: N.Add(U, number(amount))}), space.scalar(0)
    for _ in range(order):
        body = N.Derivative(body, U)
    return _mean(space, body, variance, centre)


def kept_together(
    space: Workspace, groups: Sequence[tuple[Atom, ...]], offsets: Sequence[Fraction], variance: Sum
) -> Sum:
    """E of functions of u + c for several numbers c, as one function of the centred u."""
    bodies = [_body(atoms) for atoms in groups]
    if any(isinstance(part, N.Derivative) for body in bodies for part in walk(body)):
        raise Refusal("a mean of slopes of shifted activations, as it is")
    moved = [
        substitute(body, {U: N.Add(U, number(c))}) if c else body
        for body, c in zip(bodies, offsets, strict=True)
    ]
    return _mean(space, product(moved), divided(space, variance), space.scalar(0))


def amount_of(value: Sum) -> Fraction | None:
    """The rational number that a sum is."""
    if not is_constant(value) or not constant(value).is_constant():
        return None
    return to_fraction(constant(value).leading_coefficient()) if value else Fraction(0)


def _body(atoms: tuple[Atom, ...]) -> N.Node:
    return product(raised(tree(atom), atom.power) for atom in atoms)


def _mean(space: Workspace, body: N.Node, variance: Sum, centre: Sum) -> Sum:
    assert space.means is not None
    for name, known in space.means.items():
        if known.body == body and key(known.centre) == key(centre):
            return space.function(name, variance)
    name = f"mean{len(space.means)}"
    space.means[name] = Mean(body, centre)
    return space.function(name, variance)


def tree(atom: Atom) -> N.Node:
    """function(scale * u)"""
    x = product([number(atom.scale), U])
    function, _, is_slope = atom.function.partition("_")
    if is_slope:
        return _slope(function, x, atom)
    if atom.function == "id":
        return x
    if atom.function == "bell":
        return N.Apply("exp", (product([number(-atom.scale), raised(U, 2)]),))
    return N.Apply(atom.function, (x,))


def _slope(function: str, x: N.Node, atom: Atom) -> N.Node:
    match function:
        case "tanh":
            return N.Subtract(ONE, raised(N.Apply("tanh", (x,)), 2))
        case "sigmoid":
            return _bump(x)
        case "silu":
            return N.Add(N.Apply("sigmoid", (x,)), N.Multiply(x, _bump(x)))
        case "gelu":
            return N.Add(N.Apply("Phi", (x,)), N.Multiply(x, N.Apply("phi", (x,))))
        case "Phi":
            return N.Apply("phi", (x,))
        case "erf":
            bell = N.Apply("exp", (N.Negate(raised(x, 2)),))
            return N.Divide(N.Multiply(number(2), bell), N.Apply("sqrt", (_PI,)))
        case "relu" | "abs" if atom.scale > 0:
            return N.Derivative(N.Apply(function, (U,)), U)
    raise Refusal(f"the slope of {function}, kept as it is")


def _bump(x: N.Node) -> N.Node:
    """sigmoid(x) (1 - sigmoid(x))"""
    value = N.Apply("sigmoid", (x,))
    return N.Multiply(value, N.Subtract(ONE, value))
