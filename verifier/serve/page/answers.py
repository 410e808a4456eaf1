"""What the page is told, as data and as pages."""

from dataclasses import replace
from typing import Any

from verifier.claim.model import Claim
from verifier.claim.problems import Problem
from verifier.judge.verdict import Run, Verdict
from verifier.read.specs.loaded import Broken, Ready
from verifier.report import markup
from verifier.report.front import front_page
from verifier.report.html import render
from verifier.report.pages import claim_pages
from verifier.report.reading import origin_words, read_claim
from verifier.report.rows import slug
from verifier.serve.page.desk import Job
from verifier.serve.wire import harmless

MOST_WORDS = 600


def state(job: Job) -> dict[str, Any]:
    """How far the job is: each claim with its verdict, if there is one."""
    version = job.version
    data = {
        "job": job.number,
        "version": version,
        "over": job.is_over,
        "cancelled": job.cancelled.is_set(),
        "trouble": job.trouble,
        "claims": [_claim(job, entry) for entry in job.loaded.entries],
        "problems": [_problem(problem) for problem in job.loaded.problems],
    }
    found: dict[str, Any] = harmless(data)
    return found


def _claim(job: Job, entry: Ready | Broken) -> dict[str, Any]:
    item = job.verdicts.get(entry.id)
    problems = entry.problems if isinstance(entry, Broken) else ()
    return {
        "name": job.typed.name_of(entry),
        "id": entry.id,
        "line": entry.position.line,
        "verdict": item.verdict if item is not None else None,
        "evidence": item.evidence if item is not None else None,
        "reason": _short(item.reason) if isinstance(item, Verdict) else "",
        "trying": job.trying.get(entry.id, ""),
        "problems": [_problem(problem) for problem in problems],
        "page": f"claims/{slug(entry.id)}.html",
    }


def _problem(problem: Problem) -> dict[str, Any]:
    place = problem.position
    return {
        "line": place.line,
        "column": place.column,
        "message": _short(problem.message),
        "hint": _short(problem.hint or ""),
        "code": problem.code,
    }


def _short(words: str) -> str:
    return words if len(words) <= MOST_WORDS else f"{words[:MOST_WORDS]}…"


# --- pages ----------------------------------------------------------------------------------------------


def index(job: Job) -> str:
    """The front page of what is judged so far."""
    run = job.run or _so_far(job)
    return render("index.html.j2", front=front_page(run, None), run=run, coverage=None)


def claim_page(job: Job, path: str) -> str | None:
    """The page of one claim: with its verdict, or as it is read while it is being judged."""
    for entry in job.loaded.entries:
        if f"claims/{slug(entry.id)}.html" == path:
            item = job.verdicts.get(entry.id)
            if item is None:
                assert isinstance(entry, Ready)
                return reading_page(entry.claim)
            run = job.run or _so_far(job)
            (page,) = claim_pages(Run((item,), (), run.seed))
            return render("claim.html.j2", page=replace(page, repeat=job.typed.repeat(entry)), run=run)
    return None


def reading_page(claim: Claim) -> str:
    """How a claim was read, before anything is known of it."""
    reading = read_claim(claim)
    origins = {name: origin_words(item) for name, item in claim.origins.items()}
    symbols = [(markup.label(use.name), use.words, origins.get(use.name, "")) for use in reading.symbols]
    formulas = [markup.formula(step.fact) for step in claim.steps]
    return render("reading.html.j2", claim=claim, reading=reading, symbols=symbols, formulas=formulas)


def _so_far(job: Job) -> Run:
    return Run(tuple(job.verdicts.values()), job.loaded.problems)
