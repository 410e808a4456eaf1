"""Sentences with names in them, set as formulas are: σ with a small q for σ_q, and sigma_q in letters."""

import re
from collections.abc import Iterable

from markupsafe import Markup

from verifier.expr.nodes import Symbol
from verifier.expr.unicode import to_unicode

# A name, a closing bracket or a norm, and what stands below it: in braces, or as far as letters go.
BELOW = re.compile(
    r"(?<![\w.])(?<![A-Za-z]{2}/)([^\W\d_]{1,10}[\u0302-\u0304]?|[𝟎𝟏])_(?:\{([^{}]{1,24})\}|([A-Za-z0-9α-ω]{1,10}))"
    r"(?![A-Za-z0-9_]|\.[a-z])"
)
# What a name, a number or a bracket is raised to; a state X^(k) keeps its parentheses.
RAISED = re.compile(r"(?<=[\w)\]‖])\^(?:([A-Za-z0-9])(?!\w)|\(([^()]{1,24})\))")
AFTER = re.compile(r"([‖)\]])_(F|∞|[A-Za-z0-9]{1,6})")
SIGNS = {"==": "=", "!=": "≠", "<=": "≤", ">=": "≥", "->": "→"}
ENDLESS = re.compile(r"(?<![\w.])oo(?![\w(])")
TIMES_TEN = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)e([+-]?\d{1,4})(?!\w)")
PLAIN = re.compile(r"[a-z]{2,}")


def prose(text: str, names: Iterable[str] = ()) -> Markup:
    """`names`: symbols of the claim, which stand in the text as its author types them."""
    for name in names:
        letters = to_unicode(Symbol(name))
        if letters != name:
            text = re.sub(rf"(?<![\w.]){re.escape(name)}(?![\w(])", letters.replace("\\", r"\\"), text)
    for typed, sign in SIGNS.items():
        text = text.replace(f" {typed} ", f" {sign} ")
    escaped = str(Markup.escape(ENDLESS.sub("∞", text)))
    lowered = TIMES_TEN.sub(_times_ten, BELOW.sub(_lowered, escaped))
    return Markup(RAISED.sub(_raised, AFTER.sub(r"\1<sub>\2</sub>", lowered)))


def _lowered(found: "re.Match[str]") -> str:
    return f"{to_unicode(Symbol(found[1]))}<sub>{found[2] or found[3]}</sub>"


def _raised(found: "re.Match[str]") -> str:
    is_state = found[2] is not None and found.string[found.start() - 1].isalpha()
    return f"<sup>{f'({found[2]})' if is_state else found[1] or found[2]}</sup>"


def _times_ten(found: "re.Match[str]") -> str:
    """1e-3 and 1.25e+16 as powers of 10."""
    factor = "" if found[1] == "1" else f"{found[1]}·"
    return f"{factor}10<sup>{int(found[2])}</sup>".replace("<sup>-", "<sup>−")


def words_of(name: str) -> str:
    """What an assumption is called in a sentence: `rank-collapse` as Rank collapse."""
    words = name.replace("-", " ")
    first = words.partition(" ")[0]
    return f"{words[:1].upper()}{words[1:]}" if PLAIN.fullmatch(first) else words
