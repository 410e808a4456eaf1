"""Claim blocks inside write-ups, as YAML at the same lines and columns.

Everything that is not a claim is blanked out, so positions need no translation.
"""

import re

_FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})\s*\{?(\S*?)\}?\s*$")


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
    for line in source.splitlines():
        match = _FENCE.match(line)
        if fence is None and match:
            fence, is_claim = match[2], match[3] == "claim"
            lines.append("---" if is_claim else "")
        elif fence is not None and line.strip() == fence:
            fence, is_claim = None, False
            lines.append("")
        else:
            lines.append(line if is_claim else "")
    return "\n".join(lines) + "\n"


def _latex(source: str) -> str:
    """Comment lines between `%%claim` and `%%end`; the comment sign becomes a blank."""
    lines: list[str] = []
    inside = False
    for line in source.splitlines():
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
