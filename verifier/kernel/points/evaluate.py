"""Core terms at a point."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from verifier.expr import nodes as N
from verifier.expr.dims import Dim
from verifier.expr.symbols import Declared, Dimension, IndexOf, Integer
from verifier.kernel.budget import Budget
from verifier.kernel.context import Context
from verifier.kernel.core import terms as T
from verifier.kernel.core.axes import columns, fixed, rows
from verifier.kernel.core.derive import names_in
from verifier.kernel.core.settle import values_of
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.points import polynomials as poly
from verifier.kernel.points import values as v
from verifier.kernel.points.alike import Alike, Pattern, Table, counted, single
from verifier.kernel.points.forms import Form, not_negative
from verifier.kernel.points.laws import Chosen, Law
from verifier.kernel.points.means import Means, Scope
from verifier.kernel.points.norms import norm_drawn, norm_of
from verifier.kernel.points.outcomes import NotPolynomial
from verifier.kernel.points.polynomials import Scalar
from verifier.kernel.points.symmetry import Symmetry
from verifier.kernel.points.tables import Place, place_at, split
from verifier.kernel.points.values import Value
from verifier.kernel.rejected import Rejected

Indices = Mapping[str, int]  # bound indices by their names in the core form
MOST_NESTED = 16  # assumed values that stand for assumed values


class Evaluator:
    """Trees and terms where the symbols have these values. `free` and `integrated` tell which random symbols
    were looked up, and which a mean has drawn."""

    def __init__(
        self,
        context: Context,
        given: Mapping[str, Table],
        budget: Budget,
        laws: Mapping[str, Chosen] | None = None,
    ) -> None:
        self.context, self.given, self.budget, self.chosen = context, given, budget, laws or {}
        self.reader = ZeroTest(context, budget=budget).reader  # which knows closed forms of means
        self.root = Scope()
        self.means = Means(self)
        self.symmetry = Symmetry(self)
        self.free: set[str] = set()
        self.held, self.replaced = context.held, context.replaced
        if self.held.keys() & context.symbols.keys():
            raise Rejected("outside", "a name that is a symbol and a `let` name")
        values_of(context)  # rejects values that are random
        self._forms: dict[Any, Form] = {}
        self._indices: dict[int, tuple[T.Term, tuple[str, ...]]] = {}
        self._laws: dict[str, Law] = {}
        self._known: dict[tuple[str, tuple[int, ...]], Value] = {}
        self._depth = 0

    # Trees

    def entries(
        self, node: N.Node, indices: Indices, scope: Scope
    ) -> Iterator[tuple[tuple[int, int], Scalar]]:
        """The entries of a matrix, row by row; of those that are the same by symmetry at least one, in the
        first row of all that are alike."""
        for row, col in self.shown((node,), indices, scope):
            yield (row, col), self.entry(node, row, col, indices, scope)

    def shown(self, nodes: tuple[N.Node, ...], indices: Indices, scope: Scope) -> Iterator[tuple[int, int]]:
        """Places at which matrices of one shape show all that they are; scalars are the same everywhere."""
        shaped = next((node for node in nodes if not node.shape.is_scalar), nodes[0])
        height, width = self.dim(shaped.shape.rows), self.dim(shaped.shape.cols)
        if not indices and self._are_alike(nodes, scope):
            rows, cols = self.classes(height), self.classes(width)
            self.budget.spend(len(rows) * len(cols))
            yield from Alike(rows, cols, lambda i, j: v.ZERO).pairs()
            return
        self.budget.spend(max(height, 0) * max(width, 0))
        yield from ((row, col) for row in range(1, height + 1) for col in range(1, width + 1))

    def _are_alike(self, nodes: tuple[N.Node, ...], scope: Scope) -> bool:
        """Whether exchanging rows and columns does not change these matrices."""
        if scope.bound or scope.outcome:
            return False
        forms = [self.form(node) for node in nodes]
        plain = all(len(form.down) <= 1 and len(form.along) <= 1 for form in forms)
        return plain and all(self.symmetry.is_alike(form.term) for form in forms)

    def classes(self, size: int) -> list[tuple[int, int]]:
        """The classes of the numbers up to a size."""
        return self.symmetry.parts(1, size)

    def alike(self, node: N.Node, scope: Scope) -> Alike:
        """A matrix of numbers over classes of its rows and columns, each number alone where it must be."""
        height, width = self.dim(node.shape.rows), self.dim(node.shape.cols)
        rows, cols = self.classes(height), self.classes(width)
        if not self._are_alike((node,), scope):
            rows, cols = single(height), single(width)
        self.budget.spend(len(rows) * len(cols))
        return Alike(rows, cols, lambda i, j: poly.number(self.entry(node, i, j, {}, scope), "a norm"))

    def entry(self, node: N.Node, row: int, col: int, indices: Indices, scope: Scope) -> Scalar:
        """One entry by the numbers of its row and column; a scalar is the same at all of them."""
        form = self.form(node, tuple(sorted(indices)))
        if node.shape.is_scalar:
            row, col = 1, 1
        down = split(row, tuple(map(self.dim, form.down)))
        along = split(col, tuple(map(self.dim, form.along)))
        places = zip((*form.row, *form.col), (*down, *along), strict=True)
        return self.value(form.term, {**indices, **dict(places)}, scope)

    def form(self, node: N.Node, names: tuple[str, ...] = ()) -> Form:
        key = (id(node), names)
        if key not in self._forms:
            reader = replace(self.reader, indices={name[2:]: name for name in names})
            down, along = fixed(rows(node), node.shape.rows), fixed(columns(node), node.shape.cols)
            row = tuple(f"%row{k}" for k in range(len(down)))
            col = tuple(f"%col{k}" for k in range(len(along)))
            term = reader.entry(node, tuple(map(Dim.of, row)), tuple(map(Dim.of, col)))
            self._forms[key] = Form(node, term, row, col, down, along)
        return self._forms[key]

    def parameter(self, node: N.Node, row: int, col: int) -> Value:
        """An entry of a law's parameter."""
        if any(map(self.context.is_random, names_in(node))):
            raise Rejected("outside", "a law with a random parameter")
        return poly.number(self.entry(node, row, col, {}, self.root), "a parameter")

    @contextmanager
    def coarsely(self, scope: Scope) -> Iterator[Scope]:
        """Where it is enough that means exist: what is found there is forgotten."""
        known, self._known = self._known, dict(self._known)
        try:
            with self.means.coarsely(scope) as roughly:
                yield roughly
        finally:
            self._known = known

    # Names and sizes

    def dim(self, dim: Dim, indices: Indices | None = None) -> int:
        """A size or a position as a number."""
        known = indices or {}
        match dim.terms:
            case (((((name, 1),), 1)),):  # one symbol or index alone, as most positions are
                return known[name] if name in known else self.integer(name)
        return dim.at({name: known[name] if name in known else self.integer(name) for name in dim.names})

    def integer(self, name: str) -> int:
        declared = self.context.symbols.get(name)
        if declared is None or not isinstance(declared.kind, Dimension | IndexOf | Integer):
            raise Rejected("outside", f"{name} as a size or a position")
        value = v.whole(self.lookup(name, ()))
        if value is None:
            raise Rejected("not-allowed", f"{name} is no integer")
        return value

    def size(self, declared: Declared) -> tuple[int | None, int, int]:
        copies = None if declared.copies is None else self.dim(declared.copies)
        height, width = self.dim(declared.shape.rows), self.dim(declared.shape.cols)
        self.budget.spend(max(height, 0) * max(width, 0) * max(copies or 1, 0))
        return copies, height, width

    def law(self, name: str) -> Law:
        if name not in self._laws:
            self._laws[name] = Law(self.context.symbols[name], self, self.chosen.get(name))
        return self._laws[name]

    def place(self, name: str, at: tuple[int, ...]) -> Place:
        """The place that a position names, which must be there."""
        declared = self.context.symbols[name]
        found = place_at(declared, at)
        if found is None:
            raise Rejected("outside", f"a position in {name} with another number of axes")
        copies = 1 if declared.copies is None else self.dim(declared.copies)
        sizes = (copies, self.dim(declared.shape.rows), self.dim(declared.shape.cols))
        if not all(1 <= number <= size for number, size in zip(found, sizes, strict=True)):
            raise Rejected("undefined", f"a position beyond the sizes of {name}")
        return found

    def lookup(self, name: str, at: tuple[int, ...]) -> Value:
        """The value of an entry of a symbol or of a name: given, fixed by the statement, or assumed."""
        if name in self.given:
            table, place = self.given[name], self.place(name, at)
            return table.at(place) if isinstance(table, Pattern) else table[place]
        if name in self.context.where and not at:
            return v.rational(self.context.where[name])
        if name in self.replaced:
            return self.assumed_value(name, at)
        if name in self.context.dims and not at:
            return v.rational(self.dim(self.context.dims[name]))
        raise Rejected("not-allowed", f"the point has no value of {name}")

    def assumed_value(self, name: str, at: tuple[int, ...]) -> Value:
        """What an assumption puts in the place of a fixed symbol."""
        if (name, at) not in self._known:
            self.place(name, at)
            found = self._assumed(self.replaced[name], at, self.root)
            self._known[name, at] = poly.number(found, "an assumed value")
        return self._known[name, at]

    def _assumed(self, node: N.Node, at: tuple[int, ...], scope: Scope) -> Scalar:
        """An entry of an assumed value; a scalar fills a whole matrix."""
        if self._depth >= MOST_NESTED:
            raise Rejected("outside", "assumed values that go round in a circle")
        form = self.form(node)
        at = () if node.shape.is_scalar else at
        if len(at) != len(form.row) + len(form.col):
            raise Rejected("outside", "an assumed value whose rows or columns are numbered otherwise")
        for number, size in zip(at, (*form.down, *form.along), strict=True):
            if not 1 <= number <= self.dim(size):
                raise Rejected("undefined", "a position beyond the sizes of an assumed value")
        self._depth += 1
        try:
            return self.value(form.term, dict(zip((*form.row, *form.col), at, strict=True)), scope)
        finally:
            self._depth -= 1

    # Terms

    def value(self, term: T.Term, indices: Indices, scope: Scope) -> Scalar:
        """A number, or a polynomial in what the means around have drawn."""
        self.budget.spend()
        match term:
            case T.Num(number):
                return v.rational(number)
            case T.Var(name, at):
                return self._variable(name, at, indices, scope)
            case T.Delta(left, right):
                return v.ONE if self.dim(left, indices) == self.dim(right, indices) else v.ZERO
        key = (id(term), tuple(indices[name] for name in self._free_indices(term)))
        if key not in scope.memo:
            scope.memo[key] = self._compound(term, indices, scope)
        return scope.memo[key]

    def _compound(self, term: T.Term, indices: Indices, scope: Scope) -> Scalar:
        match term:
            case T.Plus(parts):
                total: Scalar = v.ZERO
                for part in parts:
                    total = poly.plus(total, self.value(part, indices, scope), self.budget)
                return total
            case T.Times(parts):
                return self._product(parts, indices, scope)
            case T.Pow(base, exponent):
                return self._power(base, exponent, indices, scope)
            case T.Fn(name, args):
                return poly.applied(name, tuple(self.value(arg, indices, scope) for arg in args), self.budget)
            case T.Sum(index, low, high, body):
                first, last = self.dim(low, indices), self.dim(high, indices)
                total = v.ZERO
                for number, times in self._numbers(body, first, last, indices, scope):
                    part = self.value(body, {**indices, index: number}, scope)
                    part = part if times == 1 else poly.times(v.rational(times), part, self.budget)
                    total = poly.plus(total, part, self.budget)
                return total
            case T.Call("", N.Norm(arg, kind), None):
                return self._norm(arg, kind, scope)
            case T.Mean(draws, body, apart=apart) if not apart:
                return self.means.mean(draws, body, indices, scope)
        raise Rejected("outside", f"{type(term).__name__} at a point")

    def _norm(self, arg: N.Node, kind: str, scope: Scope) -> Scalar:
        try:
            return norm_of(kind, self.alike(arg, scope))
        except NotPolynomial:
            height, width = self.dim(arg.shape.rows), self.dim(arg.shape.cols)
            found = [
                [self.entry(arg, i, j, {}, scope) for j in range(1, width + 1)] for i in range(1, height + 1)
            ]
            return norm_drawn(kind, found, self.budget)

    def _numbers(
        self, body: T.Term, first: int, last: int, indices: Indices, scope: Scope
    ) -> Iterator[tuple[int, int]]:
        """What a sum runs over: numbers, each with how many it stands for. What has been drawn is not the
        same at two places, and no number stands for others then."""
        if not self._looks_at(body, scope) and self.symmetry.is_alike(body):
            used = {indices[name] for name in self._free_indices(body) if name in indices}
            found = list(counted(self.symmetry.parts(first, last), used))
            self.budget.spend(len(found))
            yield from found
            return
        self.budget.spend(max(last - first, 0))
        yield from ((number, 1) for number in range(first, last + 1))

    def _looks_at(self, term: T.Term, scope: Scope) -> bool:
        """Whether something in the term may have been drawn by a mean around."""
        drawn = scope.bound | scope.outcome.keys()
        return bool(drawn) and bool(T.free(term) & (drawn | self.held.keys()))

    def _variable(self, name: str, at: T.Positions, indices: Indices, scope: Scope) -> Scalar:
        if name in indices and not at:
            return v.rational(indices[name])
        numbers = tuple(self.dim(position, indices) for position in at)
        if name in self.held:
            if (name, numbers) not in scope.memo:
                scope.memo[name, numbers] = self._assumed(self.held[name], numbers, scope)
            return scope.memo[name, numbers]
        if name in scope.bound:
            self.place(name, numbers)
            return poly.drawn((name, numbers))
        if name in scope.outcome:
            return scope.outcome[name][self.place(name, numbers)]
        if self.context.is_random(name):
            self.free.add(name)
        return self.lookup(name, numbers)

    def _product(self, parts: tuple[T.Term, ...], indices: Indices, scope: Scope) -> Scalar:
        """A factor 0 ends it: a condition that a sum puts in front of its terms is such a factor. Whether the
        sides have values is looked at in the tree."""
        total: Scalar = v.ONE
        for part in parts:
            total = poly.times(total, self.value(part, indices, scope), self.budget)
            if v.is_zero(total):
                return total
        return total

    def _power(self, base: T.Term, exponent: T.Term, indices: Indices, scope: Scope) -> Scalar:
        number = poly.number(self.value(exponent, indices, scope), "a power with an exponent")
        count = v.whole(number)
        if isinstance(base, T.Pow) and base.exponent == T.HALF and count and count > 0 and count % 2 == 0:
            inside = self.value(base.base, indices, scope)
            if isinstance(inside, poly.Poly) and not_negative(base.base):
                return poly.power(inside, v.rational(count // 2), self.budget)
        return poly.power(self.value(base, indices, scope), number, self.budget)

    def _free_indices(self, term: T.Term) -> tuple[str, ...]:
        """The bound indices that a term depends on."""
        if id(term) not in self._indices:
            found: set[str] = set()
            match term:
                case T.Var(name, at):
                    found = {name}.union(*(position.names for position in at))
                case T.Delta(left, right):
                    found = {*left.names, *right.names}
                case T.Sum(index, low, high, body):
                    found = {*self._free_indices(body)} - {index} | low.names | high.names
                case _:
                    found = found.union(*map(self._free_indices, T.parts_of(term)))
            self._indices[id(term)] = term, tuple(sorted(name for name in found if name.startswith("%")))
        return self._indices[id(term)][1]
