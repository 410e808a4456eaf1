"""Worker processes under watch: a time-out, a crash or too much memory costs one claim, no more."""

import contextlib
import multiprocessing
import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from verifier.claim.load import Ready
from verifier.run.examine import Event
from verifier.run.settings import Settings
from verifier.run.worker import Message, Task, main

_PAGE = os.sysconf("SC_PAGE_SIZE")
_LOOK = 0.1


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
    task: Task | None = None
    started: float = 0.0
    events: list[Event] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    def resident(self) -> int:
        """Bytes of memory in use, where the system tells."""
        try:
            with open(f"/proc/{self.process.pid}/statm") as file:
                return int(file.read().split()[1]) * _PAGE
        except (OSError, IndexError, ValueError):
            return 0

    def kill(self) -> None:
        with contextlib.suppress(OSError):
            self.process.kill()
        self.process.join()
        self.connection.close()


class Pool:
    """Runs claims on `jobs` processes; results come as they end."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        # A fork server has the exact engines loaded already, so that a killed worker is replaced
        # in milliseconds; it never loads torch, whose threads do not survive a fork.
        method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
        self.context = multiprocessing.get_context(method)
        if method == "forkserver":
            self.context.set_forkserver_preload(["verifier.run.preload"])

    def run(self, claims: Sequence[Ready], watch: Callable[[int, Event], None]) -> Iterator[Ended]:
        """Examine every claim; `watch` hears of each event as it comes."""
        queue = deque(Task(number, ready.draft) for number, ready in enumerate(claims))
        workers: list[_Worker] = []
        try:
            while queue or any(worker.task for worker in workers):
                while queue and len(workers) < self.settings.jobs:
                    workers.append(self._start())
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
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def _assign(self, worker: _Worker, task: Task) -> None:
        worker.task, worker.started, worker.events = task, time.monotonic(), []
        # A worker that died in between is noticed by its closed pipe at the next look.
        with contextlib.suppress(OSError):
            worker.connection.send(task)

    def _step(self, workers: list[_Worker], watch: Callable[[int, Event], None]) -> Iterator[Ended]:
        """Hear what has arrived, then look for what has overstayed."""
        busy = {worker.connection: worker for worker in workers if worker.task}
        for connection in wait(list(busy), timeout=_LOOK):
            ended = self._hear(busy[connection], watch)  # type: ignore[index]
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
