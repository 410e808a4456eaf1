"""Expectations and derivatives at a small point."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import TYPE_CHECKING

from tests.mutants import laws
from tests.mutants.integrals import integrated
from tests.mutants.matrices import Matrix, flat
from tests.mutants.polynomials import Coefficient, NotPolynomial, Poly, Undefined, Unsupported
from verifier.expr import nodes as n

if TYPE_CHECKING:
    from tests.mutants.oracle import Oracle

Moved = tuple[str, int]  # a symbol and its copy
LET = -1  # in place of the copy of a `let` name


def analysed(oracle: Oracle, node: n.Node) -> Matrix:
    match node:
        case n.Expectation(body, given):
            return mean(oracle, lambda place: place.value(body), frozenset(map(_name_of, given)))
        case n.Variance(body):
            squares = mean(oracle, lambda place: [[x * x for x in row] for row in place.value(body)])
            middle = mean(oracle, lambda place: place.value(body))
            return _minus(squares, [[x * x for x in row] for row in middle])
        case n.Covariance(a, b):
            joint = mean(oracle, lambda place: _outer(place.value(a), place.value(b)))
            f, g = mean(oracle, lambda place: place.value(a)), mean(oracle, lambda place: place.value(b))
            return _minus(joint, _outer(f, g))
        case n.Derivative(of, by):
            return jacobian(oracle, of, by)
    raise Unsupported(type(node).__name__)


def mean(oracle: Oracle, body: Callable[[Oracle], Matrix], given: frozenset[str] = frozenset()) -> Matrix:
    """E of what `body` gives, over all that is not given."""
    inner = replace(oracle, outcome=laws.Only(oracle.outcome, given))
    try:
        found = body(inner)
    except NotPolynomial:
        return integrated(inner, body, given)

    def known(name: Hashable, exponent: int) -> Coefficient | None:
        return None if name[0] in given else laws.moment(oracle, name, exponent)  # type: ignore[index]

    return [[x.expected(known) for x in row] for row in found]


def jacobian(oracle: Oracle, of: n.Node, by: n.Node) -> Matrix:
    """Row-major: entry (k, l) is the change of entry k of `of` in the direction of entry l of `by`."""
    match by:
        case n.Entry(n.Symbol() | n.Member() as whole, row, col):
            place = oracle.integer(row) - 1, oracle.integer(col) - 1
            return _bent(oracle, of, whole, lambda i, j: (i, j) == place)
        case _:
            return _bent(oracle, of, by, lambda i, j: True)


def _bent(oracle: Oracle, of: n.Node, by: n.Node, counts: Callable[[int, int], bool]) -> Matrix:
    key = _key(oracle, by)
    if key in oracle.moved or oracle.state is not None:
        raise Unsupported("two derivatives by one symbol, or one inside a layer")
    start, level = oracle.value(by), len(oracle.moved)
    ways = {
        (i, j): ("d", level, i, j) for i, row in enumerate(start) for j in range(len(row)) if counts(i, j)
    }
    bent = [
        [x + Poly.variable(ways[i, j]) if (i, j) in ways else x for j, x in enumerate(row)]
        for i, row in enumerate(start)
    ]
    value = replace(oracle, moved={**oracle.moved, key: bent}).value(of)
    return [[x.along(way) for way in ways.values()] for x in flat(value)]


def _key(oracle: Oracle, by: n.Node) -> Moved:
    match by:
        case n.Symbol(name):
            return name, 0
        case n.Member(name, _, index):
            return name, copy_of(oracle, name, index)
        case n.Let(name):
            return name, LET
    raise Unsupported("a derivative by an expression")


def copy_of(oracle: Oracle, name: str, index: n.Node) -> int:
    """Which of a family, or of what the layers drew."""
    found, declared = oracle.integer(index), laws.declared_of(oracle.claim, name)
    limit = oracle.dim(declared.copies) if declared is not None and declared.copies is not None else found
    if not 1 <= found <= limit:
        raise Undefined("a copy that there is not")
    return found


def _name_of(node: n.Node) -> str:
    if not isinstance(node, n.Symbol):
        raise Unsupported("given something that is no symbol")
    return node.name


def _outer(a: Matrix, b: Matrix) -> Matrix:
    return [[x * y for y in flat(b)] for x in flat(a)]


def _minus(a: Matrix, b: Matrix) -> Matrix:
    return [[x - y for x, y in zip(p, q, strict=True)] for p, q in zip(a, b, strict=True)]
