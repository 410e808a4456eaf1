"""A tree as MathML Core, which browsers typeset by themselves: no script, no request."""

import re
from collections.abc import Callable
from functools import partial
from html import escape

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
from verifier.expr.typeset.writing import on_paper, starts_with_digit, under_sign
from verifier.expr.unseen import visible

NAMESPACE = "http://www.w3.org/1998/Math/MathML"
ACCENTS = {"bar": "¯", "hat": "^", "tilde": "~", "dot": "˙", "check": "ˇ"}
BIG = {"sum": "∑", "prod": "∏"}
INVISIBLE_TIMES = '<mo>\u2062</mo><mspace width="0.17em"/>'
APPLY_FUNCTION = "<mo>\u2061</mo>"
TAG = re.compile(r"<[^>]+>")
LONG = 40  # letters, beyond which a term is broken
NO_BREAK = "\N{NO-BREAK SPACE}"


def to_mathml(item: Printable, *, display: bool = False) -> str:
    """A `math` element, inline or as a display of its own."""
    style = ' display="block"' if display else ""
    return f'<math xmlns="{NAMESPACE}"{style}>{_write(lay_out_any(item))}</math>'


def to_mathml_pieces(item: Printable) -> list[str]:
    """The formula in `math` elements of its own for each side and each term, and for each factor of a long
    term: a page may break the line between them, which it never does inside one."""
    return [f'<math xmlns="{NAMESPACE}">{body}</math>' for body in _pieces(lay_out_any(item))]


def _pieces(box: Box) -> list[str]:
    if not isinstance(box, Line) or not any(_breaks(part) for part in box.items):
        return _finer(box)
    found = [""]
    for part in box.items:
        if isinstance(part, Sign) and _breaks(part):
            found.append(f'<mo form="infix">{_text(part.text)}</mo>')
            continue
        first, *rest = _pieces(part) if part.level <= Level.NEGATIVE else _finer(part)
        found[-1] = _row(found[-1], first)
        found += rest
    return found


def _finer(box: Box) -> list[str]:
    """A long term, factor by factor, and what stands in its brackets term by term."""
    if _width(box) <= LONG:
        return [_write(box)]
    match box:
        case Times(factors):
            found = _finer(factors[0])
            for factor in factors[1:]:
                first, *rest = _finer(factor)
                found += [_row(_between(factor), first), *rest]
            return found
        case Fence("(", body, ")"):
            return _between_brackets(body, str) or [_write(box)]
        case Script(Fence("(", body, ")"), None, above):
            raised = partial(_attached, "sub", "sup", below=None, above=above)
            return _between_brackets(body, raised) or [_write(box)]
        case Root(body):  # a sign over several lines there is not: the same, as a power
            return _finer(Script(Fence("(", body, ")"), None, Fraction(Digits("1"), Digits("2"))))
        case Big(_, _, _, _, body):
            first, *rest = _finer(body)
            return [_row(_big(box), first), *rest]
        case Fraction(numerator, denominator, True) if _width(denominator) <= LONG < _width(numerator):
            # What is over a bar cannot be broken: the same, as 1 / denominator times the numerator.
            return _finer(Times((Fraction(Digits("1"), denominator), Fence("(", numerator, ")"))))
    return [_write(box)]


def _between_brackets(body: Box, end: Callable[[str], str]) -> list[str]:
    """The body term by term, in brackets; nothing where it is in one piece. `end` writes the last term with
    its bracket, which grows with it alone."""
    first, *rest = _pieces(body)
    if not rest:
        return []
    return [_row(_fence("(", "prefix"), first), *rest[:-1], end(_row(rest[-1], _fence(")", "postfix")))]


def _width(box: Box) -> int:
    """About how many letters wide it is; of what stands one above the other, both count."""
    return len(TAG.sub("", _write(box)))


def _breaks(part: Box) -> bool:
    return isinstance(part, Sign) and part.infix


def _write(box: Box) -> str:
    match box:
        case Letter(text, upright):
            return _letter(text, upright)
        case Digits(text):
            return f"<mn>{_text(text)}</mn>"
        case Sign(text):
            return _sign(text)
        case Words(text):
            # Browsers drop blanks at the ends of a text.
            return f"<mtext>{_text(text).replace(' ', NO_BREAK)}</mtext>"
        case Line(items):
            return _row(*(_write(item) for item in items))
        case Times(factors):
            return _times(factors)
        case Fraction(numerator, denominator, bar):
            style = "" if bar else ' linethickness="0"'
            return f"<mfrac{style}>{_write(numerator)}{_write(denominator)}</mfrac>"
        case Fence(left, body, right):
            return _row(_fence(left, "prefix"), _write(body), _fence(right, "postfix"))
        case Call(head, body):
            return _row(_write(head), APPLY_FUNCTION, _write(body))
        case Root(body):
            return f"<msqrt>{_write(body)}</msqrt>"
        case Accented(body, accent):
            return f'<mover accent="true">{_write(body)}<mo>{ACCENTS[accent]}</mo></mover>'
        case Script(base, below, above):
            return _script(on_paper(base), below, above)
        case Indexed():
            return _write(on_paper(box))
        case Big(_, _, _, _, body):
            return _row(_big(box), _write(body))
    raise TypeError(f"no MathML for {type(box).__name__}")


def _letter(text: str, upright: bool) -> str:
    """A single letter is italic by itself; a word is upright by itself."""
    style = ' mathvariant="normal"' if upright and len(text) == 1 else ""
    return f"<mi{style}>{_text(text)}</mi>"


def _sign(text: str) -> str:
    match text:
        case "⊤" | "∞" | "∂":  # not operators: no space around them
            return f'<mi mathvariant="normal">{text}</mi>'
        case ":" | "!" | "!!" | "∘":
            return f'<mo lspace="0" rspace="0">{text}</mo>'
    return f"<mo>{_text(text)}</mo>"


def _fence(text: str, form: str) -> str:
    return f'<mo fence="true" form="{form}" stretchy="true" lspace="0" rspace="0">{_text(text)}</mo>'


def _times(factors: tuple[Box, ...]) -> str:
    parts = [_write(factors[0])]
    for factor in factors[1:]:
        parts += [_between(factor), _write(factor)]
    return _row(*parts)


def _between(factor: Box) -> str:
    """What stands before a factor."""
    return "<mo>⋅</mo>" if starts_with_digit(factor) else INVISIBLE_TIMES


def _script(base: Box, below: Box | None, above: Box | None) -> str:
    if isinstance(base, Script):  # an entry of a matrix: its indices are the subscript
        below, base = base.below, base.base
    return _attached("sub", "sup", _write(base), below, above)


def _big(box: Big) -> str:
    sign = BIG.get(box.sign)
    operator = f'<mo largeop="true" movablelimits="false">{sign}</mo>' if sign else f"<mo>{box.sign}</mo>"
    below = under_sign(box.under, box.such_that)
    return _attached("under", "over", operator, below, box.over)


def _attached(low: str, high: str, base: str, below: Box | None, above: Box | None) -> str:
    """msub, msup, msubsup, or their munder, mover, munderover siblings."""
    marks = [_write(mark) for mark in (below, above) if mark is not None]
    if not marks:
        return base
    name = "m" + (low if below is not None else "") + (high if above is not None else "")
    return f"<{name}>{base}{''.join(marks)}</{name}>"


def _row(*parts: str) -> str:
    return f"<mrow>{''.join(parts)}</mrow>"


def _text(text: str) -> str:
    return escape(visible(text))
