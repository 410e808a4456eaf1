"""What is known of a mean: it is finite, it is infinite, it is finite exactly under conditions, what it is
taken of has no value, or that is open."""

from dataclasses import dataclass
from typing import Literal

from verifier.expr.nodes import Relation


@dataclass(frozen=True)
class Answer:
    """`why`: of what is infinite, undefined or open. `conditions`: relations between fixed symbols under
    which it is finite, and only then; if not `exact`, then at least."""

    known: Literal["finite", "infinite", "undefined", "open"]
    why: str = ""
    conditions: tuple[Relation, ...] = ()
    exact: bool = True


FINITE = Answer("finite")


def infinite(why: str) -> Answer:
    return Answer("infinite", why)


def undefined(why: str) -> Answer:
    return Answer("undefined", why)


def open_(why: str) -> Answer:
    return Answer("open", why)


def under(condition: Relation, exact: bool = True) -> Answer:
    return Answer("finite", conditions=(condition,), exact=exact)


def every(answers: list[Answer]) -> Answer:
    """What is finite exactly if all of these are: a product of independent parts that are not 0."""
    for known in ("undefined", "infinite", "open"):
        found = next((answer for answer in answers if answer.known == known), None)
        if found is not None:
            return found
    conditions = tuple(dict.fromkeys(c for a in answers for c in a.conditions))
    return Answer("finite", conditions=conditions, exact=all(a.exact for a in answers))
