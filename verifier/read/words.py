"""Markdown's text as plain words."""

import re

_EMPHASIS = re.compile(r"(\*\*|__|\*|(?<!\w)_|_(?!\w))")
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_ROLE = re.compile(r"\{[\w:-]+\}`([^`\n]*)`")


def words(text: str) -> str:
    """Markdown's marks left out."""
    text = _ROLE.sub(r"(\1)", _LINK.sub(r"\1", text))
    text = _EMPHASIS.sub("", text)
    text = re.sub(r"^[ \t]*>[ \t]?", "", text, flags=re.MULTILINE)
    text = text.replace(r"\$", "$")
    return re.sub(r"\s+", " ", text)


def plain(text: str) -> str:
    return words(re.sub(r"\{[^{}]*\}\s*$", "", text)).strip()


def uncommented(text: str) -> str:
    """Comments blanked out; one without an end is none."""
    made, at = [], 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start)) >= 0:
        made += [text[at:start], re.sub(r"[^\n]", " ", text[start : end + 3])]
        at = end + 3
    return "".join([*made, text[at:]])
