"""The same run on a cluster of dask.distributed: a claim is a task, each behind a process of its own.

A claim that needs many draws has chunks of them worked out by workers that are idle (`chunks.py`).
Engines, seeds and limits travel with the claim, so that the digits are those of a local run. A worker
that is lost costs nothing: the scheduler gives its claims to another. What travels is pickled by dask, so
both ends must be the user's own; a worker with another version of this program is not believed.
"""

import importlib
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from verifier.plan.settings import NoCluster, Settings
from verifier.read.specs.make_claim import Draft
from verifier.run.digests import program_digest
from verifier.run.interrupt import INTERRUPTED, never
from verifier.run.pool import Ended, Pool, Watch
from verifier.run.tasks import Task

# dask's own types are incomplete; of a client and a future little is used.
Client = Any
Future = Any

# Tasks that are under way, per thread of the cluster: enough to keep it busy, and bounded however many
# claims there are.
_AHEAD = 3
_LOOK = 0.2
_PATIENCE = 30.0


class Cluster:
    """Runs claims on the workers of a scheduler; like `Pool`, results come as they end."""

    def __init__(self, settings: Settings, drafts: Sequence[Draft]) -> None:
        self.settings = replace(settings, jobs=1)
        self.drafts = drafts

    def run(self, watch: Watch, stop: Callable[[], bool] = never) -> Iterator[Ended]:
        """Examine every claim. Events are heard when the claim has ended."""
        assert self.settings.cluster is not None
        with _connected(self.settings.cluster) as client:
            waiting = iter(range(len(self.drafts)))
            under_way: dict[Future, int] = {}
            strength = _Strength(client)
            while True:
                reason = INTERRUPTED if stop() else strength.trouble()
                if reason is not None:
                    yield from (_nothing(number, reason) for number in [*under_way.values(), *waiting])
                    return
                for number in islice(waiting, max(_AHEAD * strength.threads - len(under_way), 0)):
                    task = Task(number, self.drafts[number])
                    under_way[self._submitted(client, task)] = number
                if not under_way:
                    return
                for future in _finished(under_way):
                    ended = _ended(future, under_way.pop(future))
                    for event in ended.events:
                        watch(ended.number, event)
                    yield ended

    def _submitted(self, client: Client, task: Task) -> Future:
        return client.submit(examine_there, task, self.settings, program_digest(), pure=False)


@dataclass
class _Strength:
    """How much of the cluster there is. Workers come and go; a cluster without any is waited for."""

    client: Client
    threads: int = 1
    seen: float = field(default_factory=time.monotonic)

    def trouble(self) -> str | None:
        """Why there is nothing to wait for, if so."""
        try:
            threads = sum(self.client.nthreads().values())
        except Exception as error:
            return f"the cluster was lost: {error}"
        if threads:
            self.threads, self.seen = threads, time.monotonic()
        return "the cluster has no workers left" if time.monotonic() - self.seen > _PATIENCE else None


def examine_there(task: Task, settings: Settings, program: str) -> Ended:
    """On the cluster: one claim in a pool of one process, with the limits of a local run."""
    if program != program_digest():
        return _nothing(
            task.number, "the worker has another version of this program, or of what it computes with"
        )
    pool = Pool(replace(settings, cluster=None, helpers=settings.cluster), [task.draft])
    (ended,) = pool.run(lambda number, event: None)
    return replace(ended, number=task.number)


def _nothing(number: int, why: str) -> Ended:
    return Ended(number, (), why, 0.0)


def _finished(under_way: dict[Future, int]) -> list[Future]:
    """Those that have ended; waits a moment if there are none."""
    done = [future for future in under_way if future.done()]
    if not done:
        time.sleep(_LOOK)
    return done


def _ended(future: Future, number: int) -> Ended:
    try:
        ended = future.result()
        return ended if isinstance(ended, Ended) else _nothing(number, "the cluster gave back something else")
    except CancelledError:
        return _nothing(number, "the cluster was lost")
    except Exception as error:
        return _nothing(number, f"the cluster failed with {type(error).__name__}: {error}")


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    try:
        distributed = importlib.import_module("distributed")
    except ImportError:
        raise NoCluster("--cluster needs dask: pip install 'verify-claims[cluster]'") from None
    try:
        client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise NoCluster(f"there is no scheduler at {address}: {error}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError:
            raise NoCluster(f"the scheduler at {address} has no workers") from None
        yield client
