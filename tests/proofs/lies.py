"""Engines that lie: what becomes of a claim of which everybody says the contrary, where only checked proofs
are trusted."""

from dataclasses import replace
from pathlib import Path

from verifier.claim.model import Claim
from verifier.evidence import Counterexample, Finding
from verifier.judge.verdict import Verdict
from verifier.plan.kernel_proofs import Brakes, Prover
from verifier.plan.messages import Event, Found
from verifier.read.specs.load import load_paths
from verifier.run.pool import Ended
from verifier.run.verdicts import verdict_of

VERDICTS = Path(__file__).parents[1] / "verdicts"
SECONDS = 2.0
TRUE = Finding("symbolic", "true", "proved", "both sides have the same closed form")
FALSE = Finding(
    "search", "false", "proved", "it breaks", counterexample=Counterexample({}, 1.0, 2.0, "1", "2")
)


def told(claim: Claim, lie: Finding) -> Verdict:
    """The verdict where every step is said to be so, and the kernel is asked for proofs as in a run."""
    events: list[Event] = []
    brakes = Brakes.each(SECONDS)
    for at, step in enumerate(claim.steps):
        for engine in ("rules", "rigorous", "symbolic"):
            events.append(Found(at, replace(lie, engine=engine)))
        Prover(claim, step, at, events.append, brakes).hear([lie])
    return verdict_of(claim, Ended(0, tuple(events), None, 1.0), "checked")


def known(*names: str) -> list[tuple[Claim, bool]]:
    """Claims of which it is known whether they are true; of all files, if none is named."""
    paths = [VERDICTS / f"{name}.yaml" for name in names] if names else [VERDICTS]
    claims = [claim for claim in load_paths(paths).claims if claim.expect]
    return [(claim, claim.expect != ("fails",)) for claim in claims if _is_decided(claim)]


def _is_decided(claim: Claim) -> bool:
    return claim.expect == ("fails",) or (claim.expect is not None and {*claim.expect} <= {"holds", "loose"})
