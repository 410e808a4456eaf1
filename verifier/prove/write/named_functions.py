"""Functions that are no polynomials, as trees: the argument written out, the name in front of it."""

from verifier.expr import nodes as N
from verifier.prove.forms.opaque_functions import Opaque
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.small_trees import ONE, number


def applied(opaque: Opaque, inside: N.Node) -> N.Node:
    """The function of what it is applied to."""
    if opaque.row_axes:
        return _row_wise(opaque, inside)
    match opaque.function:
        case "inv":
            return N.Divide(ONE, inside)
        case "root":
            return _root(inside)
    if opaque.function not in N.UNARY:
        raise Refusal(f"{opaque.function} as text")
    return N.Apply(opaque.function, (inside,))


def _root(inside: N.Node) -> N.Node:
    """sqrt(norm(x)**2) = norm(x), sqrt(exp(a)) = exp(a/2)"""
    match inside:
        case N.Power(N.Norm() as norm, exponent) if exponent == number(2):
            return norm
        case N.Apply("exp", (arg,)):
            return N.Apply("exp", (N.Divide(arg, number(2)),))
    return N.Apply("sqrt", (inside,))


def _row_wise(opaque: Opaque, inside: N.Node) -> N.Node:
    """softmax of rows; a single row is kept as a column"""
    if opaque.function not in N.ROWWISE:
        raise Refusal(f"{opaque.function} as text")
    if len(opaque.spaces) > 1:
        return N.RowWise(opaque.function, inside)
    row = inside.arg if isinstance(inside, N.Transpose) else N.Transpose(inside)
    return N.Transpose(N.RowWise(opaque.function, row))
