"""The derivation as lines in the language's own terms."""

import re

from verifier.expr.text import to_text
from verifier.symbolic.workspace import Workspace

_GENERATOR = re.compile(r"_g\d+")
_MOST_LINES = 400


def explained(space: Workspace, lines: list[str]) -> tuple[str, ...]:
    """Generators written out by what they stand for."""

    def meaning(match: re.Match[str]) -> str:
        return f"({to_text(space.meaning[match.group()])})"

    shown = [_GENERATOR.sub(meaning, line) for line in lines[:_MOST_LINES]]
    if len(lines) > _MOST_LINES:
        shown.append(f"... and {len(lines) - _MOST_LINES} more lines")
    return tuple(shown)
