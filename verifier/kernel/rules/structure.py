"""Structure: how judgements follow from judgements."""

from verifier.expr.nodes import Relation
from verifier.kernel.context import Context
from verifier.kernel.judgement import Holds, Judgement
from verifier.kernel.proof import Data
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules import Rule


def assumption(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\varphi \in \Gamma}{\Gamma \vdash \varphi}

    An assumption in force, as its author wrote it.
    """
    if premises:
        raise Rejected("premises", "an assumption needs no premise")
    if not isinstance(goal, Holds) or goal.fact not in context.assumptions:
        raise Rejected("condition", "this is no assumption in force")


def weaken(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash a = b}{\Gamma \vdash a \le b} \qquad \frac{\Gamma \vdash a < b}{\Gamma \vdash a \le b}

    Also with the order turned round.
    """
    match premises, goal:
        case (Holds(Relation(op, left, right)),), Holds(Relation(weaker, a, b)) if (a, b) == (left, right):
            if (op, weaker) in {("==", "<="), ("==", ">="), ("<", "<="), (">", ">=")}:
                return
    raise Rejected("premises", "this follows from an equation or a strict inequality of the same sides")


RULES = (Rule("assumption", "structure", assumption), Rule("weaken", "structure", weaken))
