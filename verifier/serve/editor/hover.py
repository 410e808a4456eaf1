"""What a claim was read as, and why its verdict is what it is, as Markdown.

A stranger's words stand in fences that none of them can close, so that nothing in them is markup."""

import re
from collections.abc import Iterable, Iterator

from verifier.claim.model import Claim
from verifier.expr.unicode import to_unicode
from verifier.expr.unseen import inert
from verifier.expr.words import describe
from verifier.judge.verdict import Verdict
from verifier.read.specs.loaded import Broken
from verifier.report.facts import meaning
from verifier.report.json import claim_to_json
from verifier.report.proofs import proved
from verifier.report.reading import in_words
from verifier.report.view import details
from verifier.serve.editor.page import Page

WORD = re.compile(r"[A-Za-z_]\w*")
MOST_LINES = 40


def hover(page: Page, line: int, column: int) -> str | None:
    """What is known of the place: the name that stands there, and the claim."""
    entry = page.entry_at(line)
    if entry is None:
        return None
    if isinstance(entry, Broken):
        return "\n\n".join(["**error**: it could not be read", fenced(str(entry).splitlines())])
    parts = [*_name(page, entry.claim, line, column)]
    verdict = page.verdicts.get(entry.id)
    if verdict is not None:
        grade = f", {verdict.evidence}" if verdict.evidence else ""
        parts.append(f"**{verdict.verdict}** ({meaning(verdict)}{grade})")
    else:
        parts.append("**not judged yet**")
    formulas = [to_unicode(step.fact) for step in entry.claim.steps]
    parts += ["We read this as", fenced(formulas), fenced(in_words(entry.claim))]
    if verdict is not None:
        parts += ["Why", fenced(_why(verdict)), *_proof(verdict)]
    return "\n\n".join(parts)


def _name(page: Page, claim: Claim, line: int, column: int) -> Iterator[str]:
    """What a name in this claim stands for."""
    text = page.lines[line] if line < len(page.lines) else ""
    word = next((m[0] for m in WORD.finditer(text) if m.start() <= column <= m.end()), None)
    lets = {let.name: let for let in claim.lets}
    if word is not None and word in claim.symbols:
        words = f"{word} is {describe(claim.symbols[word])}"
        origin = claim.origins.get(word)
        yield fenced([words, *([f"inferred: {origin.inferred}"] if origin and origin.inferred else [])])
    elif word is not None and word in lets:
        yield fenced([f"{word} stands for {to_unicode(lets[word].body)}"])


def _why(verdict: Verdict) -> Iterator[str]:
    """The reason, what an author needs first, and the counterexample worked out."""
    yield verdict.disagreement or verdict.reason
    yield from (f"{name}: {words}" for name, words in details(claim_to_json(verdict)))
    if verdict.counterexample is not None:
        yield from (f"    {line}" for line in verdict.counterexample.arithmetic)


def _proof(verdict: Verdict) -> Iterator[str]:
    """The steps of the proof, the statement first, or who is trusted for want of one."""
    proof = verdict.proof
    if proof is None:
        return
    if not proof.checked:
        yield "Proof: not checked"
        yield fenced(f"trusted: {site}" for site in proof.sites)
        return
    yield "Proof, checked by the kernel"
    for step in verdict.grounds:
        shown = proved(step.proof, verdict.claim)
        if shown is not None:
            yield fenced(
                f"{line.number}. {line.says}{' is false' if line.fails else ''}   by {line.rule}"
                for line in shown.lines[:MOST_LINES]
            )


def fenced(lines: Iterable[str]) -> str:
    """Lines as they are, in a fence longer than any in them."""
    shown = [inert(part) for line in lines for part in line.splitlines()]
    longest = max((len(run) for line in shown for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([f"{fence}text", *shown[:MOST_LINES], fence])
