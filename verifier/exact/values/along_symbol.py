"""Both sides of a relation along one of its symbols, as numbers for a picture; no verdict rests on it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite

from flint import ctx

from verifier.claim.model import Claim
from verifier.evidence import Curve
from verifier.exact.numbers.constants import enclose
from verifier.exact.numbers.refusals import Refusal
from verifier.exact.values.evaluate import Evaluator
from verifier.exact.values.point_context import Context
from verifier.exact.values.recheck import admissible
from verifier.expr import nodes as n
from verifier.expr import symbols as kinds
from verifier.expr.elaborate import elaborate, elaborate_fact
from verifier.expr.errors import ExprError, ShapeError
from verifier.expr.syntax import parse
from verifier.expr.walk import walk

BITS = 64
SIZES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
LADDER = tuple(2**k for k in range(13))
GRID = 80
REACH = 6
MOST_SYMBOLS = 2
FLAT = 1e-9
AVERAGES = (n.Expectation, n.Variance, n.Covariance, n.Extreme, n.Limit, n.Order, n.After, n.Member)
WHOLE = kinds.Dimension | kinds.Integer
REAL = kinds.Real | kinds.Positive | kinds.Interval
LEFT, RIGHT, BETTER = "left side", "right side", "improved"


def trace(
    claim: Claim, fact: n.Relation | n.Within, at: Mapping[str, Fraction], better: str | None = None
) -> Iterator[Curve]:
    """Curves along the symbols of a relation between scalars; none where it is about anything else.

    `at` is a point of interest, which the other symbols are held at; `better` the improved right side."""
    names = _names(claim, fact)
    if names is None:
        return
    lines = _lines(claim, fact, better)
    if claim.growing and isinstance(fact, n.Relation) and isinstance(fact.right, n.Growth):
        yield from _Tracer(claim, names, at, lines).growth(tuple(s.name for s in claim.growing))
        return
    bands = dict(_bands(claim, fact, better))
    sizes = [name for name in names if isinstance(claim.symbols[name].kind, WHOLE)]
    for name in (sizes or list(names))[:MOST_SYMBOLS]:
        found = _Tracer(claim, names, at, lines).along(name, bands)
        if found is not None:
            yield found


def _names(claim: Claim, fact: n.Fact) -> tuple[str, ...] | None:
    """The scalars that the fact is about; None if it is about more than scalars."""
    replaced = {a.substitution[0].name for a in claim.assumptions if a.substitution is not None}
    used = set()
    for node in walk(fact):
        if isinstance(node, AVERAGES) or not isinstance(node, n.Node):
            return None
        if isinstance(node, n.Symbol):
            used.add(node.name)
        if not node.shape.is_scalar:
            return None
    names = tuple(name for name in claim.symbols if name in used)
    scalar = all(isinstance(claim.symbols[name].kind, WHOLE | REAL) for name in names)
    return names if scalar and names and not replaced & used else None


def _lines(claim: Claim, fact: n.Relation | n.Within, better: str | None) -> dict[str, n.Node]:
    if isinstance(fact, n.Within):
        return {LEFT: fact.arg}
    right = fact.right.body if isinstance(fact.right, n.Growth) else fact.right
    lines = {LEFT: fact.left, RIGHT: right}
    try:
        improved = elaborate(parse(better), claim.scope) if better is not None else None
    except (ExprError, ShapeError):
        improved = None
    improved = improved.body if isinstance(improved, n.Growth) else improved
    return lines if improved is None or improved == fact.left else {**lines, BETTER: improved}


def _bands(
    claim: Claim, fact: n.Relation | n.Within, better: str | None
) -> Iterator[tuple[str, tuple[float | None, float | None]]]:
    """The claimed range and, where it is known, the true one."""
    if not isinstance(fact, n.Within):
        return
    evaluator = Evaluator(Context.of(claim), {})
    yield "claimed", (_end(evaluator, fact.low), _end(evaluator, fact.high))
    try:
        true = None if better is None else elaborate_fact(parse(f"0 in {better}"), claim.scope)
    except (ExprError, ShapeError):
        return
    if isinstance(true, n.Within):
        yield "true", (_end(evaluator, true.low), _end(evaluator, true.high))


def _end(evaluator: Evaluator, node: n.Node) -> float | None:
    try:
        return _number(evaluator, node)
    except Refusal:
        return None


def _number(evaluator: Evaluator, node: n.Node) -> float | None:
    value = float(enclose(evaluator.scalar(node)).mid())
    return value if isfinite(value) else None


@dataclass(frozen=True)
class _Tracer:
    """The sides to evaluate, and where the symbols are held."""

    claim: Claim
    names: tuple[str, ...]
    at: Mapping[str, Fraction]
    sides: Mapping[str, n.Node]

    def growth(self, growing: tuple[str, ...]) -> Iterator[Curve]:
        """All growing symbols at once, over a ladder of sizes."""
        points = [dict.fromkeys(growing, Fraction(size)) for size in LADDER]
        lines = self._lines(points)
        if any(name in self.names for name in growing) and _is_worth_it(lines):
            yield Curve("growth", ", ".join(growing), tuple(map(float, LADDER)), lines,
                        held=self._held(growing))  # fmt: skip

    def along(self, name: str, bands: Mapping[str, tuple[float | None, float | None]]) -> Curve | None:
        """One symbol: sizes as the ratio of the sides, real variables as the sides themselves."""
        places = list(self._places(name))
        lines = self._lines([{name: place} for place in places])
        whole = isinstance(self.claim.symbols[name].kind, WHOLE)
        at, held = tuple(map(float, places)), self._held((name,))
        if whole and RIGHT in lines:
            lines = dict(_ratios(lines))
            return Curve("ratio", name, at, lines, held=held) if _is_worth_it(lines) else None
        return Curve("function", name, at, lines, bands, held) if _is_worth_it(lines) else None

    def _places(self, name: str) -> Iterator[Fraction]:
        kind = self.claim.symbols[name].kind
        if isinstance(kind, WHOLE):
            yield from map(Fraction, SIZES)
            return
        low, high = self._window(name)
        yield from (low + (high - low) * Fraction(k, GRID) for k in range(GRID + 1))

    def _window(self, name: str) -> tuple[Fraction, Fraction]:
        """What is shown of the line: where the symbol lives, around the point of interest."""
        reach = max(Fraction(REACH), 2 * abs(self.at.get(name, Fraction(0))))
        low, high = -reach, reach
        match self.claim.symbols[name].kind:
            case kinds.Positive():
                low = reach / GRID
            case kinds.Interval(start, end):
                evaluator = Evaluator(Context.of(self.claim), self._default(()))
                ends = _end(evaluator, start), _end(evaluator, end)
                low = low if ends[0] is None else Fraction(ends[0]).limit_denominator(10**6)
                high = max(high, low + 1) if ends[1] is None else Fraction(ends[1]).limit_denominator(10**6)
        return low, high

    def _lines(self, points: list[dict[str, Fraction]]) -> dict[str, tuple[float | None, ...]]:
        before = ctx.prec
        ctx.prec = BITS
        try:
            found = [self._values(point) for point in points]
        finally:
            ctx.prec = before
        return {label: tuple(values[label] for values in found) for label in self.sides}

    def _values(self, point: Mapping[str, Fraction]) -> dict[str, float | None]:
        """The sides at one place; nothing where the claim does not allow it or there is no value."""
        full = {**self._default(tuple(point)), **point}
        if self.claim.constraints and admissible(self.claim, full).outcome != "true":
            return dict.fromkeys(self.sides)
        evaluator = Evaluator(Context.of(self.claim), full)
        return {label: _end(evaluator, side) for label, side in self.sides.items()}

    def _default(self, free: tuple[str, ...]) -> dict[str, Fraction]:
        """The other symbols, where the point of interest has them, else at a plain value."""
        held = {}
        for name in self.names:
            kind = self.claim.symbols[name].kind
            if name in free or name in self.claim.where:
                continue
            plain = Fraction(2) if isinstance(kind, WHOLE) else Fraction(1)
            if isinstance(kind, kinds.Interval):
                plain = Fraction(1, 2)
            held[name] = self.at.get(name, plain)
        return held

    def _held(self, free: tuple[str, ...]) -> str:
        return ", ".join(f"{name} = {value}" for name, value in self._default(free).items())


def _is_worth_it(lines: Mapping[str, tuple[float | None, ...]]) -> bool:
    """The left side is known at a few places, and there is something to see: no flat ratio, and no two
    sides that coincide."""
    known = [value for value in lines[LEFT] if value is not None]
    moves = len(known) >= 3 and max(known) - min(known) > FLAT * max(map(abs, known))
    return moves and not _coincide(lines[LEFT], lines.get(RIGHT, ()))


def _coincide(left: tuple[float | None, ...], right: tuple[float | None, ...]) -> bool:
    pairs = [(a, b) for a, b in zip(left, right, strict=False) if a is not None and b is not None]
    return bool(pairs) and all(abs(a - b) <= FLAT * (abs(a) + abs(b)) for a, b in pairs)


def _ratios(lines: Mapping[str, tuple[float | None, ...]]) -> Iterator[tuple[str, tuple[float | None, ...]]]:
    for label, values in lines.items():
        if label != RIGHT:
            pairs = zip(values, lines[RIGHT], strict=True)
            yield label, tuple(None if a is None or not b else a / b for a, b in pairs)
