"""A tree as one line of terminal text: `𝔼[‖∂S/∂W_V‖_F²] = d_v·n·‖x̄‖²`.

A line has no fraction bars and no raised exponents, so parentheses stand where paper has none.
"""

from verifier.expr.typeset.boxes import (
    Accented,
    Big,
    Box,
    Call,
    Digits,
    Fence,
    Fraction,
    Indexed,
    Letter,
    Level,
    Line,
    Root,
    Script,
    Sign,
    Times,
    Words,
)
from verifier.expr.typeset.statements import Printable, lay_out_any
from verifier.expr.unseen import visible

ACCENTS = {"bar": "\u0304", "hat": "\u0302", "tilde": "\u0303", "dot": "\u0307", "check": "\u030c"}
BIG = {"sum": "Σ", "prod": "∏"}
RAISED = dict(zip("0123456789+−n⊤", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿᵀ", strict=True))


def to_unicode(item: Printable) -> str:
    """One line, for people."""
    return _write(lay_out_any(item))


def _write(box: Box) -> str:
    match box:
        case Letter(text) | Digits(text):
            return visible(text)
        case Sign(text, infix):
            return f" {text} " if infix else ", " if text == "," else text
        case Words(text):
            return visible(text)
        case Line(items):
            return "".join(_write(item) for item in items)
        case Times(factors, matrix):
            heads = [_within(factor, Level.PRODUCT) for factor in factors[:-1]]
            return (" " if matrix else "·").join([*heads, _within(factors[-1], Level.BIG)])
        case Fraction(numerator, denominator, True):
            return f"{_within(numerator, Level.PRODUCT)}/{_within(denominator, Level.POWER)}"
        case Fence(_, Fraction(top, bottom, False), _):
            return f"binomial({_write(top)}, {_write(bottom)})"
        case Fence(left, body, right):
            return f"{left}{_write(body)}{right}"
        case Call(head, body):
            return _write(head) + _write(body)
        case Root(body):
            return f"√{_within(body, Level.ATOM)}"
        case Accented(body, accent):
            return _write(body) + ACCENTS[accent]
        case Script(base, below, above):
            return _within(base, Level.ATOM) + _below(below) + _above(above)
        case Indexed(base, indices):
            return f"{_within(base, Level.POWER)}[{', '.join(_write(index) for index in indices)}]"
        case Big(_, _, _, _, body):
            return f"{_big(box)} {_write(body)}"
    raise TypeError(f"no text for {type(box).__name__}")


def _level(box: Box) -> Level:
    """How tightly a box holds together on one line: a fraction is as open to its right as a sum."""
    match box:
        case Fraction(_, _, True):
            return Level.BIG
        case Times(factors):
            return min(Level.PRODUCT, _level(factors[-1]))
    return box.level


def _within(box: Box, place: Level) -> str:
    text = _write(box)
    return text if _level(box) >= place else f"({text})"


def _below(box: Box | None) -> str:
    if box is None:
        return ""
    text = _write(box).replace(", ", ",")
    return f"_{text}" if text.isalnum() or text == "∞" else f"_{{{text}}}"


def _above(box: Box | None) -> str:
    if box is None:
        return ""
    text = _write(box)
    if all(character in RAISED for character in text):
        return "".join(RAISED[character] for character in text)
    return f"^{text}" if _level(box) == Level.ATOM else f"^({text})"


def _big(box: Big) -> str:
    sign = BIG.get(box.sign, box.sign)
    if box.under is None:
        return sign
    span = _write(box.under) + (f"..{_write(box.over)}" if box.over is not None else "")
    return f"{sign}_{{{', '.join([span, *map(_write, box.such_that)])}}}"
