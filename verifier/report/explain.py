"""One claim at length: how it was read, and how it was judged."""

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from verifier.claim.model import Printed
from verifier.claim.undefined import left_out
from verifier.evidence import Finding
from verifier.expr.unicode import to_unicode
from verifier.expr.unseen import inert
from verifier.judge.verdict import AssumptionVerdict, StepVerdict, Verdict
from verifier.report.facts import MEANING, in_one_line, said, show
from verifier.report.inference import conditions, one_line
from verifier.report.json import proof_of
from verifier.report.reading import in_words, origins

HEADING = "bold"


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
        _heading(
            console, "How it was judged" if len(item.steps) == 1 else f"Step {place} of {len(item.steps)}"
        )
        _lines(console, _step(step, alone=len(item.steps) == 1))
    if item.overall is not None:
        _heading(console, "First against last")
        _lines(console, _step(item.overall, alone=False))
    if item.grounds:
        _heading(console, "Proof")
        _lines(console, _proof(item))
    if item.assumptions:
        _heading(console, "What the assumptions buy")
        _lines(console, [_assumption(part) for part in item.assumptions])
    console.print()


def _print(found: Printed) -> str:
    match found.status:
        case "same":
            return "which says the same"
        case "different":
            return f"which reads as {found.words}: not what the claim says"
    return f"which could not be read: {found.words}"


def _verdict(item: Verdict) -> Iterator[str]:
    grade = f", {item.evidence}" if item.evidence else ""
    yield f"{item.verdict} ({MEANING[item.verdict]}{grade}): {item.reason}"
    left = [text for step in item.steps for text in left_out(item.claim, step.fact)]
    if left and item.verdict != "error":
        yield f"left out, since a side is undefined there: {', '.join(dict.fromkeys(left))}"
    if item.claim.expect is not None:
        met = "as expected" if item.as_expected else "not as expected"
        yield f"The author expects {' or '.join(item.claim.expect)}: {met}."
    if item.repair is not None:
        verdict = f" ({item.repair.verdict})" if item.repair.verdict else ""
        yield f"It would be true under one more condition: {item.repair.condition}{verdict}."
    if item.disagreement is not None:
        yield f"The engines disagree: {item.disagreement}"


def _step(step: StepVerdict, alone: bool) -> Iterator[str]:
    if not alone:
        yield f"{to_unicode(step.fact)}   (line {step.position.line})"
        yield f"{step.verdict}{f', {step.evidence}' if step.evidence else ''}: {step.reason}"
    named = [("left side", step.lhs), ("right side", step.rhs), ("corrected", step.corrected)]
    named.append(("true instead", step.instead))
    yield from (f"{name}: {text}" for name, text in [*named, ("could be", step.tight)] if text is not None)
    if step.slack is not None:
        yield f"slack: {step.slack:.6g}"
    if step.counterexample is not None:
        yield f"counterexample: {in_one_line(step.counterexample)}"
        yield from (f"    {line}" for line in step.counterexample.arithmetic)
    for finding in step.findings:
        yield from _finding(finding)


def _finding(finding: Finding) -> Iterator[str]:
    grade = f", {finding.grade}" if finding.grade else ""
    why = f". {finding.reason}" if finding.reason else ""
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


def _proof(item: Verdict) -> Iterator[str]:
    """The rules that it uses, each with what it says; and who answers for what is not checked."""
    from verifier.kernel.rules import rules

    known, found = rules(), proof_of(item)
    assert found is not None
    yield "checked by the kernel" if found["checked"] else "not checked: it rests on trust"
    for name, count in found["rules"].items():
        yield f"{name} ({count} times)" if count > 1 else name
        if name in known:
            yield f"    {one_line(known[name])}"
            yield from (f"    {words}" for words in conditions(known[name]))
    for site, count in found["sites"].items():
        yield f"trusted: {site}{f' ({count} times)' if count > 1 else ''}"


def _assumption(part: AssumptionVerdict) -> str:
    words = [f"{part.name}: {part.status}", part.reason]
    if part.violated:
        words.append(f"it contradicts the declared symbols{f': {part.gap}' if part.gap else ''}")
    if part.counterexample is not None:
        words.append(f"counterexample: {in_one_line(part.counterexample)}")
    return "; ".join(filter(None, words))


def _heading(console: Console, words: str) -> None:
    console.print()
    console.print(Text(inert(words), style=HEADING), soft_wrap=True)


def _lines(console: Console, lines: Iterator[str] | list[str]) -> None:
    for line in (part for item in lines for part in item.splitlines()):
        console.print(Text(f"  {inert(line)}"), soft_wrap=True)
