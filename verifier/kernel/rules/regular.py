"""Functions without jumps, without poles, or without ends: whether a tree is smooth, bounded, or at most a
polynomial in what is drawn."""

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.walk import children, walk
from verifier.kernel.context import Context

SMOOTH = {
    "exp", "sin", "cos", "atan", "tanh", "sigmoid", "gelu", "silu", "softplus", "erf", "Phi", "phi",
    "softmax",
}  # have all derivatives, of all reals  # fmt: skip
TAME = SMOOTH - {"exp"} | {"relu"}  # at most polynomials, and so are all derivatives
ARITHMETIC = (
    N.Number, N.Pi, N.Symbol, N.Index, N.Add, N.Subtract, N.Multiply, N.Negate, N.MatMul, N.Transpose,
    N.Inner, N.Kron, N.VecR, N.Commutation, N.Ones, N.Zeros, N.Eye, N.DiagMatrix, N.DiagPart, N.Trace,
)  # fmt: skip


def _is_whole_number(node: N.Node) -> bool:
    return isinstance(node, N.Number) and node.value.denominator == 1 and node.value >= 0


def depends(context: Context, node: N.Node, by: N.Node) -> bool:
    """Whether what is varied stands in a tree: a symbol also behind names and laws, a name where it is
    written."""
    while isinstance(by, N.Entry | N.Row):
        by = by.arg
    named = isinstance(by, N.Symbol | N.Member) and by.name in context.reach(node)
    return named or any(part == by for part in walk(node))


def is_smooth(context: Context, node: N.Node, by: N.Node) -> bool:
    """Whether a tree has all derivatives wherever it has a value."""
    if node == by or not depends(context, node, by):
        return True
    match node:
        case N.Apply(function) | N.RowWise(function):
            smooth = function in SMOOTH
        case N.Power(N.Norm(arg, "fro"), N.Number(value)) if value >= 0 and value % 2 == 0:
            return is_smooth(context, arg, by)  # a sum of squares
        case N.Power(_, exponent):
            smooth = _is_whole_number(exponent)
        case N.Let(name):
            smooth = name not in context.held
        case _:
            smooth = isinstance(node, (*ARITHMETIC, N.Divide, N.Sum, N.Entry, N.Row))
    return smooth and all(is_smooth(context, part, by) for part in children(node))


def is_bounded(context: Context, node: N.Node, names: frozenset[str]) -> bool:
    """Whether a tree stays within bounds that do not depend on these symbols, wherever it has a value."""
    if not names & context.behind(node):
        return True
    match node:
        case (
            N.RowWise("softmax")
            | N.Indicator()
            | N.Apply("tanh" | "sin" | "cos" | "erf" | "sigmoid" | "Phi" | "phi" | "atan")
        ):
            return True
        case N.Let(name, body):
            return is_bounded(context, context.held.get(name, body), names)
        case N.Derivative(of, by):
            return _has_bounded_slopes(context, of, by)
        case N.Power(base, exponent):
            return _is_whole_number(exponent) and is_bounded(context, base, names)
        case N.Divide(left, right):
            return not names & context.behind(right) and is_bounded(context, left, names)
        case N.Apply(function) if function not in ("abs", "relu", "sqrt"):
            return False
    known, parts = (*ARITHMETIC, N.Sum, N.Norm, N.Entry, N.Row, N.Apply), children(node)
    return bool(parts) and isinstance(node, known) and all(is_bounded(context, x, names) for x in parts)


def _has_bounded_slopes(context: Context, of: N.Node, by: N.Node) -> bool:
    """Softmax, or an entry of it, by what it is taken of."""
    while isinstance(of, N.Entry | N.Row) or (isinstance(of, N.Let) and of.name not in context.held):
        of = of.body if isinstance(of, N.Let) else of.arg
    while isinstance(by, N.Entry | N.Row):
        by = by.arg
    return isinstance(of, N.RowWise) and of.function == "softmax" and of.arg in (by, N.Transpose(by))


def is_tame(context: Context, node: N.Node) -> bool:
    """At most a polynomial in draws, in size."""
    if not context.drawn(node):
        return True
    match node:
        case N.Norm(arg) | N.Apply("abs", (arg,)) | N.Entry(arg) | N.Row(arg):
            return is_tame(context, arg)
        case N.Power(base, exponent) if _is_whole_number(exponent):
            return is_tame(context, base)
        case N.Derivative(of):
            return _is_tame_function(context, of)
        case N.Let(name, body):
            return is_tame(context, context.held.get(name, body))
        case N.Divide(top, bottom) if not context.drawn(bottom):
            return is_tame(context, top)
    if isinstance(node, N.Apply | N.RowWise):
        return _is_tame_function(context, node)
    return isinstance(node, (*ARITHMETIC, N.Sum)) and all(is_tame(context, part) for part in children(node))


def _is_tame_function(context: Context, node: N.Node) -> bool:
    """At most a polynomial in what it is made of, and so are all its derivatives."""
    if isinstance(node, N.Apply | N.RowWise) and node.function not in TAME:
        return False
    if isinstance(node, N.Power):
        return _is_whole_number(node.exponent) and _is_tame_function(context, node.base)
    if isinstance(node, N.Divide):
        if context.drawn(node.right):
            return False
        return _is_tame_function(context, node.left)
    if not context.drawn(node):
        return True
    known = (*ARITHMETIC, N.Sum, N.Apply, N.RowWise, N.Let, N.Entry, N.Row)
    return isinstance(node, known) and all(_is_tame_function(context, part) for part in children(node))


def unnamed(context: Context, node: N.Node) -> N.Node:
    """What a name stands for, unless a value is assumed for it."""
    while isinstance(node, N.Let) and node.name not in context.held:
        node = node.body
    return node


def is_free(context: Context, by: N.Node) -> bool:
    """Whether the entries of what is varied are tied to nothing."""
    match by:
        case N.Let():
            return True
        case N.Symbol(name) if name in context.symbols:
            kind = context.symbols[name].kind
            return isinstance(kind, K.Real | K.Positive | K.Interval | K.Normal | K.Uniform) or (
                isinstance(kind, K.FixedMatrix) and kind.family in ("matrix", "vector")
            )
    return False
