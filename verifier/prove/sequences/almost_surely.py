"""Almost-sure convergence: P(limit(f, d, oo) == g) == 1, whatever the draws for different d have in common.

moments:      E|f - g|**(2k) = O(d**-s) with s > 1  =>  sum_d P(|f - g| > eps) < oo  (Markov)
                                                    =>  f -> g almost surely         (Borel-Cantelli)
mapping:      M -> M0 almost surely, f = F(M) with F continuous and free of d  =>  f -> F(M0)
squares:      f, g >= 0:  f -> g  <=>  f**2 -> g**2
softmax:      softmax(M) -> 1/m in every entry  <=>  M (I - ones/m) -> 0, for M with m columns
its slope:    diag(a) - a a^T -> its value at 1/m  <=>  a -> 1/m, for rows a of a softmax: on the closed
              simplex a_i a_j = 1/m**2 for all i != j has no other solution
not at all:   E|f - g|**2 does not tend to 0, and E|f - g|**4 = O(1) or f - g is a polynomial of degree k in
              Gaussians, with E|f - g|**4 <= 9**k (E|f - g|**2)**2  =>  P(|f - g|**2 > c) stays away from 0
              for a c > 0 (Paley-Zygmund), so f -> g has probability less than 1
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Assumption, Claim
from verifier.evidence import Counterexample, Finding
from verifier.expr import nodes as N
from verifier.expr.dims import Shape
from verifier.expr.symbols import Dimension, Integer
from verifier.expr.text import to_text
from verifier.kernel.sequences.modes import Convergence
from verifier.prove.growth.norm_moments import degree
from verifier.prove.sequences.continuity import core_of, mean, varies
from verifier.prove.sequences.squared_limits import TWO, scales_of_a_size, square_of_a_size

Fact = N.Relation | N.Within
Judge = Callable[[Claim, Fact], Finding]
NAME = "symbolic"
ONE, ZERO = N.Number(Fraction(1)), N.Number(Fraction(0))
RATE = Fraction(-3, 2)
ORDERS = (2, 4, 6)


def examine(claim: Claim, stated: Convergence, ask: Judge) -> Finding:
    """By a continuous mapping, by moments, or refuted by moments that do not vanish."""
    known: list[tuple[Claim, Fact, Finding]] = []

    def judge(claim: Claim, fact: Fact) -> Finding:
        for before, asked, found in known:
            if before is claim and asked == fact:
                return found
        found = ask(claim, fact)
        known.append((claim, fact, found))
        return found

    kind = claim.symbols[stated.along.name].kind
    if not isinstance(kind, Dimension | Integer):
        return _unknown("almost-sure convergence along a sequence: the symbol that grows takes every real")
    if varies(stated.to, stated.along):
        return _unknown(f"a limit that does not depend on {stated.along.name}")
    growing = replace(claim, growing=(stated.along,))
    by_mapping = _by_mapping(growing, stated, judge)
    if by_mapping is not None:
        return by_mapping
    stated = logits(claim, stated, judge) or stated
    found = _by_moments(growing, stated, judge) or refuted(growing, stated, judge)
    found = found or _by_squares(claim, stated, ask)
    return found or _unknown("a moment of the deviation that is summable")


def _unknown(missing: str) -> Finding:
    return Finding(NAME, "unknown", missing=missing)


def _by_squares(claim: Claim, stated: Convergence, ask: Judge) -> Finding | None:
    """Of a norm, a root or an absolute value, times something positive, against something never negative."""
    square = square_of_a_size(claim, stated.of) if not _is_zero(stated.to) else None
    if square is None or claim.random_in(stated.to) or not stated.to.shape.is_scalar:
        return None
    signs = [N.Relation(">", scale, ZERO) for scale in scales_of_a_size(claim, stated.of)]
    signs.append(N.Relation(">=", stated.to, ZERO))
    if any(ask(claim, fact).truth != "true" for fact in signs):
        return None
    found = examine(claim, Convergence(square, N.Power(stated.to, TWO), stated.along), ask)
    return None if found.truth == "unknown" else replace(found, reason=f"{found.reason}, for the squares")


# --- moments ---------------------------------------------------------------------------------------


def _by_moments(claim: Claim, stated: Convergence, judge: Judge) -> Finding | None:
    """The second moment, and higher ones unless the second does not even vanish."""
    second, *higher = _moments(stated)
    found = _summable(claim, second, stated.along, judge)
    if found is not None or _vanishes_not(claim, second, stated.along, judge) is not None:
        return found
    tries = (_summable(claim, moment, stated.along, judge) for moment in higher)
    return next((one for one in tries if one is not None), None)


def _summable(claim: Claim, moment: N.Node, along: N.Symbol, judge: Judge) -> Finding | None:
    rate = N.Growth("O", N.Power(along, N.Number(RATE)))
    found = judge(claim, N.Relation("<=", moment, rate))
    if found.truth != "true" or found.grade != "proved":
        return None
    line = f"{to_text(moment)} <= {to_text(rate)}, which is summable: Markov and Borel-Cantelli"
    reason = "the probabilities of every deviation are summable"
    return Finding(NAME, "true", "proved", reason, derivation=(line, *found.derivation))


def _moments(stated: Convergence) -> Iterator[N.Node]:
    """E|f - g|**2, **4, **6; a limit 0 of norm(Y)**q means norm(Y) -> 0."""
    deviation = _deviation(stated)
    size = deviation if deviation.shape.is_scalar else N.Norm(deviation)
    for order in ORDERS:
        yield N.Expectation(N.Power(size, N.Number(Fraction(order))))


def _deviation(stated: Convergence) -> N.Node:
    """f - g, or the Y of norm(Y)**q -> 0."""
    deviation = stated.of if _is_zero(stated.to) else N.Subtract(stated.of, stated.to)
    bare = deviation
    while isinstance(bare, N.Let):
        bare = bare.body
    match bare:
        case N.Norm() if is_length(bare):
            return bare.arg
        case N.Power(N.Norm() as norm, N.Number(q)) if q > 0 and is_length(norm):
            return norm.arg
    return deviation


def is_length(norm: N.Norm) -> bool:
    """Whether it is the square root of the sum of squares."""
    return norm.kind == "fro" or (norm.kind == "2" and norm.arg.shape.is_vector)


def _is_zero(node: N.Node) -> bool:
    return node == ZERO or isinstance(node, N.Zeros)


def _vanishes_not(claim: Claim, second: N.Node, along: N.Symbol, judge: Judge) -> Finding | None:
    """limit(E|f - g|**2, d, oo) is not 0, at the values of the finding's counterexample."""
    limit = N.Limit(second, along, N.Infinity())
    found = judge(claim, N.Relation("==", limit, ZERO))
    return found if found.truth == "false" and found.grade == "proved" else None


def refuted(claim: Claim, stated: Convergence, judge: Judge) -> Finding | None:
    second, fourth, _ = _moments(stated)
    found = _vanishes_not(claim, second, stated.along, judge)
    if found is None:
        return None
    # For polynomials of degree k in independent Gaussians and signs E|f|**4 <= 9**k (E|f|**2)**2.
    if degree(claim, _deviation(stated)) is None:
        bounded = judge(claim, N.Relation("<=", fourth, N.Growth("O", ONE)))
        if bounded.truth != "true" or bounded.grade != "proved":
            return None
        why = f"{to_text(fourth)} stays bounded (Paley-Zygmund)"
    else:
        why = "a polynomial of Gaussians or signs is rarely far below its second moment (Paley-Zygmund)"
    line = f"{to_text(second)} does not tend to 0 and {why}"
    reason = "the deviation does not vanish with probability 1"
    return Finding(
        NAME, "false", "proved", reason, counterexample=_example(claim, stated, found), derivation=(line,)
    )


def _example(claim: Claim, stated: Convergence, found: Finding) -> Counterexample | None:
    """The fixed symbols at which it fails; what is random or grows is no part of such a point."""
    if found.counterexample is None:
        return None
    hidden = claim.random | {stated.along.name}
    values = {name: value for name, value in found.counterexample.values.items() if name not in hidden}
    return Counterexample(values, None, None)


def logits(claim: Claim, stated: Convergence, judge: Judge) -> Convergence | None:
    """What softmax(M) -> 1/m, or its slope, says of M: it maps rows modulo constants homeomorphically."""
    assumed = {a.assumed_value[0].name for a in claim.assumptions if a.assumed_value is not None}
    of = _bare(stated.of, assumed)
    slope = isinstance(of, N.Derivative)
    by = of.by if isinstance(of, N.Derivative) else None
    of = _bare(of.of, assumed) if isinstance(of, N.Derivative) else of
    if not isinstance(of, N.RowWise) or of.function != "softmax" or _varies_in_size(of, stated.along):
        return None
    if slope and (by != of.arg or (isinstance(by, N.Let) and by.name in assumed)):
        return None
    count = of.shape.cols
    whole = N.Trace(N.Eye(count))
    even = N.Divide(N.Ones(Shape(count, count)), whole)
    centre = N.Subtract(N.Eye(count), even)
    at_even: N.Node = N.Divide(N.Ones(of.shape), whole)
    if slope:
        at_even = N.Kron(N.Divide(N.Eye(of.shape.rows), whole), centre)
    if stated.to.shape != at_even.shape or judge(claim, N.Relation("==", stated.to, at_even)).truth != "true":
        return None
    return Convergence(N.MatMul(of.arg, centre), N.Zeros(of.shape), stated.along)


def _bare(node: N.Node, assumed: Collection[str]) -> N.Node:
    """Without its names, but those to which a value is assumed."""
    while isinstance(node, N.Let) and node.name not in assumed:
        node = node.body
    return node


def _varies_in_size(node: N.Node, along: N.Symbol) -> bool:
    return along.name in node.shape.rows.names | node.shape.cols.names


# --- continuous mappings ---------------------------------------------------------------------------


def _by_mapping(claim: Claim, stated: Convergence, judge: Judge) -> Finding | None:
    """The one `let` name M through which f sees what is random and what grows; F(M0) against g."""
    core = core_of(claim, stated.of, stated.along)
    if core is None or varies(stated.to, stated.along) or claim.random_in(stated.to):
        return None
    limit = mean(claim, core, stated.along)
    inner = None if limit is None else _by_moments(claim, Convergence(core, limit, stated.along), judge)
    if limit is None or inner is None:
        return None
    value = N.Relation("==", core, limit)
    at_limit = Assumption(f"{core.name} at its limit", value, to_text(value), claim.position)
    there = replace(claim, growing=(), assumptions=(*claim.assumptions, at_limit))
    found = judge(there, N.Relation("==", stated.of, stated.to))
    if found.truth == "unknown" or found.grade != "proved":
        return None
    line = f"{core.name} -> {to_text(limit)} almost surely, and a continuous function of it follows"
    reason = "a continuous function of what converges almost surely"
    if found.truth == "false":
        reason = f"it converges almost surely to something else: {found.reason}"
    return Finding(
        NAME,
        found.truth,
        "proved",
        reason,
        counterexample=_example(claim, stated, found),
        derivation=(*inner.derivation, line),
    )
