"""Indices, entries and sums over ranges."""

from dataclasses import replace
from fractions import Fraction
from typing import Self

from verifier.expr import nodes as N
from verifier.expr.dims import ONE, Dim
from verifier.expr.symbols import Dimension, IndexOf
from verifier.expr.walk import substitute
from verifier.prove.forms import matrix_forms as F
from verifier.prove.forms.labels import Place, summed
from verifier.prove.forms.least_sizes import least
from verifier.prove.forms.matrix_forms import Form
from verifier.prove.forms.partial_ranges import LAST, upto, word
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.small_trees import size as size_tree
from verifier.prove.lower.lowering import Bound, Reader
from verifier.prove.networks import Sum

_EXPANDED_RANGE = 12
_FIRST = N.Number(Fraction(1))


class Indexing(Reader):
    """Where index expressions stand, and sums over them."""

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
                if name.startswith("_") and not name.startswith("__"):
                    raise Refusal(f"the index {name}, whose name is like those of rows and columns")
                if isinstance(declared.kind, IndexOf):
                    chosen = self.substitution(name)
                    if chosen is not None:
                        return self.label(chosen, axis)
                    if self.space.space(declared.kind.size) != axis:
                        raise Refusal(f"the index {name} on a side of size {axis}")
                    return name
                if isinstance(declared.kind, Dimension) and self.space.spaces(Dim.of(name)) == (axis,):
                    return f"{LAST}{word(axis)}"
            case N.Let(_, body):
                return self.label(body, axis)
        raise Refusal("an index that is not a plain index")

    def places(self, node: N.Node, axes: F.Spaces, make: Place) -> dict[str, str]:
        """Where an index expression stands on a side, as new labels of its axes."""
        if not axes:
            return {}
        if len(axes) == 1:
            return {make(0): self.label(node, axes[0])}
        if _as_number(node) == 1:
            return {make(k): "1" for k in range(len(axes))}
        match node, axes:
            case N.Add(N.Multiply(N.Subtract(first, one), size), second), (a, b):
                if _as_number(one) == 1 and self.dim(size) == self.space.space_dims[b]:
                    return {make(0): self.label(first, a), make(1): self.label(second, b)}
        raise Refusal("a row of a matrix whose rows are pairs")

    def dim(self, node: N.Node) -> Dim | None:
        """A tree as a dimension, if it is a polynomial in dimensions."""
        match node:
            case N.Number(value) if value.denominator == 1:
                return Dim.of(int(value))
            case N.Symbol(name) if isinstance(self.space.claim.symbols[name].kind, Dimension):
                return Dim.of(name).replace(self.space.dims)
            case N.Let(_, body):
                return self.dim(body)
            case N.Add(left, right) | N.Subtract(left, right) | N.Multiply(left, right):
                a, b = self.dim(left), self.dim(right)
                if a is None or b is None:
                    return None
                return a + b if isinstance(node, N.Add) else a - b if isinstance(node, N.Subtract) else a * b
        return None

    def binding(self, ranges: tuple[N.Range, ...]) -> tuple[Self, list[Bound]]:
        """The lowering inside a sum over full ranges 1..n, and the labels that it binds."""
        bound: list[Bound] = []
        inner = dict(self.indices)
        for span in ranges:
            size = self.dim(span.high)
            if _as_number(span.low) != 1 or size is None or not _is_size(size):
                raise Refusal("a sum over a part of a range")
            inner[span.index] = (f"_i{next(self.fresh)}", self.space.space(size))
            bound.append(inner[span.index])
        return replace(self, indices=inner), bound

    def total(self, body: N.Node, ranges: tuple[N.Range, ...], conditions: tuple[N.Condition, ...]) -> Form:
        for span in ranges:
            values = self.few_values(span)
            if values is not None:
                return self._expanded(body, span, values, ranges, conditions)
        inner, bound, said = self, list[Bound](), list[N.Condition]()
        for span in ranges:
            full, found = inner._full(span)
            inner, more = inner.binding((full,))
            bound += more
            said += found
        form = inner.value(body)
        value = form.value
        for condition in (*said, *conditions):
            value = inner.filtered(value, condition)
        return replace(form, value=summed(value, [x for x, _ in bound], [s for _, s in bound]))

    def _full(self, span: N.Range) -> tuple[N.Range, list[N.Condition]]:
        """A range as all of 1..n and what its ends say: 2..n is without 1, 1..n-1 without n, 1..i up to i."""
        at, low, high = N.Index(span.index), span.low, span.high
        said: list[N.Condition] = []
        if (start := self._edge(low, N.Add)) is not None:
            edge, _, strict = start
            said.append(N.Condition(">" if strict else ">=", at, edge))
            low = _FIRST
        elif _as_number(low) == 2:
            said.append(N.Condition("!=", at, _FIRST))
            low = _FIRST
        if (end := self._edge(high, N.Subtract)) is not None:
            edge, axis, strict = end
            said.append(N.Condition("<" if strict else "<=", at, edge))
            high = size_tree(self.space.space_dims[axis])
        elif self.dim(high) is None:
            raise Refusal("a sum whose range is not a dimension")
        elif isinstance(high, N.Subtract) and _as_number(high.right) == 1:
            said.append(N.Condition("!=", at, high.left))
            high = high.left
        return N.Range(span.index, low, high), said

    def _edge(self, node: N.Node, step: type[N.Add | N.Subtract]) -> tuple[N.Node, str, bool] | None:
        """(i, its axis, whether i itself is left out) of an end i, or one step inside: i + 1 or i - 1."""
        inside = isinstance(node, step) and _as_number(node.right) == 1
        edge = node.left if isinstance(node, step) and inside else node
        axis = self.axis(edge)
        return None if axis is None else (edge, axis, inside)

    def few_values(self, span: N.Range) -> range | None:
        """The values of an index whose range is concrete and short."""
        low, high = self.dim(span.low), self.dim(span.high)
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
            at: dict[N.Node, N.Node] = {N.Index(span.index): N.Number(Fraction(value))}
            kept = [substitute(c, at) for c in conditions]
            decided = [_decided(c) for c in kept]
            if any(d is False for d in decided):
                continue
            open_ = tuple(c for c, d in zip(kept, decided, strict=True) if d is None)
            term = substitute(body, at)
            form = (
                self.total(term, tuple(substitute(r, at) for r in rest), open_) if rest else self.value(term)
            )
            total = form if total is None else replace(total, value=total.value + form.value)
        shape = body.shape
        return total or Form(
            self.space.scalar(0), self.space.spaces(shape.rows), self.space.spaces(shape.cols)
        )

    def filtered(self, value: Sum, condition: N.Condition) -> Sum:
        """The terms where a relation between two indices holds."""
        axis = self.axis(condition.left) or self.axis(condition.right)
        if axis is None:
            raise Refusal(f"a sum with the condition {condition.op}")
        left, right = self.label(condition.left, axis), self.label(condition.right, axis)
        positions = [int(label) for label in (left, right) if label.isdigit()]
        if max(positions, default=1) > least(self.space.claim, self.space.space_dims[axis]):
            raise Refusal("a sum without a position that its range may lack")  # 1..n without 2 is 1 at n = 1
        same = value * F.delta(self.space, [(left, right, axis)])
        match condition.op:
            case "==":
                return same
            case "!=":
                return value - same
            case "<" | ">" as op:
                return self._ordered(value, op, left, right, axis) - same
            case "<=" | ">=" as op:
                return self._ordered(value, op, left, right, axis)

    def _ordered(self, value: Sum, op: str, left: str, right: str, axis: str) -> Sum:
        """The terms where left <= right or, for > and >=, left >= right."""
        if any(label.isdigit() and label != "1" for label in (left, right)):
            raise Refusal("an order between indices and numbers")  # position 3 of 1..2 is none
        last, label = (right, left) if op in ("<", "<=") else (left, right)
        return F.times(value, upto(self.space, axis, last, label))

    def axis(self, node: N.Node) -> str | None:
        match node:
            case N.Index(name):
                return self.indices[name][1]
            case N.Symbol(name) if isinstance(kind := self.space.claim.symbols[name].kind, IndexOf):
                return self.space.space(kind.size)
        return None

    def product(self, body: N.Node, ranges: tuple[N.Range, ...], conditions: tuple[N.Condition, ...]) -> Form:
        if len(ranges) != 1 or conditions or (values := self.few_values(ranges[0])) is None:
            raise Refusal("a product over a symbolic range")
        shape = body.shape
        result = self.filled(F.scalar(self.space.scalar(1)), shape)
        for value in values:
            form = self.value(substitute(body, {N.Index(ranges[0].index): N.Number(Fraction(value))}))
            result = replace(form, value=result.value * form.value)
        return result


def _as_number(node: N.Node) -> Fraction | None:
    return node.value if isinstance(node, N.Number) else None


def _decided(condition: N.Condition) -> bool | None:
    match condition:
        case N.Condition(op, N.Number(a), N.Number(b)):
            return {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]
    return None


def _is_size(size: Dim) -> bool:
    """Whether a polynomial in dimensions is never negative: n = 1 + u shows it. 1..n-5 is empty at
    n = 2, and no sum over it is a polynomial in n."""
    shifted = size.replace({name: Dim.of(name) + ONE for name in size.names})
    return all(coefficient >= 0 for _, coefficient in shifted.terms)
