r"""A formula to the typed tree, if it can be meant in one way only."""

from collections.abc import Mapping
from dataclasses import dataclass

from verifier.expr import nodes as N
from verifier.expr import syntax as S
from verifier.expr.dims import ONE, Shape
from verifier.expr.errors import ExprError, Span
from verifier.expr.scope import Scope
from verifier.expr.symbols import FixedKind, IndexOf
from verifier.expr.tex.letters import Letters, letters
from verifier.expr.tex.marks import without_marks
from verifier.expr.tex.notation import RELATIONS
from verifier.expr.tex.pairing import bound_height, read_paired
from verifier.expr.tex.reader import Reader
from verifier.expr.tex.spelled import spelled_out
from verifier.expr.tex.tails import Tail, divided
from verifier.expr.tex.tokens import Token, tokenize
from verifier.expr.tex.typed import TexElaborator


@dataclass(frozen=True)
class Continued:
    """A line that begins with a relation, as in an aligned display: its left side stands above it."""

    op: str
    right: N.Node


@dataclass(frozen=True)
class Chain:
    """Relations one after another: the right side of each is the left side of the next."""

    facts: tuple[N.Relation | N.Within, ...]


Formula = N.Node | N.Fact | tuple[N.Node, N.Node] | Continued | Chain


def read_formula(text: str, scope: Scope, names: Mapping[str, str]) -> Formula:
    """An expression, a relation, a chain of them, a relation without its left side, or the two ends of an
    interval; raises ExprError for what cannot be read."""
    table = letters(names, scope)
    known = {*names.values(), *scope.symbols, *scope.lets, *scope.values, *scope.layered}
    tokens = spelled_out(without_marks(tokenize(text)), lambda word: not known.isdisjoint((word, f"{word}_")))
    if not tokens:
        raise ExprError("latex", "there is no formula", Span(0, 1))
    parts = divided(tokens, text)
    if len(parts.formulas) != 1:
        place = (parts.formulas[1] if parts.formulas else parts.tails[0].tokens)[0].span
        raise ExprError("latex", "more than one formula stands here", place, "give each a line of its own")
    for tail in parts.tails:
        _check_tail(tail, table)
    tokens = list(parts.formulas[0])
    if tokens[0].text in RELATIONS:
        right = _read(tokens[1:], table)
        if not isinstance(right, N.Node):
            raise ExprError("latex", "a chain of relations", tokens[0].span)
        return Continued(RELATIONS[tokens[0].text], right)
    return _read(tokens, table)


def _same(found: Formula) -> object:
    return found


def _read(tokens: list[Token], table: Letters) -> Formula:
    def read(paired: list[Token]) -> Formula:
        return _typed(Reader(paired, table).statements(), table)

    return read_paired(tokens, read, _same)


def _typed(trees: tuple[S.Syntax, ...], table: Letters) -> Formula:
    for tree in trees:
        bound_height(tree)
    elaborator = TexElaborator(table.scope, table.bars_are_frobenius)
    match trees:
        case (S.Compare() as tree,):
            return elaborator.relation(tree)
        case (S.Listing(_, (low, high)),):
            return elaborator.expression(low), elaborator.expression(high)
        case (S.Compare(left=low, op=first), S.Compare(left=middle, op=second, right=high)) if (
            first == second and first in ("<=", ">=")
        ):
            low, high = (low, high) if first == "<=" else (high, low)
            ends = S.Listing(Span(low.span.start, high.span.end), (low, high))
            return elaborator.relation(S.Compare(ends.span, "in", middle, ends))
        case (tree,):
            return elaborator.expression(tree)
    return Chain(tuple(elaborator.relation(tree) for tree in trees))


def _check_tail(tail: Tail, table: Letters) -> None:
    """A claim is for every value of its fixed symbols: a tail that says no more than that says nothing."""
    place = tail.tokens[0].span if tail.tokens else Span(0, 1)
    if tail.word != "for all" or not tail.tokens:
        hint = "state it in the claim, as an assumption or with `as`, and leave it out of the formula"
        raise ExprError("latex", f"what follows `{tail.word}` is not compared", place, hint)
    texts = [token.text for token in tail.tokens]
    at = texts.index(r"\in") if r"\in" in texts else len(texts)
    head = list(tail.tokens[:at])
    for tree in Reader(head, table).listed(head):
        declared = table.scope.symbols.get(tree.name) if isinstance(tree, S.Name) else None
        if declared is None or not isinstance(declared.kind, FixedKind):
            raise ExprError("latex", "`for all` of what is not a fixed symbol", tree.span)
        if at < len(texts) and not _is_whole(list(tail.tokens[at + 1 :]), declared.shape, table):
            hint = "write the set that it is declared in, or leave it out"
            raise ExprError("latex", "the set is not the one of the declaration", tail.tokens[at].span, hint)
        if at == len(texts) and isinstance(declared.kind, IndexOf):
            continue


def _is_whole(tokens: list[Token], shape: Shape, table: Letters) -> bool:
    r"""Whether a set is \mathbb{R}^{n \times m} of this shape."""
    texts = [token.text for token in tokens]
    if texts[:2] != [r"\mathbb", "R"] or table.scope is None:
        return False
    if len(texts) == 2:
        return shape.is_scalar
    reader = Reader(tokens[2:], table)
    if not reader.meets("^"):
        return False
    reader.take()
    sizes: list[list[Token]] = [[]]
    for token in reader.script():
        if token.text == r"\times":
            sizes.append([])
        else:
            sizes[-1].append(token)
    elaborator = TexElaborator(table.scope, False)
    dims = [elaborator.dimension(reader.within(part)) for part in sizes]
    return Shape(dims[0], dims[1] if len(dims) == 2 else ONE) == shape and len(dims) <= 2
