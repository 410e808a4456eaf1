"""A correction as LaTeX, to paste into the paper."""

from dataclasses import replace

from verifier.claim.model import Claim
from verifier.expr.latex import to_latex
from verifier.expr.nodes import Fact, Relation, Within
from verifier.judge.verdict import StepVerdict
from verifier.report import markup


def to_paste(claim: Claim, step: StepVerdict) -> str | None:
    """The whole relation with the right side that is true, or that is enough; None where none was found."""
    fact = corrected(claim, step)
    return None if fact is None else to_latex(fact)


def corrected(claim: Claim, step: StepVerdict) -> Fact | None:
    """The relation that is true in place of the one that was claimed."""
    better = step.corrected or step.tight
    if better is None:
        found = markup.read(claim, step.instead) if step.instead is not None else None
        return found if isinstance(found, Fact) else None
    found = markup.read(claim, better)
    match step.fact, found:
        case Within() as fact, Within(_, low, high):
            return replace(fact, low=low, high=high)
        case Relation() as fact, _ if found is not None and not isinstance(found, Fact):
            return replace(fact, right=found)
    return None
