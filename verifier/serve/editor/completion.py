"""What may stand at a place: names, kinds, functions, keys. It works while the text cannot be read."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from verifier.expr.declare import KINDS
from verifier.expr.functions import USAGE
from verifier.read.specs.schema import CLAIM_KEYS, LAYER_KEYS, SEVERITIES, THEOREM_KEYS, VERDICTS
from verifier.serve.editor.page import Page

KEY = re.compile(r"^(\s*)(?:- )?([A-Za-z_][\w.-]*)\s*:")
ENTRY = re.compile(r"([A-Za-z_]\w*)\s*:\s*([^,{}]*)")
DOCUMENT = re.compile(r"^---|^theorem\s*:")
EXPRESSIONS = ("says", "steps", "let", "assumptions", "next")
MOST_LINES = 2000


@dataclass(frozen=True)
class Choice:
    """Something that may stand here."""

    label: str
    kind: Literal["name", "kind", "function", "key", "word"]
    detail: str = ""


def completions(page: Page, line: int, column: int) -> list[Choice]:
    """All that fits the place; the editor filters by what is typed already."""
    if not 0 <= line < len(page.yaml):
        return []
    begin, end = _document(page.yaml, line)
    if begin is None:
        return []
    before = page.yaml[line][:column]
    path = _path(page.yaml, begin, line, before)
    found = list(_at(path, before, page.yaml[begin:end]))
    return list({choice.label: choice for choice in reversed(found)}.values())[::-1]


def _at(path: list[str], before: str, document: list[str]) -> Iterator[Choice]:
    typed = before.strip()
    is_key = ":" not in typed and "{" not in typed
    match path:
        case ["symbols", _, *_] | ["layers", "symbols", _, *_]:
            yield from (Choice(name, "kind", usage) for name, usage in KINDS.items())
            yield from _names(document, ("symbols",))
        case ["claims", _, "expect"]:
            yield from (Choice(word, "word") for word in VERDICTS)
        case ["claims", _, "severity"]:
            yield from (Choice(word, "word") for word in SEVERITIES)
        case ["claims", _, "under"]:
            yield from _names(document, ("assumptions",))
        case [*_, key] if not is_key and (key in EXPRESSIONS or set(path) & {"let", "assumptions", "claims"}):
            yield from _expression(document)
        case ["claims", _, "steps" | "says"] | [("let" | "assumptions"), _]:
            yield from _expression(document)
        case ["claims", _]:
            yield from (Choice(name, "key", words) for name, words in CLAIM_KEYS.items())
        case ["layers"]:
            yield from (Choice(name, "key", words) for name, words in LAYER_KEYS.items())
        case []:
            yield from (Choice(name, "key", words) for name, words in THEOREM_KEYS.items())
        case _:
            return


def _expression(document: list[str]) -> Iterator[Choice]:
    yield from _names(document, ("symbols", "let", "layers"))
    yield from (Choice(name, "function", usage) for name, usage in USAGE.items())


def _names(document: list[str], sections: tuple[str, ...]) -> Iterator[Choice]:
    """The names that a theorem declares, read line by line: the text around them may be unfinished."""
    section = ""
    for line in document[:MOST_LINES]:
        key = KEY.match(line)
        if key is not None and not key[1]:
            section = key[2]
            line = line[key.end() :]
        if section in sections:
            yield from (
                Choice(name, "name", " ".join(words.split())) for name, words in ENTRY.findall(line) if words
            )


def _document(lines: list[str], line: int) -> tuple[int | None, int]:
    """The first line of the theorem that a line is in, and the line after its last."""
    begin = next((at for at in range(line, -1, -1) if DOCUMENT.match(lines[at])), None)
    after = (at for at in range(line + 1, len(lines)) if lines[at].startswith("---"))
    return begin, next(after, len(lines))


def _path(lines: list[str], begin: int, line: int, before: str) -> list[str]:
    """The keys that a place stands under, outermost first."""
    own = KEY.match(before)
    indent = len(before) - len(before.lstrip())
    path = [own[2]] if own is not None else []
    for at in range(line - 1, begin - 1, -1):
        key = KEY.match(lines[at])
        if key is not None and len(key[1]) < indent:
            path.insert(0, key[2])
            indent = len(key[1])
    return _inside_braces(path, before)


def _inside_braces(path: list[str], before: str) -> list[str]:
    """`c: {says: x` stands under `says` too; `symbols: {x: re` under `x`."""
    opened = before.rpartition("{")[2] if before.count("{") > before.count("}") else None
    if opened is None:
        return path
    last = opened.rpartition(",")[2]
    key = KEY.match(last.lstrip() if ":" in last else "")
    return [*path, key[2]] if key is not None else path
