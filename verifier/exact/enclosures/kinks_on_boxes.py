"""abs, relu and sign replaced by what they are on a box, where their argument keeps its sign."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from flint import fmpq

from verifier.exact.enclosures.straight_line import enclosed
from verifier.exact.enclosures.term_calculus import Values, fold, variables
from verifier.exact.numbers.constants import ZERO
from verifier.exact.numbers.interval import Interval
from verifier.exact.numbers.scalar_terms import Call, Expression, Linear, Product, Term

KINKED = frozenset({"abs", "relu", "sign"})
Pattern = tuple[int, ...]


def smoothed(term: Any, box: Mapping[str, Interval]) -> Any:
    """The term without the kinks that do not lie inside the box."""
    arguments = kinks(term) if isinstance(term, Term) else ()
    if not arguments:
        return term
    return _smooth(term, tuple(_side(enclosed(argument, box)) for argument in arguments))


@lru_cache(maxsize=512)
def kinks(term: Term) -> tuple[Any, ...]:
    """The arguments of abs, relu and sign."""
    found: dict[str, Any] = {}
    pending: list[Any] = [term]
    while pending:
        match pending.pop():
            case Linear(_, parts):
                pending += [part for part, _ in parts]
            case Product(factors):
                pending += [base for base, _ in factors]
            case Call(name, args):
                pending += list(args)
                if name in KINKED:
                    found.setdefault(args[0].key, args[0])
    return tuple(found.values())


def _side(found: Interval) -> int:
    """2 and -2: strictly positive or negative; 1 and -1: up to zero; 0: both signs."""
    if not found.whole:
        return 0
    if found.lo >= 0:
        return 2 if found.lo > 0 else 1
    if found.hi <= 0:
        return -2 if found.hi < 0 else -1
    return 0


@lru_cache(maxsize=512)
def _smooth(term: Term, pattern: Pattern) -> Any:
    sides = {argument.key: side for argument, side in zip(kinks(term), pattern, strict=True)}
    leaves: dict[str, Any] = {v.name: v for v in variables(term)}
    return fold(term, leaves, _Smoothing(sides))


class _Smoothing(Values):
    """Rebuilds a term; arguments are looked up by their form before anything inside them changed."""

    def __init__(self, sides: Mapping[str, int]) -> None:
        self.sides = sides

    def apply(self, name: str, x: Any) -> Any:
        side = self.sides.get(x.key, 0) if name in KINKED and isinstance(x, Expression) else 0
        if name == "sign" and abs(side) == 2:
            return fmpq(side // 2)
        if side == 0 or name == "sign":
            return super().apply(name, x)
        return x if side > 0 else (-x if name == "abs" else ZERO)
