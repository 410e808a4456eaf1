"""A claim as its author's file states it now, held against the proof in its file."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Literal

from verifier.claim.model import Claim, Step
from verifier.expr.sizes import room_for_trees
from verifier.kernel.check import TRUST, Checked, check
from verifier.kernel.context import Context
from verifier.kernel.judgement import Fails, Judgement
from verifier.kernel.proof import Proof
from verifier.kernel.rejected import Reason, Rejected
from verifier.proofs.beside import ways
from verifier.proofs.statement import context_of, difference, goal, stated
from verifier.proofs.store import Beside, Json, Missing, Stored, Unreadable, read
from verifier.proofs.text import from_data
from verifier.read.specs.make_claim import Draft

Outcome = Literal["accepted", "rejected", "no proof", "unreadable"]


@dataclass(frozen=True)
class Audit:
    """What became of a claim's proof. `verdict`: what is proved, where it is accepted."""

    outcome: Outcome
    words: str = ""
    reason: Reason | None = None
    verdict: Literal["holds", "fails"] | None = None
    rules: Mapping[str, int] = field(default_factory=dict)
    sites: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()  # what else is proved


def audit(claim: Claim, folder: Path, plan: Draft | None = None) -> Audit:
    """Read the claim's proof and check it, against the statement as it is read from the author's file. The
    plan that the claim was built from says what it is under other assumptions."""
    try:
        stored = read(folder, claim.id)
        if (words := difference(stored.statement, stated(claim))) is not None:
            raise Rejected("statement", words)
        found = _checked(claim, stored)
        return found if found.outcome == "rejected" else replace(found, beside=_beside(claim, stored, plan))
    except Missing as missing:
        return Audit("no proof", str(missing))
    except Unreadable as wrong:
        return Audit("unreadable", str(wrong))
    except Rejected as rejected:
        return Audit("rejected", rejected.words, rejected.reason)


def _checked(claim: Claim, stored: Stored) -> Audit:
    """All proofs that are there are checked. One step that is false refutes a chain, whatever is known of the
    others; to hold, it needs a proof of every step."""
    if len(stored.steps) != len(claim.steps):
        raise Rejected("statement", f"proofs of {len(stored.steps)} steps, the file has {len(claim.steps)}")
    context = context_of(claim)
    pairs = zip(claim.steps, stored.steps, strict=True)
    found = [checked_step(claim, context, step, data) for step, data in pairs if data is not None]
    refuting = sorted((part for truth, part in found if not truth), key=lambda part: len(part.trusted))
    if not refuting and None in stored.steps:
        return Audit("no proof", "nobody decided it" if len(claim.steps) == 1 else "a step is not decided")
    verdict: Literal["holds", "fails"] = "fails" if refuting else "holds"
    if (stored.verdict == "fails") != (verdict == "fails"):
        raise Rejected("statement", f"the file calls it {stored.verdict}, the proof is that it {verdict}")
    parts = refuting[:1] or [part for _, part in found]
    used = sum((part.rules for part in parts), Counter[str]())
    sites = tuple(site for part in parts for site in part.trusted)
    del used[TRUST]
    if sites:
        return Audit("rejected", sites[0], "trusted", None, used, sites)
    return Audit("accepted", "", None, verdict, used)


def _beside(claim: Claim, stored: Stored, plan: Draft | None) -> tuple[str, ...]:
    """What else is proved; raises Rejected for what is not. The goals are made of the author's file and of
    what is offered, and of nothing that a proof says of itself."""
    for side in stored.beside:
        try:
            _check_side(claim, side, plan)
        except Rejected as rejected:
            raise Rejected(rejected.reason, f"{side.words}: {rejected.words}") from None
    return tuple(side.words for side in stored.beside)


@room_for_trees()
def _check_side(claim: Claim, side: Beside, plan: Draft | None) -> None:
    known = ways(plan, claim, side.kind, side.of, side.step)
    goals = next(islice(known, side.way, None), None) if side.way >= 0 else None
    if goals is None or len(goals) != len(side.proofs):
        raise Rejected("statement", "these are no proofs of what would show it")
    for wanted, data in zip(goals, side.proofs, strict=True):
        proof = from_data(data, wanted.claim)
        found = _by_the_kernel(context_of(wanted.claim), proof, goal(wanted.step, wanted.truth))
        if found.trusted:
            raise Rejected("trusted", found.trusted[0])


@room_for_trees()
def checked_step(claim: Claim, context: Context, step: Step, data: Json) -> tuple[bool, Checked]:
    """Whether the step is proved to be true or to be false, and what that rests on; raises Rejected."""
    proof = from_data(data, claim)
    truth = not isinstance(proof.conclusion, Fails)
    return truth, _by_the_kernel(context, proof, goal(step, truth))


def _by_the_kernel(context: Context, proof: Proof, wanted: Judgement) -> Checked:
    try:
        return check(context, proof, wanted)
    except RecursionError:
        raise Rejected("too-large", "it nests too deeply for the kernel") from None
    except Rejected:
        raise
    except Exception as error:
        # Data that a rule stumbles over prove nothing.
        raise Rejected("data", f"a rule failed with {type(error).__name__}: {error}") from None
