"""A whole run: claims in, verdicts out."""

import time
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version

from verifier.claim.load import Broken, Loaded, Ready
from verifier.claim.model import Claim, Step
from verifier.evidence import Finding
from verifier.expr.sizes import room_for_trees
from verifier.judge.decide import compose, decide
from verifier.judge.verdict import FailedClaim, Run, StepVerdict, Verdict
from verifier.run.examine import OVERALL, Bought, Event, Found, Stage, overall
from verifier.run.pool import Ended, Pool
from verifier.run.settings import Settings

Progress = Callable[[Claim, Event | Verdict], None]


@room_for_trees()
def verify(
    loaded: Loaded, settings: Settings | None = None, progress: Progress | None = None, command: str = ""
) -> Run:
    """Judge every claim that was loaded."""
    settings = settings or Settings()
    tell = progress or (lambda claim, event: None)
    started = time.monotonic()
    ready = [entry for entry in loaded.entries if isinstance(entry, Ready)]
    found: dict[int, Verdict] = {}
    if ready:
        for ended in Pool(settings, ready).run(lambda number, event: tell(ready[number].claim, event)):
            claim = ready[ended.number].claim
            found[ended.number] = verdict_of(claim, ended)
            tell(claim, found[ended.number])
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
    )


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
    return compose(claim, steps, against, bought, ended.seconds)


def _decided(step: Step, findings: Sequence[Finding], ended: Ended) -> StepVerdict:
    if ended.stopped is not None:
        stage = next((e.words for e in reversed(ended.events) if isinstance(e, Stage)), "starting")
        stopped = Finding("run", "unknown", reason=f"{ended.stopped}, at {stage}")
        return decide(step, [*findings, stopped])
    return decide(step, findings)


def versions() -> dict[str, str]:
    """Versions of what the verdicts rest on, read without importing it."""
    found = {}
    for name in ("verify-claims", "sympy", "python-flint", "torch", "numpy"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
