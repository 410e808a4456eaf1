r"""Numbers and sizes inside sentences: LaTeX to the text of the claim language, and square roots of
variances.

Everything here is a scalar, so that a product without a sign is `*` and a power `**`.
"""

from collections.abc import Sequence
from math import isqrt

from verifier.expr import syntax as S
from verifier.expr.errors import ExprError
from verifier.expr.tex.tokens import Token
from verifier.expr.tex.untyped import POWER, PRODUCT, SCALAR_PRODUCT, read_untyped
from verifier.read.prose.spelling import printed
from verifier.read.prose.values import Unsayable
from verifier.read.prose.wording import ATOM, Wording

_SIGNS = {PRODUCT: "*", SCALAR_PRODUCT: "*", POWER: "**"}


def tree_of(tokens: Sequence[Token]) -> S.Syntax:
    """The tree of an expression, before anything is declared; raises Unsayable where it cannot be read."""
    if not tokens:
        raise Unsayable("an expression is missing here")
    latex = printed(tokens)
    try:
        read = read_untyped(latex)
    except ExprError as error:
        raise Unsayable(f"{latex} cannot be read: {error.message}", error.hint or "") from None
    if len(read.statements) != 1 or read.over or read.continues or read.growing:
        raise Unsayable(f"{latex} is not one expression")
    tree = read.statements[0]
    if isinstance(tree, S.Compare | S.Listing):
        raise Unsayable(f"{latex} is not an expression")
    return tree


def scalar(tokens: Sequence[Token]) -> S.Syntax:
    """The tree of an expression made of numbers."""
    tree = tree_of(tokens)
    text(tree)
    return tree


def scalar_text(tokens: Sequence[Token]) -> str:
    """An expression made of numbers, in the claim language, within its bounds."""
    made = scalar(tokens)
    try:
        S.parse(text(made))
    except ExprError as error:
        raise Unsayable(error.message, error.hint or "") from None
    return text(made)


def text(tree: S.Syntax) -> str:
    """The tree as text, every value in it a number."""
    return Wording(None).text(tree)


# --- square roots ------------------------------------------------------------------------------------------


def root(tree: S.Syntax) -> str:
    r"""The square root of a variance: sigma of \sigma^2, 1/sqrt(n) of 1/n."""
    return _root(tree)[0]


def _root(tree: S.Syntax) -> tuple[str, int]:
    match tree:
        case S.Literal(_, literal) if literal.isdigit() and isqrt(int(literal)) ** 2 == int(literal):
            return str(isqrt(int(literal))), ATOM
        case S.Binary(_, mark, S.Name(_, name), S.Literal(_, "2")) if _SIGNS.get(mark, mark) == "**":
            return name, ATOM
        case S.Binary(_, mark, left, right) if _SIGNS.get(mark, mark) in ("*", "/"):
            op = _SIGNS.get(mark, mark)
            (first, level), (second, other) = _root(left), _root(right)
            first = first if level >= 2 else f"({first})"
            second = second if other > 2 else f"({second})"
            return f"{first}{op}{second}", 2
    return f"sqrt({text(tree)})", ATOM


def squared_names(tree: S.Syntax) -> tuple[str, ...]:
    r"""The letters whose squares are factors: sigma of \sigma^2 / n."""
    match tree:
        case S.Binary(_, mark, S.Name(_, name), S.Literal(_, "2")) if _SIGNS.get(mark, mark) == "**":
            return (name,)
        case S.Binary(_, mark, left, right) if _SIGNS.get(mark, mark) in ("*", "/"):
            return squared_names(left) + squared_names(right)
    return ()
