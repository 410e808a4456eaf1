r"""Syntax to the typed tree, where print leaves out what the shapes say.

A product without a sign is `@` between matrices and `*` with a scalar; a power of a matrix is the matrix
power; plain bars are the Euclidean norm of a vector and the absolute value of a scalar. Of a matrix,
plain bars are refused: some write them for the Frobenius norm and some for the spectral one.
"""

from dataclasses import replace

from verifier.expr import nodes as N
from verifier.expr import syntax as S
from verifier.expr.elaborate import Elaborator
from verifier.expr.errors import ExprError, Span
from verifier.expr.nodes import ROWWISE
from verifier.expr.scope import Scope
from verifier.expr.tex.calculus import GRADIENT
from verifier.expr.tex.forms import EXPECTATION_OVER, PLAIN_NORM
from verifier.expr.tex.reader import POWER, PRODUCT, SCALAR_PRODUCT, respanned
from verifier.expr.tex.sums import EXTENT
from verifier.expr.tex.unsized import ends_unsized, is_unsized, sides, sized, with_last_sized
from verifier.expr.walk import symbols_in


class TexElaborator(Elaborator):
    """The language's own elaborator, with the three forms that print has more than it."""

    def __init__(self, scope: Scope, bars_are_frobenius: bool) -> None:
        super().__init__(scope)
        self.bars_are_frobenius = bars_are_frobenius

    def inside(self, scope: Scope) -> "TexElaborator":
        return TexElaborator(scope, self.bars_are_frobenius)

    def binary(self, span: Span, op: str, left: S.Syntax, right: S.Syntax) -> N.Node:
        if op not in (PRODUCT, SCALAR_PRODUCT, POWER):
            return super().binary(span, op, left, right)
        if op == PRODUCT and ends_unsized(left):
            left = with_last_sized(left, self.expression(right).shape.rows)
        if op == PRODUCT and is_unsized(right):
            right = sized(right, self.expression(left).shape.cols)
        a, b = self.expression(left), self.expression(right)
        self.no_infinity(left, a)
        self.no_infinity(right, b)
        if op == POWER:
            return self.power(span, a, b)
        scalar = a.shape.is_scalar or b.shape.is_scalar
        if op == SCALAR_PRODUCT and not scalar:
            raise ExprError("latex", r"\times between matrices is ambiguous", span, "leave it out")
        return N.Multiply(a, b) if scalar else N.MatMul(a, b)

    def relation(self, tree: S.Syntax) -> N.Relation | N.Within:
        match tree:
            case S.Compare(span, op, left, right) if is_unsized(left) != is_unsized(right):
                other = self.expression(right if is_unsized(left) else left).shape
                return super().relation(S.Compare(span, op, *sides(left, right, other)))
        return super().relation(tree)

    def power(self, span: Span, base: N.Node, exponent: N.Node) -> N.Node:
        if base.shape.is_scalar:
            return N.Power(base, exponent)
        if not base.shape.is_square:
            hint = r"an entrywise power is printed X^{\odot 2}"
            raise ExprError("latex", f"a power of a {base.shape} matrix", span, hint)
        if isinstance(exponent, N.Number) and exponent.value.denominator == 1 and exponent.value >= 1:
            return N.MatPower(base, exponent)
        raise ExprError("latex", "this power of a matrix is not in the claim language", span)

    def expectation_over(self, tree: S.Call) -> N.Node:
        r"""\mathbb{E}_{W}: the language averages over every random symbol, so these must be all of them."""
        whole, *names = (self.expression(part) for part in tree.args)
        assert isinstance(whole, N.Expectation)
        given = {part.name for part in whole.given if isinstance(part, N.Symbol | N.Member)}
        inside = symbols_in(whole.body)
        random = {
            name for name in inside if name in self.scope.symbols and self.scope.symbols[name].is_random
        }
        if {part.name for part in names if isinstance(part, N.Symbol)} != random - given:
            hint = f"the claim language averages over {', '.join(sorted(random)) or 'nothing here'}"
            raise ExprError("latex", "the expectation is over something else", tree.span, hint)
        return whole

    def gradient(self, tree: S.Call, in_norm: bool = False) -> N.Node:
        """The language's D is a Jacobian: a row for a vector, and of no shape for a matrix but in a norm."""
        body, variable = tree.args
        jacobian = super().call(S.Call(tree.span, "D", tree.name_span, (body, variable), ()))
        shape = self.expression(variable).shape
        if not self.expression(body).shape.is_scalar:
            hint = r"print a Jacobian as \frac{\partial y}{\partial x}"
            raise ExprError("latex", "a gradient of what is not a scalar", tree.span, hint)
        if shape.is_scalar or in_norm:
            return jacobian
        if shape.is_vector:
            return N.Transpose(jacobian)
        hint = "the language has the norm of a derivative, and its entries"
        raise ExprError("latex", "a gradient in the shape of a matrix", tree.span, hint)

    def row_wise(self, tree: S.Call) -> N.Node:
        """A softmax of a vector is that of its entries; of a matrix, of each row."""
        shape = self.expression(tree.args[0]).shape
        if not shape.is_vector or shape.is_scalar:
            return super().call(tree)
        return N.Transpose(super().call(replace(tree, args=(S.Transposed(tree.span, tree.args[0]),))))

    def extended(self, tree: S.Call) -> S.Call:
        """A sum whose range print leaves out runs over the entries that its index picks."""
        args = [
            self.extent(tree, part.args[0]) if isinstance(part, S.Call) and part.function == EXTENT else part
            for part in tree.args
        ]
        return S.Call(tree.span, tree.function, tree.name_span, tuple(args), tree.keywords)

    def extent(self, tree: S.Call, index: S.Syntax) -> S.Syntax:
        assert isinstance(index, S.Name)
        found: set[str] = set()
        todo: list[S.Syntax] = [tree.args[0]]
        while todo:
            part = todo.pop()
            todo += S.parts(part)
            if isinstance(part, S.Subscript):
                places = [
                    at
                    for at, item in enumerate(part.indices)
                    if isinstance(item, S.Name) and item.name == index.name
                ]
                found |= {self.size(part.arg, at) for at in places}
        if len(found) != 1 or "" in found:
            hint = r"write \sum_{i=1}^{n}"
            raise ExprError("latex", f"a sum without its range: where {index.name} ends", tree.span, hint)
        return respanned(S.parse(found.pop()), index.span)

    def size(self, arg: S.Syntax, place: int) -> str:
        """How many entries there are in this place; empty where that cannot be told."""
        if not isinstance(arg, S.Name):
            return ""
        declared = self.scope.symbols.get(arg.name)
        if declared is not None and declared.copies is not None:
            return str(declared.copies)
        shape = self.expression(arg).shape
        return str(shape.rows if place == 0 else shape.cols)

    def call(self, tree: S.Call) -> N.Node:
        if is_unsized(tree):
            hint = r"print its size: \mathbf{1}_n"
            raise ExprError("latex", "how many ones is not said", tree.span, hint)
        if tree.function == EXPECTATION_OVER:
            return self.expectation_over(tree)
        if tree.function in ("sum", "prod"):
            return super().call(self.extended(tree))
        if tree.function == GRADIENT:
            return self.gradient(tree)
        if tree.function in ROWWISE and len(tree.args) == 1:
            return self.row_wise(tree)
        norm = (tree.function == "norm" and len(tree.args) == 1) or tree.function == PLAIN_NORM
        if norm and isinstance(tree.args[0], S.Call) and tree.args[0].function == GRADIENT:
            return N.Norm(self.gradient(tree.args[0], in_norm=True))
        if tree.function not in (PLAIN_NORM, "|"):
            return super().call(tree)
        arg = self.expression(tree.args[0])
        if tree.function == "|":
            if arg.shape.is_scalar:
                return N.Apply("abs", (arg,))
            raise ExprError("latex", f"|...| of a {arg.shape} matrix is ambiguous", tree.span)
        if arg.shape.is_scalar or arg.shape.is_vector or self.bars_are_frobenius:
            return N.Norm(arg)
        hint = r"print \|...\|_F or \|...\|_2, or declare '\|\cdot\|': norm under `names:`"
        raise ExprError("latex", "plain bars around a matrix: Frobenius or spectral?", tree.span, hint)
