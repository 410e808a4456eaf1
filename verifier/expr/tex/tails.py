r"""What follows a formula on its line: `\forall x`, `\text{if } n \ge 2`, `i = 1, \dots, n`, a second one.

The words are told from functions in upright type by a table; a word that is not in it stays in the formula,
where the reader refuses it.
"""

import re
from dataclasses import dataclass

from verifier.expr.errors import ExprError
from verifier.expr.tex.notation import BRACKETS, FOREIGN, RELATIONS, WORDS
from verifier.expr.tex.tokens import Token, group_end

_TEXT = frozenset(
    {r"\text", r"\mbox", r"\textrm", r"\mathrm", r"\hbox", r"\textnormal", r"\textit", r"\operatorname"}
)
_SPOKEN = {
    "for all": "for all|for every|for any|for each|for",
    "if": "whenever|when|if|provided that|provided|such that|subject to",
    "where": "where|with",
    "as": "as",
    "and": "and|hence|thus|i.e.",
    "or": "or",
    "unless": "unless",
    "but": "but",
    "otherwise": "otherwise",
    "iff": "iff|if and only if",
    "then": "then|implies",
    "with probability": "with probability|w.p.|with high probability|w.h.p.",
    "almost surely": "almost surely|a.s.",
    "in probability": "in probability|in distribution|in law",
    "for some": "for some",
    "for large": "for large|for sufficiently large|for small|for almost all|for almost every|for most",
}
_WORDS = {said: word for word, every in _SPOKEN.items() for said in every.split("|")}
_REFUSED = {
    "or": "two statements joined by `or`",
    "unless": "a statement with an exception",
    "with probability": "a statement that holds with some probability",
    "iff": "an equivalence",
    "almost surely": "a statement that holds almost surely",
    "in probability": "a limit in probability",
    "for some": "a statement about something that exists",
    "for large": "a statement for values that are not named",
    "but": "two statements joined by `but`",
    "otherwise": "a statement by cases",
    "then": "an implication",
}
DOTS = frozenset({r"\dots", r"\ldots", r"\cdots", r"\dotsc"})
_EQUAL = frozenset({"=", ":=", "=:"})
_OPENING = frozenset({*BRACKETS, "{", r"\langle"})
_CLOSING = frozenset({*BRACKETS.values(), "}", r"\rangle"})
_WIDE = re.compile(r"\\q?quad(?![A-Za-z])")


@dataclass(frozen=True)
class Tail:
    """What is said of a formula after it: `for all`, `if`, `where` or `as`, and of what."""

    word: str
    tokens: tuple[Token, ...]


@dataclass(frozen=True)
class Divided:
    """A line's formulas, in order, and what is said of them."""

    formulas: tuple[tuple[Token, ...], ...]
    tails: tuple[Tail, ...]


def divided(tokens: list[Token], text: str) -> Divided:
    """Formulas and tails, told apart."""
    pieces = _pieces(tokens, text)
    formulas = [piece for word, piece in pieces if word in ("", "and") and piece]
    tails = [Tail(word, piece) for word, piece in pieces if word not in ("", "and")]
    return Divided(tuple(formulas), tuple(tails))


def _pieces(tokens: list[Token], text: str) -> list[tuple[str, tuple[Token, ...]]]:
    pieces: list[tuple[str, list[Token]]] = [("", [])]
    depth = at = 0
    while at < len(tokens):
        token = tokens[at]
        if depth == 0 and token.text in (*_TEXT, r"\forall", ",", "(", r"\implies", r"\iff"):
            word, after = _word(tokens, at, text, pieces[-1][0])
            if word is not None:
                if word in _REFUSED:
                    hint = "the claim language states what holds always: leave the formula to its prose"
                    raise ExprError("latex", f"{_REFUSED[word]} is not read", token.span, hint)
                pieces.append((word, []))
                at = after
                continue
        depth += _nesting(token)
        pieces[-1][1].append(token)
        at += 1
    return [(word, tuple(_trimmed(piece))) for word, piece in pieces]


def _word(tokens: list[Token], at: int, text: str, open_word: str) -> tuple[str | None, int]:
    """The word that begins a tail here, and the place after it."""
    token = tokens[at]
    if token.text == r"\forall":
        return "for all", at + 1
    if token.text in (r"\implies", r"\iff"):
        return ("then" if token.text == r"\implies" else "iff"), at + 1
    if token.text in _TEXT:
        return _spoken(tokens, at, text)
    if token.text == ",":
        following = tokens[min(at + 1, len(tokens) - 1)]
        blank = bool(_WIDE.search(text, token.span.end, max(following.span.start, token.span.end)))
        return _after_comma(tokens, at, open_word, blank)
    wide = at > 0 and bool(_WIDE.search(text, tokens[at - 1].span.end, token.span.start))
    closed = _closing(tokens, at)
    if wide and closed == len(tokens) - 1 and _states(list(tokens[at + 1 : closed])):
        del tokens[closed]
        return ("for all" if tokens[at + 1 : at + 2] and tokens[at + 1].text != r"\forall" else ""), at + 1
    return None, at


def _spoken(tokens: list[Token], at: int, text: str) -> tuple[str | None, int]:
    if at + 1 >= len(tokens):
        return None, at
    end = group_end(tokens, at + 1) if tokens[at + 1].text == "{" else at + 1
    inner = text[tokens[at + 1].span.start : tokens[end].span.end].strip("{}").lower()
    words = " ".join(re.sub(r"[~,:]|\\[ ,;]", " ", inner).split())
    if words in _WORDS:
        return _WORDS[words], end + 1
    known = [word for word in _WORDS if words.startswith(word + " ")]
    if known and tokens[at].text != r"\operatorname":
        longest = max(known, key=len)
        if _WORDS[longest] in _REFUSED:
            return _WORDS[longest], end + 1
        shown = tokens[at].span
        raise ExprError("latex", f"the words `{words}` are not read", shown, "write them in the text")
    return None, at


def _after_comma(tokens: list[Token], at: int, open_word: str, wide: bool) -> tuple[str | None, int]:
    r"""`, i = 1, \dots, n` and `, x \in S` are tails; `, c = d` is another formula. `1 \le i, j \le n` is a
    list inside one, so that a bound is another formula only after a wide blank."""
    rest = tokens[at + 1 :]
    if not rest or rest[0].text == r"\forall" or open_word in ("for all", "as"):
        return None, at
    if rest[0].text in _TEXT and not _is_function(rest):
        return None, at
    head = _until_comma(rest)
    texts = [token.text for token in rest]
    if any(text in DOTS for text in texts[:12]) and len(texts) > 2 and texts[1] in ("=", r"\in", r"\le"):
        return "for all", at + 1
    if r"\in" in [token.text for token in head]:
        return "for all", at + 1
    if (_states(head) or head[0].text in RELATIONS) and (wide or any(token.text in _EQUAL for token in head)):
        return "and", at + 1
    return None, at


def _is_function(tokens: list[Token]) -> bool:
    r"""\mathrm{Var}, \operatorname{tr}: a word that is no word of prose."""
    end = group_end(tokens, 1) if len(tokens) > 1 and tokens[1].text == "{" else 1
    return "".join(token.text for token in tokens[2:end] if not token.text.startswith("\\")) in WORDS


def _until_comma(tokens: list[Token]) -> list[Token]:
    depth = 0
    for place, token in enumerate(tokens):
        depth += _nesting(token)
        if depth == 0 and token.text == "," and place:
            return tokens[:place]
    return tokens


def _states(tokens: list[Token]) -> bool:
    """Whether a relation stands here outside all brackets."""
    depth = 0
    for token in tokens:
        depth += _nesting(token)
        if depth == 0 and (
            token.text in RELATIONS or token.text in FOREIGN or token.text in (r"\in", r"\forall")
        ):
            return True
    return False


def _closing(tokens: list[Token], at: int) -> int | None:
    depth = 0
    for place in range(at, len(tokens)):
        depth += (tokens[place].text == "(") - (tokens[place].text == ")")
        if depth == 0:
            return place
    return None


def _nesting(token: Token) -> int:
    return (token.text in _OPENING) - (token.text in _CLOSING)


def _trimmed(tokens: list[Token]) -> list[Token]:
    while tokens and tokens[-1].text in (",", ".", ";", ":"):
        tokens = tokens[:-1]
    while tokens and tokens[0].text in (",", ";"):
        tokens = tokens[1:]
    return tokens
