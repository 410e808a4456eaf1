"""Means of functions of a normal vector over powers of its length: the length R and the direction of a vector
w of N independent centred entries are independent, so that for p of degree a

    E(p(w)*R**(-m)) = E(p(w))*E(R**(a - m))/E(R**a),   E(R**(k + 2)) = std**2*(N + k)*E(R**k),

where N + a - m is positive. Less its mean over all places the vector has N - 1 such dimensions, beside a mean
that is independent of them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import fmpq

from verifier.expr.dims import Dim
from verifier.expr.nodes import Number
from verifier.expr.symbols import Declared, Normal
from verifier.kernel.core import terms as T
from verifier.kernel.normal.atoms import (
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
    of_atom,
    scaled,
    total,
)
from verifier.kernel.normal.exchange import size_along
from verifier.kernel.normal.laws import At, Law
from verifier.kernel.normal.renaming import Ranges
from verifier.kernel.rejected import Rejected

if TYPE_CHECKING:
    from verifier.kernel.normal.means import Means

SCALE = "scale'"
MOST_POWERS = 8
Factors = list[tuple[Atom, Exponent]]


@dataclass(frozen=True)
class Ray:
    """A row of a symbol: the places on an axis, the others being fixed. `centred`: less its mean."""

    name: str
    axis: int
    others: At
    centred: bool

    def holds(self, at: At) -> bool:
        return (*at[: self.axis], *at[self.axis + 1 :]) == self.others

    def at(self, place: Dim) -> At:
        return (*self.others[: self.axis], place, *self.others[self.axis :])


def over_directions(algebra: "Means", powers: Monomial, draws: frozenset[str]) -> Poly | None:
    """The mean over one draw of such a product; None for others."""
    if (read := _read(algebra, powers, draws)) is None:
        return None
    ray, bound, parts, order, beside = read
    found = []
    for degree, part in parts.items():
        mean = algebra.by_law(part, frozenset({ray.name}))
        found.append(algebra.times(mean, _ratio(algebra, ray, degree, order)))
    return algebra.close(bound, algebra.times(beside, total(found)))


def beside_direction(algebra: "Means", powers: Monomial, draws: frozenset[str]) -> Poly | None:
    """What stands beside the row in such a product, if what is made of the row has a mean."""
    try:
        read = _read(algebra, powers, draws)
    except Rejected:
        return None
    return None if read is None or read[0].name in read[4].names else read[4]


def _read(
    algebra: "Means", powers: Monomial, draws: frozenset[str]
) -> tuple[Ray, Ranges, dict[int, Poly], int, Poly] | None:
    """The row, the sums that are open, the polynomial by degrees, the power of the length beneath it, and
    what stands beside."""
    if not any(_divides(atom, power, draws) for atom, power in powers):
        return None
    bound: Ranges = {}
    opened = list(algebra.opened_all([item for item in powers if draws & item[0].names], "", bound))
    rays = {ray for atom, power in opened for ray, _ in _ray_of(algebra, atom, power, draws)}
    if len(rays) != 1:
        return None
    (ray,) = rays
    order, beside, entries = 0, Poly({tuple(i for i in powers if not draws & i[0].names): fmpq(1)}), UNIT
    steps = UNIT
    for atom, power in opened:
        part = Poly({monomial({atom: power}): fmpq(1)})
        if found := list(_ray_of(algebra, atom, power, draws)):
            order -= found[0][1]
            beside = algebra.times(beside, _size_beside(algebra, ray, found[0][1]))
        elif ray.name not in atom.names:
            beside = algebra.times(beside, part)
        elif (
            isinstance(atom, Entry)
            and ray.holds(atom.at)
            and isinstance(power, int)
            and 0 < power <= MOST_POWERS
        ):
            entries = algebra.times(entries, part)
        elif (
            isinstance(atom, Function) and atom.name == "step" and _is_homogeneous(algebra, ray, atom.args[0])
        ):
            steps = algebra.times(steps, part)
        else:
            return None
    parts = _by_degree(algebra, _grown(algebra, ray, entries))
    parts = {degree: algebra.times(part, steps) for degree, part in parts.items()}
    least = total((_dimensions(algebra, ray), constant(min(parts, default=0) - order)))
    if not algebra.is_known_positive(least):
        raise Rejected("no-mean", "a length to a power that need not have a mean")
    return ray, bound, parts, order, beside


def _divides(atom: Atom, power: Exponent, draws: frozenset[str]) -> bool:
    match atom:
        case Net(_, factors) if power > 0:
            return any(_divides(part, each, draws) for part, each in factors)
        case Net() | Root() | Inverse():
            return bool(draws & atom.names)
    return False


def _ray_of(
    algebra: "Means", atom: Atom, power: Exponent, draws: frozenset[str]
) -> Iterator[tuple[Ray, int]]:
    """The row of which an atom is a power of the length, and which one."""
    match atom:
        case Net() if power < 0:
            base, times = of_atom(atom), 2 * power
        case Inverse(base):
            times = -2 * power
        case Root(base):
            times = 2 * power
        case _:
            return
    for net in base.atoms():
        ray = _row(algebra, net, draws)
        if ray is not None and Fraction(times).denominator == 1:
            if base == of_atom(net):
                yield ray, int(times)
            elif base == _spread(algebra, ray):
                yield Ray(ray.name, ray.axis, ray.others, True), int(times)
            return


def _row(algebra: "Means", atom: Atom, draws: frozenset[str]) -> Ray | None:
    match atom:
        case Net(((index, low, high),), ((Entry(name, at), 2),)) if name in draws and Dim.of(index) in at:
            axis = at.index(Dim.of(index))
            others = (*at[:axis], *at[axis + 1 :])
            declared = algebra.context.symbols[name]
            whole = (low, high) == (Dim.of(1), size_along(declared, axis))
            inside = any(index in place.names for place in others)
            if whole and not inside and _is_plain(algebra, declared):
                return Ray(name, axis, others, False)
    return None


def _is_plain(algebra: "Means", declared: Declared) -> bool:
    """Independent centred normal entries, of a law that depends on no draw."""
    match declared.kind:
        case Normal(mean, std) if mean == Number(Fraction(0)):
            fixed = not any(map(algebra.context.is_random, algebra.context.reach(std)))
            return fixed and Law(algebra, declared).is_independent
    return False


def _spread(algebra: "Means", ray: Ray) -> Poly:
    """n times the square of the length of what is left of a row without its mean."""
    squares, sums = (_over(algebra, ray, power) for power in (2, 1))
    whole = algebra.times(_size(algebra, ray), squares)
    return total((whole, scaled(algebra.power(sums, 2), fmpq(-1))))


def _over(algebra: "Means", ray: Ray, power: int) -> Poly:
    index = f"%d{next(algebra.fresh)}"
    size = size_along(algebra.context.symbols[ray.name], ray.axis)
    entry = of_atom(Entry(ray.name, ray.at(Dim.of(index))), power)
    return algebra.summed(entry, index, Dim.of(1), size)


def _size(algebra: "Means", ray: Ray) -> Poly:
    return algebra.of_dim(size_along(algebra.context.symbols[ray.name], ray.axis))


def _dimensions(algebra: "Means", ray: Ray) -> Poly:
    return total((_size(algebra, ray), constant(-1 if ray.centred else 0)))


def _size_beside(algebra: "Means", ray: Ray, times: int) -> Poly:
    """The base of a centred row is n times the square of its length."""
    return algebra.root(_size(algebra, ray), Fraction(times, 2)) if ray.centred else UNIT


def _grown(algebra: "Means", ray: Ray, poly: Poly) -> Poly:
    """The polynomial where the row is so many times as long; its mean over the places stays."""
    factor = T.Var(SCALE)
    centre = algebra.term_of(
        algebra.times(_over(algebra, ray, 1), algebra.inverse(_size(algebra, ray)))
        if ray.centred
        else Poly({})
    )

    def put(term: T.Term) -> T.Term:
        if isinstance(term, T.Var) and term.name == ray.name and ray.holds(term.at):
            return T.plus(T.times(factor, T.minus(term, centre)), centre)
        return T.rebuilt(term, put)

    return algebra.normal(put(algebra.term_of(poly)))


def _is_homogeneous(algebra: "Means", ray: Ray, arg: Poly) -> bool:
    return _grown(algebra, ray, arg) == algebra.times(of_atom(Entry(SCALE)), arg)


def _by_degree(algebra: "Means", poly: Poly) -> dict[int, Poly]:
    found: dict[int, list[Poly]] = {}
    for powers, factor in poly.terms.items():
        degree = dict(powers).get(Entry(SCALE), 0)
        rest = Poly({tuple(item for item in powers if item[0] != Entry(SCALE)): factor})
        if not isinstance(degree, int) or SCALE in rest.names:
            raise Rejected("outside", "a function of a length that is no polynomial")
        found.setdefault(degree, []).append(rest)
    return {degree: total(parts) for degree, parts in found.items()}


def _ratio(algebra: "Means", ray: Ray, degree: int, order: int) -> Poly:
    """E(R**(degree - order))/E(R**degree)."""
    kind = algebra.context.symbols[ray.name].kind
    assert isinstance(kind, Normal)
    variance, many = algebra.power(algebra.of_node(kind.std), 2), _dimensions(algebra, ray)

    def grown(k: int) -> Poly:
        """E(R**(k + 2))/E(R**k)."""
        return algebra.times(variance, total((many, constant(k))))

    found, at = UNIT, degree
    while at > degree - order + 1:
        at -= 2
        found = algebra.times(found, algebra.inverse(grown(at)))
    while at < degree - order - 1:
        found, at = algebra.times(found, grown(at)), at + 2
    if at == degree - order:
        return found
    raise Rejected("outside", "an odd power of a length")
