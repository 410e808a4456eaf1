"""A counterexample as data of the rule `point`: what an engine shows, completed to a point of the kernel."""

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.expr.symbols import (
    AnyLaw,
    Declared,
    Dimension,
    FixedMatrix,
    Iid,
    IndexOf,
    Integer,
    Positive,
    Real,
)
from verifier.proofs.statement import context_of

Data = dict[str, object]
Entries = Callable[[int, int], Fraction | int]


def data_of(claim: Claim, values: Mapping[str, object]) -> Iterator[Data]:
    """Candidates for the data: as shown, then with simple values of symbols that are not shown."""
    shown = {name: exact for name, value in values.items() if (exact := exactly(value)) is not None}
    laws = dict(_laws(claim, shown))
    known = _names(claim) - laws.keys() - context_of(claim).replaced.keys() - claim.where.keys()
    point = {name: value for name, value in shown.items() if name in known}
    yield _written(point, laws)
    full = _completed(claim, {**_patterns(claim, values, point), **point}, laws)
    if full != point:
        yield _written(full, laws)


def exactly(value: object) -> Fraction | list[object] | None:
    """A number or nested lists of numbers; None for what is neither."""
    match value:
        case bool():
            return None
        case int() | float() | Fraction() | str():
            try:
                return Fraction(value)
            except (ValueError, OverflowError, ZeroDivisionError):
                return None
        case list() | tuple():
            items = [exactly(item) for item in value]
            return None if None in items else list(items)
    return None


def _names(claim: Claim) -> set[str]:
    layered = {symbol.name for symbol in claim.layers.symbols} if claim.layers else set()
    return {*claim.symbols, *layered}


def _laws(claim: Claim, shown: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """A symbol whose law is open, a step to either side of a centre with equal chances, or at one value."""
    for name, declared in claim.symbols.items():
        if not isinstance(declared.kind, AnyLaw | Iid):
            continue
        centre, step = shown.get(f"{name}_centre"), shown.get(f"{name}_step")
        if step is not None:
            centre = centre if centre is not None else _combined(step, step, -1)
            yield name, [["1/2", _text(_combined(centre, step, sign))] for sign in (1, -1)]
        elif (centre := centre if centre is not None else shown.get(name)) is not None:
            yield name, [["1", _text(centre)]]


def _combined(left: object, right: object, sign: int) -> object:
    """left + sign*right, entry by entry."""
    if isinstance(left, list) and isinstance(right, list):
        return [_combined(a, b, sign) for a, b in zip(left, right, strict=True)]
    assert isinstance(left, Fraction)
    assert isinstance(right, Fraction)
    return left + sign * right


def _sizes(claim: Claim, point: Mapping[str, object]) -> dict[str, int]:
    numbers = {**claim.where, **{k: v for k, v in point.items() if isinstance(v, Fraction)}}
    sizes = {name: int(value) for name, value in numbers.items() if value.denominator == 1}
    same = {name: dim for name, dim in claim.dims.items() if dim.names <= sizes.keys()}
    return {**sizes, **{name: dim.at(sizes) for name, dim in same.items()}}


def _patterns(claim: Claim, values: Mapping[str, object], point: Mapping[str, object]) -> dict[str, object]:
    """Matrices that are shown in words, since they are alike at every size."""
    sizes = _sizes(claim, point)
    found: dict[str, object] = {}
    for name, words in values.items():
        if isinstance(words, str) and name in claim.symbols and name not in point:
            factor, _, pattern = words.rpartition(" times ")
            shape = claim.symbols[name].shape
            times = exactly(factor) if factor else Fraction(1)
            if (shape.rows.names | shape.cols.names) <= sizes.keys() and isinstance(times, Fraction):
                rows, cols = shape.rows.at(sizes), shape.cols.at(sizes)
                entry = PATTERNS.get(pattern) or _peak(pattern, rows, cols)
                if entry is not None and rows * cols <= MOST_ENTRIES:
                    found[name] = [[times * entry(i, j) for j in range(cols)] for i in range(rows)]
    return found


def _peak(words: str, rows: int, cols: int) -> Entries | None:
    """A probability vector, or the rows of a stochastic matrix, with one large entry and equal others."""
    match = re.fullmatch(r"a peak of (\d+(?:/\d+)?)( in column 1)?", words)
    others = (cols if match and match[2] else rows) - 1
    if match is None or others < 1:
        return None
    peak, in_rows = Fraction(match[1]), bool(match[2])
    return lambda i, j: peak if (j if in_rows else i) == 0 else (1 - peak) / others


MOST_ENTRIES = 4096
PATTERNS: dict[str, Entries] = {
    "zeros": lambda i, j: 0,
    "all ones": lambda i, j: 1,
    "the identity": lambda i, j: int(i == j),
    "every row e_1": lambda i, j: int(j == 0),
    "e_1, the other rows -e_1": lambda i, j: (1 if i == 0 else -1) if j == 0 else 0,
    "e_1 e_1'": lambda i, j: int(i == j == 0),
}


def _completed(claim: Claim, point: Mapping[str, object], laws: Mapping[str, object]) -> dict[str, object]:
    """Every symbol that is not shown at 1; a matrix of ones."""
    full = dict(point)
    given = {*claim.where, *context_of(claim).replaced, *laws, *claim.dims}
    for name, declared in claim.symbols.items():
        scalar = isinstance(declared.kind, Dimension | Positive | Real | Integer | IndexOf)
        if scalar and name not in full and name not in given:
            full[name] = Fraction(1)
    sizes = _sizes(claim, full)
    for name, declared in claim.symbols.items():
        if name not in full and name not in given and _is_plain(declared):
            shape = declared.shape
            if (shape.rows.names | shape.cols.names) <= sizes.keys():
                rows, cols = shape.rows.at(sizes), shape.cols.at(sizes)
                if rows * cols <= MOST_ENTRIES:
                    full[name] = [[Fraction(1)] * cols for _ in range(rows)]
    return full


def _is_plain(declared: Declared) -> bool:
    kind = declared.kind
    return isinstance(kind, FixedMatrix) and kind.family in ("matrix", "vector") and declared.copies is None


def _written(point: Mapping[str, object], laws: Mapping[str, object]) -> Data:
    data: Data = {"point": {name: _text(value) for name, value in point.items()}}
    return {**data, "laws": dict(laws)} if laws else data


def _text(value: object) -> object:
    return [_text(item) for item in value] if isinstance(value, list) else str(value)
