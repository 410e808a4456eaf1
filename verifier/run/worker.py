"""A worker process: takes drafts, sends back findings one by one. It can be killed at any time."""

import contextlib
import faulthandler
import os
import resource
import sys
from dataclasses import dataclass
from multiprocessing.connection import Connection

from verifier.claim.build import Draft
from verifier.expr.sizes import RECURSION_LIMIT
from verifier.run.examine import Event, examine_claim
from verifier.run.settings import Settings


@dataclass(frozen=True)
class Task:
    """One claim to be examined."""

    number: int
    draft: Draft


@dataclass(frozen=True)
class Message:
    """What happened to a task: an event, or None when it is done; `crash` tells of an exception."""

    number: int
    event: Event | None = None
    crash: str | None = None


def main(connection: Connection, settings: Settings) -> None:
    """Serve tasks until the parent closes the connection."""
    _limit(settings)
    # Standard output belongs to the result; what a library prints goes where warnings go.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with contextlib.suppress(EOFError, KeyboardInterrupt, BrokenPipeError):
        while True:
            task: Task = connection.recv()
            connection.send(_serve(task, settings, connection))


def _serve(task: Task, settings: Settings, connection: Connection) -> Message:
    def emit(event: Event) -> None:
        connection.send(Message(task.number, event))

    try:
        examine_claim(task.draft, settings, emit)
    except MemoryError:
        return Message(task.number, crash="it ran out of memory")
    except RecursionError:
        return Message(task.number, crash="it nested too deeply for an engine")
    except (BrokenPipeError, KeyboardInterrupt):
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
    if settings.device in ("auto", "cpu"):
        ceiling = settings.memory_bytes + 8 * 2**30
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (ceiling, resource.getrlimit(resource.RLIMIT_AS)[1]))
