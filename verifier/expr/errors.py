"""What is wrong with a piece of text, where, and what to write instead."""

from typing import NamedTuple


class Span(NamedTuple):
    """Half-open range of character offsets in one expression's text."""

    start: int
    end: int


class ExprError(Exception):
    """A wrong expression.

    Carries a stable code, a message, the span it speaks of and, where there is one, a remedy.
    The claim loader turns the span into file, line and column.
    """

    def __init__(self, code: str, message: str, span: Span, hint: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.span = span
        self.hint = hint


class ShapeError(Exception):
    """Two shapes that do not fit; raised by nodes, positioned by the elaborator."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint
