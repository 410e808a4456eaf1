"""Matrices without a symbol in them: one number on the diagonal, another one off it.

    M[i, j] = on  where i == j,  off  elsewhere        (n * eye(n) + ones(n, n), softmax(a * eye(n)), ...)

    (M N)[i, i] = on on' + (n - 1) off off',   (M N)[i, j] = on off' + off on' + (n - 2) off off'
    softmax(M)  = exp(on)/s, exp(off)/s,       s = exp(on) + (n - 1) exp(off)
    norm(M)**2  = n on**2 + n (n - 1) off**2,  tr(M) = n on
    norm(M, 2)  = max(|on - off|, |on + (n - 1) off|)        where n >= 2

So what is said of such a matrix is said of two scalars, whatever its size is.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from verifier.claim.model import Assumption, Claim
from verifier.expr import nodes as N
from verifier.expr.dims import SCALAR, Dim, Shape
from verifier.expr.symbols import Dimension
from verifier.expr.text import to_text
from verifier.expr.walk import children, rebuild, walk
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.small_trees import ONE, number, product, quotient, size, total

Change = Callable[[N.Node], N.Node]
_POSITIVE = frozenset(("exp", "sigmoid", "softplus"))
_PARTIAL = frozenset(
    ("log", "sqrt")
)  # not defined everywhere: off the diagonal of a 1-by-1 matrix is nothing
ZERO = number(0)
_ENTRYWISE = N.Add | N.Subtract | N.Multiply | N.Divide
_NUMBERS = N.Norm | N.Trace | N.Inner | N.Entry | N.MatMul | N.Let
_ARITHMETIC = _ENTRYWISE | N.Negate | N.Power | N.Apply


@dataclass(frozen=True)
class Alike:
    """`on` is None where it is the same number as off the diagonal; `positive` where both are seen to be."""

    shape: Shape
    off: N.Node
    on: N.Node | None = None
    positive: bool = False

    @property
    def diagonal(self) -> N.Node:
        return self.off if self.on is None else self.on

    def map(self, change: Change, positive: bool = False) -> "Alike":
        on = None if self.on is None else change(self.on)
        return replace(self, off=change(self.off), on=on, positive=positive)

    def joined(self, other: "Alike", merge: Callable[[N.Node, N.Node], N.Node], positive: bool) -> "Alike":
        shape = other.shape if self.shape.is_scalar else self.shape
        on = None
        if self.on is not None or other.on is not None:
            on = merge(self.diagonal, other.diagonal)
        return Alike(shape, merge(self.off, other.off), on, positive)

    def total(self, of: Change) -> N.Node:
        """sum_ij of(M[i, j])"""
        rows, cols = size(self.shape.rows), size(self.shape.cols)
        if self.on is None:
            return product([rows, cols, of(self.off)])
        return product([rows, _plus(of(self.on), product([_less(self.shape.cols, 1), of(self.off)]))])

    def row_total(self, of: Change) -> N.Node:
        """sum_j of(M[i, j]), the same for all i"""
        if self.on is None:
            return product([size(self.shape.cols), of(self.off)])
        return _plus(of(self.on), product([_less(self.shape.cols, 1), of(self.off)]))


def folded(claim: Claim, fact: N.Fact) -> N.Fact:
    """The fact with every number that is made of such matrices written in their entries."""
    large = frozenset(symbol.name for symbol in claim.growing)
    return rebuild(fact, _reader(claim, large).fold)


def entries(claim: Claim, fact: N.Relation) -> list[tuple[Claim, N.Relation]]:
    """The relation on the diagonal, and off it where there are several rows; [] where it is no such one."""
    reader = _reader(claim, frozenset())
    if not any(map(_is_hidden, walk(fact))):
        return []
    try:
        left, right = reader.matrix(fact.left), reader.matrix(fact.right)
    except Refusal:
        return []
    if left.on is None and right.on is None:
        return [(claim, N.Relation(fact.op, left.off, right.off))]
    rows = left.shape.rows if left.on is not None else right.shape.rows
    several = N.Relation(">=", size(rows), number(2))
    added = Assumption("off the diagonal", several, to_text(several), claim.position)
    found = [(claim, N.Relation(fact.op, left.diagonal, right.diagonal))]
    if rows.constant != 1:
        given = claim if rows.constant else replace(claim, assumptions=(*claim.assumptions, added))
        found.append((given, N.Relation(fact.op, left.off, right.off)))
    return found


def _reader(claim: Claim, large: frozenset[str]) -> "_Reader":
    assumed = frozenset(found[0].name for item in claim.assumptions if (found := item.assumed_value))
    counts = frozenset(name for name, d in claim.symbols.items() if isinstance(d.kind, Dimension))
    return _Reader(assumed, large, counts)


@dataclass(frozen=True)
class _Reader:
    """`assumed`: names that have a value by assumption. `large`: sizes that tend to infinity, of which 1 says
    nothing. `counts`: symbols that are whole numbers from 1 on."""

    assumed: frozenset[str]
    large: frozenset[str]
    counts: frozenset[str]

    def fold(self, node: N.Node) -> N.Node:
        """Each largest scalar part that is made of such matrices, in their entries."""
        if isinstance(node, N.Derivative):
            return node
        if isinstance(node, N.Limit):
            inside = replace(self, large=self.large | {node.variable.name})
            return rebuild(node, inside.fold)
        if isinstance(node, _NUMBERS) and node.shape.is_scalar and any(map(_is_hidden, walk(node))):
            try:
                return self.scalar(node)
            except Refusal:
                pass
        return rebuild(node, self.fold)

    def scalar(self, node: N.Node) -> N.Node:
        """The number in the entries of what it is made of."""
        match node:
            case N.Let(name, body) if name not in self.assumed:
                return self.scalar(body)
            case N.Norm(N.Derivative(of, N.Symbol() as by), "fro") if by.shape.is_scalar:
                slopes = self.matrix(of).map(lambda entry: N.Derivative(entry, by))
                return _root(slopes.total(_square))
            case N.Norm(arg, kind) if not arg.shape.is_scalar:
                return self._norm(self.matrix(arg), kind)
            case N.Trace(arg) if not arg.shape.is_scalar:
                found = self.matrix(arg)
                return product([size(found.shape.rows), found.diagonal])
            case N.Inner(left, right) if not left.shape.is_scalar:
                return self._entrywise(N.Multiply(left, right)).total(lambda entry: entry)
            case N.Entry(arg, row, col):
                found = self.matrix(arg)
                return found.off if found.on is None else self._at(found, row, col)
            case N.MatMul(left, right):
                return _product(self.matrix(left), self.matrix(right), node.shape).off
        if all(part.shape.is_scalar for part in walk(node)):
            return node
        if isinstance(node, _ARITHMETIC) and all(part.shape.is_scalar for part in children(node)):
            return rebuild(node, self.scalar)
        raise Refusal("a number that is not made of matrices without symbols")

    def _at(self, found: Alike, row: N.Node, col: N.Node) -> N.Node:
        if row == col:
            return found.diagonal
        if isinstance(row, N.Number) and isinstance(col, N.Number):
            return found.off
        raise Refusal("an entry that may be on the diagonal or off it")

    def _norm(self, found: Alike, kind: str) -> N.Node:
        match kind:
            case "fro":
                return _root(found.total(_square))
            case "1":
                return found.total(_absolute)
            case "oo" if found.on is None:
                return _absolute(found.off)
            case "2" if found.on is None:
                return _root(found.total(_square))
            case "2":
                rows = found.shape.rows
                if not (rows.names & self.large or (rows.constant or 0) >= 2):
                    raise Refusal("a spectral norm of one number or of several")
                rest = product([_less(rows, 1), found.off])
                across, along = _plus(found.diagonal, N.Negate(found.off)), _plus(found.diagonal, rest)
                return N.Apply("max", (_absolute(across), _absolute(along)))
        raise Refusal("a norm")

    def matrix(self, node: N.Node) -> Alike:
        """The entries of a matrix without symbols; a scalar is one number."""
        if node.shape.is_scalar:
            return Alike(SCALAR, self.scalar(node))
        match node:
            case N.Let(name, body) if name not in self.assumed:
                return self.matrix(body)
            case N.Ones(shape):
                return Alike(shape, ONE, positive=True)
            case N.Zeros(shape):
                return Alike(shape, ZERO)
            case N.Eye():
                return Alike(node.shape, ZERO, ONE)
            case N.DiagMatrix(arg):
                return Alike(node.shape, ZERO, self.matrix(arg).off)
            case N.DiagPart(arg):
                return Alike(node.shape, self.matrix(arg).diagonal)
            case N.Transpose(arg):
                return replace(self.matrix(arg), shape=node.shape)
            case N.Negate(arg):
                return self.matrix(arg).map(N.Negate)
            case N.Limit(body, variable, target):
                return self.matrix(body).map(lambda entry: N.Limit(entry, variable, target))
            case N.Add() | N.Subtract() | N.Multiply() | N.Divide():
                return self._entrywise(node)
            case N.Power(base, exponent):
                return self._raised(self.matrix(base), self.scalar(exponent))
            case N.Apply(function, (arg,)):
                found = self.matrix(arg)
                if function in _PARTIAL and found.on is not None and not found.positive:
                    raise Refusal("a function that need not be defined off the diagonal")
                return found.map(lambda entry: N.Apply(function, (entry,)), function in _POSITIVE)
            case N.RowWise(function, arg):
                return _by_rows(function, self.matrix(arg))
            case N.MatMul(left, right):
                return _product(self.matrix(left), self.matrix(right), node.shape)
            case N.MatPower(base, exponent):
                return self._matrix_power(self.matrix(base), exponent)
        raise Refusal("a matrix with symbols in it")

    def _entrywise(self, node: _ENTRYWISE) -> Alike:
        left, right = self.matrix(node.left), self.matrix(node.right)
        if isinstance(node, N.Divide) and right.on is not None and not right.positive:
            raise Refusal("a quotient that need not be defined off the diagonal")
        positive = left.positive and right.positive and not isinstance(node, N.Subtract)
        return left.joined(right, lambda a, b: _simple(type(node), a, b), positive)

    def _raised(self, base: Alike, exponent: N.Node) -> Alike:
        whole = isinstance(exponent, N.Number) and exponent.value.denominator == 1 and exponent.value > 0
        if base.on is not None and not base.positive and not whole:
            raise Refusal("a power that need not be defined off the diagonal")
        return base.map(lambda entry: N.Power(entry, exponent), base.positive)

    def _matrix_power(self, base: Alike, exponent: N.Node) -> Alike:
        """(m I + off J)**k = m**k I + ((m + n off)**k - m**k)/n J"""
        match exponent:
            case N.Number(k) if k.denominator == 1 and k >= 1:
                pass
            case N.Symbol(name) if name in self.counts:
                pass
            case _:
                raise Refusal("a matrix power that may not exist")
        count = size(base.shape.rows)
        if base.on is None:
            whole = N.Power(product([count, base.off]), exponent)
            return Alike(base.shape, N.Divide(whole, count))
        along = N.Power(base.row_total(lambda entry: entry), exponent)
        across = N.Power(_plus(base.on, N.Negate(base.off)), exponent)
        off = N.Divide(N.Subtract(along, across), count)
        return Alike(base.shape, off, N.Add(off, across))


def _is_hidden(part: N.Node) -> bool:
    """What other closed forms do not look into."""
    match part:
        case N.RowWise() | N.MatPower() | N.Norm(_, "2"):
            return True
        case N.Apply():
            return not part.shape.is_scalar
    return False


def _by_rows(function: str, arg: Alike) -> Alike:
    """softmax, rmsnorm, layernorm"""
    if function == "softmax":
        grown = arg.map(_exponential)
        whole = grown.row_total(lambda entry: entry)
        if arg.on is None:
            return Alike(arg.shape, quotient(ONE, size(arg.shape.cols)), positive=True)
        return grown.map(lambda entry: N.Divide(entry, whole), positive=True)
    if function == "layernorm":
        middle = N.Divide(arg.row_total(lambda entry: entry), size(arg.shape.cols))
        arg = arg.map(lambda entry: N.Subtract(entry, middle))
    scale = _root(N.Divide(arg.row_total(_square), size(arg.shape.cols)))
    return arg.map(lambda entry: N.Divide(entry, scale))


def _product(left: Alike, right: Alike, shape: Shape) -> Alike:
    inner = left.shape.cols
    if left.on is None or right.on is None:
        held, other = (left, right) if left.on is None else (right, left)
        whole = (
            product([size(inner), other.off]) if other.on is None else other.row_total(lambda entry: entry)
        )
        return Alike(shape, product([held.off, whole]), positive=left.positive and right.positive)
    both = product([left.off, right.off])
    on = _plus(product([left.on, right.on]), product([_less(inner, 1), both]))
    mixed = (product([left.on, right.off]), product([left.off, right.on]))
    return Alike(shape, _plus(*mixed, product([_less(inner, 2), both])), on)


def _plus(*terms: N.Node) -> N.Node:
    return total(term for term in terms if term not in (ZERO, N.Negate(ZERO)))


def _less(dim: Dim, count: int) -> N.Node:
    return size(dim - Dim.of(count))


def _square(node: N.Node) -> N.Node:
    return N.Number(node.value**2) if isinstance(node, N.Number) else N.Power(node, number(2))


def _absolute(node: N.Node) -> N.Node:
    return N.Number(abs(node.value)) if isinstance(node, N.Number) else N.Apply("abs", (node,))


def _exponential(node: N.Node) -> N.Node:
    return ONE if node == ZERO else N.Apply("exp", (node,))


def _root(node: N.Node) -> N.Node:
    return N.Apply("sqrt", (node,))


def _simple(kind: type[N.Node], left: N.Node, right: N.Node) -> N.Node:
    """The operation, without needless ones and zeros."""
    match kind:
        case N.Add:
            return _plus(left, right)
        case N.Subtract:
            return _plus(left, N.Negate(right))
        case N.Multiply:
            return product([left, right])
    return quotient(left, right)
