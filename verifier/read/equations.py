"""Formulas to rules about shapes: one visit per node, no name looked at for its letters."""

from collections.abc import Mapping

from verifier.expr import syntax as S
from verifier.expr.dims import ONE, SCALAR, Dim
from verifier.expr.elaborate import Elaborator
from verifier.expr.errors import ExprError, Span
from verifier.expr.functions import RESERVED, USAGE
from verifier.expr.nodes import UNARY
from verifier.expr.scope import Scope, suggestion
from verifier.expr.symbols import Declared, Dimension, Function
from verifier.expr.tex.calculus import GRADIENT
from verifier.expr.tex.forms import PLAIN_NORM
from verifier.expr.tex.reader import POWER, PRODUCT, SCALAR_PRODUCT
from verifier.read.indices import Bound, Indices
from verifier.read.rules import Compared, Entrywise, Rule, SideBySide, Squared
from verifier.read.shaped import SHAPED, Uses
from verifier.read.sizes import Place, Sizes, Unknown
from verifier.read.solve import Ranged
from verifier.read.trees import is_constant, names_in, word

# Functions whose value has the shape of their first argument.
_KEEPING = ("E", "Var", "O", "Omega", "Theta", "limit", "sup", "inf", *UNARY)
_BINDING = ("sum", "prod")
_SQUARE = ("tr", "hafnian", "matpow")


class Equations(Indices):
    """The rules of a set of formulas, and the shape of each of their nodes."""

    def __init__(self, declared: Mapping[str, Declared], lets: Mapping[str, S.Syntax], strict: bool) -> None:
        self.sizes = Sizes()
        self.rules: list[Rule] = []
        self.ranged: list[Ranged] = []
        self.uses = Uses()
        self.shapes: dict[int, Unknown] = {}
        self.extents: dict[int, int] = {}
        self.declared, self.lets, self.strict = declared, lets, strict
        self.formula = 0
        self.bound: Bound = {}

    # -- one formula

    def add(self, tree: S.Syntax, formula: int) -> None:
        self.formula, self.bound = formula, {}
        self.visit(tree)

    def place(self, span: Span) -> Place:
        return Place(self.formula, span)

    def visit(self, tree: S.Syntax, role: str = "") -> Unknown:
        shape = self.shape(tree, role)
        self.shapes[id(tree)] = shape
        return shape

    def shape(self, tree: S.Syntax, role: str) -> Unknown:
        place = self.place(tree.span)
        match tree:
            case S.Literal():
                return self.scalar()
            case S.Name(_, name):
                return self.name(name, place, role)
            case S.Unary(_, _, arg):
                return self.visit(arg, role)
            case S.Binary(_, op, left, right):
                return self.binary(op, left, right, place)
            case S.Transposed(_, arg):
                inner = self.visit(arg, "it is transposed")
                self.sizes.widen(*inner)
                return inner.transposed
            case S.Subscript(_, arg, indices):
                return self.subscript(arg, indices, place)
            case S.Call():
                return self.call(tree, place)
            case S.Compare(_, op, left, right):
                return self.compare(op, left, right, place)
            case S.Listing(_, items):
                for item in items:
                    self.visit(item)
                return self.scalar()
            case S.Keyword(_, _, value):
                return self.visit(value)
        raise AssertionError(f"not a syntax node: {tree!r}")

    # -- names

    def name(self, name: str, place: Place, role: str) -> Unknown:
        if name in self.bound or name in ("pi", "oo"):
            return self.scalar()
        if name in self.declared:
            known = self.declared[name]
            return self.fixed(known.shape.rows, known.shape.cols)
        if name in RESERVED:
            hint = f"call it: {USAGE[name]}" if name in USAGE else "choose another name"
            raise ExprError("reserved", f"{name!r} is reserved", place.span, hint)
        if name not in self.uses.shapes:
            self.uses.shapes[name] = self.sizes.shape()
            self.uses.first[name] = place
            if name in self.lets:
                self.let(name, place)
        if role:
            self.uses.roles.setdefault(name, {}).setdefault(role, place)
        return self.uses.shapes[name]

    def let(self, name: str, place: Place) -> None:
        """A named expression has the shape of what it stands for; bound names do not reach into it."""
        outside, self.bound = self.bound, {}
        self.sizes.same(self.uses.shapes[name], self.visit(self.lets[name]), place)
        self.bound = outside

    def is_free(self, name: str) -> bool:
        return name not in {*self.bound, *self.declared, *self.lets, *RESERVED}

    # -- operators

    def binary(self, op: str, left: S.Syntax, right: S.Syntax, place: Place) -> Unknown:
        match op:
            case "@":
                a = self.visit(left, "it is a factor of a matrix product")
                b = self.visit(right, "it is a factor of a matrix product")
                self.sizes.widen(*a, *b)
                self.sizes.join(a.cols, b.rows, place)
                return Unknown(a.rows, b.cols)
            case "**":
                base, exponent = self.visit(left), self.visit(right)
                self.sizes.make_scalar(exponent, place)
                return base
            case _ if op == POWER:
                base, exponent = self.visit(left), self.visit(right)
                self.sizes.make_scalar(exponent, place)
                self.rules.append(Squared(place, base))
                return base
            case _ if op in (PRODUCT, SCALAR_PRODUCT):
                out = self.sizes.shape()
                a, b = self.visit(left), self.visit(right)
                self.rules.append(SideBySide(place, out, a, b))
                return out
            case "+" | "-":
                return self.entrywise(left, right, place, 2)
            case "/":
                return self.entrywise(left, right, place, 1)
            case "*":
                return self.entrywise(left, right, place, 0)
        raise AssertionError(f"not an operator: {op}")

    def entrywise(self, left: S.Syntax, right: S.Syntax, place: Place, takes: int) -> Unknown:
        parts = self.visit(left), self.visit(right)
        out = self.sizes.shape()
        self.rules.append(Entrywise(place, out, parts, parts[:takes]))
        return out

    def compare(self, op: str, left: S.Syntax, right: S.Syntax, place: Place) -> Unknown:
        sides = [right] if op != "in" or not isinstance(right, S.Listing) else list(right.items)
        shape = self.visit(left)
        for side in sides:
            constants = is_constant(left), is_constant(side)
            self.rules.append(Compared(place, shape, self.visit(side), constants, self.strict))
        return self.scalar()

    # -- calls

    def call(self, tree: S.Call, place: Place) -> Unknown:
        name = tree.function
        known = self.declared.get(name)
        if known is not None and isinstance(known.kind, Function):
            for arg in tree.args:
                self.sizes.same(self.visit(arg), self.fixed(known.shape.rows, known.shape.cols), place)
            return self.scalar()
        if name in (PLAIN_NORM, "|", "norm", "inner", *_SQUARE):
            return self.measured(tree, place)
        if name in ("eye", "ones", "zeros", "commutation"):
            return self.constant(tree)
        if name in _BINDING or name == "all":
            return self.repeated(tree, place)
        if name in _KEEPING or name in ("P", "indicator"):
            return self.keeping(tree, place)
        if name == GRADIENT and len(tree.args) == 2:
            self.visit(tree.args[0])
            return self.visit(tree.args[1])
        build = SHAPED.get(name)
        if build is None:
            if name in USAGE:
                raise ExprError("inference", f"no shapes are inferred through {name}(...)", tree.name_span,
                                "declare every symbol")  # fmt: skip
            hint = suggestion(name, USAGE)
            hint = hint or f"declare it, for example {name}: function(n), or write a product with * or @"
            raise ExprError("unknown-name", f"{name} is no function of the language", tree.name_span, hint)
        return build(self, tree, place)

    def measured(self, tree: S.Call, place: Place) -> Unknown:
        """Numbers made of matrices; of a power, the matrix."""
        name = tree.function
        role = f"it stands in {'bars' if name in (PLAIN_NORM, '|') else name}"
        shapes = [self.visit(arg, role) for arg in tree.args]
        first = shapes[0] if shapes else self.scalar()
        if name == "|":
            self.sizes.make_scalar(first, place)
        elif name in _SQUARE:
            self.sizes.widen(*first)
            self.sizes.join(first.rows, first.cols, place)
        elif name == "norm" and len(tree.args) == 2 and word(tree.args[1]) in ("1", "oo"):
            self.sizes.widen(first.rows)
            self.sizes.bind(first.cols, ONE, place)
        else:
            self.sizes.widen(*first)
        if name == "inner" and len(shapes) == 2:
            self.sizes.same(first, shapes[1], place)
        return first if name == "matpow" else self.scalar()

    def constant(self, tree: S.Call) -> Unknown:
        rows = self.extent(tree.args[0]) if tree.args else None
        if rows is not None:  # a column of ones, or an identity, whose size is not printed
            self.sizes.widen(rows)
            return Unknown(rows, rows if tree.function == "eye" else self.sizes.new(ONE))
        dims = [self.dimension(arg) for arg in tree.args]
        if tree.function == "commutation" and len(dims) == 2:
            return self.fixed(dims[0] * dims[1], dims[0] * dims[1])
        if not dims:
            raise ExprError("arity", "of which size?", tree.span, f"usage: {USAGE[tree.function]}")
        return self.fixed(dims[0], dims[-1] if tree.function == "eye" or len(dims) == 2 else ONE)

    def dimension(self, tree: S.Syntax) -> Dim:
        """A size as written; the names in it are dimensions."""
        names = {name for name in names_in(tree) if self.is_free(name)}
        known = {name: Declared(name, Dimension(), SCALAR) for name in names}
        found = Elaborator(Scope(symbols={**self.declared, **known})).dimension(tree)
        self.uses.dimensions |= names
        for name in sorted(names):
            shape = self.name(name, self.place(tree.span), "it is a size")
            self.sizes.make_scalar(shape, self.place(tree.span))
        return found

    def keeping(self, tree: S.Call, place: Place) -> Unknown:
        first, *others = [self.visit(arg) for arg in tree.args] or [self.scalar()]
        for keyword in tree.keywords:
            self.visit(keyword)
        if tree.function == "limit":
            for other in others:
                self.sizes.make_scalar(other, place)
        return self.scalar() if tree.function in ("P", "indicator") else first
