"""What the assumptions say of magnitudes: how large they are at most, and how large at least."""

from collections.abc import Iterator
from fractions import Fraction

from flint import fmpq

from verifier.claim.model import Claim
from verifier.exact.numbers.constants import power
from verifier.expr import nodes as N
from verifier.expr.walk import rebuild
from verifier.prove.rules.magnitude_forms import Magnitude, Reader, positive_part


def expanded(node: N.Node, opaque: set[str]) -> N.Node:
    """`let` names replaced by what they stand for, except those that an assumption gives a value."""

    def change(part: N.Node) -> N.Node:
        if isinstance(part, N.Let) and part.name not in opaque:
            return change(part.body)
        return part if isinstance(part, N.Let) else rebuild(part, change)

    return change(node)


def hypotheses(claim: Claim, reader: Reader, opaque: set[str]) -> Iterator[tuple[N.Node, Magnitude, str]]:
    """Assumptions of the form atom <= magnitude or atom == magnitude."""
    for assumption in claim.assumptions:
        match assumption.constraint:
            case N.Relation("<=" | "<" | "==", left, right):
                small, large = reader.read(expanded(left, opaque)), reader.read(expanded(right, opaque))
                match small, large:
                    case Magnitude(((((atom, exponent),), coefficient),)), Magnitude() if exponent > 0:
                        if coefficient == 1 and large is not None:
                            bound = large.raised(1 / exponent)
                            if bound is not None:
                                yield atom, bound, assumption.name


def floors(claim: Claim, reader: Reader, opaque: set[str]) -> Iterator[tuple[Magnitude, str]]:
    """1 <= (f/c)**k where f >= c > 0 is assumed, or f == c."""
    for assumption in claim.assumptions:
        match assumption.constraint:
            case N.Relation("==" | ">=" | ">", left, right):
                large, least = reader.read(expanded(left, opaque)), reader.read(expanded(right, opaque))
                match least:
                    case Magnitude((((), number),)) if large is not None and positive_part(number):
                        for exponent in (Fraction(1), Fraction(2)):
                            ratio = (large * Magnitude((((), power(number, fmpq(-1))),))).raised(exponent)
                            if ratio is not None:
                                yield ratio, assumption.name
