"""Sums over indices of expressions in expectations: sum(E(..[k, m]) / sqrt(E(..[k]) E(..[m])), k, m).

The summand is brought to closed form at symbolic indices, expanded in the atoms that depend on
them, and each such atom is summed by itself. Where it depends on them as on plain numbers, as means
after k layers do, a sum of numbers is left.
"""

from dataclasses import replace

import sympy as sp

from verifier.expr import nodes as n
from verifier.expr.walk import substitute, walk
from verifier.prove.scalars.assumed_equalities import rules, with_indices
from verifier.prove.scalars.closed_scalars import Closing
from verifier.prove.scalars.identically_zero import expand_sums, factored_bases
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.symbol_ranges import domain
from verifier.prove.scalars.sympy_to_tree import ONE, from_sympy
from verifier.prove.scalars.tree_to_sympy import Translator


def close_sum(closing: Closing, node: n.Sum) -> n.Node:
    """The sum, free of expectations and of the summed indices."""
    node = _from_one(closing, _in_new_names(closing, node))
    claim = with_indices(closing.claim, node.ranges)
    if claim is None:
        raise Refused("a sum whose index does not run from 1 to a size")
    names: dict[n.Node, n.Node] = {n.Index(span.index): n.Symbol(span.index) for span in node.ranges}
    inner = closing.within(claim)
    body = inner.close(substitute(node.body, names))
    spans = domain(claim, (body,))
    translator = Translator(claim, spans, rules=rules(closing.claim, closing.closed_form))
    translator = translator.knowing(closing.nonnegative)
    expr = _expanded(translator.read(body))
    counted = {translator.free(span.index) for span in node.ranges}
    moving = [a for a, part in translator.atoms.items() if _moves(part, node) and a in expr.free_symbols]
    if moving and not expr.is_polynomial(*moving):
        raise Refused("a summand that is no polynomial in what depends on the index")
    back = {symbol: index for index, symbol in names.items()}
    total: n.Node | None = None
    for exponents, coefficient in sp.Poly(expr, *moving).terms() if moving else [((), expr)]:
        monomial = sp.Mul(*(atom**k for atom, k in zip(moving, exponents, strict=True)))
        share = from_sympy(sp.factor(coefficient), translator.atoms)
        if coefficient.free_symbols & counted:
            if monomial != 1:
                raise Refused("a summand in which the index stands outside matrices")
            term: n.Node = n.Sum(substitute(share, back), node.ranges, node.conditions)
        else:
            piece = _summed(closing, node, substitute(from_sympy(monomial, translator.atoms), back))
            term = n.Multiply(share, piece)
        total = term if total is None else n.Add(total, term)
    assert total is not None
    return total


def _in_new_names(closing: Closing, node: n.Sum) -> n.Sum:
    """The sum with indices that no symbol is named like: they may hide a declared one."""
    names = {span.index: span.index for span in node.ranges}
    for name in names:
        while names[name] in closing.claim.symbols:
            names[name] += "_"
    if all(old == new for old, new in names.items()):
        return node
    new: dict[n.Node, n.Node] = {n.Index(old): n.Index(name) for old, name in names.items()}
    ranges = tuple(replace(substitute(span, new), index=names[span.index]) for span in node.ranges)
    conditions = tuple(substitute(condition, new) for condition in node.conditions)
    return n.Sum(substitute(node.body, new), ranges, conditions)


def _from_one(closing: Closing, node: n.Sum) -> n.Sum:
    """sum(f(k), k, a, b) = sum(f(k + a - 1), k, 1, b - a + 1)."""
    match node.ranges:
        case (n.Range(index, n.Number(low), high),) if low != 1 and low.denominator == 1:
            pass
        case _:
            return node
    shift = n.Number(low - 1)
    translator = Translator(closing.claim, domain(closing.claim))
    last = from_sympy(translator.read(n.Subtract(high, shift)), translator.atoms)
    moved: dict[n.Node, n.Node] = {n.Index(index): n.Add(n.Index(index), shift)}
    conditions = tuple(substitute(condition, moved) for condition in node.conditions)
    return n.Sum(substitute(node.body, moved), (n.Range(index, ONE, last),), conditions)


def _expanded(expr: sp.Expr) -> sp.Expr:
    """One denominator, roots of squares taken, and the numerator multiplied out."""
    above, below = sp.fraction(sp.together(sp.powdenest(sp.powsimp(factored_bases(expr)))))
    return sp.expand(above) / below


def _moves(node: n.Node, total: n.Sum) -> bool:
    names = {span.index for span in total.ranges}
    return any(isinstance(part, n.Symbol) and part.name in names for part in walk(node))


def _summed(closing: Closing, node: n.Sum, body: n.Node) -> n.Node:
    whole = n.Sum(body, node.ranges, node.conditions)
    if body == ONE:
        count = Translator(closing.claim, domain(closing.claim)).read(whole)
        return from_sympy(expand_sums(count), {})
    found = closing.closed_form(closing.claim, whole)
    if found is None:
        raise Refused("a sum over entries without a closed form")
    return found
