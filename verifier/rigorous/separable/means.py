"""Jensen's inequality for sums: sum v_i f(u_i/v_i) >= V f(U/V) for convex f and weights v_i >= 0, where U and V
are the sums of u_i and v_i. With v_i = 1 it is the one about means, with two positive sequences it is that of
Hoelder, Minkowski and the divergences between probabilities.

The sequences u and v are looked for among the shares of the sums that the relation speaks of.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Literal

from verifier.rigorous import arithmetic as ar
from verifier.rigorous.calculus import calls, differentiate, variables
from verifier.rigorous.closed import ONE, ZERO, is_zero
from verifier.rigorous.decide import decide_sign
from verifier.rigorous.domain import Domain
from verifier.rigorous.refusals import Refusal
from verifier.rigorous.separable.normal import normal
from verifier.rigorous.separable.pointwise import homogeneous, proved
from verifier.rigorous.separable.sums import Entries, Sums
from verifier.rigorous.terms import Call, Linear, Product, Term, Variable, is_nonnegative, is_positive

KINKED = {"abs", "relu", "sign"}
U, V, MEAN = Variable("u", True), Variable("v", True), Variable("mean", True)
POSITIVE = Domain(ZERO, None, low_open=True)
Bend = Literal["convex", "concave"]


@dataclass(frozen=True)
class Scale:
    """Two sequences: what the entries are in terms of them, where u/v ranges, and the sum of v."""

    inverse: dict[str, Any]
    ratio: Variable
    domain: Domain
    u: Any  # the share whose sum is U
    v: Any  # that whose sum is V; 1 for plain means
    total: Any  # V, as a term


def by_means(sums: Sums, room: Any, domains: dict[str, Domain], deadline: float) -> str | None:
    """How room >= 0 follows from Jensen's inequality, in words; None if it does not."""
    for scale in _scales(sums):
        if monotonic() > deadline:
            return None
        lowered = _lowered(sums, room, scale, deadline)
        if lowered is None:
            continue
        known = sums.named(scale.u)
        if not isinstance(known, Variable):
            lowered = normal(lowered, {scale.ratio.name: normal(known * ar.inverse(scale.total))})
        if proved(lowered, {**domains, scale.ratio.name: scale.domain, V.name: POSITIVE}, deadline):
            return "Jensen's inequality"
    return None


def _lowered(sums: Sums, room: Any, scale: Scale, deadline: float) -> Any:
    """The room with every sum replaced by U = V * mean, by V, or by a bound in these; None where one has none."""
    for name, share in sums.shares.items():
        symbol = Variable(name, is_positive(share))
        if symbol not in variables(room):
            continue
        value = _bound(share, scale, _direction(room, name), deadline)
        if value is None:
            return None
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
        if others or (scale.v != ONE and not homogeneous(shape, U, V)):
            return None
        mean = normal(shape, {U.name: scale.ratio, V.name: ONE})
        if direction is None or not _bends(mean, scale, direction, deadline):
            return None
    except Refusal:
        return None
    return scale.total * mean


def _bends(shape: Any, scale: Scale, direction: Bend, deadline: float) -> bool:
    """Convex, or concave, over the whole interval: by the sign of the second derivative."""
    if not isinstance(shape, Term):
        return True
    if calls(shape) & KINKED:
        return False
    second = normal(differentiate(differentiate(shape, scale.ratio.name), scale.ratio.name))
    second = second if direction == "convex" else -second
    if not isinstance(second, Term):
        return proved(second, {}, deadline)
    found = decide_sign(second, scale.ratio.name, scale.domain, False, deadline)
    return found.outcome == "proved" and not found.holes


def _direction(room: Any, name: str) -> Bend | None:
    """Which bound of the sum is needed: a lower one (of a convex function) where the room grows with it."""
    slope = normal(differentiate(room, name))
    if _never_negative(slope):
        return "convex"
    return "concave" if _never_negative(-slope) else None


def _never_negative(term: Any) -> bool:
    return is_nonnegative(term) if isinstance(term, Term) else proved(term, {}, 0.0)


# --- the two sequences ------------------------------------------------------------------------------


def _scales(sums: Sums) -> Iterator[Scale]:
    """Every pair of sequences in which the entries can be written."""
    shares = dict.fromkeys([*sums.shares.values(), *(e.variable for e in sums.entries.values() if e.total is not None)])
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
        ratio = Variable("mean", domain.low is not None and is_zero(domain.low))
        leaf = U if ratio.positive else Variable("u", False)
        yield Scale({name: normal(value, {"u": leaf})}, ratio, domain, share, ONE, sums.count())


def _paired(sums: Sums, first: Any, second: Any, entries: dict[str, Entries]) -> Iterator[Scale]:
    """u = g(x), v = k(y) > 0 of different entries; or u = y g(x), v = y."""
    lower = inverted(second, entries, V)
    if lower is None or lower[2].low is None or not is_zero(lower[2].low):
        return
    total = sums.named(second)
    total = V if isinstance(total, Variable) else total
    upper = inverted(first, entries, U)
    if upper is not None and upper[0] != lower[0] and upper[2].low is not None and is_zero(upper[2].low):
        yield Scale({upper[0]: upper[1], lower[0]: lower[1]}, MEAN, POSITIVE, first, second, total)
    if isinstance(second, Variable):
        inner = normal(first * ar.inverse(second))
        found = inverted(inner, entries, U)
        if found is not None and found[0] != lower[0]:
            name, value, domain = found
            ratio = Variable("mean", domain.low is not None and is_zero(domain.low))
            leaf = U if ratio.positive else Variable("u", False)
            inverse = {name: normal(value, {"u": leaf * ar.inverse(V)}), lower[0]: V}
            yield Scale(inverse, ratio, domain, first, second, total)


def inverted(share: Any, entries: dict[str, Entries], symbol: Variable) -> tuple[str, Any, Domain] | None:
    """For u = x, |x|, x**k, |x|**k or exp(c x): the entry x in terms of u, and where u ranges.

    Where |x| is taken, x is replaced by u too: only even functions of x are the same then, and these have
    been written in |x| or in even powers."""
    match share:
        case Variable(name):
            return name, symbol, _inside(entries[name].domain)
        case Call("exp", (Variable(name),)):
            return name, ar.apply("log", symbol), POSITIVE
        case Call("exp", (Linear(constant, ((Variable(name), factor),)),)) if is_zero(constant):
            return name, ar.apply("log", symbol) * ar.inverse(factor), POSITIVE
        case Product(((Variable(name), exponent),)) if entries[name].variable.positive:
            return name, ar.power(symbol, 1 / exponent), POSITIVE
    return None


def _inside(domain: Domain) -> Domain:
    """Without its ends: what is bent inside is bent up to an end at which it has a value."""
    return replace(domain, low_open=True, high_open=True)
