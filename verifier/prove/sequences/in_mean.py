"""Convergence in mean, limit(E|f - g|**q, d, oo) == 0, refuted where f does not tend to g in probability.

f -> g in mean  =>  f -> g in probability, which almost_surely.py refutes by moments that do not vanish: of
f - g itself, or of the scores M where f = softmax(M).

E|f - g|**q <= O(h) as d -> oo, with h -> 0, says more than that, and is refuted in the same way.
"""

from dataclasses import replace

from verifier.claim.model import Claim
from verifier.evidence import Finding
from verifier.expr import nodes as N
from verifier.expr.symbols import Dimension, Integer
from verifier.kernel.sequences.modes import Convergence
from verifier.prove.sequences.almost_surely import (
    ONE,
    ZERO,
    Fact,
    Judge,
    is_length,
    logits,
    refuted,
)
from verifier.prove.sequences.continuity import varies


def mean_convergence(fact: Fact) -> Convergence | None:
    """limit(E(norm(f - g)**q), d, oo) == 0 for a function of what is random that has no exact moments."""
    match fact:
        case N.Relation("==", N.Number(value), N.Node() as right) if value == 0:
            return mean_convergence(N.Relation("==", right, fact.left))
        case N.Relation("==" | "<=", N.Limit(of, along, N.Infinity()), N.Number(value)) if value == 0:
            size = _bare(of)
            if isinstance(size, N.Expectation) and not size.given:
                return _deviation(_bare(size.body), along)
    return None


def _deviation(size: N.Node, along: N.Symbol) -> Convergence | None:
    match size:
        case N.Power(base, N.Number(q)) if q > 0:
            return _deviation(_bare(base), along)
        case N.Norm() if is_length(size):
            return _parts(_bare(size.arg), along)
        case N.Apply("abs", (of,)):
            return _parts(_bare(of), along)
    return None


def _parts(of: N.Node, along: N.Symbol) -> Convergence:
    zero: N.Node = ZERO if of.shape.is_scalar else N.Zeros(of.shape)
    match of:
        case N.Subtract(left, right):
            return Convergence(left, right, along)
    return Convergence(of, zero, along)


def _bare(node: N.Node) -> N.Node:
    while isinstance(node, N.Let):
        node = node.body
    return node


def examine_mean(claim: Claim, fact: Fact, judge: Judge) -> Finding | None:
    """False, if the deviation stays away from 0 with a probability that does; nothing else is said here."""
    stated = mean_convergence(fact) or _at_a_rate(claim, fact, judge)
    if stated is None or not isinstance(claim.symbols[stated.along.name].kind, Dimension | Integer):
        return None
    growing = replace(claim, growing=(stated.along,))
    found = refuted(growing, logits(claim, stated, judge) or stated, judge)
    return (
        None if found is None else replace(found, reason="the deviation does not even vanish in probability")
    )


def _at_a_rate(claim: Claim, fact: Fact, judge: Judge) -> Convergence | None:
    """c E|f - g|**q <= O(h), or == Theta(h), with h -> 0 and a c > 0 that does not grow."""
    match fact:
        case N.Relation("<=" | "==", left, N.Growth("O" | "Theta", rate)) if len(claim.growing) == 1:
            (along,) = claim.growing
        case _:
            return None
    factor, mean = _factor(left)
    stated = mean_convergence(N.Relation("==", N.Limit(mean, along, N.Infinity()), ZERO))
    if stated is None or varies(factor, along) or claim.random_in(factor):
        return None
    still = replace(claim, growing=())
    asked = (N.Relation(">", factor, ZERO), N.Relation("==", N.Limit(rate, along, N.Infinity()), ZERO))
    return stated if all(judge(still, one).truth == "true" for one in asked) else None


def _factor(side: N.Node) -> tuple[N.Node, N.Node]:
    """What stands before the mean, and the mean."""
    match _bare(side):
        case N.Multiply(left, right) if isinstance(_bare(right), N.Expectation):
            return left, right
        case N.Multiply(left, right) if isinstance(_bare(left), N.Expectation):
            return right, left
        case N.Divide(top, bottom) if isinstance(_bare(top), N.Expectation):
            return N.Divide(ONE, bottom), top
    return ONE, side
