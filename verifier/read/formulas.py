"""What can be told of a formula by its signs alone: whether it relates two things, whether it is a chain."""

import re
from collections.abc import Sequence

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
