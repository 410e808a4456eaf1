"""Whether limit(sum(f(i), i, a, N), N, oo) < oo, by comparison with powers of the index:

f = O(i**-s) for an s > 1, and every f(i) is a number   =>   the sum is finite
f >= c/i from some i on, for a c > 0                    =>   it is not
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import islice
from math import inf

from verifier.claim.model import Claim
from verifier.evidence import Counterexample, Finding
from verifier.exact.values.recheck import admissible, shown
from verifier.expr import nodes as N
from verifier.expr.dims import SCALAR
from verifier.expr.symbols import Declared, Dimension
from verifier.expr.walk import distinct, expand_lets, substitute
from verifier.prove.equal.small_integer_points import points

Fact = N.Relation | N.Within
Judge = Callable[[Claim, Fact], Finding]
NAME = "symbolic"
ZERO, ONE = N.Number(Fraction(0)), N.Number(Fraction(1))
RATES = (Fraction(-3, 2), Fraction(-17, 16))
MOST_POINTS = 20
_TOTAL = N.Number | N.Pi | N.Symbol | N.Add | N.Subtract | N.Multiply | N.Negate
_EVERYWHERE = frozenset(("abs", "exp", "sin", "cos", "tanh", "sigmoid", "atan", "erf", "Phi", "min", "max"))


def examine(claim: Claim, fact: Fact, judge: Judge) -> Finding | None:
    """Finite or not, where the terms are known up to a power; None for anything else."""
    match fact:
        case N.Relation("<", N.Limit(N.Sum(body, (span,), ()), size, N.Infinity()), N.Infinity()):
            pass
        case _:
            return None
    if span.high != size or not isinstance(span.low, N.Number) or span.low.value.denominator != 1:
        return None
    assumed = any(item.assumed_value is not None for item in claim.assumptions)
    if assumed or size in distinct(body) or claim.random_in(body):
        return None
    index = _new(claim)
    shifted = N.Add(index, N.Number(span.low.value - 1)) if span.low != ONE else index
    term = substitute(expand_lets(body), {N.Index(span.index): shifted})
    still = replace(claim, symbols={**claim.symbols, index.name: Declared(index.name, Dimension(), SCALAR)})

    def proved(claim: Claim, fact: Fact) -> bool:
        found = judge(claim, fact)
        return found.truth == "true" and found.grade == "proved"

    parts = list(distinct(term))
    if index not in parts or not all(_has_value(part, partial(proved, still)) for part in parts):
        return None
    growing = replace(still, growing=(index,))
    for rate in RATES:
        if proved(growing, N.Relation("<=", term, N.Growth("O", N.Power(index, N.Number(rate))))):
            return Finding(NAME, "true", "proved", f"finite by comparison: its terms are O(i**({rate}))")
    if proved(growing, N.Relation(">=", term, N.Growth("Omega", N.Divide(ONE, index)))):
        return _infinite(claim, fact, size.name)
    return None


def _new(claim: Claim) -> N.Symbol:
    name = "i"
    while name in claim.symbols or any(let.name == name for let in claim.lets):
        name += "_"
    return N.Symbol(name)


def _has_value(node: N.Node, proved: Callable[[N.Relation], bool]) -> bool:
    """Whether it has one wherever its parts have, for every value of the symbols and at every index."""
    match node:
        case N.Divide(_, N.Number(value)):
            return value != 0
        case N.Divide(_, below):
            return proved(N.Relation(">", below, ZERO)) or proved(N.Relation("<", below, ZERO))
        case N.Power(_, N.Number(power)) if power.denominator == 1 and power >= 0:
            return True
        case N.Power(N.Number(value), _) if value > 0:
            return True
        case N.Power(base, _) | N.Apply("log", (base,)):
            return proved(N.Relation(">", base, ZERO))
        case N.Apply("sqrt", (arg,)) | N.Apply("factorial", (arg,)):
            return proved(N.Relation(">=", arg, ZERO))
        case N.Apply(function):
            return function in _EVERYWHERE
    return isinstance(node, _TOTAL)


def _infinite(claim: Claim, fact: N.Relation, size: str) -> Finding | None:
    """At any point that is allowed."""
    tried = islice(points(claim, fact, {}, 0), MOST_POINTS)
    point = next((point for point in tried if admissible(claim, point).outcome == "true"), None)
    if point is None:
        return None
    values = {name: shown(value) for name, value in point.items() if name != size}
    reason = "infinite by comparison: its terms are at least a multiple of 1/i from some i on"
    example = Counterexample(values, inf, inf, "oo", "oo")
    return Finding(NAME, "false", "proved", reason, counterexample=example)
