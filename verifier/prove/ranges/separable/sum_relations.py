"""A relation between scalars made of sums over all entries, read as a function of these sums.

sum(p[i]*log(p[i]), i, 1, n), p.T @ log(p), norm(x)**2 and prod(x[i], i, 1, n) are all sums of one function
of the entries at an index; a product is the exponential of one. Sums of equal length are told apart
by that function alone, what is constant in it stands in front.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any

from flint import fmpq

from verifier.claim.model import Claim
from verifier.exact.enclosures.domains import Domain
from verifier.exact.enclosures.term_calculus import variables
from verifier.exact.numbers import operations as ar
from verifier.exact.numbers.constants import ONE, ZERO
from verifier.exact.numbers.refusals import Unsupported
from verifier.exact.numbers.scalar_terms import Term, Variable, is_positive
from verifier.exact.values.evaluate import Evaluator
from verifier.exact.values.point_context import Context
from verifier.expr import nodes as n
from verifier.expr import symbols as kinds
from verifier.expr.dims import Dim
from verifier.expr.walk import rebuild, substitute, walk
from verifier.prove.ranges.problem import scalars
from verifier.prove.ranges.separable.index_terms import (
    INDICES,
    canonical,
    declared,
    entry_of,
    not_negative,
    squared,
)
from verifier.prove.ranges.separable.multiplied_out import factors_of, normal, parts_of

POSITIVE = kinds.Positive | kinds.Dimension | kinds.IndexOf


@dataclass(frozen=True)
class Entries:
    """The variable that stands for one entry of a symbol at the index: where it ranges, and the sum of all
    of these entries where the declaration says it."""

    variable: Variable
    domain: Domain
    total: Any = None


@dataclass
class Sums:
    """All sums of a relation; the variables by name, the shares by the variable that stands for the sum."""

    claim: Claim
    rooted: frozenset[str] = frozenset()  # symbols with a logarithm or a root of every entry
    length: Dim | None = None
    entries: dict[str, Entries] = field(default_factory=dict)
    shares: dict[str, Term] = field(default_factory=dict)
    factors: list[Any] = field(default_factory=list)  # of products: a logarithm needs them to be positive

    # --- trees --------------------------------------------------------------------------------------

    def value(self, node: n.Node) -> Any:
        """The scalar as a function of sums and of the claim's scalars."""
        point: dict[str, Any] = {
            s.name: Variable(s.name, isinstance(s.kind, POSITIVE)) for s in scalars(self.claim)
        }
        tree = self._lifted(node, point)
        return normal(Evaluator(Context.of(self.claim), point).scalar(tree))

    def _lifted(self, node: n.Node, point: dict[str, Any]) -> n.Node:
        """The tree with a symbol in place of every sum."""

        def change(part: n.Node) -> n.Node:
            match part:
                case n.Let(_, body):
                    return change(body)
                case n.Power(n.Norm(arg, "fro"), n.Number(even)) if even % 2 == 0:
                    return n.Power(summed(squared(arg), arg), n.Number(even / 2))
                case n.Norm(arg, "fro"):
                    return n.Apply("sqrt", (summed(squared(arg), arg),))
                case n.Norm(arg, "1"):
                    return summed(n.Apply("abs", (entry_of(arg),)), arg)
                case n.Inner(left, right):
                    return summed(n.Multiply(entry_of(left), entry_of(right)), left)
                case n.MatMul(left, right) if part.shape.is_scalar:
                    across = n.Multiply(entry_of(n.Transpose(left)), entry_of(right))
                    return summed(across, right)
                case n.Sum(body, ranges, ()) if part.shape.is_scalar:
                    return self._sum(*canonical(body, ranges), point)
                case n.Product(body, ranges, ()) if part.shape.is_scalar:
                    inner, spans = canonical(body, ranges)
                    self.factors.append(self._share(inner, spans, point))
                    return n.Apply("exp", (self._sum(n.Apply("log", (inner,)), spans, point),))
                case n.Symbol() | n.Number() | n.Pi():
                    return part
                case n.Add() | n.Subtract() | n.Multiply() | n.Divide() | n.Negate() | n.Power() | n.Apply():
                    return rebuild(part, change)
            raise Unsupported(f"a sum over entries beside {type(part).__name__}")

        def summed(share: n.Node, shaped: n.Node) -> n.Node:
            sizes = tuple(size for size in (shaped.shape.rows, shaped.shape.cols) if size.constant != 1)
            return self._sum(share, sizes, point)

        return change(node)

    def _sum(self, share: n.Node, spans: tuple[Dim, ...], point: dict[str, Any]) -> n.Node:
        """A symbol for the sum of a share over indices i_ and j_ from 1 to the spans."""
        length = prod(spans, start=Dim.of(1))
        if self.length not in (None, length):
            raise Unsupported("sums of different lengths")
        self.length = length
        name = f"total {len(point)}"
        point[name] = self.total(self._share(share, spans, point))
        return n.Symbol(name)

    def _share(self, share: n.Node, spans: tuple[Dim, ...], point: Mapping[str, Any]) -> Any:
        """One entry's share of a sum, in the variables that stand for entries."""
        found: dict[n.Node, n.Node] = {}
        values = dict(point)
        for node in walk(share):
            if isinstance(node, n.Entry):
                known = self._entries(node, dict(zip(INDICES, spans, strict=False)))
                found[node] = n.Symbol(known.variable.name)
                values[known.variable.name] = known.variable
        return normal(Evaluator(Context.of(self.claim), values).scalar(substitute(share, found)))

    def _entries(self, node: n.Entry, spans: Mapping[str, Dim]) -> Entries:
        if not isinstance(node.arg, n.Symbol) or node.arg.name not in self.claim.symbols:
            raise Unsupported("entries of something that is not a symbol")
        shape = node.arg.shape
        places = [_place(node.row, shape.rows, spans), _place(node.col, shape.cols, spans)]
        if not set(places) & set(INDICES):
            raise Unsupported("a single entry")
        name = f"{node.arg.name}[{', '.join(places)}]"
        if name not in self.entries:
            domain, total = declared(self.claim, node)
            if total is not None:
                # Summed over an index that it does not have, an entry counts once for each of its values.
                others = (span for index, span in spans.items() if index not in places)
                total = total * self._number(prod(others, start=Dim.of(1)))
            if node.arg.name in self.rooted:
                domain = domain.cut(">", ZERO)
            self.entries[name] = Entries(Variable(name, not_negative(domain)), domain, total)
        return self.entries[name]

    # --- terms --------------------------------------------------------------------------------------

    def count(self) -> Any:
        """The number of entries, as a term."""
        assert self.length is not None
        return self._number(self.length)

    def _number(self, size: Dim) -> Any:
        total: Any = ZERO
        for monomial, coefficient in size.terms:
            product: Any = fmpq(coefficient)
            for name, times in monomial:
                given = self.claim.where.get(name)
                value = Variable(name, True) if given is None else fmpq(given.numerator, given.denominator)
                product = product * ar.power(value, fmpq(times))
            total = total + product
        return total

    def total(self, share: Any) -> Any:
        """The sum of a share in terms of sums of its parts, what is constant in front."""
        constant, parts = parts_of(share)
        total: Any = constant * self.count()
        for part, coefficient in parts:
            fixed, moving = self._apart(part)
            total = total + coefficient * fixed * (self.count() if moving is None else self.named(moving))
        return total

    def _apart(self, part: Any) -> tuple[Any, Any]:
        """A product as what does not depend on the index, and what does (None if nothing does)."""
        fixed: Any = ONE
        moving: Any = None
        for base, exponent in factors_of(part):
            factor = ar.power(base, exponent)
            if any(v.name in self.entries for v in variables(base)):
                moving = factor if moving is None else moving * factor
            else:
                fixed = fixed * factor
        return fixed, moving

    def named(self, share: Any) -> Any:
        """The variable that stands for a sum, or its value where a declaration gives it."""
        if isinstance(share, Variable) and self.entries[share.name].total is not None:
            return self.entries[share.name].total
        for name, known in self.shares.items():
            if known == share:
                return Variable(name, is_positive(share))
        name = f"sum {len(self.shares)}"
        self.shares[name] = share
        return Variable(name, is_positive(share))


def without_signs(sums: Sums, room: Any, upper: Callable[[Any, str], bool]) -> tuple[Sums, Any]:
    """With |x| in place of x wherever all shares are even in x; a sum that only needs an upper bound has the
    sum of its sizes as one."""
    signed = [e.variable for e in sums.entries.values() if e.domain == Domain()]
    shares = {
        name: share if _is_even(share, signed) or not upper(room, name) else normal(ar.apply("abs", share))
        for name, share in sums.shares.items()
    }
    even = [x for x in signed if all(_is_even(share, [x]) for share in shares.values())]
    if not even:
        return sums, room
    sizes: dict[str, Any] = {x.name: Variable(x.name, True) for x in even}
    found = Sums(sums.claim, sums.rooted, sums.length, dict(sums.entries))
    for name, size in sizes.items():
        found.entries[name] = Entries(size, Domain(ZERO, None, low_open=True))
    totals = {name: found.total(normal(normal(share, sizes))) for name, share in shares.items()}
    return found, normal(room, totals)


def _is_even(share: Any, names: list[Variable]) -> bool:
    return all(normal(share, {x.name: -x}) == share for x in names)


def _place(node: n.Node, size: Dim, spans: Mapping[str, Dim]) -> str:
    """An index that runs over all rows, or columns, of the symbol; or a fixed one."""
    match node:
        case n.Index(name) if spans.get(name) == size:
            return name
        case n.Number(value):
            return str(value)
    raise Unsupported("a sum over some of the entries, or one inside another")
