"""Which means exist: of a product of functions of draws."""

from typing import TYPE_CHECKING

from verifier.expr.nodes import Node
from verifier.expr.symbols import Bernoulli, Normal, Rademacher, Uniform
from verifier.kernel.context import Context
from verifier.kernel.normal.atoms import Entry, Function, Monomial, Net, Poly
from verifier.kernel.normal.drawn import Factors, degree_in, exponent_of, law_of_entry
from verifier.kernel.normal.integrals import coefficients
from verifier.kernel.normal.laws import Law
from verifier.kernel.rejected import Rejected

if TYPE_CHECKING:
    from verifier.kernel.normal.means import Means

BOUNDED = frozenset({"step", "tanh", "sigmoid", "sin", "cos", "atan", "Phi", "erf", "less", "above"})


def is_tame(powers: Monomial, draws: frozenset[str]) -> bool:
    """Whether a product of functions of the draws grows no faster than a polynomial: entries and bounded
    functions. Under laws with all moments it has a mean; where moments are not stated, the laws for which the
    author's own mean exists are those that are spoken of."""
    for atom, power in powers:
        if not draws & atom.names:
            continue
        if not isinstance(power, int) or power < 0:
            return False
        match atom:
            case Entry():
                continue
            case Function(name) if name in BOUNDED:
                continue
            case Net(_, factors) if is_tame(factors, draws):
                continue
        return False
    return True


def is_integrable(algebra: "Means", powers: Monomial, draws: frozenset[str]) -> bool:
    """A tame product, also with exponentials: of what is linear in all normal draws together, or of a
    quadratic function of one normal entry that the density outweighs. Other draws in them are bounded."""
    grows: Factors = [(atom, power) for atom, power in powers if _grows(atom, draws)]
    context = algebra.context
    finite = {name for name in draws if isinstance(context.symbols[name].kind, Rademacher | Bernoulli)}
    # What depends on finitely many outcomes alone takes finitely many values.
    rest = [part for part in powers if part not in grows and not part[0].names & draws <= finite]
    if not is_tame(tuple(rest), draws):
        return False
    exponent = exponent_of(grows)
    kinds = {name: context.symbols[name].kind for name in exponent.names & draws}
    plain = all(isinstance(kind, Normal | Rademacher | Bernoulli | Uniform) for kind in kinds.values())
    if not plain or any(_has_random_law(context, name) for name in kinds):
        return False
    normal = [name for name, kind in kinds.items() if isinstance(kind, Normal)]
    degrees = [degree_in(part, set(normal)) for part in exponent.terms if degree_in(part, kinds.keys())]
    if None in degrees or any(degree_in(part, kinds.keys()) is None for part in exponent.terms):
        return False
    return all(degree is not None and degree <= 1 for degree in degrees) or (
        len(kinds) == 1 and _is_outweighed(algebra, exponent, normal[0])
    )


def _grows(atom: object, draws: frozenset[str]) -> bool:
    return isinstance(atom, Function) and atom.name == "exp" and bool(draws & atom.names)


def _has_random_law(context: Context, name: str) -> bool:
    values = (value for value in vars(context.symbols[name].kind).values() if isinstance(value, Node))
    return any(context.is_random(other) for value in values for other in context.reach(value))


def _is_outweighed(algebra: "Means", exponent: Poly, name: str) -> bool:
    """A quadratic function of one entry, which takes a normal density to another one."""
    entries = {atom for atom in exponent.atoms() if name in atom.names}
    entry = entries.pop()
    if entries or not isinstance(entry, Entry):
        return False
    try:
        law = law_of_entry(algebra, Law(algebra, algebra.context.symbols[name]), entry.at)
        law.tilted(coefficients(exponent, entry, 2))
    except Rejected:
        return False
    return True
