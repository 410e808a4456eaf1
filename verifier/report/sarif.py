"""SARIF 2.1.0: what code-scanning dashboards read."""

import hashlib
import os
from itertools import chain
from pathlib import Path
from urllib.parse import quote

from verifier import __version__
from verifier.expr.unseen import seen
from verifier.read.specs.message_codes import CODES
from verifier.report.view import Json, details, failing, headline, level, warned
from verifier.spool import spooled

VERDICT_RULES = {
    "fails": "The claim is false.",
    "unrefuted": "Nothing breaks the claim, and nothing proves it.",
    "inconclusive": "The claim could not be decided.",
    "loose": "The bound is true and can be improved.",
    "holds": "The claim is true where another verdict was expected.",
    "error": "The claim is true of nothing, or could not be read.",
    "disagreement": "Two engines contradict each other.",
}
# Ids are stable: a dashboard keeps what it knows of a rule by its id.
RULES = {**VERDICT_RULES, **{f"spec/{code}": entry.title for code, entry in CODES.items()}}


def to_sarif(report: Json) -> Json:
    """One result per claim that is not as expected, and per wrong spec."""
    claims = chain(failing(report), warned(report))
    problems = (_of_problem(problem, problem["file"]) for problem in report["errors"])
    results = spooled(chain(map(_result, claims), problems))
    driver = {"name": "verify", "version": __version__, "rules": [_rule(name) for name in RULES]}
    invocation = {"executionSuccessful": True, "commandLine": seen(report["run"]["command"] or "verify")}
    run = {
        "tool": {"driver": driver},
        "invocations": [invocation],
        "results": results,
        "columnKind": "unicodeCodePoints",
    }
    return {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}


def _rule(name: str) -> Json:
    rule: Json = {"id": name, "shortDescription": {"text": RULES[name]}}
    code = name.removeprefix("spec/")
    if code != name:
        rule["help"] = {"text": CODES[code].words}
    return rule


def _result(claim: Json) -> Json:
    if claim["errors"]:
        return _of_problem(claim["errors"][0], claim["id"])
    rule = "disagreement" if claim["disagreement"] else claim["verdict"]
    words = [headline(claim), *(f"{name}: {text}" for name, text in details(claim))]
    result = _entry(rule, level(claim), f"{claim['id']} " + "\n".join(words), claim["place"], claim["id"])
    if claim["gate"] == "known":
        result["suppressions"] = [{"kind": "external", "justification": "it stands in the baseline"}]
    return result


def _of_problem(problem: Json, key: str) -> Json:
    text = f"{problem['message']} [{problem['code']}]" + (f" {problem['hint']}" if problem["hint"] else "")
    rule = f"spec/{problem['code']}"
    return _entry(rule if rule in RULES else "error", "error", text, problem, f"{key}|{problem['code']}")


def _entry(rule: str, loudness: str, text: str, place: Json, key: str) -> Json:
    region = {"startLine": place["line"], "startColumn": place["column"]}
    return {
        "ruleId": rule,
        "ruleIndex": list(RULES).index(rule),
        "level": loudness,
        "message": {"text": seen(text)},
        "locations": [{"physicalLocation": {"artifactLocation": _artifact(place["file"]), "region": region}}],
        # The same claim keeps its identity when lines move.
        "partialFingerprints": {"claim/v1": hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()},
    }


def _artifact(file: str) -> Json:
    """Relative to the folder where the command ran, which is the repository's root in CI."""
    inside = os.path.relpath(file)
    if os.path.isabs(file) and inside.startswith(os.pardir):
        return {"uri": Path(file).as_uri()}
    return {"uri": quote(os.fsencode(Path(inside).as_posix())), "uriBaseId": "%SRCROOT%"}
