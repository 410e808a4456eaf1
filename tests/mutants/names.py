"""What a name stands for at a small point: symbols, members of families, layers and `let` names."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from tests.mutants import laws
from tests.mutants.analysis import LET, copy_of
from tests.mutants.functions import added
from tests.mutants.matrices import ONE, ZERO, Matrix
from tests.mutants.polynomials import Poly, Undefined, Unsupported
from verifier.expr import nodes as n

if TYPE_CHECKING:
    from tests.mutants.oracle import Oracle

MAX_DEPTH = 4


def named(oracle: Oracle, node: n.Symbol | n.Member | n.Let | n.After) -> Matrix:
    match node:
        case n.Symbol(name):
            return _symbol(oracle, name)
        case n.Member(name, _, index):
            return _drawn(oracle, name, copy_of(oracle, name, index))
        case n.Let():
            return _let(oracle, node)
        case n.After(state, depth):
            return _after(oracle, state, oracle.integer(depth))


def _symbol(oracle: Oracle, name: str) -> Matrix:
    layers = oracle.claim.layers
    if oracle.state is not None and layers is not None:
        if name == layers.state.name:
            return oracle.state
        if any(name == symbol.name for symbol in layers.symbols):
            return _drawn(oracle, name, oracle.layer)
    if (name, 0) in oracle.moved:
        return oracle.moved[name, 0]
    for assumption in oracle.claim.assumptions:
        match assumption.substitution:
            case (symbol, value) if symbol.name == name:
                return oracle.value(value)
    if name in oracle.point:
        found = oracle.point[name]
        rows = found if isinstance(found, tuple) else ((found,),)
        return [[Poly.constant(Fraction(x)) for x in row] for row in rows]
    return _drawn(oracle, name, 0)


def _drawn(oracle: Oracle, name: str, copy: int) -> Matrix:
    if (name, copy) in oracle.moved:
        return oracle.moved[name, copy]
    declared = laws.declared_of(oracle.claim, name)
    if declared is None or not declared.is_random:
        raise Unsupported(f"no value of {name}")
    return laws.drawn(oracle, declared, copy)


def _after(oracle: Oracle, state: n.Symbol, depth: int) -> Matrix:
    """x_l = next(x_{l-1}, W[l])"""
    if oracle.state is not None or not 0 <= depth <= MAX_DEPTH:
        raise Undefined("a depth out of reach")
    assert oracle.claim.layers is not None
    found = _symbol(oracle, state.name)
    for layer in range(1, depth + 1):
        found = replace(oracle, layer=layer, state=found).value(oracle.claim.layers.next)
    return found


def _let(oracle: Oracle, node: n.Let) -> Matrix:
    if (node.name, LET) in oracle.moved:
        return oracle.moved[node.name, LET]
    for assumption in oracle.claim.assumptions:
        match assumption.assumed_value:
            case (name, value) if name == node:
                return _assumed(oracle, node.body, oracle.value(value))
    return oracle.value(node.body)


def _assumed(oracle: Oracle, body: n.Node, value: Matrix) -> Matrix:
    """The value as assumed, with the derivative that the body has there."""
    match body:
        case n.RowWise("softmax", arg):
            rows = zip(oracle.value(arg), value, strict=True)
            return [
                [p[i] + added([p[i] * ((ONE if i == k else ZERO) - p[k]) * (m[k] - m[k].still())
                              for k in range(len(p))]) for i in range(len(p))]
                for m, p in rows
            ]  # fmt: skip
    inside = oracle.value(body)
    return [
        [v + x - x.still() for v, x in zip(row, own, strict=True)]
        for row, own in zip(value, inside, strict=True)
    ]
