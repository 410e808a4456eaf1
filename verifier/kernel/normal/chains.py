"""Products of matrices as chains of factors: which of them are positive semidefinite, and when two traces are
the same. tr(A B C) does not change when factors go round, nor when all of them are transposed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.dims import ONE as ONE_ROW
from verifier.expr.dims import Dim
from verifier.kernel.context import Context
from verifier.kernel.rejected import Rejected

Parts = tuple[N.Node, ...]
Sign = Callable[[N.Node], int | None]  # of a tree: 0 for never negative, 1 for positive
MOST_PARTS, MOST_TERMS = 8, 64
SYMMETRIC = (K.FixedMatrix("symmetric"), K.FixedMatrix("psd"))
ONE, MINUS_ONE = N.Number(Fraction(1)), N.Number(Fraction(-1))


@dataclass(frozen=True)
class Chain:
    """A product: numbers, and matrices from left to right."""

    numbers: Parts
    parts: Parts


def product(parts: Parts) -> N.Node:
    """The matrix that is multiplied from left to right."""
    found = parts[0]
    for part in parts[1:]:
        found = N.MatMul(found, part)
    return found


@dataclass(frozen=True)
class Chains:
    """Reads trees under what is declared of their symbols."""

    context: Context
    sign: Sign

    def of(self, node: N.Node) -> Chain:
        match node:
            case N.MatMul(left, right):
                first, second = self.of(left), self.of(right)
                return Chain((*first.numbers, *second.numbers), (*first.parts, *second.parts))
            case N.Transpose(arg):
                found = self.of(arg)
                return Chain(found.numbers, self.turned(found.parts))
            case N.Negate(arg) if not arg.shape.is_scalar:
                return self._times(MINUS_ONE, arg)
            case N.Multiply(number, arg) | N.Multiply(arg, number) if _scales(number, arg):
                return self._times(number, arg)
            case N.Divide(arg, number) if _scales(number, arg):
                return self._times(N.Divide(ONE, number), arg)
        return Chain((), (node,))

    def _times(self, number: N.Node, arg: N.Node) -> Chain:
        found = self.of(arg)
        return Chain((number, *found.numbers), found.parts)

    def turned(self, parts: Parts) -> Parts:
        """The factors of the transposed product."""
        return tuple(self._transposed(part) for part in reversed(parts))

    def _transposed(self, part: N.Node) -> N.Node:
        if isinstance(part, N.Transpose):
            return part.arg
        return part if part.shape.is_scalar or self._is_symmetric(part) else N.Transpose(part)

    def _is_symmetric(self, part: N.Node) -> bool:
        match part:
            case N.Eye() | N.DiagMatrix():
                return part.shape.rows == part.shape.cols
            case N.Ones():
                return part.shape.rows == part.shape.cols
            case N.Symbol(name) if name in self.context.symbols:
                return self.context.symbols[name].kind in SYMMETRIC
        return False

    # --- positive semidefinite -------------------------------------------------------------------

    def is_semidefinite(self, node: N.Node) -> bool:
        """Whether the form of a tree shows it."""
        chain = self.of(node)
        return self._are_signed(chain.numbers) and self.are_semidefinite(chain.parts)

    def _are_signed(self, numbers: Parts) -> bool:
        return all(self.sign(number) is not None for number in numbers)

    def are_semidefinite(self, parts: Parts) -> bool:
        """A P A^T for a P that is, or A A^T."""
        while len(parts) > 1 and (parts[0],) == self.turned(parts[-1:]):
            parts = parts[1:-1]
        return not parts or (len(parts) == 1 and self._is_semidefinite_part(parts[0]))

    def _is_semidefinite_part(self, part: N.Node) -> bool:
        match part:
            case N.Eye():
                return True
            case N.Ones():
                return part.shape.rows == part.shape.cols
            case N.DiagMatrix(arg):
                return self.sign(arg) is not None
            case N.Symbol(name) if name in self.context.symbols:
                return self.context.symbols[name].kind == K.FixedMatrix("psd")
            case N.Subtract(N.DiagMatrix(shares), square):
                return self._is_choice(shares) and self._is_square_of(square, shares)
            case N.Subtract(N.Eye(size), N.Divide(N.Ones() as ones, N.Symbol() as count)):
                return ones.shape == part.shape and size == Dim.of(count.name)  # ones(n, n)/n is a projection
            case N.Add(left, right) if left.shape == right.shape:
                return self.is_semidefinite(left) and self.is_semidefinite(right)
            case N.Kron(left, right):
                return self.is_semidefinite(left) and self.is_semidefinite(right)
            case N.Multiply(left, right) if left.shape == right.shape and not part.shape.is_scalar:
                return self.is_semidefinite(left) and self.is_semidefinite(right)  # a theorem of Schur
        return part.shape.is_scalar and not isinstance(part, N.MatMul) and self.sign(part) is not None

    def _is_choice(self, shares: N.Node) -> bool:
        """Whether the entries are chances that sum to 1."""
        match shares:
            case N.Symbol(name) if name in self.context.symbols:
                return self.context.symbols[name].kind == K.FixedMatrix("simplex")
            case N.Transpose(N.RowWise("softmax") as row) | (N.RowWise("softmax") as row):
                return row.shape.rows == ONE_ROW
        return False

    def _is_square_of(self, node: N.Node, column: N.Node) -> bool:
        """v v^T, for a vector that is written as a column or as a row."""
        if not column.shape.is_vector:
            column = N.Transpose(column)
        parts = self.of(column).parts
        return self.of(node) == Chain((), (*parts, *self.turned(parts)))

    # --- traces -----------------------------------------------------------------------------------

    def trace(self, node: N.Node) -> Chain | None:
        """What a number is the trace of."""
        match node:
            case N.Trace(arg):
                return self.of(arg)
            case N.Inner(left, right):
                return self.of(N.MatMul(N.Transpose(left), right))
            case N.MatMul() if node.shape.is_scalar:
                return self.of(node)
        return None

    def has_sign(self, node: N.Node) -> bool:
        """Whether a trace is never negative, as that of a product of two positive semidefinite matrices."""
        chain = self.trace(node)
        if chain is None or not self._are_signed(chain.numbers):
            return False
        return any(self.are_semidefinite(first) and self.are_semidefinite(rest)
                   for first, rest in _splits(chain.parts))  # fmt: skip

    def halves(self, node: N.Node) -> Iterator[tuple[Parts, Parts]]:
        """tr(P Q) for positive semidefinite P, in all the ways in which a trace can be written so."""
        chain = self.trace(node)
        if chain is not None and not chain.numbers:
            for first, rest in _splits(chain.parts):
                if first and rest and self.are_semidefinite(first):
                    yield first, rest

    def trace_of(self, parts: Parts) -> N.Node:
        """The trace of a positive semidefinite product: norm(A)**2 where it is A A^T."""
        half, odd = divmod(len(parts), 2)
        if not odd and parts[:half] == self.turned(parts[half:]):
            return N.Power(N.Norm(product(parts[:half])), N.Number(Fraction(2)))
        return N.Trace(product(parts))

    def expanded(self, node: N.Node) -> list[tuple[Parts, N.Node]]:
        """A trace as a sum of numbers times traces, each in one form for all the ways to write it; nothing
        for other numbers, and for what is of this form already."""
        chain = self.trace(node)
        if chain is None or len(chain.parts) > MOST_PARTS:
            return []
        terms = self._multiplied(chain)
        found = [(term.numbers, self._canonical(term.parts)) for term in terms]
        return [] if found == [((), node)] else found

    def _multiplied(self, chain: Chain) -> list[Chain]:
        terms = [Chain(chain.numbers, ())]
        for part in chain.parts:
            more = self._sum(part)
            if len(terms) * len(more) > MOST_TERMS:
                raise Rejected("too-large", f"a product of sums with more than {MOST_TERMS} terms")
            terms = [Chain(one.numbers + two.numbers, one.parts + two.parts) for one in terms for two in more]
        return terms

    def _sum(self, part: N.Node) -> list[Chain]:
        """The terms of a factor. A number that is added to every entry of a matrix is left alone."""
        match part:
            case N.Add(left, right) if left.shape == right.shape:
                return [*self._sum(left), *self._sum(right)]
            case N.Subtract(left, right) if left.shape == right.shape:
                less = [Chain((MINUS_ONE, *term.numbers), term.parts) for term in self._sum(right)]
                return [*self._sum(left), *less]
            case N.Transpose(arg) if isinstance(arg, N.Add | N.Subtract):
                return [Chain(term.numbers, self.turned(term.parts)) for term in self._sum(arg)]
        chain = self.of(part)
        return [chain] if chain.parts == (part,) else self._multiplied(chain)

    def _canonical(self, parts: Parts) -> N.Node:
        ways = [way for turn in (parts, self.turned(parts)) for way in _rotations(turn)]
        for way in ways:
            if not isinstance(square := self.trace_of(way), N.Trace):
                return square
        return N.Trace(product(min(ways, key=repr)))


def _scales(number: N.Node, arg: N.Node) -> bool:
    return number.shape.is_scalar and not arg.shape.is_scalar


def _rotations(parts: Parts) -> Iterator[Parts]:
    yield from (parts[at:] + parts[:at] for at in range(len(parts)))


def _splits(parts: Parts) -> Iterator[tuple[Parts, Parts]]:
    """The factors in a circle, cut at one or at two places."""
    if len(parts) <= MOST_PARTS:
        for way in _rotations(parts):
            yield from ((way[:at], way[at:]) for at in range(len(way)))
