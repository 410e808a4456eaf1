"""Network: equal entries, once derivatives are taken and means contracted by the law."""

from contextlib import suppress

from verifier.expr.nodes import Limit, Relation
from verifier.expr.walk import walk
from verifier.kernel.context import Context
from verifier.kernel.core.unroll import unrolled
from verifier.kernel.judgement import Holds, Judgement
from verifier.kernel.normal.equal import equal_entries
from verifier.kernel.proof import Data
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules import Rule


def contract(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\mathrm{nf}(a_{ij} - b_{ij}) = 0}{\Gamma \vdash a = b}

    The kernel writes both sides entry by entry, takes derivatives, enters assumed values, contracts means by
    the law of their draws (each must exist), and compares what is left as rational functions of atoms.
    Matrices are equal too if the squares of all entries of a - b add up to 0, which assumptions may say.
    Means of functions of a normal number (powers, exponentials, steps, Phi) go by parts, others
    by the symmetry of a law, over finitely many outcomes, or between the ends of a uniform one. The mean of a
    function of the state after a symbolic number of layers is a linear recursion over the layers, each of
    which draws afresh, if it comes back to finitely many functions of the state; what is assumed of the input
    is not assumed of later states. Where a denominator of the author's own text vanishes a side has no value,
    and nothing is claimed. A limit has rules of its own: it need not exist, and then the equation is false.
    """
    if premises:
        raise Rejected("premises", "a contraction needs no premise")
    match goal:
        case Holds(Relation("==") as fact):
            if any(isinstance(node, Limit) for node in walk(fact)):
                raise Rejected("outside", "a limit, which need not exist")
            with suppress(Rejected):  # a depth that is a symbol
                context, fact = unrolled(context, fact)
            equal_entries(context, fact)
        case _:
            raise Rejected("statement", "a contraction shows an equation")


RULES = (Rule("contract", "network", contract),)
