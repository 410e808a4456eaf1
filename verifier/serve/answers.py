"""Verdicts for machines that read them: short, with fixed words, and never a bare yes or no.

Whether a claim is true is one of `true`, `false` and `unknown`. Not knowing has many causes, each with
another remedy, so an unknown says which it is.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args

from verifier.claim.problems import Problem
from verifier.evidence import Finding
from verifier.expr.unicode import to_unicode
from verifier.judge.verdict import AssumptionVerdict, Run, Verdict
from verifier.read.specs.loaded import Broken
from verifier.report.compare import compare, snapshot
from verifier.report.json import claim_to_json, plain, to_json
from verifier.report.view import point
from verifier.run.interrupt import INTERRUPTED

Json = dict[str, Any]
Known = Literal["true", "false", "unknown"]
Unknown = Literal[
    "unbroken",
    "no-proof",
    "missing-fact",
    "no-method",
    "time-limit",
    "memory-limit",
    "interrupted",
    "crashed",
    "engines-disagree",
    "vacuous",
    "no-value",
    "unreadable",
]
UNKNOWN: Mapping[Unknown, str] = {
    "unbroken": "a search and samples found nothing against it, and nothing proves it",
    "no-proof": "an engine decides it, and no proof of that is checked, which is what is asked for",
    "missing-fact": "something that is not stated is needed, as a moment of a law",
    "no-method": "no engine knows how to decide it",
    "time-limit": "the time of this claim ended first: give it more seconds",
    "memory-limit": "the memory of this claim ended first",
    "interrupted": "it was cancelled before it was decided",
    "crashed": "an engine failed: a bug in this program",
    "engines-disagree": "two engines contradict each other: a bug in this program",
    "vacuous": "nothing satisfies the assumptions",
    "no-value": "a side has no value, as a mean that does not exist",
    "unreadable": "the claim could not be read: see `problems`",
}
MOST_CLAIMS = 50
LONGEST = 400
assert set(UNKNOWN) == set(get_args(Unknown))


def known_of(item: Verdict | Broken) -> Known:
    """What is known of the truth of the claim, tightness apart."""
    if item.verdict in ("holds", "loose"):
        return "true"
    return "false" if item.verdict == "fails" else "unknown"


def unknown_of(item: Verdict | Broken) -> Unknown | None:
    """Why nothing is known, where nothing is."""
    if isinstance(item, Broken):
        return "unreadable"
    if known_of(item) != "unknown":
        return None
    if item.disagreement is not None:
        return "engines-disagree"
    findings = item.main.findings
    if item.verdict == "unrefuted":
        return "no-proof" if any(found.decides for found in findings) else "unbroken"
    if item.verdict == "error":
        return "vacuous" if any(found.vacuous for found in findings) else "no-value"
    return _stopped(findings) or _lacking(findings)


def _stopped(findings: tuple[Finding, ...]) -> Unknown | None:
    """How the examination ended from outside, if it did."""
    for found in findings:
        if found.engine == "run":
            if found.reason.startswith(INTERRUPTED):
                return "interrupted"
            if found.reason.startswith("stopped after"):
                return "time-limit"
            return "memory-limit" if "memory" in found.reason else "crashed"
    return None


def _lacking(findings: tuple[Finding, ...]) -> Unknown:
    if any(found.missing for found in findings):
        return "missing-fact"
    return "time-limit" if any(found.ran_out for found in findings) else "no-method"


# --- answers --------------------------------------------------------------------------------------


def answer(item: Verdict | Broken) -> Json:
    """One verdict. What there is nothing to say of is left out."""
    claim = claim_to_json(item)
    unknown, proof = unknown_of(item), item.proof
    found: Json = {
        "id": item.id,
        "verdict": item.verdict,
        "known": known_of(item),
        "unknown": unknown,
        "unknown_means": UNKNOWN[unknown] if unknown is not None else None,
        "read_as": _reading(item),
        "inferred": _inferred(item),
        "evidence": item.evidence,
        "reason": _short(item.reason),
        "counterexample": _short(point(claim["counterexample"])) if claim["counterexample"] else None,
        "values": claim["counterexample"] and claim["counterexample"]["values"],
        "corrected": item.corrected,
        "true_instead": claim["instead"],
        "true_if": claim["repair"] and claim["repair"]["condition"],
        "could_be": claim["tight"],
        "tightness": claim["tightness"],
        "guesses": claim["guesses"],
        "proof": None if proof is None else "checked" if proof.checked else "trusted",
        "assumptions": {name: part["status"] for name, part in claim["assumptions"].items()},
        "steps": [{"line": step["line"], "verdict": step["verdict"]} for step in claim["steps"]],
        "expected": claim["expected"],
        "problems": [problem_answer(problem) for problem in item.problems],
        "place": _place(claim["place"]),
    }
    return {key: value for key, value in found.items() if value not in (None, [], {})}


def answers(run: Run, before: Json | None = None) -> Json:
    """A whole run; with `before`, what a run was remembered as, also what changed since."""
    shown = [answer(item) for item in _first(run)]
    found: Json = {
        "summary": {name: count for name, count in run.summary.items() if count},
        "verdicts": shown,
        "not_shown": len(run.verdicts) - len(shown) or None,
        "problems": [problem_answer(problem) for problem in run.problems],
        "changes": changes(before, run) if before is not None else None,
    }
    return {
        key: value for key, value in found.items() if value is not None and (value != [] or key == "changes")
    }


def remembered(run: Run) -> Json:
    """What is kept of a run, to tell later what changed."""
    return snapshot(to_json(run))


def changes(before: Json, run: Run) -> list[Json]:
    """Claim by claim: what was said before and what is said now."""
    found = compare(before, remembered(run), "before").items
    return [
        {"id": item.id, "what": item.kind, "before": item.before, "after": item.after}
        for item in found[:MOST_CLAIMS]
    ]


def assumption_answer(part: AssumptionVerdict) -> Json:
    """What an assumption buys."""
    example = part.counterexample
    found: Json = {
        "name": part.name,
        "status": part.status,
        "is_a_guess": part.is_guess or None,
        "reason": _short(part.reason),
        "without_it": {name: plain(value) for name, value in example.values.items()} if example else None,
        "contradicts_the_symbols": part.violated or None,
        "gap": part.gap,
    }
    return {key: value for key, value in found.items() if value not in (None, "")}


def problem_answer(problem: Problem) -> Json:
    place = problem.position
    found = {
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "code": problem.code,
        "message": problem.message,
        "hint": problem.hint,
    }
    return {key: value for key, value in found.items() if value is not None}


def _first(run: Run) -> Iterator[Verdict | Broken]:
    """Those that are not as expected come first, for an answer has room for a few."""
    ordered = sorted(range(len(run.verdicts)), key=lambda at: run.verdicts[at].as_expected)
    return (run.verdicts[at] for at in ordered[:MOST_CLAIMS])


def _reading(item: Verdict | Broken) -> str | None:
    """The statement as we read it: whoever wrote it sees a misreading here."""
    if isinstance(item, Broken):
        return None
    return _short("; ".join(to_unicode(step.fact) for step in item.claim.steps))


def _inferred(item: Verdict | Broken) -> Json:
    """What each symbol was taken for that nobody declared."""
    origins = item.claim.origins if isinstance(item, Verdict) else {}
    return {name: origin.says for name, origin in origins.items() if origin.inferred is not None}


def _place(place: Json) -> str | None:
    """Where to look; a line that stands in no file has no place."""
    if place["file"].startswith("<"):
        return None
    return f"{place['file']}:{place['line']}:{place['column']}"


def _short(words: str) -> str:
    return words if len(words) <= LONGEST else f"{words[:LONGEST]}…"
