"""Quadratic forms in vectors and numbers whose coefficients are polynomials in other numbers: written as sums
of squares by completing one after the other, without a quotient but by what is positive."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.nodes import Relation
from verifier.expr.walk import distinct
from verifier.kernel.context import Context
from verifier.kernel.judgement import Holds
from verifier.kernel.normal.atoms import NOTHING, UNIT, Atom, Entry, Monomial, Poly, constant, scaled, total
from verifier.kernel.normal.factors import factors
from verifier.kernel.normal.shift import is_signed
from verifier.kernel.normal.sign import is_positive
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.proof import Proof
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules.defined import unfolded
from verifier.proofs.linear import ONE, TWO, ZERO, at_most, below, ends
from verifier.proofs.quotients import cleared

MOST_VECTORS, MOST_TERMS = 4, 60
Form = list[list[Poly]]


def grams(context: Context, fact: Relation) -> Iterator[Proof]:
    """Over the vectors of one shape, over the numbers of any sign, and over the lengths."""
    small, large, strict = ends(Proof("", Holds(fact)))
    if strict or not small.shape.is_scalar:
        return
    small, large = unfolded(context, small), unfolded(context, large)
    quotients = list(cleared(context, small, large))
    top, bottom = quotients[0] if quotients else (N.Subtract(large, small), None)
    for vectors in _groups(context, (small, large)):
        try:
            squares = list(_Form(context, ZeroTest(context), vectors).squares(top))
        except (Rejected, _Unknown):
            continue
        if squares:
            known = tuple(Proof("sign", at_most(ZERO, square)) for square in squares)
            if bottom is None:
                yield Proof("combine", Holds(fact), known)
            else:
                sign = Proof("sign", at_most(ZERO, bottom, is_positive(context, bottom)))
                yield Proof("divide", Holds(fact), (Proof("combine", Holds(below(ZERO, top)), known), sign))


def _groups(context: Context, sides: tuple[N.Node, ...]) -> Iterator[tuple[N.Node, ...]]:
    parts = list(dict.fromkeys(part for side in sides for part in distinct(side)))
    leaves = sorted((p for p in parts if isinstance(p, N.Symbol | N.MatMul)), key=str)
    for shape in dict.fromkeys(part.shape for part in leaves if not part.shape.is_scalar):
        yield tuple(part for part in leaves if part.shape == shape)
    real = (part for part in leaves if part.shape.is_scalar and _is_real(context, part))
    numbers = [*real, *sorted((p for p in parts if isinstance(p, N.Norm | N.Entry | N.Expectation)), key=str)]
    yield tuple(numbers)
    yield (ONE, *numbers)
    lengths = [part for part in leaves if part.shape.is_scalar and not _is_real(context, part)]
    yield (*numbers, *lengths)


def _is_real(context: Context, part: N.Node) -> bool:
    declared = context.symbols.get(part.name) if isinstance(part, N.Symbol) else None
    return declared is not None and isinstance(declared.kind, K.Real)


class _Unknown(Exception):
    """This is no such form, or no sum of squares that is found."""


@dataclass
class _Form:
    """z' M z over vectors z, M of polynomials in what else there is."""

    context: Context
    algebra: ZeroTest
    vectors: tuple[N.Node, ...]

    def squares(self, top: N.Node) -> Iterator[N.Node]:
        """What is never negative, and adds up to the form."""
        if not 1 <= len(self.vectors) <= MOST_VECTORS:
            raise _Unknown
        form, factor = self._coefficients(self.algebra.of_node(top)), _one()
        size = len(self.vectors)
        left = list(range(size))
        while any(form[j][k].terms for j in left for k in left):
            form, shared = self._without_common_factors(form, left)
            factor = shared if factor == ONE else N.Multiply(factor, shared)
            k = min(
                (j for j in left if self._is_positive(form[j][j])),
                key=lambda j: len(form[j][j].terms),
                default=None,
            )
            if k is None:
                raise _Unknown
            pivot, row = form[k][k], form[k]
            factor = factor if pivot == UNIT else N.Divide(factor, self._node(pivot))
            yield N.Multiply(factor, self._square([row[j] if j in left else NOTHING for j in range(size)]))
            left.remove(k)
            for i in left:
                for j in left:
                    less = self.algebra.times(row[i], row[j])
                    form[i][j] = total((self.algebra.times(pivot, form[i][j]), scaled(less, fmpq(-1))))

    def _coefficients(self, gap: Poly) -> Form:
        size = len(self.vectors)
        places: dict[Monomial, tuple[int, int]] = {}
        for j in range(size):
            for k in range(j, size):
                product = self.algebra.of_node(_product(self.vectors[j], self.vectors[k]))
                if len(product.terms) != 1:
                    raise _Unknown
                places[next(iter(product.terms))] = j, k
        own = {atom for powers in places for atom, _ in powers}
        form = [[NOTHING] * size for _ in range(size)]
        if len(gap.terms) > MOST_TERMS:
            raise _Unknown
        for powers, value in gap.terms.items():
            inside = tuple(item for item in powers if item[0] in own)
            if inside not in places:
                raise _Unknown
            j, k = places[inside]
            rest = tuple(item for item in powers if item[0] not in own)
            part = Poly({rest: value if j == k else value / 2})
            form[j][k] = total((form[j][k], part))
            if j != k:
                form[k][j] = total((form[k][j], part))
        return form

    def _without_common_factors(self, form: Form, left: list[int]) -> tuple[Form, N.Node]:
        """The form, and what all its coefficients are multiples of; that is never negative."""
        entries = {(j, k): self._factors(form[j][k]) for j in left for k in left if form[j][k].terms}
        first, *others = entries.values()
        shared = {
            key: min(n, *(other.get(key, (key, 0))[1] for other in others)) if others else n
            for key, (_, n) in first.items()
        }
        node = _one()
        polys = {key: poly for key, (poly, _) in first.items()}
        for key, times in shared.items():
            if not times or polys[key].constant is not None:
                continue
            if times % 2 and not is_signed(self.algebra, polys[key], False):
                if not is_signed(self.algebra, scaled(polys[key], fmpq(-1)), False):
                    raise _Unknown
                polys[key] = scaled(polys[key], fmpq(-1))
            part = self._node(polys[key])
            part = part if times == 1 else N.Power(part, N.Number(Fraction(times)))
            node = part if node == ONE else N.Multiply(node, part)
        found = [list(row) for row in form]
        for (j, k), parts in entries.items():
            product = UNIT
            for key, (poly, times) in parts.items():
                over = shared.get(key, 0) if poly.constant is None else 0
                product = self.algebra.times(product, self.algebra.power(poly, times - over))
                turned = over % 2 and polys.get(key) != poly
                product = scaled(product, fmpq(-1)) if turned else product
            found[j][k] = product
        return found, node

    def _factors(self, poly: Poly) -> dict[str, tuple[Poly, int]]:
        """With monomials as factors too."""
        outer, inner = self.algebra.content(poly)
        ((powers, value),) = outer.terms.items()
        parts = [(constant(Fraction(int(value.p), int(value.q))), 1)]
        parts += [(Poly({((atom, 1),): fmpq(1)}), int(power)) for atom, power in powers]
        parts += factors(inner, self.algebra.is_nonnegative_poly) if len(inner.terms) > 1 else [(inner, 1)]
        found: dict[str, tuple[Poly, int]] = {}
        for part, times in parts:
            key = str(part.key)
            found[key] = part, times + found.get(key, (part, 0))[1]
        return found

    def _is_positive(self, poly: Poly) -> bool:
        return is_signed(self.algebra, poly, True) if poly.terms else False

    def _square(self, row: list[Poly]) -> N.Node:
        parts: N.Node | None = None
        for coefficient, vector in zip(row, self.vectors, strict=True):
            if coefficient.terms:
                part = vector if coefficient == UNIT else N.Multiply(self._node(coefficient), vector)
                parts = part if parts is None else N.Add(parts, part)
        assert parts is not None
        return N.Power(parts if parts.shape.is_scalar else N.Norm(parts), TWO)

    def _node(self, poly: Poly) -> N.Node:
        """A polynomial in numbers as a tree."""
        found: N.Node | None = None
        for powers, value in sorted(poly.terms.items(), key=lambda item: item[1] < 0):
            number = Fraction(int(value.p), int(value.q))
            part: N.Node | None = None if number in (1, -1) and powers else N.Number(abs(number))
            for atom, power in powers:
                node = self._symbol(atom)
                node = node if power == 1 else N.Power(node, N.Number(Fraction(power)))
                part = node if part is None else N.Multiply(part, node)
            assert part is not None
            if found is None:
                found = part if number > 0 else N.Negate(part) if powers else N.Number(number)
            else:
                found = N.Add(found, part) if number > 0 else N.Subtract(found, part)
        return found or ZERO

    def _symbol(self, atom: Atom) -> N.Node:
        if isinstance(atom, Entry) and not atom.at:
            return N.Symbol(atom.name)
        raise _Unknown


def _one() -> N.Node:
    return ONE


def _product(one: N.Node, other: N.Node) -> N.Node:
    if one.shape.is_scalar:
        return N.Multiply(one, other)
    return N.Inner(one, other) if one.shape.is_vector else N.Trace(N.MatMul(N.Transpose(one), other))
