"""From trees to forms: every node as a sum of networks, or a refusal that says what is missing."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import count

from verifier.expr import nodes as N
from verifier.expr.dims import Dim, Shape
from verifier.expr.symbols import Dimension, IndexOf, Integer
from verifier.expr.walk import children, substitute
from verifier.symbolic import forms as F
from verifier.symbolic.clock import Clock
from verifier.symbolic.calculus import Derivation, softmax_slope
from verifier.symbolic.expectation import Integrator
from verifier.symbolic.forms import Form
from verifier.symbolic.functions import apply, power_of, reapplied, rowwise
from verifier.symbolic.labels import by, col, renamed, row, slot, summed
from verifier.symbolic.network import Sum, Tensor
from verifier.symbolic.network.ring import to_fraction
from verifier.symbolic.opaque import Opaque
from verifier.symbolic.refusal import OutOfTime, Refusal
from verifier.symbolic.scalars import inverse, power, root
from verifier.symbolic.splice import replaced
from verifier.symbolic.tensors import matrix, member, sides
from verifier.symbolic.workspace import Workspace, constant, is_constant

_MOST_TERMS = 4_000
_EXPANDED_RANGE = 12
Bound = tuple[str, str]  # label, space


@dataclass(eq=False)
class Lowering:
    """One reading of a claim's trees.

    inside: within a derivative, names whose value enters only afterwards (the `let` that is varied,
    those with an assumed value, and symbols that an assumption substitutes) stay as they are.
    varied, symbols: the `let` names and the symbols that derivatives around are taken by.
    """

    space: Workspace
    integrator: Integrator
    clock: Clock
    indices: Mapping[str, Bound] = field(default_factory=dict)
    inside: bool = False
    varied: frozenset[str] = frozenset()
    symbols: frozenset[str] = frozenset()
    cache: dict[object, Form] = field(default_factory=dict)
    fresh: "count[int]" = field(default_factory=count)

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
            case N.Norm(_, kind):
                raise Refusal(f"a closed form of norm(., {kind})")
            case N.Trace(arg):
                form = self.value(arg)
                first, _ = F.align(space, form, "row", F.transpose(form), "row")
                return F.scalar(F.trace(_square(space, first)))
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
                moved = self._places(i, form.rows, row) | self._places(j, form.cols, col)
                return F.scalar(renamed(form.value, moved))
            case N.Row(arg, i):
                form = self.value(arg)
                return Form(renamed(form.value, self._places(i, form.rows, row)), (), form.cols)
            case N.BlockDiag(body, span, size):
                inner, (bound,) = self.binding((span,))
                if bound[1] != self.space.space(size):
                    raise Refusal("blocks over a part of their range")
                return F.nested(inner.value(body), bound[0], self.space, bound[1])
            case N.Sum(body, ranges, conditions):
                return self._sum(body, ranges, conditions)
            case N.Product(body, ranges, conditions):
                return self._product(body, ranges, conditions)
            case N.Derivative(of, variable):
                return self._derivative(of, variable)
            case N.Expectation(body, given):
                return self._expectation(self._settled(body), given)
            case N.Variance(body):
                form = self._settled(body)
                mean = self._expectation(form, ()).value
                square = self._expectation(replace(form, value=form.value * form.value), ()).value
                return replace(form, value=square - mean * mean)
            case N.Covariance(left, right):
                return self._covariance(self._settled(left), self._settled(right))
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
        value = _substitution(space, name)
        if value is not None and not self.inside:
            return self._filled(self.value(value), declared.shape)
        if value is None and name in space.ring.names:
            return F.scalar(space.scalar(space.ring[name]))
        return matrix(space, name, declared, declared.shape)

    def _position(self, label: str, axis: str) -> Form:
        """An index as a number: the tensor whose entry i is i."""
        made = self.space.declare(Tensor(f"_position_{_word(axis)}", (axis,)))
        return F.scalar(self.space.factor(made, (label.partition("@")[0],)))

    def _let(self, let: N.Let) -> Form:
        assumed = _assumed(self.space, let.name)
        if self.inside and (let.name in self.varied or assumed is not None):
            return matrix(self.space, f"_let_{let.name}", None, let.shape)
        key = (let.name, id(let.body), self.inside, self.varied)
        if key not in self.cache:
            outer = replace(self, indices={})
            self.cache[key] = self._filled(outer.value(assumed or let.body), let.shape)
        return self.cache[key]

    def _filled(self, form: Form, shape: Shape) -> Form:
        """A scalar value for a whole matrix."""
        if form.is_scalar and not shape.is_scalar:
            return Form(form.value, self.space.spaces(shape.rows), self.space.spaces(shape.cols))
        return form

    # --- arithmetic ---------------------------------------------------------------------------

    def same(self, left: Form, right: Form) -> tuple[Form, Form]:
        left, right = F.align(self.space, left, "row", right, "row")
        return F.align(self.space, left, "col", right, "col")

    def _entrywise(self, left: N.Node, right: N.Node, join: "object") -> Form:
        a, b = self.value(left), self.value(right)
        if left.shape == right.shape:
            a, b = self.same(a, b)
        shape = a if not a.is_scalar else b
        return Form(join(a.value, b.value), shape.rows, shape.cols)  # type: ignore[operator]

    def _power(self, base: N.Node, exponent: N.Node) -> Form:
        bare = base
        while isinstance(bare, N.Let) and not self._is_held(bare) and _assumed(self.space, bare.name) is None:
            bare = bare.body
        raised = self.value(exponent).value
        amount = _number(raised)
        if isinstance(bare, N.Norm) and bare.kind == "fro" and amount is not None and amount.denominator == 1:
            return F.scalar(power(self.space, self.squared_norm(bare), amount / 2))
        form = self.value(base)
        if amount is not None:
            return replace(form, value=power(self.space, form.value, amount))
        return replace(form, value=power_of(self.space, form.value, raised))

    def squared_norm(self, norm: N.Norm) -> Sum:
        """norm(A)**2 = sum_ij A[i, j]**2"""
        form = self.value(norm.arg)
        return F.inner(form, form)

    def _is_held(self, let: N.Let) -> bool:
        return self.inside and let.name in self.varied

    def _matpower(self, base: N.Node, exponent: N.Node) -> Form:
        amount = _number(self.value(exponent).value)
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

    # --- indices ------------------------------------------------------------------------------

    def label(self, node: N.Node, axis: str) -> str:
        """The open index that an index expression names, on an axis of this space."""
        match node:
            case N.Index(name):
                label, bound = self.indices[name]
                if bound != axis:
                    raise Refusal(f"an index over {bound} positions on a side of size {axis}")
                return label
            case N.Number(value) if value.denominator == 1:
                size = self.space.space_dims[axis].constant
                if value < 1 or (size is not None and value > size):
                    raise Refusal(f"position {value} on a side of size {axis}")
                return str(value)
            case N.Symbol(name):
                declared = self.space.claim.symbols[name]
                if isinstance(declared.kind, IndexOf):
                    value = _substitution(self.space, name)
                    if value is not None:
                        return self.label(value, axis)
                    if self.space.space(declared.kind.size) != axis:
                        raise Refusal(f"the index {name} on a side of size {axis}")
                    return name
                if isinstance(declared.kind, Dimension) and self.space.spaces(Dim.of(name)) == (axis,):
                    return f"_last_{_word(axis)}"
            case N.Let(_, body):
                return self.label(body, axis)
        raise Refusal("an index that is not a plain index")

    def _places(self, node: N.Node, axes: F.Spaces, make: "object") -> dict[str, str]:
        """Where an index expression stands on a side, as new labels of its axes."""
        if not axes:
            return {}
        if len(axes) == 1:
            return {make(0): self.label(node, axes[0])}  # type: ignore[operator]
        match node, axes:
            case N.Add(N.Multiply(N.Subtract(first, N.Number(Fraction(numerator=1, denominator=1))), size), second), (a, b):
                if self._dim(size) == self.space.space_dims[b]:
                    return {make(0): self.label(first, a), make(1): self.label(second, b)}  # type: ignore[operator]
        raise Refusal("a row of a matrix whose rows are pairs")

    def _dim(self, node: N.Node) -> Dim | None:
        """A tree as a dimension, if it is a polynomial in dimensions."""
        match node:
            case N.Number(value) if value.denominator == 1:
                return Dim.of(int(value))
            case N.Symbol(name) if isinstance(self.space.claim.symbols[name].kind, Dimension | Integer):
                return Dim.of(name).replace(self.space.dims)
            case N.Let(_, body):
                return self._dim(body)
            case N.Add(left, right) | N.Subtract(left, right) | N.Multiply(left, right):
                a, b = self._dim(left), self._dim(right)
                if a is None or b is None:
                    return None
                return a + b if isinstance(node, N.Add) else a - b if isinstance(node, N.Subtract) else a * b
        return None

    def binding(self, ranges: tuple[N.Range, ...]) -> tuple["Lowering", list[Bound]]:
        """The lowering inside a sum over full ranges 1..n, and the labels that it binds."""
        bound: list[Bound] = []
        inner = dict(self.indices)
        for span in ranges:
            size = self._dim(span.high)
            if _as_number(span.low) != 1 or size is None:
                raise Refusal("a sum over a part of a range")
            inner[span.index] = (f"_i{next(self.fresh)}", self.space.space(size))
            bound.append(inner[span.index])
        return replace(self, indices=inner), bound

    def _sum(self, body: N.Node, ranges: tuple[N.Range, ...], conditions: tuple[N.Condition, ...]) -> Form:
        for span in ranges:
            values = self._constant_range(span)
            if values is not None:
                return self._expanded(body, span, values, ranges, conditions)
        full, left_out = zip(*(self._full(span) for span in ranges), strict=True)
        inner, bound = self.binding(full)
        form = inner.value(body)
        value = form.value
        for (label, axis), skipped in zip(bound, left_out, strict=True):
            if skipped is not None:
                value = value - value * F.delta(self.space, [(label, inner.label(skipped, axis), axis)])
        for condition in conditions:
            value = inner.filtered(value, condition)
        return replace(form, value=summed(value, [x for x, _ in bound], [s for _, s in bound]))

    def _full(self, span: N.Range) -> tuple[N.Range, N.Node | None]:
        """2..n is 1..n without 1; 1..n-1 is 1..n without n."""
        size, one = self._dim(span.high), N.Number(Fraction(1))
        if size is None:
            raise Refusal("a sum whose range is not a dimension")
        if _as_number(span.low) == 2:
            return N.Range(span.index, one, span.high), one
        if _as_number(span.low) == 1 and isinstance(span.high, N.Subtract) and _as_number(span.high.right) == 1:
            return N.Range(span.index, one, span.high.left), span.high.left
        return span, None

    def _constant_range(self, span: N.Range) -> range | None:
        low, high = self._dim(span.low), self._dim(span.high)
        if low is None or high is None or low.constant is None or high.constant is None:
            return None
        found = range(low.constant, high.constant + 1)
        return found if len(found) <= _EXPANDED_RANGE and (low.constant, len(found)) != (1, 1) else None

    def _expanded(
        self,
        body: N.Node,
        span: N.Range,
        values: range,
        ranges: tuple[N.Range, ...],
        conditions: tuple[N.Condition, ...],
    ) -> Form:
        """A sum over few concrete values, term by term."""
        rest = tuple(r for r in ranges if r is not span)
        total: Form | None = None
        for value in values:
            at = {N.Index(span.index): N.Number(Fraction(value))}
            kept = [substitute(c, at) for c in conditions]
            decided = [_decided(c) for c in kept]
            if any(d is False for d in decided):
                continue
            open_ = tuple(c for c, d in zip(kept, decided, strict=True) if d is None)
            term = substitute(body, at)
            form = self._sum(term, tuple(substitute(r, at) for r in rest), open_) if rest else self.value(term)
            total = form if total is None else replace(total, value=total.value + form.value)
        shape = body.shape
        return total or Form(self.space.scalar(0), self.space.spaces(shape.rows), self.space.spaces(shape.cols))

    def filtered(self, value: Sum, condition: N.Condition) -> Sum:
        """The terms where a relation between two indices holds."""
        axis = self.axis(condition.left) or self.axis(condition.right)
        if axis is None or condition.op not in ("==", "!="):
            raise Refusal(f"a sum with the condition {condition.op}")
        pair = (self.label(condition.left, axis), self.label(condition.right, axis), axis)
        same = value * F.delta(self.space, [pair])
        return same if condition.op == "==" else value - same

    def axis(self, node: N.Node) -> str | None:
        match node:
            case N.Index(name):
                return self.indices[name][1]
            case N.Symbol(name) if isinstance(kind := self.space.claim.symbols[name].kind, IndexOf):
                return self.space.space(kind.size)
        return None

    def _product(self, body: N.Node, ranges: tuple[N.Range, ...], conditions: tuple[N.Condition, ...]) -> Form:
        if len(ranges) != 1 or conditions or (values := self._constant_range(ranges[0])) is None:
            raise Refusal("a product over a symbolic range")
        shape = body.shape
        result = self._filled(F.scalar(self.space.scalar(1)), shape)
        for value in values:
            form = self.value(substitute(body, {N.Index(ranges[0].index): N.Number(Fraction(value))}))
            result = replace(form, value=result.value * form.value)
        return result

    # --- expectations -------------------------------------------------------------------------

    def _settled(self, body: N.Node) -> Form:
        """The body of an expectation: a derivative by a scalar outside sees it with all values entered."""
        if not self.inside:
            return self.value(body)
        assumed = [a.assumed_value[0] for a in self.space.claim.assumptions if a.assumed_value is not None]
        held = {x.name for let in assumed for x in walked(let.body) if isinstance(x, N.Symbol | N.Let)}
        if self.varied & held or self.symbols & held:
            raise Refusal("a derivative of an expectation, by a name that an assumed value depends on")
        return replace(self, inside=False, varied=frozenset()).value(body)

    def _expectation(self, form: Form, given: tuple[N.Node, ...]) -> Form:
        known: set[str] = set()
        partly: set[str] = set()
        for node in given:
            names = {x.name for x in walked(node) if isinstance(x, N.Symbol | N.Member)}
            (known if isinstance(node, N.Symbol) else partly).update(names & self.space.claim.random)
        value = self.integrator.expect(form.value, frozenset(known | partly))
        if self.space.depends(value) & (partly - known):
            raise Refusal("an expectation given a part of a random symbol")
        return replace(form, value=value)

    def _covariance(self, left: Form, right: Form) -> Form:
        """Cov(f, g) = E(f g') - E f E g'"""
        both = self._expectation(F.matmul(left, F.transpose(right)), ())
        means = F.matmul(self._expectation(left, ()), F.transpose(self._expectation(right, ())))
        return replace(both, value=both.value - means.value)

    # --- derivatives --------------------------------------------------------------------------

    def _derivative(self, of: N.Node, variable: N.Node) -> Form:
        """Derivatives first, with assumed names and substituted symbols held; then their values."""
        name, at, rows, cols, varied = self._variable(variable)
        symbols = self.symbols | {x.name for x in walked(variable) if isinstance(x, N.Symbol | N.Member)}
        inner = replace(self, inside=True, varied=self.varied | varied, symbols=symbols)
        form = inner.value(of)
        made = Derivation(self.space, name, at, lambda tensor, d: inner.assumed_slope(tensor, d, of))
        value = made.of(form.value)
        down = {col(k): row(len(form.rows) + k) for k in range(len(form.cols))}
        across = {by(k): col(k) for k in range(len(rows + cols))}
        result = Form(renamed(value, down | across), form.rows + form.cols, rows + cols)
        return result if self.inside else replace(result, value=self._entered(result.value, of, variable))

    def _variable(self, node: N.Node) -> tuple[str, tuple[str, ...], F.Spaces, F.Spaces, frozenset[str]]:
        """The tensor that is varied, where its axes stand, the axes left, and the `let` name it is."""
        match node:
            case N.Symbol(name):
                if name in self.space.dims:
                    raise Refusal(f"a derivative by the dimension {name}")
                if name in self.space.ring.names:
                    return name, (), (), (), frozenset()
                if name not in self.space.claim.symbols or self.space.claim.symbols[name].copies is not None:
                    raise Refusal(f"a derivative by {name}")
                rows, cols = sides(self.space, name, node.shape.rows, node.shape.cols)
                return name, tuple(by(k) for k in range(len(rows + cols))), rows, cols, frozenset()
            case N.Let(name):
                made = f"_let_{name}"
                rows, cols = sides(self.space, made, node.shape.rows, node.shape.cols)
                return made, tuple(by(k) for k in range(len(rows + cols))), rows, cols, frozenset({name})
            case N.Member(name, shape, index):
                declared = self.space.claim.symbols[name]
                assert declared.copies is not None
                rows, cols = sides(self.space, name, shape.rows, shape.cols)
                head = self.label(index, self.space.space(declared.copies))
                return name, (head, *(by(k) for k in range(len(rows + cols)))), rows, cols, frozenset()
            case N.Entry(arg, i, j):
                name, at, rows, cols, varied = self._variable(arg)
                places = self._places(i, rows, row) | self._places(j, cols, col)
                order = [row(k) for k in range(len(rows))] + [col(k) for k in range(len(cols))]
                fixed = tuple(places[label] for label in order)
                return name, at[: len(at) - len(fixed)] + fixed, (), (), varied
        raise Refusal("a derivative by something that is no symbol, entry or let name")

    def assumed_slope(self, tensor: str, derivation: Derivation, of: N.Node) -> Sum | None:
        """The derivative of the function that made an assumed name, at the value assumed."""
        if not tensor.startswith("_let_") or tensor == derivation.tensor:
            return None
        name = tensor.removeprefix("_let_")
        if name in self.varied:
            return None  # held
        let = next(x for x in walked(of) if isinstance(x, N.Let) and x.name == name)
        body = let.body
        while isinstance(body, N.Let) and _assumed(self.space, body.name) is None:
            body = body.body
        if isinstance(body, N.RowWise) and body.function == "softmax":
            argument = self.value(body.arg)
            labels = {label: slot(k) for k, label in enumerate(argument.labels)}
            inner = derivation.of(renamed(argument.value, labels))
            value = self.space.factor(tensor, tuple(slot(k) for k in range(len(argument.spaces))))
            shape = Opaque(tensor, "softmax", value, argument.spaces, frozenset(), len(argument.cols))
            return softmax_slope(value, inner, shape)
        form = self.value(body)
        slopes = derivation.of(renamed(form.value, {label: slot(k) for k, label in enumerate(form.labels)}))
        if any(name in self.space.opaque for name in slopes.tensors()):
            raise Refusal(f"the derivative of {name} at its assumed value: it is no softmax")
        return slopes

    def _entered(self, value: Sum, of: N.Node, variable: N.Node) -> Sum:
        """Assumed values and substitutions, once all derivatives are taken."""
        for _ in range(256):
            name = next((x for x in sorted(value.tensors()) if self._is_waiting(x, of, variable)), None)
            if name is None:
                return value
            value = replaced(value, name, self._entry(name, of, variable))
        raise Refusal("assumed values that refer to each other")

    def _is_waiting(self, name: str, of: N.Node, variable: N.Node) -> bool:
        """Whether a tensor holds, or is, a name whose value is still to enter."""
        if name in self.space.opaque:
            return any(self._is_waiting(x, of, variable) for x in self.space.opaque[name].depends)
        return self._replacement(name, of, variable) is not None

    def _entry(self, name: str, of: N.Node, variable: N.Node) -> Sum:
        opaque = self.space.opaque.get(name)
        if opaque is None:
            found = self._replacement(name, of, variable)
            assert found is not None
            return found
        return reapplied(self.space, opaque, self._entered(opaque.argument, of, variable))

    def _replacement(self, name: str, of: N.Node, variable: N.Node) -> Sum | None:
        """What a held tensor stands for outside the derivative, over its slots."""
        if name.startswith("_let_"):
            let = next(
                x
                for part in (of, variable)
                for x in walked(part)
                if isinstance(x, N.Let) and x.name == name.removeprefix("_let_")
            )
            form = self.value(let)
        elif name in self.space.claim.symbols and _substitution(self.space, name) is not None:
            declared = self.space.claim.symbols[name]
            form = self.value(N.Symbol(name, declared.shape))
        else:
            return None
        return renamed(form.value, {label: slot(k) for k, label in enumerate(form.labels)})


def _square(space: Workspace, form: Form) -> Form:
    """A square form with its rows and columns written as the same tuple."""
    if form.rows == form.cols:
        return form
    first, second = F.align(space, form, "row", F.transpose(form), "row")
    return first if first.rows == first.cols else F.transpose(second)


def _substitution(space: Workspace, name: str) -> N.Node | None:
    for assumption in space.claim.assumptions:
        found = assumption.substitution
        if found is not None and found[0].name == name:
            return found[1]
    return None


def _assumed(space: Workspace, name: str) -> N.Node | None:
    for assumption in space.claim.assumptions:
        found = assumption.assumed_value
        if found is not None and found[0].name == name:
            return found[1]
    return None


def _number(value: Sum) -> Fraction | None:
    """The rational number that a sum is."""
    if not value:
        return Fraction(0)
    if is_constant(value) and constant(value).is_constant():
        return to_fraction(constant(value).leading_coefficient())
    return None


def _as_number(node: N.Node) -> Fraction | None:
    return node.value if isinstance(node, N.Number) else None


def _decided(condition: N.Condition) -> bool | None:
    match condition:
        case N.Condition(op, N.Number(a), N.Number(b)):
            return {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]
    return None


def walked(node: N.Node) -> list[N.Node]:
    """Every node below, each shared `let` visited once."""
    found: list[N.Node] = []
    seen: set[int] = set()
    todo = [node]
    while todo:
        item = todo.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        found.append(item)
        todo += children(item)
    return found


def _word(text: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in text)


_KINDS: dict[type[N.Node], str] = {
    N.Limit: "a limit",
    N.Extreme: "a supremum or infimum",
    N.Growth: "a rate of growth",
    N.Order: "an order of magnitude",
    N.After: "the state after layers",
    N.Infinity: "oo",
}
