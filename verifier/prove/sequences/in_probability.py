"""Deviations that vanish on average or in probability, since their second moment does.

limit(E|f|**q, d, oo) == 0 for 0 < q < 2:     E|f|**q <= (E|f|**2)**(q/2)     (Jensen)
limit(P(|f| > c), d, oo) == 0 for c > 0:      P(|f| > c) <= E|f|**2 / c**2    (Chebyshev)
limit(P(|f| <= c), d, oo) == 1 for c > 0:     the same of the complement
"""

from dataclasses import dataclass
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.evidence import Finding, Grade, weakest
from verifier.expr import nodes as N
from verifier.expr.text import to_text
from verifier.prove.sequences.almost_surely import ZERO, Fact, Judge, is_length
from verifier.prove.sequences.continuity import varies

NAME = "symbolic"
TWO = N.Number(Fraction(2))
_MIRRORED: dict[str, N.Comparison] = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


@dataclass(frozen=True)
class Vanishing:
    """norm(of) -> 0 along a symbol; `above`: the probability of exceeding this tends to 0."""

    of: N.Node
    along: N.Symbol
    above: N.Node | None = None

    @property
    def square(self) -> N.Node:
        """limit(E(norm(of)**2), along, oo)"""
        size = self.of if self.of.shape.is_scalar else N.Norm(self.of)
        return N.Limit(N.Expectation(N.Power(size, TWO)), self.along, N.Infinity())


def vanishing(fact: Fact) -> Vanishing | None:
    """Whether the fact says that a deviation vanishes, in one of these ways."""
    match fact:
        case N.Relation("==", N.Number() as left, N.Node() as right):
            return vanishing(N.Relation("==", right, left))
        case N.Relation("==", N.Limit(of, along, N.Infinity()), N.Number(value)) if value in (0, 1):
            match _bare(of):
                case N.Expectation(body, ()):
                    return _event(_bare(body), along, value == 0)
    return None


def _event(body: N.Node, along: N.Symbol, to_zero: bool) -> Vanishing | None:
    match body:
        case N.Indicator(N.Relation(op, left, right)) if op not in ("==", "!="):
            if _length(left) is None:
                left, right, op = right, left, _MIRRORED[op]
            of = _length(left)
            return Vanishing(of, along, right) if of is not None and (op in (">", ">=")) == to_zero else None
        case N.Power(base, N.Number(q)) if to_zero and 0 < q < 2:
            of = _length(base)
            return None if of is None else Vanishing(of, along)
    of = _length(body)
    return Vanishing(of, along) if to_zero and of is not None else None


def _length(node: N.Node) -> N.Node | None:
    """f of |f|."""
    match _bare(node):
        case N.Norm(arg) as norm if is_length(norm):
            return arg
        case N.Apply("abs", (arg,)) if arg.shape.is_scalar:
            return arg
    return None


def _bare(node: N.Node) -> N.Node:
    while isinstance(node, N.Let):
        node = node.body
    return node


def examine_vanishing(claim: Claim, stated: Vanishing, judge: Judge) -> Finding | None:
    """True, if the second moment vanishes; nothing else is said here."""
    grades: list[Grade | None] = []
    if stated.above is not None:
        given = [pair[1] for a in claim.assumptions if (pair := a.substitution) is not None]
        if any(varies(tree, stated.along) for tree in (stated.above, *given)):
            return None
        if claim.random_in(stated.above):
            return None
        positive = judge(claim, N.Relation(">", stated.above, ZERO))
        if not positive.proves:
            return None
        grades.append(positive.grade)
    square = N.Relation("==", stated.square, ZERO)
    found = judge(claim, square)
    if not found.proves:
        return None
    line = f"{to_text(square)}, and so by {'Jensen' if stated.above is None else 'Chebyshev'}"
    reason = "the second moment of the deviation vanishes"
    grade = weakest(found.grade, *grades)
    return Finding(NAME, "true", grade, reason, derivation=(*found.derivation, line))
