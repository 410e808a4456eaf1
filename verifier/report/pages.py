"""What the pages show, gathered before any template runs: templates only place it."""

import hashlib
import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from verifier.claim.model import Claim, Position, VerdictName
from verifier.claim.problems import Problem
from verifier.evidence import Counterexample, Finding, Grade, Sample
from verifier.expr.text import to_text
from verifier.judge.verdict import WORST_FIRST, AssumptionVerdict, FailedClaim, Run, StepVerdict, Verdict
from verifier.report import markup
from verifier.report.facts import grounds, left_of, main_step, reason, right_text, said, show, sides
from verifier.report.reading import Reading, read_claim, use_of

WIDEST_SIDE = 60

Item = Verdict | FailedClaim


def slug(claim_id: str) -> str:
    """A file name that is safe everywhere, and the same in every run: readable, then a digest."""
    readable = re.sub(r"[^A-Za-z0-9.]+", "-", claim_id).strip("-.")[:80]
    return f"{readable}-{hashlib.sha256(claim_id.encode()).hexdigest()[:8]}"


# --- the front page ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """One claim in the front page's table."""

    id: str
    short: str
    href: str
    document: str
    verdict: VerdictName
    evidence: Grade | None
    reason: str
    expected: str | None
    as_expected: bool
    position: Position


@dataclass(frozen=True)
class Group:
    """The claims of one theorem, the worst first."""

    document: str
    theorem: str
    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Front:
    """The front page: counts, then theorems, those with the worst claims first."""

    groups: tuple[Group, ...]
    documents: tuple[str, ...]
    verdicts: Mapping[VerdictName, int]
    evidence: Mapping[str, int]
    unexpected: int
    disagreements: tuple[Row, ...]


def front_page(run: Run) -> Front:
    documents = _documents(run)
    rows = [(item, _row(item, documents)) for item in run.verdicts]
    theorems: dict[str, list[tuple[Item, Row]]] = {}
    for item, row in rows:
        theorems.setdefault(_theorem(item), []).append((item, row))
    groups = [_group(theorem, found) for theorem, found in theorems.items()]
    groups.sort(key=lambda group: _rank(group.rows[0].verdict))
    grades = [row.evidence or "none" for _, row in rows]
    return Front(
        tuple(groups),
        tuple(dict.fromkeys(row.document for _, row in rows)),
        run.summary,
        {grade: grades.count(grade) for grade in ("proved", "certified", "sampled", "searched", "none")},
        sum(not row.as_expected for _, row in rows),
        tuple(row for item, row in rows if isinstance(item, Verdict) and item.disagreement),
    )


def _group(theorem: str, found: list[tuple[Item, Row]]) -> Group:
    rows = sorted((row for _, row in found), key=lambda row: _rank(row.verdict))
    first = found[0][0]
    title = first.claim.title if isinstance(first, Verdict) else first.broken.title
    return Group(rows[0].document, theorem, title, tuple(rows))


def _rank(verdict: VerdictName) -> int:
    return WORST_FIRST.index(verdict)


def _theorem(item: Item) -> str:
    return item.id.partition("#")[0]


def _documents(run: Run) -> dict[str, str]:
    """The write-up of each theorem: as its claims name it, else as its id begins."""
    names: dict[str, str] = {}
    for item in run.verdicts:
        theorem = _theorem(item)
        names.setdefault(theorem, theorem.partition("/")[0])
        if isinstance(item, Verdict) and item.claim.source.document is not None:
            names[theorem] = item.claim.source.document
    return names


def _row(item: Item, documents: Mapping[str, str]) -> Row:
    origin = item.claim if isinstance(item, Verdict) else item.broken
    theorem, _, short = item.id.partition("#")
    return Row(
        item.id,
        short or item.id,
        f"claims/{slug(item.id)}.html",
        documents[theorem],
        item.verdict,
        item.evidence if isinstance(item, Verdict) else None,
        reason(item),
        " or ".join(origin.expect) if origin.expect is not None else None,
        item.as_expected,
        origin.position,
    )


# --- a claim's page ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Side:
    """An expression in the language and, where that reads better, typeset."""

    label: str
    text: str
    formula: Markup | None


@dataclass(frozen=True)
class Point:
    """A counterexample: its values, both sides, and the arithmetic."""

    values: tuple[tuple[Markup, Markup], ...]
    left: str
    right: str
    arithmetic: tuple[str, ...]


@dataclass(frozen=True)
class Shown:
    """A step as the page shows it."""

    number: int
    step: StepVerdict
    formula: Markup
    sides: tuple[Side, ...]
    better: Side | None
    point: Point | None
    findings: tuple[tuple[Finding, VerdictName], ...]
    samples: tuple[tuple[str, Sample], ...]

    @property
    def better_is_left(self) -> bool:
        """Then the left side's card says so, and the formula stands there once."""
        return self.better is not None and self.better.text == self.step.lhs

    @property
    def is_wide(self) -> bool:
        """Whether the sides are better read one below the other."""
        return any(len(side.text) > WIDEST_SIDE for side in (*self.sides, self.better) if side is not None)


@dataclass(frozen=True)
class Bought:
    """An assumption: what it states, how it is used, and what it buys."""

    name: str
    formula: Markup
    use: str
    verdict: AssumptionVerdict | None
    point: Point | None


@dataclass(frozen=True)
class Page:
    """One claim's page; a claim that could not be read has problems only."""

    row: Row
    title: str
    locator: str | None
    claim: Claim | None
    verdict: Verdict | None
    reading: Reading | None
    symbols: tuple[tuple[Markup, str], ...]
    lets: tuple[tuple[Markup, Markup], ...]
    assumptions: tuple[Bought, ...]
    main: Shown | None
    steps: tuple[Shown, ...]
    overall: Shown | None
    problems: tuple[Problem, ...]
    repeat: str
    seconds: float

    @property
    def grounds(self) -> str | None:
        """What the verdict rests on."""
        return grounds(self.verdict) if self.verdict is not None else None


def claim_pages(run: Run) -> Iterable[Page]:
    documents = _documents(run)
    for item in run.verdicts:
        yield _page(item, _row(item, documents), run)


def _page(item: Item, row: Row, run: Run) -> Page:
    repeat = shlex.join(["verify", row.position.file, "--explain", row.id, "--seed", str(run.seed)])
    if isinstance(item, FailedClaim):
        return Page(
            row, item.broken.title, None, None, None, None, (), (), (), None, (), None,
            item.broken.problems, repeat, 0.0,
        )  # fmt: skip
    claim, reading = item.claim, read_claim(item.claim)
    kept = {use.name for use in reading.lets}
    steps = tuple(_shown(claim, step, place) for place, step in enumerate(item.steps, start=1))
    return Page(
        row=row,
        title=claim.title,
        locator=claim.source.locator,
        claim=claim,
        verdict=item,
        reading=reading,
        symbols=tuple((markup.name(use.name), use.words) for use in reading.symbols),
        lets=tuple(
            (markup.name(let.name), markup.formula(let.body)) for let in claim.lets if let.name in kept
        ),
        assumptions=tuple(_bought(item)),
        main=steps[item.steps.index(main_step(item))],
        steps=steps if claim.is_chain else (),
        overall=_shown(claim, item.overall, 0) if item.overall is not None else None,
        problems=item.problems,
        repeat=repeat,
        seconds=item.seconds,
    )


def _shown(claim: Claim, step: StepVerdict, number: int) -> Shown:
    better = step.corrected if step.corrected is not None else step.tight
    label = "Corrected" if step.corrected is not None else "Could be"
    return Shown(
        number,
        step,
        markup.formula(step.fact),
        tuple(_sides(claim, step)),
        _side(claim, label, better) if better is not None else None,
        _point(step.counterexample),
        tuple((finding, said(finding)) for finding in step.findings),
        tuple((show(sample.at), sample) for finding in step.findings for sample in finding.samples),
    )


def _sides(claim: Claim, step: StepVerdict) -> Iterable[Side]:
    """The closed forms, if one was found: sides as written stand above already."""
    written = {to_text(left_of(step.fact)), right_text(step.fact)}
    if {step.lhs, step.rhs} <= {*written, None} and step.corrected is None and step.tight is None:
        return
    if step.lhs is not None:
        is_correction = step.lhs in (step.corrected, step.tight)
        yield _side(
            claim, "Left side, and so the corrected right side" if is_correction else "Left side", step.lhs
        )
    if step.rhs is not None:
        yield _side(claim, "Right side", step.rhs)


def _side(claim: Claim, label: str, text: str) -> Side:
    return Side(label, text, markup.typeset(claim, text))


def _point(found: Counterexample | None) -> Point | None:
    if found is None:
        return None
    values = tuple((markup.name(name), markup.value(value)) for name, value in found.values.items())
    return Point(values, *sides(found), found.arithmetic)


def _bought(item: Verdict) -> Iterable[Bought]:
    verdicts = {part.name: part for part in item.assumptions}
    for assumption in item.claim.assumptions:
        part = verdicts.get(assumption.name)
        point = _point(part.counterexample) if part is not None else None
        yield Bought(assumption.name, markup.formula(assumption.fact), use_of(assumption), part, point)
