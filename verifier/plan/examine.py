"""One claim: everybody is asked about every step, then what its assumptions buy, or what would save it.

This runs inside a worker process. What is found is emitted as soon as it is there, so that what is
known survives a kill; the parent composes the verdict.
"""

from collections.abc import Callable, Sequence

from verifier.claim.model import Claim
from verifier.judge.verdict import StepVerdict
from verifier.plan import table
from verifier.plan.asking import Case
from verifier.plan.kernel_proofs import Brake, Brakes, Prover
from verifier.plan.messages import Emit
from verifier.plan.relax import relax
from verifier.plan.schedule import work_through
from verifier.plan.settings import Settings
from verifier.plan.side_proofs import Asides
from verifier.plan.whole_chain import OVERALL, overall
from verifier.read.specs.make_claim import Draft, build
from verifier.suggest.repair import mend

# What is asked about a claim as a whole once its verdict is known.
Afterwards = Callable[[Draft, Claim, Sequence[StepVerdict], Settings, Emit], None]
AFTERWARDS: dict[str, Afterwards] = {"without assumptions": relax, "more conditions": mend}


def examine_claim(plan: Draft, settings: Settings, emit: Emit) -> None:
    """All findings about a claim, its proofs, and what else is true."""
    claim = build(plan)
    cases = cases_of(claim, settings, emit)
    work_through(table.rows_of(settings), cases, settings.soft_seconds)
    provers = [case.prover for case in cases if case.prover is not None]
    beside = Asides(plan, claim, emit, Brake(settings.proving_beside), settings.lean)
    for case, prover in zip(cases, provers, strict=False):
        beside.of_step(case.at, prover.verdict(case.findings, "engines"))
    verdicts = [
        prover.verdict(case.findings, settings.trust, beside.told)
        for case, prover in zip(cases, provers, strict=False)
    ]
    for run in AFTERWARDS.values():
        run(plan, claim, verdicts, settings, beside.hear)


def cases_of(claim: Claim, settings: Settings, emit: Emit) -> list[Case]:
    """The steps of a claim, and what they show together."""
    brakes = Brakes.each(settings.proving)
    cases = [
        Case(claim, step, settings, emit, at, prover=Prover(claim, step, at, emit, brakes))
        for at, step in enumerate(claim.steps)
    ]
    whole = overall(claim)
    return cases if whole is None else [*cases, Case(claim, whole, settings, emit, OVERALL, parts=cases)]
