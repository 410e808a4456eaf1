"""The derivation as lines in the language's own terms."""

import re

from verifier.expr import nodes as N
from verifier.expr.text import to_text
from verifier.expr.walk import substitute
from verifier.prove.forms.partial_ranges import UPTO
from verifier.prove.forms.workspace import HERE, Workspace

_GENERATOR = re.compile(r"__g\d+")
_ORDERED = re.compile(UPTO + r"\w+\[([^][,]+), ([^][,]+)\]")
_WEIGHT = re.compile(r"(_weight_\d+)\[([^][,]+)\]")
_MOST_LINES = 400


def explained(space: Workspace, lines: list[str]) -> tuple[str, ...]:
    """Generators, weights and orders of indices written out by what they stand for."""

    def meaning(match: re.Match[str]) -> str:
        return f"({to_text(space.meaning[match.group()])})"

    def entry(match: re.Match[str]) -> str:
        return f"({to_text(substitute(space.weights[match[1]], {HERE: N.Index(match[2])}))})"

    def plain(line: str) -> str:
        ordered = _ORDERED.sub(r"indicator(\2 <= \1)", _GENERATOR.sub(meaning, line))
        return _WEIGHT.sub(entry, ordered)

    shown = [plain(line) for line in lines[:_MOST_LINES]]
    if len(lines) > _MOST_LINES:
        shown.append(f"... and {len(lines) - _MOST_LINES} more lines")
    return tuple(shown)
