"""Relations at a point: what breaks one, entry by entry."""

from dataclasses import dataclass
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.walk import rebuild, substitute, walk
from verifier.kernel.points import values as v
from verifier.kernel.points.domain import Domain, compare_holds
from verifier.kernel.points.evaluate import Evaluator, Indices
from verifier.kernel.points.orders import Orders, speaks_of_orders
from verifier.kernel.points.outcomes import Undecided
from verifier.kernel.points.values import Value
from verifier.kernel.rejected import Rejected


@dataclass(frozen=True)
class Broken:
    """A relation that is false: both sides at the entry (None: scalars)."""

    left: str
    op: str
    right: str
    entry: tuple[int, int] | None = None

    @property
    def words(self) -> str:
        at = "" if self.entry is None else f" at entry [{self.entry[0]}, {self.entry[1]}]"
        return f"{self.left} {self.op} {self.right} is false{at}"


class Relations:
    """Compares under an evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.domain = Domain(evaluator)
        self.orders = Orders(evaluator, self.domain)

    def broken(self, fact: N.Fact) -> Broken | None:
        """What breaks the fact; None if it is true. Both sides must have values, in all their entries."""
        match fact:
            case N.Relation() | N.Within():
                return self._simple(fact, {})
            case N.ForAll(inner, ranges, conditions):
                undecided = None
                for indices in self.domain.each(ranges, conditions, {}):
                    try:
                        found = self._at(inner, indices)
                    except Undecided as caught:
                        undecided = caught
                        continue
                    if found is not None:
                        return found
                if undecided is not None:
                    raise undecided
                return None
        raise Rejected("outside", f"{type(fact).__name__} at a point")

    def _at(self, fact: N.Relation | N.Within, indices: Indices) -> Broken | None:
        """At these numbers. A norm that is no sum is a number of its own only without indices: there the
        numbers are put in their places."""
        if not any(isinstance(part, N.Norm) and part.kind in ("2", "oo") for part in walk(fact)):
            return self._simple(fact, indices)
        numbers: dict[N.Node, N.Node] = {
            N.Index(name[2:]): N.Number(Fraction(number)) for name, number in indices.items()
        }
        made = rebuild(fact, lambda node: substitute(node, numbers))
        assert isinstance(made, N.Relation | N.Within)
        return self._simple(made, {})

    def require_value(self, node: N.Node, indices: Indices | None = None) -> None:
        self.domain.check(node, indices or {}, self.evaluator.root)

    def _simple(self, fact: N.Relation | N.Within, indices: Indices) -> Broken | None:
        if isinstance(fact, N.Relation):
            if speaks_of_orders(fact):
                spans = self.orders.apart(fact, indices)
                return None if spans is None else Broken(spans[0].text, fact.op, spans[1].text)
            return self._related(fact.op, fact.left, fact.right, indices)
        found_low = self._related(">=", fact.arg, fact.low, indices)
        return found_low or self._related("<=", fact.arg, fact.high, indices)

    def _related(self, op: str, left: N.Node, right: N.Node, indices: Indices) -> Broken | None:
        ends = _infinite(left), _infinite(right)
        if any(ends):
            return self._against_infinity(op, left, right, ends, indices)
        for side in (left, right):
            self.require_value(side, indices)
        scalar = left.shape.is_scalar and right.shape.is_scalar
        undecided: Undecided | None = None
        for row, col in self.evaluator.shown((left, right), indices, self.evaluator.root):
            try:
                a, b = (self._number(side, row, col, indices) for side in (left, right))
                if compare_holds(op, v.compared(a, b)):
                    continue
            except Undecided as caught:
                undecided = caught
                continue
            return Broken(v.text(a), op, v.text(b), None if scalar else (row, col))
        if undecided is not None:
            raise undecided
        return None

    def _number(self, node: N.Node, row: int, col: int, indices: Indices) -> Value:
        return self.evaluator.entry(node, row, col, indices, self.evaluator.root)

    def _against_infinity(
        self, op: str, left: N.Node, right: N.Node, ends: tuple[int, int], indices: Indices
    ) -> Broken | None:
        """A number is finite: it lies between the two infinities, and is neither."""
        if all(ends):
            raise Rejected("outside", "a relation between infinities")
        finite = right if ends[0] else left
        self.require_value(finite, indices)
        values = [value for _, value in self.evaluator.entries(finite, indices, self.evaluator.root)]
        if compare_holds(op, ends[0] - ends[1]) or not values:
            return None
        first = v.text(values[0])
        shown = [{1: "oo", -1: "-oo"}.get(end, first) for end in ends]
        return Broken(shown[0], op, shown[1])


def _infinite(node: N.Node) -> int:
    match node:
        case N.Infinity():
            return 1
        case N.Negate(N.Infinity()):
            return -1
    return 0
