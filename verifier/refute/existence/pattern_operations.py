"""Trees read at matrices that are patterns: what becomes of each operation."""

from collections.abc import Mapping
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.dims import SCALAR
from verifier.expr.walk import substitute, walk
from verifier.refute.existence.scalar_trees import (
    ONE,
    ZERO,
    NoPatternError,
    applied,
    minus,
    over,
    plus,
    refuse_endless,
    root,
    tail,
    times,
)
from verifier.refute.existence.symbolic_patterns import Pattern, constant, product, softmax


def read(node: N.Node, given: Mapping[str, Pattern]) -> Pattern:
    """The pattern that the tree has where the named symbols have theirs."""
    match node:
        case N.Symbol(name) if name in given:
            return given[name]
        case N.Let(_, body):
            return read(body, given)
        case N.Number() | N.Pi() | N.Index():
            return Pattern(SCALAR, node)
        case N.Symbol() if node.shape.is_scalar:
            return Pattern(SCALAR, node)
        case N.Ones(shape):
            return constant(shape, ONE)
        case N.Zeros(shape):
            return constant(shape, ZERO)
        case N.Eye():
            return Pattern(node.shape, ONE, more=ONE)
        case N.Add() | N.Subtract() | N.Multiply() | N.Divide() | N.Negate() | N.Power() | N.Apply():
            return _entrywise(node, given)
        case N.MatMul(left, right):
            return product(read(left, given), read(right, given))
        case N.Transpose(arg):
            p = read(arg, given)
            return Pattern(p.shape.transposed, p.first, p.below, p.right, p.rest, p.more)
        case N.RowWise("softmax", arg):
            return softmax(read(arg, given))
        case N.Norm() | N.Trace() | N.Inner() | N.Entry() | N.Sum():
            return Pattern(SCALAR, _scalar(node, given))
        case N.Row(arg, _) if read(arg, given).is_constant:
            return constant(node.shape, read(arg, given).first)
        case N.DiagPart(arg):
            p = read(arg, given)
            return Pattern(node.shape, p.first, p.first, plus(p.rest, p.more), plus(p.rest, p.more))
        case N.DiagMatrix(arg):
            p = read(arg, given)
            return Pattern(node.shape, p.first, more=p.below)
    raise NoPatternError(type(node).__name__)


def _entrywise(node: N.Node, given: Mapping[str, Pattern]) -> Pattern:
    match node:
        case N.Add(left, right):
            return read(left, given).each(plus, read(right, given))
        case N.Subtract(left, right):
            return read(left, given).each(minus, read(right, given))
        case N.Multiply(left, right):
            return _scaled(read(left, given), read(right, given)) or read(left, given).each(
                times, read(right, given)
            )
        case N.Divide(left, right):
            return _scaled(read(left, given), read(right, given)) or read(left, given).each(
                over, read(right, given)
            )
        case N.Negate(arg):
            return read(arg, given).each(lambda x: times(N.Number(Fraction(-1)), x))
        case N.Power(base, exponent):
            return read(base, given).each(_power, read(exponent, given))
        case N.Apply(function, (arg, *others)):
            return read(arg, given).each(
                lambda *values: applied(function, *values), *(read(other, given) for other in others)
            )
    raise AssertionError(node)


def _power(base: N.Node, exponent: N.Node) -> N.Node:
    refuse_endless(base, exponent)
    return base if base == ONE or exponent == ONE else N.Power(base, exponent)


def _scaled(left: Pattern, right: Pattern) -> Pattern | None:
    """What has no end, times or over a positive number, is what it was."""
    endless, other = (left, right) if left.is_endless else (right, left)
    if not endless.is_endless:
        return None
    match other.first if other.shape.is_scalar else None:
        case N.Number(value) if value > 0:
            return endless
        case N.Apply("sqrt", (N.Symbol(),)):
            return endless
    raise NoPatternError("something without end times something of unknown sign")


def _scalar(node: N.Node, given: Mapping[str, Pattern]) -> N.Node:
    match node:
        case N.Norm(arg, kind):
            return _norm(read(arg, given), kind)
        case N.Trace(arg):
            p = read(arg, given)
            return plus(p.first, times(tail(p.shape.rows), plus(p.rest, p.more)))
        case N.Inner(left, right):
            return read(left, given).each(times, read(right, given)).total()
        case N.Entry(arg, row, col):
            return _entry(read(arg, given), row, col)
        case N.Sum(body, (N.Range(index, low, high),), ()) if low == ONE and in_entries(body, index):
            first, other = (
                read(substitute(body, {N.Index(index): N.Number(Fraction(at))}), given).first for at in (1, 2)
            )
            return plus(first, times(minus(read(high, given).first, ONE), other))
        case N.Sum(body, ranges, ()):
            inside = read(body, given)
            if not inside.shape.is_scalar or _uses(inside.first, {r.index for r in ranges}):
                raise NoPatternError("a sum of terms that differ")
            total = inside.first
            for r in ranges:
                count = minus(plus(read(r.high, given).first, ONE), read(r.low, given).first)
                total = times(r.high if r.low == ONE else count, total)
            return total
    raise NoPatternError(type(node).__name__)


def in_entries(body: N.Node, index: str) -> bool:
    """The index tells which entry of a column or of a row is meant, and nothing else: then all terms but the
    first are alike."""
    for node in walk(body):
        match node:
            case N.Entry(arg, N.Index(name), N.Number()) if name == index and not arg.shape.is_vector:
                return False
            case N.Entry(arg, N.Number(), N.Index(name)) if name == index:
                if not arg.shape.transposed.is_vector:
                    return False
    places = [node for node in walk(body) if isinstance(node, N.Entry) and _uses(node, {index})]
    counted = sum(isinstance(node, N.Index) and node.name == index for node in walk(body))
    return bool(places) and counted == len(places)


def _uses(node: N.Node, indices: set[str]) -> bool:
    return any(isinstance(part, N.Index) and part.name in indices for part in walk(node))


def _norm(p: Pattern, kind: N.NormKind) -> N.Node:
    """Frobenius always; the others where one number tells them."""
    vector = p.shape.is_vector or p.shape.transposed.is_vector
    if kind == "1":
        return p.each(lambda x: applied("abs", x)).total()
    if kind == "oo" or (kind == "2" and not vector and not p.is_constant):
        alone = all(value == ZERO for value in (p.right, p.below, p.rest))
        if p.is_constant or (alone and p.more in (ZERO, p.first)):
            return applied("abs", p.first)
        raise NoPatternError("a largest entry or singular value of several")
    return root(p.each(times, p).total())


def _entry(p: Pattern, row: N.Node, col: N.Node) -> N.Node:
    if p.is_constant:
        return p.first
    match row, col:
        case N.Number(i), N.Number(j):
            inside = p.rest if i != j else plus(p.rest, p.more)
            corner = {(True, True): p.first, (True, False): p.right, (False, True): p.below}
            return corner.get((i == 1, j == 1), inside)
    raise NoPatternError("an entry at an index that is not a number")
