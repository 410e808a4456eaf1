"""Small points at which a claim's symbols are as declared and its assumptions are met."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from tests.mutants.laws import Drawn
from tests.mutants.oracle import Oracle
from tests.mutants.polynomials import NotPolynomial, Unsupported, real
from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr import symbols as kinds

SIZES = (2, 3, 1, 2, 3)
SMALL = (1, 1, 2)
LARGEST = 12  # of a size that the claim gives
# Correlations whose roots, and those of what they leave, are rational.
FRACTIONS = (Fraction(9, 25), Fraction(16, 25), Fraction(0), Fraction(1, 2), Fraction(1))
SCALARS = (Fraction(1), Fraction(2), Fraction(1, 2), Fraction(3))


def places(claim: Claim, random: Random, wanted: int) -> Iterator[Oracle]:
    """Up to `wanted` points that the claim allows; every third is very small, for what grows quickly."""
    if any(assumption.independence for assumption in claim.assumptions):
        return  # draws follow the declared laws, which may say otherwise
    found = 0
    for attempt in range(12 * wanted):
        if found == wanted:
            return
        try:
            oracle = Oracle(claim, _point(claim, random, SIZES if attempt % 3 else SMALL))
            met = all(_met(oracle, assumption.constraint) for assumption in claim.assumptions)
            if met and _is_as_declared(oracle):
                found += 1
                yield oracle
        except Unsupported:
            continue


def told(oracle: Oracle, fact: n.Fact, random: Random) -> bool | None:
    """Whether the fact is true there. A random symbol outside of every expectation takes some value."""
    try:
        return replace(oracle, rough=[]).says(fact)
    except NotPolynomial:
        return replace(oracle, rough=[], outcome=Drawn(oracle.claim, random)).says(fact)


def _met(oracle: Oracle, fact: n.Fact | None) -> bool:
    match fact:
        case None:
            return True
        case n.ForAll(inner, ranges, conditions):
            return all(place.says(inner) is True for place in oracle.places(ranges, conditions))
        case _:
            return oracle.says(fact) is True


def _is_as_declared(oracle: Oracle) -> bool:
    """Whether the scalars that an assumption gives a value may have it: a + b == 1 with a positive b."""
    for assumption in oracle.claim.assumptions:
        if assumption.substitution is None or not assumption.substitution[0].shape.is_scalar:
            continue
        symbol, value = assumption.substitution
        declared, found = oracle.claim.symbols.get(symbol.name), real(oracle.number(value))
        match declared.kind if declared is not None else None:
            case kinds.Positive() if found <= 0:
                return False
            case kinds.Interval(low, high):
                ends = [None if _is_infinite(end) else real(oracle.number(end)) for end in (low, high)]
                if (ends[0] is not None and found < ends[0]) or (ends[1] is not None and found > ends[1]):
                    return False
    return True


def _point(claim: Claim, random: Random, sizes: tuple[int, ...]) -> dict[str, Any]:
    point: dict[str, Any] = {}
    for name, declared in claim.symbols.items():
        if isinstance(declared.kind, kinds.Dimension):
            point[name] = int(claim.where.get(name, random.choice(sizes)))
    for name, size in claim.dims.items():  # dimensions that an assumption makes equal
        point[name] = size.at(point)
    if max(point.values(), default=0) > LARGEST:
        raise Unsupported("a size that no small point has")
    for name, declared in claim.symbols.items():
        if name not in point and not declared.is_random and declared.copies is None:
            with suppress(Unsupported):  # it may not be needed
                point[name] = claim.where.get(name, _value(claim, declared, point, random))
    return point


def _value(claim: Claim, declared: kinds.Declared, point: dict[str, Any], random: Random) -> Any:
    rows, cols = (size.at(point) for size in (declared.shape.rows, declared.shape.cols))
    match declared.kind:
        case kinds.IndexOf(size):
            return Fraction(random.randint(1, size.at(point)))
        case kinds.Integer():
            return Fraction(random.randint(0, 3))
        case kinds.Positive():
            return random.choice(SCALARS)
        case kinds.Real():
            return random.choice((*SCALARS, Fraction(-1), Fraction(-2), Fraction(-1, 2)))
        case kinds.Interval(low, high):
            return _between(Oracle(claim, point), low, high, random)
        case kinds.FixedMatrix("matrix" | "vector"):
            return tuple(tuple(Fraction(random.randint(-2, 2)) for _ in range(cols)) for _ in range(rows))
        case kinds.FixedMatrix("symmetric"):
            half = [[Fraction(random.randint(-2, 2)) for _ in range(cols)] for _ in range(rows)]
            return tuple(tuple(half[min(i, j)][max(i, j)] for j in range(cols)) for i in range(rows))
        case kinds.FixedMatrix("psd"):
            factor = [[Fraction(random.randint(-1, 2)) for _ in range(cols)] for _ in range(rows)]
            return tuple(
                tuple(sum((a * b for a, b in zip(p, q, strict=True)), Fraction(0)) for q in factor)
                for p in factor
            )
        case kinds.FixedMatrix("orthogonal"):
            order = random.sample(range(rows), rows)
            signs = [random.choice((-1, 1)) for _ in order]
            return tuple(
                tuple(Fraction(s * (j == k)) for j in range(cols)) for k, s in zip(order, signs, strict=True)
            )
        case kinds.FixedMatrix("simplex"):
            return tuple((x,) for x in _weights(rows, random))
        case kinds.FixedMatrix("stochastic"):
            return tuple(_weights(cols, random) for _ in range(rows))
    raise Unsupported(f"a value of {declared.name}")


def _weights(count: int, random: Random) -> tuple[Fraction, ...]:
    parts = [random.randint(0, 3) for _ in range(count)]
    parts[random.randrange(count)] += 1
    return tuple(Fraction(part, sum(parts)) for part in parts)


def _between(oracle: Oracle, low: n.Node, high: n.Node, random: Random) -> Fraction:
    ends = [None if _is_infinite(end) else oracle.number(end) for end in (low, high)]
    for _ in range(20):
        value = random.choice((*FRACTIONS, *SCALARS, *(-s for s in SCALARS)))
        if (ends[0] is None or real(value) >= real(ends[0])) and (
            ends[1] is None or real(value) <= real(ends[1])
        ):
            return value
    raise Unsupported("an interval without a simple number")


def _is_infinite(node: n.Node) -> bool:
    return isinstance(node, n.Infinity) or (isinstance(node, n.Negate) and isinstance(node.arg, n.Infinity))
