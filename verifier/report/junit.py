"""JUnit XML: one test case per claim, for CI servers that show test results.

The format has no standard of its own; this is what the schema of Apache Ant's reports asks for, which
the other readers accept.
"""

import re
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

from verifier.claim.problems import Problem
from verifier.expr.unseen import MARK, seen
from verifier.report.problems import problem_from_json
from verifier.report.view import Json, details, headline

# XML 1.0 has no escape for these.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_junit(report: Json) -> str:
    """A claim that the gate stops is a failure, one that could not be read or that engines disagree
    on an error; one that is not as expected and passes all the same is skipped, with the reason."""
    suite = ET.Element("testsuite", name="verify", package="verify", id="0", hostname="localhost")
    # Without a time zone, as the schema has it: it is UTC.
    suite.set("timestamp", datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S"))
    properties = ET.SubElement(suite, "properties")
    for name in ("command", "seed", "device"):
        ET.SubElement(properties, "property", name=name, value=_clean(str(report["run"][name])))
    for claim in report["claims"]:
        _case(suite, claim)
    for data in report["errors"]:
        problem = problem_from_json(data)
        case = ET.SubElement(suite, "testcase", classname="file", name=_clean(str(problem.position)))
        case.set("time", "0.000")
        _error(case, problem)
    kinds = {"tests": "testcase", "failures": "testcase/failure", "errors": "testcase/error",
             "skipped": "testcase/skipped"}  # fmt: skip
    for name, path in kinds.items():
        suite.set(name, str(len(suite.findall(path))))
    suite.set("time", f"{report['run']['seconds'] or 0:.3f}")
    ET.SubElement(suite, "system-out")
    ET.SubElement(suite, "system-err")
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _case(suite: ET.Element, claim: Json) -> None:
    theorem, _, name = claim["id"].partition("#")
    case = ET.SubElement(suite, "testcase", classname=_clean(theorem), name=_clean(name))
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
