r"""LaTeX to tokens: spacing and sizing dropped, braces around a single token dropped, sides of fences kept.

`\left\| x \right\|_{F}` is `‖` (opening), `x`, `‖` (closing), `_`, `F`.
"""

import re
from dataclasses import dataclass, replace
from typing import Literal

from verifier.expr.errors import ExprError, Span

MAX_LENGTH = 4_000
Side = Literal["open", "close"]


@dataclass(frozen=True, slots=True)
class Token:
    """A command with its backslash, a letter with its primes, a digit, a sign; bars may know their side."""

    text: str
    span: Span
    side: Side | None = None

    @property
    def is_letter(self) -> bool:
        letter = self.text.rstrip("'")
        return len(letter) == 1 and letter.isalpha() and letter.isascii()

    @property
    def is_digit(self) -> bool:
        return len(self.text) == 1 and self.text.isdigit() and self.text.isascii()


END = "end of formula"
_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|[^\s]", re.DOTALL)
# An empty group that spaces an operator: \\mathop{{}\\mathbb{E}}.
_EMPTY = re.compile(r"(?<=\{)\{\}(?=\\[A-Za-z])")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_LABEL = re.compile(r"\\(?:label|tag)\s*\{[^{}]*\}")

# How many arguments follow a sign; what is no argument stands for itself.
_ARITY = {
    "^": 1, "_": 1, r"\frac": 2, r"\binom": 2, r"\overset": 2, r"\underset": 2, r"\stackrel": 2,
    **dict.fromkeys(
        (r"\sqrt", r"\overline", r"\underline", r"\widehat", r"\widetilde", r"\check", r"\mathrm", r"\mathit",
         r"\mathsf", r"\mathfrak", r"\mathscr", r"\mathbb", r"\operatorname", r"\text", r"\textrm",
         r"\textbf",
         r"\underbrace", r"\overbrace", r"\norm", r"\abs", r"\begin", r"\end", r"\bar", r"\hat", r"\tilde",
         r"\vec", r"\dot", r"\mathbf", r"\boldsymbol", r"\mathcal"), 1),
}  # fmt: skip

# What is seen and not read: spacing, alignment, style.
LAYOUT = frozenset(
    {r"\,", r"\;", r"\:", r"\!", r"\ ", "\\\n", "~", r"\quad", r"\qquad", r"\thinspace", "&",
     r"\displaystyle", r"\textstyle", r"\limits", r"\nolimits", r"\nonumber", r"\notag", r"\mathstrut"}
)  # fmt: skip
_OPENS = frozenset({r"\left", r"\bigl", r"\Bigl", r"\biggl", r"\Biggl"})
_CLOSES = frozenset({r"\right", r"\bigr", r"\Bigr", r"\biggr", r"\Biggr"})
_SIZES = frozenset({r"\big", r"\Big", r"\bigg", r"\Bigg"})
_BETWEEN = frozenset({r"\middle", r"\bigm", r"\Bigm", r"\biggm", r"\Biggm"})
_BRACKETS = {"(": ")", "[": "]", r"\{": r"\}"}
_ACCENTS = frozenset({r"\bar", r"\hat", r"\tilde", r"\vec", r"\dot", r"\mathbf", r"\boldsymbol", r"\mathcal"})
BARS = {r"\|": "‖", r"\Vert": "‖", "‖": "‖", "|": "|", r"\vert": "|"}
_SIDED: dict[str, tuple[str, Side]] = {
    r"\lVert": ("‖", "open"), r"\rVert": ("‖", "close"), r"\lvert": ("|", "open"), r"\rvert": ("|", "close"),
}  # fmt: skip
_SAME = {
    r"\lbrace": r"\{", r"\rbrace": r"\}", r"\lbrack": "[", r"\rbrack": "]", r"\leq": r"\le", r"\geq": r"\ge",
    r"\leqslant": r"\le", r"\geqslant": r"\ge", r"\lt": "<", r"\gt": ">", r"\rightarrow": r"\to",
    r"\dfrac": r"\frac", r"\tfrac": r"\frac", r"\intercal": r"\top", r"\bm": r"\boldsymbol", r"\neq": r"\ne",
    r"\mathop": r"\operatorname", r"\operatorname*": r"\operatorname", "−": "-",
}  # fmt: skip


def tokenize(text: str) -> list[Token]:
    """All tokens of a formula."""
    if len(text) > MAX_LENGTH:
        raise ExprError("latex", f"a formula of more than {MAX_LENGTH:,} characters", Span(0, 1))
    # Comments and labels become blanks, so that places stay what they are.
    for gone in (_COMMENT, _LABEL, _EMPTY):
        text = gone.sub(lambda match: " " * len(match[0]), text)
    found = [Token(match[0], Span(*match.span())) for match in _TOKEN.finditer(text)]
    found = _primed([token for token in found if token.text not in LAYOUT])
    return _conditioned(_ordered(_split_transposes(_loosened(_unbraced(_trimmed(_sided(found)))))))


def _ordered(tokens: list[Token]) -> list[Token]:
    r"""x^2_i is x_i^2, and W^\top_Q is W_Q^\top; other superscripts may be part of a name."""
    made: list[Token] = []
    at = 0
    while at < len(tokens):
        first, script, second = ([token.text for token in tokens[at : at + 3]] + [""] * 3)[:3]
        moves = script in (r"\top", "T") or script.isdigit()
        if first == "^" and second == "_" and moves and at + 3 < len(tokens):
            after = group_end(tokens, at + 3) + 1 if tokens[at + 3].text == "{" else at + 4
            made += [*tokens[at + 2 : after], *tokens[at : at + 2]]
            at = after
            continue
        made.append(tokens[at])
        at += 1
    return made


def _primed(tokens: list[Token]) -> list[Token]:
    r"""A letter and its primes are one token; of \bar x' the prime is the whole's."""
    made: list[Token] = []
    for token in tokens:
        last = made[-1] if made else None
        alone = len(made) < 2 or made[-2].text not in _ACCENTS
        if token.text == "'" and last is not None and last.is_letter and alone:
            made[-1] = Token(f"{last.text}'", Span(last.span.start, token.span.end))
        else:
            made.append(token)
    return made


def _conditioned(tokens: list[Token]) -> list[Token]:
    """One bar alone between two brackets has no partner: it says `given`."""
    made = list(tokens)
    bars: list[list[int]] = [[]]
    for at, token in enumerate(tokens):
        if token.text in _BRACKETS:
            bars.append([])
        elif token.text == "|" and token.side is None:
            bars[-1].append(at)
        elif token.text in _BRACKETS.values() and len(bars) > 1:
            alone = bars.pop()
            if len(alone) == 1:
                made[alone[0]] = replace(tokens[alone[0]], text=r"\mid")
    return made


def _sided(tokens: list[Token]) -> list[Token]:
    """Sizing commands go; a bar after an opening or a closing one knows its side."""
    made: list[Token] = []
    side: Side | None = None
    between = False
    for token in tokens:
        if token.text in _BETWEEN:
            between = True
            continue
        if between and token.text in ("|", r"\vert", r"\mid"):
            made.append(replace(token, text=r"\mid"))
            between = False
            continue
        between = False
        if token.text in _OPENS or token.text in _CLOSES:
            side = "open" if token.text in _OPENS else "close"
            continue
        if token.text in _SIZES:
            continue
        text = _SAME.get(token.text, token.text)
        if text == "." and side is not None:
            raise ExprError("latex", "a fence with one side missing", token.span, "write both sides")
        if text in _SIDED:
            bar, known = _SIDED[text]
            made.append(Token(bar, token.span, known))
        elif text in BARS:
            made.append(Token(BARS[text], token.span, side))
        else:
            made.append(replace(token, text=text))
        side = None
    return made


def _trimmed(tokens: list[Token]) -> list[Token]:
    """A sentence's full stop or comma at the end is not part of its formula."""
    while tokens and tokens[-1].text in (".", ",", ";", r"\\"):
        tokens = tokens[:-1]
    return tokens


def _unbraced(tokens: list[Token]) -> list[Token]:
    """{x} prints as x."""
    at = 0
    made = list(tokens)
    while at + 2 < len(made):
        first, inner, last = made[at : at + 3]
        if first.text == "{" and last.text == "}" and inner.text not in "{}^_":
            made[at : at + 3] = [inner]
            at = max(at - 1, 0)
        else:
            at += 1
    return made


def _loosened(tokens: list[Token]) -> list[Token]:
    r"""{\mathbf x} prints as \mathbf x, where it is no argument of something before it."""
    made: list[Token] = []
    at = owed = 0
    while at < len(tokens):
        token = tokens[at]
        if token.text == "{":
            end = group_end(tokens, at)
            inner = tokens[at + 1 : end]
            marked = len(inner) == 2 and inner[0].text in _ACCENTS and inner[1].text not in _ARITY
            made += inner if marked and not owed else [token, *_loosened(inner), tokens[end]]
            at = end + 1
        else:
            made.append(token)
            at += 1
        owed = max(owed - 1, 0) + _ARITY.get(token.text, 0)
    return made


def _split_transposes(tokens: list[Token]) -> list[Token]:
    r"""W^{K\top} is the transpose of W^{K}."""
    made: list[Token] = []
    at = 0
    while at < len(tokens):
        if tokens[at].text == "^" and at + 1 < len(tokens) and tokens[at + 1].text == "{":
            end = group_end(tokens, at + 1)
            inner = tokens[at + 2 : end]
            if len(inner) > 1 and inner[-1].text == r"\top":
                marks = 2 if len(inner) > 2 and inner[-2].text == "^" else 1  # W^{K^\top} is W^{K\top}
                kept = inner[:-marks]
                braced = kept if len(kept) == 1 else [tokens[at + 1], *kept, tokens[end]]
                made += [tokens[at], *braced, tokens[at], inner[-1]]
                at = end + 1
                continue
        made.append(tokens[at])
        at += 1
    return made


def group_end(tokens: list[Token], at: int) -> int:
    """The place of the brace that closes the one at `at`."""
    depth = 0
    for place in range(at, len(tokens)):
        depth += {"{": 1, "}": -1}.get(tokens[place].text, 0)
        if depth == 0:
            return place
    raise ExprError("latex", "this brace is not closed", tokens[at].span)
