"""A proof as a page shows it: top down, each step with its rule and what it rests on."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from verifier.claim.model import Claim
from verifier.evidence import ProofRecord
from verifier.kernel.check import TRUST
from verifier.kernel.rules import rules
from verifier.report import markup
from verifier.report.inference import conditions, one_line
from verifier.report.sentences import because

MOST_LINES, MOST_DATA = 60, 400
FIRST = 8  # steps that are read at once; the others are folded


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
    because: str = ""
    formula: Markup | None = None


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
        return any(line.rule in ("contract", "layers") for line in self.lines)


def proved(record: ProofRecord | None, claim: Claim | None = None) -> Proved | None:
    """The steps in the order of reading: the last one, which is the statement, first; formulas are typeset
    in the letters of the claim."""
    if record is None:
        return None
    steps, known = json.loads(record.text), rules()
    count, lines = len(steps), []
    for at, step in enumerate(reversed(steps[-MOST_LINES:])):
        ((kind, says),) = step["concludes"].items()
        rule = known.get(step["rule"])
        premises = tuple(count - premise for premise in step.get("premises", ()))
        lines.append(
            Line(
                at + 1,
                says,
                kind == "fails",
                "trusted" if step["rule"] == TRUST else step["rule"],
                one_line(rule) if rule is not None else "",
                tuple(conditions(rule)) if rule is not None else (),
                premises,
                _data(step.get("data", {})),
                because(step["rule"], premises),
                markup.typeset(claim, says) if claim is not None else None,
            )
        )
    return Proved(tuple(lines), max(count - MOST_LINES, 0), record.sites)


def _data(data: dict[str, object]) -> str:
    """What a rule was given beside its premises, as far as it is short."""
    if not data or "site" in data:
        return ""
    text = json.dumps(data, ensure_ascii=False)
    return text if len(text) <= MOST_DATA else f"{text[:MOST_DATA]} …"


def all_rules() -> Iterator[tuple[str, str, list[str]]]:
    """Every rule of the kernel: its name, its inference on one line, what is said of it."""
    for name, rule in rules().items():
        yield name, one_line(rule), conditions(rule)
