"""Symbols of any law that take one value surely: what is false of these is false of every law."""

from dataclasses import replace

from verifier.claim.model import Assumption, Claim
from verifier.expr import nodes as N
from verifier.expr.symbols import AnyLaw, Declared, FixedMatrix
from verifier.expr.text import to_text
from verifier.expr.walk import walk


def with_sure_values(claim: Claim) -> Claim | None:
    """The claim for symbols of any law that take one value with probability 1: their mean if it is
    stated, else any. A symbol whose law is assumed something of (a covariance, say) is left as it is:
    a single value may not be allowed."""
    free: dict[str, Declared] = {}
    means: list[Assumption] = []
    spoken_of = {node.name for fact in claim.constraints for node in walk(fact) if isinstance(node, N.Symbol)}
    for name, declared in claim.symbols.items():
        if name in spoken_of:
            continue
        if not isinstance(declared.kind, AnyLaw) or declared.copies is not None:
            continue
        free[name] = Declared(name, FixedMatrix("matrix"), declared.shape)
        if declared.kind.mean is not None:
            fact = N.Relation("==", N.Symbol(name, declared.shape), declared.kind.mean)
            means.append(Assumption(f"{name} takes its mean", fact, to_text(fact), claim.position))
    if not free:
        return None
    return replace(claim, symbols={**claim.symbols, **free}, assumptions=(*claim.assumptions, *means))
