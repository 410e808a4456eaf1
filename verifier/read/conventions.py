r"""Sentences of the running text that give notation another meaning than it has here.

`We write $\langle x, y \rangle = x^\top Q y$`, logarithms of base 2, a softmax over columns: claims with such
notation are not read, since nothing of it could be seen in them."""

from collections.abc import Iterator

from verifier.expr import syntax as S
from verifier.expr.errors import ExprError
from verifier.expr.tex.forms import PLAIN_NORM
from verifier.expr.tex.tokens import tokenize
from verifier.read.paper import Passage
from verifier.read.prose.read import understood
from verifier.read.prose.sentences import Sentence, Word, sentences
from verifier.read.prose.table import Said
from verifier.read.trees import nodes_of

_SAYING = frozenset(
    {"denote", "denotes", "denoted", "write", "is", "are", "be", "stands", "define", "defined", "means",
     "use", "let", "convention", "taken"}
)  # fmt: skip
_USUAL = frozenset({"euclidean", "usual", "standard", "l2", "ordinary", "bounded", "whose"})
_CALLS = {
    "inner products": frozenset({"inner"}),
    "bars without a mark": frozenset({PLAIN_NORM}),
    "logarithms": frozenset({"log"}),
    "the softmax": frozenset({"softmax"}),
    "means": frozenset({"E", "Var", "Cov"}),
}
ROWS = "vectors"


def conventions(passage: Passage) -> Iterator[tuple[str, int]]:
    """What a passage of the running text gives a meaning of its own, and the line."""
    for sentence in sentences(passage):
        kinds = set(_spoken_of(sentence))
        if kinds and not isinstance(understood(sentence, passage.kind), Said):
            yield from ((kind, sentence.line) for kind in sorted(kinds))


def _spoken_of(sentence: Sentence) -> Iterator[str]:
    words = {token.text for token in sentence.tokens if isinstance(token, Word)}
    marks: set[str] = set()
    has_plain_bars = False
    for formula in sentence.formulas:
        try:
            shown = [token.text for token in tokenize(formula.latex)]
        except ExprError:
            continue
        marks |= set(shown)
        ends = [at for at, mark in enumerate(shown) if mark == "‖"][1::2]
        has_plain_bars = has_plain_bars or any(shown[at + 1 : at + 2] != ["_"] for at in ends)
    if not words & _SAYING:
        return
    if r"\langle" in marks and ("=" in marks or "inner" in words):
        yield "inner products"
    if has_plain_bars and words & {"norm", "norms"} and not words & _USUAL:
        yield "bars without a mark"
    if "base" in words and (r"\log" in marks or words & {"log", "logarithm", "logarithms"}):
        yield "logarithms"
    if "softmax" in words and words & {"column", "columns", "columnwise"}:
        yield "the softmax"
    if words & {"empirical"} and {"E", r"\mathbb"} <= marks:
        yield "means"
    if {"row", "vectors"} <= words and words & {"all", "convention", "throughout"}:
        yield ROWS


def touched(tree: S.Syntax, vectors: set[str]) -> Iterator[str]:
    """The notation of these kinds that stands in a formula; `vectors` are the letters of columns."""
    for part in nodes_of(tree):
        if isinstance(part, S.Call):
            yield from (kind for kind, calls in _CALLS.items() if part.function in calls)
        elif isinstance(part, S.Name) and part.name in vectors:
            yield ROWS
