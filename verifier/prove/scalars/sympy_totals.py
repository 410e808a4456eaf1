"""Sums and products as SymPy adds them up. SymPy may be wrong where terms vanish or ranges are empty: what it
says is a suggestion, which somebody else has to prove.

sum(k*binomial(n, k), k, 0, n) = n*2**(n - 1),     prod(k, k, 1, n) = factorial(n)
"""

import sympy as sp

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.walk import walk
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.symbol_ranges import domain
from verifier.prove.scalars.sympy_to_tree import from_sympy
from verifier.prove.scalars.tree_to_sympy import Translator

LEFT_OPEN = (sp.Sum, sp.Product, sp.Piecewise, sp.Integral, sp.hyper, sp.zeta, sp.harmonic)


def suggested(claim: Claim, node: n.Node) -> n.Node | None:
    """The tree without its sums and products; None where it has none, or some are left."""
    if not any(isinstance(part, n.Sum | n.Product) for part in walk(node)):
        return None
    translator = Translator(claim, domain(claim))
    try:
        added = translator.read(node).doit()
        if added.has(*LEFT_OPEN):
            return None
        ways = (added, sp.simplify(added), sp.factor(added), sp.powsimp(sp.combsimp(added)))
        return from_sympy(min(ways, key=lambda way: (way.count_ops(), len(str(way)))), translator.atoms)
    except (Refused, TypeError, ValueError, NotImplementedError, RecursionError):
        return None
