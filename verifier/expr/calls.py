"""Calls of the reserved names: one builder per name, each checking its own arguments."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import log10
from typing import TypeVar

from verifier.expr import nodes as N
from verifier.expr import syntax as S
from verifier.expr.dims import ONE, Dim, Shape
from verifier.expr.errors import ExprError, ShapeError, Span
from verifier.expr.functions import RESERVED, USAGE
from verifier.expr.reach import within
from verifier.expr.scope import Scope
from verifier.expr.symbols import Dimension, FixedKind, IndexOf, Integer
from verifier.expr.walk import distinct, walk

T = TypeVar("T")


class Builder(ABC):
    """What a call's builder needs of the elaborator."""

    scope: Scope

    @abstractmethod
    def expression(self, tree: S.Syntax) -> N.Node: ...

    @abstractmethod
    def relation(self, tree: S.Syntax) -> N.Relation | N.Within: ...

    @abstractmethod
    def condition(self, tree: S.Compare) -> N.Condition: ...

    @abstractmethod
    def inside(self, scope: Scope) -> "Builder": ...

    def shaped(self, span: Span, build: Callable[[], T]) -> T:
        """Shape errors raised by nodes, at the place that caused them."""
        try:
            return build()
        except ShapeError as error:
            raise ExprError("shape", str(error), span, error.hint) from None

    def arguments(self, name: str, span: Span, args: Sequence[S.Syntax], *counts: int) -> list[N.Node]:
        """The elaborated arguments, if there are as many as the function takes."""
        if len(args) not in counts:
            takes = " or ".join(map(str, counts))
            message = f"{name} takes {takes} argument{'s' * (counts != (1,))}, not {len(args)}"
            raise ExprError("arity", message, span, f"usage: {USAGE[name]}")
        return [self.expression(arg) for arg in args]

    def dimension(self, tree: S.Syntax) -> Dim:
        """A size: a polynomial with integer coefficients in dimension symbols."""
        found = self.shaped(tree.span, lambda: self._dimension(tree))
        if found is None:
            hint = "sizes are built from dimension symbols and whole numbers with +, -, *"
            raise ExprError("not-a-dimension", "this is not a size", tree.span, hint)
        constant = found.constant
        if constant is not None and constant < 1:
            raise ExprError("not-a-dimension", f"a size of {constant}", tree.span, "sizes are at least 1")
        return found

    def _dimension(self, tree: S.Syntax) -> Dim | None:
        match tree:
            case S.Literal(_, text):
                value = Fraction(text)
                return Dim.of(int(value)) if value.denominator == 1 else None
            case S.Name(span, name):
                self.scope.lookup(name, span)
                return self.scope.dimension(name)
            case S.Binary(_, "+" | "-" | "*" as op, left, right):
                a, b = self._dimension(left), self._dimension(right)
                if a is None or b is None:
                    return None
                return a + b if op == "+" else a - b if op == "-" else a * b
            case S.Binary(_, "**", left, S.Literal(_, text)) if text.isdigit() and int(text) <= 8:
                base = self._dimension(left)
                if base is None:
                    return None
                power = Dim.of(1)
                for _ in range(int(text)):
                    power = power * base
                return power
        return None

    def binders(
        self, rest: Sequence[S.Syntax], span: Span
    ) -> tuple[tuple[N.Range, ...], tuple[N.Condition, ...], Scope]:
        """`i, 1, n, j, 1, m, j != i`: ranges, then conditions, and the scope inside."""
        ranges: list[N.Range] = []
        current: Builder = self
        items = list(rest)
        while items and not isinstance(items[0], S.Compare):
            if len(items) < 3 or not isinstance(items[0], S.Name):
                raise ExprError("syntax", "expected an index, its first and its last value", span,
                                "for example: i, 1, n")  # fmt: skip
            name, low, high = items[0], items[1], items[2]
            self.check_index(name)
            ranges.append(N.Range(name.name, current.expression(low), current.expression(high)))
            current.check_ends(ranges[-1], low, high)
            current = current.inside(current.scope.binding(name.name))
            items = items[3:]
        if not ranges:
            raise ExprError("syntax", "no index to run over", span, "for example: i, 1, n")
        conditions = []
        for item in items:
            if not isinstance(item, S.Compare):
                raise ExprError("syntax", "conditions such as j != i come last", item.span)
            conditions.append(current.condition(item))
        return tuple(ranges), tuple(conditions), within(current.scope, tuple(ranges), tuple(conditions))

    def check_ends(self, bounds: N.Range, low: S.Syntax, high: S.Syntax) -> None:
        """oo is the last value of what never ends, and nothing else."""
        for tree, node in ((low, bounds.low), (high, bounds.high)):
            inside = any(isinstance(part, N.Infinity) for part in distinct(node))
            if inside and (tree is low or not isinstance(node, N.Infinity)):
                hint = "without end: sum(expr, i, 1, oo)"
                raise ExprError("infinity", "no index starts or stops there", tree.span, hint)

    def check_index(self, name: S.Name) -> None:
        declared = self.scope.symbols.get(name.name)
        taken = declared is not None and not isinstance(declared.kind, IndexOf)
        if taken or name.name in self.scope.lets or name.name in RESERVED:
            raise ExprError("name-taken", f"{name.name!r} already has a meaning", name.span,
                            "choose another name for the index")  # fmt: skip


Build = Callable[[Builder, S.Call], N.Node]


def _plain(make: Callable[..., N.Node], count: int) -> Build:
    return lambda b, call: make(*b.arguments(call.function, call.span, call.args, count))


def _apply(b: Builder, call: S.Call) -> N.Node:
    count = 1 if call.function in N.UNARY else 2
    return N.Apply(call.function, tuple(b.arguments(call.function, call.span, call.args, count)))


def _rowwise(b: Builder, call: S.Call) -> N.Node:
    return N.RowWise(call.function, b.arguments(call.function, call.span, call.args, 1)[0])


def _norm(b: Builder, call: S.Call) -> N.Node:
    arg, *order = b.arguments("norm", call.span, call.args, 1, 2)
    kinds: dict[N.Node, N.NormKind] = {
        N.Number(Fraction(1)): "1",
        N.Number(Fraction(2)): "2",
        N.Infinity(): "oo",
    }
    if not order:
        return N.Norm(arg)
    if order[0] not in kinds:
        raise ExprError("norm", "this norm is not known", call.args[1].span, f"usage: {USAGE['norm']}")
    kind = kinds[order[0]]
    # The largest singular value of a vector is its length.
    is_length = kind == "2" and (arg.shape.is_vector or arg.shape.rows == ONE)
    return N.Norm(arg) if is_length else N.Norm(arg, kind)


def _sized(b: Builder, call: S.Call, counts: tuple[int, ...]) -> list[Dim]:
    if len(call.args) not in counts:
        raise ExprError("arity", f"{call.function} takes sizes", call.span, f"usage: {USAGE[call.function]}")
    return [b.dimension(arg) for arg in call.args]


def _eye(b: Builder, call: S.Call) -> N.Node:
    return N.Eye(_sized(b, call, (1,))[0])


def _filled(b: Builder, call: S.Call) -> N.Node:
    rows, *cols = _sized(b, call, (1, 2))
    shape = Shape(rows, cols[0] if cols else ONE)
    return N.Ones(shape) if call.function == "ones" else N.Zeros(shape)


def _commutation(b: Builder, call: S.Call) -> N.Node:
    rows, cols = _sized(b, call, (2,))
    return N.Commutation(rows, cols)


def _diag(b: Builder, call: S.Call) -> N.Node:
    arg = b.arguments("diag", call.span, call.args, 1)[0]
    return N.DiagMatrix(arg) if arg.shape.is_vector else N.DiagPart(arg)


def _blockdiag(b: Builder, call: S.Call) -> N.Node:
    if len(call.args) != 4:
        raise ExprError("arity", "blockdiag takes 4 arguments", call.span, f"usage: {USAGE['blockdiag']}")
    (range_,), _, scope = b.binders(call.args[1:], call.span)
    low, high = b.dimension(call.args[2]), b.dimension(call.args[3])
    return N.BlockDiag(b.inside(scope).expression(call.args[0]), range_, high - low + ONE)


def _repeated(b: Builder, call: S.Call) -> N.Node:
    if len(call.args) < 4:
        message = f"{call.function} takes an expression and its indices"
        raise ExprError("arity", message, call.span, f"usage: {USAGE[call.function]}")
    ranges, conditions, scope = b.binders(call.args[1:], call.span)
    if any(isinstance(span.high, N.Infinity) for span in ranges[1:]):
        hint = "sums without end are nested: sum(sum(expr, j, 1, oo), i, 1, oo)"
        raise ExprError("infinity", "only the first index runs on for ever", call.span, hint)
    body = b.inside(scope).expression(call.args[0])
    return (N.Sum if call.function == "sum" else N.Product)(body, ranges, conditions)


def _subset_sum(b: Builder, call: S.Call) -> N.Node:
    if len(call.args) != 5:
        raise ExprError("arity", "esum takes 5 arguments", call.span, f"usage: {USAGE['esum']}")
    (range_,), _, scope = b.binders(call.args[1:4], call.span)
    if isinstance(range_.high, N.Infinity):
        raise ExprError("infinity", "esum is over finitely many indices", call.args[3].span)
    body = b.inside(scope.reaching(None)).expression(call.args[0])
    return N.SubsetSum(body, range_, b.expression(call.args[4]))


def _indicator(b: Builder, call: S.Call) -> N.Node:
    if len(call.args) != 1:
        message = f"{call.function} is of one relation"
        raise ExprError("arity", message, call.span, f"usage: {USAGE[call.function]}")
    return N.Indicator(b.relation(call.args[0]))


def _expectation(b: Builder, call: S.Call) -> N.Node:
    if call.function == "P":
        return N.Expectation(_indicator(b, call), _given(b, call))
    return N.Expectation(b.arguments("E", call.span, call.args, 1)[0], _given(b, call))


def _given(b: Builder, call: S.Call) -> tuple[N.Node, ...]:
    given: list[N.Node] = []
    for key in call.keywords:
        if key.name != "given":
            hint = f"usage: {USAGE[call.function]}"
            raise ExprError("syntax", f"{call.function} has no option {key.name!r}", key.span, hint)
        items = key.value.items if isinstance(key.value, S.Listing) else (key.value,)
        for item in items:
            node = b.expression(item)
            if not isinstance(node, N.Symbol | N.Member | N.Let | N.Entry | N.Row):
                raise ExprError("given", "condition on a symbol, an entry or a `let` name", item.span)
            given.append(node)
    return tuple(given)


def _derivative(b: Builder, call: S.Call) -> N.Node:
    of, by = b.arguments("D", call.span, call.args, 2)
    root = by.arg if isinstance(by, N.Entry | N.Row) else by
    if not isinstance(root, N.Symbol | N.Member | N.Let):
        hint = "differentiate by a symbol, an entry, or a `let` name"
        raise ExprError("derivative", "this is not a variable", call.args[1].span, hint)
    if isinstance(root, N.Let) and all(part != root for part in distinct(of)):
        message = f"the first argument is not written in terms of {root.name}"
        raise ExprError("derivative", message, call.args[1].span, f"use the name {root.name} in it")
    return N.Derivative(of, by)


def _limit(b: Builder, call: S.Call) -> N.Node:
    body, variable, target = b.arguments("limit", call.span, call.args, 3)
    if not isinstance(variable, N.Symbol) or not variable.shape.is_scalar:
        raise ExprError("limit", "a limit is taken in a scalar symbol", call.args[1].span)
    return N.Limit(body, variable, target)


def _extreme(b: Builder, call: S.Call) -> N.Node:
    if not call.args:
        raise ExprError("arity", f"{call.function} of what?", call.span, f"usage: {USAGE[call.function]}")
    body, *over = [b.expression(arg) for arg in call.args]
    for tree, node in zip(call.args[1:], over, strict=True):
        if not isinstance(node, N.Symbol) or b.scope.symbols[node.name].is_random:
            raise ExprError("extreme", "an extreme is taken over fixed symbols", tree.span)
    names = over or [symbol for symbol in _symbols(body) if _varies(b.scope, symbol)]
    if not names:
        raise ExprError("extreme", "there is no fixed symbol to vary here", call.span)
    kind = "sup" if call.function == "sup" else "inf"
    return N.Extreme(kind, body, tuple(names))  # type: ignore[arg-type]


def _symbols(body: N.Node) -> list[N.Symbol]:
    found = (node for node in walk(body) if isinstance(node, N.Symbol))
    return list(dict.fromkeys(found))


def _varies(scope: Scope, symbol: N.Symbol) -> bool:
    """An extreme with no names runs over every fixed symbol but sizes and indices."""
    kind = scope.symbols[symbol.name].kind
    return isinstance(kind, FixedKind) and not isinstance(kind, Dimension | IndexOf | Integer)


def _growth(b: Builder, call: S.Call) -> N.Node:
    return N.Growth(call.function, b.arguments(call.function, call.span, call.args, 1)[0])  # type: ignore[arg-type]


def _order(b: Builder, call: S.Call) -> N.Node:
    exponents = []
    for tree, node in zip(call.args, b.arguments("order", call.span, call.args, 1, 2), strict=True):
        if not isinstance(node, N.Number) or node.value <= 0:
            raise ExprError("order", "an order is given by positive numbers", tree.span, USAGE["order"])
        exponents.append(round(log10(node.value.numerator) - log10(node.value.denominator)))
    return N.Order(min(exponents), max(exponents))


def _after(b: Builder, call: S.Call) -> N.Node:
    state, depth = b.arguments("after", call.span, call.args, 2)
    if b.scope.state is None:
        raise ExprError("layers", "after(...) needs a `layers:` section", call.span)
    if state != b.scope.state:
        message = f"the state of these layers is {b.scope.state.name}"
        raise ExprError("layers", message, call.args[0].span, f"write after({b.scope.state.name}, L)")
    return N.After(b.scope.state, depth)


CALLS: dict[str, Build] = {
    **dict.fromkeys(N.UNARY + N.BINARY, _apply),
    **dict.fromkeys(N.ROWWISE, _rowwise),
    "norm": _norm,
    "tr": _plain(N.Trace, 1),
    "inner": _plain(N.Inner, 2),
    "eye": _eye,
    "ones": _filled,
    "zeros": _filled,
    "diag": _diag,
    "kron": _plain(N.Kron, 2),
    "vec_r": _plain(N.VecR, 1),
    "blockdiag": _blockdiag,
    "matpow": _plain(N.MatPower, 2),
    "commutation": _commutation,
    "hafnian": _plain(N.Hafnian, 1),
    "sum": _repeated,
    "prod": _repeated,
    "esum": _subset_sum,
    "E": _expectation,
    "P": _expectation,
    "indicator": _indicator,
    "Var": _plain(N.Variance, 1),
    "Cov": _plain(N.Covariance, 2),
    "D": _derivative,
    "limit": _limit,
    "sup": _extreme,
    "inf": _extreme,
    "O": _growth,
    "Omega": _growth,
    "Theta": _growth,
    "order": _order,
    "after": _after,
}
