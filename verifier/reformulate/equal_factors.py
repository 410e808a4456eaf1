"""Equalities between products, as equalities between their factors.

    prod_i f(i) = prod_i g(i)     if     f(i) = g(i) for every i

The other way round it need not be: only what is true of the factors is used.
"""

from dataclasses import replace

from verifier.claim.model import Claim, Step
from verifier.expr import nodes as N
from verifier.expr.dims import SCALAR, Dim
from verifier.expr.symbols import Declared, Dimension, IndexOf
from verifier.expr.walk import substitute, walk
from verifier.reformulate.function_families import Instance

_ANY = "any_"


def with_factors(claim: Claim, step: Step) -> Instance | None:
    """The claim about the factors at any one index; None where the sides are not two products alike."""
    match step.fact:
        case N.Relation(
            "==", N.Product(f, (N.Range() as first,), ()), N.Product(g, (N.Range() as second,), ())
        ):
            size = _size(claim, first)
            if size is None or (first.low, first.high) != (second.low, second.high) or _moves(claim, step):
                return None
            name = _fresh(claim)
            any_one = N.Symbol(name)
            sides = (
                substitute(body, {N.Index(span.index): any_one}) for body, span in ((f, first), (g, second))
            )
            symbols = {**claim.symbols, name: Declared(name, IndexOf(size), SCALAR)}
            fact = N.Relation("==", *sides)
            return Instance(
                replace(claim, symbols=symbols), replace(step, fact=fact), ("the factors compared",)
            )
    return None


def _size(claim: Claim, span: N.Range) -> Dim | None:
    """n of 1..n."""
    match span:
        case N.Range(_, N.Number(low), N.Symbol(name)) if low == 1 and name not in claim.where:
            known = claim.symbols.get(name)
            return Dim.of(name) if known is not None and isinstance(known.kind, Dimension) else None
    return None


def _moves(claim: Claim, step: Step) -> bool:
    """A limit, or something that grows, takes the factors along."""
    return bool(claim.growing) or any(isinstance(part, N.Limit) for part in walk(step.fact))


def _fresh(claim: Claim) -> str:
    name = _ANY
    while name in claim.symbols or any(let.name == name for let in claim.lets):
        name += "_"
    return name
