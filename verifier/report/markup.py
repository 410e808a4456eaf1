"""Formulas and values as markup. Whatever leaves this module as `Markup` was escaped on the way."""

import re
from fractions import Fraction

from markupsafe import Markup

from verifier.claim.model import Claim
from verifier.expr.elaborate import elaborate
from verifier.expr.errors import ExprError
from verifier.expr.mathml import to_mathml_pieces
from verifier.expr.nodes import Number, Symbol
from verifier.expr.scope import Scope
from verifier.expr.syntax import parse
from verifier.expr.typeset.statements import Printable
from verifier.report.facts import show

LONGEST_FORMULA = 1500
NUMBER = re.compile(r"-?\d+(\.\d+)?(/\d+)?")
WIDEST_MATRIX = 8


def formula(item: Printable) -> Markup:
    """A tree, typeset; long ones may be broken before a term."""
    pieces = Markup("").join(Markup(piece) for piece in to_mathml_pieces(item))
    return Markup('<span class="formula">{}</span>').format(pieces)


def name(text: str) -> Markup:
    """A symbol's name, typeset."""
    return formula(Symbol(text))


def typeset(claim: Claim, text: str) -> Markup | None:
    """An expression of the language, typeset; None for what is better read as text."""
    if len(text) > LONGEST_FORMULA:
        return None
    state = claim.layers.state if claim.layers is not None else None
    lets = {let.name: let for let in claim.lets}
    try:
        tree = elaborate(parse(text), Scope(claim.symbols, lets, claim.where, state=state))
    except ExprError:
        return None
    return formula(tree)


def value(item: object) -> Markup:
    """A number or a small matrix, typeset; anything else as text."""
    if isinstance(item, int | Fraction) and not isinstance(item, bool):
        return formula(Number(Fraction(item)))
    if isinstance(item, str) and NUMBER.fullmatch(item):
        return Markup("<math>{}</math>").format(_number(item))
    rows = _small_matrix(item)
    if rows is None:
        return Markup('<span class="value">{}</span>').format(show(item))
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


def _row(row: list[object]) -> Markup:
    cells = Markup("").join(Markup("<mtd>{}</mtd>").format(_number(show(cell))) for cell in row)
    return Markup("<mtr>{}</mtr>").format(cells)


def _number(text: str) -> Markup:
    return Markup("<mn>{}</mn>").format(text.replace("-", "−"))
