"""What declarations leave open, chosen for a point: laws of which only moments are stated, and functions."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from verifier.claim.mentioned_names import names_in
from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.symbols import AnyLaw, Function, Iid
from verifier.kernel.budget import Budget
from verifier.kernel.points import values as v
from verifier.kernel.points.admit import tables
from verifier.kernel.points.data import read_point
from verifier.kernel.points.evaluate import Evaluator
from verifier.kernel.points.outcomes import Undecided
from verifier.kernel.points.values import Value, precision
from verifier.kernel.rejected import Rejected
from verifier.proofs.statement import assumed, context_of

Matrix = list[list[Value]]
Laws = dict[str, object]
Functions = dict[str, object]


def shown_laws(claim: Claim, shown: Mapping[str, object]) -> Laws:
    """A symbol whose law is open, a step to either side of a centre with equal chances, or at one value."""
    found: Laws = {}
    for name, declared in claim.symbols.items():
        if not isinstance(declared.kind, AnyLaw | Iid):
            continue
        centre, step = shown.get(f"{name}_centre"), shown.get(f"{name}_step")
        if step is not None:
            centre = centre if centre is not None else _combined(step, step, -1)
            found[name] = [["1/2", _text(_combined(centre, step, sign))] for sign in (1, -1)]
        elif (centre := centre if centre is not None else shown.get(name)) is not None:
            found[name] = [["1", _text(centre)]]
    return found


def _combined(left: object, right: object, sign: int) -> object:
    """left + sign*right, entry by entry."""
    if isinstance(left, list) and isinstance(right, list):
        return [_combined(a, b, sign) for a, b in zip(left, right, strict=True)]
    assert isinstance(left, Fraction)
    assert isinstance(right, Fraction)
    return left + sign * right


def _text(value: object) -> object:
    return [_text(item) for item in value] if isinstance(value, list) else str(value)


def shown_functions(claim: Claim, shown: Mapping[str, object], sizes: Mapping[str, int]) -> Functions:
    """Functions by what is shown of their slopes and curves; others are 1 + the sum of y + y**2/2."""
    found: Functions = {}
    for name in sorted(names_in(claim) & claim.symbols.keys()):
        declared = claim.symbols[name]
        shape = declared.shape
        if not isinstance(declared.kind, Function):
            continue
        if not (shape.rows.names | shape.cols.names) <= sizes.keys():
            continue
        rows, cols = shape.rows.at(dict(sizes)), shape.cols.at(dict(sizes))
        told = [shown.get(f"{name}_{part}") for part in ("value", "slope", "curve")]
        default = 1 if told == [None] * 3 else 0
        value, *matrices = (default if part is None else part for part in told)
        slope, curve = (_filled(part, rows, cols) for part in matrices)
        found[name] = {"value": str(value), "slope": slope, "curve": curve}
    return found


def _filled(part: object, rows: int, cols: int) -> object:
    return _text(part) if isinstance(part, list) else [[str(part)] * cols for _ in range(rows)]


# --- laws of which moments are stated ------------------------------------------------------------------


@dataclass(frozen=True)
class _Open:
    """A symbol of which a mean and perhaps a covariance are stated, row by row; of Iid ones an entry."""

    width: int
    centre: list[Value]
    spread: Matrix | None

    def shaped(self, values: list[Value]) -> object:
        if not self.width:
            return str(values[0])
        texts = [str(value) for value in values]
        return [texts[at : at + self.width] for at in range(0, len(texts), self.width)]

    def surely(self) -> object:
        return [["1", self.shaped(self.centre)]]

    def at_one(self) -> object:
        return [["1", self.shaped([v.ONE for _ in self.centre])]]

    def with_signs(self) -> object:
        moved = ([v.plus(value, sign) for value in self.centre] for sign in (v.ONE, v.MINUS_ONE))
        return [["1/2", self.shaped(values)] for values in moved]

    def with_moments(self) -> object:
        """c +- sqrt(r*d_k)*l_k with chances 1/2r; the covariance is the sum of r matrices d_k l_k l_k'."""
        parts = [] if self.spread is None else _columns(self.spread)
        found: list[object] = []
        for pivot, column in parts:
            step = v.root(pivot * len(parts))
            for sign in (v.ONE, v.MINUS_ONE):
                steps = (v.times(sign, v.times(step, x)) for x in column)
                moved = [v.plus(c, x) for c, x in zip(self.centre, steps, strict=True)]
                found.append([f"1/{2 * len(parts)}", self.shaped(moved)])
        return found or self.surely()


def chosen_laws(claim: Claim, point: Mapping[str, object], known: Laws) -> Iterator[Laws]:
    """Laws of all that has none: with the covariance that is stated, else at its mean surely, at 1 or with
    fair signs beside it."""
    kinds = {name: item.kind for name, item in claim.symbols.items() if item.copies is None}
    names = [name for name, kind in kinds.items() if isinstance(kind, AnyLaw | Iid) and name not in known]
    if not names:
        return
    with suppress(Rejected, Undecided), precision(None):
        reading = _Reading(claim, point)
        found = {name: reading.of(name) for name in names}
        spread = {name: item.with_moments() for name, item in found.items() if item.spread is not None}
        for choose in (_Open.surely, _Open.at_one, _Open.with_signs):
            yield {**{name: choose(item) for name, item in found.items()}, **spread, **known}


class _Reading:
    """What declarations and assumptions say of means and covariances, as numbers at a point."""

    def __init__(self, claim: Claim, point: Mapping[str, object]) -> None:
        self.claim, context = claim, context_of(claim)
        self.evaluator = Evaluator(context, tables(context, read_point(point)), Budget())

    def of(self, name: str) -> _Open:
        declared = self.claim.symbols[name]
        kind, width, height = (
            declared.kind,
            *map(self.evaluator.dim, (declared.shape.cols, declared.shape.rows)),
        )
        assert isinstance(kind, AnyLaw | Iid)
        count = 1 if isinstance(kind, Iid) else width * height
        width = 0 if isinstance(kind, Iid) or declared.shape.is_scalar else width
        centre = [v.ZERO] * count if kind.mean is None else self._entries(kind.mean, count)
        spread = self._square(kind.var, count) if isinstance(kind, Iid) and kind.var is not None else None
        for fact in assumed(self.claim).values():
            match fact:
                case N.Relation("==", N.Expectation(N.Symbol(other), ()), value) if other == name:
                    centre = self._entries(value, count)
                case N.Relation("==", N.Covariance(N.Symbol(a), N.Symbol(b)), value) if a == b == name:
                    spread = self._square(value, count)
                case N.Relation("==", N.Variance(N.Symbol(other)), value) if other == name:
                    spread = self._square(value, count)
                case N.Relation("==", N.Expectation(body, ()), value) if _is_square(body, name):
                    spread = _minus_square(self._square(value, count), centre)
        return _Open(width, centre, spread)

    def _square(self, node: N.Node, count: int) -> Matrix:
        """A covariance; the same variance for all where one number is stated."""
        if node.shape.is_scalar:
            (value,) = self._entries(node, 1)
            return [[value if i == j else v.ZERO for j in range(count)] for i in range(count)]
        found = self._entries(node, count * count)
        return [found[i * count : (i + 1) * count] for i in range(count)]

    def _entries(self, node: N.Node, count: int) -> list[Value]:
        if node.shape.is_scalar:
            return [self.evaluator.parameter(node, 1, 1)] * count
        height, width = (self.evaluator.dim(size) for size in (node.shape.rows, node.shape.cols))
        places = product(range(1, height + 1), range(1, width + 1))
        return [self.evaluator.parameter(node, i, j) for i, j in places]


def _minus_square(matrix: Matrix, centre: list[Value]) -> Matrix:
    pairs = zip(matrix, centre, strict=True)
    return [[v.minus(x, v.times(a, b)) for x, b in zip(row, centre, strict=True)] for row, a in pairs]


def _is_square(body: N.Node, name: str) -> bool:
    """x x' of a column, or the square of a number."""
    match body:
        case N.MatMul(N.Symbol(a), N.Transpose(N.Symbol(b))) | N.Multiply(N.Symbol(a), N.Symbol(b)):
            return a == b == name
        case N.Power(N.Symbol(a), N.Number(power)):
            return a == name and power == 2
    return False


def _columns(matrix: Matrix) -> list[tuple[Value, list[Value]]]:
    """C = sum of pivot * column column', exactly."""
    rest, found = matrix, []
    for k in range(len(rest)):
        pivot = rest[k][k]
        if v.is_zero(pivot):
            continue
        column = [v.times(row[k], v.inverse(pivot)) for row in rest]
        found.append((pivot, column))
        rest = [
            [v.minus(x, v.times(pivot, v.times(a, b))) for x, b in zip(row, column, strict=True)]
            for row, a in zip(rest, column, strict=True)
        ]
    return found
