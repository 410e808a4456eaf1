"""What a run and its workers say to each other. The run itself loads none of the engines."""

from dataclasses import dataclass
from multiprocessing.connection import Connection

from verifier.plan.messages import Event
from verifier.plan.settings import Settings
from verifier.read.specs.make_claim import Draft


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


def serve(connection: Connection, settings: Settings) -> None:
    """A worker's whole life; the engines are loaded where it begins."""
    from verifier.run.worker import main

    main(connection, settings)
