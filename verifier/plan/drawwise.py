"""A bound between means that is true because it is true at every draw.

The means may have no closed form: what is averaged has a value at every draw, and whoever proves bounds
between values is asked about that. How tight the bound is among means is another question: it is at least
as loose as at every draw, and it is tight if both sides meet where what is random shrinks to 0.
"""

from dataclasses import replace

from verifier.evidence import EXACT, Finding, Tightness
from verifier.expr.nodes import Node, Relation
from verifier.expr.walk import walk
from verifier.plan.asking import Case
from verifier.plan.known import AVERAGES
from verifier.plan.mean_tightness import meeting
from verifier.plan.schedule import examine_cases

BOUNDS = ("<=", "<", ">=", ">")
MEETING_SECONDS = 0.3


def drawwise(case: Case, seconds: float) -> None:
    """Ask about single draws where nobody could say anything of a bound between means."""
    fact = case.step.fact
    if not isinstance(fact, Relation) or fact.op not in BOUNDS or not _averages(fact):
        return
    # Loaded in the worker alone, like the engines.
    from verifier.prove.means.drawn_relations import at_every_draw

    bare = at_every_draw(case.claim, fact)
    if bare is None:
        return
    claim, inner = bare
    there = case.beside(claim, replace(case.step, fact=inner))
    examine_cases([there], there.settings, seconds)
    proof = next((f for f in there.findings if f.proves), None)
    if proof is not None:
        reason = f"true at every draw: {proof.reason}"
        tightness = _tightness(case, fact, there)
        case.hear(Finding(proof.engine, "true", proof.grade, reason, tightness=tightness))


def _tightness(case: Case, fact: Relation, there: Case) -> Tightness | None:
    """(c - f)/|c| >= gap at every draw makes the same gap in mean, for a right side that is not random."""
    met = meeting(case, fact, MEETING_SECONDS)
    if met is not None:
        return met
    known = (f.tightness for f in there.findings if f.grade in EXACT and f.tightness is not None)
    loose = next((one for one in known if one.tight is False and one.gap_low is not None), None)
    if loose is None or _averages(fact.right):
        return None
    return Tightness(False, loose.gap_low, better=loose.better, note=loose.note, proved=loose.proved)


def _averages(node: Node | Relation) -> bool:
    return any(isinstance(part, AVERAGES) for part in walk(node))
