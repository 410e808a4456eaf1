r"""Tokens whose braces, environments and dollar signs pair off: what does not is named and taken out.

One stray dollar sign would turn every formula after it into prose. TeX ends a formula at the end of its
paragraph, so the damage is kept to that paragraph here too.
"""

from verifier.claim.problems import Problem
from verifier.read.lexer import PARAGRAPH, Lexeme

_CLOSES = {"}": "{", r"\]": r"\[", r"\)": r"\("}
_OPENS = frozenset(_CLOSES.values())


def balanced(lexemes: list[Lexeme]) -> tuple[list[Lexeme], list[Problem]]:
    """The tokens without those that have no partner, and a problem for each."""
    units = _units(lexemes)
    dropped, problems = _unpaired(units)
    dropped |= _stray_dollars(units, problems)
    kept = [token for place, unit in enumerate(units) if place not in dropped for token in unit]
    return kept, problems


def _units(lexemes: list[Lexeme]) -> list[list[Lexeme]]:
    r"""Single tokens, with \begin{name} and \end{name} as one."""
    units: list[list[Lexeme]] = []
    at = 0
    while at < len(lexemes):
        wide = (
            lexemes[at].text in (r"\begin", r"\end") and at + 3 < len(lexemes) and lexemes[at + 1].text == "{"
        )
        size = 4 if wide and lexemes[at + 3].text == "}" else 1
        units.append(lexemes[at : at + size])
        at += size
    return units


def _marks(unit: list[Lexeme]) -> tuple[str | None, str | None]:
    """What a unit opens, and what it closes."""
    text = unit[0].text
    if len(unit) == 4:
        return (unit[2].text, None) if text == r"\begin" else (None, unit[2].text)
    return (text if text in _OPENS else None), _CLOSES.get(text)


def _unpaired(units: list[list[Lexeme]]) -> tuple[set[int], list[Problem]]:
    dropped: set[int] = set()
    problems: list[Problem] = []
    opened: list[tuple[str, int]] = []
    counts: dict[str, int] = {}
    for place, unit in enumerate(units):
        opens, closes = _marks(unit)
        if opens is not None:
            opened.append((opens, place))
            counts[opens] = counts.get(opens, 0) + 1
        if closes is None:
            continue
        if not counts.get(closes):
            dropped.add(place)
            problems.append(_problem(unit, "closes nothing"))
            continue
        while True:
            name, before = opened.pop()
            counts[name] -= 1
            if name == closes:
                break
            dropped.add(before)
            problems.append(_problem(units[before], "is not closed"))
    for _, place in opened:
        dropped.add(place)
        problems.append(_problem(units[place], "is not closed"))
    return dropped, problems


def _stray_dollars(units: list[list[Lexeme]], problems: list[Problem]) -> set[int]:
    """The paragraphs with an odd number of dollar signs, braces and environments in them kept."""
    dropped: set[int] = set()
    start = 0
    for end in [place for place, unit in enumerate(units) if unit[0].text == PARAGRAPH] + [len(units)]:
        dollars = [place for place in range(start, end) if units[place][0].text == "$"]
        if len(dollars) % 2:
            problems.append(_problem(units[dollars[0]], "has no partner: its paragraph is not read"))
            kept = (place for place in range(start, end) if _marks(units[place]) == (None, None))
            dropped.update(kept)
        start = end
    return dropped


def _problem(unit: list[Lexeme], what: str) -> Problem:
    shown = "".join(token.text for token in unit)
    return Problem(unit[0].position, "paper", f"{shown} {what}", "mend it, and what stands around it is read")
