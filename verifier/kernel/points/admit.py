"""Whether a context allows a point: shapes and kinds, laws, assumptions."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from verifier.expr import nodes as N
from verifier.expr import symbols as S
from verifier.expr.dims import SCALAR, Dim
from verifier.expr.walk import children
from verifier.kernel.context import Context
from verifier.kernel.core.draws import draws
from verifier.kernel.points import values as v
from verifier.kernel.points.alike import Alike, Pattern, Table, single
from verifier.kernel.points.data import Raw
from verifier.kernel.points.evaluate import Evaluator
from verifier.kernel.points.laws import Chosen
from verifier.kernel.points.relations import Relations
from verifier.kernel.points.surely import surely_exists
from verifier.kernel.points.tables import places
from verifier.kernel.points.values import Value
from verifier.kernel.rejected import Rejected

Rows = list[list[Value]]


def tables(context: Context, raw: Mapping[str, Raw]) -> dict[str, Table]:
    """The point's values by their places; which places there must be is looked at later."""
    found: dict[str, Table] = {}
    for name, value in raw.items():
        declared = context.symbols.get(name)
        if declared is None or isinstance(declared.kind, S.Function | S.Sequence | S.JointWith):
            raise Rejected("data", f"{name[:40]!r} is no symbol that can have a value at a point")
        if isinstance(value, Pattern):
            if not isinstance(declared.kind, S.FixedMatrix):
                raise Rejected("data", f"{name} is no fixed matrix, and has no pattern")
            found[name] = value
            continue
        copies = (value,) if declared.copies is None else value
        if not isinstance(copies, tuple):
            raise Rejected("data", f"{name} is a family: a list of its copies")
        found[name] = {
            (number, i, j): entry
            for number, copy in enumerate(copies, 1)
            for (_, i, j), entry in _table(declared, copy).items()
        }
    return found


def chosen_laws(context: Context, raw: Mapping[str, list[tuple[Value, Raw]]]) -> dict[str, Chosen]:
    """Laws with finitely many outcomes, for symbols whose declaration leaves the law open."""
    found: dict[str, Chosen] = {}
    for name, outcomes in raw.items():
        declared = context.symbols.get(name)
        kind = declared.kind if declared is not None else None
        if declared is None or not isinstance(kind, S.AnyLaw | S.Iid):
            raise Rejected("data", f"{name[:40]!r} is no random symbol whose law is open")
        if isinstance(kind, S.AnyLaw) and declared.copies is not None:
            raise Rejected("outside", f"a law of the family {name}")
        entry = S.Declared(name, kind, SCALAR)  # the law of each entry
        shaped = replace(declared, copies=None) if isinstance(kind, S.AnyLaw) else entry
        found[name] = tuple((chance, _table(shaped, value)) for chance, value in outcomes)
    return found


def _table(declared: S.Declared, value: Raw) -> dict[tuple[int, int, int], Value]:
    rows = enumerate(_rows(declared, value), 1)
    return {(1, i, j): entry for i, row in rows for j, entry in enumerate(row, 1)}


def _rows(declared: S.Declared, value: Raw) -> Rows:
    if not isinstance(value, tuple | Pattern) and declared.shape.is_scalar:
        return [[value]]
    rows = value if isinstance(value, tuple) else (value,)
    if not all(isinstance(row, tuple) and all(map(v.is_exact, row)) for row in rows):
        raise Rejected("data", f"{declared.name} is a matrix: a list of its rows")
    return [list(row) for row in rows]


class Admission:
    """The conditions that a context puts on a point, each computed."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator, self.context = evaluator, evaluator.context
        self.relations = Relations(evaluator)

    def check(self) -> None:
        """Raises `Rejected` unless everything that is declared and assumed is so at the point."""
        for name in self.evaluator.given:
            self._check_shape(self.context.symbols[name])
        for declared in self.context.symbols.values():
            self._check_declared(declared)
        for name, size in self.context.dims.items():
            if self._has_value(name) and self.evaluator.integer(name) != self.evaluator.dim(size):
                raise Rejected("not-allowed", f"{name} is assumed to be {size}")
        for fact in self.context.assumptions:
            self._check_assumption(fact)

    # Declarations

    def _has_value(self, name: str) -> bool:
        return name in self.evaluator.given or name in self.context.where or name in self.evaluator.replaced

    def _check_shape(self, declared: S.Declared) -> None:
        table = self.evaluator.given[declared.name]
        if isinstance(table, Pattern):
            return
        copies, height, width = self.evaluator.size(declared)
        if set(table) != set(places(copies, height, width)):
            raise Rejected("data", f"{declared.name} has another shape: {height} by {width}")

    def _check_declared(self, declared: S.Declared) -> None:
        """The kind of what has a value; of anything else, that there is something of its kind."""
        for size in (declared.shape.rows, declared.shape.cols, declared.copies):
            if size is not None:
                self._check_size(size, declared.name)
        if declared.is_random:
            self._check_law(declared)
        elif self._has_value(declared.name):
            self._check_kind(declared)
        elif isinstance(declared.kind, S.IndexOf):
            self._check_size(declared.kind.size, declared.name)
        elif isinstance(declared.kind, S.Interval):
            self._check_interval(declared.kind, declared.name)

    def _check_size(self, size: Dim, name: str) -> None:
        """A size is at least 1; that of a symbol alone is so by its kind."""
        if size.constant is None and len(size.names) == 1 and size == Dim.of(*size.names):
            return
        if self.evaluator.dim(size) < 1:
            raise Rejected("not-allowed", f"{name} would have no entry")

    def _check_law(self, declared: S.Declared) -> None:
        law = self.evaluator.law(declared.name)
        if not surely_exists(self.context, declared.kind):
            law.check_exists()
        if law.chosen is not None:
            self._check_outcomes(law.chosen, declared)
            law.check_chosen()
        if declared.name in self.evaluator.given:
            table = self.evaluator.given[declared.name]
            assert not isinstance(table, Pattern)  # which only fixed matrices have
            for place, value in table.items():
                law.check_supports(place, value)

    def _check_outcomes(self, chosen: Chosen, declared: S.Declared) -> None:
        joint = isinstance(declared.kind, S.AnyLaw)
        _, height, width = self.evaluator.size(declared)
        expected = set(places(None, height, width) if joint else places(None, 1, 1))
        if any(set(values) != expected for _, values in chosen):
            raise Rejected("data", f"an outcome of {declared.name} has another shape")

    def _check_interval(self, kind: S.Interval, name: str) -> None:
        if _is_infinite(kind.low) or _is_infinite(kind.high):
            return
        low, high = (self.evaluator.parameter(end, 1, 1) for end in (kind.low, kind.high))
        if v.compared(low, high) > 0:
            raise Rejected("not-allowed", f"{name} is in an interval that is empty")

    def _check_kind(self, declared: S.Declared) -> None:
        """What is given and what is assumed are of the declared kind, and the same if both are there."""
        name = declared.name
        if declared.copies is not None and name not in self.evaluator.given:
            raise Rejected("outside", f"an assumed value of the family {name}")
        if isinstance(self.evaluator.given.get(name), Pattern):
            if name in self.evaluator.replaced:
                raise Rejected("outside", f"a pattern of {name} beside an assumed value")
            height, width = self.evaluator.dim(declared.shape.rows), self.evaluator.dim(declared.shape.cols)
            copies, rows, cols = 1, self.evaluator.classes(height), self.evaluator.classes(width)
        else:
            many, height, width = self.evaluator.size(declared)
            copies, rows, cols = many or 1, single(height), single(width)
        for copy in range(1, copies + 1):
            if not self._is_of_kind(declared.kind, Alike(rows, cols, self._entries(declared, copy))):
                raise Rejected("not-allowed", f"{name} is not as declared")

    def _entries(self, declared: S.Declared, copy: int) -> Callable[[int, int], Value]:
        known: dict[tuple[int, int], Value] = {}

        def entry(i: int, j: int) -> Value:
            if (i, j) not in known:
                known[i, j] = self._entry(declared, (copy, i, j))
            return known[i, j]

        return entry

    def _entry(self, declared: S.Declared, place: tuple[int, int, int]) -> Value:
        name, at = declared.name, _position(declared, place)
        value = self.evaluator.lookup(name, at)
        others = []
        if name in self.context.where and not at:
            others.append(v.rational(self.context.where[name]))
        if name in self.evaluator.replaced:
            others.append(self.evaluator.assumed_value(name, at))
        stated = name in self.evaluator.given or name in self.context.where
        if stated and any(v.compared(value, other) for other in others):
            raise Rejected("not-allowed", f"{name} has another value than the one assumed")
        return value

    def _is_of_kind(self, kind: S.Kind, matrix: Alike) -> bool:
        if isinstance(kind, S.FixedMatrix):
            for i, j in matrix.pairs():
                matrix.entry(i, j)  # which may contradict an assumed value
            return matrix.is_in_family(kind.family)
        value = matrix.entry(1, 1)
        number = v.whole(value)
        match kind:
            case S.Dimension():
                return number is not None and number >= 1
            case S.IndexOf(size):
                return number is not None and 1 <= number <= self.evaluator.dim(size)
            case S.Integer():
                return number is not None
            case S.Real():
                return True
            case S.Positive():
                return v.sign_of(value) > 0
            case S.Interval(low, high):
                return all(
                    _is_infinite(end) or v.compared(value, self.evaluator.parameter(end, 1, 1)) * side <= 0
                    for end, side in ((low, -1), (high, 1))
                )
        raise Rejected("outside", f"a value of the kind {type(kind).__name__}")

    # Assumptions

    def _check_assumption(self, fact: N.Fact) -> None:
        if self._is_by_decree(fact) or (isinstance(fact, N.Independent) and self._is_declared(fact)):
            return
        if not isinstance(fact, N.Relation | N.Within | N.ForAll):
            raise Rejected("outside", f"an assumption that is no relation: {type(fact).__name__}")
        for _ in self._outcomes(fact):
            try:
                broken = self.relations.broken(fact)
            except Rejected as rejected:
                if rejected.reason != "undefined":
                    raise
                raise Rejected("not-allowed", f"an assumption has no value: {rejected.words}") from rejected
            if broken is not None:
                raise Rejected("not-allowed", f"an assumption is false: {broken.words}")

    def _is_declared(self, fact: N.Independent) -> bool:
        """Distinct random symbols are independent, and so is what is made of them."""
        shared = self.context.reach(fact.left) & self.context.reach(fact.right)
        return not any(map(self.context.is_random, shared)) and self.context.layers is None

    def _outcomes(self, fact: N.Fact) -> Iterator[None]:
        """An assumption about what has a chosen law is looked at where each outcome is: true at all of them,
        it says nothing more of that law."""
        evaluator = self.evaluator
        found = frozenset[str]().union(*(draws(self.context, part) for part in children(fact)))
        chosen = frozenset(found - evaluator.given.keys())
        if not chosen or not chosen <= evaluator.chosen.keys():
            yield
            return
        root = evaluator.root
        try:
            for scope, _ in evaluator.means.outcomes(root, chosen):
                evaluator.root = scope
                yield
        finally:
            evaluator.root = root

    def _is_by_decree(self, fact: N.Fact) -> bool:
        """`name == value` where the name takes just this value: a symbol is of its kind there, and the value
        of a `let` name is looked at wherever the name stands."""
        match fact:
            case N.Relation("==", N.Let(name, _), value):
                return self.evaluator.held.get(name) == value
            case N.Relation("==", N.Symbol(name), value) if name not in self.context.where:
                self.relations.require_value(value)
                return self.evaluator.replaced.get(name) == value
        return False


def _position(declared: S.Declared, place: tuple[int, int, int]) -> tuple[int, ...]:
    """The place as a position of the core form, which leaves out axes of size 1."""
    one = Dim.of(1)
    present = (declared.copies is not None, declared.shape.rows != one, declared.shape.cols != one)
    return tuple(number for number, there in zip(place, present, strict=True) if there)


def _is_infinite(node: N.Node) -> bool:
    return isinstance(node, N.Infinity) or (isinstance(node, N.Negate) and isinstance(node.arg, N.Infinity))
