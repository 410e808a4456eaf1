"""What a proof may conclude."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from verifier.expr.nodes import Relation, Within

Value = Fraction | tuple[tuple[Fraction, ...], ...]  # a number, or a matrix by its rows
Point = Mapping[str, Value]


@dataclass(frozen=True)
class Judgement:
    """Something said of all that a context allows."""


@final
@dataclass(frozen=True)
class Holds(Judgement):
    """The fact is true at every value that the context allows and at which both sides are defined."""

    fact: Relation | Within


@final
@dataclass(frozen=True)
class Fails(Judgement):
    """There is a value that the context allows and at which both sides are defined and the fact is false."""

    fact: Relation | Within
