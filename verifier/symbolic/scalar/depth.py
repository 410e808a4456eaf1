"""States after many layers: the invariants of the state, and how one layer moves them.

E over one layer's symbols maps an invariant of the next state, such as |X'|**2, to a combination of
invariants of the state. The smallest set that contains what the claim asks for and is mapped into
itself has a transfer matrix M, and after T independent layers E I(X_T) = M**T I(X_0).
"""

from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from verifier.claim.model import Layers
from verifier.expr import nodes as n
from verifier.expr.walk import rebuild, substitute, walk
from verifier.symbolic.scalar.back import from_sympy
from verifier.symbolic.scalar.closing import Closing
from verifier.symbolic.scalar.course import Course, course, has_state
from verifier.symbolic.scalar.directions import by_direction
from verifier.symbolic.scalar.domain import domain
from verifier.symbolic.scalar.lengths import of_length
from verifier.symbolic.scalar.powers import matrix_power
from verifier.symbolic.scalar.raised import of_powers
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
            turned = by_direction(closing.claim, layers, body)
            if turned is not None:
                gaussian, size = turned
                return closing.within(gaussian).close(size)
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
    moving = course(closing.claim, layers, _with_means_closed(closing, body))
    translator = Translator(moving.claim, domain(moving.claim, (layers.next,)))
    start = _combination(closing, translator, moving, n.Expectation(moving.body))
    recursion = _closed_set(closing, moving, translator, tuple(start))
    steps = Translator(closing.claim, translator.spans).read(depth)
    power = matrix_power(recursion.matrix, steps, translator.spans)
    weights = sp.Matrix([[start.get(item, sp.Integer(0)) for item in recursion.invariants]])
    after = (weights * power)[0, :]
    terms = sp.Add(*(after[0, j] * item for j, item in enumerate(recursion.invariants)))
    tree = substitute(from_sympy(terms, translator.atoms), moving.start)
    if layers.state.name in closing.claim.random:
        tree = n.Expectation(tree)
    return closing.close(tree)


def _with_means_closed(closing: Closing, body: n.Node) -> n.Node:
    """An expectation inside is a number, which no layer moves."""

    def change(node: n.Node) -> n.Node:
        if isinstance(node, n.Expectation | n.Variance | n.Covariance) and has_state(node):
            return closing.close(node)
        return rebuild(node, change)

    return change(body)


def _closed_set(
    closing: Closing, moving: Course, translator: Translator, start: tuple[sp.Expr, ...]
) -> Recursion:
    """Apply one layer to each invariant until no new one appears."""
    known, rows = list(start), []
    for position in range(MAX_INVARIANTS + 1):
        if position == len(known):
            break
        closing.clock.check()
        tree = substitute(from_sympy(known[position], translator.atoms), moving.onward)
        row = _combination(closing, translator, moving, n.Expectation(tree))
        rows.append(row)
        known += [item for item in row if item not in known]
    else:
        raise Refused("a small set of invariants that one layer maps into itself")
    matrix = sp.Matrix(len(known), len(known), lambda i, j: rows[i].get(known[j], sp.Integer(0)))
    return Recursion(tuple(known), matrix, translator)


def _combination(
    closing: Closing, translator: Translator, moving: Course, node: n.Node
) -> dict[sp.Expr, sp.Expr]:
    """A closed form as monomials in the atoms of what moves, with coefficients free of it."""
    tree = closing.closed_form(translator.claim, node)
    if tree is None:
        moment = of_length(translator.claim, node) or of_powers(translator.claim, node, closing.closed_form)
        tree = None if moment is None else closing.within(translator.claim).close(moment)
    if tree is None:
        raise Refused("the closed form of one layer's action")
    expr = sp.expand(translator.read(tree))
    atoms = [
        atom
        for atom, part in translator.atoms.items()
        if atom in expr.free_symbols and not moving.start.keys().isdisjoint(walk(part))
    ]
    # A state of one number is no atom: it is a symbol as it stands.
    names = {part.name for part in moving.start if isinstance(part, n.Symbol)}
    plain = {atom for atom in expr.free_symbols if atom.name in names} - set(atoms)
    atoms += sorted(plain, key=lambda atom: atom.name)
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
