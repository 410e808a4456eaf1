"""What a claim's page shows, gathered before any template runs: templates only place it."""

import shlex
from collections.abc import Iterable
from dataclasses import dataclass, replace

from markupsafe import Markup

from verifier.claim.model import Claim, VerdictName
from verifier.claim.problems import Problem
from verifier.evidence import Finding, Grade, Sample
from verifier.expr.nodes import Growth, Order, Relation
from verifier.expr.text import to_text
from verifier.judge.verdict import AssumptionVerdict, Run, StepVerdict, Verdict
from verifier.read.specs.loaded import Broken
from verifier.report import markup
from verifier.report.beside import Beside, beside_assumption, beside_step
from verifier.report.compare import Changes
from verifier.report.correction import to_paste
from verifier.report.counterexamples import Point, point_of
from verifier.report.decimals import decimals
from verifier.report.derivation import Derivation, derivation
from verifier.report.facts import left_of, reason_of, right_text, said, show
from verifier.report.formulas_in_words import spelled
from verifier.report.pictures import Picture, pictures_of, pictures_of_costs
from verifier.report.proofs import Proved, proved
from verifier.report.reading import Reading, origin_words, read_claim, use_of
from verifier.report.rows import Item, Row, rows_of
from verifier.report.sentences import how_sure, tightness_words, tried, unproved, why, why_assumed
from verifier.report.verdicts import sentence

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
class Told:
    """What one engine said, and why."""

    engine: str
    verdict: VerdictName
    grade: Grade | None
    reason: Markup
    notes: tuple[Markup, ...]
    seconds: float


@dataclass(frozen=True)
class Shown:
    """A step as the page shows it."""

    number: int
    step: StepVerdict
    reason: Markup
    formula: Markup
    sides: tuple[Side, ...]
    better: Side | None
    point: Point | None
    findings: tuple[Told, ...]
    derivations: tuple[Derivation, ...]
    samples: tuple[tuple[str, Sample], ...]
    more_samples: int
    proof: Proved | None = None
    tightness: tuple[Markup, ...] = ()
    names: tuple[str, ...] = ()  # of the claim's symbols, which sentences speak of
    instead: Markup | None = None
    beside: tuple[Beside, ...] = ()  # proofs of how tight it is, and of what is offered
    unproved: tuple[Markup, ...] = ()  # what is known where the kernel has no proof
    tried: tuple[tuple[str, Markup], ...] = ()

    @property
    def better_is_left(self) -> bool:
        """Then the left side's card says so, and the formula stands there once."""
        return self.better is not None and self.better.text == self.step.lhs

    @property
    def is_derived(self) -> bool:
        """Whether what an engine contracted, or showed without a proof, is told among the reasons."""
        decided = self.step.verdict in ("holds", "loose", "fails")
        return decided and (self.proof is None or not self.proof.is_checked or self.proof.contracts)

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
    why: tuple[Markup, ...] = ()  # it is needed, or not
    beside: tuple[Beside, ...] = ()  # the proof of that
    gap: Markup | None = None  # by how much it contradicts the symbols
    told: tuple[Markup, ...] = ()  # the same as `why`, with the point in it


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
    text: str = ""  # as its author states it
    latex: str | None = None  # of the correction, to paste
    repair: Markup | None = None  # the condition under which it would be true

    @property
    def rules(self) -> frozenset[str]:
        """The rules of its proofs."""
        proofs = [shown.proof for shown in (*self.steps, self.main) if shown is not None]
        return frozenset(line.rule for proof in proofs if proof is not None for line in proof.lines)

    @property
    def names(self) -> tuple[str, ...]:
        """Its symbols, which sentences speak of."""
        return () if self.claim is None else tuple(self.claim.symbols)

    @property
    def sure(self) -> str:
        return how_sure(self.verdict) if self.verdict is not None else "Nothing was judged."

    @property
    def reason(self) -> Markup | None:
        """In a few words; of what is open, all that was tried stands further below."""
        found = self.verdict
        if found is None or self.claim is None or not (found.grounds or found.verdict == "error"):
            return None
        return spelled(self.claim, found.reason)

    @property
    def why(self) -> str:
        return why(self.row.verdict)

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
        return Page(row, item.title, None, item.problems, repeat, text=item.text)
    claim, reading = item.claim, read_claim(item.claim)
    names = frozenset(use.name for use in (*reading.symbols, *reading.lets))
    main = item.main
    steps = tuple(
        replace(_shown(claim, step, at + 1), beside=beside_step(item, at))
        for at, step in enumerate(item.steps)
    )
    return Page(
        row=row,
        title=claim.title,
        locator=claim.source.locator,
        problems=item.problems,
        repeat=repeat,
        seconds=item.seconds,
        text=claim.text,
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
        overall=_shown(claim, item.overall, 0) if item.overall is not None else None,
        pictures=pictures_of(main, f"picture-{row.anchor}", names),
        latex=to_paste(claim, main),
        repair=_offered(claim, item.repair.condition) if item.repair is not None else None,
    )


def _origin(claim: Claim, name: str) -> str:
    """Where it comes from; the claim's own file stands above its page already."""
    words = origin_words(claim.origins[name]) if name in claim.origins else ""
    return words.replace(f"in {claim.position.file}, line ", "in line ").replace("line ", "line\u00a0")


def _told(claim: Claim, finding: Finding) -> Told:
    tightness = finding.tightness.note if finding.tightness is not None else None
    notes = (("Region: ", finding.region), ("Missing: ", finding.missing), ("", tightness))
    told = [Markup("{}{}").format(head, spelled(claim, words)) for head, words in notes if words]
    left = [Markup("Left out: {}").format(spelled(claim, words)) for words in finding.excluded]
    reason = spelled(claim, reason_of(finding))
    return Told(finding.engine, said(finding), finding.grade, reason, (*told, *left), finding.seconds)


def _shown(claim: Claim, step: StepVerdict, number: int) -> Shown:
    better = step.corrected if step.corrected is not None else step.tight
    key, label = ("corrected", "Corrected") if step.corrected is not None else ("tight", "Could be")
    label = f"A guess: {label.lower()}" if key in step.guesses else label
    told = dict.fromkeys((f.engine, f.derivation) for f in step.findings if f.derivation)
    proof = proved(step.proof, claim, step.counterexample)
    missing = [] if proof is not None and proof.is_checked else unproved(step)
    samples = [(show(sample.at), sample) for finding in step.findings for sample in finding.samples]
    return Shown(
        number=number,
        step=step,
        reason=spelled(claim, step.reason),
        formula=markup.formula(step.fact),
        sides=_sides(claim, step),
        better=_side(claim, label, better) if better is not None else None,
        point=point_of(claim, step.counterexample),
        findings=tuple(_told(claim, finding) for finding in step.findings),
        derivations=tuple(derivation(claim, engine, lines) for engine, lines in told),
        samples=tuple(samples[:MOST_SAMPLES]),
        more_samples=max(len(samples) - MOST_SAMPLES, 0),
        proof=proof,
        names=tuple(claim.symbols),
        instead=_offered(claim, step.instead),
        tightness=tuple(spelled(claim, words) for words in tightness_words(step)),
        unproved=tuple(spelled(claim, words) for words in missing),
        tried=tuple((engine, spelled(claim, words)) for engine, words in tried(step)),
    )


# --- both sides ------------------------------------------------------------------------------------


def _sides(claim: Claim, step: StepVerdict) -> tuple[Side, ...]:
    """The closed forms, if one was found: sides as written stand above already."""
    written = {to_text(left_of(step.fact)), right_text(step.fact)}
    if {step.lhs, step.rhs} <= {*written, None} and step.corrected is None and step.tight is None:
        return ()
    is_correction = step.lhs in (step.corrected, step.tight)
    perhaps = ", a guess" if {"corrected", "tight"} & {*step.guesses} else ""
    label = f"Left side, and so the corrected right side{perhaps}" if is_correction else "Left side"
    if step.lhs == step.rhs and step.lhs is not None:
        return (_side(claim, "Both sides", step.lhs),)
    found = [_side(claim, name, text) for name, text in ((label, step.lhs), ("Right side", step.rhs)) if text]
    return _marked(*found) if len(found) == 2 and _should_be_equal(step) else tuple(found)


def _should_be_equal(step: StepVerdict) -> bool:
    """Whether what differs between the sides is what is wrong."""
    if step.verdict != "fails" or not isinstance(step.fact, Relation) or step.fact.op != "==":
        return False
    return not isinstance(step.fact.right, Growth | Order)


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


def _offered(claim: Claim, text: str | None) -> Markup | None:
    """A relation or a condition that is offered, typeset where it can be read."""
    if text is None:
        return None
    found = markup.typeset(claim, text)
    return found if found is not None else Markup("<code>{}</code>").format(text)


def _side(claim: Claim, label: str, text: str) -> Side:
    value = decimals(markup.read(claim, text))
    return Side(label, text, Markup.escape(text), markup.typeset(claim, text), value)


def _bought(item: Verdict) -> Iterable[Bought]:
    judged = item.verdict != "error"  # else nothing is said of what an assumption buys
    verdicts = {part.name: part for part in item.assumptions if judged}
    costs = pictures_of_costs(item)
    for assumption in item.claim.assumptions:
        part = verdicts.get(assumption.name)
        point = point_of(item.claim, part.counterexample) if part is not None else None
        yield Bought(
            assumption.name,
            markup.formula(assumption.written or assumption.fact),
            use_of(assumption),
            part,
            point,
            costs.get(assumption.name, ()),
            _why_assumed(item.claim, part, below=point is not None),
            beside_assumption(item, assumption.name, part.counterexample if part is not None else None),
            spelled(item.claim, part.gap) if part is not None and part.gap else None,
            _why_assumed(item.claim, part, below=False),
        )


def _why_assumed(claim: Claim, part: AssumptionVerdict | None, below: bool) -> tuple[Markup, ...]:
    told = why_assumed(claim, part, below) if part is not None else []
    return tuple(spelled(claim, words) for words in told)
