"""One relation between sums, for every number of entries."""

from collections.abc import Iterator
from typing import Any

from flint import ctx

from verifier.claim.model import Claim
from verifier.exact.enclosures.domains import Domain
from verifier.exact.numbers import operations as ar
from verifier.exact.numbers.constants import sign
from verifier.exact.numbers.refusals import Refusal
from verifier.exact.numbers.scalar_terms import Call, Term, is_positive
from verifier.expr import nodes as n
from verifier.expr.walk import expand_lets
from verifier.prove.ranges.problem import ranged
from verifier.prove.ranges.separable.curvature import positive
from verifier.prove.ranges.separable.index_terms import rooted
from verifier.prove.ranges.separable.jensen_sums import by_means, needs_upper
from verifier.prove.ranges.separable.multiplied_out import factors_of, normal, parts_of
from verifier.prove.ranges.separable.share_by_share import by_shares
from verifier.prove.ranges.separable.sum_relations import Sums, without_signs
from verifier.prove.ranges.simplices import without_softmax
from verifier.prove.ranges.slack_signs import BITS
from verifier.timer import worked

SHARE = 0.4  # of the time that is left, for one way to a proof


def prove_sums(claim: Claim, small: n.Node, large: n.Node, deadline: float) -> str | None:
    """How small <= large follows for all values of the symbols, in words; None if it does not."""
    if any(a.assumed_value is not None or a.substitution is not None for a in claim.assumptions):
        return None
    claim, fact = without_softmax(claim, expand_lets(n.Relation("<=", small, large)))
    assert isinstance(fact, n.Relation)
    before = ctx.prec
    ctx.prec = BITS
    try:
        sums = Sums(claim, rooted(claim, fact))
        low, high = sums.value(fact.left), sums.value(fact.right)
        domains = ranged(claim, normal(high - low)).domains
        if not sums.entries or not _may_take_logarithms(sums, domains, deadline):
            return None
        for room in _rooms(low, high):
            for each in ((sums, room), without_signs(sums, room, needs_upper)):
                for way in (by_shares, by_means):
                    now = worked()
                    found = way(*each, domains, now + SHARE * (deadline - now))
                    if found is not None:
                        return found
    except (Refusal, RecursionError, OverflowError):
        return None
    finally:
        ctx.prec = before
    return None


def _may_take_logarithms(sums: Sums, domains: dict[str, Domain], deadline: float) -> bool:
    """A product is the exponential of a sum of logarithms if no factor is negative: two that are have a
    positive product, and no logarithm."""
    everywhere = {**domains, **{e.variable.name: e.domain for e in sums.entries.values()}}
    return all(positive(factor, everywhere, deadline) for factor in sums.factors)


def _rooms(low: Any, high: Any) -> Iterator[Any]:
    """What must not be negative: high - low, or log(high) - log(low) of positive sides."""
    room = normal(high - low)
    if _is_above_zero(low) and _is_above_zero(high):
        logarithms = normal(ar.apply("log", high)) - normal(ar.apply("log", low))
        if any(isinstance(part, Call) and part.function == "exp" for part in _factors(low, high)):
            yield normal(logarithms)
    yield room


def _is_above_zero(side: Any) -> bool:
    return is_positive(side) if isinstance(side, Term) else sign(side) > 0


def _factors(*sides: Any) -> Iterator[Any]:
    for side in sides:
        for part, _ in parts_of(side)[1]:
            yield from (base for base, _ in factors_of(part))
