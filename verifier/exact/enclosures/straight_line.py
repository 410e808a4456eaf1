"""Terms compiled to straight-line programs over intervals: branch and bound runs them often."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from flint import ctx, fmpq

from verifier.exact.numbers.constants import ONE, Exact, is_zero
from verifier.exact.numbers.interval import Interval
from verifier.exact.numbers.scalar_terms import Call, Linear, Product, Term, Variable

Step = tuple[str, Any, Any]


class Program:
    """Steps in order; each refers to earlier ones by number. Constants are enclosed once."""

    def __init__(self, term: Term) -> None:
        self._steps: list[Step] = []
        self._numbers: dict[str, int] = {}
        self._visit(term)

    def run(self, box: Mapping[str, Interval]) -> Interval:
        values: list[Interval] = []
        for kind, first, second in self._steps:
            match kind:
                case "variable":
                    values.append(box[first])
                case "linear":
                    values.append(_linear(first, second, values))
                case "product":
                    values.append(_product(second, values))
                case _:
                    values.append(values[second].apply(first))
        return values[-1]

    def _visit(self, term: Any) -> int:
        if term.key in self._numbers:
            return self._numbers[term.key]
        step: Step
        match term:
            case Variable(name):
                step = ("variable", name, None)
            case Linear(constant, parts):
                scaled = [(self._visit(part), _factor(factor)) for part, factor in parts]
                offset = None if is_zero(constant) and parts else Interval.of(constant)
                step = ("linear", offset, scaled)
            case Product(factors):
                step = ("product", None, [(self._visit(base), _exponent(e)) for base, e in factors])
            case Call(name, (arg,)):
                step = ("call", name, self._visit(arg))
            case _:
                raise AssertionError(term)
        self._steps.append(step)
        self._numbers[term.key] = len(self._steps) - 1
        return self._numbers[term.key]


def _factor(factor: Exact) -> Interval | None:
    return None if factor == ONE else Interval.of(factor)


def _exponent(exponent: fmpq) -> fmpq | None:
    return None if exponent == 1 else exponent


def _linear(
    offset: Interval | None, parts: list[tuple[int, Interval | None]], values: list[Interval]
) -> Interval:
    total = offset
    for number, factor in parts:
        part = values[number] if factor is None else factor * values[number]
        total = part if total is None else total + part
    assert total is not None
    return total


def _product(factors: list[tuple[int, fmpq | None]], values: list[Interval]) -> Interval:
    total: Interval | None = None
    for number, exponent in factors:
        part = values[number] if exponent is None else values[number].power(exponent)
        total = part if total is None else total * part
    assert total is not None
    return total


@lru_cache(maxsize=512)
def _compiled(term: Term, bits: int) -> Program:
    return Program(term)


def enclosed(term: Any, box: Mapping[str, Interval]) -> Interval:
    """An enclosure of the term over the box."""
    return _compiled(term, ctx.prec).run(box) if isinstance(term, Term) else Interval.of(term)
