"""What turns a run red."""

import json
from pathlib import Path

import pytest

from tests.report.examples import example_run
from verifier.gate.baseline import BaselineError, past, read_baseline
from verifier.gate.policy import Policy, judge_run
from verifier.report.json import to_json
from verifier.report.view import Json, details, level, warned

PASSING = ("holds", "loose", "unrefuted")


def report(**verdicts: str) -> Json:
    """A run of claims with these verdicts, and no wrong spec."""
    whole = to_json(example_run())
    model = next(claim for claim in whole["claims"] if claim["id"].endswith("#triangle"))
    claims = [
        model | {"id": f"a/b#{name}", "verdict": verdict, "as_expected": verdict in PASSING}
        for name, verdict in verdicts.items()
    ]
    return whole | {"claims": claims, "errors": []}


def gates(made: Json, policy: Policy) -> tuple[int, list[str]]:
    judged = judge_run(made, policy)
    return judged["gate"]["status"], [claim["gate"] for claim in judged["claims"]]


EVERY = {"a": "holds", "b": "loose", "u": "unrefuted", "c": "inconclusive", "d": "fails"}


@pytest.mark.parametrize(
    ("fail_on", "expected"),
    [
        (None, (1, ["passes", "passes", "passes", "fails", "fails"])),
        (("fails",), (1, ["passes", "passes", "passes", "tolerated", "fails"])),
        (("loose", "fails", "inconclusive"), (1, ["passes", "fails", "passes", "fails", "fails"])),
        (("fails", "unrefuted"), (1, ["passes", "passes", "fails", "tolerated", "fails"])),
        ((), (0, ["passes", "passes", "passes", "tolerated", "tolerated"])),
    ],
)
def test_fail_on(fail_on: tuple[str, ...] | None, expected: tuple[int, list[str]]) -> None:
    assert gates(report(**EVERY), Policy(fail_on=fail_on)) == expected


def resting(**grades: str) -> Json:
    made = report(**dict.fromkeys(grades, "holds"))
    for claim, grade in zip(made["claims"], grades.values(), strict=True):
        claim |= {"evidence": grade, "verdict": "unrefuted" if grade == "searched" else "holds"}
    return made


@pytest.mark.parametrize(
    ("require", "expected"),
    [
        ("searched", (0, ["passes", "passes", "passes"])),
        ("certified", (1, ["passes", "passes", "fails"])),
        ("proved", (1, ["passes", "fails", "fails"])),
    ],
)
def test_require(require: str, expected: tuple[int, list[str]]) -> None:
    made = resting(a="proved", b="certified", c="searched")
    assert gates(made, Policy(require=require)) == expected
    judged = judge_run(made, Policy(require=require))["claims"]
    assert [claim["as_expected"] for claim in judged] == [gate == "passes" for gate in expected[1]]
    told = [dict(details(claim)).get("required", "") for claim in judged]
    assert [bool(words) for words in told] == [gate == "fails" for gate in expected[1]]
    assert all("is required" in words for words in told if words)


def test_what_an_author_expects_is_enough() -> None:
    made = resting(a="searched", b="searched")
    made["claims"][0] |= {"expected": "unrefuted", "as_expected": True}
    made["claims"][1] |= {"expected": "holds", "as_expected": False}
    assert gates(made, Policy(require="proved")) == (1, ["passes", "fails"])


def test_what_is_unrefuted_passes_with_a_warning() -> None:
    judged = judge_run(resting(a="proved", c="searched"), Policy())
    assert judged["gate"]["status"] == 0
    (claim,) = warned(judged)
    assert (claim["id"], level(claim)) == ("a/b#c", "warning")


def test_an_expectation_is_compared_whatever_fail_on_says() -> None:
    made = report(a="inconclusive", b="fails")
    made["claims"][0] |= {"expected": "inconclusive", "as_expected": True}
    made["claims"][1] |= {"expected": "holds"}
    assert gates(made, Policy(fail_on=())) == (1, ["passes", "fails"])


def test_fail_at_a_severity() -> None:
    made = report(a="fails", b="fails", c="fails")
    for claim, severity in zip(made["claims"], ("note", "warning", "error"), strict=True):
        claim["severity"] = severity
    assert gates(made, Policy())[1] == ["fails"] * 3
    assert gates(made, Policy(fail_at="warning"))[1] == ["tolerated", "fails", "fails"]
    assert gates(made, Policy(fail_at="error"))[1] == ["tolerated", "tolerated", "fails"]


def test_errors_and_disagreements_are_never_let_pass() -> None:
    made = report(a="error", b="inconclusive")
    made["claims"][1]["disagreement"] = "they differ"
    baseline = {claim["id"]: past(claim) for claim in made["claims"]}
    assert gates(made, Policy((), "error", baseline)) == (2, ["fails", "fails"])
    assert gates(report(), Policy())[0] == 2


def test_only_what_is_new_or_worse_than_the_baseline_fails() -> None:
    before = report(
        same="fails", worse="inconclusive", better="fails", changed="fails", mended="fails", gone="fails"
    )
    baseline = {claim["id"]: past(claim) for claim in before["claims"]}
    now = report(
        same="fails", worse="fails", better="inconclusive", changed="fails", mended="holds", new="fails"
    )
    now["claims"][3]["fingerprint"] = "another statement"
    judged = judge_run(now, Policy(baseline=baseline))
    assert {claim["id"].partition("#")[2]: claim["gate"] for claim in judged["claims"]} == {
        "same": "known", "worse": "fails", "better": "known", "changed": "fails", "mended": "passes",
        "new": "fails",
    }  # fmt: skip
    notes = " ".join(judged["gate"]["notes"])
    assert "a/b#mended is mended" in notes
    assert "a/b#gone is gone" in notes
    assert gates(report(same="fails"), Policy(baseline=baseline))[0] == 0


@pytest.mark.parametrize(
    ("expect", "verdict", "words"),
    [
        ("fails", "holds", "better than expected"),
        ("inconclusive", "loose", "better than expected"),
        (["holds", "inconclusive"], "holds", "need no longer allow inconclusive"),
        (["holds", "loose"], "holds", None),
        ("holds", "fails", None),
        ("holds", "holds", None),
        (None, "holds", None),
        ("loose", "holds", "better than expected"),
    ],
)
def test_stale_expectations(expect: str | list[str] | None, verdict: str, words: str | None) -> None:
    made = report(a=verdict)
    allowed = ["holds", "loose"] if expect is None else expect
    made["claims"][0] |= {"expected": expect, "as_expected": verdict in allowed}
    (claim,) = judge_run(made, Policy())["claims"]
    assert (claim["stale"] is None) == (words is None)
    assert words is None or words in claim["stale"]


def test_coverage_is_demanded() -> None:
    made = report(a="holds") | {
        "coverage": {
            "total": 4,
            "covered": 1,
            "percent": 25.0,
            "missing": [{"file": "p.tex", "line": 3, "name": "x"}],
        }
    }
    assert gates(made, Policy(min_coverage=25))[0] == 0
    judged = judge_run(made, Policy(min_coverage=26))
    assert judged["gate"]["status"] == 1
    assert any("p.tex:3" in words for words in judged["gate"]["notes"])


def test_any_json_report_is_a_baseline_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_text(json.dumps(report(a="fails")))
    assert read_baseline(path)["a/b#a"].verdict == "fails"
    for text in ("", "[]", '{"claims": [{}]}', '{"claims": 3}', "[" * 100_000):
        path.write_text(text)
        with pytest.raises(BaselineError, match="not a JSON report"):
            read_baseline(path)
    with pytest.raises(BaselineError, match="cannot be read"):
        read_baseline(tmp_path / "missing.json")
    with pytest.raises(BaselineError, match="no regular file"):
        read_baseline(Path("/dev/zero"))
