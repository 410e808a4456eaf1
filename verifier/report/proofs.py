"""A proof as it is read: top down, each step with its rule, what it rests on, and what was worked out."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup

from verifier.claim.model import Claim
from verifier.evidence import Counterexample, ProofRecord
from verifier.expr.nodes import Relation, Within
from verifier.expr.unicode import to_unicode
from verifier.kernel.check import TRUST
from verifier.kernel.context import Context
from verifier.kernel.judgement import Fails, Holds
from verifier.kernel.proof import Proof
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules import rules
from verifier.proofs.account import Told, account, told_at
from verifier.proofs.statement import context_of
from verifier.proofs.text import steps_from
from verifier.report import markup
from verifier.report.facts import show
from verifier.report.given import given
from verifier.report.inference import conditions, one_line
from verifier.report.sentences import because

MOST_LINES, MOST_TOLD = 60, 300
FIRST = 8  # steps that are read at once; the others are folded
SHORT = 160  # letters of a computation that is read at once


@dataclass(frozen=True)
class Work:
    """What the kernel worked out: words, and the expression that they introduce."""

    words: str
    text: str
    formula: Markup | None

    @property
    def line(self) -> str:
        return f"{self.words} {self.text}." if self.text else self.words


@dataclass(frozen=True)
class Line:
    """One step: what it concludes, by which rule, and from which lines below it."""

    number: int
    step: Proof
    context: Context
    premises: tuple[int, ...]
    found: Counterexample | None = None  # a point at which somebody evaluated both sides already
    evaluates: bool = True  # whether other points are evaluated once more

    @property
    def fails(self) -> bool:
        return isinstance(self.step.conclusion, Fails)

    @property
    def says(self) -> str:
        return to_unicode(_fact(self.step))

    @property
    def formula(self) -> Markup:
        return markup.formula(_fact(self.step))

    @property
    def rule(self) -> str:
        return "trusted" if self.step.rule == TRUST else self.step.rule

    @property
    def inference(self) -> str:
        known = rules().get(self.step.rule)
        return one_line(known) if known is not None else ""

    @property
    def conditions(self) -> list[str]:
        known = rules().get(self.step.rule)
        return conditions(known) if known is not None else []

    @property
    def because(self) -> str:
        return because(self.step.rule, self.premises)

    @property
    def given(self) -> str:
        return given(self.step.data)

    @cached_property
    def work(self) -> tuple[Work, ...]:
        known = told_at(self.step, self.found) if self.found is not None and self._is_there else None
        if known is None and self.step.rule == "point" and not self.evaluates:
            return ()
        told = (known,) if known else account(self.context, self.step)
        return tuple(filter(None, map(_work, told)))

    @property
    def _is_there(self) -> bool:
        """Whether the step is about the point that was found."""
        point = self.step.data.get("point")
        if not isinstance(point, dict) or self.found is None:
            return False
        return all(show(point.get(name)) == show(value) for name, value in self.found.values.items())

    @property
    def is_long(self) -> bool:
        """Whether the computation is folded."""
        return sum(len(each.line) for each in self.work) > SHORT


def _fact(step: Proof) -> Relation | Within:
    assert isinstance(step.conclusion, Holds | Fails)
    return step.conclusion.fact


@dataclass(frozen=True)
class Proved:
    """`sites`: who answers for the leaves that nobody checks."""

    lines: tuple[Line, ...]
    left_out: int
    sites: tuple[str, ...]

    @property
    def is_checked(self) -> bool:
        return not self.sites

    @property
    def parts(self) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
        """What is read at once, and what is folded."""
        return self.lines[:FIRST], self.lines[FIRST:]

    @property
    def contracts(self) -> bool:
        """Whether means are contracted: then the table of pairings says how."""
        return any(line.rule == "contract" for line in self.lines)


def proved(
    record: ProofRecord | None, claim: Claim, found: Counterexample | None = None, evaluates: bool = True
) -> Proved | None:
    """The steps in the order of reading: the last one, which is the statement, first. None for what cannot be
    read under this claim. `found`: the point that breaks it."""
    if record is None:
        return None
    try:
        written = json.loads(record.text)
        steps = steps_from(written, claim)
    except (Rejected, ValueError):
        return None
    below = [tuple(part.get("premises", ())) for part in written]
    same = _said_again(steps, below)
    kept = [at for at in reversed(range(len(steps))) if at not in same]
    number = {at: place for place, at in enumerate(kept, start=1)}
    context, lines = context_of(claim), []
    for at in kept[:MOST_LINES]:
        premises = tuple(number[same.get(premise, premise)] for premise in below[at])
        lines.append(Line(number[at], steps[at], context, premises, found, evaluates))
    return Proved(tuple(lines), max(len(kept) - MOST_LINES, 0), record.sites)


def _said_again(steps: Sequence[Proof], below: Sequence[tuple[int, ...]]) -> dict[int, int]:
    """Steps that conclude what the one step that they rest on concludes, and that step: it is told once."""
    same: dict[int, int] = {}
    for at, premises in enumerate(below[:-1]):
        if len(premises) == 1 and steps[at].conclusion == steps[premises[0]].conclusion:
            same[at] = same.get(premises[0], premises[0])
    return same


def _work(told: Told) -> Work | None:
    """Nothing of what nobody would read to its end."""
    if told.tree is None:
        return Work(told.words, "", None)
    text = to_unicode(told.tree)
    return Work(told.words, text, markup.formula(told.tree)) if len(text) <= MOST_TOLD else None


def all_rules() -> Iterator[tuple[str, str, list[str]]]:
    """Every rule of the kernel: its name, its inference on one line, what is said of it."""
    for name, rule in rules().items():
        yield name, one_line(rule), conditions(rule)
