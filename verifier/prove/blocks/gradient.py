"""Gradients of scalars at a point of blocks, backwards through the tree, and Jacobians of single rows.

f(A @ B):      dA += dF @ B.T, dB += A.T @ dF
f(softmax(Z)): dZ += p * (dF - sum_j p_j dF_j), row by row
f(phi(Z)):     dZ += phi'(Z) * dF, entry by entry
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from verifier.expr import nodes as n
from verifier.expr.walk import children, substitute
from verifier.prove.blocks.block import Block
from verifier.prove.blocks.evaluate import At
from verifier.prove.forms.refusal import Refusal


def derivative(at: At, of: n.Node, by: n.Node) -> Block:
    """D(of, by): for a scalar, its gradient in the shape of `by` (only its norm is that of the Jacobian);
    for one row that is a softmax of a column, the Jacobian itself."""
    if of.shape.is_scalar:
        if isinstance(by, n.Entry):
            return at.value_of(at.entry(derivative(at, of, by.arg), by.row, by.col))
        if not isinstance(by, n.Symbol | n.Let | n.Member):
            raise Refusal("a derivative by part of a matrix")
        back = _Backward(at, by, [at.constant(by.shape, 0)])
        back.pull(of, at.number(1))
        return back.found[0]
    row = of
    while isinstance(row, n.Let):
        row = row.body
    match row:
        case n.RowWise("softmax", n.Transpose(inner)) if _same(inner, by):
            p = at.value(of).transposed
            diagonal = at.identity(by.shape.rows)
            return diagonal * _spread(p, diagonal) - p @ p.transposed
    raise Refusal("a Jacobian of a matrix, in blocks")


def _spread(column: Block, like: Block) -> Block:
    """diag(column) as the entrywise factor of an identity."""
    zero = column.value[0][0] * 0
    shift = tuple(row[0] for row in column.value)
    return Block(
        column.field, like.rows, like.cols, tuple((zero,) * len(like.cols) for _ in like.rows), shift
    )


def _same(left: n.Node, right: n.Node) -> bool:
    while isinstance(left, n.Let) and left != right:
        left = left.body
    while isinstance(right, n.Let) and left != right:
        right = right.body
    return left == right


@dataclass(frozen=True)
class _Backward:
    """What flows back to `by`, added up in `found`."""

    at: At
    by: n.Node
    found: list[Block] = field(default_factory=list)
    reached: dict[int, tuple[n.Node, bool]] = field(default_factory=dict)

    def pull(self, node: n.Node, bar: Block) -> None:
        at = self.at
        if type(node) is type(self.by) and node == self.by:
            self.found[0] = self.found[0] + bar
            return
        if isinstance(node, n.Sum):
            self._sum(node, bar)
            return
        if not self._reaches(node):
            return
        match node:
            case n.Let(_, body):
                if at.assumed(node) is None:
                    self.pull(body, bar)
                else:
                    self._assumed(node, body, bar)
            case n.Add(left, right):
                self.pull(left, self._fit(left, bar))
                self.pull(right, self._fit(right, bar))
            case n.Subtract(left, right):
                self.pull(left, self._fit(left, bar))
                self.pull(right, self._fit(right, bar.map(lambda v: -v)))
            case n.Multiply(left, right):
                for inner, other in self._reached(left, right):
                    self.pull(inner, self._fit(inner, bar * at.value(other)))
            case n.Divide(left, right) if not self._reaches(right):
                self.pull(left, self._fit(left, bar / at.value(right)))
            case n.Negate(arg):
                self.pull(arg, bar.map(lambda v: -v))
            case n.Transpose(arg):
                self.pull(arg, bar.transposed)
            case n.MatMul(left, right):
                if self._reaches(left):
                    self.pull(left, bar @ at.value(right).transposed)
                if self._reaches(right):
                    self.pull(right, at.value(left).transposed @ bar)
            case n.Inner(left, right):
                for inner, other in self._reached(left, right):
                    self.pull(inner, at.value(other) * bar)
            case n.Power(base, n.Number(k)) if k.denominator == 1 and k >= 1:
                below = at.value(n.Power(base, n.Number(k - 1)))
                self.pull(base, below * at.number(k) * bar)
            case n.Norm(arg, "fro"):
                self.pull(arg, at.value(arg) / at.value(node) * bar)
            case n.Entry(arg, row, col):
                self.pull(arg, at.single(arg, row, col) * bar)
            case n.Trace(arg):
                self.pull(arg, at.identity(arg.shape.rows) * bar)
            case n.Apply(function, (arg,)) if function + "'" in at.field.functions:
                self.pull(arg, at.value(arg).map(lambda v: at.field.apply(function + "'", v)) * bar)
            case n.RowWise("softmax", arg):
                self.pull(arg, _softmax(at.value(node), bar))
            case _:
                raise Refusal(f"a gradient through {type(node).__name__}, in blocks")

    def _reached(self, left: n.Node, right: n.Node) -> Iterator[tuple[n.Node, n.Node]]:
        """Each factor that `by` is inside of, with the other one."""
        return (pair for pair in ((left, right), (right, left)) if self._reaches(pair[0]))

    def _reaches(self, node: n.Node) -> bool:
        """Whether `by` is inside; of a family, whether any member is."""
        known = self.reached.get(id(node))
        if known is None:
            if isinstance(self.by, n.Member):
                here = isinstance(node, n.Member) and node.name == self.by.name
            else:
                here = type(node) is type(self.by) and node == self.by
            known = node, here or any(self._reaches(child) for child in children(node))
            self.reached[id(node)] = known
        return known[1]

    def _sum(self, node: n.Sum, bar: Block) -> None:
        """To one member of a family flows what its own term gives; to all else what every term does."""
        if isinstance(self.by, n.Member):
            (only,) = node.ranges
            if node.conditions:
                raise Refusal("a gradient through a sum with conditions, in blocks")
            self.pull(substitute(node.body, {n.Index(only.index): self.by.index}), bar)
            return
        for weight, body in self.at.terms(node):
            self.pull(body, bar.map(lambda v, w=weight: v * w))  # type: ignore[misc]

    def _fit(self, node: n.Node, bar: Block) -> Block:
        """What reaches a scalar that met every entry is the sum over the entries."""
        if node.shape.is_scalar and not bar.is_scalar:
            return Block(bar.field, (1,), (1,), ((bar.total(),),))
        return bar

    def _assumed(self, let: n.Let, body: n.Node, bar: Block) -> None:
        """A takes the assumed value, and the derivative of what made it is taken there."""
        match body:
            case n.RowWise("softmax", arg):
                self.pull(arg, _softmax(self.at.value(let), bar))
            case n.Let():
                self._assumed(let, body.body, bar)
            case _:
                raise Refusal("the derivative of an assumed value, in blocks")


def _softmax(p: Block, bar: Block) -> Block:
    weighted = p * bar
    return weighted - p.over_rows(weighted.row_totals(), lambda v, s: v * s)
