"""A whole run: claims in, verdicts out."""

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from verifier.claim.model import Claim
from verifier.expr.sizes import room_for_trees
from verifier.judge.verdict import Run, Verdict
from verifier.plan.messages import Event
from verifier.plan.settings import Settings
from verifier.read.specs.loaded import Loaded, Ready
from verifier.run.interrupt import INTERRUPTED, never
from verifier.run.memory import Memory
from verifier.run.pool import Ended, Pool
from verifier.run.todo import Todo
from verifier.run.verdicts import Judged, verdict_of
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
    settings = replace(settings, questions=max(settings.questions, provided(loaded.tally.questions.values())))
    memory.settings = settings
    found, todo, interrupted = Judged(loaded.entries, settings.trust), Todo(loaded.entries), False

    def judged(number: int, entry: Ready, ended: Ended) -> Verdict:
        verdict = verdict_of(entry.claim, ended, settings.trust)
        found.put(number, ended, verdict)
        tell(entry.claim, verdict)
        return verdict

    for number, entry in enumerate(loaded.entries):
        known = _recalled(entry, memory) if isinstance(entry, Ready) else None
        if isinstance(entry, Ready) and known is not None:
            judged(number, entry, known)
        elif isinstance(entry, Ready):
            todo.add(number, entry)
    if todo:
        for ended in _runner(settings, todo).run(lambda at, event: tell(todo.entry(at).claim, event), stop):
            interrupted |= ended.stopped == INTERRUPTED
            number, entry = todo.closed(ended.number)
            memory.keep(entry.draft, ended, judged(number, entry, ended))
    return Run(
        tuple(found) if found.is_short else found,
        loaded.problems,
        settings.seed,
        settings.device,
        time.monotonic() - started,
        versions(),
        command,
        loaded.tally.ready - len(todo),
        interrupted,
    )


def _recalled(entry: Ready, memory: Memory) -> Ended | None:
    """How the examination of a claim ended, if that is remembered with all that is asked for."""
    known = memory.recall(entry.draft)
    if known is None or not memory.with_proofs:
        return known
    grounds = verdict_of(entry.claim, known, memory.settings.trust).grounds
    return None if any(step.proof is None for step in grounds) else known


def _runner(settings: Settings, todo: Todo) -> "Pool | Cluster":
    """Processes of this machine, or a cluster, whose libraries are loaded by those who ask for one."""
    if settings.cluster is None:
        return Pool(settings, todo, sampled=todo.is_sampled)
    from verifier.run.cluster import Cluster

    return Cluster(settings, todo)


def provided(questions: Iterable[int]) -> int:
    """A run provides for so many questions: all that are asked, rounded up to a power of two, so that adding
    a claim rarely changes it."""
    return 1 << max(sum(questions) - 1, 0).bit_length()
