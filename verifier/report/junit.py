"""JUnit XML: one test case per claim, for CI servers that show test results."""

import re
from xml.etree import ElementTree as ET

from verifier.claim.problems import Problem
from verifier.judge.verdict import FailedClaim, Run, Verdict

# XML 1.0 has no escape for these.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_junit(run: Run) -> str:
    """A claim that is not as expected is a failure; one that could not be read is an error."""
    unexpected = [item for item in run.verdicts if not item.as_expected and item.verdict != "error"]
    errors = sum(item.verdict == "error" for item in run.verdicts) + len(run.problems)
    suite = ET.Element(
        "testsuite",
        name="verify",
        tests=str(len(run.verdicts) + len(run.problems)),
        failures=str(len(unexpected)),
        errors=str(errors),
        time=f"{run.seconds:.3f}",
    )
    for item in run.verdicts:
        _case(suite, item)
    for problem in run.problems:
        case = ET.SubElement(suite, "testcase", classname="file", name=_clean(str(problem.position)))
        ET.SubElement(case, "error", message=_clean(problem.message), type=problem.code).text = _clean(
            str(problem)
        )
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _case(suite: ET.Element, item: Verdict | FailedClaim) -> None:
    theorem, _, name = item.id.partition("#")
    seconds = item.seconds if isinstance(item, Verdict) else 0.0
    case = ET.SubElement(
        suite, "testcase", classname=_clean(theorem), name=_clean(name), time=f"{seconds:.3f}"
    )
    if isinstance(item, FailedClaim):
        problem = item.broken.problems[0]
        ET.SubElement(case, "error", message=_clean(problem.message), type=problem.code).text = _clean(
            str(problem)
        )
    elif not item.as_expected:
        message = f"{item.verdict}: {item.reason}"
        text = f"{item.claim.position}: {item.claim.text}"
        ET.SubElement(case, "failure", message=_clean(message), type=item.verdict).text = _clean(text)


def _error(case: ET.Element, problem: Problem) -> None:
    error = ET.SubElement(case, "error", message=_clean(problem.message), type=problem.code)
    error.text = _clean(str(problem))


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
