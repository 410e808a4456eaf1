r"""Words that are no letter of their own: \mathbf{AB} is A times B, and tr(A) in italics is the trace.

Which it is, is told by the letters that are declared; where both could be meant, neither is read."""

from collections.abc import Callable

from verifier.expr.errors import ExprError
from verifier.expr.tex.notation import WORDS
from verifier.expr.tex.tokens import Token, group_end

_BOLD = frozenset({r"\mathbf", r"\boldsymbol", r"\bm"})
_LONGEST = max(map(len, WORDS))


def spelled_out(tokens: list[Token], is_known: Callable[[str], bool]) -> list[Token]:
    """The tokens with such words taken apart or marked; raises ExprError where that is not clear."""
    made: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.text in _BOLD and at + 1 < len(tokens) and tokens[at + 1].text == "{":
            end = group_end(tokens, at + 1)
            made += _in_bold(token, tokens[at + 1 : end + 1], is_known)
            at = end + 1
        elif token.is_letter and (length := _word(tokens, at)):
            word = "".join(part.text for part in tokens[at : at + length])
            if all(map(is_known, word)):
                hint = rf"print \operatorname{{{word}}}, or \cdot"
                raise ExprError("latex", f"{word} in italics: a function or a product?", token.span, hint)
            mark = [Token(text, token.span) for text in (r"\operatorname", "{")]
            made += [*mark, *tokens[at : at + length], Token("}", token.span)]
            at += length
        else:
            made.append(token)
            at += 1
    return made


def _in_bold(sign: Token, group: list[Token], is_known: Callable[[str], bool]) -> list[Token]:
    """Several capitals in bold are a product if each is a letter, and all of them together are none."""
    inner = group[1:-1]
    letters = [token.text for token in inner]
    if len(inner) < 2 or not all(token.is_letter and token.text.isupper() for token in inner):
        return [sign, *group]
    if is_known("".join(letters)) or not any(map(is_known, letters)):
        return [sign, *group]
    if not all(map(is_known, letters)):
        word = "".join(letters)
        hint = rf"print {sign.text}{{{letters[0]}}} {sign.text}{{{letters[1]}}}, or declare {word}"
        raise ExprError("latex", f"{sign.text}{{{word}}}: a product or a letter?", sign.span, hint)
    return [part for token in inner for part in (sign, token)]


def _word(tokens: list[Token], at: int) -> int:
    """How many letters make up the name of a function that stands before a bracket; 0 if they do not."""
    if at and tokens[at - 1].is_letter and tokens[at - 1].span.end == tokens[at].span.start:
        return 0
    end = at + 1
    while end < len(tokens) and tokens[end].is_letter and tokens[end].span.start == tokens[end - 1].span.end:
        end += 1
        if end - at > _LONGEST:
            return 0
    word = "".join(token.text for token in tokens[at:end])
    follows = end < len(tokens) and tokens[end].text in ("(", "[")
    return end - at if end - at > 1 and follows and word in WORDS else 0
