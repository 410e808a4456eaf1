"""Formulas and values as markup. Whatever leaves this module as `Markup` was escaped on the way."""

from collections.abc import Sequence
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
    match item:
        case bool():
            pass
        case int() | Fraction():
            return formula(Number(Fraction(item)))
        case [[*_], *_] if _is_small(item):
            rows = Markup("").join(_row(list(row)) for row in item)
            return Markup(
                '<math><mrow><mo fence="true">[</mo><mtable>{}</mtable><mo fence="true">]</mo></mrow></math>'
            ).format(rows)
    return Markup("<span class=value>{}</span>").format(show(item))


def _is_small(rows: object) -> bool:
    return (
        isinstance(rows, Sequence)
        and len(rows) <= WIDEST_MATRIX
        and all(isinstance(row, Sequence) and len(row) <= WIDEST_MATRIX for row in rows)
    )


def _row(row: Sequence[object]) -> Markup:
    cells = Markup("").join(Markup("<mtd><mn>{}</mn></mtd>").format(show(cell)) for cell in row)
    return Markup("<mtr>{}</mtr>").format(cells)
