"""What stays as it is when indices are exchanged, at a point.

Numbers up to the largest size of what is given entry by entry stand alone; of greater ones, all between two
sizes form a class. A pattern is alike over these classes, and so is what is made of such matrices by sums
over whole classes, as long as no index is counted with, and nothing that is drawn is looked at one by one.
"""

from typing import TYPE_CHECKING, Any

from verifier.expr.dims import Dim
from verifier.expr.nodes import Node
from verifier.expr.symbols import IndexOf
from verifier.kernel.core import terms as T
from verifier.kernel.points.alike import Classes, Pattern, single
from verifier.kernel.rejected import Rejected

if TYPE_CHECKING:
    from verifier.kernel.points.evaluate import Evaluator


class Symmetry:
    """The classes of a point, and what is alike over them."""

    def __init__(self, evaluator: "Evaluator") -> None:
        self.evaluator = evaluator
        self._known: dict[int, tuple[Any, bool]] = {}
        self._names: dict[str, bool] = {}
        self._classes: Classes | None = None

    @property
    def classes(self) -> Classes:
        if self._classes is None:
            self._classes = Classes(tuple(sorted(self._ends())))
        return self._classes

    def parts(self, first: int, last: int) -> list[tuple[int, int]]:
        """The classes of a range; every number alone where it cuts one."""
        found = self.classes.within(first, last) if first <= last else []
        return found if found is not None else single(last)[first - 1 :]

    def _ends(self) -> set[int]:
        evaluator, alone, sizes = self.evaluator, 1, set[int]()
        for table in evaluator.given.values():
            if not isinstance(table, Pattern):
                alone = max(alone, *(number for place in table for number in place))
        for name, declared in evaluator.context.symbols.items():
            for size in (declared.shape.rows, declared.shape.cols, declared.copies):
                try:
                    number = 0 if size is None else evaluator.dim(size)
                except Rejected:
                    continue
                sizes.add(number)
                if name in evaluator.chosen:
                    alone = max(alone, number)
            if isinstance(declared.kind, IndexOf) and name in evaluator.given:
                sizes |= {evaluator.integer(name) - 1, evaluator.integer(name)}
        return {*range(1, alone + 1), *(size for size in sizes if size > alone)}

    def is_alike(self, term: T.Term) -> bool:
        """Whether a term stays the same when its bound indices and all that is bound in it are exchanged
        within their classes."""
        if id(term) not in self._known:
            self._known[id(term)] = term, self._is_alike(term)
        return self._known[id(term)][1]

    def _is_alike(self, term: T.Term) -> bool:
        match term:
            case T.Var(name, at):
                counted = name.startswith("%") and not at
                return not counted and all(map(self._is_place, at)) and self._is_alike_symbol(name)
            case T.Delta(left, right):
                return self._is_place(left) and self._is_place(right)
            case T.Sum(_, low, high, body):
                ends = low, high
                if any(name.startswith("%") for end in ends for name in end.names):
                    return False
                first, last = map(self.evaluator.dim, ends)
                whole = first > last or self.classes.within(first, last) is not None
                return whole and self.is_alike(body)
        return all(map(self.is_alike, T.parts_of(term)))

    def _is_place(self, position: Dim) -> bool:
        """An index itself, or a number that stands alone."""
        names = position.names
        if not any(name.startswith("%") for name in names):
            return self.classes.is_alone(self.evaluator.dim(position))
        return len(names) == 1 and position == Dim.of(min(names))

    def _is_alike_symbol(self, name: str) -> bool:
        """Of what is given this is so by the choice of the classes; assumed values and laws are looked at."""
        if name not in self._names:
            self._names[name] = False  # of values that go round in a circle nothing is known
            self._names[name] = all(map(self._is_alike_tree, self._values(name)))
        return self._names[name]

    def _values(self, name: str) -> list[Node]:
        evaluator = self.evaluator
        assumed = evaluator.held.get(name) or (
            None if name in evaluator.given else evaluator.replaced.get(name)
        )
        if assumed is not None:
            return [assumed]
        declared = evaluator.context.symbols.get(name)
        if declared is None or not declared.is_random:
            return []
        return [value for value in vars(declared.kind).values() if isinstance(value, Node)]

    def _is_alike_tree(self, node: Node) -> bool:
        return self.is_alike(self.evaluator.form(node).term)
