"""The closed form of an extreme value, offered only when it is proven to be the extreme."""

from typing import Any

from flint import arb, fmpq

from verifier.exact.enclosures.critical_points import turning_point
from verifier.exact.enclosures.domains import Domain
from verifier.exact.enclosures.range_enclosures import Extremum
from verifier.exact.enclosures.term_calculus import at
from verifier.exact.enclosures.term_signs import decide_sign
from verifier.exact.numbers.constants import Closed, Exact, enclose
from verifier.exact.numbers.guess_constants import candidates
from verifier.exact.numbers.number_text import end_text, short_text
from verifier.exact.numbers.refusals import Refusal

MAX_TRIES = 3


def closed_end(
    term: Any, name: str, domain: Domain, found: Extremum, upper: bool, deadline: float
) -> Exact | None:
    """An exact v with term <= v everywhere (>= for an inf) and v reached or approached."""
    if found.exact is not None:
        return found.exact
    if not found.low.is_finite() or not found.converged or domain.integer:
        return None
    tried = 0
    for value in _values(term, name, found):
        if short_text(value) is None:
            continue
        room = value - term if upper else term - value
        shown = decide_sign(room, name, domain, False, deadline)
        if shown.outcome == "proved" and (shown.zeros or shown.approached):
            return value
        tried += 1
        if tried == MAX_TRIES:
            break
    return None


def extreme_text(
    term: Any, name: str, domain: Domain, found: Extremum, upper: bool, deadline: float
) -> str | None:
    """The extreme as text: a closed form where it is proven, else rounded outward; None if infinite."""
    end = found.high if upper else found.low
    if not end.is_finite():
        return None
    return end_text(end, closed_end(term, name, domain, found, upper, deadline), upper)


def _values(term: Any, name: str, found: Extremum) -> list[Exact]:
    """The limit, values at exact points near the best one, exact numbers in the enclosure itself."""
    values: list[Exact] = [] if found.limit is None else [found.limit]
    if found.point is not None:
        reach = fmpq(1, 2**10) * (1 + abs(found.point))
        near = turning_point(term, name, found.point - reach, found.point + reach)
        for point in candidates(*(near or (arb(found.point), arb(found.point)))):
            try:
                value = at(term, {name: point})
            except Refusal:
                continue
            if isinstance(value, fmpq | Closed) and enclose(value).overlaps(found.low.union(found.high)):
                values.append(value)
    values += candidates(found.low, found.high)
    return list(dict.fromkeys(values))
