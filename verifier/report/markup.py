"""Formulas and values as markup. Whatever leaves this module as `Markup` was escaped on the way."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from fractions import Fraction
from itertools import groupby

from markupsafe import Markup

from verifier.claim.model import Claim
from verifier.expr.elaborate import elaborate, elaborate_fact
from verifier.expr.errors import ExprError, ShapeError
from verifier.expr.mathml import NAMESPACE, to_mathml, to_mathml_pieces
from verifier.expr.nodes import Fact, Node, Number, Symbol, Within
from verifier.expr.syntax import parse
from verifier.expr.typeset.statements import Printable
from verifier.expr.unicode import to_unicode
from verifier.report.facts import show
from verifier.report.prose import prose

LONGEST_FORMULA = 1500
RELATION = re.compile(r"[<>=]=|[<>]| in ")
NUMBER = re.compile(r"-?\d+(\.\d+)?(/\d+)?")
FREE_INDEX = re.compile(r"\b_i\d+\b")  # what an engine calls an index that a sum outside has bound
LEAF = re.compile(r"<(mi|mn|mo|mtext)((?: [^>]*)?)>([^<]*)</\1>")
UNSEEN = {"\u2062", "\u2061"}  # invisible times, function application
WORD = re.compile(r"\w+|\*\*|[^\w\s]|\s+")
MOST_LEAVES = 1500
NAMED = f'<math xmlns="{NAMESPACE}">'  # in a page of HTML the namespace is understood
WIDEST_MATRIX = 8
# Letters in a piece that no line break divides: on paper it is set smaller.
WIDE = {"widest": 200, "wider": 110, "wide": 70}


def formula(item: Printable) -> Markup:
    """A tree, typeset; long ones may be broken before a term."""
    pieces = [Markup(piece.replace(NAMED, "<math>")) for piece in to_mathml_pieces(item)]
    widest = max(len(piece.striptags()) for piece in pieces)
    kind = next((f" {kind}" for kind, letters in WIDE.items() if widest > letters), "")
    return Markup('<span class="formula{}">{}</span>').format(kind, Markup("").join(pieces))


def name(text: str) -> Markup:
    """A symbol's name, typeset."""
    return formula(Symbol(text))


@dataclass(frozen=True)
class Label:
    """A symbol that heads a row or a column: typeset, and in letters for who hears the page."""

    shown: Markup
    spoken: str


def label(text: str) -> Label:
    return Label(name(text), to_unicode(Symbol(text)))


def typeset(claim: Claim, text: str, free: frozenset[str] = frozenset()) -> Markup | None:
    """An expression of the language, typeset; None for what is better read as text. `free` are letters that
    the claim does not declare."""
    found = read(claim, text, free)
    match found:
        case None:
            return None
        case Within():
            return _range(found)
    return formula(found)


def read(claim: Claim, text: str, free: frozenset[str] = frozenset()) -> Node | Fact | None:
    """The tree of an expression, of a range `[a, b]` as one of 0 in it, or of a relation."""
    if len(text) > LONGEST_FORMULA:
        return None
    # Values that the claim fixes keep their names: engines write the names.
    scope = replace(claim.scope, values={}, indices=frozenset(FREE_INDEX.findall(text)) | free)
    try:
        if text.startswith("["):
            return elaborate_fact(parse(f"0 in {text}"), scope)
        return elaborate_fact(parse(text), scope) if RELATION.search(text) else elaborate(parse(text), scope)
    except (ExprError, ShapeError, RecursionError):
        return None


def _range(fact: Within) -> Markup:
    """[a, b]: the right side of `in`."""
    low, high = (formula(end) for end in (fact.low, fact.high))
    return Markup('<span class="range">[{}, {}]</span>').format(low, high)


def value(item: object) -> Markup:
    """A number or a small matrix, typeset; anything else as text."""
    if isinstance(item, int | Fraction) and not isinstance(item, bool):
        return formula(Number(Fraction(item)))
    if isinstance(item, str) and NUMBER.fullmatch(item):
        return Markup("<math>{}</math>").format(number(item))
    rows = _small_matrix(item)
    if rows is None:
        return Markup('<span class="value">{}</span>').format(prose(show(item)))
    return matrix([[number(show(cell)) for cell in row] for row in rows])


def matrix(rows: list[list[Markup]]) -> Markup:
    """Entries that are typeset already, in brackets."""
    bracket = Markup('<mo fence="true" form="{}" stretchy="true">{}</mo>')
    body = Markup("<mtable>{}</mtable>").format(Markup("").join(map(_row, rows)))
    parts = bracket.format("prefix", "["), body, bracket.format("postfix", "]")
    return Markup("<math><mrow>{}{}{}</mrow></math>").format(*parts)


def _small_matrix(item: object) -> list[list[object]] | None:
    """The rows of a matrix that fits on the page."""
    if not isinstance(item, list | tuple) or not 0 < len(item) <= WIDEST_MATRIX:
        return None
    rows = [list(row) for row in item if isinstance(row, list | tuple) and 0 < len(row) <= WIDEST_MATRIX]
    return rows if len(rows) == len(item) else None


def _row(row: list[Markup]) -> Markup:
    cells = Markup("").join(Markup("<mtd>{}</mtd>").format(cell) for cell in row)
    return Markup("<mtr>{}</mtr>").format(cells)


def entry(item: Printable) -> Markup:
    """A tree as a part of a larger formula."""
    return Markup(to_mathml(item).removeprefix(NAMED).removesuffix("</math>"))


def number(text: str) -> Markup:
    return Markup("<mn>{}</mn>").format(text.replace("-", "−"))


# --- differences -----------------------------------------------------------------------------------


def differences(left: Markup, right: Markup) -> tuple[Markup, Markup]:
    """Two formulas, what each has and the other has not marked letter by letter."""
    leaves = [[match[0] for match in LEAF.finditer(side)] for side in (left, right)]
    apart = _apart(*leaves)
    if apart is None:
        return left, right
    first, second = (_marked(side, places) for side, places in zip((left, right), apart, strict=True))
    return first, second


def text_differences(left: str, right: str) -> tuple[Markup, Markup]:
    """The same for two expressions as text."""
    words = [WORD.findall(side) for side in (left, right)]
    apart = _apart(*words)
    if apart is None:
        return Markup.escape(left), Markup.escape(right)
    first, second = (_highlighted(side, places) for side, places in zip(words, apart, strict=True))
    return first, second


def _highlighted(words: list[str], places: set[int]) -> Markup:
    """Neighbouring words that differ share one highlight."""
    parts = []
    for differs, run in groupby(enumerate(words), lambda item: item[0] in places):
        text = "".join(word for _, word in run)
        parts.append(
            Markup("<mark>{}</mark>").format(text) if differs and text.strip() else Markup.escape(text)
        )
    return Markup("").join(parts)


def _apart(left: Sequence[str], right: Sequence[str]) -> tuple[set[int], set[int]] | None:
    """The places where two sequences differ; None where nearly nothing is alike, or too much is compared."""
    if max(len(left), len(right)) > MOST_LEAVES:
        return None
    blocks = SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks()
    alike = sum(block.size for block in blocks)
    if 3 * alike < min(len(left), len(right)):
        return None
    same = [{at for b in blocks for at in range(b.a, b.a + b.size)},
            {at for b in blocks for at in range(b.b, b.b + b.size)}]  # fmt: skip
    return set(range(len(left))) - same[0], set(range(len(right))) - same[1]


def _marked(formula: Markup, places: set[int]) -> Markup:
    """The leaves at these places with the class that the page highlights."""
    at = -1

    def change(match: re.Match[str]) -> str:
        nonlocal at
        at += 1
        if at not in places or match[3] in UNSEEN:
            return match[0]
        return f'<{match[1]}{match[2]} class="differs">{match[3]}</{match[1]}>'

    return Markup(LEAF.sub(change, formula))
