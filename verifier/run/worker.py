"""A worker process: takes drafts, sends back findings one by one. It can be killed at any time."""

import contextlib
import faulthandler
import os
import resource
import signal
import sys
from collections.abc import Iterator
from multiprocessing.connection import Connection

from verifier.expr.sizes import RECURSION_LIMIT
from verifier.plan.examine import examine_claim
from verifier.plan.messages import Event
from verifier.plan.settings import Settings
from verifier.run.chunks import shared
from verifier.run.tasks import Message, Task
from verifier.timer import PATIENCE, unheard

# A worker whose parent is gone, and with it the clock, ends itself after so many times its limit.
_ALONE = 1.25 * PATIENCE


def main(connection: Connection, settings: Settings) -> None:
    """Serve tasks until the parent closes the connection."""
    at_the_mercy_of_the_parent(settings)
    unheard()
    # Standard output belongs to the result; what a library prints goes where warnings go.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with open(os.devnull, "w") as nowhere, contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            task: Task = connection.recv()
            # A thread without the interpreter's lock: it also ends what never returns to Python.
            faulthandler.dump_traceback_later(_ALONE * settings.seconds + 1, exit=True, file=nowhere)
            done = _serve(task, settings, connection)
            faulthandler.cancel_dump_traceback_later()
            _send(connection, done)


def at_the_mercy_of_the_parent(settings: Settings) -> None:
    """Within limits. A Ctrl-C in the terminal reaches every process: the parent decides what becomes of
    this one."""
    _limit(settings)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _send(connection: Connection, message: Message) -> None:
    """A message goes whole or not at all: no timer raises in the middle of it."""
    with _without_alarm():
        connection.send(message)


@contextlib.contextmanager
def _without_alarm() -> Iterator[None]:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPROF})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(task: Task, settings: Settings, connection: Connection) -> Message:
    def emit(event: Event) -> None:
        _send(connection, Message(task.number, event))

    try:
        with shared(settings):
            examine_claim(task.draft, settings, emit)
    except MemoryError:
        return Message(task.number, crash="it ran out of memory")
    except RecursionError:
        return Message(task.number, crash="it nested too deeply for an engine")
    except BrokenPipeError:
        raise
    except Exception as error:
        # A bug in an engine costs this claim its verdict and nothing else, and is shown.
        return Message(task.number, crash=f"an engine failed with {type(error).__name__}: {error}")
    return Message(task.number)


def _limit(settings: Settings) -> None:
    """No core dumps, deep but bounded recursion, and a hard ceiling on memory.

    The parent watches resident memory; the ceiling on address space catches what grows between
    two looks. Accelerator drivers reserve address space far beyond use, so it is for the CPU only.
    """
    faulthandler.disable()
    sys.setrecursionlimit(RECURSION_LIMIT)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # a system without memory shall end a worker, and not the run
    if settings.device in ("auto", "cpu"):
        ceiling = settings.memory_bytes + 8 * 2**30
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (ceiling, resource.getrlimit(resource.RLIMIT_AS)[1]))
