"""What turns a run red. The verdicts are the judge's; this decides which of them stop a pull request.

    claim                                                      gate
    ---------------------------------------------------------------------
    as expected, on the evidence that is required              passes
    below `fail-at`, or its verdict is not in `fail-on`        tolerated
    no worse than in the baseline, and states the same         known
    otherwise                                                  fails

A wrong spec and a disagreement of engines are never let pass.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from verifier.gate.baseline import Past
from verifier.report.view import Json, expected
from verifier.spool import spooled

BEST_FIRST = ("holds", "loose", "unrefuted", "inconclusive", "fails", "error")
MAY_FAIL_ON = ("fails", "inconclusive", "unrefuted", "loose")
OPEN = ("unrefuted", "inconclusive", "fails")
# What a claim without `expect` may be asked to rest on, and what then serves.
REQUIRED = {"proved": ("proved",), "certified": ("proved", "certified"), "searched": None}
SEVERITIES = ("note", "warning", "error")


@dataclass(frozen=True)
class Policy:
    """What is demanded of a run.

    `fail_on` replaces, for claims without `expect`, the verdicts that fail (fails and inconclusive);
    `fail_at` is the mildest severity that turns the run red; `baseline` maps ids to claims of an
    earlier run. `require`: what a claim without `expect` must rest on; `searched` lets pass what nothing
    broke, with a warning."""

    fail_on: tuple[str, ...] | None = None
    fail_at: str = "note"
    baseline: Mapping[str, Past] | None = None
    min_coverage: float | None = None
    require: str = "searched"


def judge_run(report: Json, policy: Policy) -> Json:
    """The report with what the gate says of every claim, and of the whole."""
    claims = spooled(_gated(claim, policy) for claim in report["claims"])
    notes = [*_coverage_notes(report, policy), *_baseline_notes(claims, policy)]
    made = report | {"claims": claims}
    return made | {"gate": {"status": status(made, policy), "notes": notes}}


def _gated(claim: Json, policy: Policy) -> Json:
    unmet = unmet_requirement(claim, policy)
    claim = claim | {"as_expected": claim["as_expected"] and unmet is None, "unmet": unmet}
    return claim | {"gate": gate(claim, policy), "stale": stale(claim)}


def unmet_requirement(claim: Json, policy: Policy) -> str | None:
    """Why what it rests on is too little; an author who says what to expect has said what is enough."""
    serves = REQUIRED[policy.require]
    may_serve = claim["verdict"] in ("holds", "loose", "unrefuted") and not expected(claim)
    if serves is None or not may_serve or claim["evidence"] in serves:
        return None
    return f"it is only {claim['evidence']}, and {' or '.join(serves)} is required"


def gate(claim: Json, policy: Policy) -> str:
    """passes, tolerated, known or fails."""
    if claim["verdict"] == "error" or claim["disagreement"]:
        return "fails"
    if policy.fail_on is not None and not expected(claim):
        passes = claim["verdict"] not in policy.fail_on and claim["unmet"] is None
        if passes:
            return "passes" if claim["as_expected"] else "tolerated"
    elif claim["as_expected"]:
        return "passes"
    if SEVERITIES.index(claim["severity"]) < SEVERITIES.index(policy.fail_at):
        return "tolerated"
    return "known" if _is_known(claim, policy.baseline or {}) else "fails"


def _is_known(claim: Json, baseline: Mapping[str, Past]) -> bool:
    """No worse than it was, of the same statement."""
    before = baseline.get(claim["id"])
    if before is None:
        return False
    same = before.fingerprint in (None, claim["fingerprint"])
    return same and BEST_FIRST.index(claim["verdict"]) <= BEST_FIRST.index(before.verdict)


def stale(claim: Json) -> str | None:
    """An expectation that the claim has outgrown: it is better than its author says it may be."""
    expect = expected(claim)
    if not expect or claim["verdict"] in ("error", *OPEN):
        return None
    worse = [word for word in expect if BEST_FIRST.index(word) > BEST_FIRST.index(claim["verdict"])]
    undecided = [word for word in worse if word in OPEN]
    if claim["as_expected"] and not undecided:
        return None
    if claim["as_expected"]:
        return f"it {claim['verdict']}; `expect` need no longer allow {' or '.join(undecided)}"
    if worse:
        return f"it is better than expected: change `expect` to {claim['verdict']}"
    return None


def status(report: Json, policy: Policy) -> int:
    """2: a wrong spec, nothing collected, or engines that disagree; 1: the gate stops it; else 0."""
    claims = report["claims"]
    if report["errors"] or not claims:
        return 2
    if any(claim["verdict"] == "error" or claim["disagreement"] for claim in claims):
        return 2
    return int(any(claim["gate"] == "fails" for claim in claims) or not _is_covered(report, policy))


def _is_covered(report: Json, policy: Policy) -> bool:
    if policy.min_coverage is None:
        return True
    return bool(report["coverage"]["percent"] >= policy.min_coverage)


def _coverage_notes(report: Json, policy: Policy) -> list[str]:
    coverage = report.get("coverage")
    if not coverage or not coverage["total"]:
        return [] if policy.min_coverage is None else ["coverage: no theorem and no numbered equation found"]
    told = f"coverage: {coverage['covered']} of {coverage['total']} statements of the write-up have a claim"
    notes = [f"{told} ({coverage['percent']:.0f}%)"]
    if not _is_covered(report, policy):
        notes[0] += f", and {policy.min_coverage:g}% are demanded"
        notes += [f"no claim: {item['file']}:{item['line']}: {item['name']}" for item in coverage["missing"]]
    return notes


def _baseline_notes(claims: Iterable[Json], policy: Policy) -> list[str]:
    """Entries of the baseline that the run has outgrown, so that it can only shrink."""
    if policy.baseline is None:
        return []
    bad = {name: "gone" for name, claim in policy.baseline.items() if not claim.as_expected}
    bad |= {claim["id"]: claim["gate"] for claim in claims if claim["id"] in bad}
    gone = [name for name, now in bad.items() if now == "gone"]
    mended = [name for name, now in bad.items() if now == "passes"]
    notes = [f"baseline: {name} is mended" for name in mended]
    notes += [f"baseline: {name} is gone" for name in gone]
    if notes:
        notes.append("baseline: write it again to forget these")
    return notes
