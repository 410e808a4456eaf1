"""YAML as data with positions, and nothing more.

Only the event stream of the YAML library is used: no tags are resolved, no objects are built, and
every size is bounded while the events come in. A scalar stays the text that the author wrote,
since decimals are exact in the claim language.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, StringMark, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)
from ruamel.yaml.reader import ReaderError

from verifier.claim.model import Position
from verifier.claim.problems import Problem, SpecError, shortened
from verifier.expr.errors import Span
from verifier.expr.unseen import turned_at

MAX_CHARACTERS = 500_000
MAX_DEPTH = 12
MAX_NODES = 50_000
LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Text:
    """A scalar. `runs` maps offsets to places: (offset, line, column) where a stretch begins."""

    value: str
    file: str
    runs: tuple[tuple[int, int, int], ...]

    def position(self, offset: int = 0) -> Position:
        at = bisect_right(self.runs, (offset, 10**9, 10**9)) - 1
        start, line, column = self.runs[max(at, 0)]
        return Position(self.file, line, column + max(offset - start, 0))

    def slice(self, start: int, end: int) -> "Text":
        first = self.position(start)
        inner = [(at - start, line, column) for at, line, column in self.runs if start < at < end]
        return Text(self.value[start:end], self.file, ((0, first.line, first.column), *inner))

    def problem(
        self, code: str, message: str, hint: str | None = None, span: Span | None = None
    ) -> SpecError:
        start = span.start if span else 0
        width = max(span.end - span.start if span else len(self.value), 1)
        return SpecError(Problem(self.position(start), code, shortened(message), hint, width=width))


@dataclass(frozen=True, slots=True)
class Items:
    """A sequence."""

    values: tuple["Value", ...]
    position: Position


@dataclass(frozen=True, slots=True)
class Table:
    """A mapping with text keys, in the order written."""

    entries: dict[str, tuple[Text, "Value"]] = field(hash=False)
    position: Position = field(compare=False)


Value = Text | Items | Table


def lines_of(source: str) -> list[str]:
    """Lines as editors count them: a form feed, say, does not end one."""
    return LINE_END.split(source)


def read_documents(source: str, file: str) -> Iterator[Value]:
    """The documents of a YAML text; raises SpecError at the first that cannot be read."""
    if len(source) > MAX_CHARACTERS:
        message = f"a file of {len(source):,} characters; at most {MAX_CHARACTERS:,} are read"
        raise SpecError(Problem(Position(file, 1), "too-long", message))
    composer = _Composer(source, file)
    if (at := turned_at(source)) is not None:
        message = f"the character U+{ord(source[at]):04X} makes the text look like another one"
        raise SpecError(Problem(composer.place(at), "character", message, "delete it"))
    yield from composer.documents()


class _Composer:
    """Events to values, with bounds."""

    def __init__(self, source: str, file: str) -> None:
        self.source = source
        self.line_starts = [0, *(match.end() for match in LINE_END.finditer(source))]
        self.file = file
        self.nodes = 0
        self.reached = 0
        self.anchors: dict[str, tuple[Value, int]] = {}
        self.events = self._parse()

    def _parse(self) -> Iterator[Event]:
        yaml = YAML(typ="safe", pure=True)
        yaml.version = (1, 2)
        try:
            for event in yaml.parse(self.source):
                self.reached = event.end_mark.index
                yield event
        except MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            message = " ".join(str(error.problem or error.context or "not YAML").split())
            raise SpecError(Problem(self._at(mark), "yaml", message, _yaml_hint(message))) from None
        except ReaderError as error:
            message = f"the character U+{ord(self.source[error.position]):04X} is not allowed in YAML"
            raise SpecError(Problem(self.place(error.position), "character", message)) from None
        except (YAMLError, ValueError, AttributeError, IndexError, TypeError, AssertionError) as error:
            # The library raises these on some malformed streams; the author sees one clear word.
            detail = " ".join(str(error).split())[:200]
            raise SpecError(Problem(self.place(self.reached), "yaml", f"not YAML: {detail}")) from None

    def place(self, index: int) -> Position:
        """Line and column of a character of the source."""
        line = bisect_right(self.line_starts, index)
        return Position(self.file, line, index - self.line_starts[line - 1] + 1)

    def _at(self, mark: StringMark | None) -> Position:
        return self.place(mark.index) if mark else Position(self.file, 1)

    def fail(self, event: Event, code: str, message: str, hint: str | None = None) -> SpecError:
        return SpecError(Problem(self._at(event.start_mark), code, shortened(message), hint))

    def documents(self) -> Iterator[Value]:
        for event in self.events:
            if isinstance(event, DocumentStartEvent):
                self.anchors.clear()
                first = next(self.events)
                if isinstance(first, ScalarEvent) and not first.value:
                    continue
                yield self.value(first, 0)
            elif isinstance(event, StreamEndEvent):
                return

    def value(self, event: Event, depth: int) -> Value:
        self.count(event, 1)
        if depth > MAX_DEPTH:
            raise self.fail(event, "too-deep", f"more than {MAX_DEPTH} levels of nesting")
        if isinstance(event, AliasEvent):
            found = self.anchors.get(event.anchor)
            if found is None:
                raise self.fail(event, "yaml", f"unknown alias *{event.anchor}")
            self.count(event, found[1])
            return found[0]
        if not isinstance(event, ScalarEvent | SequenceStartEvent | MappingStartEvent):
            raise self.fail(event, "yaml", "unexpected YAML")
        if event.tag is not None:
            message = f"YAML tags such as {event.tag} are not read"
            raise self.fail(event, "yaml-tag", message, "remove the tag")
        before = self.nodes
        made = self.collection(event, depth)
        if event.anchor is not None:
            self.anchors[event.anchor] = (made, self.nodes - before + 1)
        return made

    def collection(self, event: Event, depth: int) -> Value:
        if isinstance(event, ScalarEvent):
            return self.text(event)
        if isinstance(event, MappingStartEvent):
            return self.table(event, depth)
        values = []
        while not isinstance(item := next(self.events), SequenceEndEvent):
            values.append(self.value(item, depth + 1))
        return Items(tuple(values), self._at(event.start_mark))

    def table(self, event: Event, depth: int) -> Table:
        entries: dict[str, tuple[Text, Value]] = {}
        while not isinstance(item := next(self.events), MappingEndEvent):
            key = self.value(item, depth + 1)
            if not isinstance(key, Text):
                raise self.fail(item, "yaml", "a key must be plain text", "quote expressions inside { }")
            if key.value in entries:
                line = entries[key.value][0].position().line
                raise self.fail(item, "duplicate-key", f"{key.value!r} is already given in line {line}")
            entries[key.value] = (key, self.value(next(self.events), depth + 1))
        return Table(entries, self._at(event.start_mark))

    def count(self, event: Event, nodes: int) -> None:
        self.nodes += nodes
        if self.nodes > MAX_NODES:
            raise self.fail(event, "too-long", f"more than {MAX_NODES:,} values, aliases expanded")

    # -- positions inside scalars

    def text(self, event: ScalarEvent) -> Text:
        value: str = event.value
        start, end = event.start_mark, event.end_mark
        raw = self.source[start.index : end.index]
        quote = 1 if event.style in ("'", '"') else 0
        if value == raw[quote : len(raw) - quote]:
            runs = self.run(0, start.index + quote)
        else:
            runs = tuple(self.aligned(value, start.index + quote, end.index)) or self.run(0, start.index)
        return Text(value, self.file, runs)

    def run(self, offset: int, index: int) -> tuple[tuple[int, int, int], ...]:
        place = self.place(index)
        return ((offset, place.line, place.column),)

    def aligned(self, value: str, index: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Walk value and source together: folded lines, indents and escapes are skipped over."""
        source = self.source
        header = source[index : index + 1] in ("|", ">")
        at = source.find("\n", index) + 1 if header else index
        expected: int | None = None
        for offset, char in enumerate(value):
            if char.isspace():
                continue
            found = source.find(char, at, end)
            if found < 0:
                return
            if found - offset != expected:
                yield from self.run(offset, found)
                expected = found - offset
            at = found + 1


def _yaml_hint(message: str) -> str | None:
    if "could not find expected ':'" in message or "mapping values are not allowed" in message:
        return "quote a text that contains ': '"
    if "expected ',' or '" in message:
        return "quote expressions inside { } and [ ]"
    if "cannot start any token" in message:
        return "indent with spaces, and quote texts that begin with a special character"
    return None
