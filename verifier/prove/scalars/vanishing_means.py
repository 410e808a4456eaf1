"""Means that vanish by symmetry: a change of sign that no law notices, and that the body does.

W -> -W, or one row, column or entry of W, for independent entries of a symmetric law: E f(W) = E f(-W),
so E f = 0 where f(-W) = -f(W). Powers may be symbols, as long as it is known which are odd.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.symbols import Kind, Normal, Rademacher, Uniform
from verifier.expr.walk import symbols_in, walk
from verifier.facts.whole import is_whole
from verifier.prove.forms.symmetric_laws import is_mirrored
from verifier.prove.scalars.randomness import is_random

ODD = ("tanh", "sin", "erf")
EVEN = ("abs", "cos")


@dataclass(frozen=True)
class Flip:
    """W -> -W, or only its entries at a given row, column or both."""

    name: str
    row: n.Node | None = None
    col: n.Node | None = None


def is_odd(claim: Claim, body: n.Node) -> bool:
    """Whether the body is a polynomial, or tame, and some flip changes its sign."""
    if not body.shape.is_scalar or not _is_tame(claim, body):
        return False
    bound = claim.spoken_of
    return any(flip.name not in bound and _sign(claim, body, flip) == -1 for flip in _flips(claim, body))


def changes_sign(claim: Claim, node: n.Node, name: str) -> bool:
    """Whether f(-W) = -f(W), for a random W with the law of -W."""
    return is_mirrored(claim.symbols[name].kind) and _sign(claim, node, Flip(name)) == -1


def _flips(claim: Claim, body: n.Node) -> Iterator[Flip]:
    for part in dict.fromkeys(walk(body)):
        match part:
            case n.Symbol(name) if name in claim.random and is_mirrored(claim.symbols[name].kind):
                yield Flip(name)
            case n.Entry(n.Symbol(name), row, col) if name in claim.random and _has_free_entries(
                claim.symbols[name].kind
            ):
                yield from (Flip(name, row=row), Flip(name, col=col), Flip(name, row, col))


def _has_free_entries(kind: Kind) -> bool:
    tied = isinstance(kind, Normal) and (kind.cov is not None or kind.row_corr is not None)
    return is_mirrored(kind) and not tied


def _is_tame(claim: Claim, body: n.Node) -> bool:
    """Whether its mean exists: random symbols enter by sums, products, whole powers and tame functions."""
    for part in walk(body):
        if not is_random(claim, part):
            continue
        match part:
            case n.Symbol(name) | n.Member(name):
                if not isinstance(claim.symbols[name].kind, Normal | Rademacher | Uniform):
                    return False
            case n.Power(_, exponent) if not _is_power(claim, exponent):
                return False
            case n.Divide(_, right) if is_random(claim, right):
                return False
            case n.Apply(function, _) if function not in (*ODD, *EVEN):
                return False
            case n.Let(name) if _is_assumed(claim, name):
                return False
            case n.Let() | n.Add() | n.Subtract() | n.Multiply() | n.MatMul() | n.Negate() | n.Transpose():
                pass
            case n.Power() | n.Divide() | n.Apply() | n.Entry() | n.Row() | n.Trace() | n.Inner() | n.Norm():
                pass
            case n.Sum():
                pass
            case _:
                return False
    return True


def _sign(claim: Claim, node: n.Node, flip: Flip) -> int | None:
    """1 if the flip leaves it, -1 if it changes its sign, None if neither is seen."""
    if flip.name not in symbols_in(node):
        return 1
    match node:
        case n.Symbol():
            return -1 if flip.row is None and flip.col is None else None
        case n.Entry(n.Symbol(), row, col):
            return _of_entry(claim, flip, row, col)
        case n.Let(_, arg) | n.Negate(arg) | n.Transpose(arg) | n.Trace(arg) | n.Entry(arg) | n.Row(arg):
            return _sign(claim, arg, flip)
        case n.Sum(arg):
            # A bound index may meet the flipped row or column.
            return _sign(claim, arg, flip) if flip.row is None and flip.col is None else None
        case n.Add(left, right) | n.Subtract(left, right):
            signs = {_sign(claim, left, flip), _sign(claim, right, flip)}
            return signs.pop() if len(signs) == 1 else None
        case n.Multiply(left, right) | n.MatMul(left, right) | n.Inner(left, right) | n.Divide(left, right):
            a, b = _sign(claim, left, flip), _sign(claim, right, flip)
            return None if a is None or b is None else a * b
        case n.Power(base, exponent):
            inner = _sign(claim, base, flip)
            if inner != -1:
                return inner
            odd = _is_odd_number(claim, exponent)
            return None if odd is None else -1 if odd else 1
        case n.Norm(arg) | n.Apply(_, (arg,)):
            inner = _sign(claim, arg, flip)
            even = isinstance(node, n.Norm) or (isinstance(node, n.Apply) and node.function in EVEN)
            return None if inner is None else 1 if even else inner
    return None


def _of_entry(claim: Claim, flip: Flip, row: n.Node, col: n.Node) -> int | None:
    """-1 at the flipped places, 1 where an index is known to be another one."""
    asked = [(a, b) for a, b in ((flip.row, row), (flip.col, col)) if a is not None]
    if all(a == b for a, b in asked):
        return -1
    return 1 if any(_are_apart(claim, a, b) for a, b in asked) else None


def _are_apart(claim: Claim, left: n.Node, right: n.Node) -> bool:
    if isinstance(left, n.Number) and isinstance(right, n.Number):
        return left.value != right.value
    facts = [fact for fact in claim.constraints if isinstance(fact, n.Relation)]
    return any(
        fact.op in ("!=", "<", ">") and (fact.left, fact.right) in ((left, right), (right, left))
        for fact in facts
    )


def _is_odd_number(claim: Claim, node: n.Node) -> bool | None:
    """Whether a whole expression is odd at all values of its symbols; None if that depends."""
    match node:
        case n.Number(value) if value.denominator == 1:
            return value % 2 == 1
        case n.Let(_, body) | n.Negate(body):
            return _is_odd_number(claim, body)
        case n.Add(left, right) | n.Subtract(left, right):
            a, b = _is_odd_number(claim, left), _is_odd_number(claim, right)
            return None if a is None or b is None else a != b
        case n.Multiply(left, right):
            a, b = _is_odd_number(claim, left), _is_odd_number(claim, right)
            if (a is False and is_whole(right, claim.symbols)) or (
                b is False and is_whole(left, claim.symbols)
            ):
                return False
            return None if a is None or b is None else a and b
    return None


def _is_power(claim: Claim, exponent: n.Node) -> bool:
    """A whole number from 1 on."""
    least = claim.values(exponent).low.at
    return is_whole(exponent, claim.symbols) and least is not None and least >= 1


def _is_assumed(claim: Claim, name: str) -> bool:
    found = (assumption.assumed_value for assumption in claim.assumptions)
    return any(pair is not None and pair[0].name == name for pair in found)
