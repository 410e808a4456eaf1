"""A proof as a page shows it: top down, each step with its rule and what it rests on."""

import json
from dataclasses import dataclass

from verifier.evidence import ProofRecord
from verifier.kernel.check import TRUST
from verifier.kernel.rules import rules
from verifier.report.inference import conditions, one_line

MOST_LINES, MOST_DATA = 60, 400


@dataclass(frozen=True)
class Line:
    """One step: what it concludes, by which rule, and from which lines below it."""

    number: int
    says: str
    fails: bool
    rule: str
    inference: str
    conditions: tuple[str, ...]
    premises: tuple[int, ...]
    data: str


@dataclass(frozen=True)
class Proved:
    """`sites`: who answers for the leaves that nobody checks."""

    lines: tuple[Line, ...]
    left_out: int
    sites: tuple[str, ...]

    @property
    def is_checked(self) -> bool:
        return not self.sites


def proved(record: ProofRecord | None) -> Proved | None:
    """The steps in the order of reading: the last one, which is the statement, first."""
    if record is None:
        return None
    steps, known = json.loads(record.text), rules()
    count, lines = len(steps), []
    for at, step in enumerate(reversed(steps)):
        ((kind, says),) = step["concludes"].items()
        rule = known.get(step["rule"])
        lines.append(
            Line(
                at + 1,
                says,
                kind == "fails",
                "trusted" if step["rule"] == TRUST else step["rule"],
                one_line(rule) if rule is not None else "",
                tuple(conditions(rule)) if rule is not None else (),
                tuple(count - premise for premise in step.get("premises", ())),
                _data(step.get("data", {})),
            )
        )
    return Proved(tuple(lines[:MOST_LINES]), max(count - MOST_LINES, 0), record.sites)


def _data(data: dict[str, object]) -> str:
    """What a rule was given beside its premises, as far as it is short."""
    if not data or "site" in data:
        return ""
    text = json.dumps(data, ensure_ascii=False)
    return text if len(text) <= MOST_DATA else f"{text[:MOST_DATA]} …"
