"""Lengths of normal rows: which functions are powers of one, and their moments.

For w ~ N(0, s**2 I) of dimension D,

    E(|w|**(j + 2)) = s**2 (D + j) E(|w|**j)   for j > -D,      E(|w|**0) = 1,
    E(|w|) = s sqrt(2) gamma((D + 1)/2)/gamma(D/2)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from verifier.prove.forms.arc_functions import pi
from verifier.prove.forms.functions_of_sums import apply
from verifier.prove.forms.labels import key, slot, summed
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.scalar_sums import inverse_coefficient, root, root_coefficient
from verifier.prove.forms.workspace import Workspace, constant
from verifier.prove.networks import Coefficient, Sum
from verifier.prove.networks.ring import to_fraction


def length(space: Workspace, size: Coefficient, variance: Coefficient, order: int) -> Coefficient:
    """E(|w|**order), which is finite for order > -D."""
    odd = order % 2
    result = _first(space, size) * root_coefficient(space, variance) if odd else space.ring(1)
    for j in range(odd, order, 2):
        result = result * variance * (size + j)
    for j in range(order, odd, 2):
        result = result * inverse_coefficient(space, variance * (size + j))
    return result


def _first(space: Workspace, size: Coefficient) -> Coefficient:
    """sqrt(2) gamma((D + 1)/2)/gamma(D/2), with gamma(x) = (x - 1)!"""
    half = space.ring(Fraction(1, 2))
    above, below = _factorial(space, size * half - half), _factorial(space, size * half - 1)
    return root_coefficient(space, space.ring(2)) * above * inverse_coefficient(space, below)


def _factorial(space: Workspace, value: Coefficient) -> Coefficient:
    """x!, with (-1/2)! = sqrt(pi) and x! = x (x - 1)!, written out for numbers"""
    if value.is_constant() and (number := to_fraction(value.leading_coefficient())).denominator == 2:
        result = constant(root(space, pi(space)))
        while number > 0:
            result, number = result * space.ring(number), number - 1
        return result
    found = constant(apply(space, "factorial", [space.scalar(value)]))
    space.positive.update(name for name in space.ring.names if found == space.ring[name])
    return found


@dataclass(frozen=True)
class Radius:
    """weight * |row|**power; `slots`: which axis of the weights each slot stands on."""

    power: int
    weight: Coefficient
    slots: tuple[int, ...]
    centred: bool


def radius(space: Workspace, name: str, tensor: str) -> Radius:
    """root(k |w|**2) or 1/(k |w|**2), with w a row of the tensor or its centred part."""
    opaque = space.opaque[name]
    if opaque.function not in ("root", "inv") or opaque.row_axes:
        raise Refusal(f"the expectation of {opaque.function} of {tensor}")
    argument = opaque.argument
    for slots in _layouts(space, opaque.spaces, tensor):
        square, mean = _squares(space, tensor, slots)
        ((whole, _),) = square.terms.items()
        weight = argument.terms.get(whole)
        inverted = opaque.function == "inv"
        if weight is None or not (space.is_positive(weight) or (inverted and space.is_positive(-weight))):
            continue
        for centred, model in ((False, square), (True, square - mean)):
            if key(model * weight) == key(argument):
                if inverted:
                    return Radius(-2, inverse_coefficient(space, weight), slots, centred)
                return Radius(1, root_coefficient(space, weight), slots, centred)
    raise Refusal(f"the expectation of {opaque.function} of {tensor} that is no length of rows")


def _layouts(space: Workspace, spaces: tuple[str, ...], tensor: str) -> Iterator[tuple[int, ...]]:
    """Ways to place the slots of a function on axes of the tensor."""
    own = space.frame.spaces(tensor)
    if not spaces:
        yield ()
    elif len(spaces) == 1:
        yield from ((axis,) for axis, s in enumerate(own) if s == spaces[0])


def _squares(space: Workspace, tensor: str, slots: tuple[int, ...]) -> tuple[Sum, Sum]:
    """sum_j w_j**2 and (sum_j w_j)**2/D for a row of the tensor, open at its slots."""
    own = space.frame.spaces(tensor)
    labels = tuple(slot(slots.index(axis)) if axis in slots else f"_v{axis}" for axis in range(len(own)))
    inner = [(x, own[axis]) for axis, x in enumerate(labels) if axis not in slots]
    names, spaces = [x for x, _ in inner], [s for _, s in inner]
    entry = space.factor(tensor, labels)
    size = space.ring(1)
    for s in spaces:
        size = size * space.frame.sizes[s]
    line = summed(entry, names, spaces)
    return summed(entry * entry, names, spaces), line * line * inverse_coefficient(space, size)
