"""Functions whose argument grows without bound, or tends to a number."""

from fractions import Fraction
from typing import TYPE_CHECKING

from flint import fmpq

from verifier.kernel.normal.atoms import UNIT, Atom, Function, Poly, constant, of_atom, scaled, total
from verifier.kernel.rejected import Rejected

if TYPE_CHECKING:
    from verifier.kernel.asymptotic.forms import Asymptotics, Form

BENT = frozenset({"Phi", "sigmoid", "softplus", "tanh"})
ODD = frozenset({"tanh", "erf", "atan"})


def rewritten(sizes: "Asymptotics", poly: Poly) -> Poly:
    """The same once the growing symbols are large: steps of what has a sign then, and of u that grows without
    bound 1 - Phi(-u) for Phi(u), 1 - sigmoid(-u) for sigmoid(u), u + softplus(-u) for softplus(u)."""
    parts = []
    for powers, factor in poly.terms.items():
        found = Poly({(): factor})
        for atom, power in powers:
            other = _rewritten(sizes, atom) if isinstance(power, int) and power > 0 else None
            part = of_atom(atom, power) if other is None else sizes.algebra.power(other, int(power))
            found = sizes.algebra.times(found, part)
        parts.append(found)
    return total(parts)


def _rewritten(sizes: "Asymptotics", atom: Atom) -> Poly | None:
    if not isinstance(atom, Function) or atom.name not in BENT | {"step"} or not sizes.moves(atom):
        return None
    try:
        lead, sign = sizes.leading(atom.args[0])
    except Rejected:
        return None
    if atom.name == "step":
        return constant(int(sign == ">"))
    return _reflected(atom.name, atom.args[0], sign == ">") if sizes.grows(lead) else None


def _reflected(name: str, arg: Poly, above: bool) -> Poly | None:
    """What the function is written with one that vanishes far out."""
    side = fmpq(-1 if above else 1)
    match name:
        case "tanh":
            small = of_atom(Function("sigmoid", (scaled(arg, 2 * side),)))
            return scaled(total((UNIT, scaled(small, fmpq(-2)))), -side)
        case "softplus" if above:
            return total((arg, of_atom(Function(name, (scaled(arg, side),)))))
        case "Phi" | "sigmoid" if above:
            return total((UNIT, scaled(of_atom(Function(name, (scaled(arg, side),))), fmpq(-1))))
    return None


def leading_form(sizes: "Asymptotics", name: str, arg: Poly, times: Fraction) -> "Form | None":
    """exp(u) for sigmoid and softplus, exp(-u**2/2)/(sqrt(2*pi)*abs(u)) for Phi, where u grows beyond all
    bounds below 0; the value of the function where u tends to a number, or its slope where that is 0."""
    algebra = sizes.algebra
    try:
        lead, sign = sizes.leading(arg)
    except Rejected:
        return None
    if sizes.grows(lead):
        if sign == ">" or name not in BENT - ODD:
            return None
        found = algebra.function("exp", (arg,))
        if name == "Phi":
            square = scaled(algebra.times(arg, arg), fmpq(-1, 2))
            below = algebra.times(scaled(arg, fmpq(-1)), _root_of_two_pi(sizes))
            found = algebra.times(algebra.function("exp", (square,)), algebra.inverse(below))
        return sizes.raised(found, times)
    try:
        limit = sizes.limit(arg)
    except Rejected:
        return None
    if limit.terms or name not in ODD:
        return sizes.raised(algebra.function(name, (limit,)), times)
    slope = UNIT
    if name == "erf":
        slope = scaled(algebra.inverse(_root_of_two_pi(sizes)), fmpq(2))
        slope = algebra.times(slope, algebra.root(constant(2), Fraction(1, 2)))
    return sizes.raised(algebra.times(slope, arg), times)


def _root_of_two_pi(sizes: "Asymptotics") -> Poly:
    return sizes.algebra.root(scaled(of_atom(Function("pi")), fmpq(2)), Fraction(1, 2))
