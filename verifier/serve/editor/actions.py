"""Changes that an editor offers: insert the correction, accept the verdict, draft a claim.

Each is an edit of the author's text, and none is offered where it is not certain what would be replaced."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from verifier.claim.model import Claim
from verifier.expr.errors import ExprError
from verifier.expr.syntax import Compare, parse
from verifier.expr.text import to_text
from verifier.judge.verdict import StepVerdict, Verdict
from verifier.read.specs.loaded import Entry, Ready
from verifier.read.specs.writeup_statements import Statement
from verifier.read.specs.writeups import MARKDOWN
from verifier.read.specs.yaml_document import lines_of
from verifier.serve.editor.in_paper import correction
from verifier.serve.editor.page import Page, Span

OPENS = re.compile(r"(==|<=|>=|<|>|in\b)\s*")
STATED = re.compile(r"^(\s*)(says|steps)\s*:")
EXPECT = re.compile(r"\bexpect\s*:\s*(\[[^\]]*\]|[A-Za-z]+)")
UNWRITTEN = "TODO"  # which no claim can be read with
PLAIN = re.compile(r"[A-Za-z_][\w.-]*(?::[\w.-]+)*")


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
    if entry is not None and verdict is not None and not page.drafted:
        found += _corrections(page, verdict)
        found += _acceptance(page, entry, verdict)
    if entry is not None and verdict is not None and page.drafted:
        found += _in_the_formula(page, entry, verdict)
    return [*found, *_draft(page, line, entry)]


# --- the correction --------------------------------------------------------------------------------


def _corrections(page: Page, verdict: Verdict) -> Iterator[Action]:
    for step in verdict.steps:
        better = step.corrected or (step.tight if step.verdict == "loose" else None)
        span = right_side(page, step) if better is not None else None
        if better is None or span is None or not _fits(page, span, better):
            continue
        is_false = step.corrected is not None
        yield Action(_title(better, is_false), "fix", Edit(span, better), verdict.id, preferred=is_false)


def _in_the_formula(page: Page, entry: Entry, verdict: Verdict) -> Iterator[Action]:
    changed = correction(page, entry, verdict)
    if changed is not None:
        span, text = changed
        is_false = verdict.steps[0].corrected is not None
        yield Action(_title(text, is_false), "fix", Edit(span, text), verdict.id, preferred=is_false)


def _title(better: str, is_false: bool) -> str:
    words = "Insert the correction" if is_false else "Insert the better bound"
    return f"{words}: {better if len(better) <= 60 else better[:60] + '…'}"


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
    if isinstance(entry, Ready) and not page.drafted:
        last, column = page.region(entry)[-1], entry.position.column - 1
        if page.region(entry).start != last or "{" not in page.lines[last][:column]:
            indent = page.lines[entry.position.line - 1][:column]
            text = f"\n{indent}new-claim:\n{indent}  says: {UNWRITTEN}"
            end = len(page.lines[last])
            yield Action("Draft another claim here", "write", Edit(Span(last, end, end), text))
        return
    for statement in page.writeup.statements:
        if statement.latex is None or not statement.first <= line + 1 <= statement.last:
            continue
        claim = entry.claim if isinstance(entry, Ready) else None
        if claim is not None or statement.label is not None:
            end = len(page.lines[statement.last - 1])
            where = Span(statement.last - 1, end, end)
            name = statement.label or "this formula"
            text = "\n" + block(statement, claim, page.suffix)
            yield Action(f"Draft a claim for {name}", "write", Edit(where, text))


def block(statement: Statement, claim: Claim | None, suffix: str) -> str:
    """A claim block for a formula: what we read it as, or nothing yet, which is for its author to write."""
    slug = re.sub(r"[^A-Za-z0-9]+", "-", statement.label or "").strip("-") or f"line-{statement.first}"
    lines = [f"theorem: draft/{slug}"]
    if claim is not None:
        lines += _table("symbols", {name: origin.says for name, origin in claim.origins.items()})
        lines += _table("let", {let.name: to_text(let.body) for let in claim.lets})
        lines += _table("assumptions", {item.name: item.text for item in claim.assumptions})
    lines += ["claims:", f"  {slug}:"]
    lines += [f"    label: {_scalar(statement.label)}"] if statement.label is not None else []
    if claim is not None and claim.is_chain:
        lines += ["    steps: |", *(f"      {line.strip()}" for line in claim.text.splitlines())]
    else:
        lines.append(f"    says: {claim.text if claim is not None else UNWRITTEN}")
    if suffix in MARKDOWN:
        return "\n".join(["", "```claim", *lines, "```"])
    return "\n".join(["%%claim", *(f"% {line}" for line in lines), "%%end"])


def _table(key: str, items: Mapping[str, str]) -> list[str]:
    return [f"{key}:", *(f"  {_scalar(name)}: {words}" for name, words in items.items())] if items else []


def _scalar(text: str) -> str:
    """A text as YAML: plain where that is safe, else quoted."""
    return text if PLAIN.fullmatch(text) else json.dumps(text)


def applied(text: str, edit: Edit) -> str:
    """The text after the edit, as an editor makes it."""
    lines = lines_of(text)
    line = lines[edit.span.line]
    lines[edit.span.line] = line[: edit.span.start] + edit.text + line[edit.span.end :]
    return "\n".join(lines)
