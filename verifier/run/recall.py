"""Events of a run as JSON and back, so that a verdict can be composed again from what was found.

A value comes back equal to what it was. Closed forms are the exception: a tree comes back as its text,
which is all that the judge takes from it.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

from verifier import evidence
from verifier.expr.nodes import Node
from verifier.expr.text import to_text
from verifier.judge import verdict
from verifier.run import events
from verifier.run.events import Event, Stage
from verifier.run.pool import Ended

_CLASSES: dict[str, Any] = {
    kind.__name__: kind
    for module in (evidence, verdict, events)
    for kind in vars(module).values()
    if isinstance(kind, type) and is_dataclass(kind) and not issubclass(kind, Node)
}


class Unknown(Exception):
    """The value is not one that can be remembered."""


def to_data(value: object) -> Any:
    """Plain data; raises Unknown for what has no faithful form."""
    match value:
        case Node():
            return to_text(value)
        case None | bool() | str():
            return value
        case int() | float():
            return value if type(value) in (int, float) else _number(value)
        case Fraction():
            return {"$": "fraction", "of": [str(value.numerator), str(value.denominator)]}
        case tuple():
            return {"$": "tuple", "of": [to_data(item) for item in value]}
        case list():
            return [to_data(item) for item in value]
        case Mapping():
            return {"$": "map", "of": [[to_data(name), to_data(item)] for name, item in value.items()]}
    if type(value).__name__ in _CLASSES:
        named = {item.name: to_data(getattr(value, item.name)) for item in fields(value)}  # type: ignore[arg-type]
        return {"$": type(value).__name__, "of": named}
    raise Unknown(type(value).__name__)


def _number(value: float) -> float:
    """A number of a library that subclasses Python's."""
    return int(value) if isinstance(value, int) else float(value)


def from_data(data: Any) -> Any:
    """The value again; raises Unknown for what this program did not write."""
    match data:
        case None | bool() | str() | int() | float():
            return data
        case list():
            return [from_data(item) for item in data]
        case {"$": "fraction", "of": [above, below]}:
            return Fraction(int(above), int(below))
        case {"$": "tuple", "of": items}:
            return tuple(from_data(item) for item in items)
        case {"$": "map", "of": pairs}:
            return {from_data(name): from_data(item) for name, item in pairs}
        case {"$": name, "of": named} if name in _CLASSES:
            return _CLASSES[name](**{key: from_data(item) for key, item in named.items()})
    raise Unknown(str(data)[:80])


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
