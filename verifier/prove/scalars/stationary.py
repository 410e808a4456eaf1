"""The value of sup(f, x) or inf(f, x) as SymPy finds it where the derivative vanishes: a suggestion, which
somebody else has to prove.

sup(x*exp(-x**2), x) = exp(-1/2)/sqrt(2)
"""

import sympy as sp

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.symbol_ranges import domain
from verifier.prove.scalars.sympy_to_tree import from_sympy
from verifier.prove.scalars.tree_to_sympy import Translator

MOST = 8
NEAR = 1e-6


def suggested(claim: Claim, node: n.Extreme, near: float) -> n.Node | None:
    """The value at a stationary point that agrees with the number that the extreme is known to be near."""
    if len(node.over) != 1 or not node.over[0].shape.is_scalar:
        return None
    translator = Translator(claim, domain(claim))
    try:
        body, variable = translator.read(node.body), translator.free(node.over[0].name)
        roots = sp.solve(sp.diff(body, variable), variable)
        for root in roots[:MOST]:
            value = sp.simplify(body.subs(variable, root))
            if value.is_number and value.is_real and abs(float(value) - near) <= NEAR * max(1.0, abs(near)):
                return from_sympy(value, translator.atoms)
    except (Refused, TypeError, ValueError, AttributeError, NotImplementedError, RecursionError):
        return None
    return None
