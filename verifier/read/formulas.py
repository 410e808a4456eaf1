"""What can be told of a formula by its signs alone: whether it relates two things, whether it is a chain."""

import re

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
