"""The mean gradient through layers that are linear in the state, by a random direction.

    norm(D(f, X))**2 = E norm(f'(G))**2      for a matrix G of independent standard Gaussians (Hutchinson),

and where every layer is linear in the state, and f in the last one, f'(G) is f at the input G. So the size of
the gradient is the mean size of the state, the input taken to be Gaussian.
"""

from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Claim, Layers
from verifier.expr import nodes as n
from verifier.expr.symbols import Normal
from verifier.expr.walk import walk

TWO = n.Number(Fraction(2))
STANDARD = Normal(mean=n.Number(Fraction(0)), std=n.Number(Fraction(1)))


def by_direction(claim: Claim, layers: Layers, body: n.Node) -> tuple[Claim, n.Node] | None:
    """The claim in which the input is Gaussian, and what E(body) is there; None where this does not apply."""
    match body:
        case n.Let(_, inner):
            return by_direction(claim, layers, inner)
        case n.Power(n.Norm(n.Derivative(of, by), "fro"), n.Number(k)) if k == 2 and by == layers.state:
            pass
        case _:
            return None
    states = {part for part in walk(of) if isinstance(part, n.After)}
    if len(states) != 1 or not _is_linear(claim, of, states.pop()):
        return None
    if not _is_linear(claim, layers.next, layers.state):
        return None
    input_ = replace(claim.symbols[layers.state.name], kind=STANDARD)
    kept = tuple(a for a in claim.assumptions if layers.state not in walk(a.fact))
    gaussian = replace(claim, symbols={**claim.symbols, layers.state.name: input_}, assumptions=kept)
    return gaussian, n.Expectation(n.Power(n.Norm(of), TWO))


def _is_linear(claim: Claim, node: n.Node, state: n.Node) -> bool:
    """Linear in the state, with nothing added that is free of it. A value assumed inside has a derivative of
    its own."""
    if node == state:
        return True
    match node:
        case n.Let(name, body):
            values = (assumption.assumed_value for assumption in claim.assumptions)
            assumed = any(found is not None and found[0].name == name for found in values)
            return not assumed and _is_linear(claim, body, state)
        case n.Add(left, right) | n.Subtract(left, right):
            return _is_linear(claim, left, state) and _is_linear(claim, right, state)
        case n.Multiply(left, right) | n.MatMul(left, right):
            if state in walk(left):
                return _is_linear(claim, left, state) and _is_free(right, state)
            return _is_linear(claim, right, state)
        case n.Divide(left, right):
            return _is_linear(claim, left, state) and _is_free(right, state)
        case n.Negate(arg) | n.Transpose(arg):
            return _is_linear(claim, arg, state)
    return False


def _is_free(node: n.Node, state: n.Node) -> bool:
    return state not in walk(node)
