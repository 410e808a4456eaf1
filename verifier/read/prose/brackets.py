"""Tokens between brackets and separators."""

from collections.abc import Sequence

from verifier.expr.tex.tokens import Token

OPENING = {"(", "[", r"\{", "{", r"\langle"}
CLOSING = {")", "]", r"\}", "}", r"\rangle"}
_DOTS = {r"\dots", r"\ldots", r"\cdots", r"\dotsc", r"\dotsb"}


def split(tokens: Sequence[Token], *separators: str) -> list[list[Token]]:
    """The tokens between separators that stand in no bracket."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.text in OPENING) - (token.text in CLOSING)
        if depth == 0 and token.text in separators:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def closing(tokens: Sequence[Token]) -> int | None:
    """The place of the bracket that closes the one at the beginning."""
    depth = 0
    for at, token in enumerate(tokens):
        depth += (token.text in OPENING) - (token.text in CLOSING)
        if depth == 0:
            return at
    return None


def is_dots(tokens: Sequence[Token]) -> bool:
    return len(tokens) == 1 and tokens[0].text in _DOTS
