"""From trees to forms: every node as a sum of networks, or a refusal that says what is missing."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import final

from verifier.expr import nodes as N
from verifier.expr.dims import Dim
from verifier.expr.symbols import Dimension, IndexOf, Normal, Uniform
from verifier.expr.walk import expand_lets, substitute, walk
from verifier.prove.forms import matrix_forms as F
from verifier.prove.forms.declared_tensors import matrix, member
from verifier.prove.forms.functions_of_sums import apply, power_of, rowwise
from verifier.prove.forms.labels import col, renamed, row
from verifier.prove.forms.matrix_forms import Form
from verifier.prove.forms.refusal import OutOfTime, Refusal
from verifier.prove.forms.scalar_sums import exponent, inverse, power, root
from verifier.prove.forms.workspace import HERE, Workspace, is_constant
from verifier.prove.lower.covariances import Averaging
from verifier.prove.lower.jacobian_values import Jacobians
from verifier.prove.lower.lowering import rational
from verifier.prove.lower.subset_sums import Combinations
from verifier.prove.lower.threshold_events import event
from verifier.prove.networks import Sum

_MOST_TERMS = 4_000
_SCALAR_PARTS = (
    N.Number, N.Pi, N.Symbol, N.Index, N.Add, N.Subtract, N.Multiply, N.Divide, N.Negate, N.Power,
)  # fmt: skip


@final
@dataclass(eq=False)
class Lowering(Jacobians, Averaging, Combinations):
    """The lowering of every node."""

    # --- the dispatch -------------------------------------------------------------------------

    def value(self, node: N.Node) -> Form:
        self.clock.check()
        form = self._value(node)
        if len(form.value.terms) > _MOST_TERMS:
            raise OutOfTime
        return form

    def _value(self, node: N.Node) -> Form:
        match node:
            case N.Number(value):
                return F.scalar(self.space.scalar(value))
            case N.Pi():
                name = self.space.generator(("pi",), node)
                self.space.positive.add(name)
                self.space.nonnegative.add(name)
                return F.scalar(self.space.scalar(self.space.ring[name]))
            case N.Symbol():
                return self._symbol(node)
            case N.Member(name, _, index):
                declared = self.space.claim.symbols[name]
                assert declared.copies is not None
                return member(self.space, declared, self.label(index, self.space.space(declared.copies)))
            case N.Index(name):
                return self._position(*self.indices[name])
            case N.Let():
                return self._let(node)
            case N.Add(left, right):
                return self._entrywise(left, right, lambda a, b: a + b)
            case N.Subtract(left, right):
                return self._entrywise(left, right, lambda a, b: a - b)
            case N.Multiply(left, right):
                return self._entrywise(left, right, F.times)
            case N.Divide(left, N.Power(base, N.Number(k))) if self._is_logistic(base, k):
                return self._entrywise(left, base, lambda a, b: F.times(a, inverse(self.space, b) ** int(k)))
            case N.Divide(left, right):
                return self._entrywise(left, right, lambda a, b: F.times(a, inverse(self.space, b)))
            case N.Negate(arg):
                form = self.value(arg)
                return replace(form, value=form.value * -1)
            case N.Power(base, exponent):
                return self._power(base, exponent)
            case N.MatMul(left, right):
                first, second = F.align(self.space, self.value(left), "col", self.value(right), "row")
                return F.matmul(first, second)
            case N.MatPower(base, exponent):
                return self._matpower(base, exponent)
            case N.Transpose(arg):
                return F.transpose(self.value(arg))
            case N.Apply(function, args):
                return self._apply(function, args)
            case N.RowWise(function, arg):
                return rowwise(self.space, function, self.value(arg))
        return self._linear_algebra(node)

    def _linear_algebra(self, node: N.Node) -> Form:
        space = self.space
        match node:
            case N.Norm(_, "fro"):
                return F.scalar(root(space, self.squared_norm(node)))
            case N.Norm(arg, "2") if self.largest is not None:
                return F.scalar(self.largest(self, self.value(arg)))
            case N.Norm(arg, "1"):
                form = self._apply("abs", (arg,))
                return F.scalar(F.inner(form, replace(form, value=space.scalar(1))))
            case N.Norm(_, kind):
                raise Refusal(f"a closed form of norm(., {kind})")
            case N.Trace(arg):
                form = self.value(arg)
                first, _ = F.align(space, form, "row", F.transpose(form), "row")
                return F.scalar(F.trace(_square(space, first)))
            case N.Hafnian():
                return self.hafnian(node)
            case N.Inner(left, right):
                a, b = self.same(self.value(left), self.value(right))
                return F.scalar(F.inner(a, b))
            case N.Eye(size):
                axes = space.spaces(size)
                joints = [(row(k), col(k), s) for k, s in enumerate(axes)]
                return Form(F.delta(space, joints), axes, axes)
            case N.Ones(shape) | N.Zeros(shape):
                fill = space.scalar(1 if isinstance(node, N.Ones) else 0)
                return Form(fill, space.spaces(shape.rows), space.spaces(shape.cols))
            case N.DiagMatrix(arg):
                return F.diag_matrix(space, self.value(arg))
            case N.DiagPart(arg):
                return F.diag_part(_square(space, self.value(arg)))
            case N.Kron(left, right):
                return F.kron(self.value(left), self.value(right))
            case N.VecR(arg):
                return F.vec(self.value(arg))
            case N.Commutation(rows, cols):
                m, n = space.spaces(rows), space.spaces(cols)
                joints = [(row(k), col(len(n) + k), s) for k, s in enumerate(m)]
                joints += [(row(len(m) + k), col(k), s) for k, s in enumerate(n)]
                return Form(F.delta(space, joints), m + n, n + m)
        return self._indexed(node)

    def _indexed(self, node: N.Node) -> Form:
        match node:
            case N.Entry(arg, i, j):
                form = self.value(arg)
                moved = self.places(i, form.rows, row) | self.places(j, form.cols, col)
                return F.scalar(renamed(form.value, moved))
            case N.Row(arg, i):
                form = self.value(arg)
                return Form(renamed(form.value, self.places(i, form.rows, row)), (), form.cols)
            case N.BlockDiag(body, span, size):
                inner, (bound,) = self.binding((span,))
                if bound[1] != self.space.space(size):
                    raise Refusal("blocks over a part of their range")
                return F.nested(inner.value(body), bound[0], self.space, bound[1])
            case N.Sum(body, ranges, conditions):
                return self.total(body, ranges, conditions)
            case N.Product(body, ranges, conditions):
                return self.product(body, ranges, conditions)
            case N.SubsetSum():
                return self.subset_sum(node)
            case N.Derivative(of, variable):
                return self.derivative(of, variable)
            case N.Indicator(fact) if self.averaged:  # outside, events of probability zero count
                return F.scalar(event(self.integrator, fact, lambda node: self.value(node).value))
            case N.Expectation(body, given):
                return self.expected(replace(self, averaged=not given).settled_body(body), given)
            case N.Variance(body):
                return self.variance(replace(self, averaged=True).settled_body(body))
            case N.Covariance(left, right):
                inner = replace(self, averaged=True)
                return self.covariance(inner.settled_body(left), inner.settled_body(right))
        raise Refusal(f"a closed form of {_KINDS.get(type(node), type(node).__name__)}")

    # --- names --------------------------------------------------------------------------------

    def _symbol(self, symbol: N.Symbol) -> Form:
        space, name = self.space, symbol.name
        declared = space.claim.symbols.get(name)
        if declared is None:
            raise Refusal(f"the symbol {name}")
        match declared.kind:
            case Dimension() if name in space.dims or name not in space.scalar_tensors:
                return F.scalar(space.scalar(space.size(Dim.of(name))))
            case IndexOf(size):
                return self._position(name, space.space(size))
        value = self.substitution(name)
        if value is not None and not self.inside:
            return self.filled(self.value(value), declared.shape)
        if value is None and name in space.ring.names:
            return F.scalar(space.scalar(space.ring[name]))
        return matrix(space, name, declared, declared.shape)

    def _position(self, label: str, axis: str) -> Form:
        """An index as a number: the tensor whose entry i is i."""
        return self._weight(HERE, label, axis)

    def _weight(self, tree: N.Node, label: str, axis: str) -> Form:
        made = self.space.weight(tree, axis)
        return F.scalar(self.space.factor(made, (label.partition("@")[0],)))

    def _index_power(self, power: N.Power) -> Form:
        """base**i as an entry of a vector, for an index i of a sum and scalars that nothing replaces."""
        bare = expand_lets(power)
        given: dict[N.Node, N.Node] = {
            part: value
            for part in walk(bare)
            if isinstance(part, N.Symbol) and (value := self.substitution(part.name)) is not None
        }
        bare = substitute(bare, given)
        parts = list(walk(bare))
        places = {part.name for part in parts if isinstance(part, N.Index)}
        plain = all(isinstance(part, _SCALAR_PARTS) and part.shape.is_scalar for part in parts)
        random = any(isinstance(part, N.Symbol) and part.name in self.space.claim.random for part in parts)
        if (self.inside and given) or not plain or len(places) != 1 or random:
            raise Refusal("a power whose exponent is not a scalar symbol")
        (name,) = places
        return self._weight(substitute(bare, {N.Index(name): HERE}), *self.indices[name])

    def _let(self, let: N.Let) -> Form:
        assumed = self.assumed(let.name)
        if self.inside and (let.name in self.varied or assumed is not None):
            return matrix(self.space, f"_let_{let.name}", None, let.shape)
        key = (let.name, id(let.body), self.inside, self.averaged, self.varied)
        if key not in self.cache:
            outer = replace(self, indices={})
            self.cache[key] = self.filled(outer.value(assumed or let.body), let.shape)
        return self.cache[key]

    # --- arithmetic ---------------------------------------------------------------------------

    def same(self, left: Form, right: Form) -> tuple[Form, Form]:
        left, right = F.align(self.space, left, "row", right, "row")
        return F.align(self.space, left, "col", right, "col")

    def _entrywise(self, left: N.Node, right: N.Node, join: Callable[[Sum, Sum], Sum]) -> Form:
        a, b = self.value(left), self.value(right)
        if left.shape == right.shape:
            a, b = self.same(a, b)
        shape = a if not a.is_scalar else b
        return Form(join(a.value, b.value), shape.rows, shape.cols)

    def _is_logistic(self, base: N.Node, k: Fraction) -> bool:
        """Whether 1/base**k has a base 1 + exp(S), of which powers stay powers."""
        if k.denominator != 1 or not 2 <= k <= 8 or isinstance(self._bare(base), N.Norm):
            return False
        return exponent(self.space, self.value(base).value) is not None

    def _power(self, base: N.Node, exponent: N.Node) -> Form:
        bare = self._bare(base)
        raised = self.value(exponent).value
        amount = rational(raised)
        if base.shape.is_scalar and not is_constant(raised):
            return self._index_power(N.Power(base, exponent))
        if isinstance(bare, N.Norm) and bare.kind == "fro" and amount is not None and amount.denominator == 1:
            return F.scalar(power(self.space, self.squared_norm(bare), amount / 2))
        form = self.value(base)
        if amount is not None:
            return replace(form, value=power(self.space, form.value, amount))
        return replace(form, value=power_of(self.space, form.value, raised))

    def squared_norm(self, norm: N.Norm) -> Sum:
        """norm(A)**2 = sum_ij A[i, j]**2, which is the number of entries for rows of mean square 1"""
        bare, space = self._bare(norm.arg), self.space
        form = self.value(norm.arg)
        normed = isinstance(bare, N.RowWise) and bare.function in ("rmsnorm", "layernorm")
        if normed and self._is_smooth(bare):
            return space.scalar(space.size(bare.shape.rows) * space.size(bare.shape.cols))
        return F.inner(form, form)

    def _is_smooth(self, node: N.Node) -> bool:
        """Whether no draw of positive probability is special: densities alone, and no kinks."""
        random = self.space.claim.random
        names = {x.name for x in walk(node) if isinstance(x, N.Symbol | N.Member) and x.name in random}
        kinked = any(isinstance(x, N.Apply) and x.function in ("relu", "min", "max") for x in walk(node))
        kinds = [self.space.claim.symbols[name].kind for name in names if name in self.space.claim.symbols]
        return not names or (not kinked and all(isinstance(kind, Normal | Uniform) for kind in kinds))

    def _bare(self, node: N.Node) -> N.Node:
        """What a name stands for, where nothing is assumed of it and no derivative is taken by it."""
        while isinstance(node, N.Let) and not self._is_held(node) and self.assumed(node.name) is None:
            node = node.body
        return node

    def _is_held(self, let: N.Let) -> bool:
        return self.inside and let.name in self.varied

    def _matpower(self, base: N.Node, exponent: N.Node) -> Form:
        amount = rational(self.value(exponent).value)
        if amount is None or amount.denominator != 1 or not 0 <= amount <= 64:
            raise Refusal("a matrix power whose exponent is not a small whole number")
        form = _square(self.space, self.value(base))
        joints = [(row(k), col(k), s) for k, s in enumerate(form.rows)]
        result = Form(F.delta(self.space, joints), form.rows, form.rows)
        for _ in range(int(amount)):
            result = F.matmul(result, form)
        return result

    def _apply(self, function: str, args: tuple[N.Node, ...]) -> Form:
        values = [self.value(arg) for arg in args]
        wide = next((form for form in values if not form.is_scalar), values[0])
        return replace(wide, value=apply(self.space, function, [form.value for form in values]))


def _square(space: Workspace, form: Form) -> Form:
    """A square form with its rows and columns written as the same tuple."""
    if form.rows == form.cols:
        return form
    first, second = F.align(space, form, "row", F.transpose(form), "row")
    return first if first.rows == first.cols else F.transpose(second)


_KINDS: dict[type[N.Node], str] = {
    N.Limit: "a limit",
    N.Extreme: "a supremum or infimum",
    N.Growth: "a rate of growth",
    N.Order: "an order of magnitude",
    N.After: "the state after layers",
    N.Called: "an arbitrary function",
    N.Infinity: "oo",
}
