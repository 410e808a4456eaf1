"""Assumptions that say what kind of matrix a symbol is, as its declaration.

    v[i] >= 0 for all i,           sum(v[i], i, 1, n) == 1      v: simplex(n)
    A[i, j] >= 0 for all i, j,     A @ ones(m) == ones(n)       A: stochastic(n, m)

The values that are allowed are the same, and every engine knows how to stay among them.
"""

from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.dims import Dim
from verifier.expr.symbols import Declared, FixedMatrix
from verifier.expr.text import to_text
from verifier.expr.walk import walk

ZERO, ONE = N.Number(Fraction(0)), N.Number(Fraction(1))
FLIPPED: dict[str, N.Comparison] = {"<=": ">=", ">=": "<=", "==": "=="}


def with_classes(claim: Claim) -> Claim:
    """The claim with such assumptions in the declarations."""
    for name, declared in claim.symbols.items():
        if _is_plain(claim, declared):
            symbol = N.Symbol(name, declared.shape)
            signs = [item for item in claim.assumptions if _is_nonnegative(item.fact, symbol)]
            sums = [item for item in claim.assumptions if _has_sums_of_one(item.fact, symbol)]
            if signs and sums:
                known = replace(
                    declared, kind=FixedMatrix("simplex" if declared.shape.is_vector else "stochastic")
                )
                kept = tuple(item for item in claim.assumptions if item not in (*signs, *sums))
                claim = replace(claim, symbols={**claim.symbols, name: known}, assumptions=kept)
    return claim


def _is_plain(claim: Claim, declared: Declared) -> bool:
    """Any matrix or column, of which nothing else is fixed."""
    kind = declared.kind
    if not isinstance(kind, FixedMatrix) or kind.family not in ("matrix", "vector"):
        return False
    given = {item.substitution[0].name for item in claim.assumptions if item.substitution is not None}
    free = declared.name not in given and declared.name not in claim.where
    return free and declared.copies is None and not declared.shape.is_scalar


def _turned(fact: N.Relation, symbol: N.Symbol) -> N.Relation:
    """With the symbol on the left."""
    if fact.op in FLIPPED and symbol in walk(fact.right) and symbol not in walk(fact.left):
        return N.Relation(FLIPPED[fact.op], fact.right, fact.left)
    return fact


def _is_nonnegative(fact: N.Fact, symbol: N.Symbol) -> bool:
    """v >= 0, all(v[i] >= 0, i, 1, n), all(A[i, j] >= 0, i, 1, n, j, 1, m)."""
    match fact:
        case N.ForAll(N.Relation() as relation, ranges, ()):
            match _turned(relation, symbol):
                case N.Relation(">=", N.Entry(arg, row, col), low) if arg == symbol and low == ZERO:
                    return _is_everywhere(symbol, row, col, ranges)
        case N.Relation():
            match _turned(fact, symbol):
                case N.Relation(">=", arg, low):
                    return arg == symbol and (low == ZERO or isinstance(low, N.Zeros))
    return False


def _is_everywhere(symbol: N.Symbol, row: N.Node, col: N.Node, ranges: tuple[N.Range, ...]) -> bool:
    """Each place once: an index that runs from 1 to the size, or the number 1 where there is no other."""
    spans = {span.index: span for span in ranges}
    used = []
    for place, size in ((row, symbol.shape.rows), (col, symbol.shape.cols)):
        match place:
            case N.Number(one) if one == 1 and size == Dim.of(1):
                continue
            case N.Index(name) if name in spans and _runs_over(spans[name], size):
                used.append(name)
            case _:
                return False
    return sorted(used) == sorted(spans)


def _runs_over(span: N.Range, size: Dim) -> bool:
    return span.low == ONE and to_text(span.high) == str(size)


def _has_sums_of_one(fact: N.Fact, symbol: N.Symbol) -> bool:
    """sum(v[i], i, 1, n) == 1, inner(ones(n), v) == 1; A @ ones(m) == ones(n),
    all(sum(A[i, j], j, 1, m) == 1, i, 1, n)."""
    match fact:
        case N.ForAll(N.Relation() as relation, (outer,), ()) if not symbol.shape.is_vector:
            match _turned(relation, symbol):
                case N.Relation("==", N.Sum(N.Entry(arg, row, col), (inner,), ()), one):
                    return (
                        arg == symbol
                        and one == ONE
                        and _is_everywhere(symbol, row, col, (outer, inner))
                        and (row == N.Index(outer.index))
                    )
        case N.Relation():
            match _turned(fact, symbol):
                case N.Relation("==", left, right) if symbol.shape.is_vector:
                    return right == ONE and _is_total(left, symbol)
                case N.Relation("==", N.MatMul(arg, N.Ones()), N.Ones()):
                    return arg == symbol
    return False


def _is_total(node: N.Node, symbol: N.Symbol) -> bool:
    match node:
        case N.Sum(N.Entry(arg, row, col), ranges, ()):
            return arg == symbol and _is_everywhere(symbol, row, col, ranges)
        case N.MatMul(N.Transpose(N.Ones()), arg) | N.Inner(N.Ones(), arg) | N.Inner(arg, N.Ones()):
            return arg == symbol
        case N.MatMul(N.Transpose(arg), N.Ones()):
            return arg == symbol
    return False
