"""Syntax to the typed tree: names resolved, shapes checked, every error at its place."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr import syntax as S
from verifier.expr.calls import CALLS, Builder
from verifier.expr.dims import Dim
from verifier.expr.errors import ExprError, ShapeError, Span
from verifier.expr.functions import USAGE
from verifier.expr.reach import at_least, outside, polynomial
from verifier.expr.scope import Scope, unknown_name
from verifier.expr.sizes import excess
from verifier.expr.symbols import Declared, Dimension, FixedKind, Function, IndexOf, Integer, Sequence

_ENTRYWISE: dict[str, Callable[[N.Node, N.Node], N.Node]] = {
    "+": N.Add,
    "-": N.Subtract,
    "*": N.Multiply,
    "/": N.Divide,
    "@": N.MatMul,
    "**": N.Power,
}


def elaborate(tree: S.Syntax, scope: Scope) -> N.Node:
    """The typed tree of an expression."""
    return Elaborator(scope).expression(tree)


def elaborate_fact(tree: S.Syntax, scope: Scope) -> N.Fact:
    """The typed tree of a relation, `all(...)` or `independent(...)`."""
    return Elaborator(scope).fact(tree)


class Elaborator(Builder):
    """One pass over the syntax in one scope."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def inside(self, scope: Scope) -> "Elaborator":
        return Elaborator(scope)

    # -- facts

    def fact(self, tree: S.Syntax) -> N.Fact:
        match tree:
            case S.Call(span, "independent", _, args, ()):
                left, right = self.arguments("independent", span, args, 2)
                return N.Independent(left, right)
            case S.Call(_, "all", _, (body, *rest), ()) if self.over_values(rest):
                return self.every(body, rest)
            case S.Call(_, "all", _, (body, *rest), ()) if rest:
                ranges, conditions, scope = self.binders(rest, tree.span)
                return N.ForAll(self.inside(scope).relation(body), ranges, conditions)
        return self.relation(tree)

    def over_values(self, bound: list[S.Syntax]) -> bool:
        """Whether all(..., eps) runs over the values of symbols: an index is a new name with two ends."""
        if not bound or not isinstance(bound[0], S.Name):
            return False
        declared = self.scope.symbols.get(bound[0].name)
        if declared is None or len(bound) == 1:
            return declared is not None
        names = all(isinstance(item, S.Name) for item in bound)
        return not isinstance(declared.kind, IndexOf if names else Dimension | IndexOf | Integer)

    def every(self, body: S.Syntax, names: list[S.Syntax]) -> N.Fact:
        """all(relation, eps): for every value of fixed symbols, whatever values a claim gives them."""
        over: list[N.Symbol] = []
        for tree in names:
            declared = self.scope.symbols.get(tree.name) if isinstance(tree, S.Name) else None
            if declared is None or declared.copies is not None or not isinstance(declared.kind, FixedKind):
                hint = "for example all(f(eps) >= 0, eps), with eps declared; of an index, all(..., i, 1, n)"
                raise ExprError("quantifier", "`all` runs over fixed symbols here", tree.span, hint)
            over.append(N.Symbol(declared.name, declared.shape))
        bound = {symbol.name for symbol in over}
        kept = {name: value for name, value in self.scope.values.items() if name not in bound}
        inner = self.inside(replace(self.scope, values=kept)).relation(body)
        return N.Every(inner, tuple(over))

    def relation(self, tree: S.Syntax) -> N.Relation | N.Within:
        match tree:
            case S.Compare(span, "in", left, S.Listing(_, (low, high))):
                parts = [self.expression(part) for part in (left, low, high)]
                return self.shaped(span, lambda: N.Within(*parts))
            case S.Compare(span, op, left, right):
                sides = self.expression(left), self.expression(right)
                self.no_infinity(left, sides[0])
                # `f < oo` says that f is finite, `E(f) == oo` that a mean is not; nothing else is compared
                # with infinity.
                infinite = op == "==" and isinstance(sides[0], N.Expectation | N.Variance)
                if not ((op == "<" or infinite) and isinstance(sides[1], N.Infinity)):
                    self.no_infinity(right, sides[1])
                return self.shaped(span, lambda: N.Relation(op, *sides))  # type: ignore[arg-type]
        raise ExprError(
            "not-a-relation",
            "this states nothing: a relation is expected",
            tree.span,
            "compare two sides with ==, <=, >=, <, > or `in [a, b]`",
        )

    def condition(self, tree: S.Compare) -> N.Condition:
        if tree.op == "in":
            raise ExprError("syntax", "a condition on indices is a comparison such as j != i", tree.span)
        left, right = self.expression(tree.left), self.expression(tree.right)
        return N.Condition(tree.op, left, right)  # type: ignore[arg-type]

    # -- expressions

    def expression(self, tree: S.Syntax) -> N.Node:
        try:
            node = self.node(tree)
            # Some shapes are worked out only when asked for.
            _ = node.shape
        except ShapeError as error:
            raise ExprError("shape", str(error), tree.span, error.hint) from None
        reason = excess(node)
        if reason is not None:
            raise ExprError("too-large", reason, tree.span)
        return node

    def node(self, tree: S.Syntax) -> N.Node:
        match tree:
            case S.Literal(_, text):
                return N.Number(Fraction(int(text)) if text.isdigit() else Fraction(text))
            case S.Name(span, name):
                return self.scope.lookup(name, span)
            case S.Unary(_, _, arg):
                inner = self.expression(arg)
                return N.Number(-inner.value) if isinstance(inner, N.Number) else N.Negate(inner)
            case S.Binary(span, op, left, right):
                return self.binary(span, op, left, right)
            case S.Transposed(_, arg):
                return N.Transpose(self.expression(arg))
            case S.Subscript(span, arg, indices):
                return self.subscript(span, arg, indices)
            case S.Call():
                return self.call(tree)
            case S.Compare(span):
                raise ExprError("syntax", "a relation inside an expression", span)
            case S.Listing(span):
                raise ExprError("syntax", "an interval stands only after `in`", span)
        raise AssertionError(f"not a syntax node: {tree!r}")

    def binary(self, span: Span, op: str, left: S.Syntax, right: S.Syntax) -> N.Node:
        a, b = self.expression(left), self.expression(right)
        self.no_infinity(left, a)
        self.no_infinity(right, b)
        if op == "@" and (a.shape.is_scalar or b.shape.is_scalar) and a.shape.cols != b.shape.rows:
            raise ExprError("shape", f"cannot @ {a.shape} and {b.shape}", span, "a scalar multiplies with *")
        # 1/3 is a number, so that exact constants have one form.
        if op == "/" and isinstance(a, N.Number) and isinstance(b, N.Number):
            if b.value == 0:
                raise ExprError("division-by-zero", "division by zero", span)
            return N.Number(a.value / b.value)
        return _ENTRYWISE[op](a, b)

    def call(self, tree: S.Call) -> N.Node:
        declared = self.scope.symbols.get(tree.function)
        if declared is not None and isinstance(declared.kind, Function):
            return self.called(tree, declared)
        build = CALLS.get(tree.function)
        taken = tree.function in {*self.scope.symbols, *self.scope.lets, "pi", "oo"}
        if build is None or taken:
            if tree.function in ("all", "independent"):
                raise ExprError("syntax", f"{tree.function}(...) states a fact", tree.span, "use it alone")
            if taken:
                hint = "products are written with * or @, entries with [i, j]"
                raise ExprError("syntax", f"{tree.function} is not a function", tree.name_span, hint)
            raise unknown_name(tree.function, tree.name_span, USAGE)
        if tree.keywords and tree.function not in ("E", "P"):
            key = tree.keywords[0]
            raise ExprError("syntax", f"{tree.function} has no option {key.name!r}", key.span)
        return build(self, tree)

    def called(self, tree: S.Call, function: Declared) -> N.Node:
        """f(Y) of a declared function: one argument, of the declared shape."""
        if len(tree.args) != 1 or tree.keywords:
            raise ExprError("arity", f"{function.name} is a function of one argument", tree.span)
        arg = self.expression(tree.args[0])
        if arg.shape != function.shape:
            message = f"{function.name} is a function of {function.shape}, and this is {arg.shape}"
            raise ExprError("shape", message, tree.args[0].span)
        return N.Called(function.name, arg)

    def subscript(self, span: Span, arg: S.Syntax, indices: tuple[S.Syntax, ...]) -> N.Node:
        positions = [self.expression(index) for index in indices]
        for index, position in zip(indices, positions, strict=True):
            if not position.shape.is_scalar:
                raise ExprError("shape", f"an index is a scalar, not {position.shape}", index.span)
        if isinstance(arg, S.Name):
            declared = self.scope.symbols.get(arg.name) if arg.name not in self.scope.lets else None
            if declared is not None and isinstance(declared.kind, Sequence):
                return self.of_sequence(declared, positions, indices, span)
            if declared is not None and declared.copies is not None:
                return self.member(declared, positions, indices, span)
            if arg.name in self.scope.layered and arg.name not in self.scope.lets:
                return self.of_layer(self.scope.layered[arg.name], positions, indices, span)
        return self.entry(self.expression(arg), positions, indices, span)

    def member(
        self, family: Declared, positions: list[N.Node], indices: tuple[S.Syntax, ...], span: Span
    ) -> N.Node:
        assert family.copies is not None
        if len(positions) != 1:
            hint = f"first the copy, then the entry: {family.name}[h][i, j]"
            raise ExprError("family", f"{family.name} is a family; one index picks a copy", span, hint)
        self.in_bounds(positions[0], family.copies, indices[0].span)
        return N.Member(family.name, family.shape, positions[0])

    def of_sequence(
        self, sequence: Declared, positions: list[N.Node], indices: tuple[S.Syntax, ...], span: Span
    ) -> N.Node:
        """Y[i]: a sequence counts from 0."""
        name = sequence.name
        if len(positions) != 1:
            hint = f"first the member, then the entry: {name}[i][j, k]"
            raise ExprError("family", f"{name} is a sequence; one index picks a member", span, hint)
        place = polynomial(positions[0], self.scope)
        if place is None:
            hint = "it is built from dimensions, indices and whole numbers"
            raise ExprError("index", f"an index of {name} is a whole number", indices[0].span, hint)
        if at_least(Dim(()) - place, 1):
            hint = "a sequence counts from 0"
            raise ExprError("index", f"index {place} is before the first member", indices[0].span, hint)
        return N.Member(name, sequence.shape, positions[0])

    def of_layer(
        self, drawn: Declared, positions: list[N.Node], indices: tuple[S.Syntax, ...], span: Span
    ) -> N.Node:
        """W[l]: what layer l drew, counted from 1."""
        if drawn.copies is not None:
            message = f"{drawn.name} is a family in each layer; one copy of one layer has no name"
            raise ExprError("family", message, span)
        if len(positions) != 1:
            hint = f"first the layer, then the entry: {drawn.name}[l][i, j]"
            raise ExprError("layers", f"each layer has its own {drawn.name}", span, hint)
        self.whole(positions[0], indices[0].span)
        return N.Member(drawn.name, drawn.shape, positions[0])

    def entry(
        self, base: N.Node, positions: list[N.Node], indices: tuple[S.Syntax, ...], span: Span
    ) -> N.Node:
        shape = base.shape
        if len(positions) > 2:
            raise ExprError("syntax", "a matrix has two indices", span)
        self.in_bounds(positions[0], shape.rows, indices[0].span)
        if len(positions) == 2:
            self.in_bounds(positions[1], shape.cols, indices[1].span)
            return N.Entry(base, positions[0], positions[1])
        if shape.is_vector:
            return N.Entry(base, positions[0], N.Number(Fraction(1)))
        return N.Row(base, positions[0])

    # -- checks

    def in_bounds(self, position: N.Node, size: Dim, span: Span) -> None:
        """Indices are 1-based; one that is outside its range whatever the sizes are is a slip."""
        if not isinstance(position, N.Number):
            where = outside(position, size, self.scope)
            if where is not None:
                raise ExprError("index", f"{where} is outside 1..{size}", span, "indices count from 1")
            return
        constant = size.constant
        whole = position.value.denominator == 1
        if not whole or position.value < 1 or (constant is not None and position.value > constant):
            hint = "indices count from 1"
            if constant == 1 and whole and position.value > 1:
                hint = "this has one row: write [1, j]"
            raise ExprError("index", f"index {position.value} is outside 1..{size}", span, hint)

    def whole(self, position: N.Node, span: Span) -> None:
        if isinstance(position, N.Number) and (position.value.denominator != 1 or position.value < 1):
            raise ExprError("index", f"there is no layer {position.value}", span, "layers count from 1")

    def no_infinity(self, tree: S.Syntax, node: N.Node) -> None:
        inner = node.arg if isinstance(node, N.Negate) else node
        if isinstance(inner, N.Infinity):
            hint = "it stands in limit(expr, L, oo), sum(expr, i, 1, oo), norm(v, oo) and interval(a, oo)"
            raise ExprError("infinity", "oo is not a value to compute with", tree.span, hint)
