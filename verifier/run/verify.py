"""A whole run: claims in, verdicts out."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from verifier.claim.load import Broken, Loaded, Ready
from verifier.claim.model import Claim, Step
from verifier.evidence import Finding
from verifier.expr.sizes import room_for_trees
from verifier.judge.decide import compose, decide
from verifier.judge.verdict import AssumptionVerdict, FailedClaim, Run, StepVerdict, Verdict
from verifier.run.events import Bought, Event, Found, Mended, Stage
from verifier.run.examine import OVERALL, overall
from verifier.run.interrupt import INTERRUPTED, never
from verifier.run.memory import Memory
from verifier.run.pool import Ended, Pool, has_matrices
from verifier.run.settings import Settings
from verifier.run.versions import versions

if TYPE_CHECKING:
    from verifier.run.cluster import Cluster

Progress = Callable[[Claim, Event | Verdict], None]


@room_for_trees()
def verify(
    loaded: Loaded,
    settings: Settings | None = None,
    progress: Progress | None = None,
    command: str = "",
    memory: Memory | None = None,
    stop: Callable[[], bool] = never,
) -> Run:
    """Judge every claim that was loaded; what is remembered is not judged again. When `stop` says so,
    claims that are open are `inconclusive`, with what is known of them."""
    settings = settings or Settings()
    memory = memory or Memory(None, settings)
    tell = progress or (lambda claim, event: None)
    started = time.monotonic()
    ready = [entry for entry in loaded.entries if isinstance(entry, Ready)]
    settings = replace(settings, questions=max(settings.questions, questions([e.claim for e in ready])))
    memory.settings = settings
    known = {number: memory.recall(entry.draft) for number, entry in enumerate(ready)}
    found = {number: verdict_of(ready[number].claim, ended) for number, ended in known.items() if ended}
    for number, verdict in found.items():
        tell(ready[number].claim, verdict)
    remembered, interrupted = len(found), False
    open_numbers = [number for number in range(len(ready)) if number not in found]
    if open_numbers:
        todo = [ready[number] for number in open_numbers]
        for ended in _runner(settings, todo).run(lambda number, event: tell(todo[number].claim, event), stop):
            interrupted |= ended.stopped == INTERRUPTED
            entry, number = todo[ended.number], open_numbers[ended.number]
            found[number] = verdict_of(entry.claim, ended)
            memory.keep(entry.draft, ended, found[number])
            tell(entry.claim, found[number])
    judged = (found[number] for number in range(len(ready)))
    verdicts = tuple(
        FailedClaim(entry) if isinstance(entry, Broken) else next(judged) for entry in loaded.entries
    )
    return Run(
        verdicts,
        loaded.problems,
        settings.seed,
        settings.device,
        time.monotonic() - started,
        versions(),
        command,
        remembered,
        interrupted,
    )


def _runner(settings: Settings, todo: Sequence[Ready]) -> "Pool | Cluster":
    """Processes of this machine, or a cluster, whose libraries are loaded by those who ask for one."""
    drafts = [entry.draft for entry in todo]
    if settings.cluster is None:
        return Pool(settings, drafts, sampled=any(has_matrices(entry.claim) for entry in todo))
    from verifier.run.cluster import Cluster

    return Cluster(settings, drafts)


def questions(claims: Sequence[Claim]) -> int:
    """At most so many relations are sampled, rounded up to a power of two, so that adding a claim rarely
    changes it."""
    return 1 << max(asked(claims) - 1, 0).bit_length()


def asked(claims: Sequence[Claim]) -> int:
    """Each step and the whole, with its correction, as stated and without each assumption."""
    return sum(2 * (len(claim.steps) + 1) * (len(claim.assumptions) + 1) for claim in claims)


def verdict_of(claim: Claim, ended: Ended) -> Verdict:
    """Compose the verdict from what arrived, also when the worker was stopped on its way."""
    findings: dict[int, list[Finding]] = {}
    for event in ended.events:
        if isinstance(event, Found):
            findings.setdefault(event.step, []).append(event.finding)
    steps = [_decided(step, findings.get(at, ()), ended) for at, step in enumerate(claim.steps)]
    whole = overall(claim)
    against = decide(whole, findings.get(OVERALL, ())) if whole is not None else None
    bought = [event.verdict for event in ended.events if isinstance(event, Bought)]
    if ended.stopped is not None:
        weighed = {part.name for part in bought}
        left = [assumption.name for assumption in claim.assumptions if assumption.name not in weighed]
        bought += [AssumptionVerdict(name, "unknown", reason=ended.stopped) for name in left]
    repair = next((event.repair for event in ended.events if isinstance(event, Mended)), None)
    return replace(compose(claim, steps, against, bought, ended.seconds), repair=repair)


def _decided(step: Step, findings: Sequence[Finding], ended: Ended) -> StepVerdict:
    if ended.stopped is not None:
        stage = next((e.words for e in reversed(ended.events) if isinstance(e, Stage)), "starting")
        stopped = Finding("run", "unknown", reason=f"{ended.stopped}, at {stage}")
        return decide(step, [*findings, stopped])
    return decide(step, findings)
