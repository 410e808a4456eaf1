"""Sentences as tests write them, with formulas between dollars, and what is read out of them, line by
line."""

import re

from verifier.read.paper import Formula, Passage
from verifier.read.prose import Declared, Refused, declarations

_MATH = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$", re.DOTALL)


def passage(text: str, kind: str = "text") -> Passage:
    """A passage of one text; $$...$$ is a display."""
    parts: list[str | Formula] = []
    end = 0
    for match in _MATH.finditer(text):
        if match.start() > end:
            parts.append(text[end : match.start()])
        latex = match[1] or match[2]
        parts.append(Formula(latex, (latex,), match[1] is not None, None, None, "paper.tex", 7, 1))
        end = match.end()
    if text[end:]:
        parts.append(text[end:])
    return Passage(kind, None, None, None, "paper.tex", 7, tuple(parts))


def line(item: Declared | Refused) -> str:
    """`x: vector(n)`, `norm(x) == 1`, `s := a + b`, `n -> oo`, `independent: x, y`, `refused: why`."""
    if isinstance(item, Refused):
        return f"refused: {item.reason}"
    match item.what:
        case "symbol":
            return f"{item.name}: {item.says}"
        case "definition":
            return f"{item.name} := {item.says or item.formula.partition('=')[2].strip()}"
        case "independence":
            return f"independent: {item.says.removeprefix('independent(').removesuffix(')')}"
        case "rows":
            return f"rows: {item.name} of {item.says}"
        case "taken":
            return f"taken: {item.name}"
        case "assumption" | "growth":
            return item.says or item.formula


def read(text: str, kind: str = "text") -> list[str]:
    """What is read out of a text, as sorted lines."""
    return sorted(line(item) for item in declarations(passage(text, kind)))


def is_refused(text: str, kind: str = "text") -> bool:
    """Whether a sentence is refused, and nothing of it is read."""
    made = declarations(passage(text, kind))
    return bool(made) and all(isinstance(item, Refused) for item in made)


def declared(text: str, kind: str = "text") -> list[Declared]:
    return [item for item in declarations(passage(text, kind)) if isinstance(item, Declared)]
