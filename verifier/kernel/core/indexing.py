"""Positions, and sums over them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count

from verifier.expr import nodes as N
from verifier.expr.dims import Dim
from verifier.expr.symbols import Dimension, IndexOf, Integer
from verifier.kernel.budget import Budget
from verifier.kernel.context import Context
from verifier.kernel.core.axes import Axis, columns, common, fixed, rows, told_apart
from verifier.kernel.core.terms import UNIT, Fn, Positions, Sum, Term, delta, minus, of_dim, plus
from verifier.kernel.rejected import Rejected


@dataclass
class Indexing:
    """Reads positions under a context, and binds indices, each under a name that is never used again."""

    context: Context
    indices: Mapping[str, str] = field(default_factory=dict)  # the author's bound indices -> ours
    fresh: "count[int]" = field(default_factory=lambda: count(1))
    budget: Budget = field(default_factory=Budget)

    def bound(self, name: str) -> str:
        """Our name of one of the author's indices."""
        if name not in self.indices:
            raise Rejected("outside", "an index that nothing binds")
        return self.indices[name]

    def position(self, node: N.Node) -> Dim:
        """A position: an integer polynomial in sizes and indices."""
        match node:
            case N.Number(value) if value.denominator == 1:
                return Dim.of(int(value))
            case N.Index(name):
                return Dim.of(self.bound(name))
            case N.Symbol(name) if name in self.context.replaced:
                return self.position(self.context.replaced[name])
            case N.Symbol(name):
                kind = self.context.symbols[name].kind if name in self.context.symbols else None
                if isinstance(kind, Dimension | IndexOf | Integer):
                    return self.context.dims.get(name, Dim.of(name))
            case N.Add(left, right):
                return self.position(left) + self.position(right)
            case N.Subtract(left, right):
                return self.position(left) - self.position(right)
            case N.Multiply(left, right):
                return self.position(left) * self.position(right)
        raise Rejected("outside", "a position that is no polynomial in sizes and indices")

    def one_position(self, index: N.Node, axis: Axis | None) -> Positions:
        """One position on an axis that one index numbers; on an axis of size 1 there is only 1."""
        at = self.position(index)
        if axis == ():
            if at.constant != 1:
                raise Rejected("undefined", "a position beyond a size of 1")
            return ()
        found = (at,) if axis is None else told_apart(at, axis, self._sizes())
        if found is None:
            raise Rejected("outside", "a row of a product of blocks, by its number")
        return found

    def _sizes(self) -> Mapping[str, Dim]:
        """The sizes that the declared indices run to."""
        kinds = {name: declared.kind for name, declared in self.context.symbols.items()}
        return {name: kind.size for name, kind in kinds.items() if isinstance(kind, IndexOf)}

    def over(self, axis: Axis, body: Callable[[Positions], Term]) -> Term:
        """The sum of body over all positions of an axis."""
        names = [f"%{next(self.fresh)}" for _ in axis]
        total = body(tuple(map(Dim.of, names)))
        for name, size in zip(reversed(names), reversed(axis), strict=True):
            total = Sum(name, Dim.of(1), size, total)
        return total

    def everywhere(self, parts: tuple[N.Node, ...], body: Callable[[Positions, Positions], Term]) -> Term:
        """The sum of body over all entries of matrices of one shape."""
        down = fixed(common(map(rows, parts)), parts[0].shape.rows)
        along = fixed(common(map(columns, parts)), parts[0].shape.cols)
        return self.over((*down, *along), lambda k: body(k[: len(down)], k[len(down) :]))

    def condition(self, condition: N.Condition) -> Term:
        left, right = self.position(condition.left), self.position(condition.right)
        match condition.op:
            case "==":
                return delta(left, right)
            case "!=":
                return minus(UNIT, delta(left, right))
            case "<" | ">":
                small, large = (left, right) if condition.op == "<" else (right, left)
                return Fn("less", (of_dim(small), of_dim(large)))
            case "<=" | ">=":
                small, large = (left, right) if condition.op == "<=" else (right, left)
                return plus(delta(left, right), Fn("less", (of_dim(small), of_dim(large))))
