"""Nonnegative scalars in normal form: sums of c * atom**e * ..., with exact c > 0 and atoms >= 0.

An atom is a tree that is known not to be negative: a norm, an absolute value, a dimension, a
positive symbol. Two expressions with one normal form are equal; `Magnitude` is what the rules of
`textbook.py` rewrite and what `certify.py` compares.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from flint import fmpq

from verifier.claim.mentioned_names import names_under
from verifier.exact.numbers.constants import ONE, PI, ZERO, Closed, constant, is_zero, power, sign
from verifier.exact.numbers.refusals import Refusal
from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.dims import Dim
from verifier.expr.walk import walk
from verifier.facts.values import Values

Monomial = tuple[tuple[N.Node, Fraction], ...]
MAX_TERMS = 24


@dataclass(frozen=True)
class Magnitude:
    """A sum of coefficient * monomial, all coefficients positive."""

    terms: tuple[tuple[Monomial, Any], ...]

    def __add__(self, other: "Magnitude") -> "Magnitude":
        return _collect([*self.terms, *other.terms])

    def __mul__(self, other: "Magnitude") -> "Magnitude":
        return _collect((_join(a, b), x * y) for a, x in self.terms for b, y in other.terms)

    def raised(self, exponent: Fraction) -> "Magnitude | None":
        """Integer powers of sums, any power of one term."""
        if len(self.terms) == 1:
            ((monomial, coefficient),) = self.terms
            moved = _join(tuple((atom, e * exponent) for atom, e in monomial), ())
            scale = power(coefficient, fmpq(exponent.numerator, exponent.denominator))
            return Magnitude(((moved, scale),)) if isinstance(scale, fmpq | Closed) else None
        if exponent.denominator != 1 or not 0 <= exponent <= 4:
            return None
        result = UNIT
        for _ in range(int(exponent)):
            result = result * self
        return result if len(result.terms) <= MAX_TERMS else None


def _join(left: Monomial, right: Monomial) -> Monomial:
    exponents: dict[N.Node, Fraction] = dict(left)
    for atom, exponent in right:
        exponents[atom] = exponents.get(atom, Fraction(0)) + exponent
    kept = [(atom, exponent) for atom, exponent in exponents.items() if exponent]
    return tuple(kept if len(kept) < 2 else sorted(kept, key=lambda item: _key(item[0])))


def _collect(terms: Any) -> Magnitude:
    sums: dict[Monomial, Any] = {}
    for monomial, coefficient in terms:
        sums[monomial] = sums.get(monomial, ZERO) + coefficient
    kept = [(monomial, total) for monomial, total in sums.items() if not is_zero(total)]
    if len(kept) > 1:
        kept.sort(key=lambda term: [(_key(atom), exponent) for atom, exponent in term[0]])
    return Magnitude(tuple(kept))


@lru_cache(maxsize=4096)
def _key(atom: N.Node) -> str:
    """What atoms are ordered by: text is the same in every run."""
    return repr(atom)


def of_number(value: Any) -> Magnitude:
    return Magnitude((((), value),)) if not is_zero(value) else Magnitude(())


def of_atom(atom: N.Node, exponent: Fraction = Fraction(1)) -> Magnitude:
    return Magnitude(((((atom, exponent),), ONE),))


def of_dim(dim: Dim) -> Magnitude | None:
    """A dimension such as n*d or n + 1."""
    terms = []
    for monomial, coefficient in dim.terms:
        if coefficient < 0:
            return None
        terms.append(
            (tuple((N.Symbol(name), Fraction(times)) for name, times in monomial), fmpq(coefficient))
        )
    return _collect(terms)


UNIT = of_number(ONE)
HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Reader:
    """Reads trees as magnitudes, with the symbols' declarations at hand."""

    symbols: Mapping[str, K.Declared]
    between: tuple[N.Node, ...] = ()  # variables through which a chain rule may go
    rows: Mapping[N.Node, Magnitude] = field(
        default_factory=dict, compare=False
    )  # matrices with bounded rows
    memo: dict[N.Node, Magnitude | None] = field(default_factory=dict, compare=False)

    @cached_property
    def values(self) -> Values:
        """What declarations say of trees, whatever is assumed."""
        return Values.of(self.symbols)

    def kind(self, name: str) -> K.Kind | None:
        """What a symbol is; None for one that each layer draws."""
        declared = self.symbols.get(name)
        return None if declared is None else declared.kind

    def random_in(self, node: N.Node) -> tuple[str, ...]:
        """The random symbols of a tree, a layer's included."""
        names = dict.fromkeys(part.name for part in walk(node) if isinstance(part, N.Symbol | N.Member))
        return tuple(name for name in names if not isinstance(self.kind(name), K.FixedKind))

    def variance(self, node: N.Node) -> Magnitude | None:
        """Of the entries of a random matrix that are independent, of mean 0 and of one variance."""
        inner = node.arg if isinstance(node, N.Transpose) else node
        kind = self.kind(inner.name) if isinstance(inner, N.Symbol | N.Member) else None
        zero = N.Number(Fraction(0))
        match kind:
            case K.Normal(mean, std, None, None) if mean == zero and not self.random_in(std):
                deviation = self.read(std)
                return None if deviation is None else deviation.raised(Fraction(2))
            case K.Iid(mean, var) if mean == zero and var is not None:
                return self.read(var)
            case K.Rademacher():
                return UNIT
        return None

    def read(self, node: N.Node) -> Magnitude | None:
        """The value of a scalar tree that is known not to be negative; None for any other."""
        if node not in self.memo:
            try:
                self.memo[node] = self._by_form(node) or self._as_atom(node)
            except Refusal:
                self.memo[node] = None
        return self.memo[node]

    def _as_atom(self, node: N.Node) -> Magnitude | None:
        known = node.shape.is_scalar and self.values(node).is_nonnegative
        return of_atom(node) if known else None

    def _by_form(self, node: N.Node) -> Magnitude | None:
        match node:
            case N.Number(value):
                return of_number(fmpq(value.numerator, value.denominator)) if value >= 0 else None
            case N.Pi():
                return of_number(constant(PI))
            case N.Add(left, right):
                return _both(self.read(left), self.read(right), lambda a, b: a + b)
            case N.Multiply(left, right):
                return _both(self.read(left), self.read(right), lambda a, b: a * b)
            case N.Divide(left, right):
                bottom = self.read(right)
                below = bottom.raised(Fraction(-1)) if bottom is not None and bottom.terms else None
                return _both(self.read(left), below, lambda a, b: a * b)
            case N.Power(base, N.Number(exponent)):
                inside = self.read(base)
                if inside is None and exponent.denominator == 1 and exponent % 2 == 0:
                    inside = self.size(base)  # an even power forgets the sign
                return None if inside is None else inside.raised(exponent)
            case N.Apply("sqrt", (arg,)):
                inside = self.read(arg)
                return None if inside is None else inside.raised(HALF)
            case N.Apply("abs", (arg,)):
                return self.size(arg)
            case N.Norm(arg, kind):
                return self.norm(arg, kind)
            case N.Inner(left, right) if left == right:
                return self.norm(left, "fro").raised(Fraction(2))
            case N.MatMul(N.Transpose(left), right) if left == right and node.shape.is_scalar:
                return self.norm(left, "fro").raised(Fraction(2))
            case N.Trace(N.MatMul(N.Transpose(left), right)) if left == right:
                return self.norm(left, "fro").raised(Fraction(2))
            case N.Trace(N.MatMul(left, N.Transpose(right))) if left == right:
                return self.norm(left, "fro").raised(Fraction(2))
        return None

    def size(self, node: N.Node) -> Magnitude:
        """|node| of a scalar: exact where it factorises, else an atom of its own."""
        known = self.read(node)
        if known is not None:
            return known
        match node:
            case N.Number(value):
                return of_number(abs(fmpq(value.numerator, value.denominator)))
            case N.Negate(arg):
                return self.size(arg)
            case N.Multiply(left, right):
                return self.size(left) * self.size(right)
            case N.Divide(left, right):
                below = self.size(right).raised(Fraction(-1))
                return self.size(left) * below if below is not None else of_atom(N.Apply("abs", (node,)))
            case N.MatMul():
                return self.norm(node, "fro")  # of a 1-by-1 matrix
        return of_atom(N.Apply("abs", (node,)))

    def norm(self, arg: N.Node, kind: N.NormKind) -> Magnitude:
        """norm(c*A) = |c| norm(A), norm(A.T) = norm(A), norm(eye(n)) = sqrt(n), and so on."""
        vector = arg.shape.is_vector or arg.shape.transposed.is_vector
        kind = "fro" if kind == "2" and vector else kind
        match arg:
            case N.Transpose(inner) | N.Negate(inner):
                return self.norm(inner, kind)
            case N.VecR(inner) if kind == "fro":
                return self.norm(inner, "fro")
            case N.Multiply(left, right) if left.shape.is_scalar:
                return self.size(left) * self.norm(right, kind)
            case N.Multiply(left, right) if right.shape.is_scalar:
                return self.size(right) * self.norm(left, kind)
            case N.Divide(left, right) if right.shape.is_scalar:
                below = self.size(right).raised(Fraction(-1))
                return below * self.norm(left, kind) if below is not None else of_atom(N.Norm(arg, kind))
            case N.MatMul(N.Multiply(scale, left), right) if scale.shape.is_scalar:
                return self.size(scale) * self.norm(N.MatMul(left, right), kind)
            case N.MatMul(left, N.Multiply(scale, right)) if scale.shape.is_scalar:
                return self.size(scale) * self.norm(N.MatMul(left, right), kind)
            case N.Kron(left, right) if kind in ("fro", "2"):
                return self.norm(left, kind) * self.norm(right, kind)
            case N.DiagMatrix(inner) if kind in ("fro", "2"):
                return self.norm(inner, "fro" if kind == "fro" else "oo")
            case N.Zeros():
                return Magnitude(())
            case N.Eye(side):
                found = of_dim(side) if kind == "fro" else UNIT
                rooted = None if found is None else found.raised(HALF)
                return of_atom(N.Norm(arg, kind)) if rooted is None else rooted
            case N.Ones(shape):
                return self._ones(arg, shape.size, kind)
            case N.Derivative(of, by):
                return self._jacobian(of, by, kind)
            case N.Symbol(name) if self.kind(name) == K.FixedMatrix("orthogonal"):
                return self.norm(N.Eye(arg.shape.rows), kind)
            case N.Symbol(name) if self.kind(name) == K.FixedMatrix("simplex") and kind == "1":
                return UNIT
        if arg.shape.is_scalar and not isinstance(arg, N.MatMul):
            return self.size(arg)
        return of_atom(N.Norm(arg, kind))

    def _jacobian(self, of: N.Node, by: N.Node, kind: N.NormKind) -> Magnitude:
        """D(c*Y + constant, X) = c*D(Y, X), for Y of the shape of the sum: a number may stand for many."""
        if not self.moves(of, by):
            return Magnitude(())
        match of:
            case N.Add(left, right) | N.Subtract(left, right) if left.shape == right.shape:
                for moving, still in ((left, right), (right, left)):
                    if not self.moves(still, by):
                        return self._jacobian(moving, by, kind)
            case N.Multiply(left, right) if left.shape.is_scalar and not self.moves(left, by):
                return self.size(left) * self._jacobian(right, by, kind)
        return of_atom(N.Norm(N.Derivative(of, by), kind))

    def moves(self, tree: N.Node, by: N.Node) -> bool:
        """Whether the tree may depend on what a derivative is taken by: it is a part of it, or stands behind
        it by its name, in a law or in layers."""
        return contains(tree, by) or depends(tree, by, self.symbols)

    def _ones(self, arg: N.Node, size: Dim, kind: N.NormKind) -> Magnitude:
        """norm(ones(n, m)) = sqrt(n*m) in both norms; of a vector n in the 1-norm, 1 in the max-norm."""
        count = of_dim(size)
        if kind == "oo":
            return UNIT
        found = count if kind == "1" or count is None else count.raised(HALF)
        return of_atom(N.Norm(arg, kind)) if found is None else found


def _both(left: Magnitude | None, right: Magnitude | None, join: Any) -> Magnitude | None:
    if left is None or right is None:
        return None
    found: Magnitude = join(left, right)
    return found if len(found.terms) <= MAX_TERMS else None


def contains(tree: N.Node, part: N.Node) -> bool:
    """Whether the part occurs in the tree."""
    return any(node == part for node in walk(tree))


def depends(tree: N.Node, by: N.Node, symbols: Mapping[str, K.Declared]) -> bool:
    """Whether a symbol, or the one of an entry or a row, stands behind the tree. Any other tree is a name,
    which is moved where it is written and nowhere else."""
    while isinstance(by, N.Entry | N.Row):
        by = by.arg
    if not isinstance(by, N.Symbol | N.Member):
        return False
    return by.name in names_under((tree,), symbols) or any(isinstance(x, N.After) for x in walk(tree))


def positive_part(value: Any) -> bool:
    """A coefficient that is certainly not negative."""
    try:
        return sign(value) >= 0
    except Refusal:
        return False


def atoms(magnitude: Magnitude) -> Iterator[N.Node]:
    """The atoms that stand in a numerator: these may be replaced by something larger."""
    seen: set[N.Node] = set()
    for monomial, _ in magnitude.terms:
        for atom, exponent in monomial:
            if exponent > 0 and atom not in seen:
                seen.add(atom)
                yield atom
