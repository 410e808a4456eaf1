"""`steps`: a proof as a chain of relations, one opened by each line that starts with one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from verifier.expr.errors import Span
from verifier.read.specs.yaml_document import Text

MAX_STEPS = 500
_OPENS = re.compile(r"\s*(==|<=|>=|<|>)")


@dataclass(frozen=True)
class Link:
    """`op expression`; the first link of a chain has no op."""

    op: str | None
    expression: Text
    line: Text


def links(text: Text) -> list[Link]:
    """The expressions of a chain and the relations between them."""
    found: list[Link] = []
    stretches = list(_stretches(text.value))
    if len(stretches) > MAX_STEPS:
        raise text.problem("too-long", f"a chain of more than {MAX_STEPS} steps", span=Span(0, 1))
    for start, end in stretches:
        match = _OPENS.match(text.value, start, end)
        body = match.end() if match else start
        op = match[1] if match else None
        found.append(Link(op, _trimmed(text, body, end), _trimmed(text, start, end)))
    return found


def _stretches(value: str) -> Iterator[tuple[int, int]]:
    """From each line that opens a step to the next one."""
    start, at, begun = 0, 0, False
    for line in value.splitlines(keepends=True):
        if begun and _OPENS.match(line):
            yield start, at
            start = at
        begun = begun or bool(line.strip())
        at += len(line)
    if begun:
        yield start, at


def _trimmed(text: Text, start: int, end: int) -> Text:
    inner = text.value[start:end]
    if not inner.strip():
        return text.slice(start, start)
    left = len(inner) - len(inner.lstrip())
    return text.slice(start + left, max(start + len(inner.rstrip()), start + left))
