"""What a claim's page shows, gathered before any template runs: templates only place it."""

import shlex
from collections.abc import Iterable
from dataclasses import dataclass, replace

from markupsafe import Markup

from verifier.claim.loaded import Broken
from verifier.claim.model import Claim, VerdictName
from verifier.claim.problems import Problem
from verifier.evidence import Counterexample, Finding, Sample
from verifier.expr.text import to_text
from verifier.judge.verdict import AssumptionVerdict, Run, StepVerdict, Verdict
from verifier.report import markup
from verifier.report.compare import Changes
from verifier.report.correction import to_paste
from verifier.report.decimals import decimals
from verifier.report.derivation import Derivation, derivation
from verifier.report.facts import left_of, relevant, right_text, said, sentence, show, sides
from verifier.report.pictures import Picture, pictures_of, pictures_of_costs
from verifier.report.proofs import Proved, proved
from verifier.report.reading import Reading, origin_words, read_claim, use_of
from verifier.report.rows import Item, Row, rows_of
from verifier.report.sentences import tightness_words, tried, why_assumed
from verifier.report.worked import worked_line

WIDEST_SIDE = 60
MOST_SAMPLES = 40


@dataclass(frozen=True)
class Side:
    """An expression in the language and, where that reads better, typeset."""

    label: str
    text: str
    shown: Markup
    formula: Markup | None
    decimals: str | None = None


@dataclass(frozen=True)
class Point:
    """A counterexample: its values, both sides, and the arithmetic; or sizes, and the ratio at each."""

    values: tuple[tuple[Markup, Markup], ...]
    sides: tuple[tuple[str, str], ...]
    arithmetic: tuple[Markup, ...]
    columns: tuple[markup.Label, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


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
    derivations: tuple[Derivation, ...]
    samples: tuple[tuple[str, Sample], ...]
    more_samples: int
    proof: Proved | None = None
    tightness: tuple[str, ...] = ()
    tried: tuple[tuple[str, str], ...] = ()

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
    pictures: tuple[Picture, ...]
    why: tuple[str, ...] = ()  # it is needed, or not


@dataclass(frozen=True)
class Page:
    """One claim's page; a claim that could not be read has problems only."""

    row: Row
    title: str
    locator: str | None
    problems: tuple[Problem, ...]
    repeat: str
    seconds: float = 0.0
    claim: Claim | None = None
    verdict: Verdict | None = None
    reading: Reading | None = None
    symbols: tuple[tuple[markup.Label, str, str], ...] = ()
    lets: tuple[tuple[markup.Label, Markup], ...] = ()
    assumptions: tuple[Bought, ...] = ()
    main: Shown | None = None
    steps: tuple[Shown, ...] = ()
    overall: Shown | None = None
    pictures: tuple[Picture, ...] = ()
    latex: str | None = None  # of the correction, to paste

    @property
    def rules(self) -> frozenset[str]:
        """The rules of its proofs."""
        proofs = [shown.proof for shown in (*self.steps, self.main) if shown is not None]
        return frozenset(line.rule for proof in proofs if proof is not None for line in proof.lines)

    @property
    def sentence(self) -> str:
        """The verdict and its evidence."""
        return sentence(self.verdict) if self.verdict is not None else "The claim could not be read."


def claim_pages(run: Run, changes: Changes | None = None) -> Iterable[Page]:
    for item, row in rows_of(run, changes):
        yield _page(item, row, run)


def _page(item: Item, row: Row, run: Run) -> Page:
    repeat = shlex.join(["verify", row.position.file, "--explain", row.id, "--seed", str(run.seed)])
    if isinstance(item, Broken):
        return Page(row, item.title, None, item.problems, repeat)
    claim, reading = item.claim, read_claim(item.claim)
    names = frozenset(use.name for use in (*reading.symbols, *reading.lets))
    main = item.main
    steps = tuple(
        _shown(claim, step, place, plain=step is not main) for place, step in enumerate(item.steps, start=1)
    )
    return Page(
        row=row,
        title=claim.title,
        locator=claim.source.locator,
        problems=item.problems,
        repeat=repeat,
        seconds=item.seconds,
        claim=claim,
        verdict=item,
        reading=reading,
        symbols=tuple(
            (markup.label(use.name), use.words, _origin(claim, use.name)) for use in reading.symbols
        ),
        lets=tuple(
            (markup.label(let.name), markup.formula(let.body)) for let in claim.lets if let.name in names
        ),
        assumptions=tuple(_bought(item)),
        main=steps[item.steps.index(main)],
        steps=steps if claim.is_chain else (),
        overall=_shown(claim, item.overall, 0, plain=True) if item.overall is not None else None,
        pictures=pictures_of(main, f"picture-{row.anchor}", names),
        latex=to_paste(claim, main),
    )


def _origin(claim: Claim, name: str) -> str:
    return origin_words(claim.origins[name]) if name in claim.origins else ""


def _shown(claim: Claim, step: StepVerdict, number: int, plain: bool) -> Shown:
    """`plain`: its derivation is not the one that a reader looks for first."""
    better = step.corrected if step.corrected is not None else step.tight
    label = "Corrected" if step.corrected is not None else "Could be"
    samples = [(show(sample.at), sample) for finding in step.findings for sample in finding.samples]
    return Shown(
        number=number,
        step=step,
        formula=markup.formula(step.fact),
        sides=_sides(claim, step),
        better=_side(claim, label, better) if better is not None else None,
        point=_point(claim, step.counterexample),
        findings=tuple((finding, said(finding)) for finding in step.findings),
        derivations=tuple(
            derivation(claim, f.engine, f.derivation, plain) for f in step.findings if f.derivation
        ),
        samples=tuple(samples[:MOST_SAMPLES]),
        more_samples=max(len(samples) - MOST_SAMPLES, 0),
        proof=proved(step.proof, claim),
        tightness=tuple(tightness_words(step)),
        tried=() if step.verdict in ("holds", "loose", "fails") else tuple(tried(step)),
    )


# --- both sides ------------------------------------------------------------------------------------


def _sides(claim: Claim, step: StepVerdict) -> tuple[Side, ...]:
    """The closed forms, if one was found: sides as written stand above already."""
    written = {to_text(left_of(step.fact)), right_text(step.fact)}
    if {step.lhs, step.rhs} <= {*written, None} and step.corrected is None and step.tight is None:
        return ()
    is_correction = step.lhs in (step.corrected, step.tight)
    label = "Left side, and so the corrected right side" if is_correction else "Left side"
    found = [_side(claim, name, text) for name, text in ((label, step.lhs), ("Right side", step.rhs)) if text]
    return _marked(*found) if len(found) == 2 and step.verdict == "fails" else tuple(found)


def _marked(left: Side, right: Side) -> tuple[Side, Side]:
    """Two sides that should be equal, what differs highlighted."""
    texts = markup.text_differences(left.text, right.text)
    formulas = left.formula, right.formula
    if left.formula is not None and right.formula is not None:
        formulas = markup.differences(left.formula, right.formula)
    return (
        replace(left, shown=texts[0], formula=formulas[0]),
        replace(right, shown=texts[1], formula=formulas[1]),
    )


def _side(claim: Claim, label: str, text: str) -> Side:
    value = decimals(markup.read(claim, text))
    return Side(label, text, Markup.escape(text), markup.typeset(claim, text), value)


# --- counterexamples -------------------------------------------------------------------------------


def _point(claim: Claim, found: Counterexample | None) -> Point | None:
    if found is None:
        return None
    found = relevant(claim, found)
    table = _table(found)
    # The two sides are shown below, orders of magnitude too.
    silent = {*table, *({"lhs", "rhs"} - claim.symbols.keys())}
    single = {name: value for name, value in found.values.items() if name not in silent}
    values = [(_label(claim, name).shown, markup.value(value)) for name, value in single.items()]
    columns = {_label(claim, name): column for name, column in table.items()}
    if table:
        columns[RATIO] = list(found.ratios)
    elif found.ratios:
        ratios = list(found.ratios)
        values.append((RATIO.shown, markup.value(ratios if len(ratios) > 1 else show(ratios[0]))))
    return Point(
        tuple(values),
        tuple(
            (name, text)
            for name, text in zip(("left side", "right side"), sides(found), strict=True)
            if text is not None
        ),
        tuple(worked_line(claim, line) for line in found.arithmetic),
        tuple(columns),
        tuple(zip(*(map(show, column) for column in columns.values()), strict=True)),
    )


def _table(found: Counterexample) -> dict[str, list[object]]:
    """Scalars that were tried one after the other, if the sides have a ratio at each."""
    columns = {name: list(value) for name, value in found.values.items() if isinstance(value, list | tuple)}
    lengths = {len(found.ratios), *(len(column) for column in columns.values())}
    flat = all(not isinstance(cell, list | tuple) for column in columns.values() for cell in column)
    return columns if found.ratios and flat and len(lengths) == 1 else {}


def _label(claim: Claim, name: str) -> markup.Label:
    return markup.label(name) if name in claim.symbols else markup.Label(Markup.escape(name), name)


RATIO = markup.Label(Markup("left side / right side"), "left side / right side")


def _bought(item: Verdict) -> Iterable[Bought]:
    verdicts = {part.name: part for part in item.assumptions}
    costs = pictures_of_costs(item)
    for assumption in item.claim.assumptions:
        part = verdicts.get(assumption.name)
        point = _point(item.claim, part.counterexample) if part is not None else None
        yield Bought(
            assumption.name,
            markup.formula(assumption.written or assumption.fact),
            use_of(assumption),
            part,
            point,
            costs.get(assumption.name, ()),
            tuple(why_assumed(item.claim, part)) if part is not None else (),
        )
