"""A sum is not negative because no share of it is, up to multiples of entries whose sum is known.

sum h(p_i, q_i) + c >= 0 for probabilities p and q, if h(a, b) + k a + (c - k) b >= 0 for all a and b.
Where h(ta, tb) = t h(a, b), that is an inequality in a/b alone. The square of a sum is bounded by a sum:
(sum d_i)**2 <= sum d_i**2/w_i for weights w_i with sum 1 (Cauchy and Schwarz).
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from flint import fmpq

from verifier.rigorous import arithmetic as ar
from verifier.rigorous.calculus import at, differentiate, variables
from verifier.rigorous.closed import ONE, ZERO, enclose, is_zero
from verifier.rigorous.decide import decide_sign
from verifier.rigorous.domain import Domain
from verifier.rigorous.problem import Entry, Problem
from verifier.rigorous.refusals import Refusal
from verifier.rigorous.rooms import entry_sign
from verifier.rigorous.separable.normal import factors_of, normal, parts_of
from verifier.rigorous.separable.sums import Sums
from verifier.rigorous.terms import Term, Variable

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
    yield room, "index by index"
    for weight in _weights(sums):
        lowered = _without_squares(sums, room, weight)
        if lowered is not None:
            yield lowered, "the inequality of Cauchy and Schwarz, and then index by index"


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
            total, changed = total + coefficient * sums.named(share), True
        else:
            total = total + part * coefficient
    return total if changed else None


def _split(sums: Sums, room: Any) -> tuple[Any, Any] | None:
    """room = sum of share + rest, if it is linear in the sums with constant coefficients."""
    constant, parts = parts_of(room)
    share, rest = ZERO, constant
    for part, coefficient in parts:
        if isinstance(part, Variable) and part.name in sums.shares:
            share = share + coefficient * sums.shares[part.name]
        elif any(v.name in sums.shares for v in variables(part)):
            return None
        else:
            rest = rest + part * coefficient
    return normal(share), rest


def _not_negative(sums: Sums, share: Any, rest: Any, domains: dict[str, Domain], deadline: float) -> bool:
    everywhere = {**domains, **{e.variable.name: e.domain for e in sums.entries.values()}}
    known = [e.variable for e in sums.entries.values() if e.total == ONE]
    per_entry = normal(rest * ar.inverse(sums.count()))
    if len(known) == 2 and isinstance(rest, fmpq):
        shape = _in_ratio(share, *known)
        return shape is not None and _above_a_line(shape, rest, deadline)
    if isinstance(per_entry, fmpq) and _proved(share + per_entry, everywhere, deadline):
        return True
    if len(known) == 1 and isinstance(rest, fmpq):
        return _proved(share + rest * known[0], everywhere, deadline)
    return _proved(rest, domains, deadline) and _proved(share, everywhere, deadline)


def _above_a_line(shape: Any, rest: fmpq, deadline: float) -> bool:
    """shape(t) + k t + rest - k >= 0 for all t > 0 and some k."""
    for slope in _slopes(shape, rest):
        line = shape + slope * _T + (rest - slope)
        if _proved(line, {_T.name: Domain(ZERO, None, low_open=True)}, deadline):
            return True
    return False


_T, _SCALE = Variable("t", True), Variable("scale", True)


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
        return
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


def _proved(term: Any, domains: dict[str, Domain], deadline: float) -> bool:
    """term >= 0 over the domains."""
    if not isinstance(term, Term):
        return is_zero(term) or bool(enclose(term) >= 0)
    names = sorted(v.name for v in variables(term))
    if any(name not in domains for name in names):
        return False
    if len(names) == 1:
        found = decide_sign(term, names[0], domains[names[0]], False, deadline)
        return found.outcome == "proved"
    problem = Problem((), {name: domains[name] for name in names})
    return entry_sign(Entry(">=", term, ZERO), problem, deadline).outcome == "proved"


proved = _proved
