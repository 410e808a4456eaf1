"""Places of which none is before another: a mean that looks at one of them is the same at all.

If the law of the draws is the same once the places along an axis are exchanged, and a function of them looks
at one place and at sums over all places, then its mean does not depend on the place: it is the mean of the
sum over all places, divided by their number.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verifier.expr.dims import ONE, Dim
from verifier.expr.symbols import Declared
from verifier.kernel.core import terms as T
from verifier.kernel.normal.atoms import Atom, Entry, Function, Inverse, Net, Poly, Root
from verifier.kernel.normal.laws import Law

if TYPE_CHECKING:
    from verifier.kernel.normal.means import Means

Axis = tuple[str, int]  # a symbol, and which of the positions of its entries


@dataclass(frozen=True)
class Use:
    """A place at which an entry stands, or that is used in another way."""

    place: Dim
    axis: Axis | None


def exchanged(algebra: "Means", poly: Poly, draws: frozenset[str]) -> Poly:
    """A function with the same mean: the average over all places if no draw is left in it, or else the
    function at the first place."""
    alike = {
        name for name in draws & poly.names if Law(algebra, algebra.context.symbols[name]).is_independent
    }
    inner: set[str] = set()
    uses = list(_uses(algebra, poly, inner)) if alike else []
    free = {(use.place, use.axis) for use in uses if use.axis and not use.place.names & inner}
    for place, axis in sorted(free, key=str):
        axes = _exchangeable(algebra, uses, inner, place, axis, alike)
        if not axes:
            continue
        size = size_along(algebra.context.symbols[axis[0]], axis[1])
        index = f"%x{next(algebra.fresh)}"
        moved = _moved(algebra, poly, axes, place, Dim.of(index), (Dim.of(1), size))
        whole = algebra.summed(moved, index, Dim.of(1), size)
        if not draws & whole.names:
            return algebra.times(whole, algebra.inverse(algebra.of_dim(size)))
        if place != Dim.of(1):
            return exchanged(algebra, _moved(algebra, poly, axes, place, Dim.of(1), None), draws)
    return poly


def _exchangeable(
    algebra: "Means", uses: list[Use], inner: set[str], place: Dim, axis: Axis, alike: set[str]
) -> frozenset[Axis] | None:
    """The axes that are exchanged together: on them stand this place and indices that run through all places,
    and these stand nowhere else."""
    size = size_along(algebra.context.symbols[axis[0]], axis[1]) if axis[0] in alike else None
    if size is None or size == ONE:
        return None
    places, axes = {place}, {axis}
    while True:
        more = {use.axis for use in uses if use.place in places}
        if None in more:
            return None
        axes |= {each for each in more if each is not None}
        found = {use.place for use in uses if use.axis in axes}
        if found <= places:
            break
        places |= found
    for other in places - {place}:
        name = next(iter(other.names), "")
        if other != Dim.of(name) or name not in inner or algebra.ranges.get(name) != (Dim.of(1), size):
            return None
    inside = frozenset[str]().union(*(other.names for other in places))
    if any(use.place not in places and use.place.names & inside for use in uses):
        return None
    if any(name not in alike or size_along(algebra.context.symbols[name], at) != size for name, at in axes):
        return None
    return frozenset(axes)


def _uses(algebra: "Means", poly: Poly, inner: set[str]) -> Iterator[Use]:
    """Where places stand; the indices of sums inside, under names of their own, are put down as `inner`."""
    for atom in poly.atoms():
        yield from _uses_in(algebra, atom, inner)


def _uses_in(algebra: "Means", atom: Atom, inner: set[str]) -> Iterator[Use]:
    match atom:
        case Entry(name, (_, *_) as at):
            yield from (Use(place, (name, axis)) for axis, place in enumerate(at))
        case Function(_, args):
            for arg in args:
                yield from _uses(algebra, arg, inner)
        case Inverse(base) | Root(base):
            yield from _uses(algebra, base, inner)
        case Net(bound):
            for _, low, high in bound:
                yield from (Use(Dim.of(name), None) for name in sorted(low.names | high.names))
            own, summand = algebra.open(atom)
            inner.update(own)
            yield from _uses(algebra, summand, inner)
        case _:
            yield from (Use(Dim.of(name), None) for name in sorted(atom.names))


def _moved(
    algebra: "Means", poly: Poly, axes: frozenset[Axis], place: Dim, to: Dim, limits: tuple[Dim, Dim] | None
) -> Poly:
    """The polynomial with a place put elsewhere on these axes."""
    if limits is not None:
        algebra.ranges[next(iter(to.names))] = limits

    def put(term: T.Term) -> T.Term:
        if isinstance(term, T.Var):
            places = (to if (term.name, k) in axes and at == place else at for k, at in enumerate(term.at))
            return T.Var(term.name, tuple(places))
        return T.rebuilt(term, put)

    return algebra.normal(put(algebra.term_of(poly)))


def size_along(declared: Declared, axis: int) -> Dim:
    """How many places an axis has; axes of size 1 are left out."""
    sizes = [] if declared.copies is None else [declared.copies]
    sizes += [size for size in (declared.shape.rows, declared.shape.cols) if size != ONE]
    return sizes[axis]
