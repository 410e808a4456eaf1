"""A verdict in a few lines of text, or as a piece of a page that brings its own style: what a console prints
and what a notebook displays. The report's pages show the same at length."""

from collections.abc import Iterator
from itertools import islice

from verifier.expr.unseen import inert
from verifier.judge.verdict import Run, Verdict
from verifier.read.specs.loaded import Broken
from verifier.report.html import render
from verifier.report.json import claim_to_json
from verifier.report.pages import claim_pages
from verifier.report.view import details, headline

# More than anybody looks at below one cell.
MOST_CARDS = 50

Item = Verdict | Broken


def text(value: Item | Run) -> str:
    """Plain lines: the verdict and why, what was stated, and what an author needs first."""
    if not isinstance(value, Run):
        return "\n".join(map(inert, _lines(value)))
    parts = [text(item) for item in islice(value.verdicts, MOST_CARDS)]
    if len(value.verdicts) > MOST_CARDS:
        parts.append(f"{len(value.verdicts) - MOST_CARDS} more claims are not shown")
    return "\n".join([*parts, *map(str, value.problems)]) or "no claims"


def html(value: Item | Run) -> str:
    """The same with formulas, values and pictures drawn."""
    run = value if isinstance(value, Run) else Run((value,))
    shown = Run(tuple(islice(run.verdicts, MOST_CARDS)), run.problems, run.seed)
    others = len(run.verdicts) - len(shown.verdicts)
    return render("card.html.j2", pages=list(claim_pages(shown)), others=others, run=run)


def _lines(item: Item) -> Iterator[str]:
    claim = claim_to_json(item)
    grade = f" ({item.evidence})" if item.evidence else ""
    yield f"{item.id}: {_one_line(headline(claim).replace(item.verdict, item.verdict + grade, 1))}"
    if isinstance(item, Broken):
        yield from (line for problem in item.problems for line in str(problem).splitlines())
        return
    yield from (f"    {_one_line(line)}" for line in item.claim.text.splitlines())
    yield from (f"    {name}: {_one_line(words)}" for name, words in details(claim))
    if (proof := item.proof) is not None:
        yield f"    proof: {'checked by the kernel' if proof.checked else 'rests on trust'}"


def _one_line(words: str) -> str:
    return " ".join(words.split())
