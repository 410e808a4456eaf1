"""A SymPy expression as a tree of the claim language."""

from collections.abc import Mapping
from fractions import Fraction
from functools import reduce

import sympy as sp

from verifier.expr import nodes as n
from verifier.prove.scalars.scalar_refusal import Refused

ONE = n.Number(Fraction(1))
_FUNCTIONS: dict[type[sp.Basic], str] = {
    sp.exp: "exp",
    sp.log: "log",
    sp.sin: "sin",
    sp.cos: "cos",
    sp.asin: "asin",
    sp.acos: "acos",
    sp.atan: "atan",
    sp.tanh: "tanh",
    sp.erf: "erf",
    sp.Abs: "abs",
    sp.factorial: "factorial",
    sp.factorial2: "factorial2",
    sp.binomial: "binomial",
}


def from_sympy(expr: sp.Expr, atoms: Mapping[sp.Expr, n.Node]) -> n.Node:
    """The tree; `atoms` says what stands for more than a scalar symbol."""
    if expr in atoms:
        return atoms[expr]
    match expr:
        case sp.Rational():
            return n.Number(Fraction(int(expr.p), int(expr.q)))
        case sp.Symbol():
            return n.Index(expr.name[1:]) if expr.name.startswith("@") else n.Symbol(expr.name)
        case sp.Add():
            return _sum(expr, atoms)
        case sp.Mul():
            return _product(expr, atoms)
        case sp.Pow(base=base, exp=exponent) if exponent == sp.Rational(1, 2):
            return n.Apply("sqrt", (from_sympy(base, atoms),))
        case sp.Pow(base=base, exp=exponent):
            if exponent.is_Rational and exponent < 0:
                return n.Divide(ONE, from_sympy(base ** (-exponent), atoms))
            return n.Power(from_sympy(base, atoms), from_sympy(exponent, atoms))
        case sp.Sum() | sp.Product():
            # SymPy's first range is the innermost one.
            spans = tuple(
                n.Range(index.name[1:], from_sympy(low, atoms), from_sympy(high, atoms))
                for index, low, high in reversed(expr.limits)
            )
            body = from_sympy(expr.function, atoms)
            return n.Sum(body, spans) if isinstance(expr, sp.Sum) else n.Product(body, spans)
    if expr is sp.pi:
        return n.Pi()
    if expr is sp.E:
        return n.Apply("exp", (ONE,))
    if expr is sp.oo:
        return n.Infinity()
    return _function(expr, atoms)


def _function(expr: sp.Expr, atoms: Mapping[sp.Expr, n.Node]) -> n.Node:
    if expr.func in _FUNCTIONS:
        return n.Apply(_FUNCTIONS[expr.func], tuple(from_sympy(arg, atoms) for arg in expr.args))
    match expr:
        case sp.Max() | sp.Min():
            name = "max" if isinstance(expr, sp.Max) else "min"
            parts = (from_sympy(arg, atoms) for arg in sorted(expr.args, key=sp.default_sort_key))
            return reduce(lambda first, second: n.Apply(name, (first, second)), parts)
        case sp.gamma():
            return from_sympy(sp.factorial(expr.args[0] - 1), atoms)
        case sp.sign():
            return n.Divide(from_sympy(expr.args[0], atoms), from_sympy(sp.Abs(expr.args[0]), atoms))
        case sp.erfc():
            return from_sympy(1 - sp.erf(expr.args[0]), atoms)
        case sp.sinh() | sp.cosh():
            return from_sympy(expr.rewrite(sp.exp), atoms)
    raise Refused(f"{expr.func.__name__} has no name in the language")


def _sum(expr: sp.Expr, atoms: Mapping[sp.Expr, n.Node]) -> n.Node:
    first, *rest = expr.as_ordered_terms()
    total = from_sympy(first, atoms)
    for term in rest:
        if term.could_extract_minus_sign():
            total = n.Subtract(total, from_sympy(-term, atoms))
        else:
            total = n.Add(total, from_sympy(term, atoms))
    return total


def _product(expr: sp.Expr, atoms: Mapping[sp.Expr, n.Node]) -> n.Node:
    """-(a*b)/(c*d): the sign in front, one fraction."""
    if expr.could_extract_minus_sign() and expr.args[0].is_Rational:
        return n.Negate(from_sympy(-expr, atoms))
    above: list[sp.Expr] = []
    below: list[sp.Expr] = []
    for factor in expr.as_ordered_factors():
        if factor.is_Rational:
            above += [sp.Integer(factor.p)] * (factor.p != 1)
            below += [sp.Integer(factor.q)] * (factor.q != 1)
        elif factor.is_Pow and factor.exp.is_Rational and factor.exp < 0:
            below.append(1 / factor)
        else:
            above.append(factor)
    top = _times(above, atoms)
    return n.Divide(top, _times(below, atoms)) if below else top


def _times(factors: list[sp.Expr], atoms: Mapping[sp.Expr, n.Node]) -> n.Node:
    if not factors:
        return ONE
    product = from_sympy(factors[0], atoms)
    for factor in factors[1:]:
        product = n.Multiply(product, from_sympy(factor, atoms))
    return product
