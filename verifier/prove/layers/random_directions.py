"""The mean gradient through layers that are linear in the state, by a random direction.

    norm(D(f, X))**2 = E norm(f'(G))**2      for a matrix G of independent standard Gaussians (Hutchinson),

and where every layer is linear in the state, and f in the last one, f'(G) is f at the input G. So the size of
the gradient is the mean size of the state, the input taken to be Gaussian. By W[l] it is so from layer l on,
which begins with next(x, G) - next(x, 0) where next is affine in W.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

from verifier.claim.model import Claim, Layers
from verifier.expr import nodes as n
from verifier.expr.symbols import Normal
from verifier.expr.walk import rebuild, substitute, walk

TWO = n.Number(Fraction(2))
STANDARD = Normal(mean=n.Number(Fraction(0)), std=n.Number(Fraction(1)))


@dataclass(frozen=True)
class Turned:
    """The size of the state in a claim with a Gaussian direction, and the state behind layer l."""

    claim: Claim
    size: n.Node
    begun: n.Node


def by_direction(claim: Claim, layers: Layers, body: n.Node) -> tuple[Claim, n.Node] | None:
    """The claim in which the input is Gaussian, and what E(body) is there; None where this does not apply."""
    of = _differentiated(claim, layers, body, layers.state)
    if of is None:
        return None
    input_ = replace(claim.symbols[layers.state.name], kind=STANDARD)
    kept = tuple(a for a in claim.assumptions if layers.state not in walk(a.fact))
    gaussian = replace(claim, symbols={**claim.symbols, layers.state.name: input_}, assumptions=kept)
    return gaussian, n.Expectation(n.Power(n.Norm(of), TWO))


def from_one_layer(claim: Claim, layers: Layers, body: n.Node, by: n.Member) -> Turned | None:
    """The same for the size of a gradient by what one layer drew."""
    of = _differentiated(claim, layers, body, by)
    drawn = n.Symbol(by.name, by.shape)
    if of is None or not _is_affine(claim, layers.next, drawn):
        return None
    lets = {let.name for let in layers.lets + claim.lets}
    name, taken = "direction", claim.symbols.keys() | {symbol.name for symbol in layers.symbols} | lets
    while name in taken:
        name += "_"
    declared = next(symbol for symbol in layers.symbols if symbol.name == by.name)
    symbols = {**claim.symbols, name: replace(declared, name=name, kind=STANDARD)}
    following = _without_names(layers.next)
    along, without = (
        substitute(following, {drawn: value}) for value in (n.Symbol(name, by.shape), n.Zeros(by.shape))
    )
    return Turned(replace(claim, symbols=symbols), n.Power(n.Norm(of), TWO), n.Subtract(along, without))


def _differentiated(claim: Claim, layers: Layers, body: n.Node, by: n.Node) -> n.Node | None:
    """f of norm(D(f, by))**2, where f and every layer are linear in the state."""
    match body:
        case n.Let(_, inner):
            return _differentiated(claim, layers, inner, by)
        case n.Power(n.Norm(n.Derivative(of, given), "fro"), n.Number(k)) if k == 2 and given == by:
            pass
        case _:
            return None
    states = {part for part in walk(of) if isinstance(part, n.After)}
    if len(states) != 1 or not _is_linear(claim, layers.next, layers.state):
        return None
    (state,) = states
    # What stands beside the state moves too: D(tr(X) * after(X, L), X) has a second term.
    beside = substitute(of, {state: n.Zeros(state.shape)})
    return of if _is_linear(claim, of, state) and _is_free(beside, by) else None


def _without_names(node: n.Node) -> n.Node:
    return _without_names(node.body) if isinstance(node, n.Let) else rebuild(node, _without_names)


def _is_affine(claim: Claim, node: n.Node, drawn: n.Node) -> bool:
    """A sum of terms that are linear in what is drawn, or free of it."""
    match node:
        case _ if node == drawn or _is_free(node, drawn):
            return True
        case n.Add(left, right) | n.Subtract(left, right):
            return _is_affine(claim, left, drawn) and _is_affine(claim, right, drawn)
        case n.Multiply(left, right) | n.MatMul(left, right):
            inside, other = (left, right) if _is_free(right, drawn) else (right, left)
            return _is_affine(claim, inside, drawn) and _is_free(other, drawn)
        case n.Divide(left, right):
            return _is_affine(claim, left, drawn) and _is_free(right, drawn)
        case n.Negate(arg) | n.Transpose(arg):
            return _is_affine(claim, arg, drawn)
        case n.Let(name, body):
            return not _is_assumed(claim, name) and _is_affine(claim, body, drawn)
    return False


def _is_assumed(claim: Claim, name: str) -> bool:
    values = (assumption.assumed_value for assumption in claim.assumptions)
    return any(found is not None and found[0].name == name for found in values)


def _is_linear(claim: Claim, node: n.Node, state: n.Node) -> bool:
    """Linear in the state, with nothing added that is free of it. A value assumed inside has a derivative of
    its own."""
    if node == state:
        return True
    match node:
        case n.Let(name, body):
            return not _is_assumed(claim, name) and _is_linear(claim, body, state)
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
