"""A scalar tree as a SymPy expression, node by node.

Scalar symbols become SymPy symbols that know their sign. A scalar made of matrices (norm(X)**2) is
an atom: an unknown real of which nothing but its sign is known, so what is proved for all values of
the atoms is proved. An atom under a bound index is a function of that index.
"""

from collections.abc import Callable, Iterable, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Protocol

import sympy as sp

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.dims import Dim
from verifier.expr.symbols import IndexOf
from verifier.expr.text import to_text
from verifier.expr.walk import substitute, symbols_in, walk
from verifier.prove.scalars.bound_indices import at_least, bound_index, free_indices
from verifier.prove.scalars.scalar_refusal import Refused, Undefined
from verifier.prove.scalars.symbol_ranges import Span, symbol
from verifier.prove.scalars.sympy_functions import apply, power


class Rewriting(Protocol):
    """An assumed equality: what an atom may be replaced by, or None."""

    def applied(self, node: n.Node) -> n.Node | None: ...


Limiter = Callable[[sp.Expr, sp.Symbol, sp.Expr], sp.Expr]


def no_limits(body: sp.Expr, variable: sp.Symbol, target: sp.Expr) -> sp.Expr:
    raise Refused("a limit where none is taken")


@dataclass(frozen=True)
class Translator:
    """One claim's vocabulary: `free` names are SymPy symbols, `atoms` stand for matrix scalars."""

    claim: Claim
    spans: Mapping[str, Span]
    limiter: Limiter = no_limits
    rules: tuple[Rewriting, ...] = ()
    nonnegative: tuple[sp.Expr, ...] = ()
    atoms: dict[sp.Expr, n.Node] = field(default_factory=dict)
    held: Mapping[str, sp.Symbol] = field(default_factory=dict)
    bound: Mapping[str, n.Range] = field(default_factory=dict)
    raw: bool = False

    def free(self, name: str) -> sp.Symbol:
        if name not in self.spans:
            raise Refused(f"{name} is not a fixed scalar")
        return symbol(name, self.spans[name])

    def knowing(self, trees: Iterable[n.Node]) -> "Translator":
        """The same with trees that are known to be >= 0, such as means of squares."""
        known = []
        for tree in trees:
            with suppress(Refused):
                known.append(self.read(tree))
        return replace(self, nonnegative=tuple(known))

    def substitution(self, name: str) -> n.Node | None:
        for assumption in self.claim.assumptions:
            found = assumption.substitution
            if found is not None and found[0].name == name:
                return found[1]
        return None

    def read(self, node: n.Node) -> sp.Expr:
        """The value of a scalar tree."""
        if not node.shape.is_scalar:
            raise Refused(f"a {node.shape} where a scalar is expected")
        match node:
            case n.Number(value):
                return sp.Rational(value.numerator, value.denominator)
            case n.Pi():
                return sp.pi
            case n.Infinity():
                return sp.oo
            case n.Symbol(name):
                given = None if self.raw else self.substitution(name)
                return self.free(name) if given is None else self.read(given)
            case n.Index(name):
                return bound_index(name)
            case n.Let():
                return self._let(node)
            case n.Add(left, right):
                return self.read(left) + self.read(right)
            case n.Subtract(left, right):
                return self.read(left) - self.read(right)
            case n.Multiply(left, right) | n.MatMul(left, right) | n.Kron(left, right):
                return self._product(node, left, right)
            case n.Inner(left, right) if left.shape.is_scalar:
                return self.read(left) * self.read(right)
            case n.Divide(left, right):
                under = self.read(right)
                if under == 0:
                    raise Undefined("a division by zero at every point")
                return self.read(left) / under
            case n.Negate(arg):
                return -self.read(arg)
            case n.Power(base, exponent):
                return power(self.read(base), self.read(exponent))
            case n.MatPower(base, exponent):
                return power(self.read(base), self.read(exponent))
            case n.Apply(function, args):
                return self._signed(apply(function, *(self.read(arg) for arg in args)))
        return self._structure(node)

    def _structure(self, node: n.Node) -> sp.Expr:
        match node:
            case n.Transpose(arg) | n.VecR(arg) | n.DiagMatrix(arg) | n.DiagPart(arg):
                return self.read(arg)
            case n.Trace(arg) if arg.shape.is_scalar:
                return self.read(arg)
            case n.Norm(arg) if arg.shape.is_scalar:
                return sp.Abs(self.read(arg))
            case n.Eye() | n.Ones():
                return sp.Integer(1)
            case n.Zeros():
                return sp.Integer(0)
            case n.Sum(body, ranges, conditions):
                return self._sum(body, ranges, conditions)
            case n.Product(body, ranges, conditions):
                return self._prod(body, ranges, conditions)
            case n.Derivative(of, by):
                return self._derivative(of, by)
            case n.Limit(body, variable, target):
                return self._limit(body, variable, target)
            case n.Norm() | n.Trace() | n.Inner() | n.Entry():
                return self._atom(node)
            case n.RowWise(function, arg):
                value = {"softmax": sp.Integer(1), "layernorm": sp.nan}.get(function)
                if value is None:
                    value = self.read(arg) / sp.Abs(self.read(arg))
                if value is sp.nan:
                    raise Refused(f"{function} of a single entry, which is 0/0")
                return value
            case n.Expectation() | n.Variance() | n.Covariance():
                raise Refused("an expectation without a closed form")
            case n.After() | n.Extreme() | n.Growth() | n.Order() | n.Member() | n.BlockDiag():
                raise Refused(f"{type(node).__name__.lower()} in a scalar expression")
            case n.Row() | n.Commutation():
                return self._atom(node)
        raise Refused(f"the node {type(node).__name__}")

    # --- names and atoms -----------------------------------------------------------------------

    def _let(self, let: n.Let) -> sp.Expr:
        if let.name in self.held:
            return self.held[let.name]
        for assumption in self.claim.assumptions:
            found = assumption.assumed_value
            if found is not None and found[0].name == let.name:
                if self.raw:
                    raise Refused(f"the derivative at the assumed value of {let.name}")
                return self.read(found[1])
        return self.read(let.body)

    def _signed(self, expr: sp.Expr) -> sp.Expr:
        """abs(q) = q, sqrt(q**2) = q for what is known to be >= 0."""
        match expr:
            case sp.Abs() | sp.Add() | sp.Mul() if self.nonnegative and expr.has(sp.Abs):
                return expr.replace(sp.Abs, lambda arg: self._magnitude(arg) or sp.Abs(arg))
            case sp.Pow(base=sp.Pow(base=inner, exp=power), exp=root) if power.is_even:
                known = self._magnitude(inner)
                return expr if known is None else known ** (power * root)
        return expr

    def _magnitude(self, expr: sp.Expr) -> sp.Expr | None:
        """|expr|, if it is one of the known quantities or minus one of them."""
        for known in self.nonnegative:
            if known in (expr, -expr) or 0 in (sp.expand(expr - known), sp.expand(expr + known)):
                return known
        return None

    def _product(self, node: n.Node, left: n.Node, right: n.Node) -> sp.Expr:
        if left.shape.is_scalar and right.shape.is_scalar:
            return self.read(left) * self.read(right)
        return self._atom(node)

    def _atom(self, node: n.Node) -> sp.Expr:
        """A scalar made of matrices, as an unknown real."""
        random = symbols_in(node)
        if random & self.claim.random:
            raise Refused("a random matrix outside an expectation")
        if any(isinstance(part, n.Expectation | n.After | n.Limit | n.Derivative) for part in walk(node)):
            raise Refused(f"no closed form of {to_text(node)}")
        if not self.raw:
            node = substitute(node, self._matrix_values())
        for rule in self.rules:
            value = rule.applied(node)
            if value is not None:
                return self.read(value)
        indices = free_indices(node)
        name = to_text(node)
        known = {"real": True} | ({"nonnegative": True} if isinstance(node, n.Norm) else {})
        if indices:
            atom = sp.Function(name, **known)(*(bound_index(i) for i in indices))
        else:
            atom = sp.Symbol(name, **known)
        self.atoms[atom] = node
        return atom

    def _matrix_values(self) -> dict[n.Node, n.Node]:
        found = (assumption.substitution for assumption in self.claim.assumptions)
        return {pair[0]: pair[1] for pair in found if pair is not None and not pair[0].shape.is_scalar}

    # --- calculus ------------------------------------------------------------------------------

    def _derivative(self, of: n.Node, by: n.Node) -> sp.Expr:
        """Derivatives are taken first, then substitutions enter."""
        if any(isinstance(part, n.Limit | n.Expectation) for part in walk(of)):
            raise Refused("the derivative of a limit or an expectation")
        match by:
            case n.Symbol(name):
                variable, inner, back = self.free(name), replace(self, raw=True), {}
            case n.Let(name, body):
                variable = sp.Symbol(f"{name} held", real=True)
                inner = replace(self, raw=True, held={**self.held, name: variable})
                back = {variable: replace(self, raw=True).read(body)}
            case _:
                raise Refused("the derivative with respect to an entry")
        slope = sp.diff(inner.read(of), variable)
        if any(by in walk(self.atoms[atom]) for atom in self._atoms_of(slope)):
            raise Refused("the derivative of an expression with matrices")
        if slope.has(sp.Derivative, sp.Subs, sp.DiracDelta):
            raise Refused("a derivative without a closed form")
        slope = slope.xreplace(back)
        return slope if self.raw else slope.subs(self._scalar_values(), simultaneous=True)

    def _limit(self, body: n.Node, variable: n.Symbol, target: n.Node) -> sp.Expr:
        """An atom is an unknown constant, which what holds the variable is not."""
        if self.substitution(variable.name) is not None:
            raise Refused("a limit in a symbol that an assumption replaces")
        inside = self.read(body)
        if self.moving(inside, {variable.name}):
            inside = sp.cancel(inside)
            if self.moving(inside, {variable.name}):
                raise Refused(f"the limit of an expression with matrices that depend on {variable.name}")
        return self.limiter(inside, self.free(variable.name), self.read(target))

    def moving(self, expr: sp.Expr, names: Set[str]) -> bool:
        """Whether some atom of the expression is made of one of these, or of matrices of such a size."""
        used = [self.atoms[atom] for atom in self._atoms_of(expr)]
        parts = [part for node in used for part in walk(node)]
        sizes = {name for part in parts for size in (part.shape.rows, part.shape.cols) for name in size.names}
        return bool(names & sizes.union(part.name for part in parts if isinstance(part, n.Symbol)))

    def _atoms_of(self, expr: sp.Expr) -> set[sp.Expr]:
        return {atom for atom in expr.atoms(sp.Symbol, sp.Function) if atom in self.atoms}

    def _scalar_values(self) -> dict[sp.Expr, sp.Expr]:
        pairs = (assumption.substitution for assumption in self.claim.assumptions)
        named = {p[0].name: p[1] for p in pairs if p is not None and p[0].shape.is_scalar}
        return {self.free(name): self.read(value) for name, value in named.items() if name in self.spans}

    # --- finite sums and products -----------------------------------------------------------------

    def _sum(self, body: n.Node, ranges: tuple[n.Range, ...], conditions: tuple[n.Condition, ...]) -> sp.Expr:
        """sum_{j != i} f(j) = sum_j f(j) - f(i), where i is in the range of j."""
        if conditions:
            first, *rest = conditions
            whole = self._sum(body, ranges, tuple(rest))
            index, other, kept = self._excluded(first, ranges)
            # The other conditions hold for the term taken out too, with i in place of j.
            if any(n.Index(index) in (c.left, c.right) for c in rest):
                raise Refused("several conditions on one index")
            return whole - self._sum(substitute(body, {n.Index(index): other}), kept, tuple(rest))
        total = self._inside_of(ranges).read(body)
        for span in reversed(ranges):
            low, high = self.read(span.low), self.read(span.high)
            self._not_backwards(low, high)
            total = sp.Sum(total, (bound_index(span.index), low, high))
        return total

    def _prod(
        self, body: n.Node, ranges: tuple[n.Range, ...], conditions: tuple[n.Condition, ...]
    ) -> sp.Expr:
        if conditions or len(ranges) != 1:
            raise Refused("a product with conditions or several indices")
        low, high = self.read(ranges[0].low), self.read(ranges[0].high)
        self._not_backwards(low, high)
        return sp.Product(self._inside_of(ranges).read(body), (bound_index(ranges[0].index), low, high))

    def _inside_of(self, ranges: tuple[n.Range, ...]) -> "Translator":
        return replace(self, bound={**self.bound, **{span.index: span for span in ranges}})

    def _not_backwards(self, low: sp.Expr, high: sp.Expr) -> None:
        """SymPy sums backwards where high < low - 1; here such a sum is empty. One without end is a limit."""
        if high is sp.oo:
            raise Refused("a sum without end")
        if at_least(high - low, -1, self.spans) is not True:
            raise Refused("a range that may run backwards")

    def _excluded(
        self, condition: n.Condition, ranges: tuple[n.Range, ...]
    ) -> tuple[str, n.Node, tuple[n.Range, ...]]:
        """The last index that `!=` speaks of, what it differs from, and the ranges that remain."""
        if condition.op != "!=":
            raise Refused(f"a sum with the condition {condition.op}")
        for span in reversed(ranges):
            for side, other in ((condition.left, condition.right), (condition.right, condition.left)):
                if side == n.Index(span.index):
                    kept = tuple(item for item in ranges if item != span)
                    if not self._inside(other, span, kept):
                        raise Refused("a condition on an index that may leave the range")
                    return span.index, other, kept
        raise Refused("a condition that does not speak of the summed index")

    def _inside(self, other: n.Node, span: n.Range, kept: tuple[n.Range, ...]) -> bool:
        """Whether `other` always lies in the span: an index of the same range, or index(n)."""
        match other:
            case n.Index(name):
                known = {**self.bound, **{item.index: item for item in kept}}.get(name)
                return known is not None and (known.low, known.high) == (span.low, span.high)
            case n.Symbol(name):
                kind = self.claim.symbols[name].kind
                if not isinstance(kind, IndexOf) or self.read(span.low) != 1:
                    return False
                return bool(self.read(span.high) == self.dim(kind.size))
        return False

    def dim(self, size: Dim) -> sp.Expr:
        total = sp.Integer(0)
        for monomial, coefficient in size.terms:
            powers = (self.read(n.Symbol(name)) ** power for name, power in monomial)
            total += sp.Mul(coefficient, *powers)
        return total
