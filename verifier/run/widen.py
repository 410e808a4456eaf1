"""What a false bound should have been: the least multiple of its right side that can be proved."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement

from verifier.evidence import Truth
from verifier.expr.nodes import Apply, Comparison, Divide, Growth, Multiply, Node, Order, Relation, Symbol
from verifier.expr.symbols import Dimension
from verifier.expr.text import to_text
from verifier.judge.decide import decide
from verifier.run.asking import Case
from verifier.run.events import Stage
from verifier.run.factors import least, said, times
from verifier.timer import worked

MOST_FACTOR = Fraction(64)


def widen(case: Case, seconds: float) -> None:
    """Tell by which factor the right side of a refuted bound is too small, for >= too large."""
    fact = case.step.fact
    if not isinstance(fact, Relation) or fact.op == "==" or not fact.left.shape.is_scalar:
        return
    verdict = decide(case.step, case.findings)
    if verdict.verdict != "fails" or verdict.corrected or isinstance(fact.right, Growth | Order):
        return
    case.emit(Stage(f"what it should have been: {case.step.text[:60]}"))
    deadline = worked() + seconds
    right = next((found for name in _exact(case) if (found := _corrected(case, fact, name, deadline))), None)
    if right is not None:
        refuting = next(finding for finding in case.findings if finding.truth == "false")
        case.hear(replace(refuting, corrected=to_text(right)))


def _exact(case: Case) -> list[str]:
    return [engine.name for engine in case.settings.engines if not engine.climbs and not engine.is_witness]


def _corrected(case: Case, fact: Relation, engine: str, deadline: float) -> Node | None:
    """The right side times a number, or a size, with which the engine proves it."""

    op: Comparison = "<=" if fact.op in ("<=", "<") else ">="

    def says(right: Node) -> Truth:
        left = deadline - worked()
        return said(case, engine, Relation(op, fact.left, right), left) if left > 0 else "unknown"

    def by(factor: Fraction) -> Node:
        return times(factor if op == "<=" else 1 / factor, fact.right)

    if says(by(MOST_FACTOR)) == "true":
        factor = least(lambda factor: says(by(factor)), MOST_FACTOR)
        return None if factor is None else by(factor)
    sized = (Multiply(size, fact.right) if op == "<=" else Divide(fact.right, size) for size in _sizes(case))
    return next((right for right in sized if says(right) == "true"), None)


def _sizes(case: Case) -> Iterator[Node]:
    """sqrt(n), n, sqrt(n*m): what norms are compared by."""
    names = [name for name, symbol in case.claim.symbols.items() if isinstance(symbol.kind, Dimension)]
    used = [Symbol(name) for name in names if name not in case.claim.where]
    yield from (Apply("sqrt", (size,)) for size in used)
    for first, second in combinations_with_replacement(used, 2):
        yield first if first == second else Apply("sqrt", (Multiply(first, second),))
