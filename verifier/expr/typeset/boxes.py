"""Typeset mathematics before it is written down: a small closed set of boxes.

`layout` turns a tree into boxes and owns every question of parentheses on paper; LaTeX, MathML and
terminal text are three ways of writing the same boxes. Only terminal text, which has no fraction
bars and no raised exponents, adds parentheses of its own.
"""

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Literal, final

from verifier.expr.typeset.names import Accent


class Level(IntEnum):
    """How tightly a formula holds together; a loose one in a tight place is fenced."""

    SUM = 1
    NEGATIVE = 2
    ENTRYWISE = 3  # A ⊙ B, A ⊗ B: never beside a matrix product unfenced
    BIG = 4  # a large operator's body reaches as far right as it can
    PRODUCT = 5
    POWER = 6
    ATOM = 7


@dataclass(frozen=True)
class Box:
    """A piece of a formula."""

    @property
    def level(self) -> Level:
        return Level.ATOM


@final
@dataclass(frozen=True)
class Letter(Box):
    """A variable, or an upright word such as `softmax`."""

    text: str
    upright: bool = False


@final
@dataclass(frozen=True)
class Digits(Box):
    """A literal number without sign."""

    text: str


@final
@dataclass(frozen=True)
class Sign(Box):
    """An operator or relation sign; `infix` ones have space around them."""

    text: str
    infix: bool = False


@final
@dataclass(frozen=True)
class Words(Box):
    """Plain words within a formula, spaces included."""

    text: str


@final
@dataclass(frozen=True)
class Line(Box):
    """Boxes side by side."""

    items: tuple[Box, ...]
    holds: Level = Level.SUM

    @property
    def level(self) -> Level:
        return self.holds


@final
@dataclass(frozen=True)
class Times(Box):
    """Factors side by side; `matrix` for matrix products, which terminal text writes with a space."""

    factors: tuple[Box, ...]
    matrix: bool = False

    @property
    def level(self) -> Level:
        return min(Level.PRODUCT, self.factors[-1].level)


@final
@dataclass(frozen=True)
class Fraction(Box):
    """numerator over denominator; a binomial coefficient has no bar."""

    numerator: Box
    denominator: Box
    bar: bool = True

    @property
    def level(self) -> Level:
        return Level.PRODUCT


@final
@dataclass(frozen=True)
class Fence(Box):
    """A body between brackets, or between bars."""

    left: str
    body: Box
    right: str


@final
@dataclass(frozen=True)
class Call(Box):
    """head(body), the brackets being part of the body."""

    head: Box
    body: Box


@final
@dataclass(frozen=True)
class Root(Box):
    """A square root; its square is fenced, since a sign that reaches too far changes the value."""

    body: Box

    @property
    def level(self) -> Level:
        return Level.POWER


@final
@dataclass(frozen=True)
class Accented(Box):
    """A letter with a bar, a hat, ..."""

    body: Box
    accent: Accent


@final
@dataclass(frozen=True)
class Script(Box):
    """A base with something below it, above it, or both."""

    base: Box
    below: Box | None = None
    above: Box | None = None

    @property
    def level(self) -> Level:
        return Level.ATOM if self.above is None else Level.POWER


@final
@dataclass(frozen=True)
class Indexed(Box):
    """base[i, j]: an entry or a row."""

    base: Box
    indices: tuple[Box, ...]


BigSign = Literal["sum", "prod", "lim", "sup", "inf"]


@final
@dataclass(frozen=True)
class Big(Box):
    """A large operator with what stands below and above it, and conditions on its index."""

    sign: BigSign
    under: Box | None
    over: Box | None
    such_that: tuple[Box, ...]
    body: Box

    @property
    def level(self) -> Level:
        return Level.BIG


def parens(box: Box) -> Box:
    """(box)."""
    return Fence("(", box, ")")


def fenced(box: Box, place: Level) -> Box:
    """The box, in parentheses where its place asks for something tighter."""
    return box if box.level >= place else parens(box)


def raised(box: Box, above: Box) -> Box:
    """box to the power above; a subscript it already has stays below the exponent."""
    base = fenced(box, Level.ATOM)
    return replace(base, above=above) if isinstance(base, Script) else Script(base, above=above)


def commas(items: tuple[Box, ...]) -> Box:
    """a, b, c."""
    if len(items) == 1:
        return items[0]
    spread: list[Box] = []
    for item in items:
        spread += [Sign(","), item] if spread else [item]
    return Line(tuple(spread))
