"""A sum is not negative because no share of it is, up to multiples of entries whose sum is known.

sum h(p_i, q_i) + c >= 0 for probabilities p and q, if h(a, b) + k a + (c - k) b >= 0 for all a and b.
Where h(ta, tb) = t h(a, b), that is an inequality in a/b alone. The square of a sum is bounded by a sum:
(sum d_i)**2 <= sum d_i**2/w_i for weights w_i with sum 1 (Cauchy and Schwarz).
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from flint import fmpq

from verifier.exact.enclosures.domains import Domain
from verifier.exact.enclosures.term_calculus import at, differentiate, variables
from verifier.exact.numbers import operations as ar
from verifier.exact.numbers.constants import ONE, ZERO, Exact, enclose, is_zero
from verifier.exact.numbers.refusals import Refusal
from verifier.exact.numbers.scalar_terms import Variable
from verifier.prove.ranges.separable.curvature import HALF_LINE, bent, proved
from verifier.prove.ranges.separable.multiplied_out import factors_of, normal, parts_of
from verifier.prove.ranges.separable.sum_relations import Sums

SHARES = tuple(fmpq(k, 12) for k in (4, 8, 6, 12, 0))  # of the first of two probabilities in a weight
POINTS = tuple(2.0 ** (k / 4) for k in range(-60, 61) if k)


def by_shares(sums: Sums, room: Any, domains: dict[str, Domain], deadline: float) -> str | None:
    """How room >= 0 follows from one index alone, in words; None if it does not."""
    for total, words in _linear_rooms(sums, room):
        split = _split(sums, total)
        if split is None:
            continue
        share, rest = split
        if _not_negative(sums, share, rest, domains, deadline):
            return words
    return None


def _linear_rooms(sums: Sums, room: Any) -> Iterator[tuple[Any, str]]:
    """The room itself, and with squares of sums replaced by sums."""
    yield room, "the inequality at every index"
    for weight in _weights(sums):
        lowered = _without_squares(sums, room, weight)
        if lowered is not None:
            yield lowered, "the inequality of Cauchy and Schwarz, and the one at every index"


def _weights(sums: Sums) -> Iterator[Any]:
    known = [entry.variable for entry in sums.entries.values() if entry.total == ONE]
    if len(known) == 1:
        yield known[0]
    for first, second in ((a, b) for a in known for b in known if a.name < b.name):
        for part in SHARES:
            yield first * part + second * (ONE - part)


def _without_squares(sums: Sums, room: Any, weight: Any) -> Any:
    """-c S**2 >= -c sum(share**2/weight); None where there is no such square."""
    constant, parts = parts_of(room)
    total, changed = constant, False
    for part, coefficient in parts:
        ((base, exponent), *others) = factors_of(part)
        square = isinstance(base, Variable) and base.name in sums.shares and exponent == 2 and not others
        if square and isinstance(coefficient, fmpq) and coefficient < 0:
            share = normal(ar.power(sums.shares[base.name], fmpq(2)) * ar.inverse(weight))
            total, changed = total + coefficient * sums.total(share), True
        else:
            total = total + part * coefficient
    return total if changed else None


def _split(sums: Sums, room: Any) -> tuple[Any, Any] | None:
    """room = sum of share + rest, if it is linear in the sums with constant coefficients."""
    constant, parts = parts_of(room)
    share, rest = ZERO, constant
    for part, coefficient in parts:
        found = [v for v in variables(part) if v.name in sums.shares]
        if not found:
            rest = rest + part * coefficient
            continue
        factor = normal(part * ar.inverse(found[0]))
        if any(v.name in sums.shares for v in variables(factor)):
            return None
        share = share + coefficient * factor * sums.shares[found[0].name]
    return normal(share), rest


def _not_negative(sums: Sums, share: Any, rest: Any, domains: dict[str, Domain], deadline: float) -> bool:
    everywhere = {**domains, **{e.variable.name: e.domain for e in sums.entries.values()}}
    known = [e.variable for e in sums.entries.values() if e.total == ONE]
    per_entry = normal(rest * ar.inverse(sums.count()))
    if len(known) == 2 and isinstance(rest, fmpq):
        shape = _in_ratio(share, *known)
        return shape is not None and _above_a_line(shape, rest, deadline)
    if isinstance(per_entry, Exact) and proved(share + per_entry, everywhere, deadline):
        return True
    for entry in sums.entries.values():
        # rest = the sum of rest/total times the entry
        factor = None if entry.total is None else normal(rest * ar.inverse(entry.total))
        if isinstance(factor, fmpq) and proved(share + factor * entry.variable, everywhere, deadline):
            return True
    return proved(rest, domains, deadline) and proved(share, everywhere, deadline)


def _above_a_line(shape: Any, rest: fmpq, deadline: float) -> bool:
    """shape(t) + k t + rest - k >= 0 for all t > 0 and some k."""
    for slope in _slopes(shape, rest):
        gap = shape + slope * _T + (rest - slope)
        if (_touches(gap) and bent(gap, _T.name, HALF_LINE, "convex", deadline)) or proved(
            gap, {_T.name: HALF_LINE}, deadline
        ):
            return True
    return False


def _touches(gap: Any) -> bool:
    """The gap and its slope are 0 at t = 1: if it is convex, that is its least value."""
    try:
        return all(is_zero(at(f, {_T.name: ONE})) for f in (gap, differentiate(gap, _T.name)))
    except Refusal:
        return False


# Names with a blank are no symbols of a claim.
_T, _SCALE = Variable("the ratio", True), Variable("the scale", True)


def _in_ratio(share: Any, first: Variable, second: Variable) -> Any:
    """h(t, 1) where h(s a, s b) = s h(a, b), so that h(a, b) = b h(a/b, 1); None where that is not so."""
    if not homogeneous(share, first, second):
        return None
    return normal(share, {first.name: _T, second.name: ONE})


def homogeneous(share: Any, *names: Variable) -> bool:
    """h(s a, s b) = s h(a, b), and h depends on nothing else."""
    if {v.name for v in variables(share)} - {v.name for v in names}:
        return False
    scaled = normal(share, {v.name: _SCALE * v for v in names})
    return is_zero(normal(scaled - _SCALE * share))


def _slopes(shape: Any, rest: fmpq) -> Iterator[Any]:
    """Slopes k for which shape(t) + k t + rest - k may be >= 0: the tangent's, or a simple one in between."""
    try:
        if is_zero(at(shape, {_T.name: ONE}) + rest):
            yield -at(differentiate(shape, _T.name), {_T.name: ONE})
            return
    except Refusal:
        pass  # a kink: the line is not unique there
    low, high = -1e9, 1e9
    for t in POINTS:
        try:
            value = float(enclose(at(shape, {_T.name: fmpq(*Fraction(t).as_integer_ratio())})).mid())
        except Refusal:
            continue
        end = -(value + float(Fraction(int(rest.p), int(rest.q)))) / (t - 1)
        low, high = (max(low, end), high) if t > 1 else (low, min(high, end))
    if low <= high + 1e-9 and abs(low) < 1e8 and abs(high) < 1e8:
        for bottom in (1, 2, 4, 8):
            top = round((low + high) / 2 * bottom)
            if low - 1e-9 <= top / bottom <= high + 1e-9:
                yield fmpq(top, bottom)
                return
