"""Worker processes under watch: a time-out, a crash or too much memory costs one claim, no more."""

import contextlib
import multiprocessing
import os
import sys
import time
import types
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from verifier.claim.load import Ready
from verifier.claim.model import Claim
from verifier.run.examine import Event
from verifier.run.settings import Settings
from verifier.run.worker import Message, Task, main

_PAGE = os.sysconf("SC_PAGE_SIZE")
_LOOK = 0.1
PRELOAD = "verifier.run.preload"
PRELOAD_TORCH = "verifier.run.preload_torch"


@dataclass(frozen=True)
class Ended:
    """A claim is done; `stopped` says why it was cut short, if it was."""

    number: int
    events: tuple[Event, ...]
    stopped: str | None
    seconds: float


@dataclass
class _Worker:
    """One process and what it is working on."""

    process: BaseProcess
    connection: Connection
    memory_bytes: int
    task: Task | None = None
    started: float = 0.0
    events: list[Event] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    def resident(self) -> int:
        """Bytes of memory in use, libraries' files not counted, where the system tells."""
        try:
            with open(f"/proc/{self.process.pid}/statm") as file:
                _, resident, shared, *_ = map(int, file.read().split())
                return (resident - shared) * _PAGE
        except (OSError, IndexError, ValueError):
            return 0

    @property
    def is_fresh(self) -> bool:
        """Alive, and not carrying a load of memory that an earlier claim left behind."""
        return self.process.is_alive() and self.resident() < self.memory_bytes / 2

    def kill(self) -> None:
        with contextlib.suppress(OSError):
            self.process.kill()
        self.process.join()
        self.connection.close()


class Pool:
    """Runs claims on `jobs` processes; results come as they end."""

    def __init__(self, settings: Settings, claims: Sequence[Ready]) -> None:
        self.settings = settings
        self.claims = claims
        # A fork server has the engines loaded already, so that a killed worker is replaced in
        # milliseconds and no claim pays for an import. Claims about scalars alone rarely need torch.
        method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
        self.context = multiprocessing.get_context(method)
        if method == "forkserver":
            sampled = any(has_matrices(ready.claim) for ready in claims)
            self.context.set_forkserver_preload([PRELOAD, PRELOAD_TORCH] if sampled else [PRELOAD])

    def run(self, watch: Callable[[int, Event], None]) -> Iterator[Ended]:
        """Examine every claim; `watch` hears of each event as it comes."""
        queue = deque(Task(number, ready.draft) for number, ready in enumerate(self.claims))
        workers: list[_Worker] = []
        try:
            while queue or any(worker.task for worker in workers):
                self._retire(workers)
                idle = sum(worker.task is None for worker in workers)
                while len(workers) < self.settings.jobs and idle < len(queue):
                    workers.append(self._start())
                    idle += 1
                for worker in workers:
                    if worker.task is None and queue:
                        self._assign(worker, queue.popleft())
                yield from self._step(workers, watch)
        finally:
            for worker in workers:
                worker.kill()

    def _start(self) -> _Worker:
        ours, theirs = self.context.Pipe()
        process = self.context.Process(target=main, args=(theirs, self.settings), daemon=True)  # type: ignore[attr-defined]
        with _no_main_module():
            process.start()
        theirs.close()
        return _Worker(process, ours, self.settings.memory_bytes)

    def _retire(self, workers: list[_Worker]) -> None:
        """Replace idle workers that would make the next claim pay for the last one."""
        for worker in workers:
            if worker.task is None and not worker.is_fresh:
                worker.kill()
        workers[:] = [worker for worker in workers if not worker.connection.closed]

    def _assign(self, worker: _Worker, task: Task) -> None:
        worker.task, worker.started, worker.events = task, time.monotonic(), []
        # A worker that died in between is noticed by its closed pipe at the next look.
        with contextlib.suppress(OSError):
            worker.connection.send(task)

    def _step(self, workers: list[_Worker], watch: Callable[[int, Event], None]) -> Iterator[Ended]:
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
                yield self._end(worker, reason)
                worker.kill()
        workers[:] = [worker for worker in workers if not worker.connection.closed]

    def _hear(self, worker: _Worker, watch: Callable[[int, Event], None]) -> Ended | None:
        try:
            message: Message = worker.connection.recv()
        except (EOFError, OSError):
            worker.process.join(1)
            code = worker.process.exitcode
            ended = self._end(worker, f"its process died (exit status {code})")
            worker.kill()
            return ended
        if message.event is not None:
            worker.events.append(message.event)
            watch(message.number, message.event)
            return None
        return self._end(worker, message.crash)

    def _overstays(self, worker: _Worker) -> str | None:
        if worker.seconds > self.settings.seconds:
            return f"stopped after {self.settings.seconds:g} s"
        if worker.resident() > self.settings.memory_bytes:
            return f"stopped at {self.settings.memory_bytes / 2**30:.1f} GiB of memory"
        return None

    def _end(self, worker: _Worker, stopped: str | None) -> Ended:
        assert worker.task is not None
        ended = Ended(worker.task.number, tuple(worker.events), stopped, worker.seconds)
        worker.task = None
        return ended


@contextlib.contextmanager
def _no_main_module() -> Iterator[None]:
    """Keep a new process from running the caller's script again.

    multiprocessing imports the parent's main module into each child, in case the work is defined
    there. Ours never is, and a script that calls `verify` at its top level would recurse.
    """
    main_module = sys.modules["__main__"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main_module


def has_matrices(claim: Claim) -> bool:
    """Whether anything in the claim is random or not a scalar."""
    return claim.layers is not None or any(
        symbol.is_random or not symbol.shape.is_scalar for symbol in claim.symbols.values()
    )
