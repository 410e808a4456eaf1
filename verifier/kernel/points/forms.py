"""Trees as terms, and what their form shows."""

from dataclasses import dataclass

from verifier.expr import nodes as N
from verifier.kernel.core import terms as T
from verifier.kernel.core.axes import Axis


@dataclass(frozen=True)
class Form:
    """A tree as a term, with the names of the indices of its rows and columns."""

    node: N.Node
    term: T.Term
    row: tuple[str, ...]
    col: tuple[str, ...]
    down: Axis
    along: Axis


def not_negative(term: T.Term) -> bool:
    """Whether the form of a term shows that it is never negative: sums and products of squares."""
    match term:
        case T.Num(value):
            return value >= 0
        case T.Pow(_, T.Num(value)) if value.denominator == 1 and value % 2 == 0 and value >= 0:
            return True
        case T.Fn("abs" | "exp" | "relu" | "sigmoid"):
            return True
        case T.Plus(parts) | T.Times(parts):
            return all(map(not_negative, parts))
        case T.Sum(body=body):
            return not_negative(body)
    return False
