"""Changes that an editor offers: insert the correction, accept the verdict, draft a claim.

Each is an edit of the author's text, and none is offered where it is not certain what would be replaced."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from verifier.claim.document import lines_of
from verifier.claim.loaded import Broken, Entry, Ready
from verifier.claim.statements import Statement
from verifier.claim.writeups import MARKDOWN
from verifier.expr.errors import ExprError
from verifier.expr.syntax import Compare, parse
from verifier.judge.verdict import StepVerdict, Verdict
from verifier.serve.editor.page import Page, Span

OPENS = re.compile(r"(==|<=|>=|<|>|in\b)\s*")
STATED = re.compile(r"^(\s*)(says|steps)\s*:")
EXPECT = re.compile(r"\bexpect\s*:\s*(\[[^\]]*\]|[A-Za-z]+)")
UNWRITTEN = "TODO"  # which no claim can be read with
PLAIN = re.compile(r"[^{}\[\],#:&*!|>'\"%@`\n]+")


@dataclass(frozen=True)
class Edit:
    """Text in place of a stretch; an empty stretch is where it is inserted."""

    span: Span
    text: str


@dataclass(frozen=True)
class Action:
    """A change by its title; `fixes` is the claim whose marks it is about."""

    title: str
    kind: Literal["fix", "write"]
    edit: Edit
    fixes: str | None = None
    preferred: bool = False


def actions(page: Page, line: int) -> list[Action]:
    """What is offered at a line."""
    if page.suffix == ".ipynb":  # whose lines are strings of JSON
        return []
    entry = page.entry_at(line)
    verdict = page.verdicts.get(entry.id) if entry is not None else None
    found: list[Action] = []
    if entry is not None and verdict is not None:
        found += _corrections(page, verdict)
        found += _acceptance(page, entry, verdict)
    return [*found, *_draft(page, line, entry)]


# --- the correction --------------------------------------------------------------------------------


def _corrections(page: Page, verdict: Verdict) -> Iterator[Action]:
    for step in verdict.steps:
        better = step.corrected or (step.tight if step.verdict == "loose" else None)
        span = right_side(page, step) if better is not None else None
        if better is None or span is None or not _fits(page, span, better):
            continue
        words = "Insert the correction" if step.corrected else "Insert the better bound"
        title = f"{words}: {better if len(better) <= 60 else better[:60] + '…'}"
        yield Action(title, "fix", Edit(span, better), verdict.id, preferred=step.corrected is not None)


def right_side(page: Page, step: StepVerdict) -> Span | None:
    """Where the right side of a relation stands, if it stands on one line exactly as it was read."""
    at, start = step.position.line - 1, step.position.column - 1
    text = step.text.strip()
    if not 0 <= at < len(page.lines) or page.lines[at][start : start + len(text)] != text:
        return None
    opened = OPENS.match(text)  # a line of a chain
    if opened is not None:
        return Span(at, start + opened.end(), start + len(text))
    try:
        tree = parse(text)
    except ExprError:
        return None
    if not isinstance(tree, Compare):
        return None
    return Span(at, start + tree.right.span.start, start + tree.right.span.end)


def _fits(page: Page, span: Span, text: str) -> bool:
    """Whether a text can stand there: a plain scalar inside braces ends at a comma."""
    around = page.yaml[span.line] if span.line < len(page.yaml) else ""
    quoted = around[: span.start].count('"') % 2 == 1 or around[: span.start].count("'") % 2 == 1
    inside = around[: span.start].count("{") > around[: span.start].count("}")
    return "\n" not in text and (quoted or not inside or not set(text) & set(",{}[]"))


# --- the verdict as `expect` -------------------------------------------------------------------------


def _acceptance(page: Page, entry: Entry, verdict: Verdict) -> Iterator[Action]:
    if verdict.as_expected and verdict.claim.expect is not None:
        return
    if verdict.verdict == "error" or (verdict.verdict == "holds" and verdict.claim.expect is None):
        return
    edit = _expectation(page, entry, verdict.verdict)
    if edit is not None:
        yield Action(f"Accept the verdict: expect: {verdict.verdict}", "fix", edit, verdict.id)


def _expectation(page: Page, entry: Entry, word: str) -> Edit | None:
    """`expect:` with this word: in place of what stands there, or before the statement."""
    region = page.region(entry)
    if isinstance(entry, Ready) and entry.draft.claim.each:
        return None  # one text, many claims
    for at in region:
        match = EXPECT.search(page.yaml[at], entry.position.column - 1 if at == region.start else 0)
        if match is not None:
            return Edit(Span(at, match.start(1), match.end(1)), word)
    for at in region[1:]:
        match = STATED.match(page.yaml[at])
        if match is not None:
            indent = page.lines[at][: len(match[1])]
            return Edit(Span(at, 0, 0), f"{indent}expect: {word}\n")
    opened = page.yaml[region.start].find("{", entry.position.column - 1)
    return Edit(Span(region.start, opened + 1, opened + 1), f"expect: {word}, ") if opened >= 0 else None


# --- a new claim -------------------------------------------------------------------------------------


def _draft(page: Page, line: int, entry: Entry | None) -> Iterator[Action]:
    """A claim for the formula at the line, or one more claim after this one."""
    if entry is not None and not isinstance(entry, Broken):
        last, column = page.region(entry)[-1], entry.position.column - 1
        if page.region(entry).start != last or "{" not in page.lines[last][:column]:
            indent = page.lines[entry.position.line - 1][:column]
            text = f"\n{indent}new-claim:\n{indent}  says: {UNWRITTEN}"
            end = len(page.lines[last])
            yield Action("Draft another claim here", "write", Edit(Span(last, end, end), text))
        return
    for statement in page.writeup.statements:
        labelled = statement.label is not None and statement.latex is not None
        if labelled and statement.first <= line + 1 <= statement.last:
            end = len(page.lines[statement.last - 1])
            text = "\n" + block(statement, page.suffix)
            where = Span(statement.last - 1, end, end)
            yield Action(f"Draft a claim for {statement.label}", "write", Edit(where, text))


def block(statement: Statement, suffix: str) -> str:
    """A claim block that points at a formula. It states nothing yet: what it says is for its author."""
    label = statement.label or ""
    slug = re.sub(r"[^A-Za-z0-9]+", "-", label).strip("-") or "claim"
    lines = [
        f"theorem: draft/{slug}",
        "symbols: {}",
        "claims:",
        f"  {slug}:",
        f"    label: {label if PLAIN.fullmatch(label) else repr(label)}",
        f"    says: {UNWRITTEN}",
    ]
    if suffix in MARKDOWN:
        return "\n".join(["", "```claim", *lines, "```"])
    return "\n".join(["%%claim", *(f"% {line}" for line in lines), "%%end"])


def applied(text: str, edit: Edit) -> str:
    """The text after the edit, as an editor makes it."""
    lines = lines_of(text)
    line = lines[edit.span.line]
    lines[edit.span.line] = line[: edit.span.start] + edit.text + line[edit.span.end :]
    return "\n".join(lines)
