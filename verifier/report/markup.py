"""Formulas and values as markup. Whatever leaves this module as `Markup` was escaped on the way."""

from fractions import Fraction

from markupsafe import Markup

from verifier.claim.model import Claim
from verifier.expr.elaborate import elaborate
from verifier.expr.errors import ExprError
from verifier.expr.mathml import to_mathml
from verifier.expr.nodes import Number, Symbol
from verifier.expr.scope import Scope
from verifier.expr.syntax import parse
from verifier.expr.typeset.statements import Printable
from verifier.report.facts import show

LONGEST_FORMULA = 1500
WIDEST_MATRIX = 8


def formula(item: Printable, *, display: bool = False) -> Markup:
    """A tree, typeset."""
    return Markup(to_mathml(item, display=display))


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
    cells = Markup("").join(Markup("<mtd><mn>{}</mn></mtd>").format(show(cell)) for cell in row)
    return Markup("<mtr>{}</mtr>").format(cells)
