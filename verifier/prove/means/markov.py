"""Probabilities bounded by expectations.

    P(y in S) <= E h(y)      if  0 <= h(y) for every y,  and  1 <= h(y) for every y in S

Markov's inequality has h(y) = y/t, Chebyshev's y = x - E x and h(y) = y**2/t**2, Chernoff's exp(y - t). How
close such a bound comes depends on the law:

    large sizes   y >= 0 whose power concentrates as a size grows is above its mean, nearly, nearly always
                  (`concentrated`): the bound is tight
    one peak      y linear in centred normal entries, the rest held, has a symmetric law with one peak, and
                  P(|y| > t) <= (r/(r+1))**r E|y|**r / t**r; less if it is normal itself (`peaks`)
    sparse laws   independent entries of unknown law may be 0 with probability 1 - p. A sum of products of k
                  different entries each, with coefficients c or 0, is then 0 or +-t up to events of
                  probability O(p**(k+1)), and for such laws P(|y| >= t) = E h(y) where h(0) = 0, h(t) = 1
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain

from verifier.claim.model import Assumption, Claim
from verifier.evidence import Finding, Grade, Tightness, weakest
from verifier.expr import nodes as N
from verifier.expr.dims import SCALAR
from verifier.expr.symbols import Declared, Iid, Interval, Normal, Positive, Real, Uniform
from verifier.expr.text import to_text
from verifier.expr.walk import children, expand_lets, rebuild, substitute, symbols_in, walk
from verifier.facts.degree import is_linear
from verifier.prove.forms.small_trees import factors, number, product, raised
from verifier.prove.means.concentrated import Close, concentrates
from verifier.prove.means.sparse_laws import is_sparse
from verifier.prove.means.tail_shares import MOST, of_normal, of_one_peak

Judge = Callable[[Claim, N.Relation], Finding]
_AVERAGES = (N.Expectation, N.Variance, N.Covariance)
_EVEN = (2, 4)
_ONE, _TWO = number(1), number(2)
REASON = "by Markov's inequality: the bound holds on every draw"


@dataclass(frozen=True)
class Tail:
    """P(event) <= E weight, both functions of the one random number y = `quantity`; without a weight, the
    right side is not written as an expectation."""

    quantity: N.Node
    event: N.Relation
    weight: N.Node | None
    symbol: N.Symbol
    claim: Claim


def examine_tails(
    claim: Claim, fact: N.Relation, judge: Judge, compare: Judge, close: Close
) -> Finding | None:
    """A bound on a probability by what holds on every draw; None where that shows nothing.

    `judge` decides between functions of a few numbers, `compare` between closed forms of expectations, which
    `close` finds."""
    tail = _read(claim, fact)
    if tail is None:
        return None
    inside = replace(tail.claim, assumptions=(*tail.claim.assumptions, _assumed(tail.event, claim)))
    for weight, is_exact, grade in _weights(claim, tail, fact, compare):
        asked = ((tail.claim, number(0)), (inside, _ONE))
        said = [judge(where, N.Relation("<=", low, weight)) for where, low in asked]
        if all(one.proves for one in said):
            weighed = replace(tail, weight=weight)
            tightness = (
                (_tightness(weighed, fact) or _concentrated(claim, weighed, close)) if is_exact else None
            )
            rests_on = weakest(grade, *(one.grade for one in said))
            return Finding("symbolic", "true", rests_on, REASON, tightness=tightness)
    return None


def _weights(
    claim: Claim, tail: "Tail", fact: N.Relation, compare: Judge
) -> Iterator[tuple[N.Node, bool, Grade | None]]:
    """Functions h of y with E h(y) <= right side, whether the two are equal, and on what that rests: the one
    that is written, or a power of y/t whose expectation has a closed form."""
    if tail.weight is not None:
        yield tail.weight, True, "proved"
        return
    bound = fact.right if fact.op == "<=" else fact.left
    for r in (1, *_EVEN) if _is_nonnegative(tail.claim, tail.quantity) else _EVEN:
        mean = N.Expectation(raised(tail.quantity, r))
        closed = N.Divide(mean, raised(tail.event.right, r))
        for is_exact in (True, False):
            said = compare(claim, N.Relation("==" if is_exact else "<=", closed, bound))
            if said.proves:
                power = N.Divide(raised(tail.symbol, r), raised(tail.event.right, r))
                yield power, is_exact, said.grade
                break


def _assumed(fact: N.Relation, claim: Claim) -> Assumption:
    return Assumption("the event", fact, to_text(fact), claim.position)


# --- reading -------------------------------------------------------------------------------------------


def _read(claim: Claim, fact: N.Relation) -> Tail | None:
    """P(a op b) <= E h, or the same the other way round."""
    small, large = (fact.left, fact.right) if fact.op == "<=" else (fact.right, fact.left)
    match fact.op, small:
        case "<=" | ">=", N.Expectation(N.Indicator(N.Relation() as event), ()):
            event, large = expand_lets(event), expand_lets(large)
        case _:
            return None
    weight = _bare(claim, large) if _has_average(large) else None
    held = claim.layers is not None or any(a.assumed_value for a in claim.assumptions)
    if held or (weight is None and (_has_average(large) or _is_random(claim, large))):
        return None
    match event.left:
        case N.Apply("abs", (quantity,)):
            return _abstracted(claim, quantity, event, weight)
    return _abstracted(claim, event.left, event, weight)


def _abstracted(claim: Claim, quantity: N.Node, event: N.Relation, weight: N.Node | None) -> Tail | None:
    """Both sides as functions of one number; None where something else is random in them."""
    name = "y"
    while name in claim.symbols:
        name += "_"
    symbol = N.Symbol(name, SCALAR)
    event = substitute(event, {quantity: symbol})
    weight = None if weight is None else substitute(weight, {quantity: symbol})
    parts: list[N.Node] = [event.left, event.right, *([] if weight is None else [weight])]
    if any(isinstance(x, _AVERAGES) or _is_drawn(claim, x) for part in parts for x in walk(part)):
        return None
    kind = Interval(number(0), N.Infinity()) if _is_nonnegative(claim, quantity) else Real()
    used = {x.name for part in parts for x in walk(part) if isinstance(x, N.Symbol)}
    kept = tuple(
        a
        for a in claim.assumptions
        if (a.constraint is not None and symbols_in(a.fact) <= used)
        or (a.substitution is not None and a.substitution[0].name in used)
    )
    symbols = {**claim.symbols, name: Declared(name, kind, SCALAR)}
    return Tail(quantity, event, weight, symbol, replace(claim, symbols=symbols, assumptions=kept))


def _has_average(node: N.Node) -> bool:
    return any(isinstance(x, _AVERAGES) for x in walk(node))


def _bare(claim: Claim, node: N.Node) -> N.Node | None:
    """A linear combination of expectations as that of their bodies; None where it is not linear."""
    match node:
        case N.Expectation(body, ()):
            return body
        case N.Variance(body) if body.shape.is_scalar:
            return N.Power(N.Subtract(body, N.Expectation(body)), _TWO)
    inner = list(children(node))
    averaged = [_has_average(child) for child in inner]
    if not any(averaged):
        return None if _is_random(claim, node) else node
    match node:
        case N.Add() | N.Subtract() | N.Negate():
            pass
        case N.Multiply() if sum(averaged) == 1:
            pass
        case N.Divide() if not averaged[1]:
            pass
        case _:
            return None
    bare = {id(child): _bare(claim, child) for child in inner}
    if any(part is None for part in bare.values()):
        return None
    return rebuild(node, lambda child: bare[id(child)] or child)


def _is_random(claim: Claim, node: N.Node) -> bool:
    """Whether a random symbol stands outside of every average."""
    if isinstance(node, _AVERAGES):
        return False
    return _is_drawn(claim, node) or any(_is_random(claim, child) for child in children(node))


def _is_drawn(claim: Claim, node: N.Node) -> bool:
    return isinstance(node, N.Symbol | N.Member) and node.name in claim.random


def _is_nonnegative(claim: Claim, node: N.Node) -> bool:
    """Whether it is never negative, whatever is drawn."""
    return claim.values.in_mean()(node).is_nonnegative


# --- how tight -----------------------------------------------------------------------------------------


def _tightness(tail: Tail, fact: N.Relation) -> Tightness | None:
    two_sided = tail.event.left == N.Apply("abs", (tail.symbol,))
    r = _order(tail) if two_sided and fact.op == "<=" else None
    return None if r is None else _of_power(tail, fact, r)


def _concentrated(claim: Claim, tail: Tail, close: Close) -> Tightness | None:
    """Of a quantity y >= 0 itself: the bound E y**r/t**r where y**r concentrates."""
    itself = tail.event.left == tail.symbol and _is_nonnegative(tail.claim, tail.quantity)
    r = _order(tail) if itself else None
    return None if r is None else concentrates(claim, raised(tail.quantity, r), close)


def _order(tail: Tail) -> int | None:
    """The r of a weight y**r/t**r or |y|**r/t**r, for an event y >= t or |y| >= t with a free t."""
    threshold = tail.event.right
    if tail.event.op not in (">", ">=") or not _is_free(tail.claim, threshold) or tail.weight is None:
        return None
    powers = _powers(tail.weight, Fraction(1))
    r = -powers.pop(threshold, Fraction(0))
    straight = powers.pop(tail.symbol, Fraction(0))
    signed = straight % 2 and not _is_nonnegative(tail.claim, tail.quantity)
    total = straight + powers.pop(tail.event.left, Fraction(0))
    return None if powers or signed or total != r or r.denominator != 1 or r < 1 else int(r)


def _powers(node: N.Node, times: Fraction) -> dict[N.Node, Fraction]:
    """A product of powers, as the exponent of each base."""
    found: dict[N.Node, Fraction] = {}
    match node:
        case N.Multiply(left, right):
            parts = [_powers(left, times), _powers(right, times)]
        case N.Divide(left, right):
            parts = [_powers(left, times), _powers(right, -times)]
        case N.Power(base, N.Number(k)) if k.denominator == 1:
            parts = [_powers(base, times * k)]
        case N.Number(value) if value == 1:
            parts = []
        case _:
            parts = [{node: times}]
    for base, power in chain.from_iterable(part.items() for part in parts):
        found[base] = found.get(base, Fraction(0)) + power
    return {base: power for base, power in found.items() if power}


def _of_power(tail: Tail, fact: N.Relation, r: int) -> Tightness | None:
    """How close E|y|**r / t**r comes to P(|y| > t)."""
    drawn = list(_drawn(tail))
    if any(_has_one_peak(tail.claim, tail.quantity, name) for name in drawn):
        normal = len(drawn) == 1 and isinstance(tail.claim.symbols[drawn[0]].kind, Normal) and r <= MOST
        low, share = of_normal(r) if normal else (None, of_one_peak(r))
        better = to_text(product([number(share), *factors(fact.right)]))
        law = "a normal law" if normal else "a law with one peak"
        note = f"{law} takes at most {share} of the bound"
        least = None if low is None else 1 - low
        return Tightness(False, 1 - share, least, better=better, note=note, proved=True)
    free = all(isinstance(tail.claim.symbols[name].kind, Iid) for name in drawn)
    if free and is_sparse(tail.claim, tail.quantity):
        return Tightness(True, Fraction(0), Fraction(0), note="sparse laws come as close as one likes")
    return None


def _drawn(tail: Tail) -> Iterator[str]:
    return (name for name in sorted(symbols_in(tail.quantity)) if name in tail.claim.random)


def _is_free(claim: Claim, threshold: N.Node) -> bool:
    """A positive number of its own, that nothing else speaks of."""
    if not isinstance(threshold, N.Symbol) or not isinstance(claim.symbols[threshold.name].kind, Positive):
        return False
    spoken = chain.from_iterable(symbols_in(a.fact) for a in claim.assumptions)
    return threshold.name not in {*spoken, *claim.where}


def _has_one_peak(claim: Claim, node: N.Node, name: str) -> bool:
    """Given everything else, a sum of independent symmetric entries with one peak each."""
    declared = claim.symbols[name]
    match declared.kind:
        case Normal(N.Number(mean), _, _, _) if mean == 0:
            return is_linear(node, {name})
        case Uniform(N.Negate(low), high) if low == high:
            return is_linear(node, {name})
        case Uniform(N.Number(low), N.Number(high)) if low == -high:
            return is_linear(node, {name})
    return False
