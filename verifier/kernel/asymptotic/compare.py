"""Sizes compared: whether one normal form is at most a constant times another, and whether it is not."""

from collections.abc import Iterator

from flint import fmpq

from verifier.kernel.asymptotic.forms import Asymptotics, Form
from verifier.kernel.asymptotic.scale import sign_of
from verifier.kernel.normal.atoms import Atom, Poly, scaled
from verifier.kernel.rejected import Rejected


def is_bounded(sizes: Asymptotics, top: Poly, bottom: Poly) -> bool:
    """abs(top) <= C*abs(bottom) once all growing symbols are large, with C > 0 that depends on nothing that
    moves: every term of top is below something that abs(bottom) is not below."""
    top, bottom = sizes.cleared(top, bottom)
    below = [*_lower_bounds(sizes, bottom)]
    return all(any(_is_below(sizes, form, bound) for bound in below) for form in sizes.forms(top))


def is_never_negative(sizes: Asymptotics, poly: Poly) -> bool:
    """Once all growing symbols are large."""
    if sizes.algebra.is_nonnegative_poly(poly):
        return True
    try:
        return sizes.leading(poly)[1] == ">"
    except Rejected:
        return False


def is_smaller(sizes: Asymptotics, top: Poly, bottom: Poly) -> bool:
    """top/bottom tends to 0, and bottom is not 0 once all growing symbols are large."""
    top, bottom = sizes.cleared(top, bottom)
    try:
        lead, _ = sizes.leading(bottom)
    except Rejected:
        return False
    return sizes.vanishes(top, lead)


def _lower_bounds(sizes: Asymptotics, poly: Poly) -> Iterator[Form]:
    """What abs(poly) is at least, up to a constant: its only term, each of its terms if none is negative, or
    the group of terms that leads."""
    forms = sizes.forms(poly)
    if len(forms) == 1 or all(_is_nonnegative(sizes, form) for form in forms):
        yield from forms
    try:
        yield sizes.leading(poly)[0]
    except Rejected:
        return


def _is_nonnegative(sizes: Asymptotics, form: Form) -> bool:
    algebra = sizes.algebra
    moved = all(algebra.is_nonnegative(atom, power) for atom, power in form.scale.others.items())
    return moved and sign_of(algebra, form.coefficient) in (">", ">=", "=")


def _is_below(sizes: Asymptotics, form: Form, bound: Form) -> bool:
    """Whether a term is at most a constant times a bound. Where the coefficient of the bound is 0 the term
    must be 0 too."""
    if sizes.order(form, bound) is None:
        return False
    if sign_of(sizes.algebra, bound.coefficient) in ("<", ">"):
        return True
    if len(bound.coefficient.terms) != 1:
        return False
    ((powers, _),) = bound.coefficient.terms.items()
    zeros = [atom for atom, power in powers if power > 0 and not sizes.algebra.is_positive_atom(atom)]
    return all(_divides(atom, form.coefficient) for atom in zeros)


def _divides(atom: Atom, poly: Poly) -> bool:
    """Whether a polynomial is 0 where an atom is."""
    return all(dict(powers).get(atom, 0) > 0 for powers in poly.terms)


def is_negative(sizes: Asymptotics, poly: Poly) -> bool:
    """Whether it is below 0 once all growing symbols are large."""
    try:
        return sizes.leading(scaled(poly, fmpq(-1)))[1] == ">"
    except Rejected:
        return False
