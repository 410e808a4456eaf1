"""Text to tokens. Anything that is not a token of the language is an error with a remedy."""

import re
from typing import Literal, NamedTuple, cast

from verifier.expr.errors import ExprError, Span

MAX_LENGTH = 20_000
MAX_DIGITS = 60
MAX_POWER_OF_TEN = 400

TokenKind = Literal["number", "name", "op", "end"]


class Token(NamedTuple):
    """A word of an expression, and where it stands."""

    kind: TokenKind
    text: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


_TOKEN = re.compile(
    r"\s*(?:"
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<op>->|\*\*|==|!=|<=|>=|[-+*/@<>()\[\],.=])"
    r")"
)

# What people type by habit, and what the language has instead.
_REMEDIES = {
    "^": "a power is written **",
    "≤": "write <=",
    "≥": "write >=",
    "≠": "write !=",
    "×": "write * (entrywise) or @ (matrix product)",
    "·": "write * (entrywise) or @ (matrix product)",
    "−": "write an ordinary minus sign -",
    "'": "a transpose is written .T",
    '"': "there are no strings in expressions",
    "{": "group with round brackets",
    "}": "group with round brackets",
    "|": "write abs(x) or norm(x)",
    "‖": "write norm(x)",
    "!": "write factorial(n)",
    "√": "write sqrt(x)",
    "∞": "write oo",
    "π": "write pi",
    "\\": "write the formula in this language; LaTeX goes under `latex:`",
}


def tokenize(text: str) -> list[Token]:
    """All tokens of the text, and an end token."""
    if len(text) > MAX_LENGTH:
        raise ExprError(
            "too-long",
            f"an expression of {len(text)} characters; at most {MAX_LENGTH} are read",
            Span(0, 1),
            "name its parts under `let`",
        )
    tokens: list[Token] = []
    at = 0
    for match in _TOKEN.finditer(text):
        if match.start() != at:
            break
        kind = cast(TokenKind, match.lastgroup)
        start, at = match.span(kind)
        tokens.append(Token(kind, match[kind], start, at))
        if kind == "number":
            _bound(tokens[-1])
    rest = text[at:]
    start = at + len(rest) - len(rest.lstrip())
    if start < len(text):
        char = text[start]
        raise ExprError(
            "bad-character",
            f"{char!r} is not part of the language",
            Span(start, start + 1),
            _REMEDIES.get(char),
        )
    tokens.append(Token("end", "", len(text.rstrip()), len(text.rstrip()) + 1))
    return tokens


def _bound(number: Token) -> None:
    """Beyond these a literal is a slip or an attack: 1e999999999 is an exact integer here."""
    mantissa, _, exponent = number.text.lower().partition("e")
    if len(mantissa) > MAX_DIGITS or len(exponent) > 4 or abs(int(exponent or 0)) > MAX_POWER_OF_TEN:
        raise ExprError("too-long", "this number has too many digits", number.span)
