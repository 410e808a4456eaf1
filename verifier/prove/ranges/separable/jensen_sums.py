"""Jensen's inequality for sums: sum v_i f(u_i/v_i) >= V f(U/V) for convex f and weights v_i >= 0, where U and
V are the sums of u_i and v_i. With v_i = 1 it is the one about means, with two positive sequences it is that
of Hoelder, of Minkowski and of the divergences between probabilities.

The sequences u and v are looked for among the shares of the sums that the relation speaks of.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from flint import fmpq

from verifier.exact.enclosures.domains import Domain
from verifier.exact.enclosures.term_calculus import differentiate, variables
from verifier.exact.numbers import operations as ar
from verifier.exact.numbers.constants import ONE, ZERO, is_zero, sign
from verifier.exact.numbers.refusals import Refusal
from verifier.exact.numbers.scalar_terms import (
    Call,
    Linear,
    Product,
    Term,
    Variable,
    is_nonnegative,
    is_positive,
)
from verifier.prove.ranges.separable.curvature import HALF_LINE, Bend, bent, proved
from verifier.prove.ranges.separable.multiplied_out import normal, parts_of
from verifier.prove.ranges.separable.share_by_share import homogeneous
from verifier.prove.ranges.separable.sum_relations import Entries, Sums
from verifier.timer import past, worked

WHOLE_LINE = Domain(low_open=True, high_open=True)
ENTIRE = {"exp", "tanh", "sigmoid", "softplus", "erf", "erfc", "atan", "sin", "cos"}
# Names with a blank are no symbols of a claim.
U, V, MEAN = Variable("u of v", True), Variable("v of u", True), Variable("the mean", True)


@dataclass(frozen=True)
class Scale:
    """Two sequences: what the entries are in terms of them, where u/v ranges, and the sum of v."""

    inverse: dict[str, Any]
    leaf: Variable  # u
    ratio: Variable
    domain: Domain
    u: Any  # the share whose sum is U
    v: Any  # that whose sum is V; 1 for plain means
    total: Any  # V, as a term


def by_means(sums: Sums, room: Any, domains: dict[str, Domain], deadline: float) -> str | None:
    """How room >= 0 follows from Jensen's inequality, in words; None if it does not."""
    for scale, each in ((scale, each) for each in (room, _joined(sums, room)) for scale in _scales(sums)):
        if past(deadline):
            return None
        lowered = _lowered(sums, each, scale, deadline)
        if lowered is None:
            continue
        known = sums.named(scale.u)
        if not isinstance(known, Variable):
            lowered = normal(lowered, {scale.ratio.name: normal(known * ar.inverse(scale.total))})
        end = worked() + (deadline - worked()) / 2
        if proved(lowered, {**domains, scale.ratio.name: scale.domain, V.name: HALF_LINE}, end):
            return "Jensen's inequality"
    return None


def _joined(sums: Sums, room: Any) -> Any:
    """The sums that occur with a constant factor and nowhere else, as the one sum of their shares."""
    constant, parts = parts_of(room)
    share, rest = ZERO, constant
    for part, coefficient in parts:
        elsewhere = any(part in variables(other) for other, _ in parts if other != part)
        if isinstance(part, Variable) and part.name in sums.shares and not elsewhere:
            share = share + coefficient * sums.shares[part.name]
        else:
            rest = rest + part * coefficient
    return rest + sums.named(share) if isinstance(share, Linear) else room


def _lowered(sums: Sums, room: Any, scale: Scale, deadline: float) -> Any:
    """Every sum in the room replaced by U = V * mean, by V, or by a bound in these; None if there is none."""
    for name, share in sums.shares.items():
        symbol = Variable(name, is_positive(share))
        if symbol not in variables(room):
            continue
        value = _bound(share, scale, _direction(room, name), deadline)
        if value is None or (symbol.positive and not is_nonnegative(value)):
            return None  # a logarithm of the sum may have a value where one of the bound has none
        room = normal(room, {name: normal(value)})
    return room


def _bound(share: Any, scale: Scale, direction: Bend | None, deadline: float) -> Any:
    """V f(mean) for a share v f(u/v), where f is bent as needed or linear."""
    if share == scale.u:
        return scale.total * scale.ratio
    if share == scale.v:
        return scale.total
    try:
        shape = normal(share, scale.inverse)
        others = {v.name for v in variables(shape)} - {U.name, V.name}
        if others or (scale.v != ONE and not homogeneous(shape, scale.leaf, V)):
            return None
        mean = normal(shape, {U.name: scale.ratio, V.name: ONE})
        if direction is None or not bent(mean, scale.ratio.name, scale.domain, direction, deadline):
            return None
    except Refusal:
        return None
    return scale.total * mean


def _direction(room: Any, name: str) -> Bend | None:
    """Which bound of the sum is needed: a lower one (of a convex function) where the room grows with it."""
    if not _unbroken(room, name):
        return None
    slope = normal(differentiate(room, name))
    if _never_negative(slope):
        return "convex"
    return "concave" if _never_negative(-slope) else None


def _unbroken(term: Any, name: str) -> bool:
    """No pole and no end of the domain lies between two values of the variable, as one of 1/(x - 1) would."""
    if not isinstance(term, Term) or all(v.name != name for v in variables(term)):
        return True
    match term:
        case Linear(_, parts):
            return all(_unbroken(part, name) for part, _ in parts)
        case Product(factors):
            return all(_unbroken(b, name) and (_is_whole(e) or is_positive(b)) for b, e in factors)
        case Call(function, args):
            inside = function in ENTIRE or (function == "log" and is_positive(args[0]))
            return inside and all(_unbroken(arg, name) for arg in args)
    return True


def _is_whole(exponent: fmpq) -> bool:
    return exponent.q == 1 and exponent > 0


def needs_upper(room: Any, name: str) -> bool:
    """The room shrinks where the sum grows: an upper bound of the sum will do."""
    return _direction(room, name) == "concave"


def _never_negative(term: Any) -> bool:
    return is_nonnegative(term) if isinstance(term, Term) else proved(term, {}, 0.0)


# --- the two sequences ------------------------------------------------------------------------------


def _scales(sums: Sums) -> Iterator[Scale]:
    """Every pair of sequences in which the entries can be written."""
    known = [entry.variable for entry in sums.entries.values() if entry.total is not None]
    shares = dict.fromkeys([*sums.shares.values(), *known])
    by_name = {entry.variable.name: entry for entry in sums.entries.values()}
    for first in shares:
        yield from _plain(sums, first, by_name)
        for second in shares:
            if first != second:
                yield from _paired(sums, first, second, by_name)


def _plain(sums: Sums, share: Any, entries: dict[str, Entries]) -> Iterator[Scale]:
    """u = g(x), v = 1."""
    found = inverted(share, entries, U)
    if found is not None:
        name, value, domain = found
        leaf, ratio = _leaf(domain)
        yield Scale({name: normal(value, {U.name: leaf})}, leaf, ratio, domain, share, ONE, sums.count())


def _paired(sums: Sums, first: Any, second: Any, entries: dict[str, Entries]) -> Iterator[Scale]:
    """u = g(x), v = k(y) > 0 of different entries; or u = y g(x), v = y."""
    lower = inverted(second, entries, V)
    if lower is None or not _is_half_line(lower[2]):
        return
    total = sums.named(second)
    total = V if isinstance(total, Variable) else total
    upper = inverted(first, entries, U)
    if upper is not None and upper[0] != lower[0] and (_is_half_line(upper[2]) or upper[2] == WHOLE_LINE):
        domain = HALF_LINE if _is_half_line(upper[2]) else WHOLE_LINE
        leaf, ratio = _leaf(domain)
        inverse = {upper[0]: normal(upper[1], {U.name: leaf}), lower[0]: lower[1]}
        yield Scale(inverse, leaf, ratio, domain, first, second, total)
    if isinstance(second, Variable):
        found = inverted(normal(first * ar.inverse(second)), entries, U)
        if found is not None and found[0] != lower[0]:
            name, value, domain = found
            leaf, ratio = _leaf(domain)
            inverse = {name: normal(value, {U.name: leaf * ar.inverse(V)}), lower[0]: V}
            yield Scale(inverse, leaf, ratio, domain, first, second, total)


def _leaf(domain: Domain) -> tuple[Variable, Variable]:
    """u and the mean, positive where the domain is."""
    positive = _is_half_line(domain)
    return Variable(U.name, positive), Variable(MEAN.name, positive)


def _is_half_line(domain: Domain) -> bool:
    """No value is negative."""
    return domain.low is not None and sign(domain.low) >= 0


def inverted(share: Any, entries: dict[str, Entries], symbol: Variable) -> tuple[str, Any, Domain] | None:
    """For u = x, x**k of positive x, or exp(c x): the entry x in terms of u, and where u ranges."""
    match share:
        case Variable(name):
            return name, symbol, _inside(entries[name].domain)
        case Call("exp", (Variable(name),)):
            return name, ar.apply("log", symbol), HALF_LINE
        case Call("exp", (Linear(constant, ((Variable(name), factor),)),)) if is_zero(constant):
            return name, ar.apply("log", symbol) * ar.inverse(factor), HALF_LINE
        case Product(((Variable(name), exponent),)) if entries[name].variable.positive:
            return name, ar.power(symbol, 1 / exponent), HALF_LINE
    return None


def _inside(domain: Domain) -> Domain:
    """Without its ends: what is bent inside is bent up to an end at which it has a value."""
    return replace(domain, low_open=True, high_open=True)
