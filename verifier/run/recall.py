"""Events of a run as JSON and back, so that a verdict can be composed again from what was found.

A value comes back equal to what it was. Closed forms are the exception: a tree comes back as its text,
which is all that the judge takes from it.
"""

from dataclasses import is_dataclass
from typing import Any

from verifier import evidence
from verifier.codec import Codec, Unknown
from verifier.expr.nodes import Node
from verifier.expr.text import to_text
from verifier.judge import verdict
from verifier.plan import messages as events
from verifier.plan.messages import Event, Stage
from verifier.run.pool import Ended


class _Evidence(Codec):
    """Trees are not read again: their texts are."""

    def to_data(self, value: object) -> Any:
        return to_text(value) if isinstance(value, Node) else super().to_data(value)


_CODEC = _Evidence(
    kind
    for module in (evidence, verdict, events)
    for kind in vars(module).values()
    if isinstance(kind, type) and is_dataclass(kind) and not issubclass(kind, Node)
)
to_data, from_data = _CODEC.to_data, _CODEC.from_data


def ended_to_data(ended: Ended) -> Any:
    """How an examination ended; the number of the claim and what the worker computed are left out."""
    return {"events": events_to_data(ended.events), "stopped": ended.stopped, "seconds": ended.seconds}


def ended_from_data(data: Any) -> Ended:
    match data:
        case {"events": events, "stopped": None | str() as stopped, "seconds": float() | int() as seconds}:
            return Ended(0, events_from_data(events), stopped, seconds, stopped is not None)
    raise Unknown(str(data)[:80])


def events_to_data(heard: tuple[Event, ...]) -> list[Any]:
    """What was found, and what was being tried last."""
    stages = [event for event in heard if isinstance(event, Stage)]
    kept = [*stages[-1:], *(event for event in heard if not isinstance(event, Stage))]
    return [to_data(event) for event in kept]


def events_from_data(data: Any) -> tuple[Event, ...]:
    try:
        return tuple(from_data(item) for item in data)
    except (TypeError, ValueError, ZeroDivisionError) as error:
        raise Unknown(str(error)) from None
