"""Which means exist: of a product of functions of draws."""

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

from flint import fmpq

from verifier.expr.dims import Dim
from verifier.expr.nodes import Node, Number
from verifier.expr.symbols import Bernoulli, Normal, Rademacher, Uniform
from verifier.kernel.context import Context
from verifier.kernel.normal import exponents
from verifier.kernel.normal.atoms import Atom, Entry, Exponent, Function, Inverse, Monomial, Net, Poly, Root
from verifier.kernel.normal.directions import beside_direction
from verifier.kernel.normal.drawn import Factors, degree_in, exponent_of, law_of_entry
from verifier.kernel.normal.exponentials import of_sums
from verifier.kernel.normal.integrals import coefficients
from verifier.kernel.normal.laws import Law
from verifier.kernel.normal.renaming import Ranges
from verifier.kernel.normal.sums import MOST_OPENED
from verifier.kernel.normal.uniform import Between
from verifier.kernel.rejected import Rejected

if TYPE_CHECKING:
    from verifier.kernel.normal.means import Means

BOUNDED = frozenset({"step", "tanh", "sigmoid", "sin", "cos", "atan", "Phi", "erf", "less", "above"})


def is_tame(algebra: "Means", powers: Monomial, draws: frozenset[str]) -> bool:
    """Whether a product of functions of the draws grows no faster than a polynomial: entries, their roots
    and whole powers, bounded functions, and 1 divided by what does not come close to 0. Under laws with all
    moments it has a mean; where moments are not stated, the laws for which the author's own mean exists are
    those that are spoken of."""

    def all_tame(poly: Poly) -> bool:
        return all(is_tame(algebra, each, draws) for each in poly.terms)

    powers = tuple(_without_shares(algebra, dict(powers)).items())
    bases, rest = exponents.split(powers, draws)
    for base, exponent in bases.items():
        if draws & exponent.names or not exponents.is_count(algebra, exponent) or not all_tame(base):
            return False
    for atom, power in rest:
        if not draws & atom.names:
            continue
        match atom:
            case Root(base) if power > 0 and all_tame(base):
                continue
            case Inverse(base) if power > 0 and _is_beyond_zero(algebra, base, draws):
                continue
        if not isinstance(power, int) or power < 0:
            return False
        match atom:
            case Entry():
                continue
            case Function(name) if name in BOUNDED:
                continue
            case Function("softplus", (arg,)) if all_tame(arg):
                continue
            case Net(_, factors) if is_tame(algebra, factors, draws):
                continue
        return False
    return True


def _without_shares(algebra: "Means", powers: dict[Atom, Exponent]) -> dict[Atom, Exponent]:
    """The factors without x_j/sum(x_k, k), which is at most 1 where all terms of the sum are positive."""
    for net in [atom for atom, power in powers.items() if isinstance(atom, Net) and power < 0]:
        if not algebra.is_positive_atom(net) or not isinstance(powers[net], int):
            continue
        bound, inner = algebra.open(net)
        ((summand, _),) = inner.terms.items()
        while powers.get(net, 0) < 0 and (share := _share_in(algebra, bound, summand, powers)) is not None:
            for atom, power in ((net, -1), *share):
                powers[atom] = powers.get(atom, 0) - power
                if not powers[atom]:
                    del powers[atom]
    return powers


def _share_in(
    algebra: "Means", bound: Ranges, summand: Monomial, powers: dict[Atom, Exponent]
) -> Monomial | None:
    """One term of a sum that divides a product: the summand at some places, all of them in its ranges."""
    places = sorted({place for atom in powers for place in _places(atom)}, key=str)
    for chosen in product(places, repeat=len(bound)) if len(bound) <= 2 else ():
        if not all(algebra.is_among(place, index) for place, index in zip(chosen, bound, strict=True)):
            continue
        found = Poly({summand: fmpq(1)})
        for place, index in zip(chosen, bound, strict=True):
            found = algebra.substituted(found, index, place)
        ((share, _),) = found.terms.items()
        if all(powers.get(part, 0) >= power > 0 for part, power in share):
            return share
    return None


def _places(atom: Atom) -> Iterator[Dim]:
    """Where entries stand in an atom, its own indices left out."""
    match atom:
        case Entry(_, at):
            yield from at
        case Function(_, args):
            for inner in (part for arg in args for part in arg.atoms()):
                yield from _places(inner)
        case Net(bound, factors):
            own = {name for name, _, _ in bound}
            for part, _ in factors:
                yield from (place for place in _places(part) if not place.names & own)


def _is_beyond_zero(algebra: "Means", base: Poly, draws: frozenset[str]) -> bool:
    """A sum of what is not negative, one term of which is positive and no draw."""
    kept = Poly({powers: c for powers, c in base.terms.items() if not draws & Poly({powers: c}).names})
    return algebra.is_nonnegative_poly(base) and algebra.is_positive(kept)


def is_integrable(algebra: "Means", powers: Monomial, draws: frozenset[str]) -> bool:
    """A tame product, also with exponentials: of what is linear in all normal draws together, or of a
    quadratic function of one normal entry that the density outweighs. Other draws in them are bounded."""
    beside = beside_direction(algebra, powers, draws)
    if beside is not None and all(is_tame(algebra, each, draws) for each in beside.terms):
        return True
    powers = tuple(_opened(algebra, tuple(_without_shares(algebra, dict(powers)).items()), draws))
    grows: Factors = [(atom, power) for atom, power in powers if _grows(atom, draws)]
    context = algebra.context
    finite = {name for name in draws if isinstance(context.symbols[name].kind, Rademacher | Bernoulli)}
    # What depends on finitely many outcomes alone takes finitely many values.
    rest = [part for part in powers if part not in grows and not part[0].names & draws <= finite]
    if not is_tame(algebra, tuple(rest), draws):
        return not grows and _is_between_ends(algebra, powers, draws)
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
        len(kinds) == 1
        and (_is_outweighed(algebra, exponent, normal[0]) or _are_outweighed(algebra, exponent, normal[0]))
    )


def _is_between_ends(algebra: "Means", powers: Monomial, draws: frozenset[str]) -> bool:
    """Whether it is tame but for functions of uniform numbers whose integrals are known."""
    for name in sorted(draws):
        kind = algebra.context.symbols[name].kind
        own = [(atom, power) for atom, power in powers if name in atom.names]
        entries = {atom for part, _ in own for atom in _entries(part) if atom.name == name}
        if isinstance(kind, Uniform) and len(entries) == 1 and not is_tame(algebra, tuple(own), draws):
            if not isinstance(kind.low, Number) or not isinstance(kind.high, Number):
                return False
            if any((draws - {name}) & atom.names for atom, _ in own):
                return False
            try:
                Between(algebra, entries.pop(), kind.low.value, kind.high.value).mean_of(own)
            except Rejected:
                return False
            powers = tuple(item for item in powers if item not in own)
    return is_tame(algebra, powers, draws)


def _entries(atom: Atom) -> Iterator[Entry]:
    match atom:
        case Entry():
            yield atom
        case Function(_, args):
            for part in (each for arg in args for each in arg.atoms()):
                yield from _entries(part)
        case Inverse(base) | Root(base):
            for part in base.atoms():
                yield from _entries(part)


def _opened(algebra: "Means", powers: Monomial, draws: frozenset[str]) -> Iterator[tuple[Atom, Exponent]]:
    """The factors, and the summands of sums in which an exponential stands."""
    for atom, power in powers:
        whole = isinstance(power, int) and 0 < power <= MOST_OPENED
        if isinstance(atom, Net) and whole and any(_grows(part, draws) for part, _ in atom.factors):
            for _ in range(int(power)):
                _, inner = algebra.open(atom)
                yield from next(iter(inner.terms))
        else:
            yield atom, power


def _grows(atom: object, draws: frozenset[str]) -> bool:
    return isinstance(atom, Function) and atom.name == "exp" and bool(draws & atom.names)


def _has_random_law(context: Context, name: str) -> bool:
    values = (value for value in vars(context.symbols[name].kind).values() if isinstance(value, Node))
    return any(context.is_random(other) for value in values for other in context.reach(value))


def _are_outweighed(algebra: "Means", exponent: Poly, name: str) -> bool:
    """A sum of quadratic functions of all entries."""
    try:
        of_sums(algebra, name, Law(algebra, algebra.context.symbols[name]), exponent)
    except Rejected:
        return False
    return True


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
