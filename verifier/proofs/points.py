"""A counterexample as data of the rule `point`: what an engine shows, completed to a point of the kernel."""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice

from verifier.claim.model import Claim
from verifier.evidence import InWords
from verifier.expr.nodes import Number
from verifier.expr.symbols import (
    Dimension,
    FixedMatrix,
    IndexOf,
    Integer,
    Interval,
    Positive,
    Real,
)
from verifier.kernel.points.alike import PARTS
from verifier.proofs.open_laws import Functions, Laws, chosen_laws, shown_functions, shown_laws
from verifier.proofs.statement import context_of

Data = dict[str, object]
SURD = re.compile(r"(-?)(?:(\d+)\*)?sqrt\((\d+(?:/\d+)?)\)(?:/(\d+))?", re.ASCII)


def data_of(claim: Claim, values: Mapping[str, object]) -> Iterator[Data]:
    """Candidates for the data: as shown, then with simple values of symbols that are not shown, and simple
    laws of those of which only moments are known; the same at smaller sizes."""
    shown = {name: exact for name, value in values.items() if (exact := _read(value)) is not None}
    yield from _completions(claim, shown)
    for smaller in _smaller(claim, shown):
        yield from islice(_completions(claim, {**shown, **smaller}), 2)


def _smaller(claim: Claim, shown: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """Sizes at 1, each alone and all, that no matrix which is shown depends on."""
    tables = [item for name, item in claim.symbols.items() if isinstance(shown.get(name), list)]
    tied = frozenset[str]().union(*(item.shape.rows.names | item.shape.cols.names for item in tables))
    free = [
        name
        for name, item in claim.symbols.items()
        if isinstance(item.kind, Dimension) and name not in tied and shown.get(name, 1) != 1
    ]
    yield from ({name: Fraction(1)} for name in free)
    if len(free) > 1:
        yield dict.fromkeys(free, Fraction(1))


def _completions(claim: Claim, shown: Mapping[str, object]) -> Iterator[Data]:
    laws = shown_laws(claim, shown)
    functions = shown_functions(claim, shown, _sizes(claim, shown))
    given = laws.keys() | functions.keys() | context_of(claim).replaced.keys() | claim.where.keys()
    known = _names(claim) - given
    point = {name: value for name, value in shown.items() if name in known}
    yield _written(point, laws, functions)
    for others in ("middle", "end"):
        full = _completed(claim, point, laws, others)
        made = shown_functions(claim, shown, _sizes(claim, full))
        if full != point or made != functions:
            yield _written(full, laws, made)
        for chosen in chosen_laws(claim, {name: _text(value) for name, value in full.items()}, laws):
            yield _written(full, chosen, made)


def _read(value: object) -> object | None:
    """A number, exact or as a root; lists of them; the parts of a matrix in words."""
    if isinstance(value, InWords):
        return dict(value.parts)
    found = exactly(value)
    if found is None and isinstance(value, str) and (match := SURD.fullmatch(value)) is not None:
        sign, factor, inside, below = match.groups()
        return f"{sign}sqrt({Fraction(inside) * (Fraction(factor or 1) / int(below or 1)) ** 2})"
    return found


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


def _sizes(claim: Claim, point: Mapping[str, object]) -> dict[str, int]:
    numbers = {**claim.where, **{k: v for k, v in point.items() if isinstance(v, Fraction)}}
    sizes = {name: int(value) for name, value in numbers.items() if value.denominator == 1}
    same = {name: dim for name, dim in claim.dims.items() if dim.names <= sizes.keys()}
    return {**sizes, **{name: dim.at(sizes) for name, dim in same.items()}}


def _completed(
    claim: Claim, point: Mapping[str, object], laws: Mapping[str, object], others: str
) -> dict[str, object]:
    """Every symbol that is not shown at 1, or in the middle or at the end of its interval; a simple matrix of
    its kind."""
    full = dict(point)
    given = {*claim.where, *context_of(claim).replaced, *laws, *claim.dims}
    missing = {name: item for name, item in claim.symbols.items() if name not in full and name not in given}
    for name, declared in missing.items():
        if isinstance(declared.kind, Dimension | Positive | Real | Integer | IndexOf):
            full[name] = Fraction(1)
        elif isinstance(declared.kind, Interval):
            full[name] = _inside(declared.kind, others)
    sizes = _sizes(claim, full)
    for name, declared in missing.items():
        rows, cols = declared.shape.rows, declared.shape.cols
        if isinstance(declared.kind, FixedMatrix) and (rows.names | cols.names) <= sizes.keys():
            found = _simple(declared.kind.family, rows.at(sizes), cols.at(sizes))
            full[name] = {part: str(entry) for part, entry in zip(PARTS, found, strict=True)}
    return full


def _inside(kind: Interval, others: str) -> Fraction:
    match kind.low, kind.high:
        case Number(low), Number(high):
            return high if others == "end" else (low + high) / 2
        case Number(low), _:
            return low + 1
    return Fraction(1)


def _simple(family: str, rows: int, cols: int) -> tuple[Fraction | int, ...]:
    """A matrix by the parts of a pattern: equal entries, or the identity."""
    match family:
        case "simplex":
            return (Fraction(1, rows),) * 5
        case "stochastic":
            return (Fraction(1, cols),) * 5
        case "symmetric" | "psd" | "orthogonal":
            return 1, 0, 0, 1, 0
    return (1,) * 5


def _written(point: Mapping[str, object], laws: Laws, functions: Functions) -> Data:
    data = {"point": {name: _text(value) for name, value in point.items()}}
    chosen = {"laws": dict(laws), "functions": dict(functions)}
    return {**data, **{key: value for key, value in chosen.items() if value}}


def _text(value: object) -> object:
    if isinstance(value, dict):
        return value
    return [_text(item) for item in value] if isinstance(value, list) else str(value)
