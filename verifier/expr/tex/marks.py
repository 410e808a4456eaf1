r"""Signs above and below others, read as what they stand on.

`\overset{(a)}{=}` is an equality with a note, `\underbrace{x}_{\text{noise}}` is x with a note, and
`\underset{i}{\max}` is `\max_{i}`. A note that changes the meaning (`\overset{d}{=}`: equal in law) is
refused.
"""

from verifier.expr.errors import ExprError, Span
from verifier.expr.tex.tokens import Token, group_end

_OVER = frozenset({r"\overset", r"\stackrel", r"\underset", r"\underoverset"})
_BRACES = {r"\underbrace": "_", r"\overbrace": "^"}
_OPERATORS = frozenset(
    {r"\max", r"\min", r"\sup", r"\inf", r"\lim", r"\sum", r"\prod", r"\argmin", r"\argmax"}
)
_EQUALS = frozenset({"=", r"\le", r"\ge", "<", ">", r"\sim", r"\approx", r"\to", ":="})
_WRAPPERS = frozenset({r"\text", r"\mathrm", r"\textrm", r"\mbox", "{", "}"})
_DEFINES = frozenset({"def", "Def", "def.", r"\Delta", r"\triangle", r"\vartriangle", "!", "?"})
# What a step rests on: a numbered statement, or somebody's inequality.
_NAMED = """
Ass Lem Thm Theorem Prop Cor Def. Eq Fact Claim Sec Step Jensen Markov Chebyshev Hölder Hoeffding Cauchy Young
Minkowski Isserlis Stein Fubini Tonelli Taylor induction linearity
"""
_REASONS = tuple(_NAMED.split())
MAX_MARKS = 200


def without_marks(tokens: list[Token]) -> list[Token]:
    """The tokens with their notes taken off."""
    made = list(tokens)
    at = count = 0
    while at < len(made):
        text = made[at].text
        if text in _OVER or text in _BRACES:
            count += 1
            if count > MAX_MARKS:
                raise ExprError("latex", "too many notes above or below signs", made[at].span)
            made = _taken_off(made, at) if text in _OVER else _unbraced(made, at)
        elif text in ":=" and at + 1 < len(made) and text + made[at + 1].text in (":=", "=:"):
            whole = text + made[at + 1].text
            made[at : at + 2] = [Token(whole, Span(made[at].span.start, made[at + 1].span.end))]
            at += 1
        else:
            at += 1
    return made


def _group(tokens: list[Token], at: int, sign: Token) -> tuple[list[Token], int]:
    """What stands in braces at a place, and the place after it."""
    if at >= len(tokens):
        raise ExprError("latex", f"{sign.text} stands on nothing", sign.span)
    if tokens[at].text != "{":
        return [tokens[at]], at + 1
    end = group_end(tokens, at)
    return tokens[at + 1 : end], end + 1


def _taken_off(tokens: list[Token], at: int) -> list[Token]:
    sign = tokens[at]
    note, after = _group(tokens, at + 1, sign)
    base, after = _group(tokens, after, sign)
    texts = [token.text for token in base]
    if sign.text == r"\underset" and texts and (texts[0] in _OPERATORS or texts[0] == r"\operatorname"):
        place = note[0].span if note else sign.span
        script = [Token("_", place), Token("{", place), *note, Token("}", place)]
        return [*tokens[:at], *base, *script, *tokens[after:]]
    if len(texts) != 1 or texts[0] not in _EQUALS:
        raise ExprError("latex", f"{sign.text} around this is not read", sign.span, "leave the note out")
    if not _is_note(note):
        shown = "".join(token.text for token in note)
        hint = "leave it out, or print it in brackets: (a)"
        raise ExprError("latex", f"the note {shown} may change what {texts[0]} means", sign.span, hint)
    return [*tokens[:at], *base, *tokens[after:]]


def _is_note(note: list[Token]) -> bool:
    """A mark in brackets, or a sign that says `by definition`."""
    texts = [token.text for token in note if token.text not in _WRAPPERS]
    shown = "".join(texts)
    if shown in _DEFINES or shown.startswith(_REASONS):
        return True
    return len(texts) >= 3 and texts[0] == "(" and texts[-1] == ")"


def _unbraced(tokens: list[Token], at: int) -> list[Token]:
    sign = tokens[at]
    inner, after = _group(tokens, at + 1, sign)
    if after < len(tokens) and tokens[after].text == _BRACES[sign.text]:
        _, after = _group(tokens, after + 1, sign)
    if _is_sum(inner) and not _stands_alone(tokens, at, after):
        raise ExprError("latex", f"how far {sign.text} reaches is ambiguous", sign.span, "write brackets")
    return [*tokens[:at], *inner, *tokens[after:]]


def _is_sum(tokens: list[Token]) -> bool:
    depth = 0
    for token in tokens:
        depth += (token.text in ("{", "(", "[", r"\{")) - (token.text in ("}", ")", "]", r"\}"))
        if depth == 0 and token.text in ("+", "-"):
            return True
    return False


def _stands_alone(tokens: list[Token], at: int, after: int) -> bool:
    """Between signs that a sum may stand between."""
    before = tokens[at - 1].text if at else "="
    following = tokens[after].text if after < len(tokens) else "="
    ends = _EQUALS | {"+", ",", ".", ";"}
    return before in ends | {"(", "[", r"\{", "&"} and following in ends | {"-", ")", "]", r"\}", "&"}
