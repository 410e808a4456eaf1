r"""A formula to the typed tree, if it can be meant in one way only.

A bar looks the same on both sides. Every way of pairing the bars is tried; the formula is read if all
those that make sense mean the same.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from verifier.expr import nodes as N
from verifier.expr import syntax as S
from verifier.expr.errors import ExprError, Span
from verifier.expr.scope import Scope
from verifier.expr.tex.letters import Letters, letters
from verifier.expr.tex.notation import RELATIONS
from verifier.expr.tex.reader import Reader
from verifier.expr.tex.tokens import Side, Token, tokenize
from verifier.expr.tex.typed import TexElaborator

MAX_BARS = 10


@dataclass(frozen=True)
class Continued:
    """A line that begins with a relation, as in an aligned display: its left side stands above it."""

    op: str
    right: N.Node


Formula = N.Node | N.Fact | tuple[N.Node, N.Node] | Continued


def read_formula(text: str, scope: Scope, names: Mapping[str, str]) -> Formula:
    """An expression, a relation, a relation without its left side, or the two ends of an interval; raises
    ExprError for what cannot be read."""
    table = letters(names, scope)
    tokens = tokenize(text)
    if not tokens:
        raise ExprError("latex", "there is no formula", Span(0, 1))
    if tokens[0].text in RELATIONS:
        right = _read(tokens[1:], table)
        if not isinstance(right, N.Node):
            raise ExprError("latex", "a chain of relations", tokens[0].span)
        return Continued(RELATIONS[tokens[0].text], right)
    return _read(tokens, table)


def _read(tokens: list[Token], table: Letters) -> Formula:
    found: list[Formula] = []
    trouble: list[ExprError] = []
    for paired in _pairings(tokens):
        try:
            found.append(_typed(Reader(paired, table).formula(), table))
        except ExprError as error:
            trouble.append(error)
    if not found and not trouble:
        place = tokens[0].span if tokens else Span(0, 1)
        raise ExprError("latex", "a bar is opened and not closed", place)
    if not found:
        raise trouble[0]
    if any(other != found[0] for other in found[1:]):
        bar = next(token for token in tokens if token.text in "‖|" and token.side is None)
        hint = r"write \left\| ... \right\|, or \lVert ... \rVert"
        raise ExprError("latex", "these bars can be paired in two ways", bar.span, hint)
    return found[0]


def _typed(tree: S.Syntax, table: Letters) -> Formula:
    _bound_height(tree)
    elaborator = TexElaborator(table.scope, table.bars_are_frobenius)
    match tree:
        case S.Compare():
            return elaborator.relation(tree)
        case S.Listing(_, (low, high)):
            return elaborator.expression(low), elaborator.expression(high)
    return elaborator.expression(tree)


def _bound_height(tree: S.Syntax) -> None:
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
    if len(places) > MAX_BARS:
        span = tokens[places[0]].span
        raise ExprError("latex", "too many bars", span, r"write \left\| ... \right\|")
    for sides in _sides([tokens[at].text for at in places]):
        made = list(tokens)
        for at, side in zip(places, sides, strict=True):
            made[at] = replace(made[at], side=side)
        yield made


def _sides(bars: list[str], opened: str = "") -> Iterator[tuple[Side, ...]]:
    """Balanced ways to open and close, each kind of bar closing the last that is open."""
    if not bars:
        if not opened:
            yield ()
        return
    if len(opened) > len(bars):
        return
    if opened and opened[-1] == bars[0]:
        yield from (("close", *rest) for rest in _sides(bars[1:], opened[:-1]))
    yield from (("open", *rest) for rest in _sides(bars[1:], opened + bars[0]))
