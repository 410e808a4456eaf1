"""Relations at a point: what breaks one, entry by entry."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.walk import children, rebuild, substitute, walk
from verifier.kernel.points import values as v
from verifier.kernel.points.alike import counted
from verifier.kernel.points.domain import Domain, compare_holds
from verifier.kernel.points.evaluate import Evaluator, Indices
from verifier.kernel.points.orders import Orders, speaks_of_orders
from verifier.kernel.points.outcomes import Undecided
from verifier.kernel.points.values import Value
from verifier.kernel.rejected import Rejected

# What a tree may be made of for its symmetry to be read off its terms.
PLAIN = (
    N.Number | N.Symbol | N.Index | N.Order | N.Entry | N.Row | N.Norm | N.Negate | N.Add | N.Subtract
    | N.Multiply | N.Divide | N.Power | N.Apply
)  # fmt: skip


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
                alike = not conditions and self._is_alike(inner, ranges)
                every = self._shown(ranges, {}) if alike else self.domain.each(ranges, conditions, {})
                for indices in every:
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

    def _is_alike(self, fact: N.Relation | N.Within, ranges: tuple[N.Range, ...]) -> bool:
        """Whether exchanging the numbers of indices within their classes changes nothing: not in the terms,
        and, of a tree of plain parts with indices in plain places, not in what its parts need either."""
        nodes = list(walk(fact))
        placed = [at for part in nodes if isinstance(part, N.Entry) for at in (part.row, part.col)]
        placed += [part.row for part in nodes if isinstance(part, N.Row)]
        indices = [part for part in nodes if isinstance(part, N.Index)]
        if not all(isinstance(part, PLAIN) for part in nodes if isinstance(part, N.Node)):
            return False
        if len(indices) != sum(isinstance(at, N.Index) for at in placed):
            return False
        names = tuple(sorted(f"%.{ranged.index}" for ranged in ranges))
        sides = [part for part in children(fact) if not speaks_of_orders(part)]
        symmetry, form = self.evaluator.symmetry, self.evaluator.form
        return all(side.shape.is_scalar and symmetry.is_alike(form(side, names).term) for side in sides)

    def _shown(self, ranges: tuple[N.Range, ...], around: Indices) -> Iterator[Indices]:
        """Numbers of indices that show all that there is."""
        if not ranges:
            yield around
            return
        low, high = (self.domain.position(end, around) for end in (ranges[0].low, ranges[0].high))
        for number, _ in counted(self.evaluator.symmetry.parts(low, high), set(around.values())):
            yield from self._shown(ranges[1:], {**around, f"%.{ranges[0].index}": number})

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
        undecided: Undecided | Rejected | None = None
        for row, col in self.evaluator.shown((left, right), indices, self.evaluator.root):
            try:
                a, b = (self._number(side, row, col, indices) for side in (left, right))
                if compare_holds(op, v.compared(a, b)):
                    continue
            except (Undecided, Rejected) as caught:  # it has a value, but which is not told here
                if isinstance(caught, Rejected) and caught.reason not in ("outside", "too-large"):
                    raise
                undecided = caught if undecided is None or isinstance(caught, Undecided) else undecided
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
