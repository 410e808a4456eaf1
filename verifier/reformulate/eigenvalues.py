"""Claims about one symmetric matrix and a few vectors, as claims about numbers.

In a basis of eigenvectors H is diagonal, and

    inner(x, p(H) @ y) = sum_i p(h_i) x_i y_i,     tr(p(H)) = sum_i p(h_i),     norm(H, 2) = max_i |h_i|

so that a relation between sums of such terms is a sum over i of one relation between numbers: it is true of
all matrices if it is of all numbers h, x, y, the matrices of size 1. Norms of two vectors compare as their
squares do.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

from verifier.claim.model import Assumption, Claim, Step
from verifier.expr import nodes as N
from verifier.expr.dims import SCALAR, Dim
from verifier.expr.symbols import Declared, FixedMatrix, Interval, Real
from verifier.expr.walk import symbols_in, walk
from verifier.reformulate.function_families import Instance

_NONNEGATIVE = Interval(N.Number(Fraction(0)), N.Infinity())
_TWO = N.Number(Fraction(2))
_COMPARED = ("==", "<=", ">=", "<", ">")


class _ApartError(Exception):
    """No sum over eigenvalues."""


def with_eigenvalues(claim: Claim, step: Step) -> Instance | None:
    """The claim about numbers that says the same; None where there is none."""
    matrix = _the_matrix(claim, step)
    fact = step.fact
    if matrix is None or claim.layers is not None or not isinstance(fact, N.Relation):
        return None
    numbers = _Numbers(claim, matrix.name, matrix.shape.rows)
    try:
        changed = numbers.relation(fact)
        kept = tuple(map(numbers.assumption, claim.assumptions))
    except _ApartError:
        return None
    symbols = {name: numbers.declared(symbol) for name, symbol in claim.symbols.items()}
    assumed = replace(claim, symbols=symbols, assumptions=kept, lets=())
    words = (f"an eigenvalue in the place of {matrix.name}",)
    return Instance(assumed, replace(step, fact=changed), words, squared=numbers.are_lengths(fact))


def _the_matrix(claim: Claim, step: Step) -> Declared | None:
    """The one symmetric matrix that the relation speaks of."""
    names = symbols_in(step.fact)
    found = [symbol for name, symbol in claim.symbols.items() if name in names and _is_symmetric(symbol)]
    return found[0] if len(found) == 1 and found[0].copies is None else None


def _is_symmetric(symbol: Declared) -> bool:
    return isinstance(symbol.kind, FixedMatrix) and symbol.kind.family in ("psd", "symmetric")


@dataclass(frozen=True)
class _Numbers:
    """Trees of the matrix `name` and of vectors of its size, as trees of numbers of the same names."""

    claim: Claim
    name: str
    size: Dim

    def declared(self, symbol: Declared) -> Declared:
        if symbol.name == self.name:
            return Declared(symbol.name, _NONNEGATIVE if self._is_psd else Real(), SCALAR)
        return Declared(symbol.name, Real(), SCALAR) if self._is_vector(symbol.name) else symbol

    @property
    def _is_psd(self) -> bool:
        return self.claim.symbols[self.name].kind == FixedMatrix("psd")

    def assumption(self, item: Assumption) -> Assumption:
        """What is assumed of scalars, and of the largest eigenvalue from above."""
        match item.fact:
            case N.Relation("<=" | "<" as op, N.Norm(N.Symbol(name), "2"), bound) if name == self.name:
                if _is_free(bound):
                    value = N.Symbol(name) if self._is_psd else N.Apply("abs", (N.Symbol(name),))
                    return replace(item, fact=N.Relation(op, value, bound))
            case fact if _is_free(fact):
                return item
        raise _ApartError

    def relation(self, fact: N.Relation) -> N.Relation:
        if fact.op not in _COMPARED or not (fact.left.shape.is_scalar and fact.right.shape.is_scalar):
            raise _ApartError
        if self.are_lengths(fact):
            return N.Relation(fact.op, self._squared(fact.left), self._squared(fact.right))
        return N.Relation(fact.op, self._sum(fact.left), self._sum(fact.right))

    # --- c norm(x) as c**2 x**2 ------------------------------------------------------------------

    def are_lengths(self, fact: N.Relation) -> bool:
        return self._is_length(fact.left) and self._is_length(fact.right)

    def _is_length(self, node: N.Node) -> bool:
        match node:
            case N.Norm(_, "fro"):
                return True
            case N.Multiply(weight, inner) | N.Divide(inner, weight):
                return self.claim.values(weight).is_positive and self._is_length(inner)
            case N.Let(_, body):
                return self._is_length(body)
        return False

    def _squared(self, node: N.Node) -> N.Node:
        match node:
            case N.Norm(arg, "fro"):
                return N.Power(self._entry(arg), _TWO)
            case N.Multiply(weight, inner):
                return N.Multiply(N.Power(weight, _TWO), self._squared(inner))
            case N.Divide(inner, weight):
                return N.Divide(self._squared(inner), N.Power(weight, _TWO))
            case N.Let(name, body):
                return self._squared(self._named(name, body))
        raise _ApartError

    # --- sums over eigenvalues -------------------------------------------------------------------

    def _sum(self, node: N.Node) -> N.Node:
        match node:
            case N.Number(value) if value == 0:
                return node
            case N.Add(left, right) | N.Subtract(left, right):
                return type(node)(self._sum(left), self._sum(right))
            case N.Negate(arg):
                return N.Negate(self._sum(arg))
            case N.Multiply(weight, term) if _is_free(weight):
                return N.Multiply(weight, self._sum(term))
            case N.Multiply(term, weight) if _is_free(weight):
                return N.Multiply(self._sum(term), weight)
            case N.Divide(term, weight) if _is_free(weight):
                return N.Divide(self._sum(term), weight)
            case N.Let(name, body):
                return self._sum(self._named(name, body))
            case N.Power(N.Norm(arg, "fro"), exponent) if exponent == _TWO:
                return N.Power(self._entry(arg), _TWO)
            case N.Inner(left, right) | N.MatMul(left, right) if not left.shape.is_scalar:
                return N.Multiply(self._entry(left), self._entry(right))
            case N.Trace(arg) if self._is_square(arg):
                return self._entry(arg)
        raise _ApartError

    def _entry(self, node: N.Node) -> N.Node:
        """The number in the place of a vector, or of a polynomial in the matrix."""
        match node:
            case N.Symbol(name) if name == self.name or self._is_vector(name):
                return N.Symbol(name)
            case N.Eye(size) if size == self.size:
                return N.Number(Fraction(1))
            case N.Let(name, body):
                return self._entry(self._named(name, body))
            case N.Add(left, right) | N.Subtract(left, right):
                return type(node)(self._entry(left), self._entry(right))
            case N.Negate(arg):
                return N.Negate(self._entry(arg))
            case N.Transpose(arg):
                return self._entry(arg)
            case N.Multiply(weight, arg) if _is_free(weight):
                return N.Multiply(weight, self._entry(arg))
            case N.Multiply(arg, weight) if _is_free(weight):
                return N.Multiply(self._entry(arg), weight)
            case N.Divide(arg, weight) if _is_free(weight):
                return N.Divide(self._entry(arg), weight)
            case N.MatMul(left, right) if self._is_square(left) or self._is_square(right):
                return N.Multiply(self._entry(left), self._entry(right))
            case N.MatPower(base, N.Number(k)) if k.denominator == 1 and k >= 0:
                return N.Power(self._entry(base), N.Number(k))
        raise _ApartError

    def _is_square(self, node: N.Node) -> bool:
        return node.shape.rows == node.shape.cols == self.size

    def _is_vector(self, name: str) -> bool:
        symbol = self.claim.symbols.get(name)
        if symbol is None or symbol.copies is not None or symbol.shape.rows != self.size:
            return False
        plain = isinstance(symbol.kind, FixedMatrix) and symbol.kind.family == "vector"
        return plain and symbol.shape.is_vector and not symbol.shape.is_scalar

    def _named(self, name: str, body: N.Node) -> N.Node:
        if any(item.assumed_value is not None and item.assumed_value[0].name == name
               for item in self.claim.assumptions):  # fmt: skip
            raise _ApartError
        return body


def _is_free(node: N.Node | N.Fact) -> bool:
    """Whether it is made of scalars alone."""
    return all(part.shape.is_scalar for part in walk(node))
