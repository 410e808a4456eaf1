r"""Lists with dots inside sentences: x_1, \dots, x_n is a family, and i = 1, \dots, n is a range."""

from dataclasses import replace

from verifier.expr.tex.tokens import Token
from verifier.read.prose.brackets import is_dots, split
from verifier.read.prose.scalars import scalar_text
from verifier.read.prose.spelling import checked, entry_of, group, texts, whole_letter
from verifier.read.prose.values import Letter, Ranges

MARKS = {r"\overset", r"\stackrel"}
BOUNDS = {r"\ge": ">=", r"\le": "<=", "<": "<", ">": ">"}


def ranged(pieces: list[list[Token]]) -> Ranges | None:
    r"""i = 1, \dots, n"""
    if len(pieces) < 3 or not is_dots(pieces[1]):
        return None
    sides = split(pieces[0], "=")
    if len(sides) != 2 or not all(sides):
        return None
    letter = whole_letter(sides[0])
    if letter is None:
        return None
    return Ranges(letter, scalar_text(sides[1]), scalar_text(pieces[2]))


def family_of(pieces: list[list[Token]]) -> tuple[Letter, list[Token], int] | None:
    r"""x_1, \dots, x_n, also with x_2: the family, what is said of it, and how many pieces it takes."""
    dots = 1 if len(pieces) > 2 and is_dots(pieces[1]) else 2
    if len(pieces) < dots + 2 or not is_dots(pieces[dots]):
        return None
    pieces = [below(piece) for piece in pieces]
    first = whole_letter(pieces[0])
    if first is None or not first.name.endswith("_1"):
        return None
    base = entry_of(first)
    last = pieces[dots + 1]
    ends = (r"\in", r"\sim", *MARKS, *BOUNDS)
    end = next((at for at, token in enumerate(last) if token.text in ends), len(last))
    place = next((at for at, token in enumerate(last[:end]) if token.text == "_"), None)
    if place is None:
        return None
    script, after = group(last, place + 1)
    head = whole_letter(last[:place])
    if head is None or head.name != base or after != end:
        return None
    return checked(Letter(base, head.latex, copies=scalar_text(script))), last[end:], dots + 2


def below(tokens: list[Token]) -> list[Token]:
    r"""W_1 for W^1 and W^{(1)}: members of a family that are numbered above."""
    marks = texts(tokens)
    at = marks.index("^") if "^" in marks else 0
    if not at or "_" in marks[:at] or whole_letter(tokens[:at]) is None:
        return tokens
    script, after = group(tokens, at + 1)
    inner = script[1:-1] if texts(script[:1] + script[-1:]) == ["(", ")"] else script
    if len(inner) != 1 or not (inner[0].is_letter or inner[0].text == "1"):
        return tokens
    return [*tokens[:at], replace(tokens[at], text="_"), *inner, *tokens[after:]]
