r"""Where the mathematics of a Markdown text stands: dollar signs, MyST's roles, LaTeX's environments.

A closing sign that is not there is looked for once, so that a text full of opening ones stays cheap.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from verifier.read.kinds import MATH

_OPENING = re.compile(
    r"(?P<round>\\\\\()|(?P<square>\\\\\[)|(?P<double>\$\$)|\\begin\{(?P<name>[A-Za-z]{1,20}\*?)\}"
    r"|(?P<role>\{math\}`)|(?P<tick>\$`)|(?P<single>\$)|(?P<code>`+)|(?P<escape>\\.)",
    re.DOTALL,
)
_TO_DOLLAR = re.compile(r"(?:[^$\\]|\\.)*\$", re.DOTALL)
_CLOSING = {"round": r"\\)", "square": r"\\]", "double": "$$", "role": "`", "tick": "`$"}
_DISPLAYS = frozenset({"square", "double"})


@dataclass(frozen=True)
class Span:
    """A formula with its signs, what stands between them, and the environment that it is."""

    start: int
    end: int
    body: tuple[int, int]
    name: str
    display: bool

    def moved(self, by: int) -> "Span":
        return replace(
            self, start=self.start + by, end=self.end + by, body=(self.body[0] + by, self.body[1] + by)
        )


def spans(text: str) -> Iterator[Span]:
    """The formulas of a text, in order; what stands in code is none."""
    at = 0
    missing: set[str] = set()
    while (match := _OPENING.search(text, at)) is not None:
        at = match.end()
        kind = match.lastgroup or "name"
        if kind == "escape" or (kind == "name" and match["name"].rstrip("*") not in MATH):
            continue
        if kind == "single":
            found = _inline(text, at)
        else:
            closing = match[0] if kind == "code" else _CLOSING.get(kind) or rf"\end{{{match['name']}}}"
            end = -1 if closing in missing else text.find(closing, at)
            if end < 0:
                missing.add(closing)
                continue
            if kind == "code":
                at = end + len(closing)
                continue
            display = kind in _DISPLAYS or kind == "name"
            found = Span(match.start(), end + len(closing), (at, end), match["name"] or "", display)
        if found is not None:
            yield found
            at = found.end


def _inline(text: str, at: int) -> Span | None:
    """$x$: no blank inside its signs, no digit after it, so that prices stay prices."""
    if at >= len(text) or text[at].isspace():
        return None
    match = _TO_DOLLAR.match(text, at)
    if match is None:
        return None
    end = match.end() - 1
    if text[end - 1].isspace() or text[end + 1 : end + 2].isdigit() or "\n\n" in text[at:end]:
        return None
    return Span(at - 1, end + 1, (at, end), "", False)


def without_code(text: str) -> str:
    """The text with code blanked out, roles left alone."""
    return re.sub(r"(?<!\})(?<!\$)(`+)[^`\n]+\1(?!`)", lambda match: " " * len(match[0]), text)
