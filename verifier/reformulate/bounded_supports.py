"""Assumptions that bound the support of a law with stated moments, and so bound the moments too.

    z <= c surely   gives   E z <= c,         |y| <= c surely   gives   Var y <= c**2

A point that satisfies the bound, with a value of the moment that no such law has, refutes nothing.
"""

from collections.abc import Iterator
from dataclasses import fields

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.symbols import AnyLaw, Declared, Iid
from verifier.expr.walk import children, walk


def unmet(claim: Claim) -> str | None:
    """What would have to be known before a point refutes the claim; None where nothing ties moments."""
    for fact in claim.constraints:
        stated = fact.fact if isinstance(fact, N.ForAll | N.Every) else fact
        for name in sorted(set(_outside(stated))):
            declared = claim.symbols.get(name)
            if declared is not None and isinstance(declared.kind, Iid | AnyLaw):
                moments = list(_moments(declared))
                if moments and (_fixed(claim, stated) or any(_fixed(claim, one) for one in moments)):
                    return f"which moments of {name} its bounds allow"
    return None


def _moments(declared: Declared) -> Iterator[N.Node]:
    values = (getattr(declared.kind, item.name) for item in fields(declared.kind))
    return (value for value in values if isinstance(value, N.Node))


def _outside(part: N.Node | N.Fact) -> Iterator[str]:
    """The symbols that stand outside of every average."""
    if isinstance(part, N.Expectation | N.Variance | N.Covariance):
        return
    if isinstance(part, N.Symbol | N.Member):
        yield part.name
    for child in children(part):
        yield from _outside(child)


def _fixed(claim: Claim, part: N.Node | N.Fact) -> set[str]:
    """Fixed symbols with free values."""
    named = {node.name for node in walk(part) if isinstance(node, N.Symbol)}
    return (named & claim.symbols.keys()) - claim.random - claim.where.keys()
