"""Natural extra conditions on the symbols of a claim, and whether a point meets them.

n >= 2   x != 0   norm(X.T @ ones(n)) > 0   s <= 1   norm(W, 2) <= 1   i == k   n == m
"""

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from typing import Literal

from verifier.claim.model import Claim
from verifier.expr.nodes import Number
from verifier.expr.symbols import Declared, Dimension, FixedMatrix, IndexOf, Interval, Positive, Real
from verifier.refute.confirm import Exact

Form = Literal["value", "norm", "spectral", "columns", "rows"]

_COMPARE: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
    "==": operator.eq,
}
BOUNDED = ("simplex", "stochastic", "orthogonal")  # by what they are
_DIGITS = 10**9


@dataclass(frozen=True)
class Condition:
    """A symbol, or a norm of it, compared with a number or another symbol.

    `columns` is the norm of X.T @ ones(n), the sums of the columns; `rows` that of X @ ones(m)."""

    name: str
    op: str
    bound: Fraction | str
    form: Form = "value"
    sides: tuple[str, str] = ("", "")  # of a matrix, as they are written
    copies: str = ""  # how many there are of a family, each of which is meant
    against: Literal["value", "square", "squared norm"] = "value"  # what of the symbol on the right

    def __str__(self) -> str:
        one = f"{self.name}[copy]" if self.copies else self.name
        rows, cols = self.sides
        left = {
            "value": one,
            "norm": f"norm({one})",
            "spectral": f"norm({one}, 2)",
            "columns": f"norm({one}.T @ ones({rows}))",
            "rows": f"norm({one} @ ones({cols}))",
        }[self.form]
        right = {
            "value": f"{self.bound}",
            "square": f"{self.bound}**2",
            "squared norm": f"norm({self.bound})**2",
        }[self.against]
        text = f"{left} {self.op} {right}"
        return f"all({text}, copy, 1, {self.copies})" if self.copies else text

    def may_exclude(self, point: Mapping[str, Exact]) -> bool:
        """Whether it rules the point out, as far as the point says: of a pattern it is not known how large it
        is, but few are zero. Norms are compared with 0 and 1, so their squares will do."""
        value = point.get(self.name)
        right = self._right(point)
        if value is None or right is None or self.copies:
            return self.op == "<="
        if self.form == "value" and isinstance(value, tuple):
            # A symbol that grows: it is ruled out with all that it takes.
            return all(self._fails(item, right) for item in value)
        return self._fails(_measured(self.form, value), right)

    def _right(self, point: Mapping[str, Exact]) -> Exact | None:
        found = point.get(self.bound) if isinstance(self.bound, str) else self.bound
        if found is None or self.against == "value":
            return found
        return _measured("norm", found)  # of a number, its square

    def _fails(self, left: Exact, right: Exact) -> bool:
        if isinstance(left, tuple) or isinstance(right, tuple):
            return False
        return not _COMPARE[self.op](left, Fraction(right))


def _measured(form: Form, value: Exact) -> Exact:
    """A number, or the square of a norm of rows."""
    rows = [_entries(row) for row in value] if isinstance(value, tuple) else [[value]]
    match form:
        case "value":
            return value
        case "norm":
            return _squares(x for row in rows for x in row)
        case "columns":
            return _squares(sum(column) for column in zip(*rows, strict=True))
        case "rows":
            return _squares(sum(row) for row in rows)
        case "spectral":
            # Loaded in the worker alone, like the engines.
            import numpy as np

            largest = float(np.linalg.norm(np.array(rows, dtype=float), 2))
            return Fraction(round(largest * _DIGITS), _DIGITS)


def _squares(values: Iterator[Fraction | int]) -> Fraction:
    return sum((Fraction(value) ** 2 for value in values), Fraction(0))


def _entries(value: Exact) -> list[Fraction]:
    return [x for part in value for x in _entries(part)] if isinstance(value, tuple) else [value]


def conditions(
    claim: Claim, broken_at: Mapping[str, object], indices_first: bool
) -> Iterator[tuple[Condition, ...]]:
    """Conditions on the symbols that a counterexample speaks of, weaker ones first; several hold together.

    Indices come first where nothing is known of other points: one that is printed for another is soon proved
    to be that, and the others may take all the time."""
    settled = {*claim.where, *(symbol.name for symbol in claim.growing)}
    symbols = {name: claim.symbols[name] for name in broken_at if name in claim.symbols.keys() - settled}
    sizes = _of(symbols, Dimension)
    reals = _of(symbols, Real, Interval)
    shares = [name for name in reals if _starts_at_zero(symbols[name])]
    scales = _of(symbols, Positive)
    vectors = [symbol.name for symbol, family in _families(symbols) if family == "vector"]
    equal = list(_equal_indices(symbols))
    indices = [*((condition,) for condition in equal), *combinations(equal, 2)]
    yield from ((condition,) for condition in _nonzero(symbols))
    if indices_first:
        yield from indices
    for group in (
        (Condition(name, ">=", Fraction(2)) for name in sizes),
        (Condition(name, "!=", Fraction(0)) for name in reals),
        _compared([name for name in reals if name not in shares], (">=", 0), (">", 0), ("<=", 0)),
        _compared(shares, (">", 0)),
        _compared(reals, ("<=", 1)),
        _compared(scales, ("<=", 1), (">=", 1)),
        (Condition(a, op, b) for op in ("<=", ">=") for a, b in combinations([*scales, *shares], 2)),
        (Condition(a, "<=", b, against="square") for a, b in permutations(scales, 2)),
        (Condition(a, "<=", v, against="squared norm") for a in scales for v in vectors),
        _bounded(symbols),
        (Condition(a, op, b) for op in ("<=", ">=", "==") for a, b in combinations(sizes, 2)),
    ):
        yield from ((condition,) for condition in group)
    if not indices_first:
        yield from indices
    for group in (
        _compared([*scales, *sizes], ("==", 1)),
        (_matrix(symbol, "norm", "==", 1) for symbol, family in _families(symbols) if family not in BOUNDED),
        _compared(reals, ("==", 0)),
    ):
        yield from ((condition,) for condition in group)


def _of(symbols: Mapping[str, Declared], *kinds: type) -> list[str]:
    return [name for name, symbol in symbols.items() if isinstance(symbol.kind, kinds)]


def _families(symbols: Mapping[str, Declared]) -> Iterator[tuple[Declared, str]]:
    """The fixed matrices, each with its class."""
    for symbol in symbols.values():
        if isinstance(symbol.kind, FixedMatrix):
            yield symbol, symbol.kind.family


def _starts_at_zero(symbol: Declared) -> bool:
    """That such a number is at most 0 says that it is 0."""
    match symbol.kind:
        case Interval(Number(low)):
            return low == 0
    return False


def _compared(names: list[str], *bounds: tuple[str, int]) -> Iterator[Condition]:
    return (Condition(name, op, Fraction(bound)) for op, bound in bounds for name in names)


def _nonzero(symbols: Mapping[str, Declared]) -> Iterator[Condition]:
    """A matrix that is not zero, whose rows do not sum to zero, whose columns do not."""
    forms: tuple[Form, ...] = ("norm", "columns", "rows")
    for form in forms:
        for symbol, family in _families(symbols):
            is_plain = symbol.copies is None and family in ("matrix", "symmetric", "psd")
            if is_plain or (family == "vector" and form == "norm"):
                yield _matrix(symbol, form, ">", 0)


def _bounded(symbols: Mapping[str, Declared]) -> Iterator[Condition]:
    """A matrix of spectral norm at most 1, or of norm at most 1; each member of a family."""
    families = [(symbol, family) for symbol, family in _families(symbols) if family not in BOUNDED]
    yield from (_matrix(symbol, "spectral", "<=", 1) for symbol, family in families if family == "matrix")
    yield from (_matrix(symbol, "norm", "<=", 1) for symbol, _ in families)


def _matrix(symbol: Declared, form: Form, op: str, bound: int) -> Condition:
    sides = (str(symbol.shape.rows), str(symbol.shape.cols))
    copies = "" if symbol.copies is None else str(symbol.copies)
    return Condition(symbol.name, op, Fraction(bound), form, sides, copies)


def _equal_indices(symbols: Mapping[str, Declared]) -> Iterator[Condition]:
    """Two indices of one range: often one was meant where the other is printed."""
    for a, b in combinations(_of(symbols, IndexOf), 2):
        if symbols[a].kind == symbols[b].kind:
            yield Condition(a, "==", b)
