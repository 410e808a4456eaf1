"""Products over an index and sums over pairings or subsets, at symbolic sizes: theorems, not arithmetic.

independent f(i):         E prod_i f(i) = prod_i E f(i),  E e_p(f) = e_p(E f)
equal terms:              prod_{i=1..n} c = c**n,  e_p(c, ..., c) = binomial(n, p) c**p
centred Gaussian f(i):    E prod_{i=1..n} f(i) = haf(C) with C[i, j] = E f(i) f(j)     (Isserlis)
scales:                   haf(c C) = c**(n/2) haf(C),  haf(ones) = (n-1)!! for even n, 0 for odd n

What remains of a hafnian is one unknown real for each different matrix: a relation that holds for all
reals in its place holds, one that does not says nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction

from verifier.claim.model import Assumption, Claim
from verifier.expr import nodes as N
from verifier.expr.dims import ONE as UNIT
from verifier.expr.dims import Dim, Shape
from verifier.expr.symbols import Declared, Dimension, IndexOf, Real
from verifier.expr.text import to_text
from verifier.expr.walk import rebuild, substitute, walk
from verifier.prove.equal.closed_form import closed_form
from verifier.prove.equal.closed_relation import apart
from verifier.prove.equal.index_factors import are_independent, is_centred_gaussian
from verifier.prove.forms.deadline import Clock
from verifier.prove.forms.function_identities import settled
from verifier.prove.forms.refusal import OutOfTime, Refusal
from verifier.prove.lower.both_sides import read
from verifier.prove.lower.lower import Lowering
from verifier.prove.scalars.bound_indices import free_indices
from verifier.prove.write.write_sums import Writer

Fact = N.Relation | N.Within
ZERO, ONE, TWO = (N.Number(Fraction(value)) for value in (0, 1, 2))
# No declared name begins with two underscores.
_FIRST, _SECOND = "__first", "__second"
_SECONDS = 2.0


def is_mean_product(node: N.Node) -> bool:
    """The mean or the variance of something with a product over an index in it."""
    return isinstance(node, N.Expectation | N.Variance) and any(
        isinstance(part, N.Product) for part in walk(node.body)
    )


def _bare(node: N.Node) -> N.Node:
    """What a `let` name stands for."""
    while isinstance(node, N.Let):
        node = node.body
    return node


@dataclass
class Rewriter:
    """One relation: each product, sum over pairings and sum over subsets replaced by what it is.

    may_stay: a sum over pairings may be an unknown real, since nothing varies what it depends on."""

    claim: Claim
    may_stay: bool
    unknowns: dict[tuple[str, str], N.Symbol] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def judged(self) -> Claim:
        """The claim with the unknown sums over pairings as arbitrary reals."""
        reals = {symbol.name: Declared(symbol.name, Real(), Shape()) for symbol in self.unknowns.values()}
        return replace(self.claim, symbols={**self.claim.symbols, **reals}) if reals else self.claim

    def fact(self, fact: Fact) -> Fact:
        if any(assumption.assumed_value for assumption in self.claim.assumptions):
            return fact  # names with assumed values stand for something else than their bodies
        return rebuild(fact, self.change)

    def change(self, node: N.Node) -> N.Node:
        if not concerns(node):
            return node
        found: N.Node | None = None
        match node:
            case N.Let(_, body):
                return self.change(body)
            case _ if free_indices(node):
                return node
            case N.Expectation(body, ()):
                found = self._mean(_bare(body))
            case N.Variance(body):
                found = self._variance(_bare(body))
            case N.SubsetSum(body, span, order):
                found = self._subsets(body, span, order)
            case N.Hafnian(arg):
                found = self._pairings(arg.shape.rows, lambda i, j: N.Entry(arg, i, j))
            case N.Expectation() | N.Variance() | N.Covariance() | N.Derivative():
                return node  # what is random or varied inside is no scalar to be replaced
            case _:
                return rebuild(node, self.change)
        if found is None:
            return node
        self.notes.append(f"{to_text(node)} == {self._shown(found)}")
        return found

    def _shown(self, node: N.Node) -> str:
        names = {symbol: key[0] for key, symbol in self.unknowns.items()}
        text = to_text(node)
        for symbol, entry in names.items():
            text = text.replace(symbol.name, f"hafnian({entry})")
        return text

    def _variance(self, body: N.Node) -> N.Node | None:
        """Var(f) = E(f**2) - (E f)**2"""
        square, mean = self._mean(N.Power(body, TWO)), self._mean(body)
        return None if square is None or mean is None else N.Subtract(square, N.Power(mean, TWO))

    def _mean(self, body: N.Node) -> N.Node | None:
        match body:
            case N.Power(N.Product(factor, ranges, conditions), N.Number(k)) if k.denominator == 1 and k > 0:
                return self._mean(N.Product(N.Power(factor, N.Number(k)), ranges, conditions))
            case N.Multiply(left, right) if not self.claim.random_in(left):
                mean = self._mean(_bare(right))
                return None if mean is None else N.Multiply(left, mean)
            case N.Divide(left, right) if not self.claim.random_in(right):
                mean = self._mean(_bare(left))
                return None if mean is None else N.Divide(mean, right)
            case N.Product(factor, (span,), ()):
                return self._mean_product(factor, span)
            case N.SubsetSum(factor, span, order) if are_independent(self.claim, factor, span.index):
                return self._subsets(N.Expectation(factor), span, order)
        return None

    def _mean_product(self, body: N.Node, span: N.Range) -> N.Node | None:
        size = self._size(span)
        if size is None:
            return None
        if are_independent(self.claim, body, span.index):
            mean = self._common(N.Expectation(body), span, size)
            return mean if mean in (None, ZERO) else N.Power(mean, span.high)
        if not is_centred_gaussian(self.claim, body):
            return None
        at = N.Index(span.index)
        return self._pairings(
            size, lambda i, j: N.Expectation(N.Multiply(substitute(body, {at: i}), substitute(body, {at: j})))
        )

    def _subsets(self, body: N.Node, span: N.Range, order: N.Node) -> N.Node | None:
        """e_p(c, ..., c) = binomial(n, p) c**p"""
        size = self._size(span)
        whole = isinstance(order, N.Symbol) and isinstance(self.claim.symbols[order.name].kind, Dimension)
        if size is None or not whole:
            return None
        common = self._common(body, span, size)
        count = N.Apply("binomial", (span.high, order))
        return common if common in (None, ZERO) else N.Multiply(count, N.Power(common, order))

    def _common(self, body: N.Node, span: N.Range, size: Dim) -> N.Node | None:
        """The value of the body where it is the same at every index, free of expectations."""
        at = N.Symbol(_FIRST)
        claim = _with_indices(self.claim, size, apart=False)
        tree = substitute(body, {N.Index(span.index): at})
        closed = tree if _is_plain(tree) else closed_form(claim, tree, _SECONDS)
        return None if closed is None or at in set(walk(closed)) else closed

    def _size(self, span: N.Range) -> Dim | None:
        """The upper end of a range 1..n as a dimension that is at least 1."""
        size = _dim(self.claim, span.high)
        return size if span.low == ONE and size is not None and _is_positive(size) else None

    # --- sums over pairings -------------------------------------------------------------------

    def _pairings(self, size: Dim, entry: Callable[[N.Node, N.Node], N.Node]) -> N.Node | None:
        """haf of the matrix with this entry at i != j."""
        parity = _parity(size)
        if parity == 1:
            return ZERO
        if size.constant is not None:
            return None  # the pairings are gone through
        claim = _with_indices(self.claim, size, apart=True)
        indices = N.Symbol(_FIRST), N.Symbol(_SECOND)
        closed = _off_diagonal(claim, entry(*indices))
        if closed is None or closed == ZERO:
            return closed
        scale, rest = _split(closed, frozenset(indices))
        if scale != ONE and parity is None and not self.claim.values(scale).is_positive:
            return None
        half = N.Divide(_tree(size), TWO)
        if rest == ONE and parity is None:
            return None  # (n-1)!! for even n and 0 for odd n have no common form
        if rest != ONE and not self.may_stay:
            return None
        last = self._double_factorial(size) if rest == ONE else self._unknown(rest, size)
        return last if scale == ONE else N.Multiply(N.Power(scale, half), last)

    def _double_factorial(self, size: Dim) -> N.Node:
        return N.Apply("factorial2", (N.Subtract(_tree(size), ONE),))

    def _unknown(self, rest: N.Node, size: Dim) -> N.Symbol:
        key = (to_text(rest), str(size))
        return self.unknowns.setdefault(key, N.Symbol(f"__pairings_{len(self.unknowns) + 1}"))


def concerns(node: N.Node) -> bool:
    """Whether there is a product or a sum that these theorems are about."""
    return any(isinstance(x, N.Hafnian | N.SubsetSum) or is_mean_product(x) for x in walk(node))


def _is_plain(node: N.Node) -> bool:
    """Scalar arithmetic, with nothing to be worked out."""
    return all(
        x.shape.is_scalar and not isinstance(x, N.Expectation | N.Variance | N.Covariance | N.Derivative)
        for x in walk(node)
    )


def _with_indices(claim: Claim, size: Dim, apart: bool) -> Claim:
    """The claim with two more indices, different ones if `apart`."""
    added = {name: Declared(name, IndexOf(size), Shape()) for name in (_FIRST, _SECOND)}
    claim = replace(claim, symbols={**claim.symbols, **added})
    if not apart:
        return claim
    fact = N.Relation("!=", N.Symbol(_FIRST), N.Symbol(_SECOND))
    different = Assumption("two indices", fact, to_text(fact), claim.position)
    return replace(claim, assumptions=(*claim.assumptions, different))


def _off_diagonal(claim: Claim, entry: N.Node) -> N.Node | None:
    """The entry at two different indices, free of expectations."""

    def use(lowering: Lowering) -> N.Node:
        form = lowering.value(entry)
        return Writer(lowering.space).scalar(apart(lowering, settled(lowering.space, form.value)))

    try:
        return read(claim, [entry], Clock(_SECONDS), use)
    except (Refusal, OutOfTime):
        return None


def _split(node: N.Node, indices: frozenset[N.Symbol]) -> tuple[N.Node, N.Node]:
    """(what is the same at all indices, the rest), a product being taken apart."""
    if not indices & set(walk(node)):
        return node, ONE
    match node:
        case N.Multiply(left, right) if left.shape.is_scalar and right.shape.is_scalar:
            (a, b), (c, d) = _split(left, indices), _split(right, indices)
            return _times(a, c), _times(b, d)
        case N.Divide(left, right) if not indices & set(walk(right)):
            a, b = _split(left, indices)
            return N.Divide(a, right), b
        case N.Negate(arg):
            a, b = _split(arg, indices)
            return N.Negate(a), b
    return ONE, node


def _times(left: N.Node, right: N.Node) -> N.Node:
    return right if left == ONE else left if right == ONE else N.Multiply(left, right)


def _parity(size: Dim) -> int | None:
    """0 or 1 where the size is always even or always odd."""
    constant = 0
    for monomial, coefficient in size.terms:
        if not monomial:
            constant = coefficient
        elif coefficient % 2:
            return None
    return constant % 2


def _is_positive(size: Dim) -> bool:
    """At least 1 for all sizes from 1 on: n = 1 + u shows it."""
    shifted = size.replace({name: Dim.of(name) + UNIT for name in size.names})
    constants = [coefficient for monomial, coefficient in shifted.terms if not monomial]
    return all(coefficient >= 0 for _, coefficient in shifted.terms) and sum(constants) >= 1


def _dim(claim: Claim, node: N.Node) -> Dim | None:
    """A tree as a dimension, modulo the equalities assumed."""
    match node:
        case N.Number(value) if value.denominator == 1:
            return Dim.of(int(value))
        case N.Symbol(name) if isinstance(claim.symbols[name].kind, Dimension):
            return claim.dims.get(name, Dim.of(name))
        case N.Add(left, right) | N.Subtract(left, right) | N.Multiply(left, right):
            a, b = _dim(claim, left), _dim(claim, right)
            if a is None or b is None:
                return None
            return a + b if isinstance(node, N.Add) else a - b if isinstance(node, N.Subtract) else a * b
    return None


def _tree(size: Dim) -> N.Node:
    """A dimension as a scalar."""
    total: N.Node | None = None
    for monomial, coefficient in size.terms:
        term: N.Node = N.Number(Fraction(coefficient))
        for name, power in monomial:
            factor: N.Node = N.Symbol(name)
            factor = factor if power == 1 else N.Power(factor, N.Number(Fraction(power)))
            term = _times(term, factor)
        total = term if total is None else N.Add(total, term)
    return total or ZERO
