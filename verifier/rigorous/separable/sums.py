"""A relation between scalars made of sums over all entries, read as a function of these sums.

sum(p[i]*log(p[i]), i, 1, n), p.T @ log(p), norm(x)**2 and prod(x[i], i, 1, n) are all sums of one function
of the entries at an index; a product is the exponential of one. Sums of equal length are told apart
by that function alone, what is constant in it stands in front.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from flint import fmpq

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr import symbols as kinds
from verifier.expr.dims import Dim
from verifier.expr.walk import rebuild, substitute, walk
from verifier.rigorous import arithmetic as ar
from verifier.rigorous.calculus import variables
from verifier.rigorous.closed import ONE, ZERO, sign
from verifier.rigorous.context import Context
from verifier.rigorous.domain import Domain
from verifier.rigorous.evaluate import Evaluator
from verifier.rigorous.problem import scalars
from verifier.rigorous.refusals import Unsupported
from verifier.rigorous.separable.normal import factors_of, normal, parts_of
from verifier.rigorous.terms import Term, Variable, is_positive

INDICES = ("i_", "j_")
UNIT = n.Number(Fraction(1))
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

    # --- trees --------------------------------------------------------------------------------------

    def value(self, node: n.Node) -> Any:
        """The scalar as a function of sums and of the claim's scalars."""
        point: dict[str, Any] = {
            s.name: Variable(s.name, isinstance(s.kind, POSITIVE)) for s in scalars(self.claim)
        }
        names: dict[n.Node, n.Node] = {}
        tree = self._lifted(node, names, point)
        return normal(Evaluator(Context.of(self.claim), point).scalar(tree))

    def _lifted(self, node: n.Node, names: dict[n.Node, n.Node], point: dict[str, Any]) -> n.Node:
        """The tree with a symbol in place of every sum."""

        def change(part: n.Node) -> n.Node:
            match part:
                case n.Let(_, body):
                    return change(body)
                case n.Power(n.Norm(arg, "fro"), n.Number(even)) if even.denominator == 1 and even % 2 == 0:
                    square = summed(n.Power(_entry(arg), n.Number(Fraction(2))), arg)
                    return n.Power(square, n.Number(even / 2))
                case n.Norm(arg, "fro"):
                    return n.Apply("sqrt", (summed(n.Power(_entry(arg), n.Number(Fraction(2))), arg),))
                case n.Norm(arg, "1"):
                    return summed(n.Apply("abs", (_entry(arg),)), arg)
                case n.Inner(left, right):
                    return summed(n.Multiply(_entry(left), _entry(right)), left)
                case n.MatMul(left, right) if part.shape.is_scalar:
                    across = n.Multiply(_entry(n.Transpose(left)), _entry(right))
                    return summed(across, right)
                case n.Sum(body, ranges, ()) if part.shape.is_scalar:
                    return self._sum(*_canonical(body, ranges), point)
                case n.Product(body, ranges, ()) if part.shape.is_scalar:
                    inner, length = _canonical(body, ranges)
                    return n.Apply("exp", (self._sum(n.Apply("log", (inner,)), length, point),))
                case n.Symbol() | n.Number() | n.Pi():
                    return part
                case n.Add() | n.Subtract() | n.Multiply() | n.Divide() | n.Negate() | n.Power() | n.Apply():
                    return rebuild(part, change)
            raise Unsupported(f"a sum over entries beside {type(part).__name__}")

        def summed(share: n.Node, shaped: n.Node) -> n.Node:
            return self._sum(share, shaped.shape.size, point)

        return change(node)

    def _sum(self, share: n.Node, length: Dim, point: dict[str, Any]) -> n.Node:
        """A symbol for length * constant + sum of coefficient * sum, with its value in the point."""
        if self.length not in (None, length):
            raise Unsupported("sums of different lengths")
        self.length = length
        term = self._share(share, point)
        constant, parts = parts_of(term)
        total: Any = constant * self.count()
        for part, coefficient in parts:
            fixed, moving = self._apart(part)
            total = total + coefficient * fixed * (self.count() if moving is None else self.named(moving))
        name = f"total {len(point)}"
        point[name] = total
        return n.Symbol(name)

    def _share(self, share: n.Node, point: Mapping[str, Any]) -> Any:
        """One entry's share of a sum, in the variables that stand for entries."""
        found: dict[n.Node, n.Node] = {}
        values = dict(point)
        for node in walk(share):
            if isinstance(node, n.Entry):
                known = self._entries(node)
                found[node] = n.Symbol(known.variable.name)
                values[known.variable.name] = known.variable
        return normal(Evaluator(Context.of(self.claim), values).scalar(substitute(share, found)))

    def _entries(self, node: n.Entry) -> Entries:
        if not isinstance(node.arg, n.Symbol) or node.arg.name not in self.claim.symbols:
            raise Unsupported("entries of something that is not a symbol")
        name = f"{node.arg.name}[{_place(node.row)}, {_place(node.col)}]"
        if name not in self.entries:
            domain, total = _declared(self.claim, node)
            if node.arg.name in self.rooted:
                domain = domain.cut(">", ZERO)
            self.entries[name] = Entries(Variable(name, _not_negative(domain)), domain, total)
        return self.entries[name]

    # --- terms --------------------------------------------------------------------------------------

    def count(self) -> Any:
        """The number of entries, as a term."""
        assert self.length is not None
        total: Any = ZERO
        for monomial, coefficient in self.length.terms:
            product: Any = fmpq(coefficient)
            for name, times in monomial:
                given = self.claim.where.get(name)
                size = Variable(name, True) if given is None else fmpq(given.numerator, given.denominator)
                product = product * ar.power(size, fmpq(times))
            total = total + product
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


def _place(node: n.Node) -> str:
    match node:
        case n.Index(name) if name in INDICES:
            return name
        case n.Number(value):
            return str(value)
    raise Unsupported("entries at an index that is not the one summed over")


def _canonical(body: n.Node, ranges: tuple[n.Range, ...]) -> tuple[n.Node, Dim]:
    """The body in the indices i_ and j_, and the number of its values."""
    if len(ranges) > len(INDICES):
        raise Unsupported("a sum over more than two indices")
    length = Dim.of(1)
    for span, name in zip(ranges, INDICES, strict=False):
        if span.low != UNIT:
            raise Unsupported("a sum that does not begin at 1")
        match span.high:
            case n.Symbol(high):
                length = length * Dim.of(high)
            case n.Number(high) if high.denominator == 1:
                length = length * Dim.of(int(high))
            case _:
                raise Unsupported("a sum whose length is not a dimension")
        body = substitute(body, {n.Index(span.index): n.Index(name)})
    return _inner(body), length


def _inner(body: n.Node) -> n.Node:
    """Every entry of an expression as an expression of entries."""

    def change(node: n.Node) -> n.Node:
        match node:
            case n.Let(_, inner):
                return change(inner)
            case n.Entry(arg, row, col):
                return _entry(arg, row, col)
        return rebuild(node, change)

    return change(body)


def _entry(node: n.Node, row: n.Node | None = None, col: n.Node | None = None) -> n.Node:
    """The entry of a matrix made entry by entry; of a vector at the index i_."""
    if row is None or col is None:
        rows, cols = node.shape.rows.constant == 1, node.shape.cols.constant == 1
        row = UNIT if rows else n.Index(INDICES[0])
        col = UNIT if cols else n.Index(INDICES[0 if rows else 1])
    match node:
        case n.Let(_, body):
            return _entry(body, row, col)
        case n.Symbol() if not node.shape.is_scalar:
            return n.Entry(node, row, col)
        case n.Transpose(arg):
            return _entry(arg, col, row)
        case n.Ones():
            return UNIT
        case n.Zeros():
            return n.Number(Fraction(0))
        case n.Add() | n.Subtract() | n.Multiply() | n.Divide():
            return replace(node, left=_scalar_or_entry(node.left, row, col), right=_scalar_or_entry(node.right, row, col))
        case n.Negate(arg):
            return n.Negate(_entry(arg, row, col))
        case n.Power(base, exponent):
            return n.Power(_entry(base, row, col), exponent)
        case n.Apply(name, args):
            return n.Apply(name, tuple(_scalar_or_entry(arg, row, col) for arg in args))
    if node.shape.is_scalar:
        return node
    raise Unsupported(f"the entries of {type(node).__name__}")


def _scalar_or_entry(node: n.Node, row: n.Node, col: n.Node) -> n.Node:
    return node if node.shape.is_scalar else _entry(node, row, col)


# --- declarations -----------------------------------------------------------------------------------


def _declared(claim: Claim, node: n.Entry) -> tuple[Domain, Any]:
    """Where an entry ranges, and the sum over the index if that is known."""
    assert isinstance(node.arg, n.Symbol)
    kind = claim.symbols[node.arg.name].kind
    domain, total = Domain(), None
    match kind:
        case kinds.FixedMatrix("simplex"):
            domain, total = Domain(ZERO, ONE), ONE
        case kinds.FixedMatrix("stochastic"):
            domain = Domain(ZERO, ONE)
            total = ONE if isinstance(node.row, n.Number) else None
        case kinds.FixedMatrix():
            pass  # what else the class asks of it makes the region smaller
        case _:
            raise Unsupported(f"the entries of {node.arg.name}")
    for assumption in claim.assumptions:
        for op, end in _limits(assumption.constraint, node.arg):
            domain = domain.cut(op, fmpq(end.numerator, end.denominator))
    return domain, total


def _limits(fact: n.Fact | None, symbol: n.Symbol) -> list[tuple[str, Fraction]]:
    """x >= 0, all(x[i] > 0, i, 1, n), all(abs(x[i]) <= 1, i, 1, n), all(x[i] in [0, 1], i, 1, n)."""
    match fact:
        case n.ForAll(n.Relation(op, left, n.Number(end)), ranges, ()):
            match left:
                case n.Entry(arg, row, col) if arg == symbol and _is_every(symbol, row, col, ranges):
                    return [(op, end)]
                case n.Apply("abs", (n.Entry(arg, row, col),)) if arg == symbol and op in ("<=", "<"):
                    whole = _is_every(symbol, row, col, ranges)
                    return [(op, end), (">=" if op == "<=" else ">", -end)] if whole else []
        case n.Relation(op, left, n.Number(end)) if left == symbol and op != "==":
            return [(op, end)]
        case n.Relation(op, left, n.Zeros()) if left == symbol and op != "==":
            return [(op, Fraction(0))]
    return []


def _is_every(symbol: n.Symbol, row: n.Node, col: n.Node, ranges: tuple[n.Range, ...]) -> bool:
    """The ranges run over all entries of the symbol."""
    sizes = {n.Index(span.index): _text(span.high) for span in ranges if span.low == UNIT}
    places = [(p, size) for p, size in ((row, symbol.shape.rows), (col, symbol.shape.cols)) if size.constant != 1]
    return len(places) == len(ranges) and all(sizes.get(place) == str(size) for place, size in places)


def _text(node: n.Node) -> str:
    match node:
        case n.Symbol(name):
            return name
        case n.Number(value):
            return str(value)
    return "?"


def rooted(part: n.Node | n.Fact) -> frozenset[str]:
    """Symbols of whose entries a logarithm or a root is taken: it has a value for positive ones alone (and for
    0, which is a limit of these, or left out)."""
    found = set()
    for node in walk(part):
        match node:
            case n.Apply("log" | "sqrt", (arg,)):
                found.add(_symbol(arg))
            case n.Power(base, n.Number(exponent)) if exponent.denominator > 1:
                found.add(_symbol(base))
    return frozenset(found - {None})


def _symbol(node: n.Node) -> str | None:
    match node:
        case n.Symbol(name) if not node.shape.is_scalar:
            return name
        case n.Entry(n.Symbol(name), _, _):
            return name
    return None


def _not_negative(domain: Domain) -> bool:
    return domain.low is not None and sign(domain.low) >= 0
