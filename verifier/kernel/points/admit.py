"""Whether a context allows a point: shapes and kinds, laws, assumptions."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr import symbols as S
from verifier.expr.dims import SCALAR, Dim
from verifier.kernel.context import Context
from verifier.kernel.points import values as v
from verifier.kernel.points.data import Raw
from verifier.kernel.points.evaluate import Evaluator, Table
from verifier.kernel.points.laws import Chosen, is_psd
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
        copies = (value,) if declared.copies is None else value
        if not isinstance(copies, tuple):
            raise Rejected("data", f"{name} is a family: a list of its copies")
        found[name] = {
            (number, i, j): entry
            for number, copy in enumerate(copies, 1)
            for (_, i, j), entry in _table(declared, copy).items()
        }
    return found


def chosen_laws(context: Context, raw: Mapping[str, list[tuple[Fraction, Raw]]]) -> dict[str, Chosen]:
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
        found[name] = tuple((v.rational(chance), _table(shaped, value)) for chance, value in outcomes)
    return found


def _table(declared: S.Declared, value: Raw) -> Table:
    rows = enumerate(_rows(declared, value), 1)
    return {(1, i, j): entry for i, row in rows for j, entry in enumerate(row, 1)}


def _rows(declared: S.Declared, value: Raw) -> Rows:
    if not isinstance(value, tuple):
        if not declared.shape.is_scalar:
            raise Rejected("data", f"{declared.name} is a matrix: a list of its rows")
        return [[v.rational(value)]]
    found: Rows = []
    for row in value:
        if not isinstance(row, tuple) or any(isinstance(entry, tuple) for entry in row):
            raise Rejected("data", f"{declared.name} is a matrix: a list of its rows")
        found.append([v.rational(entry) for entry in row if not isinstance(entry, tuple)])
    return found


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
        copies, height, width = self.evaluator.size(declared)
        if set(self.evaluator.given[declared.name]) != set(places(copies, height, width)):
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
            for place, value in self.evaluator.given[declared.name].items():
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
        copies, height, width = self.evaluator.size(declared)
        for copy in range(1, (copies or 1) + 1):
            matrix = [
                [self._entry(declared, (copy, i, j)) for j in range(1, width + 1)]
                for i in range(1, height + 1)
            ]
            if not self._is_of_kind(declared.kind, matrix):
                raise Rejected("not-allowed", f"{name} is not as declared")

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

    def _is_of_kind(self, kind: S.Kind, matrix: Rows) -> bool:
        number = v.whole(matrix[0][0])
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
                return v.sign_of(matrix[0][0]) > 0
            case S.Interval(low, high):
                return all(
                    _is_infinite(end)
                    or v.compared(matrix[0][0], self.evaluator.parameter(end, 1, 1)) * side <= 0
                    for end, side in ((low, -1), (high, 1))
                )
            case S.FixedMatrix(family):
                return _is_in_family(family, matrix)
        raise Rejected("outside", f"a value of the kind {type(kind).__name__}")

    # Assumptions

    def _check_assumption(self, fact: N.Fact) -> None:
        if self._is_by_decree(fact):
            return
        if not isinstance(fact, N.Relation | N.Within | N.ForAll):
            raise Rejected("outside", f"an assumption that is no relation: {type(fact).__name__}")
        try:
            broken = self.relations.broken(fact)
        except Rejected as rejected:
            if rejected.reason != "undefined":
                raise
            raise Rejected("not-allowed", f"an assumption has no value: {rejected.words}") from rejected
        if broken is not None:
            raise Rejected("not-allowed", f"an assumption is false: {broken.words}")

    def _is_by_decree(self, fact: N.Fact) -> bool:
        """`name == value` where the name takes just this value: a symbol is of its kind there, and the value
        of a `let` name is looked at wherever the name stands."""
        match fact:
            case N.Relation("==", N.Let(name, _), value):
                return self.evaluator.held[name] == value
            case N.Relation("==", N.Symbol(name), value) if name not in self.context.where:
                self.relations.require_value(value)
                return self.evaluator.replaced[name] == value
        return False


def _position(declared: S.Declared, place: tuple[int, int, int]) -> tuple[int, ...]:
    """The place as a position of the core form, which leaves out axes of size 1."""
    one = Dim.of(1)
    present = (declared.copies is not None, declared.shape.rows != one, declared.shape.cols != one)
    return tuple(number for number, there in zip(place, present, strict=True) if there)


def _is_infinite(node: N.Node) -> bool:
    return isinstance(node, N.Infinity) or (isinstance(node, N.Negate) and isinstance(node.arg, N.Infinity))


def _is_in_family(family: str, matrix: Rows) -> bool:
    span = range(len(matrix))
    match family:
        case "matrix" | "vector":
            return True
        case "simplex":
            return _is_stochastic([[row[0] for row in matrix]])
        case "stochastic":
            return _is_stochastic(matrix)
        case "symmetric":
            return all(v.compared(matrix[i][j], matrix[j][i]) == 0 for i in span for j in range(i))
        case "psd":
            return is_psd(matrix)
        case "orthogonal":
            return all(
                v.compared(_inner(matrix[i], matrix[j]), v.ONE if i == j else v.ZERO) == 0
                for i in span
                for j in span
            )
    raise Rejected("outside", f"a matrix of the kind {family}")


def _is_stochastic(matrix: Rows) -> bool:
    ones = [v.ONE] * len(matrix[0])
    return all(
        v.compared(_inner(row, ones), v.ONE) == 0 and all(v.sign_of(x) >= 0 for x in row) for row in matrix
    )


def _inner(left: list[Value], right: list[Value]) -> Value:
    total = v.ZERO
    for x, y in zip(left, right, strict=True):
        total = v.plus(total, v.times(x, y))
    return total
