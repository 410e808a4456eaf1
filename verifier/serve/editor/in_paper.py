"""The correction of a formula in the paper itself: its right side, where it is certain which text that is."""

import re
from dataclasses import replace

from verifier.expr.latex import to_latex
from verifier.expr.nodes import Relation
from verifier.judge.verdict import Verdict
from verifier.read.specs.loaded import Entry, Ready
from verifier.report.correction import corrected
from verifier.serve.editor.page import Page, Span
from verifier.serve.editor.paper import drafted

SIGN = re.compile(r"\\(?:leq|geq|le|ge|leqslant|geqslant|approx|equiv|neq?|in|sim)(?![A-Za-z])|[=<>]|&")
# What may stand after a formula on its last line, and on the lines after it.
CLOSES = re.compile(
    r"(?:\s|[.,;]|\\label\{[^{}]*\}|\\\]|\\\)|\$\$?|\\end\{[a-z]+\*?\}|\\(?:quad|qquad|,|;|!))*$"
)
MOST_LINES = 12


def correction(page: Page, entry: Entry, verdict: Verdict) -> tuple[Span, str] | None:
    """The stretch of the right side and what it should be. None unless the paper, read again with the change,
    states exactly the relation that is true."""
    if not isinstance(entry, Ready) or len(verdict.steps) != 1:
        return None
    fact = corrected(entry.claim, verdict.steps[0])
    span = _right_side(page, entry) if isinstance(fact, Relation) else None
    if span is None or not isinstance(fact, Relation):
        return None
    text = to_latex(fact.right)
    lines = [*page.lines]
    lines[span.line] = lines[span.line][: span.start] + text + lines[span.line][span.end :]
    changed = replace(page, text="\n".join(lines))
    again = drafted(changed.text, changed.file, changed.suffix).entries
    read = next((item for item in again if item.id == entry.id), None)
    same = isinstance(read, Ready) and [step.fact for step in read.claim.steps] == [fact]
    return (span, text) if same else None


def _right_side(page: Page, entry: Entry) -> Span | None:
    """What stands after the only relation of a formula, if it ends on the same line."""
    region = page.region(entry)
    if len(region) > MOST_LINES:
        return None
    signs = ((at, sign) for at in region for sign in SIGN.finditer(page.lines[at]))
    found = [(at, sign) for at, sign in signs if _is_outside(page, at, sign)]
    if len(found) != 1:
        return None
    ((at, sign),) = found
    rest = page.lines[at][sign.end() :]
    closing = CLOSES.search(rest)
    later = "".join(page.lines[line] for line in region if line > at)
    if closing is None or not CLOSES.fullmatch(later):
        return None
    right = rest[: closing.start()]
    start = sign.end() + len(right) - len(right.lstrip())
    return Span(at, start, sign.end() + closing.start()) if right.strip() else None


def _is_outside(page: Page, at: int, sign: "re.Match[str]") -> bool:
    """Not in braces, where the ends of sums stand."""
    before = page.lines[at][: sign.start()]
    return before.count("{") == before.count("}")
