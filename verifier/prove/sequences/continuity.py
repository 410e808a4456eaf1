"""Functions that follow what they are made of: F(M) is continuous in M, and M is all that varies in it."""

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.walk import children, walk
from verifier.prove.equal.closed_form import closed_form

_SMOOTH = frozenset(
    {"exp", "sin", "cos", "atan", "tanh", "sigmoid", "gelu", "silu", "softplus", "erf", "Phi", "phi"}
)
_CONTINUOUS = _SMOOTH | {"relu", "abs", "min", "max"}
_ALGEBRA = (
    N.Add,
    N.Subtract,
    N.Negate,
    N.Multiply,
    N.MatMul,
    N.Transpose,
    N.Inner,
    N.Trace,
    N.Kron,
    N.VecR,
    N.DiagMatrix,
    N.DiagPart,
    N.Norm,
)


def core_of(claim: Claim, node: N.Node, along: N.Symbol) -> N.Let | None:
    """A polynomial `let` name that holds all that is random or grows, below continuous functions."""
    lets = {x for x in walk(node) if isinstance(x, N.Let) and depends(claim, x, along)}
    assumed = {a.assumed_value[0].name for a in claim.assumptions if a.assumed_value is not None}
    for let in sorted(lets, key=lambda x: x.name):
        if let.name not in assumed and _is_polynomial(claim, let) and _follows(claim, node, let, along):
            return let
    return None


def _follows(claim: Claim, node: N.Node, core: N.Let, along: N.Symbol, smooth: bool = False) -> bool:
    """Whether the tree is a continuous (`smooth`: also its derivatives) function of the core alone."""
    if node == core or not depends(claim, node, along):
        return True
    match node:
        case N.Let(_, body):
            return _follows(claim, body, core, along, smooth)
        case N.Apply(function, args) if function in (_SMOOTH if smooth else _CONTINUOUS):
            return all(_follows(claim, arg, core, along, smooth) for arg in args)
        case N.RowWise("softmax", arg):
            return _follows(claim, arg, core, along, smooth)
        case N.Divide(left, right) if not depends(claim, right, along):
            return _follows(claim, left, core, along, smooth)
        case N.Power(base, N.Number(q)) if q > 0 and q.denominator == 1:
            return _follows(claim, base, core, along, smooth)
        case N.Entry(arg, row, col) if not depends(claim, row, along) and not depends(claim, col, along):
            return _follows(claim, arg, core, along, smooth)
        case N.Derivative(of, by) if by == core:
            return _follows(claim, of, core, along, smooth=True)
    if not isinstance(node, _ALGEBRA) or (smooth and isinstance(node, N.Norm)):
        return False
    return all(_follows(claim, child, core, along, smooth) for child in children(node))


def _is_polynomial(claim: Claim, node: N.Node) -> bool:
    """No function of what is random: its moments are exact."""
    return not any(
        isinstance(x, N.Apply | N.RowWise | N.Derivative | N.Norm) and claim.random_in(x) for x in walk(node)
    )


def mean(claim: Claim, core: N.Let, along: N.Symbol) -> N.Node | None:
    """E M, where it does not depend on what grows: the only candidate for the limit."""
    found = closed_form(claim, N.Expectation(core))
    if found is None or depends(claim, found, along):
        return None
    if found.shape != core.shape:
        return N.Zeros(core.shape) if isinstance(found, N.Number) and found.value == 0 else None
    return found


def depends(claim: Claim, node: N.Node, along: N.Symbol) -> bool:
    return bool(claim.random_in(node)) or varies(node, along)


def varies(node: N.Node, along: N.Symbol) -> bool:
    """Whether a value or a size in the tree changes with the growing symbol."""
    for part in walk(node):
        if part == along or along.name in part.shape.rows.names | part.shape.cols.names:
            return True
    return False
