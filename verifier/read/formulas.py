"""What can be told of a formula by its signs alone: whether it relates two things, whether it is a chain."""

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise

from verifier.expr.errors import ExprError
from verifier.expr.tex.tokens import tokenize
from verifier.expr.tex.untyped import read_untyped
from verifier.read.paper import Formula

_RELATION = re.compile(
    r"=|<|>|\\(?:leq?|geq?|leqslant|geqslant|lt|gt|preceq|succeq|approx|lesssim|gtrsim|propto|asymp|neq?|equiv"
    r"|ll|gg|simeq|to|rightarrow|implies|iff)(?![A-Za-z])"
)


def has_relation(formula: Formula) -> bool:
    return _RELATION.search(formula.latex) is not None


def relates(formula: Formula) -> bool:
    """Whether a formula states something, rather than naming a letter; a display always does."""
    return formula.display or has_relation(formula)


def is_chain(formula: Formula) -> bool:
    return formula.display and len(re.findall(r"(?<![<>:\\])=|\\leq?\b|\\geq?\b|<|>", formula.latex)) > 1


def is_limit(formula: Formula) -> bool:
    r"""n \to \infty, beside a formula that it is said of."""
    return re.search(r"\\to\b|\\rightarrow", formula.latex) is not None


def is_after_growth(formula: Formula, sentence: Sequence[Formula]) -> bool:
    r"""Whether `as n \to \infty` is said of a formula before it, and this one stands after both.

    At the beginning of a sentence it is said of all."""
    limits = [at for at, item in enumerate(sentence) if is_limit(item)]
    if len(limits) != 1:
        return False
    said_of_one = any(has_relation(item) for item in sentence[: limits[0]])
    return said_of_one and formula in sentence[limits[0] + 1 :] and formula not in sentence[: limits[0]]


def bare(latex: str) -> str:
    """Without what is not printed, so that a formula is known again."""
    with suppress(ExprError):
        latex = "".join(token.text for token in tokenize(latex))
    return re.sub(r"[\s.,;{}]+", "", latex)


def letters_in(latex: str) -> set[str]:
    """The letters of a formula, as far as they can be told; I is one until somebody says what it is."""
    try:
        tokens = tokenize(latex)
    except ExprError:
        return set()
    found = (
        {"I"}
        if any(first.text == "I" and second.text != "_" for first, second in pairwise(tokens))
        else set()
    )
    found |= {"I"} if tokens and tokens[-1].text == "I" else set()
    try:
        return found | set(read_untyped(latex).letters)
    except ExprError:
        return {token.text.lstrip("\\") for token in tokens if token.is_letter}
