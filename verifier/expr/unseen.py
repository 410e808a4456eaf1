"""Characters that nobody sees, and that hide, turn or command what is seen.

A stranger's title, note or file name is shown on terminals, on pages, and in the logs of servers that obey
what they read. Whatever shows text asks here.
"""

import re

MARK = "\N{REPLACEMENT CHARACTER}"

# Controls, marks of direction, joiners and blanks without width, tags, and halves of characters; ends of
# lines are left out, and so are the invisible operators of MathML, which our own pages hold.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    "\u180e\u200b-\u200f\u2028-\u202e\u2060\u2065-\u206f\u2800\u3164\ud800-\udfff\ufeff\uffa0\ufff9-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U00013438\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f]"
)
_JOINERS = "\u200c\u200d"
# Overrides, embeddings and isolates of direction, and tags: what a person reads is not what a program reads.
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
# A runner of GitHub's obeys `::name::` at the start of a line, and `##[name]` anywhere.
_COMMAND = re.compile(r"^(\s*):(?=:)|#(?=#\[)", re.MULTILINE)


def visible(text: str) -> str:
    """One line without control characters, which a terminal would obey and markup may not hold."""
    return "".join(mark if mark.isprintable() else MARK for mark in text)


def inert(text: str) -> str:
    """A line for a terminal or a log, which neither will obey."""
    return _COMMAND.sub(lambda match: f"{match[0]} ", visible(text))


def seen(page: str) -> str:
    """A page or a file for people: every character on it can be seen."""
    return _UNSEEN.sub(_marked, page.replace("\r\n", "\n"))


def _marked(match: re.Match[str]) -> str:
    """Some scripts are not written without joiners: between letters other than ours they stay."""
    around = (
        match.string[max(match.start() - 1, 0) : match.start()] + match.string[match.end() : match.end() + 1]
    )
    joins = match[0] in _JOINERS and len(around) == 2 and not any(map(str.isascii, around))
    return match[0] if joins else MARK


def escaped(json: str) -> str:
    r"""JSON with such characters written as \u202e: the same data, and nothing in it is hidden."""
    return _UNSEEN.sub(_as_escape, json)


def _as_escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def hides(text: str) -> bool:
    """Whether something in it cannot be seen."""
    return _UNSEEN.search(text) is not None


def turned_at(text: str) -> int | None:
    """Where the first character stands that lets a text look like another one."""
    return found.start() if (found := _TURNING.search(text)) else None
