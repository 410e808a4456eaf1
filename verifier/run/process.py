"""One worker process under watch: how it starts, what it uses, how it ends."""

import contextlib
import multiprocessing
import os
import site
import socket
import struct
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.plan.settings import Settings

if TYPE_CHECKING:
    from verifier.plan.messages import Event
    from verifier.run.tasks import Task

Serve = Callable[[Connection, Settings], None]

_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")
# Seconds between the tries to start a process.
_PAUSES = (0.0, 0.2, 1.0)
# How long half a message may be on its way before nobody waits for the rest.
_HALF_A_MESSAGE = 10
_GONE = 5.0
PRELOAD_RULES = "verifier.run.preload_rules"
_MAIN = threading.Lock()
_HOME = str(Path(__file__).parents[2])


class NotStarted(Exception):
    """The system gives no process now; the message says why."""


@dataclass
class Worker:
    """One process and what it is working on."""

    process: BaseProcess
    connection: Connection
    memory_bytes: int
    task: "Task | None" = None
    started: float = 0.0
    started_cpu: float | None = None
    events: "list[Event]" = field(default_factory=list)

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

    def cpu(self) -> float | None:
        """Seconds of computing so far, all threads together, where the system tells."""
        try:
            with open(f"/proc/{self.process.pid}/stat") as file:
                user, system = file.read().rpartition(")")[2].split()[11:13]
            return (int(user) + int(system)) / _TICKS
        except (OSError, IndexError, ValueError):
            return None

    @property
    def worked(self) -> float | None:
        """Seconds of computing for this task."""
        now = self.cpu()
        return now - self.started_cpu if now is not None and self.started_cpu is not None else None

    @property
    def is_fresh(self) -> bool:
        """Alive, and not carrying a load of memory that an earlier claim left behind."""
        return self.process.is_alive() and self.resident() < self.memory_bytes / 2

    def assign(self, task: "Task") -> None:
        self.task, self.started, self.events = task, time.monotonic(), []
        self.started_cpu = self.cpu()
        # One that died in between is noticed by its closed pipe, one that takes nothing by the clock.
        with contextlib.suppress(OSError):
            self.connection.send(task)

    def cause_of_death(self) -> str:
        self.process.join(1)
        code = self.process.exitcode
        words = f"its process died (exit status {code})"
        return f"{words}; the system may be out of memory" if code == -9 else words

    def kill(self) -> None:
        with contextlib.suppress(OSError):
            self.process.kill()
        self.process.join(_GONE)
        self.connection.close()


def start(context: BaseContext, settings: Settings, serve: Serve) -> Worker:
    """A new process. A fork server that was killed is started again by the next try; a system that is
    short of processes or files may have them a moment later."""
    trouble: Exception | None = None
    for pause in _PAUSES:
        time.sleep(pause)
        try:
            return _started(context, settings, serve)
        except (OSError, EOFError) as error:
            trouble = error
    raise NotStarted(f"no process could be started: {trouble or type(trouble).__name__}")


def server_of(modules: Sequence[str]) -> BaseContext:
    """A fork server has the engines loaded already, so that a killed worker is replaced in milliseconds and
    no claim pays for an import."""
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(method)
    if method == "forkserver":
        context.set_forkserver_preload(list(modules))
    return context


def warm() -> None:
    """Start the fork server of a lean run, so that it loads its modules while the claim is being read. Where
    that fails, whoever asks for a worker sees why."""
    if server_of([PRELOAD_RULES]).get_start_method() == "forkserver":
        with contextlib.suppress(OSError, EOFError), _no_main_module(), _our_environment():
            forkserver.ensure_running()


def _started(context: BaseContext, settings: Settings, serve: Serve) -> Worker:
    ours, theirs = context.Pipe()
    try:
        _bound(ours)
        process = context.Process(target=serve, args=(theirs, settings), daemon=True)  # type: ignore[attr-defined]
        with _no_main_module(), _may_have_children(), _our_environment():
            process.start()
    except BaseException:
        ours.close()
        raise
    finally:
        theirs.close()
    return Worker(process, ours, settings.memory_bytes)


def _bound(connection: Connection) -> None:
    """Nobody waits for ever: neither for the rest of a message nor for room to send one."""
    with socket.socket(fileno=os.dup(connection.fileno())) as pipe:
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            pipe.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", _HALF_A_MESSAGE, 0))


@contextlib.contextmanager
def _no_main_module() -> Iterator[None]:
    """Keep a new process from running the caller's script again.

    multiprocessing imports the parent's main module into each child, in case the work is defined
    there. Ours never is, and a script that calls `verify` at its top level would recurse.
    """
    with _MAIN:
        main_module = sys.modules["__main__"]
        sys.modules["__main__"] = types.ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main_module


@contextlib.contextmanager
def _our_environment() -> Iterator[None]:
    """What new processes are told, and the fork server that the first of them starts.

    Python shuffles its sets of strings anew in every process, unless it is told how: what is decided must not
    depend on that. And it imports what lies in the folder it is started in, unless it is told not to: that
    folder may be a stranger's."""
    told = {"PYTHONHASHSEED": "0", "PYTHONSAFEPATH": "1"}
    if _HOME not in (*site.getsitepackages(), site.getusersitepackages()):
        # A tree that is not installed: the new process shall find the same one.
        told["PYTHONPATH"] = os.pathsep.join(filter(None, [_HOME, os.environ.get("PYTHONPATH")]))
    before = {name: os.environ.get(name) for name in told}
    os.environ.update(told)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextlib.contextmanager
def _may_have_children() -> Iterator[None]:
    """A daemon may start workers too.

    multiprocessing forbids it for the sake of children that nobody would end. Ours end with their
    pipe, and by themselves after their time."""
    config = multiprocessing.current_process()._config  # type: ignore[attr-defined]
    daemon = config.get("daemon")
    config["daemon"] = False
    try:
        yield
    finally:
        config["daemon"] = daemon
