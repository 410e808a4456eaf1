"""Claim blocks inside write-ups, as YAML at the same lines and columns.

Everything that is not a claim is blanked out, so positions need no translation.
"""

import re

from verifier.claim.document import lines_of

_FENCE = re.compile(r"\s*(`{3,}|~{3,})(.*)")


def yaml_of(source: str, suffix: str) -> str:
    """The YAML inside a file with this suffix."""
    if suffix == ".md":
        return _markdown(source)
    if suffix == ".tex":
        return _latex(source)
    return source


def _markdown(source: str) -> str:
    """Fenced blocks whose info string is `claim`; each is a document of its own."""
    lines: list[str] = []
    fence: str | None = None
    is_claim = False
    for line in lines_of(source):
        match = _FENCE.match(line)
        if fence is None and match and not (match[1][0] == "`" and "`" in match[2]):
            fence, is_claim = match[1], _info(match[2]) == "claim"
            lines.append("---" if is_claim else "")
        elif fence is not None and match and match[1].startswith(fence) and not match[2].strip():
            fence, is_claim = None, False
            lines.append("")
        else:
            lines.append(line if is_claim else "")
    return "\n".join(lines) + "\n"


def _info(words: str) -> str:
    """The first word after a fence: `claim`, or `{claim}` as some renderers want it."""
    first, *_ = words.split() or [""]
    return first.strip("{}.")


def _latex(source: str) -> str:
    """Comment lines between `%%claim` and `%%end`; the comment sign becomes a blank."""
    lines: list[str] = []
    inside = False
    for line in lines_of(source):
        word = line.strip()
        if not inside and word == "%%claim":
            inside = True
            lines.append("---")
        elif inside and word == "%%end":
            inside = False
            lines.append("")
        else:
            lines.append(re.sub(r"^(\s*)%", r"\1 ", line) if inside else "")
    return "\n".join(lines) + "\n"
