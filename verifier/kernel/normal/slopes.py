"""Means of powers of a normal number beside smooth functions of it, by means of slopes.

    E(w*f(w)) = E(w)*E(f(w)) + Var(w)*E(f'(w)),

for functions that grow no faster than a polynomial (Stein). What nobody integrates is then a mean of
functions alone, and one of the same form however it was written.
"""

from typing import TYPE_CHECKING

from flint import fmpq

from verifier.expr.symbols import Normal
from verifier.kernel.normal.atoms import (
    NOTHING,
    UNIT,
    Atom,
    Entry,
    Exponent,
    Function,
    Poly,
    monomial,
    of_atom,
    scaled,
    total,
)
from verifier.kernel.normal.laws import At, Law

if TYPE_CHECKING:
    from verifier.kernel.normal.means import Means

SMOOTH = frozenset({"tanh", "sigmoid", "softplus"})


def by_slopes(
    algebra: "Means", name: str, law: Law, entries: list[At], functions: list[tuple[Atom, Exponent]]
) -> Poly | None:
    """The mean of a product of powers of one entry and of functions of it; None for other products."""
    if not entries or not isinstance(law.declared.kind, Normal) or not law.is_independent:
        return None
    entry = Entry(name, entries[0])
    if any(at != entry.at for at in entries) or not all(
        _is_smooth(atom, times, entry) for atom, times in functions
    ):
        return None
    mean = total(law.partitions([entry.at]))
    square = scaled(algebra.power(mean, 2), fmpq(-1))
    variance = total((*law.partitions([entry.at, entry.at]), square))
    rest, held = len(entries) - 1, Poly({monomial(dict(functions)): fmpq(1)})
    beside = algebra.power(of_atom(entry), rest)
    parts = [
        algebra.product(mean, beside, held),
        algebra.product(variance, beside, _slope(algebra, functions, entry)),
    ]
    if rest:
        fewer = scaled(algebra.power(of_atom(entry), rest - 1), fmpq(rest))
        parts.append(algebra.product(variance, fewer, held))
    return algebra.by_law(total(parts), frozenset({name}))


def _is_smooth(atom: Atom, times: Exponent, entry: Entry) -> bool:
    match atom:
        case Function(name, (arg,)) if name in SMOOTH and isinstance(times, int) and times > 0:
            powers = [dict(found).get(entry, 0) for found in arg.terms]
            alone = all(other == entry or entry.name not in other.names for other in arg.atoms())
            return alone and all(isinstance(power, int) and power >= 0 for power in powers)
    return False


def _slope(algebra: "Means", functions: list[tuple[Atom, Exponent]], entry: Entry) -> Poly:
    """Of a product, by the entry."""
    found = [NOTHING]
    for at, (atom, times) in enumerate(functions):
        assert isinstance(atom, Function)
        assert isinstance(times, int)
        others = Poly({monomial(dict([*functions[:at], *functions[at + 1 :]])): fmpq(times)})
        kept = algebra.power(of_atom(atom), times - 1)
        inner = _of_argument(algebra, atom.args[0], entry)
        found.append(algebra.product(others, kept, _outer(algebra, atom), inner))
    return total(found)


def _outer(algebra: "Means", atom: Function) -> Poly:
    here = of_atom(atom)
    square = scaled(algebra.power(here, 2), fmpq(-1))
    match atom.name:
        case "tanh":
            return total((UNIT, square))
        case "sigmoid":
            return total((here, square))
    return algebra.function("sigmoid", atom.args)


def _of_argument(algebra: "Means", arg: Poly, entry: Entry) -> Poly:
    found = [NOTHING]
    for powers, factor in arg.terms.items():
        power = dict(powers).get(entry, 0)
        if power:
            left = Poly({tuple(item for item in powers if item[0] != entry): factor * int(power)})
            found.append(algebra.times(left, algebra.power(of_atom(entry), int(power) - 1)))
    return total(found)
