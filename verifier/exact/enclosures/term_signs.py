"""The sign of a term of one variable, as it stands or in z = exp(k x)."""

from dataclasses import replace
from typing import Any

from verifier.exact.enclosures.domains import Domain
from verifier.exact.enclosures.in_exponentials import Rewritten, in_exponential
from verifier.exact.enclosures.sign_on_domain import Sign, prove_sign
from verifier.exact.enclosures.straight_line import enclosed
from verifier.exact.enclosures.term_calculus import calls
from verifier.exact.numbers.interval import Interval
from verifier.exact.numbers.refusals import Refusal


def decide_sign(term: Any, name: str, domain: Domain, strict: bool, deadline: float) -> Sign:
    """Whether term >= 0 (strict: > 0) over the domain.

    A function that is algebraic in z = exp(k x) is cheaper there, and its extremes have exact places."""
    rewritten = None if domain.integer or domain.excluded else in_exponential(term, name)
    if rewritten is None or calls(rewritten.term) - {"abs", "relu", "sign"}:
        return prove_sign(term, name, domain, strict, deadline)
    found = _in_z(term, name, rewritten, domain, strict, deadline)
    return found or prove_sign(term, name, domain, strict, deadline)


def _in_z(
    term: Any, name: str, rewritten: Rewritten, domain: Domain, strict: bool, deadline: float
) -> Sign | None:
    try:
        inner = prove_sign(rewritten.term, "z", rewritten.domain(domain), strict, deadline)
    except Refusal:
        return None
    if inner.outcome == "proved":
        zeros = tuple(rewritten.place(name, zero) for zero in inner.zeros)
        approached = tuple(rewritten.place(name, place) for place in inner.approached)
        return replace(inner, zeros=zeros, approached=approached, holes=())
    if inner.outcome == "refuted" and inner.point is not None:
        point = rewritten.back(inner.point)
        if domain.holds(point) and enclosed(term, {name: Interval.of(point)}).hi < 0:
            return replace(inner, point=point, holes=())
    return None
