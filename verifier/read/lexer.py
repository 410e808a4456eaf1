r"""LaTeX to tokens that know where the author wrote them.

A token is a command with its backslash, a run of blanks, a paragraph break, or one character. Comments and
what stands verbatim are no tokens; claim blocks are comments. Letters and digits side by side are one token
until a macro takes the first of them.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

from verifier.claim.model import Position

_TOKEN = re.compile(
    r"(?P<command>\\(?:[A-Za-z@]+|.|\n)|\\$)|(?P<comment>%[^\n]*(?:\n[ \t]*|$))|(?P<par>[ \t]*\n[ \t]*\n\s*)"
    r"|(?P<blank>\s+)|(?P<parameter>\#+\d?)|(?P<word>[A-Za-z0-9]+)|(?P<char>.)",
    re.DOTALL,
)
_VERBATIM = re.compile(r"\s*\{(verbatim|lstlisting|comment|minted|filecontents|Verbatim|alltt)(\*?)\}")
PARAGRAPH = "\n\n"


@dataclass(frozen=True)
class Source:
    """One file's text, and the lines and columns of its characters."""

    file: str
    text: str
    within: tuple[str, ...] = ()  # the files that include it, from the outside in

    @cached_property
    def starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def position(self, at: int) -> Position:
        line = bisect_right(self.starts, at)
        return Position(self.file, line, at - self.starts[line - 1] + 1)


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A token, its origin, and through how many macros it came."""

    text: str
    source: Source
    at: int
    depth: int = 0

    @property
    def is_command(self) -> bool:
        return self.text[0] == "\\"

    @property
    def is_blank(self) -> bool:
        return self.text.isspace()

    @property
    def position(self) -> Position:
        return self.source.position(self.at)


def lex(source: Source, start: int = 0, end: int | None = None) -> list[Lexeme]:
    """The tokens of a stretch of a file."""
    text, at = source.text, start
    stop = len(text) if end is None else end
    made: list[Lexeme] = []
    while at < stop:
        match = _TOKEN.match(text, at, stop)
        assert match is not None
        after = match.end()
        if match.lastgroup == "comment":
            # A comment takes its line end along, but not an empty line that follows.
            if text[after : after + 1] == "\n":
                made.append(Lexeme(PARAGRAPH, source, at))
            at = after
            continue
        word = _normal(match)
        if word == r"\begin" and (raw := _VERBATIM.match(text, after)) is not None:
            closing = text.find(rf"\end{{{raw[1]}{raw[2]}}}", raw.end(), stop)
            at = stop if closing < 0 else closing + len(raw[1] + raw[2]) + 6
            continue
        if word in (r"\verb", r"\lstinline"):
            line_end = text.find("\n", after)
            sign = text[after : after + 1]
            closing = text.find(sign, after + 1, line_end if line_end >= 0 else stop) if sign else -1
            at = after if closing < 0 else closing + 1
            continue
        made.append(Lexeme(word, source, at))
        at = after
    return made


def _normal(match: re.Match[str]) -> str:
    match match.lastgroup:
        case "par":
            return PARAGRAPH
        case "blank":
            return " "
    return match[0]
