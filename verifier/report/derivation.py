"""A derivation line by line, with the steps of an expectation gathered into tables.

A step averages one random symbol: it joins one factor to each of the others, says how many pairings
fall into each class, and what each class contributes. Other lines are shown as they are.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby

from markupsafe import Markup

from verifier.claim.model import Claim
from verifier.report import markup
from verifier.report.formulas_in_words import spelled
from verifier.report.worked import worked_line

MOST_LINES = 400
STEP = re.compile(r"E over (\S+): (.*)")
JOIN = re.compile(r"\s+contract one \S+ of .*:")
CLASS = re.compile(r"\s+(\d+) -> \((.*)\) \* (.*)")


@dataclass(frozen=True)
class Class:
    """Pairings that contribute the same: how many, with what factor, and what is left to average."""

    count: int
    factor: Markup
    rest: Markup


@dataclass
class Averaged:
    """One contraction: E over `symbol` of `body`."""

    symbol: Markup
    body: Markup
    classes: list[Class] = field(default_factory=list)


@dataclass(frozen=True)
class Derivation:
    """Tables of contractions and other lines, in order, and how many lines were left out."""

    engine: str
    parts: tuple[tuple[Averaged, ...] | str, ...]
    left_out: int

    @property
    def summary(self) -> str:
        """12 averages in 14 classes, or 3 lines."""
        averages = [item for part in self.parts if not isinstance(part, str) for item in part]
        lines = sum(isinstance(part, str) for part in self.parts)
        words = []
        if averages:
            classes = sum(len(part.classes) for part in averages)
            words.append(_count(len(averages), "contraction"))
            words.append(f"{_count(classes, 'class', 'classes')} of pairings")
        if lines or not averages:
            words.append(_count(lines, "line"))
        return ", ".join(words)


def derivation(claim: Claim, engine: str, lines: tuple[str, ...]) -> Derivation:
    """The lines of one engine, the first few hundred of them."""
    shown = lines[:MOST_LINES]
    parts = tuple(_tables(_parts(_Typesetter(claim), shown)))
    return Derivation(engine, parts, len(lines) - len(shown))


def _tables(parts: Iterable[Averaged | str]) -> Iterator[tuple[Averaged, ...] | str]:
    """Contractions that follow each other go into one table."""
    for is_line, run in groupby(parts, lambda part: isinstance(part, str)):
        if is_line:
            yield from (part for part in run if isinstance(part, str))
        else:
            yield tuple(part for part in run if isinstance(part, Averaged))


def _parts(typeset: "_Typesetter", lines: Iterable[str]) -> Iterator[Averaged | str]:
    current: Averaged | None = None
    for line in lines:
        if match := STEP.fullmatch(line):
            if current is not None:
                yield current
            current = Averaged(typeset(match[1]), typeset(match[2]))
        elif current is not None and JOIN.fullmatch(line):
            continue
        elif current is not None and (match := CLASS.fullmatch(line)):
            current.classes.append(Class(int(match[1]), typeset(match[2]), typeset(match[3])))
        else:
            if current is not None:
                yield current
                current = None
            yield worked_line(typeset.claim, line)
    if current is not None:
        yield current


@dataclass
class _Typesetter:
    """Expressions of the claim, typeset once each."""

    claim: Claim

    def __post_init__(self) -> None:
        self.known: dict[str, Markup] = {}

    def __call__(self, text: str) -> Markup:
        if text not in self.known:
            found = markup.typeset(self.claim, text)
            self.known[text] = found if found is not None else spelled(self.claim, text)
        return self.known[text]


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number} {one if number == 1 else many or f'{one}s'}"
