"""Orders of magnitude, from bounds by numbers just within them."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import isqrt

from verifier.expr import nodes as N
from verifier.expr.nodes import Relation
from verifier.kernel.judgement import Holds
from verifier.kernel.points.orders import speaks_of_orders
from verifier.kernel.proof import Proof
from verifier.kernel.rules.orders import span_of

DIGITS = 12
Prover = Callable[[Relation], Proof | None]


def magnitudes(fact: Relation, prove: Prover) -> Iterator[Proof]:
    """A relation with an order on its right; `prove` finds a proof of an inequality."""
    if speaks_of_orders(fact.left):
        yield Proof("magnitude", Holds(fact))
        return
    span = span_of(fact.right)
    wanted: list[Relation] = []
    if fact.op in ("==", ">="):
        wanted.append(
            Relation("<=", N.Number(_root(span.low) + Fraction(10) ** (span.low - DIGITS)), fact.left)
        )
    if fact.op in ("==", "<="):
        wanted.append(Relation("<=", fact.left, N.Number(_root(span.high + 1))))
    if fact.op == "<=":
        wanted.append(Relation("<=", N.Number(Fraction(0)), fact.left))
    found = [prove(relation) for relation in wanted]
    premises = tuple(proof for proof in found if proof is not None)
    if len(premises) == len(wanted):
        yield Proof("magnitude", Holds(fact), premises)


def _root(exponent: int) -> Fraction:
    """A little less than 10**(exponent - 1/2)."""
    scaled = isqrt(10 ** (2 * DIGITS + 1))
    return Fraction(scaled, 10**DIGITS) * Fraction(10) ** (exponent - 1)
