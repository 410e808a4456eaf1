"""A whole run: claims in, verdicts out."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from verifier.claim.load import Loaded, Ready
from verifier.claim.model import Claim
from verifier.expr.sizes import room_for_trees
from verifier.judge.verdict import Run, Verdict
from verifier.run.events import Event
from verifier.run.interrupt import INTERRUPTED, never
from verifier.run.judged import Judged, verdict_of
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
    ready = [(at, entry) for at, entry in enumerate(loaded.entries) if isinstance(entry, Ready)]
    settings = replace(settings, questions=max(settings.questions, questions(e.claim for _, e in ready)))
    memory.settings = settings
    found, todo, interrupted = Judged(loaded.entries), [], False

    def judged(number: int, entry: Ready, ended: Ended) -> Verdict:
        verdict = verdict_of(entry.claim, ended)
        found.put(number, ended, verdict)
        tell(entry.claim, verdict)
        return verdict

    for number, entry in ready:
        known = memory.recall(entry.draft)
        if known is not None:
            judged(number, entry, known)
        else:
            todo.append((number, entry))
    if todo:
        runner = _runner(settings, [entry for _, entry in todo])
        for ended in runner.run(lambda at, event: tell(todo[at][1].claim, event), stop):
            interrupted |= ended.stopped == INTERRUPTED
            number, entry = todo[ended.number]
            memory.keep(entry.draft, ended, judged(number, entry, ended))
    return Run(
        tuple(found) if found.is_short else found,
        loaded.problems,
        settings.seed,
        settings.device,
        time.monotonic() - started,
        versions(),
        command,
        len(ready) - len(todo),
        interrupted,
    )


def _runner(settings: Settings, todo: Sequence[Ready]) -> "Pool | Cluster":
    """Processes of this machine, or a cluster, whose libraries are loaded by those who ask for one."""
    drafts = [entry.draft for entry in todo]
    if settings.cluster is None:
        return Pool(settings, drafts, sampled=any(has_matrices(entry.claim) for entry in todo))
    from verifier.run.cluster import Cluster

    return Cluster(settings, drafts)


def questions(claims: Iterable[Claim]) -> int:
    """At most so many relations are sampled, rounded up to a power of two, so that adding a claim rarely
    changes it."""
    return 1 << max(asked(claims) - 1, 0).bit_length()


def asked(claims: Iterable[Claim]) -> int:
    """Each step and the whole, with its correction, as stated and without each assumption."""
    return sum(2 * (len(claim.steps) + 1) * (len(claim.assumptions) + 1) for claim in claims)
