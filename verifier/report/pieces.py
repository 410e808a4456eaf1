"""JSON text piece by piece: a long list is never in memory as a whole, neither as values nor as text."""

import json
from collections.abc import Iterable, Iterator

from verifier.expr.unseen import escaped
from verifier.report.view import Json
from verifier.spool import Spool


def json_pieces(data: Json) -> Iterator[str]:
    """The text that `json.dumps(data, indent=1)` gives, with an end of line."""
    for piece in _pieces(data, 0):
        yield escaped(piece)
    yield "\n"


def _pieces(value: object, depth: int) -> Iterator[str]:
    """The text of a value that stands so deep; only what is on disk, and what holds it, is taken apart."""
    match value:
        case Spool():
            yield from _bracketed("[", ((None, item) for item in value), "]", depth)
        case dict() if _is_long(value):
            yield from _bracketed("{", value.items(), "}", depth)
        case list() if _is_long(value):
            yield from _bracketed("[", ((None, item) for item in value), "]", depth)
        case _:
            text = json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False)
            # No text of JSON has an end of line in it: each begins a line of the value.
            yield text.replace("\n", _line(depth))


def _bracketed(
    opening: str, items: Iterable[tuple[str | None, object]], closing: str, depth: int
) -> Iterator[str]:
    before = opening
    for name, item in items:
        yield before + _line(depth + 1)
        if name is not None:
            yield f"{json.dumps(name, ensure_ascii=False)}: "
        yield from _pieces(item, depth + 1)
        before = ","
    yield _line(depth) + closing


def _line(depth: int) -> str:
    return "\n" + depth * " "


def _is_long(value: object) -> bool:
    """Whether a part of it is on disk."""
    match value:
        case Spool():
            return True
        case dict():
            return any(map(_is_long, value.values()))
        case list():
            return any(map(_is_long, value))
    return False
