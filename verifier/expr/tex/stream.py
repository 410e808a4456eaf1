"""A stream of tokens, as the grammar's rules see it."""

from verifier.expr import syntax as S
from verifier.expr.errors import ExprError, Span
from verifier.expr.tex.letters import Letters
from verifier.expr.tex.tokens import END, Token, group_end

MAX_DEPTH = 60


class Stream:
    """Where the reader stands, what comes next, and how it refuses."""

    is_open = False  # whether letters are names before anybody declares them

    def __init__(self, tokens: list[Token], letters: Letters, bound: frozenset[str] = frozenset()) -> None:
        end = tokens[-1].span.end if tokens else 0
        self.tokens = [*tokens, Token(END, Span(end, end + 1))]
        self.letters = letters
        self.bound = bound
        self.at = 0
        self.depth = 0
        self.differentials: list[Span] = []  # where an italic d was read as the sign of a derivative

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def after(self, places: int = 1) -> Token:
        return self.tokens[min(self.at + places, len(self.tokens) - 1)]

    def take(self) -> Token:
        token = self.next
        self.at = min(self.at + 1, len(self.tokens) - 1)
        return token

    def meets(self, *texts: str) -> bool:
        return self.next.text in texts

    def closes(self, bar: str) -> bool:
        return self.next.text == bar and self.next.side == "close"

    def demand(self, text: str, opened: Token) -> Token:
        if not self.meets(text):
            raise self.refusal(f"expected {text} to close {opened.text}, not {self.next.text}")
        return self.take()

    def refusal(self, message: str, hint: str | None = None, span: Span | None = None) -> ExprError:
        return ExprError("latex", message, span or self.next.span, hint)

    def from_here(self, start: Span) -> Span:
        """From a place to the last token that was taken."""
        return Span(start.start, max(self.tokens[self.at - 1].span.end, start.end))

    def argument(self) -> list[Token]:
        """What a command or a script applies to: one token, or what stands in braces."""
        if self.meets("{"):
            end = group_end(self.tokens, self.at)
            inner = self.tokens[self.at + 1 : end]
            self.at = end + 1
            return inner
        if self.meets(END, "}", "^", "_"):
            raise self.refusal("something is missing here")
        return [self.take()]

    def script(self) -> list[Token]:
        """The same after ^ or _, where a number of two digits is a slip: x^10 prints as x^1 0."""
        token, following = self.next, self.after()
        if token.is_digit and following.is_digit and following.span.start == token.span.end:
            whole = token.text + following.text
            raise self.refusal(f"only {token.text} of {whole} belongs here", "use braces: x^{10}", token.span)
        return self.argument()

    def split(self, tokens: list[Token]) -> list[list[Token]]:
        """What stands between commas."""
        parts: list[list[Token]] = [[]]
        for token in tokens:
            if token.text == ",":
                parts.append([])
            else:
                parts[-1].append(token)
        return parts

    def bind(self, name: str) -> frozenset[str]:
        """What is bound inside, for a sum over this index."""
        before = self.bound
        self.bound = before | {name}
        return before


def shown(tokens: list[Token]) -> str:
    """Tokens as LaTeX again, for messages."""
    text = ""
    for token in tokens:
        glued = text[-1:].isalpha() and token.text[:1].isalpha() and "\\" in text
        text += f" {token.text}" if glued else token.text
    return text


def joined(left: S.Syntax, right: S.Syntax) -> Span:
    return Span(left.span.start, right.span.end)
