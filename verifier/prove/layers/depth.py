"""States after many layers: the invariants of the state, and how one layer moves them.

E over one layer's symbols maps an invariant of the next state, such as |X'|**2, to a combination of
invariants of the state. The smallest set that contains what the claim asks for and is mapped into
itself has a transfer matrix M, and after T independent layers E I(X_T) = M**T I(X_0).
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

import sympy as sp

from verifier.claim.model import Assumption, Claim, Layers
from verifier.expr import nodes as n
from verifier.expr.symbols import Dimension
from verifier.expr.walk import rebuild, substitute, walk
from verifier.prove.layers.combined_invariants import moved_together
from verifier.prove.layers.layer_moves import Course, course, has_state
from verifier.prove.layers.layer_places import require_layer, require_powers
from verifier.prove.layers.matrix_powers import matrix_power
from verifier.prove.layers.random_directions import by_direction, from_one_layer
from verifier.prove.layers.states_ahead import depths
from verifier.prove.scalars.closed_scalars import Closing
from verifier.prove.scalars.gaussian_lengths import of_length
from verifier.prove.scalars.gaussian_powers import of_powers
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.symbol_ranges import Span, domain
from verifier.prove.scalars.sympy_to_tree import from_sympy
from verifier.prove.scalars.tree_to_sympy import Translator

MAX_INVARIANTS = 8
MAX_SINGLE = 2  # layers that are taken one by one
ZERO, ONE = n.Number(Fraction(0)), n.Number(Fraction(1))
Combination = dict[sp.Expr, sp.Expr]  # monomials in atoms of what moves, and their coefficients


def unroll(closing: Closing, node: n.Node) -> n.Node:
    """An expectation of a function of after(X, T), in the invariants of X."""
    layers = closing.claim.layers
    if layers is None:
        raise Refused("after(...) without layers")
    match node:
        case n.Expectation(body, ()):
            turned = by_direction(closing.claim, layers, body)
            if turned is not None:
                gaussian, size = turned
                return closing.within(gaussian).close(size)
            return _expected_later(closing, layers, body)
        case n.Variance(body) if body.shape.is_scalar:
            square = n.Expectation(n.Power(body, n.Number(Fraction(2))))
            mean = n.Power(n.Expectation(body), n.Number(Fraction(2)))
            return n.Subtract(closing.close(square), closing.close(mean))
        case n.Covariance(left, right) if node.shape.is_scalar:
            both = n.Expectation(n.Multiply(left, right))
            return n.Subtract(closing.close(both), _product_of_means(closing, left, right))
    raise Refused("this expectation of a state after many layers")


def _product_of_means(closing: Closing, left: n.Node, right: n.Node) -> n.Node:
    """E f E g, which is 0 as soon as one of them is."""
    for side in (left, right):
        with suppress(Refused):
            if closing.close(n.Expectation(side)) == ZERO:
                return ZERO
    return closing.close(n.Multiply(n.Expectation(left), n.Expectation(right)))


@dataclass(frozen=True)
class Recursion:
    """Invariants (monomials in atoms of the state), their transfer matrix, and their vocabulary."""

    invariants: tuple[sp.Expr, ...]
    matrix: sp.Matrix
    translator: Translator


def _expected_later(closing: Closing, layers: Layers, body: n.Node) -> n.Node:
    """With the values of scalars in place; where a layer's action has no closed form in them, such as
    a/L**(1/3), they enter what is found for all values."""
    try:
        return _expected(closing, layers, body)
    except Refused:
        claim = closing.claim
        kept = tuple(a for a in claim.assumptions if not _is_value_of_a_scalar(claim, a))
        if len(kept) == len(claim.assumptions):
            raise
        return _expected(closing.within(replace(claim, assumptions=kept)), layers, body)


def _is_value_of_a_scalar(claim: Claim, assumption: Assumption) -> bool:
    """For sizes it is more: matrices have them."""
    found = assumption.substitution
    return (
        found is not None
        and found[0].shape.is_scalar
        and not isinstance(claim.symbols[found[0].name].kind, Dimension)
    )


def _expected(closing: Closing, layers: Layers, body: n.Node) -> n.Node:
    body = _with_means_closed(closing, body)
    reached = depths(closing.claim, body)
    if reached is None:
        return closing.close(n.Expectation(body))
    depth, behind = reached.least, reached.behind
    own = {symbol.name for symbol in layers.symbols}
    drawn = {part for part in walk(body) if isinstance(part, n.Member) and part.name in own}
    if len(drawn) > 1:
        raise Refused("what several layers drew")
    by = next(iter(drawn), None)
    turned = None if by is None else from_one_layer(closing.claim, layers, body, by)
    if turned is None:
        moving = course(closing.claim, layers, body, behind, by)
    else:
        moving = course(turned.claim, layers, turned.size, behind)
        begun = substitute(turned.begun, {layers.state: moving.state})
        moving = replace(moving, start={moving.state: begun})
    translator = Translator(moving.claim, domain(moving.claim, (layers.next,)))
    asked = _combination(closing, translator, moving, n.Expectation(moving.body))
    if by is None:
        found = _carried(closing, moving, translator, asked, depth)
        tree = substitute(from_sympy(_total(found), translator.atoms), moving.start)
    else:
        require_layer(closing.claim, by.index, depth)
        late = _carried(closing, moving, translator, asked, n.Subtract(depth, by.index))
        there = _through(closing, moving, translator, late, moving.start)
        found = _carried(closing, moving, translator, there, n.Subtract(by.index, ONE))
        tree = substitute(from_sympy(_total(found), translator.atoms), {moving.state: layers.state})
    if layers.state.name in closing.claim.random:
        tree = n.Expectation(tree)
    return closing.close(tree)


def _carried(
    closing: Closing, moving: Course, translator: Translator, start: Combination, depth: n.Node
) -> Combination:
    """The mean of a combination of invariants `depth` layers on. A few layers are taken one by one: what the
    last of them makes of the state need not be moved on."""
    steps = Translator(closing.claim, translator.spans).read(depth)
    if steps.is_Integer and 0 <= steps <= MAX_SINGLE:
        for _ in range(int(steps)):
            start = _through(closing, moving, translator, start, moving.onward)
        return start
    recursion = _closed_set(closing, moving, translator, tuple(start))
    weights = sp.Matrix([[start.get(item, sp.Integer(0)) for item in recursion.invariants]])
    after = _raised(recursion.matrix, weights, steps, translator.spans)
    return {item: after[0, j] for j, item in enumerate(recursion.invariants)}


def _raised(matrix: sp.Matrix, weights: sp.Matrix, steps: sp.Expr, spans: Mapping[str, Span]) -> sp.Matrix:
    """weights @ matrix**steps; with the weighted invariants as one, where that is simpler."""
    try:
        require_powers(matrix, steps, spans)
        return weights * matrix_power(matrix, steps, spans)
    except Refused:
        found = moved_together(weights, matrix)
        if found is None:
            raise
    smaller, kept = found
    require_powers(smaller, steps, spans)
    whole, *rest = matrix_power(smaller, steps, spans)[0, :]
    after = whole * weights
    for j, share in zip(kept, rest, strict=True):
        after[j] += share
    return after


def _through(
    closing: Closing,
    moving: Course,
    translator: Translator,
    found: Combination,
    values: Mapping[n.Node, n.Node],
) -> Combination:
    """The mean of the combination over one layer, behind which what moves has these values."""
    made: Combination = {}
    for item, weight in found.items():
        tree = substitute(from_sympy(item, translator.atoms), values)
        for inner, share in _combination(closing, translator, moving, n.Expectation(tree)).items():
            made[inner] = made.get(inner, sp.Integer(0)) + weight * share
    return made


def _total(found: Combination) -> sp.Expr:
    return sp.Add(*(weight * item for item, weight in found.items()))


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


def _combination(closing: Closing, translator: Translator, moving: Course, node: n.Node) -> Combination:
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
