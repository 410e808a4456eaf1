r"""Numbers and sizes inside sentences: LaTeX to the text of the claim language, and square roots of variances.

Everything here is a scalar, so that a product without a sign is `*` and a power `**`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Any

from verifier.expr import syntax as S
from verifier.expr.errors import ExprError
from verifier.expr.scope import Scope
from verifier.expr.tex.letters import Key, Letters
from verifier.expr.tex.read import _pairings
from verifier.expr.tex.reader import POWER, PRODUCT, SCALAR_PRODUCT, Reader
from verifier.expr.tex.stream import shown
from verifier.expr.tex.tokens import Token
from verifier.read.prose.spelling import INDICES, letter_at
from verifier.read.prose.values import Unsayable
from verifier.read.prose.wording import ATOM, Wording

_SIGNS = {PRODUCT: "*", SCALAR_PRODUCT: "*", POWER: "**"}


@dataclass(frozen=True)
class _EveryLetter(Letters):
    """Before anything is declared, every letter may be meant; but x^T is a transpose."""

    transposes: bool = False

    def knows(self, name: str) -> bool:
        if _is_entry(name):
            return False
        return name not in ("e", "E", "O") and not (name == "T" and self.transposes)


def _is_entry(name: str) -> bool:
    """x_i, W_ij: entries where the index is bound, names otherwise."""
    script = name.rpartition("_")[2] if "_" in name else ""
    return script in INDICES or (len(script) == 2 and script.isalpha() and script.islower())


def _named(tree: S.Syntax, bound: frozenset[str] = frozenset()) -> S.Syntax:
    """Subscripts that nothing binds are parts of names: d_k."""
    match tree:
        case S.Subscript(span, S.Name(_, name), indices) if all(isinstance(item, S.Name) for item in indices):
            names = [item.name for item in indices if isinstance(item, S.Name)]
            return tree if set(names) & bound else S.Name(span, f"{name}_{''.join(names)}")
        case S.Call(_, "sum" | "prod", _, (_, S.Name(_, index), *_), ()):
            bound = bound | {index}
    values = {name: _renamed(getattr(tree, name), bound) for name in tree.__dataclass_fields__}
    return type(tree)(**values)


def _renamed(value: Any, bound: frozenset[str]) -> Any:
    if isinstance(value, S.Syntax):
        return _named(value, bound)
    return tuple(_renamed(item, bound) for item in value) if isinstance(value, tuple) else value


def tree_of(tokens: Sequence[Token]) -> S.Syntax:
    """The tree of an expression, before anything is declared; raises Unsayable where it cannot be read."""
    if not tokens:
        raise Unsayable("a number is missing here")
    try:
        tree = _tree(list(tokens))
    except ExprError as error:
        raise Unsayable(f"{shown(list(tokens))} cannot be read: {error.message}", error.hint or "") from None
    if isinstance(tree, S.Compare | S.Listing):
        raise Unsayable(f"{shown(list(tokens))} is not an expression")
    return tree


def _tree(tokens: list[Token]) -> S.Syntax:
    """The one tree that all ways of pairing the bars give."""
    pairs = zip(tokens, tokens[1:], strict=False)
    transposes = any(first.text == "^" and second.text == "T" for first, second in pairs)
    letters = _EveryLetter(_spelled(tokens), Scope(), transposes)
    found: list[S.Syntax] = []
    trouble: ExprError | None = None
    for paired in _pairings(tokens):
        try:
            found.append(_named(Reader(paired, letters).formula()))
        except ExprError as error:
            trouble = trouble or error
    if len(set(found)) == 1:
        return found[0]
    raise trouble if trouble is not None and not found else Unsayable("these bars can be paired in two ways")


def scalar(tokens: Sequence[Token]) -> S.Syntax:
    """The tree of an expression made of numbers."""
    tree = tree_of(tokens)
    text(tree)
    return tree


def scalar_text(tokens: Sequence[Token]) -> str:
    """An expression made of numbers, in the claim language."""
    return text(scalar(tokens))


def _spelled(tokens: Sequence[Token]) -> tuple[tuple[Key, str], ...]:
    """Every letter with an accent, a font or a mark, as the reader is told of it."""
    found: dict[Key, str] = {}
    at = 0
    while at < len(tokens):
        letter = letter_at(tokens, at)
        if letter is None:
            at += 1
            continue
        if not letter[0].indices:
            found[tuple(token.text for token in tokens[at : letter[1]])] = letter[0].name
        at = letter[1]
    return tuple(sorted(found.items(), key=lambda item: -len(item[0])))


def text(tree: S.Syntax) -> str:
    """The tree as text, every value in it a number."""
    return Wording(None).text(tree)


# --- square roots ------------------------------------------------------------------------------------------


def root(tree: S.Syntax) -> str:
    r"""The square root of a variance: sigma of \sigma^2, 1/sqrt(n) of 1/n."""
    return _root(tree)[0]


def _root(tree: S.Syntax) -> tuple[str, int]:
    match tree:
        case S.Literal(_, literal) if literal.isdigit() and isqrt(int(literal)) ** 2 == int(literal):
            return str(isqrt(int(literal))), ATOM
        case S.Binary(_, mark, S.Name(_, name), S.Literal(_, "2")) if _SIGNS.get(mark, mark) == "**":
            return name, ATOM
        case S.Binary(_, mark, left, right) if _SIGNS.get(mark, mark) in ("*", "/"):
            op = _SIGNS.get(mark, mark)
            (first, level), (second, other) = _root(left), _root(right)
            first = first if level >= 2 else f"({first})"
            second = second if other > 2 else f"({second})"
            return f"{first}{op}{second}", 2
    return f"sqrt({text(tree)})", ATOM


def squared_name(tree: S.Syntax) -> str | None:
    r"""sigma of \sigma^2."""
    match tree:
        case S.Binary(_, mark, S.Name(_, name), S.Literal(_, "2")) if _SIGNS.get(mark, mark) == "**":
            return name
    return None
