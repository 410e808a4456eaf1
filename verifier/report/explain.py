"""One claim at length: how it was read, and how it was judged."""

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from verifier.claim.model import Claim, Printed
from verifier.claim.undefined import left_out
from verifier.evidence import Finding
from verifier.expr.unicode import to_unicode
from verifier.expr.unseen import inert
from verifier.judge.verdict import AssumptionVerdict, StepVerdict, Verdict
from verifier.report.beside import Beside, beside_assumption, beside_step
from verifier.report.facts import in_one_line, meaning, reason_of, said, show
from verifier.report.formulas_in_words import in_unicode
from verifier.report.proofs import Line, proved
from verifier.report.reading import in_words, origins
from verifier.report.searched import search_tree
from verifier.report.sentences import how_sure, tightness_words, tried, unproved, why, why_assumed
from verifier.report.view import guessed

HEADING = "bold"
OFFERED = {"corrected": "corrected", "instead": "true instead", "tight": "could be"}


def explain(item: Verdict, console: Console) -> None:
    """Everything that the run knows of a claim."""
    claim = item.claim
    _heading(console, f"{claim.id}: {item.verdict}")
    _lines(console, [f"{claim.title} ({claim.position})"] if claim.title else [str(claim.position)])
    _heading(console, "We read this as")
    _lines(console, [to_unicode(step.fact) for step in claim.steps])
    console.print()
    _lines(console, in_words(claim))
    if claim.origins:
        _heading(console, "Where its symbols come from")
        _lines(console, origins(claim))
    if claim.printed is not None:
        _heading(console, "The write-up prints")
        _lines(console, [claim.printed.latex, _print(claim.printed)])
    _heading(console, "Verdict")
    _lines(console, _verdict(item))
    for place, step in enumerate(item.steps, start=1):
        _heading(console, _why(item, step, place))
        _lines(console, [*_proof(claim, step), *_beside(beside_step(item, place - 1))])
    for place, step in enumerate(item.steps, start=1):
        _heading(
            console, "How it was judged" if len(item.steps) == 1 else f"Step {place} of {len(item.steps)}"
        )
        _lines(console, _step(step, alone=len(item.steps) == 1))
    if item.overall is not None:
        _heading(console, "First against last")
        _lines(console, _step(item.overall, alone=False))
    _searched(item, console)
    if item.assumptions:
        _heading(console, "What the assumptions buy")
        _lines(console, [line for part in item.assumptions for line in _assumption(item, part)])
    console.print()


def _searched(item: Verdict, console: Console) -> None:
    """Step by step, then what was asked of the claim as a whole."""
    parts = [*item.steps, item.overall] if item.overall is not None else item.steps
    for place, step in enumerate(parts, start=1):
        if step is not None and step.tried:
            name = "first against last" if step is item.overall else f"step {place}"
            of = "" if len(item.steps) == 1 else f", {name}"
            _heading(console, f"Who tried what{of}, in seconds of work")
            _lines(console, search_tree(step.tried))
    if item.tried:
        _heading(console, "What was asked of the claim afterwards")
        _lines(console, search_tree(item.tried))


def _print(found: Printed) -> str:
    match found.status:
        case "same":
            return "which says the same"
        case "different":
            return f"which reads as {found.words}: not what the claim says"
    return f"which could not be read: {found.words}"


def _verdict(item: Verdict) -> Iterator[str]:
    grade = f", {item.evidence}" if item.evidence else ""
    yield f"{item.verdict} ({meaning(item)}{grade}): {item.reason}"
    yield f"How sure: {how_sure(item)}"
    left = [text for step in item.steps for text in left_out(item.claim, step.fact)]
    if left and item.verdict != "error":
        yield f"left out, since a side is undefined there: {', '.join(dict.fromkeys(left))}"
    if item.claim.expect is not None:
        met = "as expected" if item.as_expected else "not as expected"
        yield f"The author expects {' or '.join(item.claim.expect)}: {met}."
    if item.repair is not None:
        verdict = f" ({item.repair.verdict})" if item.repair.verdict else ""
        said = f"It would be true under one more condition: {item.repair.condition}{verdict}."
        yield f"A guess. {said}" if item.repair.is_guess else said
    if item.disagreement is not None:
        yield f"The engines disagree: {item.disagreement}"


def _step(step: StepVerdict, alone: bool) -> Iterator[str]:
    if not alone:
        yield f"{to_unicode(step.fact)}   (line {step.position.line})"
        yield f"{step.verdict}{f', {step.evidence}' if step.evidence else ''}: {step.reason}"
    yield from (
        f"{side}: {text}" for side, text in (("left side", step.lhs), ("right side", step.rhs)) if text
    )
    offered = {"corrected": step.corrected, "instead": step.instead, "tight": step.tight}
    for key, text in offered.items():
        if text is not None:
            yield f"{OFFERED[key]}: {guessed(text, key in step.guesses)}"
    if step.slack is not None:
        yield f"slack: {step.slack:.6g}"
    if step.counterexample is not None:
        yield f"counterexample: {in_one_line(step.counterexample)}"
        yield from (f"    {line}" for line in step.counterexample.arithmetic)
    for finding in step.findings:
        yield from _finding(finding)


def _finding(finding: Finding) -> Iterator[str]:
    grade = f", {finding.grade}" if finding.grade else ""
    why = f". {reason_of(finding)}" if reason_of(finding) else ""
    yield f"{finding.engine} ({finding.seconds:.2f} s): {said(finding)}{grade}{why}"
    if finding.region is not None:
        yield f"    region: {finding.region}"
    if finding.missing is not None:
        yield f"    missing: {finding.missing}"
    yield from (f"    left out: {words}" for words in finding.excluded)
    yield from (f"    {line}" for line in finding.derivation)
    for sample in finding.samples:
        claimed = "" if sample.claimed is None else f", claimed {sample.claimed:.6g}"
        yield (
            f"    at {show(sample.at)}: {sample.estimate:.6g} in [{sample.low:.6g}, {sample.high:.6g}]"
            f"{claimed}, {sample.draws} draws"
        )


def _why(item: Verdict, step: StepVerdict, place: int) -> str:
    words = why(step.verdict)
    return words if len(item.steps) == 1 else f"Step {place}: {words[0].lower()}{words[1:]}"


def _proof(claim: Claim, step: StepVerdict) -> Iterator[str]:
    """The proof from the statement down, or what was tried; then how tight a bound is."""
    found = proved(step.proof, claim, step.counterexample)
    if found is not None and found.is_checked:
        yield "The kernel checked this proof."
        for line in found.lines:
            yield from _proof_line(line)
        if found.left_out:
            yield f"{found.left_out} more steps are in the proof's file."
    else:
        yield from unproved(step)
        yield from (f"    {engine}: {missing}" for engine, missing in tried(step))
    yield from (in_unicode(claim, words) for words in tightness_words(step))


def _proof_line(line: Line) -> Iterator[str]:
    yield f"({line.number}) {line.says}{' is false' if line.fails else ''}.  [{line.rule}]"
    yield f"    {line.because}"
    yield from (f"    {work.line}" for work in line.work)
    if line.given:
        yield f"    Given: {line.given}."


def _assumption(item: Verdict, part: AssumptionVerdict) -> Iterator[str]:
    yield f"{part.name}: {guessed(part.status, part.is_guess)}"
    if part.violated:
        yield f"    It contradicts the declared symbols{f': {part.gap}' if part.gap else ''}."
    yield from (f"    {words}" for words in why_assumed(item.claim, part))
    yield from (f"    {line}" for line in _beside(beside_assumption(item, part.name, part.counterexample)))


def _beside(found: tuple[Beside, ...]) -> Iterator[str]:
    for part in found:
        if part.proofs:
            yield f"{part.words}, which the kernel checked:"
        for proof in part.proofs:
            yield from (f"    {words}" for line in proof.lines for words in _proof_line(line))


def _heading(console: Console, words: str) -> None:
    console.print()
    console.print(Text(inert(words), style=HEADING), soft_wrap=True)


def _lines(console: Console, lines: Iterator[str] | list[str]) -> None:
    for line in (part for item in lines for part in item.splitlines()):
        console.print(Text(f"  {inert(line)}"), soft_wrap=True)
