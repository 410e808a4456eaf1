"""Markdown: the summary of a GitHub job, or a comment on a pull request."""

import re
from collections.abc import Iterator
from itertools import islice

from verifier.expr.unseen import seen
from verifier.report.view import VERDICTS, Json, details, failing, headline, summary, warned

MOST_SHOWN = 30
LONGEST = 400

MARKUP = re.compile(r"[\\`*_{}\[\]<>#|~$@&]")
BEGINS = re.compile(r"^(\d*)([-+.)])")  # a list
ADDRESS = re.compile(r"://|www|[A-Za-z]\.[A-Za-z]")  # what is no link in prose becomes none


def to_markdown(report: Json) -> str:
    """What is wrong, claim by claim, then what was let pass, then the counts."""
    return seen("\n".join(_lines(report))) + "\n"


def _lines(report: Json) -> Iterator[str]:
    red, passed = failing(report), warned(report)
    is_red = bool(red or report["errors"] or not report["claims"] or report.get("gate", {}).get("status"))
    yield f"### verify: {'✗' if is_red else '✓'} {summary(report)}"
    yield ""
    yield "| " + " | ".join(VERDICTS) + " |"
    yield "|" + " --- |" * len(VERDICTS)
    yield "| " + " | ".join(str(report["summary"][name]) for name in VERDICTS) + " |"
    for words in report.get("gate", {}).get("notes", []):
        yield f"\n{text(words)}"
    for title, claims in (("Not as expected", red), ("Let pass", passed)):
        if claims:
            yield f"\n#### {title}\n"
            for claim in islice(claims, MOST_SHOWN):
                yield from _claim(claim)
            if len(claims) > MOST_SHOWN:
                yield f"\n... and {len(claims) - MOST_SHOWN} more."
    if report["errors"]:
        yield "\n#### Could not be read\n"
        for problem in report["errors"][:MOST_SHOWN]:
            yield f"- {code(_place(problem))} {text(problem['message'])}"


def _claim(claim: Json) -> Iterator[str]:
    yield f"- **{text(claim['id'])}** at {code(_place(claim['place']))}: {text(headline(claim))}"
    if claim["statement"]:
        yield f"  - says {code(claim['statement'])}"
    for problem in claim["errors"]:
        if problem["hint"]:
            yield f"  - {text(problem['hint'])}"
    for name, words in details(claim):
        if name not in ("engines differ", "line"):
            yield f"  - {name}: {code(words)}"


def _place(place: Json) -> str:
    return f"{place['file']}:{place['line']}"


def text(words: str) -> str:
    """Prose that cannot become markup: a formula is full of asterisks, underscores and brackets."""
    flat = " ".join(words.split())[:LONGEST]
    told = BEGINS.sub(r"\1\\\2", MARKUP.sub(r"\\\g<0>", flat))
    return told.replace(".", "\\.") if ADDRESS.search(flat) else told


def code(words: str) -> str:
    """A code span; a run of backticks inside needs a longer fence around it."""
    flat = " ".join(words.split())[:LONGEST]
    fence = "`"
    while fence in flat:
        fence += "`"
    return f"{fence}{flat}{fence}" if fence == "`" else f"{fence} {flat} {fence}"
