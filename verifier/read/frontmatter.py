r"""The front matter of a Markdown paper: its title, and the macros that MyST keeps under `math:`."""

import re
from collections.abc import Iterator, Mapping

from verifier.claim.problems import Problem, SpecError
from verifier.read.lexer import Source
from verifier.read.specs.yaml_document import Items, Table, Text, Value, read_documents

_PARAMETER = re.compile(r"#([1-9])")
_NAME = re.compile(r"\\?([A-Za-z]+)")
MAX_LINES = 500
Macros = Mapping[str, tuple[str, int]]


def front_matter(source: Source, problems: list[Problem]) -> tuple[int, str | None, Macros]:
    """How many lines it takes, the title, and each macro's body with its number of arguments."""
    lines = source.text.split("\n", MAX_LINES)[:MAX_LINES]
    if lines[0].rstrip() != "---":
        return 0, None, {}
    end = next((at for at, line in enumerate(lines[1:], start=1) if line.rstrip() in ("---", "...")), None)
    if end is None:
        return 0, None, {}
    text = "\n".join(["", *lines[1:end], ""])
    try:
        found = next(read_documents(text, source.file), None)
    except SpecError as error:
        problems.append(error.problem)
        return end + 1, None, {}
    if not isinstance(found, Table):
        return end + 1, None, {}
    title = found.entries.get("title")
    named = title[1].value if title is not None and isinstance(title[1], Text) else None
    return end + 1, named, dict(_macros(found))


def _macros(table: Table) -> Iterator[tuple[str, tuple[str, int]]]:
    """MyST's `math:`, and MathJax's `macros:` wherever a configuration nests it."""
    for key, (_, value) in table.entries.items():
        if key in ("math", "macros") and isinstance(value, Table):
            yield from _entries(value)
        elif isinstance(value, Table):
            yield from _macros(value)


def _entries(table: Table) -> Iterator[tuple[str, tuple[str, int]]]:
    for key, (_, value) in table.entries.items():
        name = _NAME.fullmatch(key.strip())
        body = _body(value)
        if name is None or body is None:
            continue
        places = [int(place) for place in _PARAMETER.findall(body)]
        yield f"\\{name[1]}", (body, max(places, default=0))


def _body(value: Value) -> str | None:
    r"""`\mathbb{R}`, or a list `[\mathbf{#1}, 1]` as MathJax has it, or `{macro: ...}`."""
    match value:
        case Text(text):
            return text
        case Items((Text(text), *_)):
            return text
        case Table(entries):
            inner = entries.get("macro")
            return inner[1].value if inner is not None and isinstance(inner[1], Text) else None
    return None
