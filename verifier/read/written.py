"""The text of a claim file: keys, quoted values, comments of one line; whatever the paper says, it parses."""

import re

MAX_COMMENT = 300
MAX_TITLE = 150
_SLUG = re.compile(r"[^A-Za-z0-9._-]+")


def quoted(text: str) -> str:
    """A scalar of YAML on one line; plain where that is plainly safe."""
    text = one_line(text)
    if re.fullmatch(r"[A-Za-z][A-Za-z0-9_(), .+/-]*", text) and not re.search(r"[:#]|, $", text):
        return text.strip() if text.lower() not in ("true", "false", "null", "yes", "no") else f"'{text}'"
    return "'" + text.replace("'", "''") + "'"


def flow(text: str) -> str:
    """A scalar that may stand inside [ ] and { }."""
    return "'" + one_line(text).replace("'", "''") + "'"


def block(text: str, indent: int) -> str:
    """Lines as a literal block."""
    return "|\n" + "\n".join(" " * indent + one_line(line) for line in text.splitlines())


def comment(words: str, most: int = MAX_COMMENT) -> str:
    """Words for after a #: one line, nothing that cannot be seen."""
    words = one_line(words)
    return words if len(words) <= most else f"{words[: most - 1]}…"


def one_line(text: str) -> str:
    return " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())


def slug(text: str) -> str:
    """A part of an id: letters, digits, dots, hyphens."""
    return _SLUG.sub("-", text).strip("-.")[:60].strip("-.") or "x"


def unique(name: str, taken: set[str]) -> str:
    """The name, or the name with a number, whichever is new; it is taken then."""
    found, count = name, 1
    while found in taken:
        count += 1
        found = f"{name}-{count}"
    taken.add(found)
    return found
