"""The claims of a report that an earlier run wrote, one at a time: it may be longer than memory.

The standard library reads JSON whole. Here only the outermost object and its list of claims are walked; each
claim is read by the standard library, from a window that grows until it holds all of it.
"""

import errno
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

WINDOW = 2**16
# No claim is as long as this; a file that goes on so without one is no report.
LONGEST = 2**26
_BLANK = " \t\n\r"


def claims_of(path: Path) -> Iterator[Any]:
    """What stands in the list of claims. A file that cannot be read, or is no report, raises OSError,
    ValueError or RecursionError."""
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is no regular file")
    with path.open(encoding="utf-8") as file:
        yield from _Reader(file).claims()


class _Reader:
    """JSON text through a window: what was read is forgotten."""

    def __init__(self, file: TextIO) -> None:
        self._file, self._text, self._at = file, "", 0
        self._decoder = json.JSONDecoder()

    def claims(self) -> Iterator[Any]:
        found = False
        for _ in self._parts("{", "}"):
            name = self._value()
            self._take(":")
            if name != "claims":
                self._value()
            elif found:
                raise ValueError("it has two lists of claims")
            else:
                found = True
                for _ in self._parts("[", "]"):
                    yield self._value()
        if self._next() or not found:
            raise ValueError("it has no list of claims")

    def _parts(self, opening: str, closing: str) -> Iterator[None]:
        """Halts before each part of an object or a list, which the caller then reads."""
        self._take(opening)
        more = self._next() != closing
        while more:
            yield
            more = self._next() == ","
            if more:
                self._take(",")
        self._take(closing)

    def _value(self) -> Any:
        while True:
            self._next()
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except json.JSONDecodeError:
                if not self._more():
                    raise
                continue
            if end == len(self._text) and self._more():
                continue  # a number may go on
            self._at = end
            return value

    def _take(self, mark: str) -> None:
        if self._next() != mark:
            raise ValueError(f"{mark} is missing")
        self._at += 1

    def _next(self) -> str:
        """The next character that is not blank; nothing at the end."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in _BLANK:
                self._at += 1
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def _more(self) -> bool:
        """Twice as much of the file, so that a long value is not tried again too often."""
        rest = self._text[self._at :]
        if len(rest) > LONGEST:
            raise ValueError("it goes on without a claim")
        more = self._file.read(max(WINDOW, len(rest)))
        self._text, self._at = rest + more, 0
        return bool(more)
