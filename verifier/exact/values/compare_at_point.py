"""Decide a relation at a concrete point: the bits are doubled until the enclosures tell."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from flint import ctx

from verifier.claim.model import Claim
from verifier.exact.numbers.difference_signs import decided
from verifier.exact.numbers.operations import Value
from verifier.exact.numbers.refusals import Imprecise, Undefined, Unsupported
from verifier.exact.numbers.value_matrices import Matrix, size
from verifier.exact.values.evaluate import Evaluator
from verifier.exact.values.point_context import Context, Point
from verifier.expr import nodes as n

Outcome = Literal["true", "false", "undecided", "undefined", "unsupported"]
BITS = (64, 128, 256, 512, 1024)


@dataclass(frozen=True)
class Compared:
    """What became of a relation at a point, with both sides there.

    For `in`, `right` is the end that was crossed (the low end if neither was)."""

    outcome: Outcome
    left: Matrix | None = None
    right: Matrix | None = None
    reason: str = ""
    entry: tuple[int, int] | None = None


def compare(fact: n.Fact, point: Point, context: Context | None = None) -> Compared:
    """Whether the fact is true at the point."""
    before = ctx.prec
    last = Compared("undecided", reason="not evaluated")
    try:
        for bits in BITS:
            ctx.prec = bits
            try:
                last = _at(fact, Evaluator(context or Context(), point))
            except Undefined as refusal:
                return Compared("undefined", reason=refusal.reason)
            except Unsupported as refusal:
                return Compared("unsupported", reason=refusal.reason)
            except Imprecise as refusal:
                last = Compared("undecided", reason=refusal.reason)
            if last.outcome != "undecided":
                return last
    finally:
        ctx.prec = before
    return last


def _at(fact: n.Fact, evaluator: Evaluator) -> Compared:
    match fact:
        case n.Relation("<", left, n.Infinity()):
            return Compared("true", evaluator.value(left), reason="it has a value, so it is finite")
        case n.Relation(op, left, right):
            return relate(op, evaluator.value(left), evaluator.value(right))
        case n.Within(arg, low, high):
            value = evaluator.value(arg)
            return _worst(_ends(evaluator, value, low, high))
        case n.ForAll(inner, ranges, conditions):
            return _worst([_at(inner, each) for each in evaluator.each(ranges, conditions)])
        case n.Independent():
            raise Unsupported("independence at a concrete point")
    raise Unsupported(f"the fact {type(fact).__name__}")


def _ends(evaluator: Evaluator, value: Matrix, low: n.Node, high: n.Node) -> list[Compared]:
    found = []
    for op, end, outward in ((">=", low, -1), ("<=", high, 1)):
        if not _is_infinite(end, outward):
            found.append(relate(op, value, evaluator.value(end)))
    return found or [Compared("true", value, None)]


def _is_infinite(end: n.Node, direction: int) -> bool:
    match end:
        case n.Infinity():
            return direction > 0
        case n.Negate(n.Infinity()):
            return direction < 0
    return False


def _worst(parts: list[Compared]) -> Compared:
    order = ("false", "undecided", "true")
    return min(parts, key=lambda part: order.index(part.outcome)) if parts else Compared("true")


def relate(op: str, left: Matrix, right: Matrix) -> Compared:
    """Entry by entry; false as soon as one entry is, undecided if any is."""
    undecided = None
    for i, j, x, y in pairs(left, right):
        outcome = decided(op, x - y)
        if outcome is False:
            return Compared("false", left, right, entry=(i, j))
        if outcome is None and undecided is None:
            undecided = (i, j)
    return Compared("true" if undecided is None else "undecided", left, right, entry=undecided)


def pairs(left: Matrix, right: Matrix) -> Iterator[tuple[int, int, Value, Value]]:
    """Entries that are compared with each other, a scalar with all."""
    rows, cols = max(size(left), size(right))

    def at(matrix: Matrix, i: int, j: int) -> Value:
        return matrix[0][0] if size(matrix) == (1, 1) else matrix[i][j]

    for i in range(rows):
        for j in range(cols):
            yield i, j, at(left, i, j), at(right, i, j)


def compare_claim(claim: Claim, fact: n.Fact, point: Point) -> Compared:
    """`compare` with the claim's laws, assumed values and layers."""
    return compare(fact, point, Context.of(claim))
