"""Where both sides of a relation have a value: points at which one has none are left out of every claim.

1/norm(x)    has none at x = 0, so that norm(x) > 0 may be assumed
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Assumption, Claim
from verifier.expr import nodes as N
from verifier.expr.text import to_text
from verifier.expr.walk import children

_ZERO = N.Number(Fraction(0))


def where_defined(claim: Claim, fact: N.Relation | N.Within) -> Claim:
    """The claim where no norm that the relation divides by is 0."""
    known = {item.fact for item in claim.assumptions}
    norms = dict.fromkeys(norm for norm in _below(fact) if _name(norm) not in claim.random)
    facts = [N.Relation(">", norm, _ZERO) for norm in norms]
    added = [Assumption("defined", new, to_text(new), claim.position) for new in facts if new not in known]
    return replace(claim, assumptions=(*claim.assumptions, *added)) if added else claim


def _name(norm: N.Norm) -> str:
    assert isinstance(norm.arg, N.Symbol)
    return norm.arg.name


def _below(part: N.Node | N.Fact) -> Iterator[N.Norm]:
    """Norms of fixed matrices in denominators; a sum may have no terms, and an event be left out."""
    if isinstance(part, N.Sum | N.Product | N.SubsetSum | N.Limit | N.Extreme):
        return
    if isinstance(part, N.Divide):
        yield from _factors(part.right)
    for child in children(part):
        yield from _below(child)


def _factors(node: N.Node) -> Iterator[N.Norm]:
    match node:
        case N.Norm(N.Symbol(), "fro"):
            yield node
        case N.Multiply(left, right):
            yield from (*_factors(left), *_factors(right))
        case N.Power(base, N.Number(k)) if k > 0:
            yield from _factors(base)
        case N.Let(_, body):
            yield from _factors(body)
