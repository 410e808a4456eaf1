"""SARIF 2.1.0: what code-scanning dashboards read."""

import hashlib
from typing import Any

from verifier import __version__
from verifier.claim.model import Position
from verifier.claim.problems import Problem
from verifier.judge.verdict import FailedClaim, Run, Verdict

RULES = {
    "fails": "The claim is false.",
    "inconclusive": "The claim could not be decided.",
    "loose": "The bound is true and can be improved.",
    "holds": "The claim is true where another verdict was expected.",
    "error": "The spec is wrong.",
    "disagreement": "Two engines contradict each other.",
}


def to_sarif(run: Run) -> dict[str, Any]:
    """One result per claim that is not as expected, and per wrong spec."""
    results = [_result(item) for item in run.verdicts if not item.as_expected or _disagrees(item)]
    results += [_of_problem(problem, str(problem.position)) for problem in run.problems]
    rules = [{"id": name, "shortDescription": {"text": words}} for name, words in RULES.items()]
    driver = {"name": "verify", "version": __version__, "rules": rules}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results, "columnKind": "unicodeCodePoints"}],
    }


def _disagrees(item: Verdict | FailedClaim) -> bool:
    return isinstance(item, Verdict) and item.disagreement is not None


def _result(item: Verdict | FailedClaim) -> dict[str, Any]:
    if isinstance(item, FailedClaim):
        return _of_problem(item.broken.problems[0], item.id)
    rule = "disagreement" if item.disagreement else item.verdict
    worst = next((step for step in item.steps if step.verdict == item.verdict), item.steps[0])
    text = f"{item.id}: {item.verdict}. {item.disagreement or item.reason}"
    if worst.corrected:
        text += f" Correct: {worst.corrected}"
    return _entry(rule, item.claim.severity, text, worst.position, item.id)


def _of_problem(problem: Problem, key: str) -> dict[str, Any]:
    text = f"{problem.message} [{problem.code}]" + (f" {problem.hint}" if problem.hint else "")
    return _entry("error", "error", text, problem.position, f"{key}|{problem.code}")


def _entry(rule: str, level: str, text: str, position: Position, key: str) -> dict[str, Any]:
    region = {"startLine": position.line, "startColumn": position.column}
    place = {"artifactLocation": {"uri": position.file.lstrip("/")}, "region": region}
    return {
        "ruleId": rule,
        "ruleIndex": list(RULES).index(rule),
        "level": level,
        "message": {"text": text},
        "locations": [{"physicalLocation": place}],
        # The same claim keeps its identity when lines move.
        "partialFingerprints": {"claim/v1": hashlib.sha256(key.encode()).hexdigest()},
    }
