"""What is underlined, and the verdict at the end of a line: values that the server only has to send."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from verifier.claim.model import Severity
from verifier.claim.problems import Problem
from verifier.expr.unicode import to_unicode
from verifier.expr.unseen import inert
from verifier.judge.verdict import StepVerdict, Verdict
from verifier.read.specs.loaded import Broken, Ready
from verifier.report.json import claim_to_json
from verifier.report.view import details
from verifier.serve.answers import UNKNOWN, unknown_of
from verifier.serve.editor.page import Page, Span, broken

Level = Literal["error", "warning", "information", "hint"]
LEVELS: dict[Severity, Level] = {"error": "error", "warning": "warning", "note": "information"}
GLYPHS = {"holds": "✓", "loose": "≈", "fails": "✗", "unrefuted": "~", "inconclusive": "?", "error": "!"}
PENDING = "… judging"
LONGEST = 1500


@dataclass(frozen=True)
class Mark:
    """A stretch to underline; `claim` is the id of the claim that it is about."""

    span: Span
    level: Level
    code: str
    message: str
    claim: str | None = None


@dataclass(frozen=True)
class Hint:
    """A verdict, to stand behind its formula."""

    line: int
    column: int
    label: str
    tooltip: str


def marks_of(page: Page) -> list[Mark]:
    """Everything that is wrong or worth a word, problems of reading first."""
    found: list[Mark] = []
    if page.refused is not None:
        found.append(Mark(page.span(1, 1, 1), "information", "refused", page.refused))
    problems = [*page.loaded.problems, *(p for entry in broken(page.entries) for p in entry.problems)]
    found += (_problem(page, problem) for problem in dict.fromkeys(problems))
    for verdict in _judged(page):
        found += _verdict(page, verdict)
    return list(dict.fromkeys(found))


def _judged(page: Page) -> Iterator[Verdict]:
    for entry in page.entries:
        if isinstance(entry, Ready) and entry.id in page.verdicts:
            yield page.verdicts[entry.id]


def _problem(page: Page, problem: Problem) -> Mark:
    place = problem.position
    message = problem.message if place.file == page.file else f"{place}: {problem.message}"
    at = page.span(place.line, place.column, problem.width) if place.file == page.file else page.span(1, 1, 1)
    level: Level = "information" if page.drafted else "error"
    return Mark(at, level, problem.code, _tidy("\n".join(filter(None, [message, problem.hint]))))


def _verdict(page: Page, verdict: Verdict) -> Iterator[Mark]:
    level = level_of(verdict)
    if level is None:
        return
    if page.drafted:
        level = "information" if level == "information" else "warning"
    for step in verdict.steps if verdict.claim.is_chain else (verdict.main,):
        if step.verdict != "holds":
            mark = page.step_span(step)
            words = _words(verdict, step)
            if page.drafted:
                words = f"{words}\nas we read it: {to_unicode(step.fact)}"
            yield Mark(mark, level, step.verdict, _tidy(words), verdict.id)
    if (span := printed_span(page, verdict)) is not None:
        yield Mark(span, level, verdict.verdict, _tidy(_words(verdict, verdict.main)), verdict.id)


def printed_span(page: Page, verdict: Verdict) -> Span | None:
    """The formula in this text that the claim's label points at."""
    claim = verdict.claim
    if claim.label is None or claim.source.file is not None or page.drafted:
        return None
    for statement in page.writeup.formulas(claim.label.strip()):
        if statement.latex is not None:
            place = statement.latex.position()
            return page.span(place.line, place.column, len(statement.latex.value.split("\n")[0].rstrip()))
    return None


def level_of(verdict: Verdict) -> Level | None:
    """How loud a verdict is; None for one that is as it should be."""
    if verdict.disagreement is not None or verdict.verdict == "error":
        return "error"
    if verdict.as_expected:
        if verdict.verdict == "unrefuted" and verdict.claim.expect is None:
            return "warning"
        return None if verdict.verdict == "holds" else "information"
    if verdict.verdict == "inconclusive" and verdict.claim.expect is None:
        return "warning"
    return LEVELS[verdict.claim.severity]


def _words(verdict: Verdict, step: StepVerdict) -> str:
    grade = f" ({step.evidence})" if step.evidence else ""
    lines = [f"{step.verdict}{grade}: {verdict.disagreement or step.reason}"]
    if (expect := verdict.claim.expect) is not None:
        met = "as expected" if verdict.as_expected else f"expected {' or '.join(expect)}"
        lines[0] += f" [{met}]"
    if step is verdict.main:
        lines += (f"{name}: {words}" for name, words in details(claim_to_json(verdict)))
    if (unknown := unknown_of(verdict)) is not None:
        lines.append(UNKNOWN[unknown])
    return "\n".join(lines)


def hints_of(page: Page) -> list[Hint]:
    """A verdict behind each claim, and behind each line of a chain."""
    found: list[Hint] = []
    for entry in page.entries:
        if isinstance(entry, Broken):
            continue
        verdict = page.verdicts.get(entry.id)
        if verdict is None:
            step = entry.claim.steps[0]
            found.append(_behind(page, step.position.line, PENDING, "being judged"))
            continue
        for part in verdict.steps:
            grade = f", {part.evidence}" if part.evidence else ""
            label = f"{GLYPHS[part.verdict]} {part.verdict}{grade}"
            found.append(_behind(page, part.position.line, label, part.reason))
    return found


def _behind(page: Page, line: int, label: str, tooltip: str) -> Hint:
    at = min(max(line - 1, 0), max(len(page.lines) - 1, 0))
    return Hint(at, len(page.lines[at].rstrip()) if page.lines else 0, label, _tidy(tooltip))


def _tidy(message: str) -> str:
    lines = [inert(line) for line in message.splitlines()]
    whole = "\n".join(lines)
    return whole if len(whole) <= LONGEST else f"{whole[:LONGEST]}…"
