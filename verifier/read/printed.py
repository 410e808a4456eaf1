"""Expanded tokens as one text whose characters know where the author wrote them."""

from bisect import bisect_right
from dataclasses import dataclass

from verifier.claim.model import Position
from verifier.read.lexer import Lexeme


@dataclass(frozen=True)
class Printed:
    """A text, and the token that begins at each of `starts`."""

    text: str
    starts: tuple[int, ...]
    lexemes: tuple[Lexeme, ...]

    def position(self, at: int) -> Position:
        """The place of a character; of one that a macro made, the place of its call."""
        place = max(bisect_right(self.starts, at) - 1, 0)
        token = self.lexemes[place]
        inside = at - self.starts[place] if token.depth == 0 and len(token.text) > 1 else 0
        return token.source.position(token.at + inside)


def printed(lexemes: list[Lexeme]) -> Printed:
    """The tokens side by side, with a blank where a command would run into a letter."""
    parts: list[str] = []
    starts: list[int] = []
    at = 0
    before = ""
    for token in lexemes:
        if before[:1] == "\\" and before[-1:].isalpha() and token.text[0].isalpha():
            parts.append(" ")
            at += 1
        starts.append(at)
        parts.append(token.text)
        at += len(token.text)
        before = token.text
    return Printed("".join(parts), tuple(starts), tuple(lexemes))
