"""A run as one JSON object, key by key as the language's reference states it.

Every key is always there. Numbers are finite or null. Beyond the reference's keys there are `run`,
which says how to repeat it, and what the other formats show of a claim: they are views of this
object, so that a run that was remembered and a run that was just made cannot differ.
"""

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import isfinite
from typing import Any

from verifier.claim.mentioned_names import names_in
from verifier.claim.model import Claim, Position, VerdictName
from verifier.claim.problems import Problem
from verifier.claim.undefined import left_out
from verifier.evidence import Counterexample, Finding, Sample, SideProof
from verifier.expr.nodes import Relation
from verifier.expr.text import to_text
from verifier.judge.verdict import AssumptionVerdict, Repair, Run, StepVerdict, Verdict
from verifier.read.specs.loaded import Broken, Ready
from verifier.report.facts import fitting, left_of, right_text, said
from verifier.report.question import question
from verifier.report.view import VERDICTS, Json
from verifier.spool import spooled

SCHEMA = 1
_NULL_WITHOUT_A_READING = (
    "evidence", "lhs", "rhs", "corrected", "instead", "tightness", "tight", "slack", "counterexample",
    "repair", "question", "overall", "statement", "fingerprint", "disagreement", "label", "writeup",
    "printed", "proof",
)  # fmt: skip


def to_json(run: Run) -> Json:
    """The whole run."""
    counts = Counter[str]()

    def claims() -> Iterator[Json]:
        # A verdict of a long run is composed again by whoever asks for it: here once.
        for item in run.verdicts:
            counts[item.verdict] += 1
            yield claim_to_json(item)

    made = spooled(claims())
    return {
        "schema": SCHEMA,
        "summary": {name: counts[name] for name in VERDICTS},
        "claims": made,
        "errors": [problem_to_json(problem) for problem in run.problems],
        "run": {
            "seed": run.seed,
            "device": run.device,
            "seconds": _number(run.seconds),
            "versions": dict(run.versions or {}),
            "command": run.command,
            "remembered": run.remembered,
            "interrupted": run.interrupted,
        },
    }


def claim_to_json(item: Verdict | Broken) -> Json:
    """One entry of `claims`; one that could not be read has every key too."""
    return _claim(item) if isinstance(item, Verdict) else _broken(item)


def _claim(item: Verdict) -> Json:
    claim = item.claim
    step = item.main
    findings = [(part, finding) for part in item.steps for finding in part.findings]
    return {
        "id": claim.id,
        "title": claim.title,
        "file": claim.position.file,
        "line": claim.position.line,
        "column": claim.position.column,
        "statement": step.text,
        # Where to look first: the statement, or the first of a chain's worst lines.
        "place": _place(step.position),
        "fingerprint": _fingerprint(claim),
        "label": claim.label,
        "writeup": _writeup(claim),
        "printed": _printed(claim),
        "symbols": _origins(claim),
        "severity": claim.severity,
        "verdict": item.verdict,
        "evidence": item.evidence,
        "expected": _expected(claim.expect),
        "as_expected": item.as_expected,
        "gate": "passes" if item.as_expected else "fails",
        "stale": None,
        "unmet": None,
        "reason": item.reason,
        "disagreement": item.disagreement,
        "lhs": step.lhs if step.lhs is not None else to_text(left_of(step.fact)),
        "rhs": step.rhs if step.rhs is not None else right_text(step.fact),
        "corrected": step.corrected,
        "instead": step.instead,
        "tightness": step.tightness,
        "tight": step.tight,
        "slack": _number(step.slack),
        "counterexample": _counterexample(claim, step.counterexample),
        # Which of these are offered without a checked proof: corrected, instead, tight, tightness.
        "guesses": list(step.guesses),
        "proof": proof_of(item),
        # What is proved beside the verdict.
        "beside": [_side(part) for part in item.sides],
        # Where a side has no value: such points are not judged.
        "left_out": _left_out(item),
        "repair": item.repair and _repair(item.repair),
        "question": question(item),
        "assumptions": {part.name: _assumption(claim, part) for part in item.assumptions},
        "steps": [_step(claim, part) for part in item.steps] if claim.is_chain else [],
        "overall": _step(claim, item.overall) if item.overall is not None else None,
        "samples": [_sample(sample) for _, finding in findings for sample in finding.samples],
        "engines": [_engine(part, finding) for part, finding in findings],
        "derivation": [line for _, finding in findings for line in finding.derivation],
        "errors": [problem_to_json(problem) for problem in item.problems],
        "seconds": _number(item.seconds),
    }


def _broken(item: Broken) -> Json:
    """A claim that could not be read has every key too."""
    nothing: Json = dict.fromkeys(_NULL_WITHOUT_A_READING)
    return nothing | {
        "id": item.id,
        "title": item.title,
        "file": item.position.file,
        "line": item.position.line,
        "column": item.position.column,
        "place": _place(item.problems[0].position),
        "severity": "error",
        "verdict": "error",
        "expected": _expected(item.expect),
        "as_expected": False,
        "gate": "fails",
        "stale": None,
        "unmet": None,
        "reason": item.reason,
        "left_out": [],
        "guesses": [],
        "beside": [],
        "symbols": {},
        "assumptions": {},
        "steps": [],
        "samples": [],
        "engines": [],
        "derivation": [],
        "errors": [problem_to_json(problem) for problem in item.problems],
        "seconds": 0.0,
    }


def proof_of(item: Verdict) -> Json | None:
    """What the verdict's proof rests on: rules that the kernel has checked, and sites that nobody checks.
    None where nothing is decided."""
    found = item.proof
    if found is None:
        return None
    return {
        "checked": found.checked,
        "trusted": found.trusted,
        "rules": dict(found.rules),
        "sites": dict(found.sites),
    }


def _left_out(item: Verdict) -> list[str]:
    if item.verdict == "error":
        return []
    conditions = (text for step in item.steps for text in left_out(item.claim, step.fact))
    return list(dict.fromkeys(conditions))


def _expected(expect: tuple[VerdictName, ...] | None) -> str | list[str] | None:
    """As the author writes it: one verdict, or a list."""
    if expect is None:
        return None
    return expect[0] if len(expect) == 1 else list(expect)


def _step(claim: Claim, step: StepVerdict) -> Json:
    return {
        "line": step.position.line,
        "relation": step.fact.op if isinstance(step.fact, Relation) else "in",
        "verdict": step.verdict,
        "evidence": step.evidence,
        "tightness": step.tightness,
        "reason": step.reason,
        "corrected": step.corrected,
        "instead": step.instead,
        "guesses": list(step.guesses),
        "counterexample": _counterexample(claim, step.counterexample),
    }


def _repair(found: Repair) -> Json:
    return {"condition": found.condition, "verdict": found.verdict, "guess": found.is_guess}


def _side(found: SideProof) -> Json:
    return {"kind": found.kind, "of": found.of, "step": found.step + 1, "rules": dict(found.rules)}


def _counterexample(claim: Claim, found: Counterexample | None) -> Json | None:
    if found is None:
        return None
    found = fitting(claim, found)
    values = {name: plain(value) for name, value in found.values.items()}
    ratios = [plain(ratio) for ratio in found.ratios]
    if ratios:
        values.setdefault("ratio", ratios)  # where they have always been, unless a symbol is so called
    return {
        "values": values,
        "ratios": ratios,
        "lhs": _number(found.lhs),
        "rhs": _number(found.rhs),
        "lhs_exact": found.lhs_exact,
        "rhs_exact": found.rhs_exact,
        "arithmetic": list(found.arithmetic),
    }


def _assumption(claim: Claim, part: AssumptionVerdict) -> Json:
    return {
        "status": part.status,
        "guess": part.is_guess,
        "violated": part.violated,
        "gap": part.gap,
        "reason": part.reason,
        "counterexample": _counterexample(claim, part.counterexample),
    }


def _sample(sample: Sample) -> Json:
    return {
        "at": {name: plain(value) for name, value in sample.at.items()},
        "estimate": _number(sample.estimate),
        "low": _number(sample.low),
        "high": _number(sample.high),
        "claimed": _number(sample.claimed),
        "draws": sample.draws,
    }


def _engine(step: StepVerdict, finding: Finding) -> Json:
    return {
        "name": finding.engine,
        "seconds": _number(finding.seconds),
        "said": said(finding),
        "line": step.position.line,
        "reason": finding.reason,
        "missing": finding.missing,
    }


def problem_to_json(problem: Problem) -> Json:
    return {
        "file": problem.position.file,
        "line": problem.position.line,
        "column": problem.position.column,
        "code": problem.code,
        "message": problem.message,
        "hint": problem.hint,
        "width": problem.width,
        "line_text": problem.line_text,
    }


def _place(position: Position) -> Json:
    return {"file": position.file, "line": position.line, "column": position.column}


def mark_of(entry: Ready | Broken) -> Json:
    """Where a claim stands, and the formula that it points at."""
    label, writeup = (entry.claim.label, _writeup(entry.claim)) if isinstance(entry, Ready) else (None, None)
    return {"file": entry.position.file, "line": entry.position.line, "label": label, "writeup": writeup}


def _writeup(claim: Claim) -> str | None:
    """The file that a label is looked up in."""
    if claim.label is None or claim.source.file is None:
        return claim.position.file if claim.label is not None else None
    return os.path.normpath(os.path.join(os.path.dirname(claim.position.file), claim.source.file))


def _printed(claim: Claim) -> Json | None:
    """The write-up's formula, and whether it was read and says the same."""
    if claim.printed is None:
        return None
    found = claim.printed
    return {"latex": found.latex, "status": found.status, "words": found.words}


def _origins(claim: Claim) -> Json:
    """Each symbol that the statement rests on: how it is declared and where, or why it was inferred."""
    used = names_in(claim)
    return {
        name: {
            "says": item.says,
            "inferred": item.inferred,
            "words": item.words,
            "place": _place(item.position),
        }
        for name, item in claim.origins.items()
        if name in used
    }


def _fingerprint(claim: Claim) -> str:
    """What is stated: it changes with the statement and its hypotheses, not when lines move."""
    fixed = [f"{name}={value}" for name, value in claim.where.items()]
    parts = [claim.text, *(assumption.text for assumption in claim.assumptions), *fixed]
    words = "\n".join(" ".join(part.split()) for part in parts)
    return hashlib.sha256(words.encode()).hexdigest()[:16]


def _number(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) else None


def plain(value: object) -> Any:
    """A value of a point as JSON has it; a fraction that is no integer stays exact text."""
    match value:
        case None | bool() | str() | int():
            return value
        case float():
            return _number(value)
        case Fraction():
            return value.numerator if value.denominator == 1 else str(value)
        case Mapping():
            return {str(name): plain(item) for name, item in value.items()}
        case Iterable():
            return [plain(item) for item in value]
    return str(value)
