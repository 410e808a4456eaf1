"""Sentences with expressions of the language in them: what can be read as one is typeset."""

import re
from collections.abc import Iterator
from functools import cache

from markupsafe import Markup

from verifier.claim.model import Claim
from verifier.expr.calls import CALLS
from verifier.expr.dims import Dim, Shape
from verifier.expr.elaborate import elaborate, elaborate_fact
from verifier.expr.errors import ExprError, ShapeError
from verifier.expr.functions import USAGE
from verifier.expr.nodes import Fact, Node, Relation
from verifier.expr.scope import Scope
from verifier.expr.symbols import Declared, FixedMatrix
from verifier.expr.syntax import parse
from verifier.expr.typeset.names import GREEK
from verifier.expr.unicode import to_unicode
from verifier.report import markup
from verifier.report.prose import prose

LONGEST = 400  # letters of an expression inside a sentence
MOST_WORDS = 24
CALLED = re.compile(r"\w[(\[]|[*/@+^<>]|==| - |-\w|\.T\b|\w = ")
IDENTIFIER = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
ENTRY_OF = re.compile(r"\b([A-Za-z_]\w*)\[")
PAUSES = ",;:"
SIGNS = {" = ": " == ", "≤": "<=", "≥": ">=", "≠": "!="}
HUGE = Dim.of(10**6)


def spelled(claim: Claim, text: str) -> Markup:
    """The sentence with its expressions typeset, each as long as it can be read."""
    parts = _pieces(claim, text)
    shown = (prose(part, claim.symbols) if isinstance(part, str) else markup.formula(part) for part in parts)
    return Markup("").join(shown)


def in_unicode(claim: Claim, text: str) -> str:
    """The same in letters, for one line of a terminal."""
    parts = _pieces(claim, text)
    return "".join(part if isinstance(part, str) else to_unicode(part) for part in parts)


def _pieces(claim: Claim, text: str) -> Iterator[str | Node | Relation]:
    """Words, and between them expressions."""
    words, waiting, at = list(_words(text)), "", 0
    while at < len(words):
        found = _longest(claim, words, at)
        if found is None:
            waiting += words[at]
            at += 1
            continue
        tree, after, count = found
        before = words[at][: len(words[at]) - len(words[at].lstrip())]
        yield f"{waiting}{before}"
        yield tree
        waiting, at = after, at + count
    yield waiting


def read_loosely(claim: Claim, text: str) -> Node | Fact | None:
    """The tree of what an engine writes about a claim: where the claim's own shapes do not allow it, or it
    speaks of letters of its own, names are numbers, and those with indices matrices."""
    for sign, typed in SIGNS.items():
        text = text.replace(sign, typed)
    if len(text) > LONGEST or not _known(claim, text):
        return None
    known = markup.read(claim, text)
    return _among_numbers(text) if known is None else known


def _words(text: str) -> Iterator[str]:
    """Words with the spaces before them; what stands in brackets is not divided."""
    depth, word = 0, ""
    for letter in text:
        depth = max(depth + {"(": 1, "[": 1, ")": -1, "]": -1}.get(letter, 0), 0)
        if letter == " " and depth == 0 and word.strip():
            yield word
            word = ""
        word += letter
    if word:
        yield word


def _longest(claim: Claim, words: list[str], at: int) -> tuple[Node | Relation, str, int] | None:
    """The longest expression that begins at a word, what stands behind it, and how many words it takes."""
    last = at
    while last + 1 < len(words) and last + 1 - at < MOST_WORDS and words[last][-1] not in PAUSES:
        last += 1
    for end in range(last + 1, at, -1):
        text = "".join(words[at:end]).strip()
        body = text.rstrip(f"{PAUSES}.")
        if not CALLED.search(body):
            return None  # nor is there one in a part of it
        tree = read_loosely(claim, body)
        if isinstance(tree, Node | Relation):
            return tree, text[len(body) :], end - at
    return None


def _known(claim: Claim, text: str) -> bool:
    """Whether each name in it is one of a formula, and there is one: English is none."""
    names = IDENTIFIER.findall(text)
    known = GREEK, _functions(), claim.scope.symbols, claim.scope.lets
    return bool(names) and all(
        len(name) == 1 or "_" in name or any(name in part for part in known) for name in names
    )


@cache
def _functions() -> frozenset[str]:
    return frozenset({*CALLS, *USAGE, "oo", "T"})


def _among_numbers(text: str) -> Node | Fact | None:
    names = set(IDENTIFIER.findall(text)) - _functions()
    tables = {name: _table(name, text) for name in set(ENTRY_OF.findall(text)) & names}
    scope = Scope(symbols=tables, indices=frozenset(names - tables.keys()))
    try:
        tree = parse(text)
        return elaborate_fact(tree, scope) if markup.RELATION.search(text) else elaborate(tree, scope)
    except (ExprError, ShapeError, RecursionError):
        return None


def _table(name: str, text: str) -> Declared:
    """A matrix, or a column where each of its entries has one index."""
    is_column = not re.search(rf"\b{name}\[[^\]]*,", text)
    return Declared(name, FixedMatrix("matrix"), Shape(HUGE) if is_column else Shape(HUGE, HUGE))
