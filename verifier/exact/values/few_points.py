"""A second witness that needs no library: the statement at a few simple points, in exact arithmetic.

It shares the tree with the kernel and nothing else. A point that breaks what is proved is a contradiction;
points that do not break it prove nothing."""

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any

from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Finding
from verifier.exact.numbers.refusals import Refusal
from verifier.exact.values.evaluate import Evaluator
from verifier.exact.values.point_context import Context, Point
from verifier.exact.values.recheck import recheck
from verifier.exact.values.unnamed_symbols import simple_values
from verifier.expr.symbols import Declared, Dimension, FixedMatrix, Positive, Real
from verifier.timer import past, worked

NAME = "points"
SIZES = ((2, 3), (3, 2), (1, 2), (1, 1))
NUMBERS = (Fraction(3, 2), Fraction(-2), Fraction(1, 3), Fraction(5), Fraction(-1, 4))
ENOUGH, TRIES = 3, 8


def examine(claim: Claim, step: Step, budget: Budget) -> Finding:
    """False where a point breaks it; else how many points there are that do not."""
    begun, agreed = worked(), 0
    for point in few_points(claim):
        if agreed == ENOUGH or past(begun + budget.seconds):
            break
        with suppress(Refusal, ArithmeticError, LookupError, TypeError, ValueError):
            found = recheck(claim, step.fact, point)
            if found.outcome == "false":
                reason = "exact arithmetic breaks it at a simple point"
                return Finding(NAME, "false", found.grade, reason, counterexample=found.counterexample)
            agreed += found.outcome == "true" or found.is_equality
    reason = f"true at {agreed} simple point{'s' * (agreed != 1)}" if agreed else ""
    missing = None if agreed else "a simple point at which both sides have values"
    return Finding(NAME, "unknown", reason=reason, missing=missing, seconds=worked() - begun)


def few_points(claim: Claim) -> Iterator[Point]:
    """Small sizes; numbers and entries without a pattern where any will do, else simple ones of the kind."""
    free = {
        name: symbol for name, symbol in claim.symbols.items() if name not in {*claim.random, *claim.where}
    }
    sizes = [name for name, symbol in free.items() if isinstance(symbol.kind, Dimension)]
    others = [name for name in free if name not in sizes]
    for turn in range(TRIES):
        among = SIZES[turn % len(SIZES)]
        point: dict[str, Any] = {name: among[at % len(among)] for at, name in enumerate(sizes)}
        with suppress(Refusal):
            environment = Evaluator(Context.of(claim), point)
            values = {name: _value(free[name], environment, turn + at) for at, name in enumerate(others)}
            yield {**point, **values}


def _value(symbol: Declared, environment: Evaluator, turn: int) -> Any:
    numbers = [NUMBERS[(turn + at) % len(NUMBERS)] for at in range(len(NUMBERS))]
    match symbol:
        case Declared(kind=Real(), copies=None):
            return numbers[0]
        case Declared(kind=Positive(), copies=None):
            return abs(numbers[0])
        case Declared(kind=FixedMatrix("matrix" | "vector"), shape=shape, copies=None):
            rows, cols = environment.dim(shape.rows), environment.dim(shape.cols)
            return [[numbers[(2 * i + 3 * j) % len(numbers)] for j in range(cols)] for i in range(rows)]
    values = list(simple_values(symbol, environment))
    return values[turn % len(values)]
