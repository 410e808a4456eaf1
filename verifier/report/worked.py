"""Worked lines of a counterexample: `a = b = 3`, or a sentence with formulas in it, typeset.

A line is taken apart where no bracket is open, so that no matrix is cut in two. What is no expression of the
claim stays as it is.
"""

import re
from collections.abc import Iterator

from markupsafe import Markup

from verifier.claim.model import Claim
from verifier.report import markup
from verifier.report.formulas_in_words import spelled
from verifier.report.prose import prose

FALSE = re.compile(r"(.+?) (==|<=|>=|<|>) (.+) is false")
SIGNS = {"==": "=", "<=": "≤", ">=": "≥", "<": "<", ">": ">"}
SIDES = ("left side", "right side")
EQUAL = (" = ", " ≈ ", " is not ")
BETWEEN = (
    ", ",
    ": ",
    "; ",
    " against ",
    " for every ",
    " at entry ",
    " with ",
    " to ",
    " as ",
    " is ",
    " and ",
)
OPENING = re.compile(r"(with |at |the limit of |left side |right side )?")
REST = " + ..."  # of a power series
NAME = re.compile(r"[A-Za-z]\w*")
WORDS = re.compile(r"[A-Za-z][\w,.' ]* \w+")
LETTER = re.compile(r"\b[a-z]\b")
LONGEST_PART = 200


def worked_line(claim: Claim, line: str) -> Markup:
    """Formulas, numbers and matrices typeset; words as they are."""
    if match := FALSE.fullmatch(line):
        left, op, right = match.groups()
        return Markup("{} {} {} is false").format(_part(claim, left), SIGNS[op], _part(claim, right))
    pieces = list(_pieces(line, BETWEEN))
    if len(pieces) == 1:
        return _equal(claim, line)
    shown = (prose(text) if is_between else _phrase(claim, text) for text, is_between in pieces)
    return Markup("").join(shown)


def _pieces(line: str, separators: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    """The line cut at separators that stand in no bracket; each piece, and whether it is a separator."""
    depth, start, at = 0, 0, 0
    while at < len(line):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(line[at], 0)
        found = next((s for s in separators if depth == 0 and line.startswith(s, at)), None)
        if found is None:
            at += 1
            continue
        yield line[start:at], False
        yield found, True
        start = at = at + len(found)
    yield line[start:], False


def _equal(claim: Claim, text: str) -> Markup:
    """a = b ≈ c, each part typeset."""
    parts = list(_pieces(text, EQUAL))
    if len(parts) == 1:
        return spelled(claim, text)
    shown = (Markup.escape(part) if is_sign else _part(claim, part) for part, is_sign in parts)
    return Markup("").join(shown)


def _phrase(claim: Claim, text: str) -> Markup:
    """A piece of a sentence: an equation, an expression, or words."""
    opening = OPENING.match(text)
    before = opening[0] if opening is not None else ""
    body = text[len(before) :]
    if len(list(_pieces(body, EQUAL))) > 1:
        return Markup("{}{}").format(before, _equal(claim, body))
    found = _typeset(claim, body) if not body.isalpha() or body in claim.symbols else None
    return Markup("{}{}").format(before, found if found is not None else spelled(claim, body))


def _part(claim: Claim, text: str) -> Markup:
    if text in SIDES:
        return Markup("<b>{}</b>").format(text)
    found = _typeset(claim, text)
    if found is not None:
        return found
    if WORDS.fullmatch(text):  # It comes closest at x
        before, _, last = text.rpartition(" ")
        return Markup("{} {}").format(prose(before, claim.symbols), _part(claim, last))
    return spelled(claim, text)


def _typeset(claim: Claim, text: str) -> Markup | None:
    """A number, a name, a matrix, an expression, or a power series that goes on."""
    if markup.NUMBER.fullmatch(text):
        return markup.value(text)
    if text.startswith("[["):
        return _matrix(claim, text)
    if text.endswith(REST):
        begun = _typeset(claim, text.removesuffix(REST))
        return None if begun is None else Markup("{} + ⋯").format(begun)
    if NAME.fullmatch(text) and text not in claim.scope.lets:
        return markup.name(text)
    return markup.typeset(claim, text, free_letters(claim, text)) if len(text) <= LONGEST_PART else None


def free_letters(claim: Claim, text: str) -> frozenset[str]:
    """Letters that stand for something small or large and are none of the claim's."""
    return frozenset(name for name in LETTER.findall(text) if name not in claim.scope.symbols)


def _matrix(claim: Claim, text: str) -> Markup | None:
    """[[a, b], [c, d]] with each entry typeset; None for what only begins so."""
    inner = text[1:-1] if text.endswith("]") else ""
    rows = [row for row, is_comma in _pieces(inner, (", ",)) if not is_comma]
    if not rows or not all(row.startswith("[") and row.endswith("]") for row in rows):
        return None
    cells = [[cell for cell, is_comma in _pieces(row[1:-1], (", ",)) if not is_comma] for row in rows]
    return markup.matrix([[_entry(claim, cell) for cell in row] for row in cells])


def _entry(claim: Claim, text: str) -> Markup:
    tree = None if markup.NUMBER.fullmatch(text) else markup.read(claim, text, free_letters(claim, text))
    return markup.number(text) if tree is None else markup.entry(tree)
