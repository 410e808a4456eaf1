"""Simple numbers that a search tries."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import permutations

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.walk import distinct
from verifier.kernel.context import Context
from verifier.kernel.rules.defined import unfolded

ZERO, ONE, TWO = (N.Number(Fraction(value)) for value in range(3))
MOST_PARAMETERS = 3


def parameters(context: Context, trees: Iterable[N.Node]) -> list[N.Symbol]:
    """The first numbers that trees speak of and that are not drawn."""
    parts = {part for tree in trees for part in distinct(unfolded(context, tree))}
    found = [part for part in parts if isinstance(part, N.Symbol) and _is_parameter(context, part)]
    return sorted(found, key=lambda part: part.name)[:MOST_PARAMETERS]


def _is_parameter(context: Context, part: N.Symbol) -> bool:
    if not part.shape.is_scalar or part.name not in context.symbols:
        return False
    return isinstance(context.symbols[part.name].kind, K.FixedKind)


def simple_numbers(parts: list[N.Symbol]) -> list[N.Node]:
    """Of a few parameters, the simplest first."""
    return list(dict.fromkeys(_numbers(parts)))


def _numbers(parts: list[N.Symbol]) -> Iterator[N.Node]:
    yield from (ZERO, ONE, N.Number(Fraction(-1)), TWO)
    for part in parts:
        yield from (part, N.Divide(part, TWO), N.Negate(part), N.Multiply(TWO, part))
        yield from (N.Apply("sqrt", (part,)), N.Apply("log", (part,)), N.Divide(ONE, part))
    for one, other in permutations(parts, 2):
        yield from (N.Divide(one, other), N.Multiply(one, other), N.Apply("log", (N.Divide(one, other),)))
        yield N.Subtract(N.Apply("log", (one,)), N.Apply("log", (other,)))
