"""Worker processes under watch: a time-out, a crash or too much memory costs one claim, no more."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import wait

from verifier.claim.model import Claim
from verifier.plan.messages import Event, in_place
from verifier.plan.settings import Settings
from verifier.read.specs.make_claim import Draft
from verifier.run.interrupt import INTERRUPTED, never
from verifier.run.process import PRELOAD_RULES, NotStarted, Worker, server_of, start
from verifier.run.tasks import Message, Task, serve
from verifier.timer import PATIENCE

_LOOK = 0.1
# A process that computes for less than this share of its time is not kept from it: it waits.
IDLE = 0.05
LOADING = 10.0  # seconds of work that the largest libraries may take to load
PRELOAD = "verifier.run.preload"
PRELOAD_TORCH = "verifier.run.preload_torch"
Watch = Callable[[int, Event], None]


@dataclass(frozen=True)
class Ended:
    """A claim is done; `stopped` says why it was cut short, if it was.

    `cpu_seconds` is what the worker computed in that time, where the system tells."""

    number: int
    events: tuple[Event, ...]
    stopped: str | None
    seconds: float
    timed_out: bool = False
    cpu_seconds: float | None = None


class Pool:
    """Runs claims on `jobs` processes; results come as they end."""

    def __init__(self, settings: Settings, drafts: Sequence[Draft], sampled: bool = True) -> None:
        self.settings = settings
        self.drafts = drafts
        # Claims about scalars alone rarely need torch.
        full = [PRELOAD, PRELOAD_TORCH] if sampled else [PRELOAD]
        self.context = server_of([PRELOAD_RULES] if settings.lean else full)
        # In a lean run a worker loads what it needs itself, and the claim does not pay for that either.
        self.seconds = settings.seconds + (LOADING if settings.lean else 0.0)

    def run(self, watch: Watch, stop: Callable[[], bool] = never) -> Iterator[Ended]:
        """Examine every claim; `watch` hears of each event as it comes. When `stop` says so, what is
        open ends with what is known of it."""
        queue = deque(range(len(self.drafts)))
        workers: list[Worker] = []
        try:
            while queue or any(worker.task for worker in workers):
                if stop():
                    yield from (self._end(worker, INTERRUPTED) for worker in workers if worker.task)
                    yield from (Ended(number, (), INTERRUPTED, 0.0) for number in queue)
                    return
                self._retire(workers)
                yield from self._hire(workers, queue)
                for worker in workers:
                    if worker.task is None and queue:
                        number = queue.popleft()
                        worker.assign(Task(number, self.drafts[number]))
                yield from self._step(workers, watch)
        finally:
            for worker in workers:
                worker.kill()

    def _hire(self, workers: list[Worker], queue: deque[int]) -> Iterator[Ended]:
        """As many processes as there is work for. If there can be none at all, the next claim pays."""
        idle = sum(worker.task is None for worker in workers)
        while len(workers) < self.settings.jobs and idle < len(queue):
            try:
                workers.append(start(self.context, self.settings, serve))
            except NotStarted as trouble:
                if not workers:
                    yield Ended(queue.popleft(), (), str(trouble), 0.0)
                return
            idle += 1

    def _retire(self, workers: list[Worker]) -> None:
        """Replace idle workers that would make the next claim pay for the last one."""
        for worker in workers:
            if worker.task is None and not worker.is_fresh:
                worker.kill()
        workers[:] = [worker for worker in workers if not worker.connection.closed]

    def _step(self, workers: list[Worker], watch: Watch) -> Iterator[Ended]:
        """Hear what has arrived, then look for what has overstayed."""
        busy = {worker.connection: worker for worker in workers if worker.task}
        for connection in wait(list(busy), timeout=_LOOK):
            worker = busy[connection]  # type: ignore[index]
            # All that has arrived counts, even if the claim turns out to have overstayed.
            while worker.task is not None and worker.connection.poll():
                ended = self._hear(worker, watch)
                if ended is not None:
                    yield ended
        for worker in [worker for worker in workers if worker.task]:
            reason = self._overstays(worker)
            if reason is not None:
                yield self._end(worker, reason, timed_out=self._is_over_time(worker))
                worker.kill()
        workers[:] = [worker for worker in workers if not worker.connection.closed]

    def _hear(self, worker: Worker, watch: Watch) -> Ended | None:
        assert worker.task is not None
        try:
            message: Message = worker.connection.recv()
            current = message.number == worker.task.number
        except (EOFError, OSError):
            return self._lost(worker, worker.cause_of_death())
        except Exception as error:
            # Whatever writes into the pipe but the worker's own words makes the rest of it worthless.
            return self._lost(worker, f"its words could not be read: {type(error).__name__}: {error}")
        if not current:
            return None  # a thread of the last claim, speaking late
        if message.event is not None:
            worker.events.append(message.event)
            watch(message.number, message.event)
            return None
        return self._end(worker, message.crash)

    def _lost(self, worker: Worker, reason: str) -> Ended:
        ended = self._end(worker, reason)
        worker.kill()
        return ended

    def _overstays(self, worker: Worker) -> str | None:
        if self._is_over_time(worker):
            return f"stopped after {self.settings.seconds:g} s"
        if worker.resident() > self.settings.memory_bytes:
            return f"stopped at {self.settings.memory_bytes / 2**30:.1f} GiB of memory"
        return None

    def _is_over_time(self, worker: Worker) -> bool:
        """A claim has so many seconds of computing, on a busy machine too; one that waits has them on the
        wall."""
        limit, cpu = self.seconds, worker.worked
        if worker.seconds <= limit:
            return False
        return cpu is None or cpu > limit or cpu < IDLE * worker.seconds or worker.seconds > PATIENCE * limit

    def _end(self, worker: Worker, stopped: str | None, timed_out: bool = False) -> Ended:
        assert worker.task is not None
        events, cpu = in_place(worker.events), worker.worked
        ended = Ended(worker.task.number, events, stopped, worker.seconds, timed_out, cpu_seconds=cpu)
        worker.task = None
        return ended


def has_matrices(claim: Claim) -> bool:
    """Whether anything in the claim is random or not a scalar."""
    return claim.layers is not None or any(
        symbol.is_random or not symbol.shape.is_scalar for symbol in claim.symbols.values()
    )
