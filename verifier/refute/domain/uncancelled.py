"""How large the numbers are that cancel in an expression.

A difference of two entries is small where both are, and says nothing there of which one is the larger. Held
against the sum of their sizes it does, at every scale.
"""

from dataclasses import replace

from verifier.expr import nodes as N


def uncancelled(node: N.Node) -> N.Node:
    """The expression with the sizes of its entries, and with sums for differences: never less than its size
    for sums and products of entries, and that size for all else."""
    match node:
        case N.Number(value):
            return N.Number(abs(value))
        case N.Let(_, body):
            return uncancelled(body)
        case N.Add(left, right) | N.Subtract(left, right):
            return N.Add(uncancelled(left), uncancelled(right))
        case N.Multiply(left, right) | N.MatMul(left, right) | N.Inner(left, right):
            return replace(node, left=uncancelled(left), right=uncancelled(right))
        case N.Divide(left, right):
            return N.Divide(uncancelled(left), N.Apply("abs", (right,)))
        case N.Power(base, N.Number(exponent)) if exponent > 0:
            return N.Power(uncancelled(base), N.Number(exponent))
        case N.Negate(arg):
            return uncancelled(arg)
        case N.Transpose(arg) | N.Trace(arg) | N.Entry(arg) | N.Row(arg) | N.Norm(arg):
            return replace(node, arg=uncancelled(arg))
        case N.Sum(body):
            return replace(node, body=uncancelled(body))
    return N.Apply("abs", (node,))
