"""Means of products of entries of one random symbol and of functions of them: by the symmetry of the law, by
a shift of it, or by integrals where a single entry is concerned."""

from collections import Counter
from collections.abc import Iterator, Set
from contextlib import suppress
from fractions import Fraction
from itertools import combinations, product
from typing import TYPE_CHECKING

from flint import fmpq

from verifier.expr.nodes import Number
from verifier.expr.symbols import Bernoulli, Normal, Rademacher, Uniform
from verifier.kernel.core import terms as T
from verifier.kernel.normal import exponents, parity
from verifier.kernel.normal.atoms import (
    NOTHING,
    UNIT,
    Atom,
    Entry,
    Exponent,
    Function,
    Inverse,
    Monomial,
    Net,
    Poly,
    Root,
    constant,
    monomial,
    scaled,
    total,
)
from verifier.kernel.normal.bounded import over_outcomes, uniform_mean
from verifier.kernel.normal.exponentials import of_sums
from verifier.kernel.normal.integrals import Normal as OneNormal
from verifier.kernel.normal.integrals import mean_of
from verifier.kernel.normal.laws import At, Law
from verifier.kernel.normal.uniform import Between
from verifier.kernel.rejected import Rejected

if TYPE_CHECKING:
    from verifier.kernel.normal.means import Means

Factors = list[tuple[Atom, Exponent]]
MOST_PLACES = 4


def integral(algebra: "Means", name: str, law: Law, entries: list[At], functions: Factors) -> Poly:
    """The mean of a product of entries of a symbol and of functions of them, which is known to exist."""
    if not functions:
        return total(law.partitions(entries))
    if law.is_independent:
        found = by_places(algebra, name, law, _product(name, entries, functions))
        if found is not None:
            return found
    bases, others = exponents.split(_product(name, entries, functions), {name})
    match law.declared.kind:
        case Uniform(Number(low), Number(high)) if low < high and (entry := _alone(name, entries, functions)):
            with suppress(Rejected):
                return Between(algebra, entry, low, high).mean_of(_product(name, entries, functions))
    if any(isinstance(atom, Entry) for atom, power in (others if bases else functions) if power < 0):
        raise Rejected("outside", "the mean of a quotient")
    if bases and isinstance(law.declared.kind, Normal | Uniform):
        return _of_powers(algebra, name, law, bases, others)
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
        case Rademacher() | Bernoulli() if not entries and _is_of_sums(exponent_of(functions), name):
            if not all(isinstance(atom, Function) and atom.name == "exp" for atom, _ in functions):
                raise Rejected("outside", f"the mean of an exponential of a sum over {name} beside something")
            return of_sums(algebra, name, law, exponent_of(functions))
        case Rademacher() | Bernoulli():
            places = _places(name, entries, functions)
            return over_outcomes(algebra, law, places, _product(name, entries, functions))
        case Uniform(Number(low), Number(high)) if low < high:
            return uniform_mean(algebra, low, high, *_as_one_entry(name, entries, functions))
        case Normal():
            pass
        case _:
            raise Rejected("outside", f"the mean of a function of {name} that is no polynomial")
    shifted = _shifted(algebra, name, law, entries, functions)
    return shifted if shifted is not None else _of_one_entry(algebra, name, law, entries, functions)


def _of_powers(algebra: "Means", name: str, law: Law, bases: dict[Poly, Poly], others: Factors) -> Poly:
    """E(l**(2*m)) = Var(l)**m*(2*m - 1)!! for a linear function l of centred normal entries; 0 is the mean of
    what is odd under a symmetric law."""
    sides = [parity.of_monomial(tuple(others), name)]
    for base, exponent in bases.items():
        side, times = parity.of_poly(base, name), exponents.parity(algebra, exponent)
        sides.append(0 if side == 0 else None if side is None or times is None else side * times)
    if law.is_symmetric and None not in sides and sum(map(int, filter(None, sides))) % 2:
        return NOTHING
    match others, list(bases.items()):
        case [], [(base, exponent)] if exponents.parity(algebra, exponent) == 0:
            linear = all(degree_in(powers, {name}) == 1 for powers in base.terms)
            if linear and law.is_symmetric and isinstance(law.declared.kind, Normal):
                spread = algebra.by_law(algebra.power(base, 2), frozenset({name}))
                pairs = algebra.function("factorial2", (total((exponent, constant(-1))),))
                power = algebra.symbolic_power(spread, scaled(exponent, fmpq(1, 2)))
                return algebra.times(power, pairs)
    raise Rejected("outside", f"the mean of a symbolic power of {name}")


def _is_of_sums(exponent: Poly, name: str) -> bool:
    return any(isinstance(atom, Net) and name in atom.names for atom in exponent.atoms())


def _shifted(algebra: "Means", name: str, law: Law, entries: list[At], functions: Factors) -> Poly | None:
    """E(exp(l)) = exp(E(l) + Var(l)/2) for a linear function l of normal entries; None for other means."""
    if entries or not all(isinstance(atom, Function) and atom.name == "exp" for atom, _ in functions):
        return None
    exponent = exponent_of(functions)
    if any(degree_in(powers, {name}) != 1 for powers in exponent.terms):
        return of_sums(algebra, name, law, exponent) if _is_of_sums(exponent, name) else None
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


def _alone(name: str, entries: list[At], functions: Factors) -> Entry | None:
    """The only entry of the symbol, if there is only one."""
    try:
        return _as_one_entry(name, entries, functions)[0]
    except Rejected:
        return None


def _as_one_entry(name: str, entries: list[At], functions: Factors) -> tuple[Entry, Factors]:
    """The only entry of the symbol that stands there, and the whole product."""
    places = _places(name, entries, functions)
    if len(places) != 1:
        raise Rejected("outside", f"the mean of a function of several entries of {name}")
    return Entry(name, places[0]), _product(name, entries, functions)


def by_places(
    algebra: "Means", name: str, law: Law, factors: Factors, apart: frozenset[tuple[At, At]] = frozenset()
) -> Poly | None:
    """The mean of a product of functions of independent entries: two entries are one and the same, or
    apart, and the mean of what depends on entries that are apart is a product. None where none are."""
    if not all(_is_of_places(atom, name) for atom, _ in factors):
        return None
    groups: list[tuple[set[At], Factors]] = []
    for factor in factors:
        places = set(_places(name, [], [factor]))
        met = [group for group in groups if group[0] & places]
        rest = [group for group in groups if group not in met]
        groups = [*rest, (places.union(*(g[0] for g in met)), [*(f for g in met for f in g[1]), factor])]
    if not 1 < len(groups) <= MOST_PLACES:
        return None
    for (first, _), (second, _) in combinations(groups, 2):
        for p, q in product(sorted(first, key=str), sorted(second, key=str)):
            equal = algebra.product(*(algebra.same(a, b) for a, b in zip(p, q, strict=True)))
            if not equal.terms or (p, q) in apart:
                continue
            whole = Poly({monomial(dict(factors)): fmpq(1)})
            together = algebra.by_law(moved(algebra, whole, Entry(name, q), p), frozenset({name}))
            separate = by_places(algebra, name, law, factors, apart | {(p, q), (q, p)})
            if separate is None:
                return None
            other = total((UNIT, scaled(equal, fmpq(-1))))
            return total((algebra.times(equal, together), algebra.times(other, separate)))
    return algebra.product(*(_of_group(algebra, name, law, part) for _, part in groups))


def _is_of_places(atom: Atom, name: str) -> bool:
    """Whether it depends on single entries, and on no sum of them."""
    try:
        return bool(list(_entries_of(atom, name)))
    except Rejected:
        return False


def _of_group(algebra: "Means", name: str, law: Law, factors: Factors) -> Poly:
    counts = [(a, p) for a, p in factors if isinstance(a, Entry) and isinstance(p, int) and p > 0]
    entries = [atom.at for atom, power in counts if isinstance(atom, Entry) for _ in range(int(power))]
    return algebra.integrated(name, law, entries, [part for part in factors if part not in counts])


def moved(algebra: "Means", poly: Poly, entry: Entry, to: At) -> Poly:
    """The polynomial with an entry at another place."""

    def put(term: T.Term) -> T.Term:
        if isinstance(term, T.Var) and (term.name, term.at) == (entry.name, entry.at):
            return T.Var(entry.name, to)
        return T.rebuilt(term, put)

    return algebra.normal(put(algebra.term_of(poly)))


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
