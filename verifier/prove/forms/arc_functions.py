"""Arc functions, and sines and cosines of them.

acos(z) = pi/2 - asin(z)        asin(-z) = -asin(z)        asin(1/2) = pi/6, ...
sin(asin(z)) = z                cos(asin(z)) = sqrt(1 - z**2)
sin(a + pi/2) = cos(a)          cos(a + pi/2) = -sin(a)
"""

from collections.abc import Iterator
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.prove.forms.cancel import kept
from verifier.prove.forms.component_signs import is_square
from verifier.prove.forms.function_identities import settled
from verifier.prove.forms.labels import slot
from verifier.prove.forms.scalar_sums import inverse, root
from verifier.prove.forms.small_trees import coefficient_tree
from verifier.prove.forms.workspace import Workspace, constant, is_constant
from verifier.prove.networks import Sum
from verifier.prove.networks.network_sums import flatten
from verifier.prove.networks.ring import to_fraction

ARCS = frozenset({"asin", "acos", "atan"})
_PARTS = {
    "asin": {Fraction(1, 4): Fraction(1, 6), Fraction(1, 2): Fraction(1, 4), Fraction(3, 4): Fraction(1, 3)}
    | {Fraction(1): Fraction(1, 2)},
    "atan": {Fraction(1, 3): Fraction(1, 6), Fraction(1): Fraction(1, 4), Fraction(3): Fraction(1, 3)},
}


def pi(space: Workspace) -> Sum:
    """The constant as a positive generator."""
    name = space.generator(("pi",), N.Pi())
    space.positive.add(name)
    space.nonnegative.add(name)
    return space.scalar(space.ring[name])


def arc(space: Workspace, function: str, z: Sum) -> Sum:
    """asin(z), acos(z) or atan(z)"""
    if function == "acos":
        return pi(space) * Fraction(1, 2) - arc(space, "asin", z)
    z = kept(space, settled(space, z))
    if not z:
        return z
    if _leads_with_minus(z):
        return arc(space, function, z * -1) * -1
    part = _PARTS[function].get(_number(kept(space, settled(space, z * z))) or Fraction(0))
    if part is not None and _is_positive(space, z):
        return pi(space) * part
    if not is_constant(z):
        return space.function(function, z)
    value = constant(z)
    name = space.generator((function, str(value)), N.Apply(function, (coefficient_tree(space, value),)))
    space.note(name, function, value)
    return space.scalar(space.ring[name])


def _leads_with_minus(z: Sum) -> bool:
    first = min(z.terms, key=lambda m: sorted(map(repr, m)))
    return bool(to_fraction(z.terms[first].leading_coefficient()) < 0)


def _number(value: Sum) -> Fraction | None:
    if not is_constant(value) or not value or not constant(value).is_constant():
        return None
    return to_fraction(constant(value).leading_coefficient())


def _is_positive(space: Workspace, z: Sum) -> bool:
    """Not negative, as its form shows; it is not zero either, since its square is a positive number."""
    return all(
        space.is_nonnegative(weight) and all(is_square(space, c) or p % 2 == 0 for c, p in monomial)
        for monomial, weight in z.terms.items()
    )


def turned(space: Workspace, function: str, angle: Sum) -> Sum | None:
    """sin or cos of k pi/2 + asin(z) or k pi/2 - asin(z); None where the angle is something else."""
    found = _parted(space, angle)
    if found is None:
        return None
    quarters, sign, z = found
    sine, cosine = z * sign, root(space, settled(space, space.scalar(1) - z * z))
    values = (sine, cosine, sine * -1, cosine * -1)  # sin(a + k pi/2) for k = 0, 1, 2, 3
    return values[(quarters + (function == "cos")) % 4]


def _parted(space: Workspace, angle: Sum) -> tuple[int, int, Sum] | None:
    """(k, s, z) with angle = k pi/2 + s asin(z), s = 1 or -1"""
    for value, z in _arc_sines(space, angle):
        for sign in (1, -1):
            rest = settled(space, angle - value * sign)
            turns = rest * 2 * inverse(space, pi(space)) if is_constant(rest) else value
            if not turns:
                return 0, sign, z
            quarters = _number(turns)
            if quarters is not None and quarters.denominator == 1:
                return int(quarters), sign, z
    return None


def _arc_sines(space: Workspace, angle: Sum) -> Iterator[tuple[Sum, Sum]]:
    """Every asin(z) in the angle, with its z."""
    for monomial in angle.terms:
        for name, labels in flatten(monomial):
            opaque = space.opaque.get(name)
            if opaque is not None and opaque.function == "asin" and all(isinstance(x, str) for x in labels):
                plain = tuple(str(x).partition("@")[0] for x in labels)
                at = {slot(k): label for k, label in enumerate(plain)}
                yield space.factor(name, plain), opaque.argument.rename(at) if at else opaque.argument
    scalars = {k for c in angle.terms.values() for e in c.to_dict() for k, power in enumerate(e) if power}
    for k in sorted(scalars):
        known = space.definition(space.ring.names[k])
        if known is not None and known[0] == "asin":
            yield space.scalar(space.ring[space.ring.names[k]]), space.scalar(known[1])
