"""Small concrete points: few rows, small integers; the ones that a person can check by hand first."""

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.dims import Dim
from verifier.expr.symbols import (
    Bernoulli,
    Declared,
    Dimension,
    FixedMatrix,
    IndexOf,
    Integer,
    Interval,
    Positive,
    Rademacher,
    Real,
    Uniform,
)
from verifier.expr.walk import children
from verifier.prove.forms.least_sizes import least
from verifier.prove.lower.lowering import walked

Point = dict[str, Any]
_SIZES = ([1], [2], [1, 2], [2, 3], [1, 2, 3], [2, 3, 5])


def points(claim: Claim, fact: N.Relation, dims: dict[str, Dim], seed: int) -> Iterator[Point]:
    """Points of growing size; symbols that assumptions substitute are left to the assumptions."""
    rng = random.Random(seed)
    names = needed(claim, fact)
    lowest = {name: least(claim, Dim.of(name)) for name in names}
    for attempt in range(400):
        sizes = _SIZES[min(attempt // 12, len(_SIZES) - 1)]
        point: Point = {}
        for name in names:
            declared = claim.symbols[name]
            if isinstance(declared.kind, Dimension):
                fixed = dims.get(name)
                point[name] = max(rng.choice(sizes), lowest[name]) if fixed is None else None
        for name in names:
            if isinstance(claim.symbols[name].kind, Dimension) and point[name] is None:
                values = {x: point.get(x, 1) for x in dims[name].names}
                point[name] = dims[name].at(values)
        try:
            for name in names:
                declared = claim.symbols[name]
                if not isinstance(declared.kind, Dimension):
                    point[name] = _value(declared, point, rng)
        except KeyError:
            return
        yield point


def needed(claim: Claim, fact: N.Relation) -> list[str]:
    """The symbols that a point must give a value: fixed ones, and random ones outside E."""
    substituted = {found[0].name for a in claim.assumptions if (found := a.substitution) is not None}
    trees: list[N.Node] = [fact.left, fact.right]
    for assumption in claim.assumptions:
        trees += _sides(assumption.fact)
    seen: set[str] = set()
    if claim.layers is not None and any(isinstance(x, N.After) for tree in trees for x in walked(tree)):
        trees.append(claim.layers.next)
        for drawn in claim.layers.symbols:
            seen |= _law_names(drawn) | drawn.shape.rows.names | drawn.shape.cols.names
    for node in (x for tree in trees for x in walked(tree)):
        if isinstance(node, N.Symbol | N.Member) and node.name in claim.symbols:
            seen.add(node.name)
        seen |= {name for dim in _dims(node) for name in dim.names}
    for name in list(seen):
        seen |= _law_names(claim.symbols[name])
        shape = claim.symbols[name].shape
        seen |= set(shape.rows.names | shape.cols.names)
    free = set().union(*(_outside(tree, claim) for tree in (fact.left, fact.right)))
    return [
        name
        for name, declared in claim.symbols.items()
        if name in seen
        and (not declared.is_random or name in free)
        and (name not in substituted or isinstance(declared.kind, Dimension))
    ]


def _sides(fact: N.Fact) -> list[N.Node]:
    match fact:
        case N.Relation(_, left, right) | N.Independent(left, right):
            return [left, right]
        case N.Within(arg, low, high):
            return [arg, low, high]
        case N.ForAll(inner, ranges, _):
            return _sides(inner) + [r.high for r in ranges]
    return []


def _dims(node: N.Node) -> list[Dim]:
    match node:
        case N.Eye(size):
            return [size]
        case N.Ones(shape) | N.Zeros(shape):
            return [shape.rows, shape.cols]
        case N.Commutation(rows, cols):
            return [rows, cols]
    return []


def _law_names(declared: Declared) -> set[str]:
    found: set[str] = set()
    for value in vars(declared.kind).values():
        if isinstance(value, N.Node):
            found |= {x.name for x in walked(value) if isinstance(x, N.Symbol)}
        if isinstance(value, Dim):
            found |= value.names
    if declared.copies is not None:
        found |= declared.copies.names
    return found


def _outside(node: N.Node, claim: Claim) -> set[str]:
    """Random symbols that stand outside every expectation."""
    match node:
        case N.Expectation(_, given):
            return set().union(*(_outside(g, claim) for g in given)) if given else set()
        case N.Variance() | N.Covariance():
            return set()
        case N.Symbol(name) | N.Member(name) if name in claim.random:
            return {name}
    return set().union(*(_outside(child, claim) for child in children(node)))


def _value(declared: Declared, point: Point, rng: random.Random) -> Any:
    sizes = {name: value for name, value in point.items() if isinstance(value, int)}
    rows, cols = declared.shape.rows.at(sizes), declared.shape.cols.at(sizes)
    if declared.copies is not None:
        return [_matrix(declared, rows, cols, sizes, rng) for _ in range(declared.copies.at(sizes))]
    if declared.shape.is_scalar and not isinstance(declared.kind, FixedMatrix):
        return _scalar(declared, sizes, rng)
    return _matrix(declared, rows, cols, sizes, rng)


def _scalar(declared: Declared, sizes: dict[str, int], rng: random.Random) -> Any:
    match declared.kind:
        case IndexOf(size):
            return rng.randint(1, size.at(sizes))
        case Integer():
            return rng.randint(0, 3)
        case Positive():
            return rng.choice([1, 1, 2, 3, Fraction(1, 2)])
        case Real():
            return rng.choice([1, 2, -1, 3, Fraction(1, 2), 0])
        case Interval(N.Number(low), N.Number(high)):
            return low + (high - low) * rng.choice([Fraction(1, 2), Fraction(0), Fraction(1), Fraction(1, 4)])
        case Interval(N.Number(low), _):
            return low + rng.choice([1, 2])
        case Interval():
            return rng.choice([0, 1])
        case Rademacher():
            return rng.choice([1, -1])
        case Bernoulli():
            return rng.choice([1, 0])
        case Uniform(N.Number(low), N.Number(high)):
            return low + (high - low) * Fraction(rng.randint(0, 4), 4)
    return rng.choice([1, 2, -1, 0])


def _matrix(declared: Declared, rows: int, cols: int, sizes: dict[str, int], rng: random.Random) -> Any:
    family = declared.kind.family if isinstance(declared.kind, FixedMatrix) else "random"
    match family:
        case "simplex":
            return [[x] for x in _weights(rows, rng)]
        case "stochastic":
            return [_weights(cols, rng) for _ in range(rows)]
        case "orthogonal":
            order = rng.sample(range(rows), rows)
            signs = [rng.choice([1, -1]) for _ in range(rows)]
            return [[signs[i] if order[i] == j else 0 for j in range(rows)] for i in range(rows)]
        case "symmetric" | "psd":
            half = [[rng.randint(-1, 2) for _ in range(rows)] for _ in range(rows)]
            if family == "symmetric":
                return [[half[min(i, j)][max(i, j)] for j in range(rows)] for i in range(rows)]
            return [
                [sum(half[i][k] * half[j][k] for k in range(rows)) for j in range(rows)] for i in range(rows)
            ]
        case "random":
            return [[_scalar(declared, sizes, rng) for _ in range(cols)] for _ in range(rows)]
    return _plain(rows, cols, rng)


def _plain(rows: int, cols: int, rng: random.Random) -> list[list[int]]:
    """Small integers; now and then equal entries or rows of norm 1, where bounds are met and
    assumptions that ask for unit vectors hold."""
    kind = rng.random()
    if kind < 0.15:
        return [[1] * cols for _ in range(rows)]
    if kind < 0.35 and cols > 1:
        ones = [rng.randrange(cols) for _ in range(rows)]
        return [[int(ones[i] == j) for j in range(cols)] for i in range(rows)]
    if kind < 0.35:
        return [[int(i == 0)] for i in range(rows)]
    return [[rng.randint(-1, 2) for _ in range(cols)] for _ in range(rows)]


def _weights(count: int, rng: random.Random) -> list[Fraction]:
    parts = [rng.randint(1, 3) for _ in range(count)]
    return [Fraction(part, sum(parts)) for part in parts]
