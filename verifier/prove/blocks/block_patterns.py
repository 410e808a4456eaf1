"""Simple matrices of every family, at every size: what a person would try first."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, final

from verifier.expr.symbols import Declared, FixedMatrix
from verifier.prove.blocks.block import Block, Sizes
from verifier.prove.blocks.block_numbers import Field
from verifier.prove.blocks.evaluate import spectral

Scale = Literal["one", "frobenius", "row", "spectral", "logarithm", "size", "fourth"]
Grid = tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]
SCALES: tuple[Scale, ...] = ("one", "frobenius", "row", "spectral")
GROWING: tuple[Scale, ...] = ("size", "fourth")
ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)
SHAPES: dict[str, tuple[tuple[int, int], tuple[int, int]]] = {
    "every row e_1": ((1, 0), (1, 0)),
    "e_1 e_1'": ((1, 0), (0, 0)),
    "all ones": ((1, 1), (1, 1)),
    "ones in row 1": ((1, 1), (0, 0)),
    "e_1, the other rows -e_1": ((1, 0), (-1, 0)),
}
PEAKS = tuple(
    Fraction(v)
    for v in ("1/2", "9/10", "99/100", "2/3", "2/5", "1/3", "1/10", "47/50", "97/100", "999/1000", "1")
)
PEAK = "a peak of "
FACTORS = tuple(Fraction(v) for v in ("1", "10", "1000", "1/10", "1/1000"))


@final
@dataclass(frozen=True)
class Pattern:
    """factor * (grid + shift * identity) / its norm of that kind, in words `name`."""

    name: str
    grid: Grid
    shift: Fraction = ZERO
    scale: Scale = "one"
    factor: Fraction = ONE

    @property
    def words(self) -> str:
        front = "" if self.factor == 1 else f"{self.factor} times "
        norm = {"one": "", "frobenius": ", of Frobenius norm 1", "row": ", rows of norm 1"}
        norm |= {"spectral": ", of spectral norm 1", "logarithm": ", times 2 log of the number of columns"}
        norm |= {
            "size": ", times the number of entries",
            "fourth": ", times the number of entries to the 4th",
        }
        return f"{front}{self.name}{norm[self.scale]}"

    def build(self, field: Field, rows: Sizes, cols: Sizes) -> Block | None:
        """The matrix with these classes; None if its norm is 0."""
        number = field.number
        value = tuple(tuple(number(self.grid[r][c]) for c in range(len(cols))) for r in range(len(rows)))
        shift = (number(self.shift),) * len(rows) if self.shift else None
        made = Block(field, rows, cols, value, shift)
        width = self._size(made)
        if width is None:
            return None
        factor = number(self.factor)
        return made.map(lambda v: factor * v / width)

    def _size(self, made: Block) -> Any:
        match self.scale:
            case "one":
                return made.field.number(ONE)
            case "frobenius":
                found = made.frobenius()
            case "row":
                found = made.field.apply("sqrt", made.row_totals(lambda v: v * v).value[0][0])
            case "spectral":
                found = spectral(made)
            case "logarithm":
                width = sum(made.cols, made.field.number(ZERO))
                return 1 / (2 * made.field.apply("log", width)) if made.cols != (1,) else None
            case "size" | "fourth":
                zero = made.field.number(ZERO)
                return 1 / (sum(made.rows, zero) * sum(made.cols, zero)) ** (1 if self.scale == "size" else 4)
        return None if found == 0 else found


def patterns(declared: Declared, square: bool, moving: bool) -> Iterator[Pattern]:
    """What to try for a fixed matrix, simplest first; `square`: rows and columns have one index set.

    If `moving`, also matrices that grow with the size: just as fast as a softmax needs, and faster."""
    kind = declared.kind
    assert isinstance(kind, FixedMatrix)
    match kind.family:
        case "simplex":
            yield from (_column(peak) for peak in PEAKS)
            yield Pattern("all equal", ((ONE, ONE), (ONE, ONE)))
            return
        case "stochastic":
            yield from _stochastic()
            return
        case "orthogonal":
            yield Pattern("the identity", ((ZERO, ZERO), (ZERO, ZERO)), ONE)
            return
        case "psd" | "symmetric" | "matrix" | "vector":
            pass
    flat = ((ZERO, ZERO), (ZERO, ZERO))
    if square:
        yield from (Pattern("the identity", flat, ONE, factor=factor) for factor in FACTORS)
        yield Pattern("the identity", flat, ONE, "frobenius")
    yield Pattern("zeros", flat)
    for name, grid in SHAPES.items():
        if kind.family in ("psd", "symmetric") and name not in ("e_1 e_1'", "all ones"):
            continue
        yield from (Pattern(name, _whole(grid), scale=scale) for scale in SCALES)
    yield from (Pattern("e_1 e_1'", _whole(SHAPES["e_1 e_1'"]), factor=factor) for factor in FACTORS[1:])
    if moving:
        yield from (Pattern("all ones", _whole(SHAPES["all ones"]), ZERO, s) for s in GROWING)
        if square:
            yield from (Pattern("the identity", flat, ONE, "logarithm", factor) for factor in (ONE, HALF))
        for name in ("every row e_1", "ones in row 1") if kind.family in ("matrix", "vector") else ():
            grid = SHAPES[name]
            yield from (Pattern(name, _whole(grid), ZERO, "logarithm", factor) for factor in (ONE, HALF))


def _whole(grid: tuple[tuple[int, int], tuple[int, int]]) -> Grid:
    (a, b), (c, d) = grid
    return (Fraction(a), Fraction(b)), (Fraction(c), Fraction(d))


def _column(peak: Fraction) -> Pattern:
    """(peak, share, share, ...): the shares are set by the size, see `shared`."""
    return Pattern(f"{PEAK}{peak}", ((peak, ZERO), (ZERO, ZERO)))


def _stochastic() -> Iterator[Pattern]:
    for peak in PEAKS:
        yield Pattern(f"{PEAK}{peak} in column 1", ((peak, ZERO), (peak, ZERO)))
    yield Pattern("all equal", ((ONE, ONE), (ONE, ONE)))
    for peak in PEAKS[:4]:
        yield Pattern(f"{PEAK}{peak} in row 1, the other rows uniform", ((peak, ZERO), (-ONE, -ONE)))
    yield Pattern("the identity", ((ZERO, ZERO), (ZERO, ZERO)), ONE)


def shared(pattern: Pattern, family: str, made: Block) -> Block:
    """The same with what is left of 1 shared evenly: over the rest of a column, or of each row."""
    if pattern.shift:
        return made
    field = made.field
    if family == "simplex":
        return shared(pattern, "stochastic", made.transposed).transposed
    one = field.number(ONE)
    width = sum(made.cols, field.number(ZERO))
    rows = []
    for r in range(len(made.rows)):
        peak = pattern.grid[r][0] if pattern.name != "all equal" else -ONE
        if peak < 0 or len(made.cols) == 1:
            rows.append((one / width,) * len(made.cols))
        else:
            rest = (one - field.number(peak)) / made.cols[1]
            rows.append((field.number(peak), rest))
    return Block(field, made.rows, made.cols, tuple(rows))
