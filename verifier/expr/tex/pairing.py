r"""Bars look the same on both sides: every way of pairing them is tried, and all must mean the same."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from verifier.expr import syntax as S
from verifier.expr.errors import ExprError, Span
from verifier.expr.tex.notation import FOREIGN, RELATIONS, STOPS
from verifier.expr.tex.tokens import Side, Token

MAX_FREE = 10  # bars whose side their neighbours leave open
MAX_BARS = 60
_AFTER_CLOSING = STOPS - {"-"}
_JOINING = {"+", "-", "/", ",", "*", r"\cdot", r"\times", r"\otimes", r"\odot"}
_BEFORE_OPENING = frozenset({*_JOINING, "(", "[", r"\{", "{", *RELATIONS, *FOREIGN})
T = TypeVar("T")


def read_paired(tokens: list[Token], read: Callable[[list[Token]], T], meaning: Callable[[T], Any]) -> T:
    """What all readings that make sense agree on; raises ExprError.

    Two bars that touch are a double bar where that makes sense: ||x|| is a norm, and in ||x| - |y|| they are
    not one sign. Where both make sense, of a number, they are equal."""
    doubled = _doubled(tokens)
    if len(doubled) == len(tokens):
        return _agreed(tokens, read, meaning)
    try:
        return _agreed(doubled, read, meaning)
    except ExprError as refusal:
        try:
            return _agreed(tokens, read, meaning)
        except ExprError:
            raise refusal from None


def _doubled(tokens: list[Token]) -> list[Token]:
    made: list[Token] = []
    for token in tokens:
        last = made[-1] if made else None
        touch = last is not None and last.text == token.text == "|" and last.span.end == token.span.start
        if touch and last is not None and last.side is None and token.side is None:
            made[-1] = Token("‖", Span(last.span.start, token.span.end))
        else:
            made.append(token)
    return made


def _agreed(tokens: list[Token], read: Callable[[list[Token]], T], meaning: Callable[[T], Any]) -> T:
    found: list[T] = []
    trouble: list[ExprError] = []
    for paired in _pairings(tokens):
        try:
            found.append(read(paired))
        except ExprError as error:
            trouble.append(error)
    if not found and not trouble:
        place = tokens[0].span if tokens else Span(0, 1)
        raise ExprError("latex", "a bar is opened and not closed", place)
    if not found:
        raise trouble[0]
    if any(meaning(other) != meaning(found[0]) for other in found[1:]):
        bar = next(token for token in tokens if token.text in "‖|" and token.side is None)
        hint = r"write \left\| ... \right\|, or \lVert ... \rVert"
        raise ExprError("latex", "these bars can be paired in two ways", bar.span, hint)
    return found[0]


def bound_height(tree: S.Syntax) -> None:
    """A long product nests to the left; later stages recurse over it."""
    level = [tree]
    for _ in range(S.MAX_HEIGHT):
        level = [part for node in level for part in S.parts(node)]
        if not level:
            return
    raise ExprError("latex", f"more than {S.MAX_HEIGHT} operations nested in one formula", level[0].span)


def _pairings(tokens: list[Token]) -> Iterator[list[Token]]:
    """The formula once per way in which its bars can open and close, the plainest first."""
    places = [at for at, token in enumerate(tokens) if token.text in ("‖", "|") and token.side is None]
    forced = [_forced(tokens, at) for at in places]
    if forced.count(None) > MAX_FREE or len(places) > MAX_BARS:
        span = tokens[places[0]].span
        raise ExprError("latex", "too many bars", span, r"write \left\| ... \right\|")
    for sides in _sides([tokens[at].text for at in places], forced):
        made = list(tokens)
        for at, side in zip(places, sides, strict=True):
            made[at] = replace(made[at], side=side)
        yield made


def _forced(tokens: list[Token], at: int) -> Side | None:
    """The side of a bar that its neighbours leave no choice: nothing opens before what begins no factor, and
    nothing closes after what ends none."""
    before = tokens[at - 1].text if at else "="
    after = tokens[at + 1].text if at + 1 < len(tokens) else "="
    if after in _AFTER_CLOSING:
        return "close"
    if after == "-" and at and (tokens[at - 1].is_letter or before in (")", "]", "}")):
        return "close"  # ‖a‖ - c‖b‖ is a difference: nobody prints the norm of -c behind a factor
    return "open" if before in _BEFORE_OPENING else None


def _sides(bars: list[str], forced: list[Side | None], opened: str = "") -> Iterator[tuple[Side, ...]]:
    """Balanced ways to open and close, each kind of bar closing the last that is open."""
    if not bars:
        if not opened:
            yield ()
        return
    if len(opened) > len(bars):
        return
    if opened and opened[-1] == bars[0] and forced[0] != "open":
        yield from (("close", *rest) for rest in _sides(bars[1:], forced[1:], opened[:-1]))
    if forced[0] != "close":
        yield from (("open", *rest) for rest in _sides(bars[1:], forced[1:], opened + bars[0]))
