"""A counterexample made smaller, for a person to check by hand: fewer dimensions, then plainer entries.

Whoever found it, the smaller point is held against the relation as written, in exact or interval
arithmetic, and counts only where that says false. For many layers that takes too long: there it is held
against the closed forms that the engine found, if a layer has a value at every point as these do.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Claim, Step
from verifier.evidence import Finding, Grade
from verifier.exact.values.recheck import Rechecked, recheck
from verifier.expr.elaborate import elaborate
from verifier.expr.errors import ExprError, ShapeError
from verifier.expr.nodes import (
    After,
    Apply,
    Divide,
    Extreme,
    Growth,
    Limit,
    Node,
    Order,
    Power,
    Relation,
    RowWise,
    Symbol,
    Within,
)
from verifier.expr.symbols import Declared, Dimension, FixedMatrix
from verifier.expr.syntax import parse
from verifier.expr.walk import walk
from verifier.refute.confirm import Exact, exact_point
from verifier.timer import Overran, at_most, past, worked

SECONDS = 0.4
DENOMINATORS = (1, 2, 4, 10, 100, 1000)
Rows = tuple[tuple[Fraction, ...], ...]
Point = Mapping[str, Exact]
SIMPLE = tuple(Fraction(x) for x in ("0", "1", "-1", "2", "1/2", "-2", "3", "4", "5", "10", "20"))
PATTERNS: tuple[Callable[[int, int, int], Fraction], ...] = (
    lambda i, j, width: Fraction(0),
    lambda i, j, width: Fraction(i == j == 0),
    lambda i, j, width: Fraction(i == j),
    lambda i, j, width: Fraction(j == 0),
    lambda i, j, width: Fraction(1),
    lambda i, j, width: Fraction(-1),
    lambda i, j, width: Fraction(1, width),
    lambda i, j, width: Fraction(1 + i + j),  # a spread, and a spread about a large mean
    lambda i, j, width: Fraction(3 + i + j),
)


def smaller(claim: Claim, step: Step, finding: Finding) -> Finding:
    """The finding with a smaller counterexample, where one is found in a moment."""
    example = finding.counterexample
    if finding.truth != "false" or finding.grade not in ("proved", "certified") or example is None:
        return finding
    if any(isinstance(node, Growth | Order | Extreme | Limit) for node in walk(step.fact)):
        return finding
    # The place of an entry is no symbol, and a smaller point may break the relation elsewhere.
    point = exact_point({name: value for name, value in example.values.items() if name in claim.symbols})
    if point is None or not all(_is_plain(claim.symbols.get(name)) for name in point):
        return finding
    best: list[Rechecked] = []
    try:
        with at_most(SECONDS):
            _shrink(claim, _checked(claim, step, finding), point, finding.grade, best)
    except (Overran, Exception):
        pass  # what was found until then is a counterexample all the same
    if not best or best[-1].counterexample is None:
        return finding
    return replace(finding, grade=best[-1].grade, counterexample=best[-1].counterexample)


def _is_plain(declared: Declared | None) -> bool:
    return declared is not None and declared.copies is None


def _checked(claim: Claim, step: Step, finding: Finding) -> Relation | Within:
    """The relation as written; for layers that between closed forms, where the finding has both."""
    fact = step.fact
    layered = any(isinstance(node, After) for node in walk(fact)) and _is_total(claim)
    if not layered or not isinstance(fact, Relation) or finding.lhs is None or finding.rhs is None:
        return fact
    try:
        left, right = (elaborate(parse(side), claim.scope) for side in (finding.lhs, finding.rhs))
    except (ExprError, ShapeError):
        return fact
    return Relation(fact.op, left, right)


def _is_total(claim: Claim) -> bool:
    """Whether a layer is made of sums, products, softmax and functions that have a value everywhere."""
    if claim.layers is None:
        return False
    symbols = {declared.name for declared in claim.layers.symbols} | {claim.layers.state.name}

    def varies(node: Node) -> bool:
        return any(isinstance(part, Symbol) and part.name in symbols for part in walk(node))

    for node in walk(claim.layers.next):
        match node:
            case RowWise("rmsnorm" | "layernorm"):
                return False
            case Apply("log" | "sqrt" | "asin" | "acos", (part,)) | Divide(_, part) | Power(part):
                if varies(part):
                    return False
    return True


def _shrink(claim: Claim, fact: Relation | Within, point: Point, grade: Grade, best: list[Rechecked]) -> None:
    """Go down from success to success, the evidence never weaker; each is put at the end of `best`."""
    deadline = worked() + SECONDS
    improved = True
    while improved and not past(deadline):
        improved = False
        for candidate in _candidates(claim, point):
            if _cost(claim, candidate) >= _cost(claim, point):
                continue
            checked = recheck(claim, fact, candidate)
            if checked.outcome == "false" and (checked.grade == grade or grade != "proved"):
                best.append(checked)
                point, improved = candidate, True
                break


def _cost(claim: Claim, point: Point) -> tuple[int, int, int]:
    """Fewest dimensions first, then few nonzero entries, then small numerators and denominators."""
    sizes = [value for name, value in point.items() if _is_size(claim, name)]
    numbers = [x for name, value in point.items() if not _is_size(claim, name) for x in _numbers(value)]
    weight = sum(4 * (abs(x.numerator) + 3 * (x.denominator - 1)) + (x < 0) for x in numbers)
    return int(sum(_numbers(tuple(sizes)))), sum(1 for x in numbers if x != 0), weight


def _numbers(value: Exact) -> list[Fraction]:
    return [value] if isinstance(value, Fraction) else [x for item in value for x in _numbers(item)]


def _is_size(claim: Claim, name: str) -> bool:
    return isinstance(claim.symbols[name].kind, Dimension)


def _candidates(claim: Claim, point: Point) -> Iterator[dict[str, Exact]]:
    yield from _fewer(claim, point)
    for most in DENOMINATORS:
        yield {name: _rounded(claim.symbols[name], value, most) for name, value in point.items()}
    for name, value in point.items():
        if _is_size(claim, name):
            continue
        if isinstance(value, Fraction):
            yield from ({**point, name: plain} for plain in SIMPLE)
        else:
            shape = len(value), len(value[0])  # type: ignore[arg-type]
            yield from ({**point, name: _filled(pattern, *shape)} for pattern in PATTERNS)
            yield from ({**point, name: rows} for rows in _plainer_rows(value))  # type: ignore[arg-type]


def _plainer_rows(rows: Rows) -> Iterator[Rows]:
    """One row after the other: all of its sum in one place, which keeps a probability vector one, or 0."""
    for at, row in enumerate(rows):
        whole = sum(row, start=Fraction(0))
        units = (tuple(whole if j == k else Fraction(0) for j in range(len(row))) for k in range(len(row)))
        for plain in (*units, tuple(Fraction(0) for _ in row)):
            yield (*rows[:at], plain, *rows[at + 1 :])


def _fewer(claim: Claim, point: Point) -> Iterator[dict[str, Exact]]:
    """Smaller sizes, the smallest first; matrices are cut, or those that are cut are filled anew."""
    for name, size in point.items():
        if not _is_size(claim, name) or not isinstance(size, Fraction):
            continue
        for less in range(1, int(size)):
            sizes = {**point, name: Fraction(less)}
            whole = {x: int(v) for x, v in sizes.items() if _is_size(claim, x) and isinstance(v, Fraction)}
            for pattern in (None, *PATTERNS):
                yield {x: _cut(claim.symbols[x], value, whole, pattern) for x, value in sizes.items()}


def _rounded(declared: Declared, value: Exact, most: int) -> Exact:
    """The nearest fractions with small denominators: 0.00999999 is 1/100. Probabilities keep their sum: the
    largest takes what is left."""
    if isinstance(value, Fraction):
        return value.limit_denominator(most)
    rows = [[x.limit_denominator(most) for x in row] for row in value]  # type: ignore[union-attr]
    match declared.kind:
        case FixedMatrix("stochastic"):
            return tuple(tuple(_summing_to_one(row)) for row in rows)
        case FixedMatrix("simplex"):
            return tuple((x,) for x in _summing_to_one([row[0] for row in rows]))
    return tuple(map(tuple, rows))


def _summing_to_one(row: list[Fraction]) -> list[Fraction]:
    largest = max(range(len(row)), key=lambda at: row[at])
    rest = sum(row[:largest] + row[largest + 1 :], start=Fraction(0))
    return [1 - rest if at == largest else x for at, x in enumerate(row)]


def _cut(
    declared: Declared,
    value: Exact,
    sizes: Mapping[str, int],
    pattern: Callable[[int, int, int], Fraction] | None,
) -> Exact:
    if isinstance(value, Fraction):
        return value
    height, width = declared.shape.rows.at(sizes), declared.shape.cols.at(sizes)
    if (height, width) == (len(value), len(value[0])):  # type: ignore[arg-type]
        return value
    if pattern is not None:
        return _filled(pattern, height, width)
    match declared.kind:
        case FixedMatrix("simplex"):
            column = _folded([row[0] for row in value], height)  # type: ignore
            return tuple((entry,) for entry in column)
        case FixedMatrix("stochastic"):
            return tuple(_folded(row, width) for row in value[:height])  # type: ignore[arg-type]
    return tuple(row[:width] for row in value[:height])  # type: ignore[index]


def _folded(row: Sequence[Fraction], width: int) -> tuple[Fraction, ...]:
    """A shorter row of the same sum: the last entry takes what is cut off."""
    return (*row[: width - 1], sum(row[width - 1 :], start=Fraction(0)))


def _filled(pattern: Callable[[int, int, int], Fraction], height: int, width: int) -> Rows:
    """Columns are filled like rows."""
    turned = width == 1 < height
    across = height if turned else width
    return tuple(
        tuple(pattern(j, i, across) if turned else pattern(i, j, across) for j in range(width))
        for i in range(height)
    )
