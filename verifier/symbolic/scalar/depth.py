"""States after many layers: the invariants of the state, and how one layer moves them.

E over one layer's symbols maps an invariant of the next state, such as |X'|**2, to a combination of
invariants of the state. The smallest set that contains what the claim asks for and is mapped into
itself has a transfer matrix M, and after T independent layers E I(X_T) = M**T I(X_0).
"""

from dataclasses import dataclass, replace
from fractions import Fraction

import sympy as sp

from verifier.claim.model import Assumption, Claim, Layers
from verifier.expr import nodes as n
from verifier.expr.symbols import FixedMatrix
from verifier.expr.walk import substitute, walk
from verifier.symbolic.scalar.back import from_sympy
from verifier.symbolic.scalar.closing import Closing
from verifier.symbolic.scalar.domain import domain
from verifier.symbolic.scalar.powers import triangular_power
from verifier.symbolic.scalar.refuse import Refused
from verifier.symbolic.scalar.translate import Translator

MAX_INVARIANTS = 8


def unroll(closing: Closing, node: n.Node) -> n.Node:
    """An expectation of a function of after(X, T), in the invariants of X."""
    layers = closing.claim.layers
    if layers is None:
        raise Refused("after(...) without layers")
    depths = {part.depth for part in walk(node) if isinstance(part, n.After)}
    if len(depths) != 1:
        raise Refused("states of different depths in one expectation")
    match node:
        case n.Expectation(body, ()):
            return _expected(closing, layers, body, depths.pop())
        case n.Variance(body) if body.shape.is_scalar:
            square = n.Expectation(n.Power(body, n.Number(Fraction(2))))
            mean = n.Power(n.Expectation(body), n.Number(Fraction(2)))
            return n.Subtract(closing.close(square), closing.close(mean))
        case n.Covariance(left, right) if node.shape.is_scalar:
            both = n.Expectation(n.Multiply(left, right))
            means = n.Multiply(n.Expectation(left), n.Expectation(right))
            return n.Subtract(closing.close(both), closing.close(means))
    raise Refused("this expectation of a state after many layers")


@dataclass(frozen=True)
class Recursion:
    """Invariants (monomials in atoms of the state), their transfer matrix, and their vocabulary."""

    invariants: tuple[sp.Expr, ...]
    matrix: sp.Matrix
    translator: Translator


def _expected(closing: Closing, layers: Layers, body: n.Node, depth: n.Node) -> n.Node:
    one = layer_claim(closing.claim, layers)
    translator = Translator(one, domain(one, (layers.next,)))
    at_input = substitute(body, {n.After(layers.state, depth): layers.state})
    start = _combination(closing, translator, layers.state, n.Expectation(at_input))
    recursion = _closed_set(closing, layers, translator, tuple(start))
    steps = Translator(closing.claim, translator.spans).read(depth)
    power = triangular_power(recursion.matrix, steps, translator.spans)
    weights = sp.Matrix([[start.get(item, sp.Integer(0)) for item in recursion.invariants]])
    after = (weights * power)[0, :]
    terms = sp.Add(*(after[0, j] * item for j, item in enumerate(recursion.invariants)))
    tree = from_sympy(terms, translator.atoms)
    if layers.state.name in closing.claim.random:
        tree = n.Expectation(tree)
    return closing.close(tree)


def layer_claim(claim: Claim, layers: Layers) -> Claim:
    """One layer as a claim of its own: the state is any fixed matrix.

    What is assumed of the input is not known of later states, so it must not enter here; values
    assumed inside the layer hold in every layer."""

    def holds_in_every_layer(assumption: Assumption) -> bool:
        found = assumption.assumed_value
        if found is not None:
            return True
        return layers.state not in walk(assumption.fact)

    symbols = {**claim.symbols, **{symbol.name: symbol for symbol in layers.symbols}}
    state = symbols[layers.state.name]
    symbols[state.name] = replace(state, kind=FixedMatrix("matrix"))
    return replace(
        claim,
        symbols=symbols,
        lets=claim.lets + layers.lets,
        layers=None,
        assumptions=tuple(filter(holds_in_every_layer, claim.assumptions)),
    )


def _closed_set(
    closing: Closing, layers: Layers, translator: Translator, start: tuple[sp.Expr, ...]
) -> Recursion:
    """Apply one layer to each invariant until no new one appears."""
    known, rows = list(start), []
    for position in range(MAX_INVARIANTS + 1):
        if position == len(known):
            break
        closing.clock.check()
        tree = substitute(from_sympy(known[position], translator.atoms), {layers.state: layers.next})
        row = _combination(closing, translator, layers.state, n.Expectation(tree))
        rows.append(row)
        known += [item for item in row if item not in known]
    else:
        raise Refused("a small set of invariants that one layer maps into itself")
    matrix = sp.Matrix(len(known), len(known), lambda i, j: rows[i].get(known[j], sp.Integer(0)))
    return Recursion(tuple(known), matrix, translator)


def _combination(
    closing: Closing, translator: Translator, state: n.Symbol, node: n.Node
) -> dict[sp.Expr, sp.Expr]:
    """A closed form as monomials in the atoms of the state, with coefficients free of it."""
    tree = closing.closed_form(translator.claim, node)
    if tree is None:
        raise Refused("the closed form of one layer's action")
    expr = sp.expand(translator.read(tree))
    atoms = [a for a, part in translator.atoms.items() if state in walk(part) and a in expr.free_symbols]
    if any(isinstance(atom, sp.Function) for atom in atoms):
        raise Refused("invariants under a bound index")
    if not atoms:
        return {sp.Integer(1): expr} if expr != 0 else {}
    if not expr.is_polynomial(*atoms):
        raise Refused("invariants that enter one layer's action polynomially")
    found = {}
    for exponents, coefficient in sp.Poly(expr, *atoms).terms():
        monomial = sp.Mul(*(atom**k for atom, k in zip(atoms, exponents, strict=True)))
        found[monomial] = sp.factor(coefficient)
    return found
