"""Atoms under other names for their indices."""

from verifier.expr.dims import Dim
from verifier.kernel.normal.atoms import (
    Atom,
    Entry,
    Exponent,
    Function,
    Inverse,
    Moment,
    Monomial,
    Net,
    Poly,
    Root,
    Same,
    Value,
    monomial,
)

Ranges = dict[str, tuple[Dim, Dim]]


def raw_text(bound: Ranges, factors: Monomial) -> str:
    """What a sum writes with its indices numbered as they come: most sums are met more than once."""
    seen: dict[str, str] = {}

    def label(name: str) -> str:
        return seen.setdefault(name, f"#{len(seen)}") if name in bound else name

    text = "*".join(f"{atom.write(label)}^{power}" for atom, power in factors)
    return text + "|" + ",".join(f"{seen.get(name)}:{low}..{high}" for name, (low, high) in bound.items())


def renamed(factors: Monomial, names: dict[str, str]) -> list[tuple[Atom, Exponent]]:
    return [(rename(atom, names), power) for atom, power in factors]


def rename(atom: Atom, names: dict[str, str]) -> Atom:
    """The atom with indices under other names, all of them new: nothing meets that did not."""
    if not names.keys() & atom.names:
        return atom
    put = {old: Dim.of(new) for old, new in names.items()}
    match atom:
        case Entry(name, (), _):
            return Entry(names.get(name, name))
        case Entry(name, at, symmetric):
            return Entry(name, tuple(p.replace(put) for p in at), symmetric)
        case Same(left, right):
            return Same(left.replace(put), right.replace(put))
        case Value(function, arg, at, inside):
            return Value(function, arg, None if at is None else tuple(p.replace(put) for p in at), inside)
        case Function(name, args):
            return Function(name, tuple(_of_poly(arg, names) for arg in args))
        case Inverse(base):
            return Inverse(_of_poly(base, names))
        case Root(base):
            return Root(_of_poly(base, names))
        case Moment(draws, body):
            return Moment(draws, _of_poly(body, names))
        case Net(bound, factors):
            ranges = tuple((name, low.replace(put), high.replace(put)) for name, low, high in bound)
            return Net(ranges, monomial(dict(renamed(factors, names))))
    raise TypeError(atom)


def _of_poly(poly: Poly, names: dict[str, str]) -> Poly:
    return Poly({monomial(dict(renamed(m, names))): factor for m, factor in poly.terms.items()})
