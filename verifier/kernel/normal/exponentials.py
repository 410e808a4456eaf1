"""Means of exponentials of sums over all entries of a draw: since the entries are independent,
E(exp(sum of f(w_a))) is the product of the E(exp(f(w_a)))."""

from typing import TYPE_CHECKING

from flint import fmpq

from verifier.expr.dims import Dim
from verifier.expr.symbols import Bernoulli, Normal, Rademacher
from verifier.kernel.normal.atoms import NOTHING, UNIT, Entry, Monomial, Net, Poly, scaled, total
from verifier.kernel.normal.exchange import size_along
from verifier.kernel.normal.laws import At, Law
from verifier.kernel.rejected import Rejected

if TYPE_CHECKING:
    from verifier.kernel.normal.means import Means

HALF = fmpq(1, 2)


def of_sums(algebra: "Means", name: str, law: Law, exponent: Poly) -> Poly:
    """E(exp(sum of b*w_a + c*w_a**2 over all places a)); b and c may depend on the place."""
    kind = law.declared.kind
    if isinstance(kind, Normal):
        known = kind.cov is None and kind.row_corr is None
    else:
        known = isinstance(kind, Bernoulli | Rademacher)
    if not known:
        raise Rejected("outside", f"the mean of an exponential of a sum over {name}")
    at, first, second = _coefficients(algebra, law, name, exponent)
    if isinstance(kind, Normal):
        parts = _of_normal(algebra, law, at, first, second)
    elif isinstance(kind, Bernoulli):
        chance = algebra.of_node(kind.chance)
        grown = algebra.function("exp", (total((first, second)),))
        mean = total((UNIT, scaled(chance, fmpq(-1)), algebra.times(chance, grown)))
        parts = [algebra.function("log", (mean,))]
    else:
        ends = (algebra.function("exp", (scaled(first, fmpq(side)),)) for side in (1, -1))
        parts = [second, algebra.function("log", (scaled(total(ends), HALF),))]
    found = UNIT
    for part in parts:
        for axis, place in reversed(list(enumerate(at))):
            part = algebra.summed(part, str(place), Dim.of(1), size_along(law.declared, axis))
        found = algebra.times(found, algebra.function("exp", (part,)))
    return found


def _of_normal(algebra: "Means", law: Law, at: At, first: Poly, second: Poly) -> list[Poly]:
    """The logarithm of E(exp(b*g + c*g**2)) in parts, which exists where 1 - 2*c*variance is positive."""
    times, power = algebra.times, algebra.power
    mean = total(law.partitions([at]))
    variance = total((total(law.partitions([at, at])), scaled(power(mean, 2), fmpq(-1))))
    room = total((UNIT, scaled(times(second, variance), fmpq(-2))))
    if not algebra.is_positive(room):
        raise Rejected("outside", "an exponential that may grow faster than the density falls")
    bends = scaled(times(power(first, 2), variance), HALF)
    top = total((bends, times(first, mean), times(second, power(mean, 2))))
    return [times(top, algebra.inverse(room)), scaled(algebra.function("log", (room,)), -HALF)]


def _coefficients(algebra: "Means", law: Law, name: str, exponent: Poly) -> tuple[At, Poly, Poly]:
    """The place of an entry, and what it and its square are multiplied with there."""
    at: At | None = None
    found = [NOTHING, NOTHING]
    for powers, factor in exponent.terms.items():
        place, degree, beside = _of_term(algebra, law, name, powers, factor)
        if at is None:
            at = place
        for own, common in zip(place, at, strict=True):
            beside = algebra.substituted(beside, str(own), common)
        found[degree - 1] = total((found[degree - 1], beside))
    assert at is not None
    return at, found[0], found[1]


def _of_term(algebra: "Means", law: Law, name: str, powers: Monomial, factor: fmpq) -> tuple[At, int, Poly]:
    nets = [(atom, power) for atom, power in powers if name in atom.names]
    outside = Poly({tuple(item for item in powers if item not in nets): factor})
    match nets:
        case [(Net() as net, 1)]:
            bound, inner = algebra.open(net)
            ((factors, _),) = inner.terms.items()
        case _:
            raise Rejected("outside", f"an exponential of something else than sums over {name}")
    own = [(atom, power) for atom, power in factors if name in atom.names]
    match own:
        case [(Entry(_, at), 1 | 2 as degree)] if len({*at}) == len(at):
            pass
        case _:
            raise Rejected("outside", f"an exponential of something else than sums of squares of {name}")
    for axis, place in enumerate(at):
        index = next(iter(place.names), "")
        whole = Dim.of(1), size_along(law.declared, axis)
        if place != Dim.of(index) or bound.pop(index, None) != whole:
            raise Rejected("outside", f"a sum over a part of {name}")
    rest = Poly({tuple(item for item in factors if item not in own): fmpq(1)})
    return at, int(degree), algebra.times(outside, algebra.close(bound, rest))
