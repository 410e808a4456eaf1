"""JUnit XML: one test case per claim, for CI servers that show test results.

The format has no standard of its own; this is what the schema of Apache Ant's reports asks for, which
the other readers accept.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

from verifier.claim.problems import Problem
from verifier.expr.unseen import MARK, seen
from verifier.report.problems import problem_from_json
from verifier.report.view import Json, details, headline

# XML 1.0 has no escape for these.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_junit(report: Json) -> Iterator[str]:
    """A claim that the gate stops is a failure, one that could not be read or that engines disagree
    on an error; one that is not as expected and passes all the same is skipped, with the reason."""
    counts = Counter(kind for case in _cases(report) for kind in ("testcase", *(part.tag for part in case)))
    root = ET.Element("testsuites")
    root.append(_suite(report, counts))
    ET.indent(root)
    # Cases stand before the last two elements of the suite, which hold nothing.
    before, between, after = ET.tostring(root, encoding="unicode").partition("    <system-out />")
    yield '<?xml version="1.0" encoding="utf-8"?>\n' + before
    for case in _cases(report):
        ET.indent(case, level=2)
        yield f"    {ET.tostring(case, encoding='unicode')}\n"
    yield between + after + "\n"


def _suite(report: Json, counts: Mapping[str, int]) -> ET.Element:
    """All but the cases."""
    suite = ET.Element("testsuite", name="verify", package="verify", id="0", hostname="localhost")
    # Without a time zone, as the schema has it: it is UTC.
    suite.set("timestamp", datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S"))
    properties = ET.SubElement(suite, "properties")
    for name in ("command", "seed", "device"):
        ET.SubElement(properties, "property", name=name, value=_clean(str(report["run"][name])))
    kinds = {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}
    for name, kind in kinds.items():
        suite.set(name, str(counts[kind]))
    suite.set("time", f"{report['run']['seconds'] or 0:.3f}")
    ET.SubElement(suite, "system-out")
    ET.SubElement(suite, "system-err")
    return suite


def _cases(report: Json) -> Iterator[ET.Element]:
    yield from map(_case, report["claims"])
    for data in report["errors"]:
        problem = problem_from_json(data)
        case = ET.Element("testcase", classname="file", name=_clean(str(problem.position)))
        case.set("time", "0.000")
        _error(case, problem)
        yield case


def _case(claim: Json) -> ET.Element:
    theorem, _, name = claim["id"].partition("#")
    case = ET.Element("testcase", classname=_clean(theorem), name=_clean(name))
    case.set("time", f"{claim['seconds'] or 0:.3f}")
    message = _clean(headline(claim))
    if claim["errors"]:
        _error(case, problem_from_json(claim["errors"][0]))
    elif claim["disagreement"] or claim["verdict"] == "error":
        ET.SubElement(
            case, "error", message=message, type="disagreement" if claim["disagreement"] else "error"
        ).text = _text(claim)
    elif claim["gate"] == "fails":
        ET.SubElement(case, "failure", message=message, type=claim["verdict"]).text = _text(claim)
    elif claim["gate"] != "passes":
        ET.SubElement(case, "skipped", message=_clean(f"{claim['gate']}: {headline(claim)}"))
    return case


def _text(claim: Json) -> str:
    place = claim["place"]
    lines = [f"{place['file']}:{place['line']}:{place['column']}: {claim['statement']}"]
    lines += [f"{name}: {words}" for name, words in details(claim)]
    return _clean("\n".join(lines))


def _error(case: ET.Element, problem: Problem) -> None:
    error = ET.SubElement(case, "error", message=_clean(problem.message), type=problem.code)
    error.text = _clean(str(problem))


def _clean(text: str) -> str:
    return seen(_FORBIDDEN.sub(MARK, text))
