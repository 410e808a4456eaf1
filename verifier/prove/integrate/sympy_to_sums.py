"""A closed form in SymPy's terms as a sum of networks."""

from collections.abc import Mapping
from fractions import Fraction

import sympy as sp

from verifier.prove.forms.arc_functions import pi
from verifier.prove.forms.functions_of_sums import apply
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.scalar_sums import power
from verifier.prove.forms.workspace import Workspace
from verifier.prove.networks import Sum

_FUNCTIONS = {"asin": "asin", "exp": "exp", "Phi": "Phi", "sin": "sin", "cos": "cos"}


def lowered(space: Workspace, value: sp.Expr, symbols: Mapping[sp.Symbol, Sum]) -> Sum:
    """The value with sums in place of its symbols."""

    def of(expr: sp.Expr) -> Sum:
        if expr.is_Rational:
            return space.scalar(Fraction(int(expr.p), int(expr.q)))
        if expr is sp.pi:
            return pi(space)
        if expr.is_Symbol:
            return symbols[expr]
        if isinstance(expr, sp.Add):
            parts = [of(arg) for arg in expr.args]
            return sum(parts[1:], parts[0])
        if isinstance(expr, sp.Mul):
            product = space.scalar(1)
            for arg in expr.args:
                product = product * of(arg)
            return product
        if isinstance(expr, sp.Pow) and expr.exp.is_Rational:
            return power(space, of(expr.base), Fraction(int(expr.exp.p), int(expr.exp.q)))
        if isinstance(expr, sp.Function) and expr.func.__name__ in _FUNCTIONS:
            return apply(space, _FUNCTIONS[expr.func.__name__], [of(expr.args[0])])
        raise Refusal(f"{type(expr).__name__} in a closed form")

    return of(value)
