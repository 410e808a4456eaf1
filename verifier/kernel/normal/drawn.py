"""Means of products of entries of one random symbol and of functions of them: by the symmetry of the law, by
a shift of it, or by integrals where a single entry is concerned."""

from collections import Counter
from collections.abc import Iterator, Set
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import fmpq

from verifier.expr.nodes import Number
from verifier.expr.symbols import Bernoulli, Normal, Rademacher, Uniform
from verifier.kernel.normal import parity
from verifier.kernel.normal.atoms import (
    NOTHING,
    Atom,
    Entry,
    Exponent,
    Function,
    Inverse,
    Monomial,
    Net,
    Poly,
    Root,
    scaled,
    total,
)
from verifier.kernel.normal.bounded import over_outcomes, uniform_mean
from verifier.kernel.normal.integrals import Normal as OneNormal
from verifier.kernel.normal.integrals import mean_of
from verifier.kernel.normal.laws import At, Law
from verifier.kernel.rejected import Rejected

if TYPE_CHECKING:
    from verifier.kernel.normal.means import Means

Factors = list[tuple[Atom, Exponent]]


def integral(algebra: "Means", name: str, law: Law, entries: list[At], functions: Factors) -> Poly:
    """The mean of a product of entries of a symbol and of functions of them, which is known to exist."""
    if not functions:
        return total(law.partitions(entries))
    if law.is_symmetric:
        steps = [part for part in functions if _is_mirrored(part, name)]
        rest = [part for part in functions if part not in steps]
        side = parity.of_monomial(tuple(rest), name)
        is_odd = side is not None and (side + len(entries)) % 2 == 1
        if not steps and is_odd:
            return NOTHING
        if len(steps) == 1 and side is not None and not is_odd:
            # The function and its mirror image are 1 together.
            return scaled(integral(algebra, name, law, entries, rest), fmpq(1, 2))
    match law.declared.kind:
        case Rademacher() | Bernoulli():
            places = _places(name, entries, functions)
            return over_outcomes(algebra, law, places, _product(name, entries, functions))
        case Uniform(Number(low), Number(high)) if low < high:
            return uniform_mean(algebra, low, high, *_as_one_entry(name, entries, functions))
        case Normal():
            pass
        case _:
            raise Rejected("outside", f"the mean of a function of {name} that is no polynomial")
    shifted = _shifted(algebra, name, entries, functions)
    return shifted if shifted is not None else _of_one_entry(algebra, name, law, entries, functions)


def _shifted(algebra: "Means", name: str, entries: list[At], functions: Factors) -> Poly | None:
    """E(exp(l)) = exp(E(l) + Var(l)/2) for a linear function l of normal entries; None for other means."""
    if entries or not all(isinstance(atom, Function) and atom.name == "exp" for atom, _ in functions):
        return None
    exponent = exponent_of(functions)
    if any(degree_in(powers, {name}) != 1 for powers in exponent.terms):
        return None
    first, second = (algebra.by_law(algebra.power(exponent, k), frozenset({name})) for k in (1, 2))
    spread = total((second, scaled(algebra.power(first, 2), fmpq(-1))))
    return algebra.function("exp", (total((first, scaled(spread, fmpq(1, 2)))),))


def exponent_of(factors: Factors) -> Poly:
    """What stands in the exponentials of a product."""
    return total(
        scaled(atom.args[0], fmpq(*Fraction(power).as_integer_ratio()))
        for atom, power in factors
        if isinstance(atom, Function) and atom.name == "exp"
    )


def _of_one_entry(algebra: "Means", name: str, law: Law, entries: list[At], functions: Factors) -> Poly:
    entry, factors = _as_one_entry(name, entries, functions)
    return mean_of(law_of_entry(algebra, law, entry.at), entry, factors)


def _as_one_entry(name: str, entries: list[At], functions: Factors) -> tuple[Entry, Factors]:
    """The only entry of the symbol that stands there, and the whole product."""
    places = _places(name, entries, functions)
    if len(places) != 1:
        raise Rejected("outside", f"the mean of a function of several entries of {name}")
    return Entry(name, places[0]), _product(name, entries, functions)


def _places(name: str, entries: list[At], functions: Factors) -> list[At]:
    inside = (atom.at for part, _ in functions for atom in _entries_of(part, name))
    return list(dict.fromkeys((*entries, *inside)))


def _product(name: str, entries: list[At], functions: Factors) -> Factors:
    counts: list[tuple[Atom, Exponent]] = [(Entry(name, at), n) for at, n in Counter(entries).items()]
    return [*counts, *functions]


def law_of_entry(algebra: "Means", law: Law, at: At) -> OneNormal:
    first, second = total(law.partitions([at])), total(law.partitions([at, at]))
    return OneNormal(algebra, first, total((second, scaled(algebra.power(first, 2), fmpq(-1)))))


def _is_mirrored(factor: tuple[Atom, Exponent], name: str) -> bool:
    """f(x) with f(x) + f(-x) = 1."""
    match factor:
        case Function("step" | "sigmoid" | "Phi", (arg,)), 1:
            return parity.of_poly(arg, name) == 1
    return False


def _entries_of(atom: Atom, name: str) -> Iterator[Entry]:
    """The entries of a symbol that a function stands on; sums of them are not looked into."""
    match atom:
        case Entry() if atom.name == name:
            yield atom
        case Function(_, args):
            for arg in args:
                for part in arg.atoms():
                    if name in part.names:
                        yield from _entries_of(part, name)
        case Inverse(base) | Root(base):
            for part in base.atoms():
                if name in part.names:
                    yield from _entries_of(part, name)
        case _:
            raise Rejected("outside", f"the mean of a function of {name} that is no polynomial")


def degree_in(powers: Monomial, names: Set[str]) -> int | None:
    """The degree of a monomial in the entries of these symbols; None where it is no polynomial in them."""
    found = 0
    for atom, power in powers:
        if not names & atom.names:
            continue
        if not isinstance(power, int) or power < 0:
            return None
        inner = 1 if isinstance(atom, Entry) and atom.name in names else None
        if isinstance(atom, Net):
            inner = degree_in(atom.factors, names)
        if inner is None:
            return None
        found += inner * power
    return found
