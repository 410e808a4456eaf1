"""Signs of functions of a few variables, and which way a function of one variable is bent."""

from typing import Any, Literal

from flint import fmpq

from verifier.exact.enclosures.domains import Domain
from verifier.exact.enclosures.term_calculus import at, calls, differentiate, variables
from verifier.exact.enclosures.term_signs import decide_sign
from verifier.exact.numbers.constants import ZERO, enclose, is_zero, sign
from verifier.exact.numbers.refusals import Refusal
from verifier.exact.numbers.scalar_terms import Term, is_positive
from verifier.prove.ranges.problem import Entry, Problem
from verifier.prove.ranges.slack_signs import entry_sign

HALF_LINE = Domain(ZERO, None, low_open=True)
KINKED = {"abs", "relu", "sign"}
TRIALS = 33
SPREAD = tuple(
    fmpq(p, q) for p, q in ((1, 2), (2, 1), (1, 9), (7, 1), (1, 99), (40, 1), (9, 10), (11, 10), (1, 1))
)
Bend = Literal["convex", "concave"]


def bent(shape: Any, name: str, domain: Domain, direction: Bend, deadline: float) -> bool:
    """Convex, or concave, over the whole interval: by the sign of the second derivative."""
    if not isinstance(shape, Term):
        return True
    if calls(shape) & KINKED:
        return False
    second = differentiate(differentiate(shape, name), name)
    second = second if direction == "convex" else -second
    if not isinstance(second, Term):
        return proved(second, {}, deadline)
    found = decide_sign(second, name, domain, False, deadline)
    return found.outcome == "proved" and not found.holes


def proved(term: Any, domains: dict[str, Domain], deadline: float) -> bool:
    """term >= 0 over the domains."""
    if not isinstance(term, Term):
        return is_zero(term) or bool(enclose(term) >= 0)
    names = sorted(v.name for v in variables(term))
    if any(name not in domains for name in names) or _broken(term, {name: domains[name] for name in names}):
        return False
    if len(names) == 1:
        found = decide_sign(term, names[0], domains[names[0]], False, deadline)
        return found.outcome == "proved"
    problem = Problem((), {name: domains[name] for name in names})
    return entry_sign(Entry(">=", term, ZERO), problem, deadline).outcome == "proved"


def positive(term: Any, domains: dict[str, Domain], deadline: float) -> bool:
    """term > 0 wherever it is defined, but for single points: seen from its form or, for one variable, over
    its domain. A function without kinks that is never negative, and not 0, is 0 at single points only."""
    names = [v.name for v in variables(term)] if isinstance(term, Term) else []
    if is_positive(term) or not names:
        return is_positive(term) or bool(enclose(term) > 0)
    if len(names) > 1 or names[0] not in domains:
        return False
    strict = bool(calls(term) & KINKED)
    return decide_sign(term, names[0], domains[names[0]], strict, deadline).outcome == "proved"


def _broken(term: Any, domains: dict[str, Domain]) -> bool:
    """A simple point at which the term is negative: most attempts end here, and cheaply."""
    for k in range(TRIALS):
        point = {name: _simple(domain, k + 5 * at_) for at_, (name, domain) in enumerate(domains.items())}
        try:
            if all(domains[name].holds(value) for name, value in point.items()) and sign(at(term, point)) < 0:
                return True
        except Refusal:
            continue
    return False


def _simple(domain: Domain, k: int) -> fmpq:
    """The k-th of a few numbers spread over the domain."""
    size = SPREAD[k % len(SPREAD)]
    if isinstance(domain.low, fmpq) and isinstance(domain.high, fmpq):
        return domain.low + (domain.high - domain.low) * size / (1 + size)
    if isinstance(domain.low, fmpq):
        return domain.low + (size if not domain.integer else fmpq(k % 7))
    return size if k % 2 else -size
